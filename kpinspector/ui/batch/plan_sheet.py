"""The plan: which traces to contribute, in which order, and which not."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.app.batches import BatchPicture
from kpinspector.batch.plan import LeftOut, Nearest, PlannedTrace
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.ui.batch.sheet import BESIDE_BAR, SIDE, BatchWish, Sheet, Wanted
from kpinspector.ui.controls.chips import ChipBar, ChipSpec
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.marks import STATE_SIZE, paint_state
from kpinspector.ui.look.painting import centred
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.parts.column_page import HintPage, SheetScroll
from kpinspector.ui.parts.sections import Divider, SectionTitle
from kpinspector.ui.tables.figure_model import FigureCell, Head, Row, word_head
from kpinspector.ui.tables.figure_table import HEAD_HEIGHT, ColumnWidth, Few, FigureTable
from kpinspector.ui.tables.row_table import RowMenu
from kpinspector.words.batch import BatchNames, left_out_note, plan_note, why_left_out
from kpinspector.words.figures import UNKNOWN, shown_count, shown_number, shown_score, shown_whole
from kpinspector.words.say import say, say_count
from kpinspector.words.sentences import verdict_word

_MIDDLE = Qt.TextElideMode.ElideMiddle
_ROW_HEIGHT = 26
_NAME = 2
_SIGN_GAP = 8
_BOTH, _CHOSEN, _LEFT_OUT = "both", "chosen", "left_out"


class TraceRows(FigureTable):
    """Rows of traces: some at first, the others when they are asked for.

    Activating a row asks for its trace; its menu keeps it in the plan or leaves it out.
    """

    def __init__(
        self,
        wish: Callable[[BatchWish], object],
        columns: Sequence[ColumnWidth],
        ways: Sequence[set[int]],
        few: int = 5,
        head_height: int = HEAD_HEIGHT,
    ) -> None:
        shown = Few(few, _NAME, _ROW_HEIGHT)
        super().__init__(columns, ways, head_height=head_height, few=shown)
        self._first = few
        self._picture: BatchPicture | None = None
        self._kept: frozenset[int] = frozenset()
        self._left_out: frozenset[int] = frozenset()
        self._do = wish
        self._keep = self._action(say("&Keep"), Qt.Key.Key_Plus, Wanted.KEEP)
        self._leave = self._action(say("&Leave Out"), Qt.Key.Key_Minus, Wanted.LEAVE_OUT)
        self._keep.setToolTip(say("Have this trace in the plan, if it can be"))
        self._leave.setToolTip(say("Have this trace not in the plan"))
        self._menu = RowMenu(self, _NAME)
        self._menu.set_actions((self._keep, self._leave))
        self._menu.aboutToShow.connect(self._show_wishes)
        self.row_activated.connect(wish)

    def set_picture(
        self,
        picture: BatchPicture | None,
        kept: frozenset[int] = frozenset(),
        left_out: frozenset[int] = frozenset(),
    ) -> None:
        """Show the plan of a picture; ``kept`` and ``left_out`` are numbers of rows."""
        if picture is None:
            self.all_shown = False
        self._picture, self._kept, self._left_out = picture, kept, left_out
        self._show()

    def set_all_shown(self, *, shown: bool) -> None:
        """Show every row, or the first ones."""
        self.all_shown = shown
        self._show()

    def rows_of(self, picture: BatchPicture, names: BatchNames) -> list[Row]:
        """All rows of a picture with a plan."""
        raise NotImplementedError

    def heads(self) -> tuple[Head, ...]:
        """The heads of the columns."""
        raise NotImplementedError

    def more_words(self, shown: int, total: int) -> str:
        """Which rows are not shown yet."""
        return say_count("{number} more", "{number} more", total - shown)

    def number_of(self, index: int) -> int | None:
        """The number of a trace's row in the list."""
        return None if self._picture is None else self._picture.documents[index].number

    def _action(self, words: str, key: Qt.Key, do: Wanted) -> QAction:
        action = QAction(words, self)
        action.setCheckable(True)
        action.setShortcut(key)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda: self._wish(do))
        return action

    def _show(self) -> None:
        picture = self._picture
        if picture is None or picture.plan is None or picture.batch is None:
            self.set_rows((), self.heads())
            return
        names = BatchNames(picture.batch, picture.names)
        self.set_rows(self.rows_of(picture, names), self.heads())

    @override
    def more_row(self, number: int) -> Row:
        words, width = self.more_words(self._first, self._first + number), len(self.heads())
        cells = (
            FigureCell(),
            FigureCell(),
            FigureCell(words, second=True, span=width - 3),
            FigureCell(say("Show All"), figure=True, accent=True, said=say("Show all rows")),
        )
        return replace(super().more_row(number), cells=cells)

    def _current(self) -> int | None:
        """The index of the trace in the current row."""
        row = self.currentIndex().row()
        wish = self.figures.rows[row].wish if 0 <= row < len(self.figures.rows) else None
        return wish.of if isinstance(wish, BatchWish) else None

    def _wish(self, do: Wanted) -> None:
        """Ask for what an action says; its key takes back what is wished already."""
        index = self._current()
        if index is not None:
            wished = self._kept if do is Wanted.KEEP else self._left_out
            self._do(
                BatchWish(Wanted.WISH_NOTHING if self.number_of(index) in wished else do, index)
            )

    def _show_wishes(self) -> None:
        index = self._current()
        number = None if index is None else self.number_of(index)
        for action, wished in ((self._keep, self._kept), (self._leave, self._left_out)):
            action.setChecked(number in wished)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if event.reason() == QContextMenuEvent.Reason.Mouse and index.isValid():
            self.setCurrentIndex(index)
        if self._current() is not None:
            self._menu.show_for(event)

    def name_cells(self, picture: BatchPicture, index: int) -> tuple[FigureCell, FigureCell]:
        """Whether a trace is kept, and its name."""
        name, kept = one_line(picture.names[index]), picture.documents[index].number in self._kept
        lock = FigureCell(picture=_lock, said=say("kept")) if kept else FigureCell()
        whole = picture.names[index]
        return lock, FigureCell(name, TextRole.NAME, tooltip=whole, elided_at=_MIDDLE)


