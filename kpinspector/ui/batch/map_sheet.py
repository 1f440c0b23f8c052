"""The similarity map of all open traces, with the pair that it points at and its table."""

from functools import partial

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QMenu, QStackedWidget, QWidget

from kpinspector.app.batches import BatchPicture
from kpinspector.batch.groups import FIRST_SIMILARITY
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.batch.map_painting import RING_ROOM
from kpinspector.ui.batch.pair_pane import MapKey, PairPane
from kpinspector.ui.batch.pair_table import PairPage
from kpinspector.ui.batch.pairs import Pair, Pairs, pairs_of
from kpinspector.ui.batch.sheet import SIDE, Sheet
from kpinspector.ui.batch.similarity_map import SimilarityMap
from kpinspector.ui.controls.base import FlatButton, Label
from kpinspector.ui.controls.slider import UNITS, DimensionSlider
from kpinspector.ui.look.theme import sized
from kpinspector.ui.parts.hint_page import HintPage
from kpinspector.ui.whatif.whatif_fields import ShareField
from kpinspector.words.say import say

_GAP = 12
_SLIDER = 132


class MapSheet(Sheet):
    """How similar all pairs are: a map, or a table of the pairs of one trace."""

    similarity_chosen = Signal(float)
    """The similarity at which traces are in one group."""
    trace_chosen = Signal(object)
    compare_wanted = Signal(object, object)
    """Two different traces, by their indices in the picture."""
    selection_wanted = Signal(object)
    """The indices of two different traces."""
    keep_wanted = Signal(object, bool)
    """An index, and whether it is to be in the plan."""
    leave_out_wanted = Signal(object, bool)
    """An index, and whether it may not be in the plan."""
    group_chosen = Signal(object)
    """The group that both traces of a pair are in; None where the chosen one is let go."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Similarity map"), parent)
        self._pairs: Pairs | None = None
        self._chosen: int | None = None
        self._slider = DimensionSlider(Dimension.NOVELTY, say("Groups at"))
        self._slider.setTracking(False)
        self._field = ShareField(say("Groups at, value"))
        self._as_table = FlatButton(text=say("Table"))
        self._as_table.setCheckable(True)
        self._as_table.setToolTip(say("Show the pairs of one trace as a table"))
        self._map = SimilarityMap()
        self._page = PairPage()
        self._pane = PairPane()
        self._key = MapKey()
        self._views = QStackedWidget()
        self._hint = HintPage(padding=SIDE)
        self._lay_out()
        self._show_similarity(FIRST_SIMILARITY)
        self._connect()
        self.set_picture(None)

    def _lay_out(self) -> None:
        self.header.setSpacing(_GAP)
        self.header.insertWidget(1, self._as_table)
        for part in (Label(say("Groups at"), second=True), self._slider, self._field):
            self.header.addWidget(part)
        sized(self._slider, QWidget.setFixedWidth, _SLIDER)
        for view in (self._map, self._page):
            self._views.addWidget(view)
        body = QWidget()
        self._body = QGridLayout(body)
        self._body.setContentsMargins(_GAP, 2, SIDE, _GAP)
        self._body.setHorizontalSpacing(_GAP - RING_ROOM)
        self._body.setVerticalSpacing(_GAP)
        self._body.setColumnStretch(0, 1)
        self._body.setRowStretch(0, 1)
        self.set_narrow(narrow=False)
        self._pages = self.stack(self._hint, body)

    def _connect(self) -> None:
        self._slider.sliderMoved.connect(self._on_slider_moved)
        self._slider.valueChanged.connect(self._on_slider_changed)
        self._field.valueChanged.connect(self._choose_similarity)
        self._as_table.toggled.connect(self._on_table_toggled)
        self._map.pair_pointed.connect(self._pane.set_pair)
        self._map.pair_marked.connect(self._on_pair_marked)
        self._map.let_go.connect(self._on_let_go)
        self._page.pair_chosen.connect(self._map.mark)
        for part in (self._map, self._page, self._pane):
            part.compare_wanted.connect(self._on_compare)
        for view in (self._map, self._page):
            view.menu_wanted.connect(self._show_menu)

    def set_picture(self, picture: BatchPicture | None) -> None:
        """Show the pairs of a picture; a marked pair stays marked, no group is chosen."""
        self.set_group(None)
        self._pairs = pairs = pairs_of(picture)
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
        self._pane.set_pairs(shown)
        self._key.set_pairs(shown)
        self._page.set_pairs(shown)
        self._map.set_pairs(shown)
        self._show_marked()

    def set_group(self, group: int | None) -> None:
        """Outline the chosen group."""
        self._chosen = group
        self._map.set_chosen(group)

    def set_narrow(self, *, narrow: bool) -> None:
        """Put the pair under the map, or at its right; the key stays there."""
        body, bottom = self._body, Qt.AlignmentFlag.AlignBottom
        body.addWidget(self._views, 0, 0, 1 if narrow else 2, 1)
        body.addWidget(self._pane, 1 if narrow else 0, 0 if narrow else 1, 1, 2 if narrow else 1)
        body.addWidget(self._key, 0 if narrow else 1, 1, bottom)
        self._pane.set_below(below=narrow)

    # the similarity of groups

    def _show_similarity(self, similarity: float) -> None:
        with QSignalBlocker(self._slider):
            self._slider.setValue(round(similarity * UNITS))
        self._field.show_value(similarity)

    def _on_slider_moved(self, units: int) -> None:
        self._field.show_value(units / UNITS)

    def _on_slider_changed(self, units: int) -> None:
        self._choose_similarity(units / UNITS)

    def _choose_similarity(self, similarity: float) -> None:
        self._show_similarity(similarity)
        self.similarity_chosen.emit(similarity)

    # pairs

    def _on_table_toggled(self, shown: bool) -> None:  # noqa: FBT001
        self._views.setCurrentWidget(self._page if shown else self._map)
        self._show_marked()

    def _show_marked(self) -> None:
        """Bring the table to the marked pair."""
        if self._map.marked is not None and self._as_table.isChecked():
            self._page.show_pair(self._map.marked)

    def _on_pair_marked(self, pair: Pair) -> None:
        group = None if self._pairs is None else self._pairs.shared_group(pair)
        if group != self._chosen:
            self.set_group(group)
            self.group_chosen.emit(group)

    def _on_let_go(self) -> None:
        self.set_group(None)
        self.group_chosen.emit(None)

    def _on_compare(self) -> None:
        pair = self._map.marked
        if pair is not None and pair.one != pair.other:
            self.compare_wanted.emit(*pair)

    def _show_menu(self, place: QPoint) -> None:
        """What can be done with the marked pair."""
        pair, pairs = self._map.marked, self._pairs
        if pair is None or pairs is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        both = (
            menu.addAction(say("Compare"), self._on_compare),
            menu.addAction(say("Select Both"), partial(self.selection_wanted.emit, tuple(pair))),
        )
        for action in both:
            action.setEnabled(pair.one != pair.other)
        for trace in dict.fromkeys(pair):
            name = pairs.name(trace).replace("&", "&&")
            menu.addSeparator()
            menu.addAction(say("Show {name}", name=name), partial(self.trace_chosen.emit, trace))
            menu.addAction(
                say("Keep {name} in the Plan", name=name),
                partial(self.keep_wanted.emit, trace, True),
            )
            menu.addAction(
                say("Leave {name} out of the Plan", name=name),
                partial(self.leave_out_wanted.emit, trace, True),
            )
        menu.popup(place)
