"""Pairs of traces: their table, the one that the map points at, and the key of the map."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHeaderView,
    QSizePolicy,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from kpinspector.app.batches import BatchPicture
from kpinspector.batch.groups import GroupedBatch
from kpinspector.ui.batch.map_painting import (
    OTHER_TICK,
    SHORT_TICK,
    TICK,
    similarity_colour,
    tick_ink,
    tick_of,
)
from kpinspector.ui.controls.base import (
    Drawing,
    ElidedLabel,
    Label,
    NameLabel,
    PushButton,
    in_column,
    in_row,
)
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.marks import STATE_SIZE, BarMark, fill, outline, paint_bar, paint_state
from kpinspector.ui.look.painting import CELL_PADDING, centred, draw_figure, draw_name
from kpinspector.ui.look.plain_text import one_line, plain_tooltip
from kpinspector.ui.look.roles import Graphic, StateMark
from kpinspector.ui.look.theme import Colours, TextRole, colours, font, row_height, scale
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.tables.figure_model import (
    CellMark,
    FigureCell,
    FigureModel,
    FigureRole,
    Index,
    Row,
    word_head,
)
from kpinspector.ui.tables.row_table import RowTable, TableDelegate
from kpinspector.ui.traces.trace_row import TraceRow
from kpinspector.words.batch import pair_place, pair_words
from kpinspector.words.figures import (
    INTERVAL_DECIMALS,
    UNKNOWN,
    shown_count,
    shown_number,
    shown_short,
    shown_whole,
)
from kpinspector.words.say import say, say_list

_GAP = 6
_WIDEST = "0.00000"
_WIDTH = 135
_TOP = 8
_ROW_GAP = 8
_BAR = 8
_CELLS = 15
_KEY_TICK = 12
_SIGN = 10


class Pair(NamedTuple):
    """Two traces, by their indices in the picture; one and the same on the diagonal."""

    one: int
    other: int


class MapBlock(NamedTuple):
    """Where a group stands in the order of the map: from its first place to before ``end``."""

    start: int
    end: int
    group: int


@dataclass(frozen=True)
class Pairs:
    """All pairs of a picture whose traces are compared."""

    picture: BatchPicture
    grouped: GroupedBatch

    @property
    def count(self) -> int:
        """The number of traces."""
        return len(self.picture.order)

    def similarity(self, pair: Pair) -> float:
        """How similar two traces are."""
        return float(self.grouped.batch.similarities[pair.one, pair.other])

    def name(self, trace: int) -> str:
        """What the list calls a trace."""
        return one_line(self.picture.names[trace])

    def shared_group(self, pair: Pair) -> int | None:
        """The group of two or more that both are in."""
        one, other = (self.group_of[trace] for trace in pair)
        return one if one == other and self.size_of(one) > 1 else None

    def size_of(self, group: int) -> int:
        """How many traces a group has."""
        return len(self.grouped.groups[group].members)

    def place_words(self, pair: Pair) -> str:
        """Whether they are in one group."""
        group = self.shared_group(pair)
        size = None if group is None else self.size_of(group)
        return pair_place(size, same=pair.one == pair.other)

    def words(self, pair: Pair) -> str:
        """All that is said of a pair."""
        names = (self.name(pair.one), self.name(pair.other))
        return pair_words(names, shown_number(self.similarity(pair)), self.place_words(pair))

    @cached_property
    def group_of(self) -> Mapping[int, int]:
        """The group of each trace."""
        groups = enumerate(self.grouped.groups)
        return {trace: number for number, group in groups for trace in group.members}

    @cached_property
    def blocks(self) -> tuple[MapBlock, ...]:
        """The groups as they stand on the map, those of one trace among them."""
        blocks: list[MapBlock] = []
        for place, trace in enumerate(self.picture.order):
            group = self.group_of[trace]
            if blocks and blocks[-1].group == group:
                blocks[-1] = blocks[-1]._replace(end=place + 1)
            else:
                blocks.append(MapBlock(place, place + 1, group))
        return tuple(blocks)


def pairs_of(picture: BatchPicture | None) -> Pairs | None:
    """The pairs of a picture; None until its traces are compared."""
    if picture is None or picture.grouped is None:
        return None
    return Pairs(picture, picture.grouped)


class PairTable(RowTable):
    """All other traces by their similarity to one; one row is chosen."""

    menu_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        figures = (say("Score"), say("Group of"), say("Similarity"))
        heads = (word_head(say("Trace")), *(word_head(one, figure=True) for one in figures))
        self.figures = FigureModel(heads, self)
        self.setAccessibleName(say("Pairs of the trace"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setModel(self.figures)
        self.setItemDelegate(_Delegate(self, 0))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalHeader(HeaderView(Qt.Orientation.Horizontal, self))
        self.lay_out_columns()

    @override
    def lay_out_columns(self) -> None:
        header, metrics = self.horizontalHeader(), self.delegate.fonts.body.metrics
        for column, head in enumerate(self.figures.heads):
            width = max(map(metrics.horizontalAdvance, (head.text, _WIDEST)))
            self.setColumnWidth(column, width + 2 * CELL_PADDING)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setDefaultSectionSize(row_height(metrics))

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            below = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
            self.menu_wanted.emit(event.globalPos() if by_mouse else below)


class _Delegate(TableDelegate):
    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found = self.paint_ground(painter, option, index)
        room = option.rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        cell: FigureCell = index.data(FigureRole.CELL)
        if cell.mark is None:
            draw_figure(painter, room, cell.text, self.fonts.body, found.text)
            return
        side = self.scaled(STATE_SIZE)
        place = centred(option.rect, room.left(), side)
        paint_state(painter, place, cell.mark.what, found, assumed=cell.mark.assumed)
        room.setLeft(room.left() + side + self.scaled(_GAP))
        draw_name(painter, room, cell.text, self.fonts.name, found.text)


def _pair_row(pairs: Pairs, pair: Pair) -> Row:
    trace = TraceRow(pairs.picture.documents[pair.other], pairs.picture.names[pair.other])
    group, similarity = pairs.shared_group(pair), pairs.similarity(pair)
    size = UNKNOWN if group is None else shown_count(pairs.size_of(group))
    mark = CellMark(trace.shape, assumed=trace.document.assumed)
    said = say_list((trace.name, trace.state_words))
    cells = (
        FigureCell(trace.name, mark=mark, said=said, tooltip=trace.name),
        FigureCell(trace.score_text, figure=True, tooltip=trace.score_text),
        FigureCell(size, figure=True, tooltip=size),
        FigureCell(shown_number(similarity), figure=True, tooltip=shown_whole(similarity)),
    )
    return Row(cells, wish=pair)


class PairPage(QWidget):
    """A trace that is chosen from all, and the table of its pairs."""

    pair_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._pairs: Pairs | None = None
        self._one: int | None = None
        self._trace = ComboBox(say("Pairs of"))
        self.table = PairTable()
        label = Label(say("Pairs of"), second=True)
        label.setBuddy(self._trace)
        choice = in_row(label, self._trace, None, margins=None, spacing=_GAP)
        in_column(choice, (self.table, 1), on=self, margins=(4, 2, 0, 0), spacing=None)
        self._trace.activated.connect(self._on_activated)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_changed)

    def show_pairs(self, pairs: Pairs, pair: Pair | None) -> None:
        """Go to a pair; to the most similar one of its first trace where it has no row."""
        if pairs is not self._pairs:
            self._pairs, self._one = pairs, None
            self._trace.clear()
            self._trace.addItems([pairs.name(one) for one in range(pairs.count)])
        one = pair.one if pair is not None else self._one or 0
        if one != self._one:
            self._show_trace(one)
        if pair is not None:
            found = (at for at, row in enumerate(self.table.figures.rows) if row.wish == pair)
            self.table.selectRow(next(found, 0))

    def _show_trace(self, one: int) -> None:
        self._one = one
        self._trace.setCurrentIndex(one)
        if self._pairs is not None:
            similar = self._pairs.grouped.batch.similarities[one].tolist()
            others = (Pair(one, other) for other in self._pairs.picture.order if other != one)
            ordered = sorted(others, key=lambda pair: -similar[pair.other])
            self.table.figures.set_rows([_pair_row(self._pairs, pair) for pair in ordered])

    def _on_activated(self, one: int) -> None:
        self._show_trace(one)
        self.table.selectRow(0)

    def _on_row_changed(self, current: Index, _previous: object) -> None:
        if current.isValid():
            self.pair_chosen.emit(self.table.figures.rows[current.row()].wish)


class PairPane(QWidget):
    """The two traces, one below the other, and how similar they are."""

    def __init__(self) -> None:
        super().__init__()
        self._pairs: Pairs | None = None
        self._rows = (_TraceLine(), _TraceLine())
        self._figure = Label("", TextRole.PANE)
        self._bar = Drawing(QSize(0, _BAR), partial(_paint_similarity, 0.0))
        self._bar.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._place = ElidedLabel("", TextRole.CAPTION, second=True)
        self._place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._hint = WrappedLabel(
            say("Point at a cell, or go there with the arrow keys."), second=True
        )
        self._compare = PushButton(say("Compare"), icon=IconName.COMPARE)
        self.compared = self._compare.clicked
        self._known = QWidget()
        figures = in_row(Label(say("Similarity")), None, self._figure, margins=None, spacing=None)
        parts = (*self._rows, figures, self._bar, self._place)
        in_column(*parts, self._compare, on=self._known, spacing=_ROW_GAP)
        title = Label(say("Pair pointed at"), TextRole.HEADING)
        whole = (title, self._hint, self._known, None)
        in_column(*whole, on=self, margins=(0, _TOP, 0, 0), spacing=_ROW_GAP)
        self.set_pair(None)

    def set_pairs(self, pairs: Pairs | None) -> None:
        """Pairs of other traces, or in other groups; none is known until one is pointed at."""
        self._pairs = pairs
        self.set_pair(None)

    def set_pair(self, pair: Pair | None) -> None:
        """Say what is known of a pair; None for none."""
        pairs = self._pairs
        self._known.setVisible(pair is not None and pairs is not None)
        self._hint.setVisible(self._known.isHidden())
        if pair is None or pairs is None:
            return
        for row, trace in zip(self._rows, pair, strict=True):
            row.set_trace(pairs, trace)
        similarity = pairs.similarity(pair)
        self._figure.setText(shown_number(similarity))
        self._figure.setToolTip(shown_whole(similarity))
        self._bar.draw(partial(_paint_similarity, similarity))
        self._place.setText(pairs.place_words(pair))
        same = pair.one == pair.other
        self._compare.setEnabled(not same)
        why = say("A trace is not compared with itself.") if same else ""
        self._compare.setToolTip(plain_tooltip(why))
        self._compare.setAccessibleDescription(why)


class _TraceLine(QWidget):
    """The state, the name and the score of a trace."""

    def __init__(self) -> None:
        super().__init__()
        self._state = StateMark()
        self._name = NameLabel("", TextRole.NAME)
        self._score = Label("")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(_GAP)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        # the pane is as wide as the key: names give way
        self._name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        grid.addWidget(self._state, 0, 0)
        grid.addWidget(self._name, 0, 1)
        grid.addWidget(self._score, 1, 1)

    def set_trace(self, pairs: Pairs, trace: int) -> None:
        """Show a trace as the list does."""
        shown = TraceRow(pairs.picture.documents[trace], pairs.picture.names[trace])
        self._state.set_state(shown.shape, shown.state_words, assumed=shown.document.assumed)
        self._name.setText(shown.name)
        self._score.setText(shown.score_text)


def _paint_similarity(similarity: float, painter: QPainter, rect: QRect, found: Colours) -> None:
    end = min(1.0, max(0.0, similarity))
    paint_bar(painter, rect, BarMark(found.novelty, end, track=found.track), found)


def _paint_sign(tick: int | None, painter: QPainter, rect: QRect, found: Colours) -> None:
    """The tick of a state as on the map; without one the outline of a group."""
    if tick is None:
        side = rect.width()
        outline(painter, QRect(0, (rect.height() - side) // 2, side, side), found.text)
        return
    width = rect.width() * tick // _SIGN
    fill(painter, QRect(0, rect.height() // 2 - 1, width, 2), tick_ink(tick, found))


class MapKey(QWidget):
    """The colours of similarities, the marks of states and the outline of groups."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._ramp = _RampKey()
        grid = QGridLayout()
        grid.setHorizontalSpacing(_GAP)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        lines = (
            (TICK, say("accepted")),
            (SHORT_TICK, say("rejected")),
            (OTHER_TICK, say("neither")),
            (None, say("group of two or more")),
        )
        self._other: list[QWidget] = []
        for number, (tick, words) in enumerate(lines):
            mark = Drawing(QSize(_SIGN, 0), partial(_paint_sign, tick), grows=True)
            for place, part in enumerate((mark, Label(words, TextRole.CAPTION, second=True))):
                grid.addWidget(part, number, place)
                if tick == OTHER_TICK:
                    self._other.append(part)
        in_column(
            Label(say("How to read it"), TextRole.HEADING), self._ramp, grid, on=self, spacing=_GAP
        )

    def set_pairs(self, pairs: Pairs | None) -> None:
        """The similarity at which groups are linked; other states only where there are any."""
        self._ramp.set_similarity(None if pairs is None else pairs.grouped.similarity)
        documents = () if pairs is None else pairs.picture.documents
        other = any(tick_of(one.state) == OTHER_TICK for one in documents)
        for part in self._other:
            part.setVisible(other)


