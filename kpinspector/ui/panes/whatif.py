"""The What-if tab: what can be tried, and the score and all profiles that follow from it."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.app.document import Document
from kpinspector.scoring.formula.assess import ScoreRange
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension, Profile
from kpinspector.ui.controls.base import Drawing, FlatButton, fill_box, in_column, in_row, paint_box
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.marks import (
    STATE_SIZE,
    IconName,
    aligned,
    fill,
    paint_hatch,
    paint_icon,
    paint_state,
    paint_threshold,
    span,
)
from kpinspector.ui.look.painting import LEFT, RIGHT, band
from kpinspector.ui.look.plain_text import plain_tooltip, set_tip
from kpinspector.ui.look.theme import Colours, TextRole, follow_zoom, font, scale, sized
from kpinspector.ui.panes import Do, Tell, Wish
from kpinspector.ui.panes.whatif_case import Case, Flips, case_text, margin_words
from kpinspector.ui.panes.whatif_fields import (
    DimensionSliders,
    NoveltyNote,
    RuleChanges,
    TraceChanges,
)
from kpinspector.ui.parts.sections import PADDING, ColumnPage, Divider, SectionTitle, SheetScroll
from kpinspector.ui.tables.figure_model import CellMark, FigureCell, Head, Row, figure, note
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.changes import profile_word
from kpinspector.words.figures import (
    UNKNOWN,
    shown_count,
    shown_difference,
    shown_range_sum,
    waterfall,
)
from kpinspector.words.run import ShownOutcome, shown_outcome, stand_in_words
from kpinspector.words.say import say
from kpinspector.words.sentences import RULE_NAMES, RULE_WORDS

_PAGE_TOP = 12
_SMALL_GAP = 4
_FOOT_HEIGHT = 43
_ICON_PADDING = 5
_GAP = 8
_RADIUS = 8
_PADDING = 12
_TOP = 8
_ARROW = 16
_HEIGHT = 64
_EDGE = 2.0
_MINUS = "\N{MINUS SIGN}"
_RIGHT = PADDING - SCROLL_BAR_WIDTH
_ROW_HEIGHT = 28
_SUM_HEIGHT = 22
_USUAL_LENGTH = 8
_BAR_HEIGHT = 8


class WhatIfView(ColumnPage):
    """The content of the What-if tab: a case, or a hint what it would show."""

    def __init__(self, wish: Tell) -> None:
        self.cards, self._head = ScoreCards(), QWidget()
        margins = (PADDING, _PAGE_TOP, _RIGHT, _SMALL_GAP)
        in_column(self.cards, on=self._head, margins=margins)
        super().__init__(self._head, gap=0)
        self._wish = wish
        self.case: Case | None = None
        self.flips = Flips()
        self.sliders, self.novelty = DimensionSliders(wish), NoveltyNote(wish)
        self.trace, self.rules = TraceChanges(wish), RuleChanges(wish)
        self.profiles = profile_table()
        self.profiles.row_activated.connect(self._on_profile_chosen)
        self._first_line = Divider()
        fill_box(self.first.parts, self.sliders, self.novelty)
        self.first.parts.setSpacing(_SMALL_GAP)
        title = SectionTitle(
            say("All profiles, with these changes"),
            say("flips: verdicts changed"),
            tip=say("What each profile makes of the trace as it is tried; choose one to use it"),
        )
        terms = (self._first_line, self.trace, Divider(), self.rules, Divider(), title)
        # the table has paddings of its own
        inset = in_column(*terms, margins=(PADDING, 0, _RIGHT, 0))
        fill_box(self.second.parts, inset, self.profiles)
        self.rearrange()

    def set_case(self, document: Document | None, case: Case | None, *, measuring: bool) -> None:
        """Show a trace and its what-if; ``case`` is None if the trace has no score."""
        self.case = case
        self.show_hint("" if case else _why_nothing(document))
        self._head.setVisible(case is not None)
        if case is not None:
            for part in (self.cards, self.sliders, self.trace, self.rules):
                part.set_case(case)
            self.novelty.set_case(case, measuring=measuring)
            self._show_profiles()

    def set_flips(self, flips: Flips) -> None:
        """Show how many verdicts in the list other rules would change."""
        self.flips = flips
        self.rules.set_flips(flips)
        self._show_profiles()

    def _show_profiles(self) -> None:
        if self.case is not None:
            self.profiles.set_rows([*profile_rows(self.case, self.flips)], profile_heads())

    def _on_profile_chosen(self, profile: Profile) -> None:
        if self.case is not None:
            self._wish(Wish(Do.TRY, self.case.with_profile(profile), say("Profile")))

    @override
    def rearrange(self) -> None:
        self._first_line.setVisible(not self.wide)
        right = PADDING if self.wide else _RIGHT
        self.first.parts.setContentsMargins(PADDING, 0, right, 0)


class WhatIfPage(QWidget):
    """The What-if tab: its content, above the buttons Undo, Redo and Reset."""

    wished = Signal(object)
    """A `Wish`."""

    def __init__(self) -> None:
        super().__init__()
        self.view = WhatIfView(self.wished.emit)
        self.undo = FlatButton(IconName.UNDO, name=say("Undo"))
        self.redo = FlatButton(IconName.REDO, name=say("Redo"))
        self.reset = FlatButton(IconName.RELOAD, say("Reset"))
        self.undo.clicked.connect(lambda: self.wished.emit(Wish(Do.UNDO)))
        self.redo.clicked.connect(lambda: self.wished.emit(Wish(Do.REDO)))
        self.sheet = SheetScroll(self.view, steady=True)
        self.sheet.setAccessibleName(say("What-if"))
        foot, margins = QWidget(), (PADDING - _ICON_PADDING, 0, PADDING, 0)
        in_row(self.undo, self.redo, self.reset, None, on=foot, margins=margins, spacing=4)
        sized(foot, QWidget.setMinimumHeight, _FOOT_HEIGHT)
        self._foot = QWidget()
        in_column(Divider(0), foot, on=self._foot)
        in_column((self.sheet, 1), self._foot, on=self)
        self.set_case(None, None)

    def set_case(
        self, document: Document | None, case: Case | None, *, measuring: bool = False
    ) -> None:
        """Show the what-if of a document; ``case`` is None if it has no score."""
        self.view.set_case(document, case, measuring=measuring)
        self._foot.setVisible(case is not None)

    def set_ways(self, undo: str, redo: str) -> None:
        """Name the changes that Undo and Redo would work on; "" disables the button."""
        for button, start, words in (
            (self.undo, say("Undo"), undo),
            (self.redo, say("Redo"), redo),
        ):
            button.setEnabled(bool(words))
            whole = say("{command}: {what}", command=start, what=words) if words else start
            set_tip(button, whole)
            button.setAccessibleName(whole)

    def text(self) -> str:
        """The what-if and its result as text; "" if nothing can be tried."""
        return "" if self.view.case is None else case_text(self.view.case, self.view.flips)


def _why_nothing(document: Document | None) -> str:
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


class _Shown(NamedTuple):
    """What a card shows; ``note`` is the text in its upper right corner."""

    one: ShownOutcome
    note: str
    assumed: bool


class ScoreCards(QWidget):
    """Two cards, the score now and in the what-if; below them the margin and overrides that change.

    The texts change with every move of a slider; they are painted, so that no layout is needed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.now, self.then = _painted(_HEIGHT, say("Now")), _painted(_HEIGHT, say("What if"))
        self.line, self.stand_in = _painted(), _painted()
        for line in (self.line, self.stand_in):
            follow_zoom(line, lambda one: one.setFixedHeight(_metrics(TextRole.CAPTION).height()))
        arrow = Drawing(QSize(_ARROW, 1), _paint_arrow, grows=True)
        cards = in_row((self.now, 1), arrow, (self.then, 1), margins=None, spacing=_GAP)
        in_column(cards, self.stand_in, self.line, on=self, spacing=_GAP // 2)

    def set_case(self, case: Case) -> None:
        """Show both scores; the difference is that of the rounded scores."""
        outcome, known = case.outcome, case.document.range
        assumed, running = case.document.assumed, case.document.running
        now = shown_outcome(outcome.now, known, assumed=assumed, running=running)
        then = shown_outcome(outcome.then, outcome.possible, assumed=case.assumed, running=running)
        is_range = known is not None or outcome.possible is not None
        same = now.score == then.score
        difference = (
            "" if same or is_range else shown_difference(then.score, now.score, signed=True)
        )
        shown = _Shown(then, difference, case.assumed)
        _show_card(self.now, _Shown(now, "", assumed), margin_words(case.now_range))
        _show_card(self.then, shown, margin_words(case.then_range), accent=True)
        recorded = case.measured.measurement.facts
        _show_words(self.stand_in, stand_in_words(recorded, case.scenario))
        self.stand_in.setVisible(not recorded.outcome_known)  # sliders must not move while dragged
        _show_words(self.line, self._margin_words(case))

    def _margin_words(self, case: Case) -> str:
        """By how much the what-if passes or fails, and which overrides fire or no longer fire."""
        then = case.outcome.then
        fired = {override.rule for override in then.overrides if override.applied}
        flips = [
            say("{rule} fires", rule=RULE_NAMES[rule])
            if rule in fired
            else say("{rule} no longer fires", rule=RULE_NAMES[rule])
            for rule in case.outcome.flips
        ]
        words = ". ".join(filter(None, (margin_words(case.then_range), *flips)))
        return f"{words}." if words else ""


def _painted(height: int = 0, name: str = "") -> Drawing:
    made = Drawing(QSize(0, height), partial(_paint_words, ""))
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    made.setAccessibleName(name)
    return made


def _show_card(card: Drawing, shown: _Shown, margin: str, *, accent: bool = False) -> None:
    one = shown.one
    said = say(
        "{word}, {score} of {threshold}", word=one.word, score=one.score, threshold=one.threshold
    )
    card.setAccessibleDescription(". ".join(filter(None, (said, margin, shown.note))))
    card.setToolTip(plain_tooltip(one.whole))
    card.draw(partial(_paint_card, card.accessibleName(), shown, accent=accent))


def _show_words(line: Drawing, words: str) -> None:
    if words != line.accessibleName():
        line.setAccessibleName(words)
        set_tip(line, words)
        line.draw(partial(_paint_words, words))


def _paint_words(words: str, painter: QPainter, rect: QRect, found: Colours) -> None:
    painter.setPen(found.second)
    write_line(painter, rect, words, TextRole.CAPTION)


def _metrics(role: TextRole) -> QFontMetrics:
    return QFontMetrics(font(role, QApplication.font()))


def write_line(
    painter: QPainter, room: QRect, text: str, role: TextRole, *, right: bool = False
) -> int:
    """Write one line and return its width; from the left it is cut to fit, from the right not."""
    painter.setFont(font(role, QApplication.font()))
    metrics = painter.fontMetrics()
    shown = text
    if not right:
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, RIGHT if right else LEFT, shown)
    return metrics.horizontalAdvance(shown)


