"""What rows are turned into: explanations, changes that would make a trace pass, exports."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Final, Generic, TypeAlias, TypeGuard, TypeVar
from weakref import ref

from kpinspector.app.batches import BatchPicture
from kpinspector.app.document import Document, Item, record_number
from kpinspector.app.jobs import Done, Token, Work
from kpinspector.app.values import Notice, NoticeBoard, NoticeKind, Turn
from kpinspector.batch.plan import ordered_lines
from kpinspector.batch.summary import summarise
from kpinspector.errors import KpError
from kpinspector.files import keep_apart, keep_sources, write_atomic
from kpinspector.scoring.findings import shown_key
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.profiles import Profile, Terms
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.report import Report, UsedSettings, embedder_entry, trace_entry
from kpinspector.scoring.report.written import FoundReport, report_json
from kpinspector.scoring.whatif.counterfactuals import Counterfactuals, counterfactuals
from kpinspector.scoring.whatif.scenario import Scenario, draft_of, fitted
from kpinspector.sharing.answer import LeakingTraces, leaking_traces, ways_of_measured
from kpinspector.trace.bytes import encoded
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.records import (
    MoreProblems,
    Problem,
    Skipped,
    TraceRecord,
    name_of,
    skipped_report,
)
from kpinspector.words.explanation import Explanation, Find, explain
from kpinspector.words.page import Mention
from kpinspector.words.say import say, say_all, say_count
from kpinspector.words.score import edited_remark
from kpinspector.words.summary import Front, WholeSummary
from kpinspector.words.writers import EXPLANATIONS, LISTS, Export
from kpinspector.words.writers.explanation_html import HtmlPage
from kpinspector.words.writers.explanation_text import answer_text
from kpinspector.words.writers.json_answers import summary_json
from kpinspector.words.writers.pages import Page, made_with

KEY = "export"  # of notices about exports that failed

_MOST_NAMED = 3
_MOST_KEPT = 8
LONG: Final = 2_000
"""The changes of a score take long to find where the trace has more steps than this."""

Held = TypeVar("Held")
Made = TypeVar("Made")
Check: TypeAlias = Callable[[], None]


class Shelf(Generic[Held, Made]):
    """A cache of a few values, each computed from an object held elsewhere; drops the oldest."""

    def __init__(self, most: int = _MOST_KEPT) -> None:
        self._most = most
        self._kept: dict[int, tuple[ref[Held], object, Made]] = {}
        self._lock = Lock()  # the worker puts values in, too

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, held: Held, rest: object = None) -> Made | None:
        """The value computed from ``held`` and ``rest``; None if it is not kept."""
        kept = self._kept.get(id(held))
        return kept[2] if kept is not None and kept[1] == rest else None

    @property
    def last(self) -> tuple[Held, Made] | None:
        """The newest value, as a pair with its object; None if that object no longer exists."""
        kept = next(reversed(tuple(self._kept.values())), None)
        held = None if kept is None else kept[0]()
        return None if kept is None or held is None else (held, kept[2])

    def put(self, held: Held, made: Made, rest: object = None) -> None:
        """Keep a value; it replaces any other value computed from the same object."""
        key = id(held)
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = ref(held, lambda _: self._kept.pop(key, None)), rest, made
            if len(self._kept) > self._most:
                oldest, *_ = tuple(self._kept)
                self._kept.pop(oldest, None)  # its object may be deleted meanwhile

    def get(self, held: Held, make: Callable[[Held], Made], rest: object = None) -> Made:
        """The value computed from ``held`` and ``rest``, computed now if it is not kept."""
        made = self.find(held, rest)
        if made is None:
            made = make(held)
        self.put(held, made, rest)  # moves a kept value to the end, as the newest
        return made


_SHELF: Shelf[ReasoningTrace, Counterfactuals] = Shelf()


def kept_changes(
    trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
) -> Counterfactuals:
    """The changes that would make a trace pass; computed now if they are not kept."""
    rest = measurement, profile, threshold
    return _SHELF.get(trace, lambda _: counterfactuals(trace, *rest), rest)


def is_long(document: Document) -> bool:
    """Whether the changes that would make the trace pass take long to find."""
    return document.record is not None and len(document.record.trace.steps) > LONG


def is_looked_for(document: Document) -> bool:
    """Whether a rejected trace's changes take long to find and are not kept yet."""
    measured, judged = document.measured, document.assessment
    if measured is None or judged is None or document.score is None or judged.score_passes:
        return False
    basis = measured.measurement, judged.profile, judged.threshold
    return is_long(document) and _SHELF.find(measured.record.trace, basis) is None