class ChosenTable(TraceRows):
    """The chosen traces in their order."""

    def __init__(self, wish: Callable[[BatchWish], object]) -> None:
        columns = (
            ColumnWidth(24, fits=True),
            ColumnWidth(_SIGN_GAP + 22),
            ColumnWidth(80, fits=True, elides=True),
            ColumnWidth(64, fits=True),
            ColumnWidth(20),
            ColumnWidth(60, stretch=True),
            ColumnWidth(58, fits=True),
        )
        super().__init__(wish, columns, ({4, 5},))
        self.setAccessibleName(say("Chosen"))

    @override
    def heads(self) -> tuple[Head, ...]:
        return (
            word_head("#", figure=True),
            Head(say("verdict")),
            word_head(say("Trace")),
            word_head(say("score at its place"), figure=True),
            Head(say("gap")),
            word_head(say("most similar before it")),
            word_head(say("similarity"), figure=True),
        )

    @override
    def more_words(self, shown: int, total: int) -> str:
        return say_count(
            "{number} more, places {first} to {last}",
            "{number} more, places {first} to {last}",
            total - shown,
            first=shown_count(shown + 1),
            last=shown_count(total),
        )

    @override
    def rows_of(self, picture: BatchPicture, names: BatchNames) -> list[Row]:
        chosen = () if picture.plan is None else picture.plan.chosen
        return [self._row(place, one, picture, names) for place, one in enumerate(chosen, 1)]

    def _row(self, place: int, one: PlannedTrace, picture: BatchPicture, names: BatchNames) -> Row:
        judged = one.assessment
        lock, name = self.name_cells(picture, one.candidate)
        sign = FigureCell(
            picture=partial(_state, judged.verdict), said=verdict_word(judged.verdict)
        )
        cells = (
            FigureCell(shown_count(place), figure=True, second=True),
            lock if lock.picture else sign,
            name,
            FigureCell(
                shown_score(judged.score, judged.threshold),
                figure=True,
                tooltip=shown_whole(judged.score),
            ),
            FigureCell(),
            _nearest_cell(one.nearest, names),
            _similarity_cell(one.nearest),
        )
        return Row(cells, _ROW_HEIGHT, wish=BatchWish(Wanted.SHOW, one.candidate))


class LeftOutTable(TraceRows):
    """The traces that are left out, each with its one reason."""

    def __init__(self, wish: Callable[[BatchWish], object]) -> None:
        columns = (
            ColumnWidth(24),
            ColumnWidth(_SIGN_GAP + 22),
            ColumnWidth(80, fits=True, elides=True),
            ColumnWidth(220, stretch=True),
            ColumnWidth(58, fits=True),
        )
        super().__init__(wish, columns, (), few=20, head_height=0)
        self.setAccessibleName(say("Left out"))

    @override
    def heads(self) -> tuple[Head, ...]:
        said = (say("place"), say("kept"), say("Trace"), say("reason"), say("similarity"))
        return tuple(map(Head, said))

    @override
    def rows_of(self, picture: BatchPicture, names: BatchNames) -> list[Row]:
        left_out = () if picture.plan is None else picture.plan.left_out
        return [self._row(one, picture, names) for one in left_out]

    def _row(self, one: LeftOut, picture: BatchPicture, names: BatchNames) -> Row:
        threshold = picture.documents[one.candidate].rules.threshold
        reason = one_line(why_left_out(one, names, threshold))
        told = [FigureCell(reason, tooltip=reason, span=2)]
        if one.nearest is not None:
            told = [FigureCell(reason, tooltip=reason), _similarity_cell(one.nearest)]
        cells = (FigureCell(), *self.name_cells(picture, one.candidate), *told)
        return Row(cells, _ROW_HEIGHT, wish=BatchWish(Wanted.SHOW, one.candidate))


