"""The score as it is and as it would be, side by side, and by how much it then passes or fails."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import in_column, in_row, paint_box
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import STATE_SIZE, paint_state
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import TextRole, colours, font, scale
from kpinspector.ui.whatif.whatif_case import Case
from kpinspector.words.figures import shown_difference
from kpinspector.words.run import ShownOutcome, shown_outcome, stand_in_words
from kpinspector.words.say import say
from kpinspector.words.sentences import RULE_NAMES

_GAP = 8


_RADIUS = 8
_PADDING = 12
_TOP = 8
_ARROW = 16
_HEIGHT = 64
_EDGE = 2.0
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


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


@dataclass(frozen=True, slots=True)
class _Shown:
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
            self.setToolTip(plain_tooltip(text))
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
        cards = in_row((self.now, 1), _Arrow(), (self.then, 1), margins=None, spacing=_GAP)
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


class _Arrow(QWidget):
    """From the one to the other."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    @override
    def sizeHint(self) -> QSize:
        return QSize(scale(_ARROW, self.fontMetrics()), 1)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        side = self.width()
        place = QRect(0, (self.height() - side) // 2, side, side)
        found = colours(self.palette())
        paint_icon(QPainter(self), place, IconName.CHEVRON_RIGHT, found.second)