def look_for_changes(document: Document) -> Document:
    """Find and keep the changes that would make a document pass; called on the worker."""
    measured, judged = document.measured, document.assessment
    if measured is not None and judged is not None:
        trace, measurement = measured.record.trace, measured.measurement
        kept_changes(trace, measurement, judged.profile, judged.threshold)
    return document


@dataclass(frozen=True, slots=True)
class ReportBasis:
    """The settings and the model that a report names.

    Attributes:
        used: The settings in force.
        model: The sha256 of the weights, or None without an embedder.
        profile: The profile for all traces; None takes each trace's own.
        tried: By row number, the what-if in force and the trace that it was made for.
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
        before = document.before
        said = () if before is None else (edited_remark(before, document.rules.threshold),)
        found = explain(document.measured, document.assessment, said, row=row, find=find)
    elif document.range is None or document.facts is None:
        raise ValueError("a trace has a score or a range of scores")
    else:
        found = Explanation(item, facts=document.facts, possible=document.range, turn=turn, row=row)
    return replace(found, running=True) if document.running else found


def report_of(
    documents: Sequence[Document], basis: ReportBasis, check: Check = lambda: None
) -> Report:
    """The report on these rows, in their order; ``check`` may raise to stop.

    Traces without a score are counted as pending; opened reports as skipped, as by the command.
    """
    traces, items = [], [one.item for one in documents]
    terms = Terms(basis.used.threshold, basis.profile)
    for document in documents:
        if document.measured is not None:
            check()
            measured, tried = document.measured, basis.tried.get(document.number)
            # the file may have been edited since the what-if was made
            what_if = fitted(draft_of(*tried), measured.record.trace)[0] if tried else None
            traces.append(trace_entry(measured, terms, what_if))
    return Report(
        embedder=embedder_entry(basis.model),
        settings=basis.used,
        pending=sum(isinstance(item, TraceRecord) for item in items) - len(traces),
        more_problems=sum(item.count for item in items if isinstance(item, MoreProblems)),
        traces=traces,
        problems=[item for item in items if _is_one_problem(item)],
        skipped=[
            skipped_report(item.source) if isinstance(item, FoundReport) else item
            for item in items
            if isinstance(item, Skipped | FoundReport)
        ],
    )


def _is_one_problem(item: Item) -> TypeGuard[Problem]:
    return isinstance(item, Problem) and not isinstance(item, MoreProblems)


Maker: TypeAlias = Callable[[ReportBasis, Check], bytes]
"""Makes a file's contents under these settings; calls ``Check`` now and then, which may raise."""


REPORT: Final = "report"
TRACES: Final = "traces"
"""Forms of export, beside those in ``LISTS`` and ``EXPLANATIONS``."""


class Exports:
    """Part of the session: writes exports, but never over open files or the program's own."""

    def __init__(
        self,
        basis: Callable[[], ReportBasis],
        submit: Callable[[Work, Done], Token],
        board: NoticeBoard,
        sources: Callable[[], Collection[str]],
        folder: Path,
    ) -> None:
        self._basis, self._submit, self._board = basis, submit, board
        self._sources, self._folder = sources, folder

    def write(self, form: str, path: Path, documents: Sequence[Document]) -> None:
        """Write these rows to a file; ``form`` is REPORT, TRACES, or in LISTS or EXPLANATIONS."""
        self.write_made(path, partial(_MAKERS[form], documents))

    def write_made(self, path: Path, make: Maker) -> None:
        """Write a file whose contents ``make`` gives on the worker."""
        basis, said = self._basis(), say("{path} was written.", path=path.name)
        self._write(path, lambda token: make(basis, token.check), said)

    def write_body(self, path: Path, body: str) -> None:
        """Write the body that would be posted of a trace, unmasked."""
        said = say("{path} was written; nothing in it is masked.", path=path.name)
        self._write(path, lambda _: f"{body}\n".encode(), said)

    def _write(self, path: Path, make: Callable[[Token], bytes], said: str) -> None:
        sources = self._sources()

        def write(token: Token) -> None:
            keep_sources([path], sources)
            keep_apart([path], self._folder)
            write_atomic(path, make(token))

        def tell(_: object) -> None:
            self._board.settled.emit(KEY)
            self._board.raised.emit(Notice(said, str(path), kind=NoticeKind.NEWS))

        self._submit(write, tell)


