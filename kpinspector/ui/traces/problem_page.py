"""What is shown instead of steps for a file or record that gave no trace."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kpinspector.app.document import Document
from kpinspector.trace.read import MoreProblems, Problem, ProblemKind, Skipped
from kpinspector.ui.controls.base import FlatButton, Label, PushButton
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.parts.sheet_scroll import SheetScroll
from kpinspector.ui.steps.step_pane import PageHeader
from kpinspector.ui.traces.excerpt import Excerpt
from kpinspector.words.figures import shown_count
from kpinspector.words.sentences import capitalised

_PADDING = 16
_GAP = 8
_MESSAGE_LENGTH = 2000


class ProblemPage(QWidget):
    """Shows a problem or a skipped unit; the lines around the place come by a setter."""

    open_in_editor_requested = Signal()
    reload_requested = Signal()
    remove_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self.header = PageHeader()
        self.message = Label("")
        self.excerpt = Excerpt()
        self._where = QWidget()
        self._watched = Label(
            self.tr("The file is watched: it is read again as soon as it changes."), second=True
        )
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._lay_out()
        self.set_watched(watched=False)
        self.set_document(None)

    def set_document(self, document: Document | None) -> None:
        """Show what is wrong with a row; its lines are not known yet."""
        self._document = document
        item = None if document is None else document.item
        title, said = "", ""
        facts: tuple[str, ...] = ()
        line, column = None, None
        if isinstance(item, Problem):
            title, facts, said = self._title(item), tuple(self._facts(item)), _message(item)
            line, column = item.line, item.column
        elif isinstance(item, Skipped):
            title, said = self._title(item), self._skipped_message(item)
            facts = (one_line(item.path),)
        self.header.set_words(title, facts)
        self.message.setText(said)
        note = self._note(item) if isinstance(item, Problem) else ""
        self.excerpt.set_place(line, column, note)
        self.set_excerpt((), 1)

    def set_excerpt(self, lines: Sequence[str], first: int) -> None:
        """Show lines of the file; ``first`` is the number of the first of them, from 1."""
        self.excerpt.set_lines(lines, first)
        self._where.setVisible(bool(lines))
        self.excerpt.setVisible(bool(lines))
        # with the lines the message stands at its place among them
        self.message.setVisible(self.excerpt.mark is None)

    def set_watched(self, *, watched: bool) -> None:
        """Whether a change of the file is seen without asking."""
        self._watched.setVisible(watched)

    def whole_text(self) -> str:
        """The problem and the lines, as the copy button copies them."""
        parts = (self.header.title, self.header.facts, self.message.text(), *self.excerpt.lines)
        return "\n".join(part for part in parts if part)

    def _lay_out(self) -> None:
        page = QWidget()
        page.setBackgroundRole(QPalette.ColorRole.Base)
        body = QVBoxLayout(page)
        body.setContentsMargins(_PADDING, _GAP, _PADDING, _GAP)
        body.setSpacing(_GAP)
        self.message.setWordWrap(True)
        body.addWidget(self.message)
        body.addWidget(self._where_row())
        body.addWidget(self.excerpt)
        body.addSpacing(_GAP)
        body.addLayout(self._buttons())
        body.addWidget(self._watched)
        body.addStretch(1)
        area = SheetScroll(page)
        area.setAccessibleName(self.tr("Problem"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(area, 1)

    def _where_row(self) -> QWidget:
        row = QHBoxLayout(self._where)
        row.setContentsMargins(0, 0, 0, 0)
        copy = FlatButton(IconName.COPY, name=self.tr("Copy the problem and the lines"))
        copy.clicked.connect(self._on_copy_clicked)
        row.addWidget(Label(self.tr("Where reading stopped"), TextRole.HEADING))
        row.addStretch(1)
        row.addWidget(copy)
        return self._where

    def _buttons(self) -> QHBoxLayout:
        icon = IconName.OPEN_EXTERNAL
        self.editor = PushButton(self.tr("Open in Editor"), icon=icon, primary=True)
        reload = PushButton(self.tr("Reload"), icon=IconName.RELOAD)
        remove = PushButton(self.tr("Remove from List"))
        self.editor.clicked.connect(self.open_in_editor_requested)
        reload.clicked.connect(self.reload_requested)
        remove.clicked.connect(self.remove_requested)
        row = QHBoxLayout()
        row.setSpacing(_GAP)
        for button in (self.editor, reload, remove):
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _title(self, item: Problem | Skipped) -> str:
        name = one_line(PurePath(item.path).name or item.path, 120)
        if item.record is not None:
            name = self.tr("{0}, record {1},").format(name, shown_count(item.record))
        if isinstance(item, Skipped):
            return self.tr("{0} was skipped").format(name)
        if isinstance(item, MoreProblems):
            return self.tr("{0} has more problems").format(name)
        if item.kind is ProblemKind.UNREADABLE:
            return self.tr("{0} could not be read").format(name)
        return self.tr("{0} cannot be scored").format(name)

    def _facts(self, item: Problem) -> Iterator[str]:
        if item.line is not None:
            words = self.tr("Line {0}") if item.column is None else self.tr("Line {0}, column {1}")
            yield words.format(item.line, item.column)
        if item.json_path:
            yield one_line(item.json_path)
        yield one_line(item.path)

    def _note(self, item: Problem) -> str:
        if item.expected and item.found:
            words = self.tr("expected {0}, found {1}")
            return words.format(one_line(item.expected), one_line(item.found))
        return _message(item)

    def _skipped_message(self, item: Skipped) -> str:
        reason = one_line(item.reason, _MESSAGE_LENGTH)
        if not item.type:
            return reason
        kind, named = one_line(item.type), one_line(item.id or "")
        return self.tr("{0} {1}: {2}").format(kind, named, reason)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.whole_text())


def _message(item: Problem) -> str:
    return capitalised(one_line(item.message, _MESSAGE_LENGTH))
