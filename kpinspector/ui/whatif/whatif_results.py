"""What comes of a what-if: both scores as cards, and all profiles as stacked bars."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.assess import Assessment, ScoreRange
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.ui.controls.base import Drawing, in_column, in_row, paint_box
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import (
    STATE_SIZE,
    aligned,
    fill,
    paint_hatch,
    paint_state,
    paint_threshold,
    span,
)
from kpinspector.ui.look.painting import band
from kpinspector.ui.look.plain_text import plain_tooltip, set_tip
from kpinspector.ui.look.theme import Colours, TextRole, colours, font, scale
from kpinspector.ui.parts.column_page import PADDING
from kpinspector.ui.tables.figure_model import CellMark, FigureCell, Head, Row, figure, note
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.ui.whatif.whatif_case import Case, Flips
from kpinspector.words.changes import profile_word
from kpinspector.words.figures import (
    UNKNOWN,
    Stretch,
    shown_count,
    shown_difference,
    shown_range_sum,
    shown_sum,
    waterfall,
)
from kpinspector.words.run import ShownOutcome, shown_outcome, stand_in_words
from kpinspector.words.say import say
from kpinspector.words.sentences import RULE_NAMES, RULE_WORDS

_GAP = 8
_RADIUS = 8
_PADDING = 12
_TOP = 8
_ARROW = 16
_HEIGHT = 64
_EDGE = 2.0
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_MINUS = "\N{MINUS SIGN}"
_ROW_HEIGHT = 28
_SUM_HEIGHT = 22
_USUAL_LENGTH = 8
_BAR_HEIGHT = 8


class PaintedWords(QWidget):
    """Words that change with every move: painted, so that no layout is asked for their sake."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def metrics_of(self, role: TextRole) -> QFontMetrics:
        """The metrics of a role's font."""
        return QFontMetrics(font(role, QApplication.font()))

    def write(
        self, painter: QPainter, room: QRect, text: str, role: TextRole, *, right: bool = False
    ) -> int:
        """Write one line, cut at its end where it does not fit; how much room it took."""
        painter.setFont(font(role, QApplication.font()))
        metrics = painter.fontMetrics()
        shown = text
        if not right:
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _RIGHT if right else _LEFT, shown)
        return metrics.horizontalAdvance(shown)


class _Shown(NamedTuple):
    """What a card shows."""

    one: ShownOutcome
    note: str
    assumed: bool


