"""What-if: the score now and then, what is tried of a trace, and what the profiles make of it."""

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.profiles import Profile
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.theme import colours, scale
from kpinspector.ui.parts.column_page import PADDING, TWO_COLUMNS_FROM
from kpinspector.ui.parts.sections import Divider, SectionTitle
from kpinspector.ui.parts.sheet_scroll import TwoColumns
from kpinspector.ui.whatif.profile_table import ProfileTable
from kpinspector.ui.whatif.whatif_cards import ScoreCards
from kpinspector.ui.whatif.whatif_case import Case, Flips
from kpinspector.ui.whatif.whatif_rules import RuleChanges
from kpinspector.ui.whatif.whatif_sliders import DimensionSliders
from kpinspector.ui.whatif.whatif_trace import NoveltyNote, TraceChanges
from kpinspector.words.say import say

_TOP = 12
_GAP = 4


class WhatIfView(QWidget):
    """The content of the What-if tab, for a trace that has a score."""

    scenario_wanted = Signal(object, str, str)
    """The scenario, what was changed in words, and by what key it is one change with more."""

    def __init__(self) -> None:
        super().__init__()
        self._case: Case | None = None
        self._flips = Flips()
        self.cards = ScoreCards()
        self.sliders = DimensionSliders()
        self.novelty = NoveltyNote()
        self.trace = TraceChanges()
        self.rules = RuleChanges()
        self.profiles = ProfileTable()
        self._first_line = Divider()
        self._values = _inset(self.sliders, self.novelty, gap=_GAP)
        self._terms = self._make_terms()
        self._columns = TwoColumns(self._values, self._terms)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, _TOP, 0, PADDING // 2)
        layout.setSpacing(0)
        layout.addWidget(_inset(self.cards))
        layout.addSpacing(_GAP)
        layout.addLayout(self._columns)
        layout.addStretch(1)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self._show_wide(wide=False)
        self.profiles.row_activated.connect(self._on_profile_chosen)

    def _make_terms(self) -> QWidget:
        terms = QWidget()
        layout = QVBoxLayout(terms)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        note = say("flips: verdicts changed")
        title = SectionTitle(say("All profiles, with these changes"), note)
        parts = (self._first_line, self.trace, Divider(), self.rules, Divider(), title)
        for part in parts:
            layout.addWidget(_inset(part))
        layout.addWidget(self.profiles)
        return terms

    def set_case(self, case: Case, *, measuring: bool) -> None:
        """Show a trace and what is tried of it."""
        self._case = case
        for part in (self.cards, self.sliders, self.trace, self.rules):
            part.set_case(case)
        self.novelty.set_case(case, measuring=measuring)
        self.profiles.set_case(case, self._flips)

    def set_flips(self, flips: Flips) -> None:
        """Show how many verdicts of the list other rules would change."""
        self._flips = flips
        self.rules.set_flips(flips)
        if self._case is not None:
            self.profiles.set_case(self._case, flips)

    @property
    def flips(self) -> Flips:
        """How many verdicts of the list other rules would change."""
        return self._flips

    def _on_profile_chosen(self, profile: Profile) -> None:
        if self._case is not None:
            scenario = self._case.with_profile(profile)
            self.scenario_wanted.emit(scenario, say("Profile"), "")

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._columns.wide:
            place = self._terms.geometry().topLeft()
            line = QRect(place.x() - 1, place.y(), 1, self.height() - place.y())
            fill(QPainter(self), line, colours(self.palette()).line)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= scale(TWO_COLUMNS_FROM, self.fontMetrics())
        if self._columns.set_wide(wide=wide):
            self._show_wide(wide=wide)

    def _show_wide(self, *, wide: bool) -> None:
        self._first_line.setVisible(not wide)
        layout = self._values.layout()
        if layout is not None:
            right = PADDING if wide else PADDING - SCROLL_BAR_WIDTH
            layout.setContentsMargins(PADDING, 0, right, 0)


def _inset(*parts: QWidget, gap: int = 0) -> QWidget:
    """Parts of the page between its side paddings; a table of its own reaches over them."""
    inset = QWidget()
    layout = QVBoxLayout(inset)
    layout.setContentsMargins(PADDING, 0, PADDING - SCROLL_BAR_WIDTH, 0)
    layout.setSpacing(gap)
    for part in parts:
        layout.addWidget(part)
    return inset