def _nearest_cell(nearest: Nearest | None, names: BatchNames) -> FigureCell:
    if nearest is None:
        return FigureCell(say("none yet: novelty 0.5"), second=True)
    name = names.of(nearest)
    return FigureCell(one_line(name), tooltip=name, elided_at=_MIDDLE)


def _similarity_cell(nearest: Nearest | None) -> FigureCell:
    if nearest is None:
        return FigureCell(UNKNOWN, figure=True, second=True)
    whole = shown_whole(nearest.similarity)
    return FigureCell(shown_number(nearest.similarity), figure=True, tooltip=whole)


def _state(verdict: Verdict, painter: QPainter, rect: QRect, colours: Colours) -> None:
    paint_state(painter, _sign_place(rect, STATE_SIZE), verdict, colours)


def _lock(painter: QPainter, rect: QRect, colours: Colours) -> None:
    paint_icon(painter, _sign_place(rect, ICON_SIZE), IconName.LOCK, colours.second)


def _sign_place(rect: QRect, side: int) -> QRect:
    gap = rect.height() * _SIGN_GAP // _ROW_HEIGHT
    return centred(rect, rect.left() + gap, rect.height() * side // _ROW_HEIGHT)


class PlanSheet(Sheet):
    """The chosen traces, then those left out, or one kind of them."""

    def __init__(self, wish: Callable[[BatchWish], object]) -> None:
        super().__init__(say("Plan"))
        self._chips = ChipBar(
            (
                ChipSpec(_BOTH, say("Both")),
                ChipSpec(_CHOSEN, say("Chosen")),
                ChipSpec(_LEFT_OUT, say("Left out")),
            )
        )
        self._chips.chip_chosen.connect(self._on_chip_chosen)
        self.header.addWidget(self._chips)
        self._chosen, self._left_out = ChosenTable(wish), LeftOutTable(wish)
        self._divider, self._title = Divider(), SectionTitle(say("Left out"))
        content = QWidget()
        parts = QVBoxLayout(content)
        parts.setContentsMargins(SIDE, 0, BESIDE_BAR, 0)
        parts.setSpacing(0)
        for part in (self._chosen, self._divider, self._title, self._left_out):
            parts.addWidget(part)
        parts.addStretch(1)
        hint = say("The plan is shown once all open traces are compared with each other.")
        self._pages = self.stack(HintPage(hint, padding=SIDE), SheetScroll(content, steady=True))
        self.show_picture(None)

    def show_picture(
        self,
        picture: BatchPicture | None,
        kept: frozenset[int] = frozenset(),
        left_out: frozenset[int] = frozenset(),
    ) -> None:
        """Show the plan of a picture; ``kept`` and ``left_out`` are numbers of rows."""
        plan = None if picture is None else picture.plan
        self.note.setText(
            "" if picture is None or plan is None else plan_note(plan, picture.at_best)
        )
        self._title.set_note("" if plan is None else left_out_note(plan.left_out))
        counts = {} if plan is None else {_CHOSEN: len(plan.chosen), _LEFT_OUT: len(plan.left_out)}
        self._chips.set_counts(counts)
        self._chips.setEnabled(plan is not None)
        self._pages.setCurrentIndex(int(plan is not None))
        for table in (self._chosen, self._left_out):
            table.set_picture(picture, kept, left_out)
        self._show_parts()

    def _on_chip_chosen(self, key: str) -> None:
        self._chosen.set_all_shown(shown=key == _CHOSEN)
        self._left_out.set_all_shown(shown=key == _LEFT_OUT)
        self._show_parts()

    def _show_parts(self) -> None:
        chosen = self._chips.chosen
        has_left = self._left_out.figures.rowCount() > 0
        self._chosen.setVisible(chosen != _LEFT_OUT)
        self._left_out.setVisible(chosen != _CHOSEN)
        self._title.setVisible(chosen != _CHOSEN and has_left)
        self._divider.setVisible(chosen == _BOTH and has_left)
