"""The rows of the Neighbours tab, and what they lead to."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.findings import Named, Neighbour, neighbour_names
from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.novelty.neighbours import Influence, Order, Standing, StepFall, StepRanking
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import Step
from kpinspector.ui.look.icons import ICON_SIZE
from kpinspector.ui.look.marks import STATE_SIZE, fill, paint_state
from kpinspector.ui.look.painting import centred
from kpinspector.ui.look.plain_text import masked_line, one_line
from kpinspector.ui.look.theme import Colours, TextRole, font
from kpinspector.ui.score.waterfall import Scale
from kpinspector.ui.steps.step_delegate import ICONS
from kpinspector.ui.tables.figure_model import CellBar, CellMark, FigureCell, Row
from kpinspector.words.figures import (
    shown_count,
    shown_number,
    shown_score,
    shown_short,
    shown_whole,
)
from kpinspector.words.novelty import (
    SETS_NOVELTY,
    UNCHANGED,
    WITHOUT_IT,
    fall_words,
    neighbour_about,
    neighbour_place,
    place_names,
    standing_words,
    without_score,
)
from kpinspector.words.say import in_words, say, say_list
from kpinspector.words.sentences import kind_word, verdict_phrase, verdict_word

ROW_HEIGHT = 24
_NEAR_HEIGHT, _AXIS_HEIGHT = 46, 18
_LINE = 2
_MARGIN_SHARE, _LEAST_SPAN = 0.35, 0.05
_LONGEST_TOOL = 24
_CAPTION = TextRole.CAPTION


class Do(StrEnum):
    """What can be wished in the Neighbours tab."""

    ASK = "ask"
    STOP = "stop"
    COMPARE = "compare"
    OPEN = "open"
    LEAVE_OUT = "leave out"
    GO_TO_STEP = "go to step"


@dataclass(frozen=True, slots=True)
class NeighbourWish:
    """A wish, and of what: a question, a neighbour, a novelty or the index of a step."""

    do: Do
    of: Any


def influence_rows(found: Sequence[Influence], own: Named | None = None) -> list[Row]:
    """The entries of a finding, best first, and what the score would be without each.

    None of them may be called like ``own``, the trace itself.
    """
    others = _beside([one.neighbour for one in found], own)
    return [_influence_row(rank, others, one) for rank, one in enumerate(found)]


def _influence_row(rank: int, others: tuple[Named, ...], one: Influence) -> Row:
    after, score = one.without.assessment, without_score(one.without)
    said = [shown_number(one.neighbour.similarity)]
    if one.changes:
        said += [say("without it {score}", score=score), verdict_phrase(after.verdict)]
        lead = in_words(WITHOUT_IT)
        mark = CellMark(after.verdict)
        note = FigureCell(score, _CAPTION, figure=True, mark=mark, lead=lead)
    else:
        unchanged = in_words(UNCHANGED)
        said.append(unchanged)
        note = FigureCell(unchanged, _CAPTION, second=True, figure=True)
    tooltip = say(
        "Similarity {similarity}\nWithout it the score is {score}",
        similarity=repr(one.neighbour.similarity),
        score=repr(after.score),
    )
    measure = _measure(one.neighbour.similarity, note, say_list(said), tooltip)
    pill = in_words(SETS_NOVELTY) if one.sets_novelty else ""
    return _near_row(rank, others, one.neighbour, pill, measure)


def standing_rows(found: Sequence[Standing], own: Named | None = None) -> list[Row]:
    """Today's nearest entries, and what has become of each."""
    others = _beside([one.neighbour for one in found], own)
    rows = []
    for rank, one in enumerate(found):
        words, near = standing_words(one), one.neighbour
        note = FigureCell(words, _CAPTION, second=True, figure=True)
        said = f"{shown_number(near.similarity)}, {words}"
        tooltip = say("Similarity {similarity}", similarity=repr(near.similarity))
        measure = _measure(near.similarity, note, said, tooltip)
        rows.append(_near_row(rank, others, near, "", measure))
    return rows


def _beside(neighbours: Sequence[Neighbour], own: Named | None) -> tuple[Named, ...]:
    """All that are to be told apart, the trace itself at the end."""
    return (*neighbours,) if own is None else (*neighbours, own)


def _measure(similarity: float, note: FigureCell, said: str, tooltip: str) -> FigureCell:
    """A similarity as bar and figure, over a note on it."""
    bar = CellBar(similarity, Dimension.NOVELTY, height=6, width=84)
    return FigureCell(
        shown_number(similarity),
        TextRole.NAME,
        figure=True,
        bar=bar,
        below=note,
        said=said,
        tooltip=tooltip,
    )