def _list(export: Export, documents: Sequence[Document], basis: ReportBasis, check: Check) -> bytes:
    written: bytes = export.write(report_of(documents, basis, check), _kinds(documents))
    return written


def _kinds(documents: Sequence[Document]) -> Iterator[type]:
    """The kind of entry that each row has in the report; rows without an entry give none."""
    for document in documents:
        if document.measured is not None:
            yield Measured
        elif _is_one_problem(document.item):
            yield Problem
        elif isinstance(document.item, Skipped | FoundReport):
            yield Skipped


def _page(export: Export, documents: Sequence[Document], basis: ReportBasis, check: Check) -> bytes:
    """The explanations of rows, after a summary where more than one is measured."""

    def measured() -> Iterator[Measured]:
        for document in documents:
            check()
            if document.measured is not None:
                yield document.measured

    front = None
    if sum(one.measured is not None for one in documents) > 1:
        summary = summarise(measured(), Terms(basis.used.threshold, basis.profile))
        whole = WholeSummary(summary, None, _leaking(documents))
        front = Front(whole.answer, tuple(map(_mention_of, documents)))
    page: Page = export.write(front)
    for one in documents:
        check()
        page.add(explanation_of(one))
    return page.written(made_with(basis.used, basis.model))


def _leaking(documents: Iterable[Document]) -> tuple[LeakingTraces, ...]:
    return leaking_traces(
        ways_of_measured(one.measured, one.assessment, None)
        for one in documents
        if one.measured is not None and one.assessment is not None
    )


def _mention_of(document: Document) -> Mention:
    """The name of the row's explanation, and the key by which other explanations refer to it."""
    key = shown_key(document.measured.place.key) if document.measured else ""
    return Mention(name_of(document.path, record_number(document.item)), key)


def _traces(documents: Sequence[Document], _basis: ReportBasis, check: Check) -> bytes:
    """The runs that can be converted to traces, one trace per line."""
    lines = []
    for document in documents:
        check()
        imported = None if document.run is None else document.run.imported
        if imported is not None and imported.can_be_converted:
            lines.append(f"{encoded(imported.converted())}\n".encode())
    return b"".join(lines)


_MAKERS: dict[str, Callable[[Sequence[Document], ReportBasis, Check], bytes]] = {
    REPORT: lambda rows, basis, check: report_json(report_of(rows, basis, check), check=check),
    TRACES: _traces,
    **{name: partial(_list, one) for name, one in LISTS.items()},
    **{name: partial(_page, one) for name, one in EXPLANATIONS.items()},
}


def summary_file(
    path: Path, picture: BatchPicture, documents: Sequence[Document], basis: ReportBasis
) -> bytes:
    """The summary as JSON or text where the suffix says so, else as an HTML page."""
    summary = WholeSummary(
        picture.summary,
        picture.grouped,
        _leaking(picture.documents),
        picture.order,
        (picture.plan, picture.at_best),
    )
    match path.suffix.casefold():
        case ".json":
            problems = sum(one.count for one in documents if isinstance(one.item, Problem))
            return summary_json(summary, basis.used, problems)
        case ".txt":
            return answer_text(summary.answer).encode()
    return HtmlPage.of_summary(summary, basis.used.threshold, made_with(basis.used, basis.model))


def planned_file(picture: BatchPicture) -> bytes:
    """The traces in the plan, in the plan's order, one a line, as they stand in their files.

    Raises:
        KpError: nobody stated the outcome of a chosen recording, or a file was changed.
    """
    chosen = () if picture.plan is None else picture.plan.chosen
    documents = [picture.documents[one.candidate] for one in chosen]
    unstated = [
        picture.names[one.candidate]
        for one, document in zip(chosen, documents, strict=True)
        if document.run is not None and not document.run.imported.can_be_converted
    ]
    if unstated:
        raise KpError(
            say_count(
                "The plan was not written: of {names} it is not recorded how it ended,"
                " and nobody stated it.",
                "The plan was not written: of {number} runs it is not recorded how they ended,"
                " and nobody stated it: {names}.",
                len(unstated),
                names=say_all(unstated[:_MOST_NAMED]),
            )
        )
    return ordered_lines([one.record for one in documents if one.record is not None])
