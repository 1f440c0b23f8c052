"""Why a row of the list scores what it scores: the whole answer, for every way to write it."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from kpinspector.scoring.formula.assess import Assessment, ScoreRange
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.gates import gates_of, gates_of_problem, gates_of_skipped
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.formula.overrides import count
from kpinspector.scoring.novelty.on_request import Further
from kpinspector.scoring.novelty.order import order_of
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.recorded import recorded
from kpinspector.scoring.whatif.counterfactuals import counterfactuals
from kpinspector.trace.model import quoted, shortened
from kpinspector.trace.read import Problem, Skipped, TraceRecord, name_of
from kpinspector.words.explain.explain_beside import (
    changes_section,
    issues_section,
    profiles_section,
    recorded_section,
)
from kpinspector.words.explain.explain_novelty import (
    neighbours_section,
    order_section,
    today_section,
    window_section,
)
from kpinspector.words.explain.explain_terms import (
    counted_section,
    dimensions_section,
    gates_section,
    overrides_section,
    pending_dimensions_section,
    waterfall_section,
)
from kpinspector.words.explain.explanation import (
    Cell,
    Column,
    Explanation,
    Section,
    Sign,
    Table,
    sign_of,
)
from kpinspector.words.figures import shown_count
from kpinspector.words.recorded_words import NO_SCORE, unscored_sentence, unscored_word
from kpinspector.words.sentences import (
    answer,
    margin_phrase,
    range_answer,
    range_margin_phrase,
    remarks,
    verdict_word,
)
from kpinspector.words.sums import shown_range_sum, shown_sum

_LONGEST = 300
_NOTHING_FURTHER = Further()


def explain(
    measured: Measured,
    assessment: Assessment,
    remarked: tuple[str, ...] = (),
    further: Further = _NOTHING_FURTHER,
) -> Explanation:
    """Explain a score, with what was looked up; ``remarked`` is said before all other remarks."""
    record, measurement = measured.record, measured.measurement
    shown = shown_sum(assessment)
    novelty = measurement.novelty
    return Explanation(
        name=name_of(record.source.path, record.source.record),
        sign=sign_of(assessment.verdict),
        word=verdict_word(assessment.verdict, assumed=novelty.assumed),
        margin=margin_phrase(assessment),
        score=Cell(shown.score, assessment.score),
        threshold=Cell(shown.threshold, assessment.threshold),
        sentence=answer(assessment, measurement, record.issues),
        remarks=(*remarked, *remarks(assessment, measured)),
        sections=_with_blocks(_sections(measured, assessment, further)),
    )


def explain_range(
    record: TraceRecord, facts: Facts, possible: ScoreRange, waiting: str
) -> Explanation:
    """Explain what is known of a score while novelty is unknown, and what that waits for."""
    low, shown = possible.low, shown_range_sum(possible)
    sections = [
        _about(record, low, None),
        gates_section(gates_of(low, possible.high)),
        pending_dimensions_section(low, shown, facts, waiting),
        counted_section(record.trace.steps),
        overrides_section(low, shown, pending=True),
    ]
    if record.issues:
        sections.append(issues_section(record.issues))
    return Explanation(
        name=name_of(record.source.path, record.source.record),
        sign=sign_of(possible.verdict),
        word=verdict_word(possible.verdict),
        margin=range_margin_phrase(possible),
        score=Cell(shown.score),
        threshold=Cell(shown.threshold, low.threshold),
        sentence=range_answer(possible, record.issues),
        remarks=(),
        sections=_with_blocks(sections),
    )


def explain_unscored(item: Problem | Skipped) -> Explanation:
    """Explain why there is no score."""
    if isinstance(item, Problem):
        sign, gates = Sign.PROBLEM, gates_of_problem(item)
    else:
        sign, gates = Sign.SKIPPED, gates_of_skipped()
    return Explanation(
        name=name_of(item.path, item.record),
        sign=sign,
        word=unscored_word(item),
        margin=NO_SCORE,
        score=Cell(),
        threshold=Cell(),
        sentence=unscored_sentence(item),
        remarks=(),
        sections=(_pairs(_about_unscored(item)), gates_section(gates)),
    )


def _sections(measured: Measured, assessment: Assessment, further: Further) -> Iterator[Section]:
    record, measurement = measured.record, measured.measurement
    shown, novelty = shown_sum(assessment), measurement.novelty
    profile, threshold = assessment.profile, assessment.threshold
    trace = record.trace
    yield _about(record, assessment, novelty)
    yield gates_section(gates_of(assessment))
    if not assessment.schema_passes:
        yield issues_section(record.issues)
    yield dimensions_section(assessment, shown, measurement)
    yield counted_section(trace.steps)
    yield overrides_section(assessment, shown)
    yield waterfall_section(assessment, shown, assumed=novelty.assumed)
    if not assessment.score_passes:
        found = counterfactuals(trace, measurement, profile, threshold)
        yield changes_section(found, measurement)
    yield from _novelty_sections(measured, assessment, further)
    found_score = recorded(trace, measurement, profile)
    if found_score is not None:
        yield recorded_section(found_score)
    yield profiles_section(measurement, threshold)
    if assessment.schema_passes and record.issues:
        yield issues_section(record.issues)


def _novelty_sections(
    measured: Measured, assessment: Assessment, further: Further
) -> Iterator[Section]:
    measurement = measured.measurement
    novelty = measurement.novelty
    if novelty.neighbours:
        yield neighbours_section(measurement, assessment)
    if further.today is not None:
        yield today_section(measurement, assessment, further.today)
    order = order_of(measurement, assessment.profile, assessment.threshold)
    if order is not None:
        yield order_section(order)
    if novelty.reach is not None:
        steps = len(measured.record.trace.steps)
        yield window_section(novelty.reach, steps, further.whole)


def _with_blocks(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Those that have something to say."""
    return tuple(section for section in sections if section.blocks)


