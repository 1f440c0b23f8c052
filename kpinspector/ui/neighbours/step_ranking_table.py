"""The steps that make a trace like its nearest neighbour: what is lost without each."""

from functools import partial

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from kpinspector.scoring.novelty.step_ranking import StepFall, StepRanking
from kpinspector.trace.model import ReasoningTrace, Step
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.marks import Bar, paint_bar
from kpinspector.ui.look.painting import band, centred
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.score.evidence_rows import StepWish
from kpinspector.ui.steps.step_delegate import ICONS
from kpinspector.ui.tables.figure_model import Cell, Head, Row, heading
from kpinspector.ui.tables.figure_table import Column, FigureTable
from kpinspector.words.figures import shown_count, shown_number, shown_whole
from kpinspector.words.neighbour_words import fall_words
from kpinspector.words.step_words import kind_word

_FEW = 6
_ROW_HEIGHT = 24
_BAR_HEIGHT = 8
_LONGEST_TOOL = 24
_MORE = "more"


class StepRankingTable(FigureTable):
    """A row for each step, the largest fall first; a step that is activated is gone to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = (
            Column(24),
            Column(98, fits=True),
            Column(60, stretch=True),
            Column(66, fits=True),
        )
        super().__init__(columns, ({2},), parent)
        self.setAccessibleName(self.tr("Steps that make them alike"))
        self._trace: ReasoningTrace | None = None
        self._ranking: StepRanking | None = None
        self._all_shown = False
        self.row_activated.connect(self._on_row_activated)

    def set_ranking(self, trace: ReasoningTrace | None, ranking: StepRanking | None) -> None:
        """Show the steps measured so far; None for what was not asked yet."""
        if trace is not self._trace:
            self._all_shown = False
        self._trace, self._ranking = trace, ranking
        self._show()

    def _show(self) -> None:
        rows: list[Row] = []
        if self._trace is not None and self._ranking is not None:
            falls, steps = self._ranking.falls, self._trace.steps
            shown = falls if self._all_shown else falls[:_FEW]
            most = max((abs(one.fall) for one in falls), default=0.0)
            rows = [self._row(steps[one.step], one, self._ranking, most) for one in shown]
            if len(shown) < len(falls):
                rows.append(self._more(len(falls) - len(shown)))
        note = self.tr("similarity lost without the step") if rows else ""
        heads = (
            heading(self.tr("kind"), self.tr("Steps that make them alike")),
            Head(self.tr("step")),
            Head(self.tr("bar")),
            Head(self.tr("similarity lost without the step"), note, note=True),
        )
        self.set_rows(rows, heads)

    def _on_row_activated(self, wish: object) -> None:
        if wish == _MORE:
            self._all_shown = True
            self._show()

    def _row(self, step: Step, one: StepFall, ranking: StepRanking, most: float) -> Row:
        kind, words = kind_word(step.kind), fall_words(one, ranking)
        name = f"{shown_count(one.step)} {kind}"
        tool = one_line(step.tool_name or "", _LONGEST_TOOL)
        about = one_line(step.content)
        share = abs(one.fall) / most if most else 0.0
        icon = ICONS.get(step.kind) if step.kind is not None else None
        cells = (
            Cell(picture=partial(_paint_kind, icon)),
            Cell(name, tooltip="\n".join(filter(None, (tool, about)))),
            Cell(
                picture=partial(_paint_fall, share, falls=one.fall >= 0),
                said=self.tr("{0} similar without it").format(shown_number(one.similarity)),
            ),
            Cell(words, figure=True, tooltip=shown_whole(-one.fall)),
        )
        return Row(cells, _ROW_HEIGHT, wish=StepWish(one.step))

    def _more(self, number: int) -> Row:
        words = self.tr("Show {0} More").format(shown_count(number))
        cells = (Cell(), Cell(words, TextRole.CAPTION, second=True, span=3))
        return Row(cells, _ROW_HEIGHT, wish=_MORE)


def _paint_kind(icon: IconName | None, painter: QPainter, rect: QRect, colours: Colours) -> None:
    if icon is not None:
        side = rect.height() * ICON_SIZE // _ROW_HEIGHT
        paint_icon(painter, centred(rect, rect.left(), side), icon, colours.second)


def _paint_fall(
    share: float, painter: QPainter, rect: QRect, colours: Colours, *, falls: bool
) -> None:
    """A step without which the two are more alike has no dimension's colour."""
    height = rect.height() * _BAR_HEIGHT // _ROW_HEIGHT
    box = band(rect, height)
    paint_bar(painter, box, Bar(colours.novelty if falls else colours.neutral, share), colours)