def _near_row(
    rank: int, others: tuple[Named, ...], near: Neighbour, pill: str, measure: FigureCell
) -> Row:
    name = masked_in(neighbour_names(others)[rank])
    about = one_line(neighbour_about(near, others))
    known = (name, masked_in(near.key), masked_in(near.objective), neighbour_place(near))
    cells = (
        FigureCell(),
        FigureCell(shown_count(rank + 1), second=True, below=FigureCell()),
        FigureCell(
            name,
            TextRole.NAME,
            pill=pill,
            below=FigureCell(about, _CAPTION, second=True),
            said=say_list((name, pill, about)),
            tooltip="\n".join(known),
            elided_at=Qt.TextElideMode.ElideMiddle,
        ),
        measure,
        FigureCell(),
    )
    return Row(cells, _NEAR_HEIGHT, wish=near)


def order_rows(order: Order) -> list[Row]:
    """A row for each place: the verdict's shape where the score stands, and the score."""
    scores = (order.first, order.placed, order.after)
    axis = order_axis([one.score for one in scores], order.placed.threshold)
    rows = []
    for name, one in zip(place_names(order), scores, strict=True):
        role = TextRole.PANE if one is order.placed else TextRole.BODY
        score = shown_score(one.score, one.threshold)
        chart = partial(_paint_place, axis, one)
        cells = (
            FigureCell(name, role),
            FigureCell(picture=chart, said=verdict_word(one.verdict)),
            FigureCell(score, role, figure=True, tooltip=shown_whole(one.score)),
        )
        rows.append(Row(cells, ROW_HEIGHT))
    label = FigureCell(picture=partial(_paint_axis, axis), said=shown_short(axis.threshold))
    # the word is for those who do not see the number under the line
    return [*rows, Row((FigureCell(said=say("Threshold")), label, FigureCell()), _AXIS_HEIGHT)]


def order_axis(scores: Sequence[float], threshold: float) -> Scale:
    """An axis from below the lowest to above the highest score, so that small differences show."""
    low, high = min(*scores, threshold), max(*scores, threshold)
    margin = max(_LEAST_SPAN, _MARGIN_SHARE * (high - low))
    return Scale(low - margin, high + margin, threshold)


def _paint_place(
    axis: Scale, one: Assessment, painter: QPainter, rect: QRect, colours: Colours
) -> None:
    middle = rect.top() + rect.height() // 2
    fill(painter, QRect(rect.left(), middle, rect.width(), 1), colours.button_edge)
    line = QRect(axis.x(rect, axis.threshold) - _LINE // 2, rect.top(), _LINE, rect.height())
    fill(painter, line, colours.text)
    side = rect.height() * STATE_SIZE // ROW_HEIGHT
    left = axis.x(rect, one.score) - side // 2
    paint_state(painter, centred(rect, left, side), one.verdict, colours)


def _paint_axis(axis: Scale, painter: QPainter, rect: QRect, colours: Colours) -> None:
    strong = font(TextRole.HEADING, QApplication.font())
    words = shown_short(axis.threshold)
    width = QFontMetrics(strong).horizontalAdvance(words) + 2
    painter.setFont(strong)
    painter.setPen(colours.text)
    place = QRect(axis.x(rect, axis.threshold) - width // 2, rect.top(), width, rect.height())
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)


def fall_row(step: Step, one: StepFall, ranking: StepRanking, most: float) -> Row:
    """A step, and the similarity lost without it; ``most`` is the largest fall of all."""
    icon = ICONS.get(step.kind) if step.kind is not None else None
    said = say("{similarity} similar without it", similarity=shown_number(one.similarity))
    tool, about = masked_line(step.tool_name or "", _LONGEST_TOOL), masked_line(step.content)
    # a step without which the two are more alike has no dimension's colour
    dimension = Dimension.NOVELTY if one.fall >= 0 else None
    bar = CellBar(abs(one.fall) / most if most else 0.0, dimension, track=False)
    cells = (
        FigureCell(second=True, mark=CellMark(icon, ICON_SIZE) if icon else None),
        FigureCell(
            f"{shown_count(one.step)} {kind_word(step.kind)}",
            tooltip="\n".join(filter(None, (tool, about))),
        ),
        FigureCell(bar=bar, said=said),
        FigureCell(fall_words(one, ranking), figure=True, tooltip=shown_whole(-one.fall)),
    )
    return Row(cells, ROW_HEIGHT, wish=NeighbourWish(Do.GO_TO_STEP, one.step))
