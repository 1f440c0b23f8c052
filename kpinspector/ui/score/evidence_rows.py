"""The evidence of a term of the score, as rows below it: steps, neighbours, the outcome."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from kpinspector.scoring.formula.assess import steps_behind
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import ReasoningTrace, Step
from kpinspector.ui.look.plain_text import masked_line
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.tables.figure_model import FigureCell, Row
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_count, shown_number, shown_whole
from kpinspector.words.novelty import neighbour_place
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import MARK_WORDS, kind_word

_MOST_STEPS = 8
_MOST_NEIGHBOURS = 3
_LONGEST_TOOL = 80
_ROW_HEIGHT = 18


@dataclass(frozen=True, slots=True)
class StepWish:
    """The wish to see a step; ``index`` is its place in the trace."""

    index: int


@dataclass(frozen=True, slots=True)
class NeighboursWish:
    """The wish to see the traces that novelty was compared with."""


def evidence_rows(explanation: Explanation, term: Dimension | Rule) -> tuple[Row, ...]:
    """Rows of four columns, of which the third takes what the others leave."""
    record = explanation.record
    if record is None:
        return ()
    if isinstance(term, Rule):
        return tuple(_step_rows((step, ()) for step in steps_behind(term, record.trace.steps)))
    match term:
        case Dimension.COMPLEXITY | Dimension.TOOL_DIVERSITY:
            counted = explanation.counted[term]
            marked = ((one.step, [MARK_WORDS[mark] for mark in one.marks]) for one in counted)
            return tuple(_step_rows(marked))
        case Dimension.NOVELTY:
            return tuple(_neighbour_rows(explanation))
        case Dimension.OUTCOME_CONFIDENCE:
            return tuple(_outcome_rows(explanation, record.trace))


def _step_rows(steps: Iterable[tuple[Step, Iterable[str]]]) -> Iterator[Row]:
    rest = iter(steps)
    for step, marks in islice(rest, _MOST_STEPS):
        kind, tool = kind_word(step.kind), masked_line(step.tool_name or "", _LONGEST_TOOL)
        words = say_list((kind, tool, *marks))
        yield _row(say("Step {index}", index=step.index), words, wish=StepWish(step.index))
    further = sum(1 for _ in rest)
    if further:
        yield _row("", say("and {more} more", more=shown_count(further)))


def _neighbour_rows(explanation: Explanation) -> Iterator[Row]:
    novelty = explanation.novelty
    if novelty is not None and novelty.neighbours:
        named = zip(novelty.names, novelty.neighbours, strict=True)
        for name, near in islice(named, _MOST_NEIGHBOURS):
            about = near.objective, near.key
            entry = FigureCell(
                masked_in(name),
                TextRole.CAPTION,
                tooltip="\n".join((*map(masked_in, about), neighbour_place(near))),
                span=2,
            )
            figure = FigureCell(
                shown_number(near.similarity),
                TextRole.CAPTION,
                second=True,
                figure=True,
                tooltip=shown_whole(near.similarity),
            )
            yield Row((FigureCell(), entry, figure), _ROW_HEIGHT, wish=NeighboursWish())
    else:
        yield _row("", explanation.evidence(Dimension.NOVELTY))


def _outcome_rows(explanation: Explanation, trace: ReasoningTrace) -> Iterator[Row]:
    yield _row("", explanation.evidence(Dimension.OUTCOME_CONFIDENCE))
    if trace.outcome.result_summary:
        yield _row("", masked_line(trace.outcome.result_summary))


def _row(name: str, words: str, wish: object = None) -> Row:
    if not name:
        text = FigureCell(words, TextRole.CAPTION, second=True, tooltip=words, span=3)
        return Row((FigureCell(), text), _ROW_HEIGHT, wish=wish)
    text = FigureCell(words, TextRole.CAPTION, second=True, tooltip=words, span=2)
    return Row((FigureCell(), FigureCell(name, TextRole.CAPTION), text), _ROW_HEIGHT, wish=wish)