class _RampKey(Graphic):
    """The colours in flat cells, and a line where groups begin."""

    def __init__(self) -> None:
        super().__init__()
        self._similarity: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(say("Colours of similarities"))

    def set_similarity(self, similarity: float | None) -> None:
        """Mark the similarity from which traces are in one group."""
        self._similarity = similarity
        words = say("From the sheet's colour at 0 to that of novelty at 1.")
        if similarity is not None:
            words = say(
                "From the sheet's colour at 0 to that of novelty at 1. Groups at {similarity}.",
                similarity=shown_short(similarity),
            )
        self.setAccessibleDescription(words)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(scale(_WIDTH, metrics), scale(_KEY_TICK + 2, metrics) + metrics.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found, metrics = QPainter(self), colours(self.palette()), self.fontMetrics()
        tick, bar = scale(_KEY_TICK, metrics), scale(_BAR, metrics)
        strip = QRect(0, (tick - bar) // 2, self.width(), bar)
        for cell in range(_CELLS):
            left, right = (strip.width() * (cell + end) // _CELLS for end in (0, 1))
            ink = similarity_colour(cell / (_CELLS - 1), found)
            fill(painter, QRect(left, strip.top(), right - left, bar), ink)
        outline(painter, strip, found.line)
        self._paint_figures(painter, found, tick)

    def _paint_figures(self, painter: QPainter, found: Colours, tick: int) -> None:
        """The ends, and between them where groups begin; that one moves aside for neither."""
        painter.setFont(font(TextRole.CAPTION, self.font()))
        painter.setPen(found.second)
        room = QRect(0, tick, self.width(), self.height() - tick)
        metrics = painter.fontMetrics()
        taken = QRect()
        if self._similarity is not None:
            x = round(min(1.0, max(0.0, self._similarity)) * (self.width() - 1))
            fill(painter, QRect(x, 0, 1, tick), found.text)
            words = shown_number(self._similarity, INTERVAL_DECIMALS)
            width = metrics.horizontalAdvance(words) + 2
            left = min(max(0, x - width // 2), self.width() - width)
            taken = QRect(left, room.top(), width, room.height())
            painter.drawText(taken, Qt.AlignmentFlag.AlignCenter, words)
        for words, align in (("0", Qt.AlignmentFlag.AlignLeft), ("1", Qt.AlignmentFlag.AlignRight)):
            width = metrics.horizontalAdvance(words)
            left = 0 if align == Qt.AlignmentFlag.AlignLeft else self.width() - width
            if not QRect(left, room.top(), width, room.height()).intersects(taken):
                painter.drawText(room, align | Qt.AlignmentFlag.AlignVCenter, words)
