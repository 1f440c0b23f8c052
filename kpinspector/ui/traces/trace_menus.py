"""The menus of the list: which columns it has, and what can be written into its filter."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from kpinspector.ui.traces.trace_columns import TraceColumn, heading
from kpinspector.ui.traces.trace_header import ColumnHeader


class ColumnMenu(QMenu):
    """Shows and hides columns."""

    def __init__(self, header: ColumnHeader, parent: QWidget) -> None:
        super().__init__(parent)
        self._header = header
        self.setTitle(self.tr("Columns"))
        for column in TraceColumn:
            if column is not TraceColumn.TRACE:
                action = self.addAction(heading(self, column))
                action.setCheckable(True)
                action.setData(int(column))
                action.triggered.connect(self._on_triggered)
        self.addSeparator()
        self._reset = self.addAction(self.tr("Reset Columns"))
        self._reset.triggered.connect(header.reset_columns)
        header.columns_changed.connect(self._show)
        self._show()

    @Slot()
    def _on_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._header.set_shown(TraceColumn(action.data()), shown=action.isChecked())

    def _show(self) -> None:
        for action in self.actions():
            if action.isCheckable():
                action.setChecked(TraceColumn(action.data()) in self._header.chosen)


class FilterMenu(QMenu):
    """Says what can be written into the filter, and writes it."""

    term_chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("Filters"))
        for term, words in self.terms():
            if not term:
                self.addSeparator()
                continue
            action = self.addAction(f"{words}\t{term}")
            action.setData(term)
            action.triggered.connect(self._on_triggered)

    def terms(self) -> tuple[tuple[str, str], ...]:
        """Each term and what it keeps; an empty term divides them."""
        return (
            ("state:accepted", self.tr("Accepted")),
            ("state:rejected", self.tr("Rejected")),
            ("state:pending", self.tr("Pending")),
            ("state:problem", self.tr("With problems")),
            ("state:skipped", self.tr("Skipped")),
            ("state:report", self.tr("Reports")),
            ("state:assumed", self.tr("Novelty is assumed")),
            ("", ""),
            ("profile:code", self.tr("Judged by one profile")),
            ("profile:code,medical", self.tr("Judged by one of two profiles")),
            ("", ""),
            ("score:0.5..0.8", self.tr("Score in a range")),
            ("score:>=0.7", self.tr("Score from a number on")),
            ("score:<0.5", self.tr("Score below a number")),
            ("score:0.74", self.tr("Score that begins so")),
            ("", ""),
            ('"two words"', self.tr("Words that stand together")),
        )

    def example_like(self, term: str) -> str:
        """The first term of the same name."""
        name = term.partition(":")[0].casefold()
        return next((one for one, _words in self.terms() if one.startswith(f"{name}:")), "")

    def help_text(self) -> str:
        """All of it in a few lines."""
        return "\n".join(
            (
                self.tr("Words are looked for in name, file, objective, id and domain."),
                self.tr("With a colon: {0}").format(
                    "state:rejected  profile:code  score:0.5..0.8  score:>=0.7"
                ),
                self.tr("All of them have to hold; values with commas are alternatives."),
            )
        )

    @Slot()
    def _on_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.term_chosen.emit(action.data())
