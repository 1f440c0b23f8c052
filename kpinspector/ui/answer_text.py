"""The whole answer as text: a table with tabs, for the clipboard."""

from collections.abc import Iterator

from kpinspector.scoring.change_words import NOT_ADVICE, change_words, unreachable
from kpinspector.scoring.sentences import text_of
from kpinspector.ui.answer import Answer
from kpinspector.ui.plain_text import one_line

_LONGEST = 2000


def answer_text(answer: Answer) -> str:
    """Every term of the answer, with whole doubles; one line each, cells divided by tabs."""
    document = answer.document
    rows: list[tuple[object, ...]] = [
        ("trace", document.name),
        ("file", document.path),
        ("verdict", answer.word),
        *_figures(answer),
        ("why", text_of(answer.sentence)),
        ("gates", ", ".join(f"{gate.name}: {gate.word}" for gate in answer.gates)),
        *(("remark", remark) for remark in answer.remarks),
        *(
            ("issue", issue.path or "the record", issue.severity, issue.message)
            for issue in answer.issues
        ),
    ]
    if document.facts is not None and answer.terms is not None:
        rows += [(), *_dimensions(answer)]
        rows += [(), *_overrides(answer)]
    if answer.counterfactuals is not None:
        rows += [(), *_changes(answer)]
    if document.by_profile:
        rows += [(), ("profile", "verdict", "score", "margin")]
        rows += [
            (one.profile.name, one.verdict, one.score, one.margin) for one in document.by_profile
        ]
    return "".join("\t".join(map(_plain, row)) + "\n" for row in rows)


def _figures(answer: Answer) -> Iterator[tuple[object, ...]]:
    known, possible = answer.assessment, answer.document.range
    if known is not None:
        yield ("score", known.score)
        if known.sdk_score is not None:
            yield ("score of the SDK", known.sdk_score)
    elif possible is not None:
        yield ("score", possible.low.score, possible.high.score)
    if answer.terms is not None:
        yield ("threshold", answer.terms.threshold)
    if known is not None:
        yield ("margin", known.margin)
    if answer.recorded is not None:
        yield ("recorded score", answer.recorded.score)
        novelty = answer.recorded.novelty
        if novelty is not None:
            yield ("novelty that gives it", novelty.low, novelty.high)


def _dimensions(answer: Answer) -> Iterator[tuple[object, ...]]:
    terms = answer.terms
    if terms is None:
        return
    yield ("dimension", "value", "weight", "adds", "lost", "evidence")
    unknown = "unknown" if answer.pending else None
    for term in terms.contributions:
        about = answer.evidence(term.dimension)
        if unknown and term.dimension == "novelty":
            yield (term.dimension, unknown, term.weight, unknown, unknown, about)
        else:
            yield (term.dimension, term.value, term.weight, term.part, term.lost, about)
    yield ("weighted sum", "", "", unknown or terms.composite)


def _overrides(answer: Answer) -> Iterator[tuple[object, ...]]:
    terms = answer.terms
    if terms is None:
        return
    yield ("override", "fired", "before", "after", "reason")
    for one in terms.overrides:
        fired = "yes" if one.applied else "no"
        ends = ("", "") if answer.pending else (one.before, one.after)
        yield (one.rule, fired, *ends, one.reason)


def _changes(answer: Answer) -> Iterator[tuple[object, ...]]:
    found, measured = answer.counterfactuals, answer.document.measured
    if found is None or measured is None:
        return
    yield ("what would change it", NOT_ADVICE, "score")
    for change in found.changes:
        words = change_words(change, measured.measurement)
        yield (words.change, words.beside, change.after.score)
    if not any(change.reaches for change in found.changes):
        yield (unreachable(found),)


def _plain(cell: object) -> str:
    return repr(cell) if isinstance(cell, float) else one_line(str(cell), _LONGEST)
