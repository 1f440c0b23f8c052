"""What is tried and what comes of it as text: a table with tabs, for the clipboard."""

from collections.abc import Iterator

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.whatif.whatif_case import Case
from kpinspector.ui.whatif.whatif_flips import Flips
from kpinspector.words.scenario_words import edit_lines
from kpinspector.words.writers.printable import on_one_line


def case_text(case: Case, flips: Flips) -> str:
    """Every term with whole doubles; one line each, cells divided by tabs."""
    rows: list[tuple[object, ...]] = [
        ("trace", case.document.name),
        ("file", case.document.path),
        *_scores(case),
        (),
        *_values(case),
        (),
        *_changes(case),
        *_profiles(case, flips),
    ]
    return "".join("\t".join(map(_whole, row)) + "\n" for row in rows)


def _scores(case: Case) -> Iterator[tuple[object, ...]]:
    now, then = case.outcome.now, case.outcome.then
    yield ("", "now", "what if")
    yield ("verdict", now.verdict, then.verdict)
    yield ("score", now.score, then.score)
    yield ("threshold", now.threshold, then.threshold)
    yield ("margin", now.margin, then.margin)
    yield ("profile", now.profile.name, then.profile.name)
    for before, after in zip(now.overrides, then.overrides, strict=True):
        fired = ("yes" if one.applied else "no" for one in (before, after))
        yield (before.rule, *fired)


def _values(case: Case) -> Iterator[tuple[object, ...]]:
    yield ("dimension", "now", "what if", "weight", "adds", "needed alone")
    needed = case.needed
    for term in case.outcome.then.contributions:
        alone = needed[term.dimension]
        yield (
            term.dimension,
            case.now.of(term.dimension),
            term.value,
            term.weight,
            term.part,
            "not reachable" if alone is None else alone,
        )
    held = "held" if case.outcome.novelty_held else "as measured"
    if case.scenario.value_of(Dimension.NOVELTY) is not None:
        held = "set by hand"
    elif case.measured_again:
        held = "measured again"
    yield ("novelty", "assumed" if case.assumed else held)


def _changes(case: Case) -> Iterator[tuple[object, ...]]:
    scenario = case.scenario
    if scenario.confidence is not None:
        yield ("confidence", scenario.confidence)
    if scenario.success is not None:
        yield ("success", "yes" if scenario.success else "no")
    for line in edit_lines(scenario, case.trace):
        yield ("step", line.text)
    for named in case.document.scenarios:
        yield ("scenario", named.name)


def _profiles(case: Case, flips: Flips) -> Iterator[tuple[object, ...]]:
    yield ("profile", "verdict", "score", "margin", "flips")
    for one in case.profiles:
        number = flips.with_tried(one, case.outcome.now.verdict, case.document.number)
        shown = "" if number is None else number
        yield (one.profile.name, one.verdict, one.score, one.margin, shown)


def _whole(cell: object) -> str:
    return repr(cell) if isinstance(cell, float) else on_one_line(str(cell))
