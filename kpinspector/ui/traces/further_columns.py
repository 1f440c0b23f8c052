"""The columns that are shown on request: their texts, and what they are sorted by."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from kpinspector.app.document import Document
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.ui.traces.row_values import (
    ALONE,
    LEFT_OUT,
    BatchPlace,
    dimension_value,
    fired_rules,
    greatest_loss,
)
from kpinspector.ui.traces.trace_row import DIMENSION_COLUMNS, SortKey, TraceColumn
from kpinspector.words.changes import REACH_WORDS
from kpinspector.words.figures import UNKNOWN, shown_count, shown_value
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_NAMES

REACH_ORDER = {kind: number for number, kind in enumerate(ReachKind)}
COSTS: tuple[Dimension | Rule, ...] = (*Dimension, *Rule)


class _Further(NamedTuple):
    """A column's text for a document, and its sort key; None sorts last."""

    text: Callable[[Document, BatchPlace], str]
    key: Callable[[Document, BatchPlace], SortKey]


def further_text(document: Document, place: BatchPlace, column: TraceColumn) -> str:
    """The text of a cell."""
    return _FURTHER[column].text(document, place)


def further_key(document: Document, place: BatchPlace, column: TraceColumn) -> SortKey:
    """What a column sorts a document by."""
    return _FURTHER[column].key(document, place)


def cost_name(cost: Dimension | Rule) -> str:
    """What a dimension or a rule is called."""
    return DIMENSION_NAMES[cost] if isinstance(cost, Dimension) else RULE_NAMES[cost]


def group_word(group: int | None) -> str:
    """A group's number; a word for a trace that is in none."""
    if group is None:
        return UNKNOWN
    return say("alone") if group == ALONE else shown_count(group)


def place_word(place: int | None) -> str:
    """A trace's place in the plan; words for one that is left out."""
    if place is None:
        return UNKNOWN
    return say("left out") if place == LEFT_OUT else shown_count(place)


def _dimension(dimension: Dimension) -> _Further:
    def text(document: Document, _place: BatchPlace) -> str:
        value = dimension_value(document, dimension)
        return UNKNOWN if value is None else shown_value(value)

    return _Further(text, lambda document, _: dimension_value(document, dimension))


def _reach_text(document: Document) -> str:
    return UNKNOWN if document.reach is None else REACH_WORDS[document.reach]


def _reach_key(document: Document) -> int | None:
    return None if document.reach is None else REACH_ORDER[document.reach]


def _loss_text(document: Document) -> str:
    cost = greatest_loss(document)
    return UNKNOWN if cost is None else cost_name(cost)


def _loss_key(document: Document) -> int | None:
    cost = greatest_loss(document)
    return None if cost is None else COSTS.index(cost)


def _rules_text(document: Document) -> str:
    return say_list(RULE_NAMES[rule] for rule in fired_rules(document))


_FURTHER: Mapping[TraceColumn, _Further] = {
    **{column: _dimension(one) for column, one in DIMENSION_COLUMNS.items()},
    TraceColumn.REACH: _Further(
        lambda document, _: _reach_text(document), lambda document, _: _reach_key(document)
    ),
    TraceColumn.LOSS: _Further(
        lambda document, _: _loss_text(document), lambda document, _: _loss_key(document)
    ),
    TraceColumn.RULES: _Further(
        lambda document, _: _rules_text(document), lambda document, _: _rules_text(document) or None
    ),
    TraceColumn.GROUP: _Further(
        lambda _, place: group_word(place.group), lambda _, place: place.group or None
    ),
    TraceColumn.IN_CLEAR: _Further(
        lambda _, place: UNKNOWN if place.in_clear is None else shown_count(place.in_clear),
        lambda _, place: place.in_clear,
    ),
    TraceColumn.PLACE: _Further(
        lambda _, place: place_word(place.place), lambda _, place: place.place or None
    ),
}
FURTHER_COLUMNS = frozenset(_FURTHER)
