"""The What-if tab: the view, what stands in its place without a score, and the foot below it."""

from collections.abc import Iterator

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QScrollBar, QStackedLayout, QWidget
from typing_extensions import override

from kpinspector.app.document import Document
from kpinspector.scoring.formula.assess import Assessment, ScoreRange
from kpinspector.scoring.formula.profiles import Dimension, Profile
from kpinspector.trace.printable import on_one_line
from kpinspector.ui.controls.base import FlatButton, in_column, in_row
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.plain_text import set_tip
from kpinspector.ui.look.theme import colours, scale, sized
from kpinspector.ui.parts.column_page import (
    PADDING,
    TWO_COLUMNS_FROM,
    HintPage,
    SheetScroll,
    TwoColumns,
)
from kpinspector.ui.parts.sections import Divider, SectionTitle
from kpinspector.ui.whatif.whatif_case import Case, Flips
from kpinspector.ui.whatif.whatif_fields import (
    DimensionSliders,
    NoveltyNote,
    RuleChanges,
    TraceChanges,
    WhatIfDo,
    WhatIfWish,
    Wish,
)
from kpinspector.ui.whatif.whatif_results import (
    ScoreCards,
    profile_heads,
    profile_rows,
    profile_table,
)
from kpinspector.words.changes import edit_lines
from kpinspector.words.run import stand_in_words
from kpinspector.words.say import say
from kpinspector.words.sentences import verdict_phrase

_TOP = 12
_GAP = 4
_FOOT_HEIGHT = 43
_ICON_PADDING = 5