def _about(record: TraceRecord, assessment: Assessment, novelty: Novelty | None) -> Section:
    trace, source = record.trace, record.source
    domain = trace.metadata.task_domain
    named = "no domain" if domain is None else f"domain {quoted(domain)}"
    pairs = [
        ("file", _place(source.path, source.record, source.line if source.record else None)),
        ("id", trace.id or "none that is usable"),
        ("objective", trace.objective),
        ("profile", f"{assessment.profile.name}, {named}"),
    ]
    if novelty is not None and novelty.found_at is not None:
        pairs.append(("compared", _compared(novelty, novelty.found_at)))
    return _pairs(pairs)


def _about_unscored(item: Problem | Skipped) -> Iterator[tuple[str, str]]:
    yield ("file", _place(item.path, item.record, item.line if isinstance(item, Problem) else None))
    if isinstance(item, Skipped):
        return
    if item.column is not None:
        yield ("column", shown_count(item.column))
    for name, text in (
        ("JSON path", item.json_path),
        ("expected", item.expected),
        ("found", item.found),
    ):
        if text:
            yield (name, text)


def _place(path: str, record: int | None, line: int | None) -> str:
    """Where a row comes from, as a reader looks it up."""
    parts = (("record", record), ("line", line))
    named = [f"{name} {shown_count(number)}" for name, number in parts if number is not None]
    return ", ".join((path, *named))


def _compared(novelty: Novelty, found_at: int) -> str:
    when = datetime.fromtimestamp(found_at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    against = count(novelty.compared_with, "entry", "entries", none="no entry")
    return f"with {against} on {when}{', remembered since' if novelty.remembered else ''}"


def _pairs(pairs: Iterable[tuple[str, str]]) -> Section:
    rows = tuple((Cell(name), Cell(shortened(text, _LONGEST))) for name, text in pairs)
    return Section("About", (Table((Column(), Column()), rows),))
