"""The list's header and its menu: which columns are shown, and how wide."""

import re
from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.theme import scale
from kpinspector.ui.traces.trace_row import DEFAULT_COLUMNS, TraceColumn, heading
from kpinspector.words.say import say

# columns the user can resize, with their default widths; the others fit the font and contents
_DRAGGED = {
    TraceColumn.REACH: 84,
    TraceColumn.LOSS: 110,
    TraceColumn.RULES: 150,
    TraceColumn.PROFILE: 110,
    TraceColumn.OBJECTIVE: 240,
    TraceColumn.SOURCE: 200,
    TraceColumn.CHANGED: 90,
}
_NARROWEST, _WIDEST = 32, 2000
_NAME_LEAST = 120
_STATE = re.compile(r"([a-z]+)(?:=(\d{1,5}))?")
_NARROW_HIDES = frozenset({TraceColumn.BAR})


class ColumnHeader(HeaderView):
    """Shows the chosen columns; the name gets whatever room the others leave."""

    columns_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.chosen = DEFAULT_COLUMNS
        self._dragged: dict[TraceColumn, int] = {}
        self._narrow = False
        self._laying_out = False
        self.setSectionsClickable(True)
        self.setSectionsMovable(False)
        self.setStretchLastSection(False)
        self.setSortIndicatorClearable(True)
        self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.sectionResized.connect(self._on_section_resized)

    @property
    def shown(self) -> frozenset[TraceColumn]:
        """The chosen columns that there is room for."""
        return self.chosen - _NARROW_HIDES if self._narrow else self.chosen

    def toggle(self, column: TraceColumn) -> None:
        """Show a column or hide it; the name cannot be hidden."""
        self._choose(self.chosen ^ {column}, self._dragged)

    def reset_columns(self) -> None:
        """Go back to the default columns."""
        self._choose(DEFAULT_COLUMNS, {})

    def columns_state(self) -> str:
        """The chosen columns and their widths, as text."""
        parts = (
            f"{column.name.lower()}={self._dragged[column]}"
            if column in self._dragged
            else column.name.lower()
            for column in sorted(self.chosen)
        )
        return ",".join(parts)

    def restore(self, state: str) -> None:
        """Restore what `columns_state` gave; parts that are not understood are ignored."""
        names = {column.name.lower(): column for column in TraceColumn}
        chosen: set[TraceColumn] = set()
        dragged: dict[TraceColumn, int] = {}
        for part in state.split(","):
            match = _STATE.fullmatch(part.strip())
            column = names.get(match[1]) if match else None
            if match is None or column is None:
                continue
            chosen.add(column)
            if match[2] and column in _DRAGGED:
                dragged[column] = min(max(int(match[2]), _NARROWEST), _WIDEST)
        self._choose(frozenset(chosen) or DEFAULT_COLUMNS, dragged)

    def set_narrow(self, *, narrow: bool) -> None:
        """Set whether the pane is too narrow for bars."""
        self._narrow = narrow

    def lay_out(self, fixed: Mapping[TraceColumn, int], room: int) -> None:
        """Give every column its width: fixed, as dragged, or whatever is left."""
        if self.count() != len(TraceColumn):
            return
        metrics, modes = self.fontMetrics(), QHeaderView.ResizeMode
        dragged = {column: scale(width, metrics) for column, width in _DRAGGED.items()}
        widths = {**dragged, **self._dragged, **fixed}
        widths = {column: widths[column] for column in self.shown - {TraceColumn.TRACE}}
        left = room - sum(widths.values())
        widths[TraceColumn.TRACE] = max(scale(_NAME_LEAST, metrics), left)
        self._laying_out = True
        for column in TraceColumn:
            mode = modes.Interactive if column in _DRAGGED else modes.Fixed
            if self.sectionResizeMode(column) != mode:
                self.setSectionResizeMode(column, mode)
            if self.isSectionHidden(column) == (column in widths):
                self.setSectionHidden(column, column not in widths)
            if column in widths and self.sectionSize(column) != widths[column]:
                self.resizeSection(column, widths[column])
        self._laying_out = False

    def _choose(self, chosen: frozenset[TraceColumn], dragged: dict[TraceColumn, int]) -> None:
        chosen |= {TraceColumn.TRACE}
        if (chosen, dragged) != (self.chosen, self._dragged):
            self.chosen, self._dragged = chosen, dict(dragged)
            self.columns_changed.emit()

    def _on_section_resized(self, section: int, _before: int, width: int) -> None:
        column = TraceColumn(section)
        if self._laying_out or column not in _DRAGGED or width <= 0:
            return
        self._dragged[column] = min(max(width, _NARROWEST), _WIDEST)
        self.columns_changed.emit()


class ColumnMenu(QMenu):
    """Shows and hides columns."""

    def __init__(self, header: ColumnHeader, parent: QWidget) -> None:
        super().__init__(parent)
        self._header = header
        self._shown: dict[TraceColumn, QAction] = {}
        self.setTitle(say("Columns"))
        for column in TraceColumn:
            if column is not TraceColumn.TRACE:
                action = self._shown[column] = self.addAction(heading(column))
                action.setCheckable(True)
                action.triggered.connect(lambda *_, one=column: header.toggle(one))
        self.addSeparator()
        self.addAction(say("Reset Columns")).triggered.connect(header.reset_columns)
        header.columns_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        for column, action in self._shown.items():
            action.setChecked(column in self._header.chosen)
