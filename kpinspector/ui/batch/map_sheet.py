"""The sheet of the similarity map of all open traces, with its table and the pair pointed at."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QStackedWidget, QWidget

from kpinspector.app.batches import BatchPicture
from kpinspector.batch.groups import FIRST_SIMILARITY
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.batch import Sheet, trace_cells
from kpinspector.ui.batch.similarity_map import (
    OTHER_TICK,
    RING_ROOM,
    SHORT_TICK,
    TICK,
    Pair,
    Pairs,
    SimilarityMap,
    pairs_of,
    similarity_colour,
    tick_ink,
    tick_of,
)
from kpinspector.ui.controls.base import (
    Drawing,
    FlatButton,
    Label,
    PushButton,
    in_column,
    in_row,
    in_stack,
)
from kpinspector.ui.controls.fields import UNITS, ComboBox, DimensionSlider, ShareField
from kpinspector.ui.look.marks import IconName, fill, outline
from kpinspector.ui.look.painting import LEFT, RIGHT
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import Colours, TextRole, font, scale, sized
from kpinspector.ui.panes import Do, Tell, Wish
from kpinspector.ui.parts.sections import PADDING, HintPage, WrappedLabel
from kpinspector.ui.tables.figure_model import (
    CellBar,
    FigureCell,
    Head,
    Row,
    figure,
    note,
    word_head,
)
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable, Stops, fitting
from kpinspector.ui.traces.trace_row import TraceRow
from kpinspector.words.figures import (
    INTERVAL_DECIMALS,
    UNKNOWN,
    shown_count,
    shown_number,
    shown_short,
)
from kpinspector.words.say import say

_GAP = 12
_SLIDER = 132
_NARROW_GAP = 6
_KEY_WIDTH = 135
_KEY_HEIGHT = 28
_TOP = 8
_ROW_GAP = 8
_BAR = 8
_CELLS = 15
_KEY_TICK = 12
_SIGN = 10
_ROW_HEIGHT, _TWO_LINES = 26, 40
_PAIR_COLUMNS = (ColumnWidth(22), ColumnWidth(80, stretch=True), *fitting(58, 50, 58))


class MapSheet(Sheet):
    """How similar the traces are: a map of all pairs, or a table of the pairs of one trace."""

    def __init__(self, wish: Tell) -> None:
        super().__init__(say("Similarity map"))
        self._wish = wish
        self._slider = DimensionSlider(Dimension.NOVELTY, say("Groups at"))
        self._slider.setTracking(False)
        self._field = ShareField(say("Groups at, value"))
        self._as_table = FlatButton(text=say("Table"))
        self._as_table.setCheckable(True)
        self._as_table.setToolTip(say("Show the pairs of one trace as a table"))
        self._map = SimilarityMap(wish)
        self._page = PairPage(self._map)
        self._pane = PairPane(self._map)
        self._key = MapKey()
        self._views = QStackedWidget()
        self._hint = HintPage(padding=PADDING)
        self._lay_out()
        self._show_similarity(FIRST_SIMILARITY)
        self._slider.sliderMoved.connect(lambda units: self._field.show_value(units / UNITS))
        self._slider.valueChanged.connect(lambda units: self._choose_similarity(units / UNITS))
        self._field.valueChanged.connect(self._choose_similarity)
        self._as_table.toggled.connect(self._on_table_toggled)
        self.show_picture(None)

    def _lay_out(self) -> None:
        self.header.setSpacing(_GAP)
        self.header.insertWidget(1, self._as_table)
        for part in (Label(say("Groups at"), second=True), self._slider, self._field):
            self.header.addWidget(part)
        sized(self._slider, QWidget.setFixedWidth, _SLIDER)
        for view in (self._map, self._page):
            self._views.addWidget(view)
        body = QWidget()
        beside = in_column((self._pane, 1), self._key, spacing=_GAP)
        margins = (_GAP, 2, PADDING, _GAP)
        in_row((self._views, 1), beside, on=body, margins=margins, spacing=_GAP - RING_ROOM)
        self._pages = in_stack(self.column, self._hint, body)

    def show_picture(self, picture: BatchPicture | None) -> None:
        """Show the pairs of a picture; a marked pair stays marked, no group is chosen."""
        self.set_group(None)
        pairs = pairs_of(picture)
        several = pairs is not None and pairs.count > 1
        if pairs is not None:
            self._show_similarity(pairs.grouped.similarity)
        for part in (self._slider, self._field, self._as_table):
            part.setEnabled(several)
        self._hint.set_sentence(
            say("One trace alone has no pairs. Open more to see how similar they are.")
            if pairs is not None and pairs.count
            else say("The map is shown once all open traces are compared with each other.")
        )
        self._pages.setCurrentIndex(int(several))
        shown = pairs if several else None
        self._key.show_pairs(shown)
        self._map.set_pairs(shown)
        self._on_table_toggled(self._as_table.isChecked())

    def set_group(self, group: int | None) -> None:
        """Outline the chosen group; None for none."""
        self._map.set_group(group)

    def _show_similarity(self, similarity: float) -> None:
        with QSignalBlocker(self._slider):
            self._slider.setValue(round(similarity * UNITS))
        self._field.show_value(similarity)

    def _choose_similarity(self, similarity: float) -> None:
        self._show_similarity(similarity)
        self._wish(Wish(Do.LINK_AT, similarity))

    def _on_table_toggled(self, shown: bool) -> None:  # noqa: FBT001
        self._views.setCurrentIndex(int(shown))
        if shown and self._map.pairs is not None:
            self._page.show_marked(self._map.pairs)


class PairPage(QWidget):
    """A table of the pairs of one trace, which is chosen in a list; the map marks the same pair."""

    def __init__(self, marked_on: SimilarityMap) -> None:
        super().__init__()
        self._map = marked_on
        self._pairs: Pairs | None = None
        self._trace = ComboBox(say("Pairs of"))
        figures = (say("Score"), say("Group of"), say("Similarity"))
        heads = (word_head(say("Trace")), *(word_head(one, figure=True) for one in figures))
        name, ways, stops = say("Pairs of the trace"), ({3}, {3, 2}), Stops.CHOSEN
        self.table = FigureTable(_PAIR_COLUMNS, ways, name=name, stops=stops)
        self.table.scroll_by_itself()
        self.table.set_rows((), (Head(""), *heads))
        self.table.menu_of = lambda _: marked_on.menu()
        label = Label(say("Pairs of"), second=True, buddy=self._trace)
        choice = in_row(label, self._trace, None, margins=None, spacing=_NARROW_GAP)
        in_column(choice, (self.table, 1), on=self, margins=(4, 2, 0, 0), spacing=None)
        self._trace.activated.connect(self._show_trace)
        self.table.chosen_changed.connect(lambda: marked_on.mark(self.table.chosen))
        self.table.row_activated.connect(marked_on.compare)

    def show_marked(self, pairs: Pairs) -> None:
        """Choose the marked pair, or the most similar one of its first trace if it has no row."""
        pair, shown = self._map.marked, self._trace.currentIndex()
        if pairs is self._pairs and pair is not None and pair.one == shown != pair.other:
            self.table.choose(pair)
            return
        self.table.chosen = pair
        if pairs is not self._pairs:
            self._pairs = pairs
            self._trace.clear()
            self._trace.addItems([pairs.name(one) for one in range(pairs.count)])
        self._show_trace(0 if pair is None else pair.one)

    def _show_trace(self, first: int) -> None:
        """Show the pairs of a trace; choose the most similar if the chosen one is not there."""
        pairs = self._pairs
        if pairs is None:
            return
        self._trace.setCurrentIndex(first)
        similar = pairs.grouped.batch.similarities[first].tolist()
        others = (Pair(first, other) for other in pairs.picture.order if other != first)
        rows, picture = [], pairs.picture
        for pair in sorted(others, key=lambda pair: -similar[pair.other]):
            trace = TraceRow(picture.documents[pair.other], picture.names[pair.other])
            group, similarity = pairs.shared_group(pair), pairs.similarity(pair)
            size = UNKNOWN if group is None else shown_count(pairs.size_of(group))
            alike = figure(shown_number(similarity), similarity)
            cells = (*trace_cells(trace), figure(trace.score_text), figure(size), alike)
            rows.append(Row(cells, _ROW_HEIGHT, wish=pair))
        self.table.set_rows(rows)


class PairPane(QWidget):
    """The pair of traces that the map points at, one below the other, and their similarity."""

    def __init__(self, pointed_on: SimilarityMap) -> None:
        super().__init__()
        self._map = pointed_on
        columns = (ColumnWidth(20), ColumnWidth(40, stretch=True), *fitting(40))
        self._facts = FigureTable(columns, name=say("Pair pointed at"), head_height=0)
        self._hint = WrappedLabel(
            say("Point at a cell, or go there with the arrow keys."), second=True
        )
        self._compare = PushButton(say("Compare"), icon=IconName.COMPARE)
        self._known = QWidget()
        in_column(self._facts, self._compare, on=self._known, spacing=_ROW_GAP)
        title = Label(say("Pair pointed at"), TextRole.HEADING)
        whole = (title, self._hint, self._known, None)
        in_column(*whole, on=self, margins=(0, _TOP, 0, 0), spacing=_ROW_GAP)
        self._compare.clicked.connect(pointed_on.compare)
        pointed_on.pointed_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        pairs, pair = self._map.pairs, self._map.pointed
        self._known.setVisible(pair is not None)
        self._hint.setVisible(pair is None)
        if pair is None or pairs is None:
            return
        rows, similarity = [], pairs.similarity(pair)
        for one in pair:
            trace = TraceRow(pairs.picture.documents[one], pairs.picture.names[one])
            mark, name = trace_cells(trace)
            name = replace(name, below=FigureCell(trace.score_text), span=2)
            rows.append(Row((replace(mark, below=FigureCell()), name), _TWO_LINES))
        shown = figure(shown_number(similarity), similarity, TextRole.PANE)
        bar = FigureCell(bar=CellBar(min(1.0, max(0.0, similarity)), Dimension.NOVELTY), span=3)
        rows.append(Row((FigureCell(say("Similarity"), span=2), shown), _ROW_HEIGHT))
        rows.append(Row((bar,), 2 * _BAR))
        rows.append(Row((note(pairs.place_words(pair), span=3),), _ROW_HEIGHT))
        self._facts.set_rows(rows)
        same = pair.one == pair.other
        self._compare.setEnabled(not same)
        why = say("A trace is not compared with itself.") if same else ""
        self._compare.setToolTip(plain_tooltip(why))
        self._compare.setAccessibleDescription(why)


class MapKey(QWidget):
    """The key of the map: colours of similarities, marks of states, the outline of groups."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._ramp = Drawing(QSize(_KEY_WIDTH, _KEY_HEIGHT), partial(_paint_ramp, None))
        self._ramp.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        self._ramp.setAccessibleName(say("Colours of similarities"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(_NARROW_GAP)
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
        title = Label(say("How to read it"), TextRole.HEADING)
        in_column(title, self._ramp, grid, on=self, spacing=_NARROW_GAP)

    def show_pairs(self, pairs: Pairs | None) -> None:
        """Show the similarity that links groups; explain other states only if there are any."""
        similarity = None if pairs is None else pairs.grouped.similarity
        words = say("From the sheet's colour at 0 to that of novelty at 1.")
        if similarity is not None:
            words = say(
                "From the sheet's colour at 0 to that of novelty at 1. Groups at {similarity}.",
                similarity=shown_short(similarity),
            )
        self._ramp.setAccessibleDescription(words)
        self._ramp.draw(partial(_paint_ramp, similarity))
        documents = () if pairs is None else pairs.picture.documents
        other = any(tick_of(one.state) == OTHER_TICK for one in documents)
        for part in self._other:
            part.setVisible(other)


def _paint_sign(tick: int | None, painter: QPainter, rect: QRect, found: Colours) -> None:
    """Paint the tick of a state as on the map; for None the outline of a group."""
    if tick is None:
        side = rect.width()
        outline(painter, QRect(0, (rect.height() - side) // 2, side, side), found.text)
        return
    width = rect.width() * tick // _SIGN
    fill(painter, QRect(0, rect.height() // 2 - 1, width, 2), tick_ink(tick, found))


def _paint_ramp(similarity: float | None, painter: QPainter, rect: QRect, found: Colours) -> None:
    """Paint the colours of similarities in cells, with a line and a figure where groups begin."""
    metrics = painter.fontMetrics()
    tick, bar = scale(_KEY_TICK, metrics), scale(_BAR, metrics)
    strip = QRect(0, (tick - bar) // 2, rect.width(), bar)
    for cell in range(_CELLS):
        left, right = (strip.width() * (cell + end) // _CELLS for end in (0, 1))
        ink = similarity_colour(cell / (_CELLS - 1), found)
        fill(painter, QRect(left, strip.top(), right - left, bar), ink)
    outline(painter, strip, found.line)
    painter.setFont(font(TextRole.CAPTION, painter.font()))
    painter.setPen(found.second)
    metrics, taken = painter.fontMetrics(), QRect()
    below = QRect(0, tick, rect.width(), rect.height() - tick)
    if similarity is not None:
        x = round(min(1.0, max(0.0, similarity)) * (rect.width() - 1))
        fill(painter, QRect(x, 0, 1, tick), found.text)
        words = shown_number(similarity, INTERVAL_DECIMALS)
        width = metrics.horizontalAdvance(words) + 2
        left = min(max(0, x - width // 2), rect.width() - width)
        taken = QRect(left, below.top(), width, below.height())
        painter.drawText(taken, Qt.AlignmentFlag.AlignCenter, words)
    for words, align in (("0", LEFT), ("1", RIGHT)):
        place = painter.boundingRect(below, align, words)
        if not place.intersects(taken):
            painter.drawText(below, align, words)