def _paint_card(
    name: str, shown: _Shown, painter: QPainter, rect: QRect, found: Colours, *, accent: bool
) -> None:
    """Paint a card: its name and the note in the corner, below them the verdict and the score."""
    edge = found.accent if accent else None
    paint_box(painter, rect, found.alternate, edge, width=_EDGE, radius=_RADIUS)
    body = _metrics(TextRole.BODY)
    padding, side = scale(_PADDING, body), scale(STATE_SIZE, body)
    room = rect.adjusted(padding, _TOP, -padding, -_TOP)
    first = QRect(room.topLeft(), QSize(room.width(), _metrics(TextRole.CAPTION).height()))
    painter.setPen(found.second)
    taken = write_line(painter, first, shown.note, TextRole.CAPTION, right=True)
    left = first.adjusted(0, 0, -taken - _GAP if taken else 0, 0)
    write_line(painter, left, name, TextRole.CAPTION)
    second = room.adjusted(0, first.height(), 0, 0)
    painter.setPen(found.text)
    in_corner, role = _place_of_score(shown, second.width() - side - _GAP)
    taken = write_line(painter, first if in_corner else second, shown.one.score, role, right=True)
    mark = QRect(second.left(), second.center().y() - side // 2, side, side)
    paint_state(painter, mark, shown.one.sign, found, assumed=shown.assumed)
    painter.setPen(found.text)
    word = second.adjusted(side + _GAP, 0, -(0 if in_corner else taken) - _GAP, 0)
    write_line(painter, word, shown.one.word, TextRole.NAME)


def _place_of_score(shown: _Shown, room: int) -> tuple[bool, TextRole]:
    """Whether the score must stand in the corner, as the word leaves too little room; and its role.

    The role is smaller for a range, and for the many decimals of a score near the threshold.
    """
    widths = {
        role: _metrics(role).horizontalAdvance(shown.one.score)
        for role in (TextRole.NUMBER, TextRole.PANE, TextRole.CAPTION)
    }
    beside = room
    if not shown.note:
        beside -= _metrics(TextRole.NAME).horizontalAdvance(shown.one.word) + _GAP
        if widths[TextRole.CAPTION] > beside:
            return True, TextRole.CAPTION
    fits = (role for role, width in widths.items() if width <= beside)
    return False, next(fits, TextRole.CAPTION)


def _paint_arrow(painter: QPainter, rect: QRect, colours: Colours) -> None:
    """Paint an arrow from one card to the other."""
    place = QRect(0, (rect.height() - rect.width()) // 2, rect.width(), rect.width())
    paint_icon(painter, place, IconName.CHEVRON_RIGHT, colours.second)


def profile_table() -> FigureTable:
    """An empty table of profiles; activating a row gives its profile."""
    columns = (
        ColumnWidth(PADDING),
        ColumnWidth(110, fits=True),
        ColumnWidth(60, stretch=True),
        ColumnWidth(10),
        ColumnWidth(24),
        ColumnWidth(50, fits=True),
        ColumnWidth(56, fits=True),
        ColumnWidth(_RIGHT),
    )
    return FigureTable(columns, name=say("All profiles"))


def profile_heads() -> tuple[Head, ...]:
    """The heads of the table of profiles."""
    return (
        Head(""),
        Head(say("profile"), say("Profile"), figure=False),
        Head(say("what adds up")),
        Head(""),
        Head(say("verdict")),
        Head(say("score"), say("score")),
        Head(say("verdicts changed in the list"), say("flips")),
        Head(""),
    )


def profile_rows(case: Case, flips: Flips) -> Iterator[Row]:
    """A row for each profile: its terms, verdict, score, flips; the used one is tinted."""
    used = case.outcome.then.profile
    for one in case.profiles:
        yield _profile_row(one, case, flips)
        for text in _terms_in_lines(one) if one.low.profile == used else ():
            cells = FigureCell(), note(text, span=6), FigureCell()
            yield Row(cells, _SUM_HEIGHT, tinted=True, at_top=True)


def _profile_row(scores: ScoreRange, case: Case, flips: Flips) -> Row:
    profile = scores.low.profile
    current = profile == case.outcome.then.profile
    name = profile_word(profile)
    used = say("{name}, used in what-if", name=name) if current else ""
    terms, stack = partial(_terms_in_words, scores), partial(_stack, scores, current=current)
    possible = None if scores.low is scores.high else scores
    running = case.document.running
    shown = shown_outcome(scores.low, possible, assumed=case.assumed, running=running)
    found, counted = flips.with_tried(scores, case), UNKNOWN
    if found is not None:
        number, of = map(shown_count, found)
        counted = say("{number} of {of}", number=number, of=of)
    role = TextRole.PANE if current else TextRole.BODY
    cells = (
        FigureCell(),
        FigureCell(name, TextRole.NAME if current else TextRole.BODY, said=used),
        FigureCell(picture=stack, said=terms, tooltip=terms),
        FigureCell(),
        FigureCell(mark=CellMark(shown.sign, assumed=case.assumed), said=shown.word),
        FigureCell(shown.score, role, figure=True, tooltip=shown.whole),
        figure(counted, second=True),
        FigureCell(),
    )
    return Row(cells, _ROW_HEIGHT, tinted=current, wish=profile)


def _terms_in_words(one: ScoreRange) -> str:
    """The terms of a score in one line: the parts, then the changes by overrides."""
    return " ".join(_terms_in_lines(one))


def _terms_in_lines(scores: ScoreRange) -> Iterator[str]:
    """The terms of a score on one or two lines; on more where the figures have many decimals."""
    shown = shown_range_sum(scores)
    terms = [_joined(term.adds, DIMENSION_LETTERS[term.dimension]) for term in shown.terms]
    terms[0] = terms[0].removeprefix("+ ")
    changes = [
        f"{_joined(step.shown_change)} {RULE_WORDS[step.term]}"
        for step in waterfall(scores)
        if isinstance(step.term, Rule)
    ]
    is_long = len(shown.threshold) > _USUAL_LENGTH
    for words, in_a_line in ((terms, 2 if is_long else 4), (changes, 1 if is_long else 3)):
        for start in range(0, len(words), in_a_line):
            yield " ".join(words[start : start + in_a_line])


def _joined(figure: str, letter: str = "") -> str:
    sign = _MINUS if figure.startswith(_MINUS) else "+"
    return " ".join(filter(None, (sign, letter, figure.lstrip(f"+{_MINUS}"))))


def _stack(
    scores: ScoreRange, painter: QPainter, rect: QRect, colours: Colours, *, current: bool
) -> None:
    height = rect.height() * _BAR_HEIGHT // _ROW_HEIGHT
    box = band(rect, height)
    track = colours.button_edge if current else colours.track
    fill(painter, box, track)
    for number, step in enumerate(waterfall(scores)):
        is_rule = isinstance(step.term, Rule)
        colour = colours.second if is_rule else colours.dimension(Dimension(step.term))
        part = aligned(painter, span(box, step.start, step.end))
        if number and not is_rule and part.width() > 1:
            part.setLeft(part.left() + 1)
        if step.end >= step.start:
            fill(painter, part, colour)
        else:
            fill(painter, part, track)
            paint_hatch(painter, part, colour)
        if step.reach is not None:
            paint_hatch(painter, aligned(painter, span(box, step.end, step.reach)), colour)
    paint_threshold(painter, box, scores.low.threshold, colours.text)