class ScoreCard(PaintedWords):
    """One of the two: its name, the verdict and the score; the second has an accent edge."""

    def __init__(self, name: str, *, accent: bool = False) -> None:
        super().__init__()
        self._accent = accent
        self._name = name
        self._shown: _Shown | None = None
        self.setAccessibleName(name)

    def set_outcome(self, one: ShownOutcome, margin: str, *, assumed: bool, note: str = "") -> None:
        """Show a score, or what is possible; ``note`` stands in the corner."""
        shown = _Shown(one, note, assumed)
        if shown == self._shown:
            return
        self._shown = shown
        said = say(
            "{word}, {score} of {threshold}",
            word=one.word,
            score=one.score,
            threshold=one.threshold,
        )
        self.setAccessibleDescription(". ".join(filter(None, (said, margin, note))))
        self.setToolTip(plain_tooltip(one.whole))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        lines = (
            self.metrics_of(TextRole.CAPTION).height() + self.metrics_of(TextRole.NUMBER).height()
        )
        body = self.metrics_of(TextRole.BODY)
        return QSize(0, max(scale(_HEIGHT, body), lines + 2 * _TOP))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        edge = found.accent if self._accent else None
        paint_box(painter, self.rect(), found.alternate, edge, width=_EDGE, radius=_RADIUS)
        padding = scale(_PADDING, self.metrics_of(TextRole.BODY))
        room = self.rect().adjusted(padding, _TOP, -padding, -_TOP)
        first = QRect(
            room.topLeft(), QSize(room.width(), self.metrics_of(TextRole.CAPTION).height())
        )
        painter.setPen(found.second)
        note = "" if self._shown is None else self._shown.note
        taken = self.write(painter, first, note, TextRole.CAPTION, right=True)
        left = first.adjusted(0, 0, -taken - _GAP if taken else 0, 0)
        self.write(painter, left, self._name, TextRole.CAPTION)
        if self._shown is None:
            return
        shown = self._shown
        second = room.adjusted(0, first.height(), 0, 0)
        painter.setPen(found.text)
        side = scale(STATE_SIZE, self.metrics_of(TextRole.BODY))
        beside = second.width() - side - _GAP
        in_corner = self._is_in_corner(shown, beside)
        role = TextRole.CAPTION if in_corner else self._score_role(shown, beside)
        place = first if in_corner else second
        taken = self.write(painter, place, shown.one.score, role, right=True)
        taken = taken if place is second else 0
        mark = QRect(second.left(), second.center().y() - side // 2, side, side)
        paint_state(painter, mark, shown.one.sign, found, assumed=shown.assumed)
        painter.setPen(found.text)
        word = second.adjusted(side + _GAP, 0, -taken - _GAP, 0)
        self.write(painter, word, shown.one.word, TextRole.NAME)

    def _is_in_corner(self, shown: _Shown, room: int) -> bool:
        """Whether the score stands where a note would: its word leaves it no room."""
        word = self.metrics_of(TextRole.NAME).horizontalAdvance(shown.one.word)
        score = self.metrics_of(TextRole.CAPTION).horizontalAdvance(shown.one.score)
        return not shown.note and word + _GAP + score > room

    def _score_role(self, shown: _Shown, room: int) -> TextRole:
        """Smaller for a range, and for many decimals that tell a score from the threshold."""
        one = shown.one
        if not shown.note:
            room -= _GAP + self.metrics_of(TextRole.NAME).horizontalAdvance(one.word)
        for role in (TextRole.NUMBER, TextRole.PANE):
            if self.metrics_of(role).horizontalAdvance(one.score) <= room:
                return role
        return TextRole.CAPTION


class WordsLine(PaintedWords):
    """One caption; the whole of it is in the tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def set_text(self, text: str) -> None:
        """Say something else."""
        if text != self.text:
            self.text = text
            self.setAccessibleName(text)
            set_tip(self, text)
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, self.metrics_of(TextRole.CAPTION).height())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(colours(self.palette()).second)
        self.write(painter, self.rect(), self.text, TextRole.CAPTION)


class ScoreCards(QWidget):
    """Now and what if with an arrow between them; below them what the score then comes to."""

    def __init__(self) -> None:
        super().__init__()
        self.now = ScoreCard(say("Now"))
        self.then = ScoreCard(say("What if"), accent=True)
        self.line = WordsLine()
        self.stand_in = WordsLine()
        arrow = Drawing(QSize(_ARROW, 1), _paint_arrow, grows=True)
        cards = in_row((self.now, 1), arrow, (self.then, 1), margins=None, spacing=_GAP)
        in_column(cards, self.stand_in, self.line, on=self, spacing=_GAP // 2)

    def set_case(self, case: Case) -> None:
        """Show both; the difference is that of the scores as they are shown."""
        outcome, known = case.outcome, case.document.range
        assumed = case.document.assumed
        running = case.document.running
        now = shown_outcome(outcome.now, known, assumed=assumed, running=running)
        then = shown_outcome(outcome.then, outcome.possible, assumed=case.assumed, running=running)
        is_range = known is not None or outcome.possible is not None
        same = now.score == then.score
        difference = (
            "" if same or is_range else shown_difference(then.score, now.score, signed=True)
        )
        self.now.set_outcome(now, case.margin_now, assumed=assumed)
        self.then.set_outcome(then, case.margin_then, assumed=case.assumed, note=difference)
        recorded = case.measured.measurement.facts
        self.stand_in.set_text(stand_in_words(recorded, case.scenario))
        self.stand_in.setVisible(not recorded.outcome_known)  # sliders stay where they are dragged
        self.line.set_text(self._margin_words(case))

    def _margin_words(self, case: Case) -> str:
        """By how much, and which rules are others than now."""
        then = case.outcome.then
        fired = {override.rule for override in then.overrides if override.applied}
        flips = [
            say("{rule} fires", rule=RULE_NAMES[rule])
            if rule in fired
            else say("{rule} no longer fires", rule=RULE_NAMES[rule])
            for rule in case.outcome.flips
        ]
        words = ". ".join(filter(None, (case.margin_then, *flips)))
        return f"{words}." if words else ""


def _paint_arrow(painter: QPainter, rect: QRect, colours: Colours) -> None:
    """From the one to the other."""
    place = QRect(0, (rect.height() - rect.width()) // 2, rect.width(), rect.width())
    paint_icon(painter, place, IconName.CHEVRON_RIGHT, colours.second)


def profile_table() -> FigureTable:
    """The table for the rows of the profiles; activated, a row asks for its profile."""
    columns = (
        ColumnWidth(PADDING),
        ColumnWidth(110, fits=True),
        ColumnWidth(60, stretch=True),
        ColumnWidth(10),
        ColumnWidth(24),
        ColumnWidth(50, fits=True),
        ColumnWidth(56, fits=True),
        ColumnWidth(PADDING - SCROLL_BAR_WIDTH),
    )
    return FigureTable(columns, name=say("All profiles"))


def profile_heads() -> tuple[Head, ...]:
    """The heads of the profiles."""
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
    """A row for each profile: what adds up, verdict, score, flips; the used one is tinted."""
    used = case.outcome.then.profile
    for one, possible in case.profiles:
        yield _profile_row(one, possible, case, flips)
        for text in _lines(one, possible) if one.profile == used else ():
            cells = FigureCell(), note(text, span=6), FigureCell()
            yield Row(cells, _SUM_HEIGHT, tinted=True, at_top=True)


def _profile_row(one: Assessment, possible: ScoreRange | None, case: Case, flips: Flips) -> Row:
    current = one.profile == case.outcome.then.profile
    name = profile_word(one.profile)
    used = say("{name}, used in what-if", name=name) if current else ""
    terms = partial(_sum, one, possible)
    stack = partial(_stack, one, possible, current=current)
    shown = shown_outcome(one, possible, assumed=case.assumed, running=case.document.running)
    found, counted = flips.with_tried(one, possible, case), UNKNOWN
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
    return Row(cells, _ROW_HEIGHT, tinted=current, wish=one.profile)


def _sum(one: Assessment, possible: ScoreRange | None) -> str:
    """The parts of a score, then the changes by overrides."""
    return " ".join(_lines(one, possible))


def _lines(one: Assessment, possible: ScoreRange | None) -> Iterator[str]:
    """Dimensions and overrides, in more lines where the figures have many decimals."""
    shown = shown_sum(one) if possible is None else shown_range_sum(possible)
    terms = [_joined(term.adds, DIMENSION_LETTERS[term.dimension]) for term in shown.terms]
    terms[0] = terms[0].removeprefix("+ ")
    changes = [
        f"{_joined(step.shown_change)} {RULE_WORDS[step.term]}"
        for step in _stretches(one, possible)
        if isinstance(step.term, Rule)
    ]
    is_long = len(shown.threshold) > _USUAL_LENGTH
    for words, in_a_line in ((terms, 2 if is_long else 4), (changes, 1 if is_long else 3)):
        for start in range(0, len(words), in_a_line):
            yield " ".join(words[start : start + in_a_line])


def _joined(figure: str, letter: str = "") -> str:
    sign = _MINUS if figure.startswith(_MINUS) else "+"
    return " ".join(filter(None, (sign, letter, figure.lstrip(f"+{_MINUS}"))))


def _stretches(one: Assessment, possible: ScoreRange | None) -> tuple[Stretch, ...]:
    return waterfall(possible or ScoreRange(one, one))


def _stack(
    one: Assessment,
    possible: ScoreRange | None,
    painter: QPainter,
    rect: QRect,
    colours: Colours,
    *,
    current: bool,
) -> None:
    height = rect.height() * _BAR_HEIGHT // _ROW_HEIGHT
    box = band(rect, height)
    track = colours.button_edge if current else colours.track
    fill(painter, box, track)
    for number, step in enumerate(_stretches(one, possible)):
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
    paint_threshold(painter, box, one.threshold, colours.text)
