"""Exports reports, lists and explanations, as files and as text."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from PySide6.QtCore import QObject, Signal

from kpinspector.app.answers import ReportBasis, explanation_of, report_of
from kpinspector.app.document import Document, record_number
from kpinspector.app.jobs import Done, Token, Work
from kpinspector.app.progress import NoticeBoard
from kpinspector.files import keep_own, keep_sources, write_atomic
from kpinspector.scoring.findings import shown_key
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.written import FoundReport, report_json
from kpinspector.sharing.answer import leaking_traces
from kpinspector.sharing.measured import ways_of_measured
from kpinspector.trace.bytes import encoded
from kpinspector.trace.records import MoreProblems, Problem, Skipped, name_of
from kpinspector.words.batch import Front, WholeSummary
from kpinspector.words.explanation import Explanation
from kpinspector.words.page import Mention
from kpinspector.words.writers import EXPLANATIONS, LISTS, Export
from kpinspector.words.writers.explanation_text import explanation_cells
from kpinspector.words.writers.pages import Page, made_with

KEY = "export"
"""The key of notices about failed exports."""

_Check: TypeAlias = Callable[[], None]
Maker: TypeAlias = Callable[[ReportBasis, _Check], bytes]
"""Makes a file of the settings that hold; calls the second now and then, which stops it."""


REPORT: Final = "report"
TRACES: Final = "traces"
"""Forms in which rows can be exported, beside those of lists and explanations."""


class Exports(QObject):
    """Part of the session: writes what is exported, but over no open file and none of its own."""

    written = Signal(object)
    body_written = Signal(object)
    explained = Signal(str)

    def __init__(
        self,
        basis: Callable[[], ReportBasis],
        submit: Callable[[Work, Done], Token],
        board: NoticeBoard,
        sources: Callable[[], Collection[str]],
        folder: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._basis = basis
        self._submit = submit
        self._board = board
        self._sources, self._folder = sources, folder

    def write(self, form: str, path: Path, documents: Sequence[Document]) -> None:
        """Write something of these rows to a file; ``written`` gives its path."""
        self.write_made(path, partial(_MAKERS[form], documents))

    def write_made(self, path: Path, make: Maker) -> None:
        """Write what is made on the worker to a file; ``written`` gives its path."""
        basis = self._basis()
        self._write(path, lambda token: make(basis, token.check))

    def write_body(self, path: Path, body: str) -> None:
        """Write what would be posted of a trace, as it is; ``body_written`` gives its path."""
        self._write(path, lambda _: f"{body}\n".encode(), self.body_written.emit)

    def _write(
        self, path: Path, make: Callable[[Token], bytes], tell: Callable[[Path], None] | None = None
    ) -> None:
        sources = self._sources()

        def write(token: Token) -> Path:
            keep_sources([path], sources)
            keep_own([path], self._folder)
            write_atomic(path, make(token))
            return path

        self._submit(write, partial(self._on_written, tell or self.written.emit))

    def _on_written(self, tell: Callable[[Path], None], path: Path) -> None:
        self._board.settled.emit(KEY)
        tell(path)

    def explain(self, explanation: Explanation) -> None:
        """Write the whole answer for a row as text; ``explained`` gives it."""
        self._submit(lambda _: explanation_cells(explanation), self.explained.emit)


# all of these take their time with many rows, and are stopped by a check that raises


def _report(documents: Sequence[Document], basis: ReportBasis, check: _Check) -> bytes:
    return report_json(report_of(documents, basis, check), check=check)


def _list(
    export: Export, documents: Sequence[Document], basis: ReportBasis, check: _Check
) -> bytes:
    written: bytes = export.write(report_of(documents, basis, check), _kinds(documents))
    return written


def _kinds(documents: Sequence[Document]) -> Iterator[type]:
    """What each row is in the report; what is no row of its own there comes last."""
    for document in documents:
        item = document.item
        if document.measured is not None:
            yield Measured
        elif isinstance(item, Problem) and not isinstance(item, MoreProblems):
            yield Problem
        elif isinstance(item, Skipped | FoundReport):
            yield Skipped


def _page(
    export: Export, documents: Sequence[Document], basis: ReportBasis, check: _Check
) -> bytes:
    page: Page = export.write(_front(documents, basis, check))
    for one in documents:
        check()
        page.add(replace(explanation_of(one), among_many=len(documents) > 1))
    return page.written(made_with(basis.used, basis.model))


def _front(documents: Sequence[Document], basis: ReportBasis, check: _Check) -> Front | None:
    """The summary before several traces."""
    from kpinspector.batch.limits import Terms  # noqa: PLC0415 - with numpy, as both below
    from kpinspector.batch.summary import summarise  # noqa: PLC0415

    if sum(one.measured is not None for one in documents) < 2:  # noqa: PLR2004
        return None
    scored = (one.measured for one in documents if one.measured is not None)
    summary = summarise(_checked(scored, check), Terms(basis.used.threshold, basis.profile))
    ways = (
        ways_of_measured(one.measured, one.assessment, None)
        for one in documents
        if one.measured is not None and one.assessment is not None
    )
    whole = WholeSummary(summary, None, leaking_traces(ways))
    return Front(whole.answer, tuple(map(_mention, documents)))


def _mention(document: Document) -> Mention:
    """What the explanation of a row is called, and by which key others name it."""
    measured = document.measured
    key = "" if measured is None else shown_key(measured.place.key)
    return Mention(name_of(document.path, record_number(document.item)), key)


def _checked(measured: Iterable[Measured], check: _Check) -> Iterator[Measured]:
    for one in measured:
        check()
        yield one


def _traces(documents: Sequence[Document], _basis: ReportBasis, check: _Check) -> bytes:
    return b"".join(_converted(documents, check))


def _converted(documents: Sequence[Document], check: _Check) -> Iterator[bytes]:
    """The runs that can be converted, one trace per line."""
    for document in documents:
        check()
        imported = None if document.run is None else document.run.imported
        if imported is not None and imported.can_be_converted:
            yield f"{encoded(imported.converted())}\n".encode()


_MAKERS: dict[str, Callable[[Sequence[Document], ReportBasis, _Check], bytes]] = {
    REPORT: _report,
    TRACES: _traces,
    **{name: partial(_list, one) for name, one in LISTS.items()},
    **{name: partial(_page, one) for name, one in EXPLANATIONS.items()},
}
