"""The three overrides: fired or not, why, and what each did to the score."""

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import QWidget

from kpinspector.scoring.formula.overrides import Override
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.score.answer import Answer
from kpinspector.ui.score.dimension_table import MARK_COLUMN
from kpinspector.ui.tables.figure_model import Cell, Head, Row, heading
from kpinspector.ui.tables.figure_table import Column, FigureTable
from kpinspector.words.sentences import RULE_NAMES, fired_phrase
from kpinspector.words.sums import ShownChange

_ARROW = "\N{THIN SPACE}\N{RIGHTWARDS ARROW}\N{THIN SPACE}"


class OverrideTable(FigureTable):
    """All three rules, in the order in which they are applied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        names = Column(98, fits=True, texts=tuple(RULE_NAMES.values()))
        columns = (MARK_COLUMN, names, Column(90, stretch=True), Column(1, fits=True))
        super().__init__(columns, ({3},), parent)
        self.setAccessibleName(self.tr("Overrides"))

    def set_answer(self, answer: Answer) -> None:
        """Show what the rules did to a score."""
        terms, shown = answer.terms, answer.shown
        if terms is None or shown is None:
            self.set_rows(())
            return
        rows = [
            self._row(override, change, pending=answer.pending)
            for override, change in zip(terms.overrides, shown.changes, strict=True)
        ]
        title = heading(self.tr("fired"), self.tr("Overrides"))
        fired = fired_phrase(terms.overrides, pending=answer.pending)
        heads = (
            title,
            Head(self.tr("override")),
            Head(self.tr("reason")),
            Head(self.tr("before and after"), fired, note=True),
        )
        self.set_rows(rows, heads)

    def _row(self, override: Override, change: ShownChange, *, pending: bool) -> Row:
        text = whole = ""
        if override.applied:
            text = change.change if pending else f"{change.before}{_ARROW}{change.after}"
            whole = "" if pending else f"{override.before!r}{_ARROW}{override.after!r}"
        role = TextRole.NAME if override.applied else TextRole.BODY
        return Row(
            (
                Cell(
                    picture=_fired if override.applied else _not_fired,
                    said=self.tr("fired") if override.applied else self.tr("not fired"),
                ),
                Cell(RULE_NAMES[override.rule], role),
                Cell(
                    override.reason,
                    TextRole.CAPTION,
                    second=not override.applied,
                    tooltip=override.reason,
                    span=1 if text else 2,
                ),
                *((Cell(text, figure=True, tooltip=whole),) if text else ()),
            ),
        )


def _fired(painter: QPainter, rect: QRect, colours: Colours) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(colours.text)
    painter.setBrush(colours.text)
    side = rect.height() * 8 / 21
    left, middle = rect.left() + side / 2, rect.top() + rect.height() / 2
    corners = [
        QPointF(left, middle - side / 2),
        QPointF(left + side, middle),
        QPointF(left, middle + side / 2),
    ]
    painter.drawPolygon(QPolygonF(corners))


def _not_fired(painter: QPainter, rect: QRect, colours: Colours) -> None:
    side = rect.height() * 8 // 21
    middle = rect.top() + rect.height() // 2
    fill(painter, QRect(rect.left() + side // 2, middle, side + 1, 1), colours.second)
