"""Makes the report on rows, and the explanation of one row."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kpinspector.app.document import Document, Item
from kpinspector.app.progress import Turn
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.report import Report, Results, UsedSettings, make_report
from kpinspector.scoring.report.written import FoundReport
from kpinspector.scoring.whatif.counterfactuals import counterfactuals
from kpinspector.scoring.whatif.scenario import Scenario, draft_of, fitted
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.records import MoreProblems, Problem, Skipped, TraceRecord, skipped_report
from kpinspector.words.explanation import (
    Explanation,
    Find,
    explain,
)
from kpinspector.words.score import edited_remark


@dataclass(frozen=True, slots=True)
class ReportBasis:
    """The settings and the model that a report names.

    Attributes:
        used: The settings that hold.
        model: The sha256 of the weights, or None without an embedder.
        profile: For all traces; None takes each trace's own.
        tried: By the numbers of the rows, what is tried of them and of which trace.
    """

    used: UsedSettings
    model: str | None
    profile: Profile | None
    tried: Mapping[int, tuple[Scenario, ReasoningTrace]] = field(default_factory=dict)


def explanation_of(
    document: Document, turn: Turn | None = None, find: Find = counterfactuals
) -> Explanation:
    """The explanation of a row, as far as its score is known."""
    item, row = document.item, document.number
    if not isinstance(item, TraceRecord):
        return Explanation(item, row=row, has_begun=document.begun is not None)
    if document.measured is not None and document.assessment is not None:
        said = _edit_remarks(document)
        found = explain(document.measured, document.assessment, said, row=row, find=find)
    elif document.range is None or document.facts is None:
        raise ValueError("a trace has a score or a range of scores")
    else:
        found = Explanation(item, facts=document.facts, possible=document.range, turn=turn, row=row)
    return replace(found, running=True) if document.running else found


def _edit_remarks(document: Document) -> tuple[str, ...]:
    """What the last edit of the file did to the score."""
    if document.before is None:
        return ()
    return (edited_remark(document.before, document.rules.threshold),)


def report_of(
    documents: Sequence[Document], basis: ReportBasis, check: Callable[[], None] = lambda: None
) -> Report:
    """The report on these rows, in their order; ``check`` may raise to stop."""
    results = _results(documents, basis)
    return make_report(results, basis.used, basis.model, basis.profile, check)


def _results(documents: Sequence[Document], basis: ReportBasis) -> Results:
    """Measurements, problems and skipped units of these rows; what is pending is counted."""
    scored = [
        (one.measured, _in_force(basis.tried.get(one.number), one.measured))
        for one in documents
        if one.measured is not None
    ]
    items = [one.item for one in documents]
    problems = [one for one in items if isinstance(one, Problem)]
    return Results(
        measured=[measured for measured, _ in scored],
        what_ifs=[tried for _, tried in scored],
        problems=[one for one in problems if not isinstance(one, MoreProblems)],
        skipped=list(_skipped(items)),
        pending=sum(isinstance(item, TraceRecord) for item in items) - len(scored),
        more_problems=sum(one.count for one in problems if isinstance(one, MoreProblems)),
    )


def _in_force(tried: tuple[Scenario, ReasoningTrace] | None, measured: Measured) -> Scenario | None:
    """What is tried of a trace as it is now, which may have been edited since."""
    if tried is None:
        return None
    scenario, _ = fitted(draft_of(*tried), measured.record.trace)
    return None if scenario.is_empty else scenario


def _skipped(items: Sequence[Item]) -> Iterator[Skipped]:
    """The skipped units, as on the command line; reports are among them."""
    for item in items:
        if isinstance(item, Skipped):
            yield item
        elif isinstance(item, FoundReport):
            yield skipped_report(item.source)