class WhatIfView(QWidget):
    """The content of the What-if tab, for a trace that has a score."""

    def __init__(self, wish: Wish) -> None:
        super().__init__()
        self._wish = wish
        self._case: Case | None = None
        self.flips = Flips()
        self.cards = ScoreCards()
        self.sliders = DimensionSliders(wish)
        self.novelty = NoveltyNote(wish)
        self.trace = TraceChanges(wish)
        self.rules = RuleChanges(wish)
        self.profiles = profile_table()
        self._first_line = Divider()
        self._values = _inset(self.sliders, self.novelty, gap=_GAP)
        self._terms = self._make_terms()
        self._columns = TwoColumns(self._values, self._terms)
        parts = (_inset(self.cards), _GAP, self._columns, None)
        in_column(*parts, on=self, margins=(0, _TOP, 0, PADDING // 2))
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self._show_wide(wide=False)
        self.profiles.row_activated.connect(self._on_profile_chosen)

    def _make_terms(self) -> QWidget:
        terms = QWidget()
        note = say("flips: verdicts changed")
        title = SectionTitle(say("All profiles, with these changes"), note)
        parts = (self._first_line, self.trace, Divider(), self.rules, Divider(), title)
        in_column(*map(_inset, parts), self.profiles, on=terms)
        return terms

    def set_case(self, case: Case, *, measuring: bool) -> None:
        """Show a trace and what is tried of it."""
        self._case = case
        for part in (self.cards, self.sliders, self.trace, self.rules):
            part.set_case(case)
        self.novelty.set_case(case, measuring=measuring)
        self._show_profiles()

    def set_flips(self, flips: Flips) -> None:
        """Show how many verdicts of the list other rules would change."""
        self.flips = flips
        self.rules.set_flips(flips)
        self._show_profiles()

    def _show_profiles(self) -> None:
        if self._case is not None:
            self.profiles.set_rows([*profile_rows(self._case, self.flips)], profile_heads())

    def _on_profile_chosen(self, profile: Profile) -> None:
        if self._case is not None:
            self._wish(WhatIfWish(self._case.with_profile(profile), say("Profile")))

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
    in_column(*parts, on=inset, margins=(PADDING, 0, PADDING - SCROLL_BAR_WIDTH, 0), spacing=gap)
    return inset


def case_text(case: Case, flips: Flips) -> str:
    """Every term with whole doubles; one line each, cells divided by tabs."""
    rows: list[tuple[object, ...]] = [
        (say("trace"), case.document.name),
        (say("file"), case.document.path),
        *_scores(case),
        (),
        *_values(case),
        (),
        *_changes(case),
        *_profiles(case, flips),
    ]
    return "".join("\t".join(map(_whole, row)) + "\n" for row in rows)


def _scores(case: Case) -> Iterator[tuple[object, ...]]:
    now, then = case.outcome.now, case.outcome.then
    known, possible = case.document.range, case.outcome.possible
    yield ("", say("now"), say("what if"))
    yield (say("verdict"), _verdict(now, known), _verdict(then, possible))
    if known is possible is None:
        yield (say("score"), now.score, then.score)
        yield (say("threshold"), now.threshold, then.threshold)
        yield (say("margin"), now.margin, then.margin)
    else:
        (low, high), (least, most) = _ends(now, known), _ends(then, possible)
        yield (say("lowest score"), low.score, least.score)
        yield (say("highest score"), high.score, most.score)
        yield (say("threshold"), now.threshold, then.threshold)
        yield (say("stands in"), stand_in_words(case.measured.measurement.facts, case.scenario))
    yield (say("profile"), now.profile.name, then.profile.name)
    for before, after in zip(now.overrides, then.overrides, strict=True):
        fired = (say("yes") if one.applied else say("no") for one in (before, after))
        yield (before.rule, *fired)


def _values(case: Case) -> Iterator[tuple[object, ...]]:
    yield (
        say("dimension"),
        say("now"),
        say("what if"),
        say("weight"),
        say("adds"),
        say("needed alone"),
    )
    needed = case.needed
    for term in case.outcome.then.contributions:
        alone = needed[term.dimension]
        yield (
            term.dimension,
            case.now.of(term.dimension),
            term.value,
            term.weight,
            term.part,
            say("not enough alone") if alone is None else alone,
        )
    held = say("held") if case.outcome.novelty_held else say("as measured")
    if case.scenario.value_of(Dimension.NOVELTY) is not None:
        held = say("set by hand")
    elif case.measured_again:
        held = say("measured again")
    yield (say("novelty"), say("assumed") if case.assumed else held)


def _changes(case: Case) -> Iterator[tuple[object, ...]]:
    scenario = case.scenario
    if scenario.confidence is not None:
        yield (say("confidence"), scenario.confidence)
    if scenario.success is not None:
        yield (say("success"), say("yes") if scenario.success else say("no"))
    for line in edit_lines(scenario, case.trace):
        yield (say("step"), line.text)


def _profiles(case: Case, flips: Flips) -> Iterator[tuple[object, ...]]:
    yield (say("profile"), say("verdict"), say("score"), say("margin"), say("flips"))
    for one, possible in case.profiles:
        found = flips.with_tried(one, possible, case)
        shown = "" if found is None else found[0]
        low, high = _ends(one, possible)
        scores, margins = _whole_ends(low.score, high.score), _whole_ends(low.margin, high.margin)
        yield (one.profile.name, _verdict(one, possible), scores, margins, shown)


def _whole_ends(low: float, high: float) -> float | str:
    return low if low == high else say("{low} to {high}", low=repr(low), high=repr(high))


def _verdict(judged: Assessment, possible: ScoreRange | None) -> str:
    verdict = judged.verdict if possible is None else possible.outcome
    return verdict_phrase(verdict)


def _ends(judged: Assessment, possible: ScoreRange | None) -> tuple[Assessment, Assessment]:
    return (judged, judged) if possible is None else (possible.low, possible.high)


def _whole(cell: object) -> str:
    return repr(cell) if isinstance(cell, float) else on_one_line(str(cell))


class WhatIfPage(QWidget):
    """Shows a case, or says what will be shown here."""

    wished = Signal(object)
    """A `WhatIfWish` or a `WhatIfDo`."""

    def __init__(self) -> None:
        super().__init__()
        self.view = WhatIfView(self.wished.emit)
        self.foot = WhatIfFoot(self.wished.emit)
        self._hint = HintPage(padding=PADDING)
        self._scroll = SheetScroll(self.view, steady=True)
        self._scroll.setAccessibleName(say("What-if"))
        whole = QWidget()
        in_column((self._scroll, 1), Divider(0), self.foot, on=whole)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._hint)
        self._pages.addWidget(whole)
        self._case: Case | None = None
        self.set_case(None, None)

    def set_case(
        self, document: Document | None, case: Case | None, *, measuring: bool = False
    ) -> None:
        """Show what is tried of a document; without a case it has no score."""
        self._case = case
        self._pages.setCurrentIndex(0 if case is None else 1)
        if case is None:
            self._hint.set_sentence(self._words(document))
        else:
            self.view.set_case(case, measuring=measuring)

    def text(self) -> str:
        """The what-if and its result as text; empty where nothing can be tried."""
        return "" if self._case is None else case_text(self._case, self.view.flips)

    def scroll_bar(self) -> QScrollBar:
        """The one beside the view."""
        return self._scroll.verticalScrollBar()

    def _words(self, document: Document | None) -> str:
        if document is None:
            return say("Choose a trace to try what would change its score.")
        if document.record is None:
            return say(
                "There is no trace in this row. Of a trace that has a score, values, steps and"
                " rules could be tried here."
            )
        return say(
            "Novelty is still to be measured. As soon as the score is known, values, steps and"
            " rules can be tried here."
        )


class WhatIfFoot(QWidget):
    """Undo, redo and reset of what is tried."""

    def __init__(self, wish: Wish) -> None:
        super().__init__()
        self.undo = FlatButton(IconName.UNDO, name=say("Undo"))
        self.redo = FlatButton(IconName.REDO, name=say("Redo"))
        self.reset = FlatButton(IconName.RELOAD, say("Reset"))
        self.undo.clicked.connect(lambda: wish(WhatIfDo.UNDO))
        self.redo.clicked.connect(lambda: wish(WhatIfDo.REDO))
        margins = (PADDING - _ICON_PADDING, 0, PADDING, 0)
        in_row(self.undo, self.redo, self.reset, None, on=self, margins=margins, spacing=4)
        sized(self, QWidget.setMinimumHeight, _FOOT_HEIGHT)

    def follow(self, reset: QAction) -> None:
        """Let the button do what the action does, while it is enabled."""
        self.reset.clicked.connect(reset.trigger)
        reset.enabledChanged.connect(self.reset.setEnabled)
        self.reset.setEnabled(reset.isEnabled())

    def set_ways(self, undo: str, redo: str) -> None:
        """Say in the tooltips what would be undone and done again."""
        for button, start, words in (
            (self.undo, say("Undo"), undo),
            (self.redo, say("Redo"), redo),
        ):
            button.setEnabled(bool(words))
            whole = say("{command}: {what}", command=start, what=words) if words else start
            set_tip(button, whole)
            button.setAccessibleName(whole)
