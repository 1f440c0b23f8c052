"""The same measurement under all five profiles."""

from functools import partial

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kpinspector.scoring.assess import Assessment
from kpinspector.scoring.sentences import DIMENSION_LETTERS, verdict_word
from kpinspector.scoring.sums import shown_sum
from kpinspector.ui.answer import Answer
from kpinspector.ui.answer_notes import WrappedLabel
from kpinspector.ui.figure_model import Cell, Head, Row
from kpinspector.ui.figure_table import Column, FigureTable
from kpinspector.ui.marks import (
    STATE_SIZE,
    Bar,
    aligned,
    fill,
    paint_bar,
    paint_state,
    span,
)
from kpinspector.ui.theme import Colours, TextRole

_MINUS = "\N{MINUS SIGN}"
_ROW_HEIGHT = 28
_SUM_HEIGHT = 24
_BAR_HEIGHT = 8
_SHAPE_COLUMN = 24
_PADDING = 16
_TOP = 12


class ProfileTable(FigureTable):
    """A row for each profile: what adds up, verdict, score and margin; the used one is tinted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = (
            Column(_PADDING),
            Column(110, fits=True),
            Column(60, stretch=True),
            Column(10),
            Column(_SHAPE_COLUMN),
            Column(50, fits=True),
            Column(66, fits=True),
            Column(_PADDING),
        )
        super().__init__("", columns, parent=parent)
        self.setAccessibleName(self.tr("All profiles"))

    def set_answer(self, answer: Answer) -> None:
        """Compare the profiles, once novelty is known."""
        current = answer.assessment
        if current is None:
            self.set_rows(())
            return
        rows: list[Row] = []
        for one in answer.document.by_profile:
            used = one.profile == current.profile
            rows.append(self._row(one, current=used, assumed=answer.document.assumed))
            rows.append(_sum_row(one, current=used))
        self.set_rows(rows, self._heads())

    def _heads(self) -> tuple[Head, ...]:
        return (
            Head(""),
            Head(self.tr("profile"), self.tr("Profile"), figure=False),
            Head(self.tr("what adds up")),
            Head(""),
            Head(self.tr("verdict")),
            Head(self.tr("score"), self.tr("score")),
            Head(self.tr("margin"), self.tr("margin")),
            Head(""),
        )

    def _row(self, one: Assessment, *, current: bool, assumed: bool) -> Row:
        shown = shown_sum(one)
        sign = "+" if one.score_passes else _MINUS
        role = TextRole.PANE if current else TextRole.BODY
        used = self.tr("{0}, used for this trace").format(one.profile.name)
        cells = (
            Cell(),
            Cell(
                one.profile.name.replace("_", " "),
                TextRole.NAME if current else TextRole.BODY,
                said=used if current else "",
            ),
            Cell(
                picture=partial(_stack, one, current=current),
                said=self.tr("weighted sum {0}").format(shown.total),
            ),
            Cell(),
            Cell(picture=partial(_verdict, one, assumed=assumed), said=verdict_word(one.verdict)),
            Cell(shown.score, role, figure=True, tooltip=repr(one.score)),
            Cell(f"{sign}{shown.margin}", second=True, figure=True, tooltip=repr(one.margin)),
            Cell(),
        )
        return Row(cells, _ROW_HEIGHT, tinted=current)


class ProfileView(QWidget):
    """The content of the Profiles tab: the table, and what is the same in all its rows."""

    def __init__(self) -> None:
        super().__init__()
        self._note = WrappedLabel("", TextRole.CAPTION, second=True)
        self._table = ProfileTable()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, _TOP, 0, _PADDING)
        layout.setSpacing(0)
        row = QHBoxLayout()
        row.setContentsMargins(_PADDING, 0, _PADDING, 4)
        row.addWidget(self._note)
        layout.addLayout(row)
        layout.addWidget(self._table)
        layout.addStretch(1)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.set_answer(None)

    def set_answer(self, answer: Answer | None) -> None:
        """Compare the profiles for a document, or say what would be here."""
        scored = answer is not None and answer.assessment is not None
        self._table.setVisible(scored)
        self._note.setText(self._words(answer))
        if answer is not None:
            self._table.set_answer(answer)

    def _words(self, answer: Answer | None) -> str:
        if answer is None:
            return self.tr("Choose a trace to compare its score under all profiles.")
        if answer.pending:
            return self.tr("The profiles are compared when the score is known.")
        if answer.assessment is None:
            return self.tr("There is no score to compare.")
        words = self.tr("Only the weights differ; the four values and the threshold stay.")
        fired = any(one.applied for one in answer.assessment.overrides)
        if not fired:
            return words
        return self.tr("{0} Figures without a letter are overrides, which no bar shows.").format(
            words
        )


def _sum_row(one: Assessment, *, current: bool) -> Row:
    """The parts of a score in the order of the bar, then the changes by overrides."""
    shown = shown_sum(one)
    parts = [_joined(term.adds, DIMENSION_LETTERS[term.dimension]) for term in shown.terms]
    parts[0] = parts[0].removeprefix("+ ")
    for override, change in zip(one.overrides, shown.changes, strict=True):
        if override.applied:
            parts.append(_joined(change.change))
    text = " ".join(parts)
    sum_cell = Cell(text, TextRole.CAPTION, second=True, tooltip=text, span=6)
    return Row((Cell(), sum_cell, Cell()), _SUM_HEIGHT, tinted=current, at_top=True)


def _joined(figure: str, letter: str = "") -> str:
    sign = _MINUS if figure.startswith(_MINUS) else "+"
    return " ".join(filter(None, (sign, letter, figure.lstrip(f"+{_MINUS}"))))


def _stack(
    one: Assessment, painter: QPainter, rect: QRect, colours: Colours, *, current: bool
) -> None:
    height = rect.height() * _BAR_HEIGHT // _ROW_HEIGHT
    box = QRect(rect.left(), rect.top() + (rect.height() - height) // 2, rect.width(), height)
    fill(painter, box, colours.button_edge if current else colours.track)
    place = 0.0
    for number, term in enumerate(one.contributions):
        part = aligned(painter, span(box, place, place + term.part))
        if number and part.width() > 1:
            part.setLeft(part.left() + 1)
        fill(painter, part, colours.dimension(term.dimension))
        place += term.part
    line = Bar(colours.text, 0.0, threshold=one.threshold)
    paint_bar(painter, box, line, colours)


def _verdict(
    one: Assessment, painter: QPainter, rect: QRect, colours: Colours, *, assumed: bool
) -> None:
    side = rect.width() * STATE_SIZE // _SHAPE_COLUMN
    top = rect.top() + (rect.height() - side) // 2
    paint_state(painter, QRect(rect.left(), top, side, side), one.verdict, colours, assumed=assumed)
