"""The columns that are shown on request: what is known of a row, its texts and its order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kpinspector.app.document import Document
from kpinspector.batch.summary import LEVERS
from kpinspector.scoring.formula.assess import losses_of, values_of
from kpinspector.scoring.formula.overrides import Rule, rules_that_fire
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.changes import ChangeKind
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.ui.traces.trace_row import DIMENSION_COLUMNS, SortKey, TraceColumn
from kpinspector.words.changes import REACH_WORDS
from kpinspector.words.figures import UNKNOWN, shown_count, shown_value
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_NAMES

if TYPE_CHECKING:
    from kpinspector.app.batches import BatchPicture

ALONE = 0
"""The group of a trace that is like no other."""
LEFT_OUT = 0
"""The place of a trace that the plan does not take."""
REACH_ORDER = {kind: number for number, kind in enumerate(ReachKind)}
COSTS: tuple[Dimension | Rule, ...] = (*Dimension, *Rule)


@dataclass(frozen=True, slots=True)
class BatchPlace:
    """Where a trace stands among all open ones, and what else is looked for on request.

    Attributes:
        group: From 1, the largest group first, or ``ALONE``; None until groups are known.
        place: From 1, or ``LEFT_OUT``; None until there is a plan.
        in_clear: How much of it would leave in clear by contribute; None until that is known.
        levers: The changes that would make a rejected one pass, as the filter calls them.
    """

    group: int | None = None
    place: int | None = None
    in_clear: int | None = None
    levers: frozenset[str] = frozenset()


NOWHERE = BatchPlace()


def lever_term(kind: ChangeKind, amount: float) -> str:
    """What the filter calls a change that is tried of every rejected trace."""
    return f"{kind}_{amount:.0f}"


def places_in(picture: "BatchPicture") -> dict[int, BatchPlace]:
    """The place of each trace of a batch, by the number of its document."""
    groups: dict[int, int] = {}
    for number, group in enumerate(picture.grouped.groups if picture.grouped else (), 1):
        groups |= dict.fromkeys(group.members, number if len(group.members) > 1 else ALONE)
    places: dict[int, int] = {}
    if picture.plan is not None:
        places = {one.candidate: LEFT_OUT for one in picture.plan.left_out}
        places |= {one.candidate: n for n, one in enumerate(picture.plan.chosen, 1)}
    return {
        document.number: BatchPlace(
            groups.get(index),
            places.get(index),
            levers=frozenset(lever_term(*LEVERS[one]) for one in judged.passing),
        )
        for index, (document, judged) in enumerate(
            zip(picture.documents, picture.judged, strict=True)
        )
    }


def dimension_value(document: Document, dimension: Dimension) -> float | None:
    """The value of a dimension; None while it is unknown, and for what is no trace."""
    facts = document.facts
    if facts is None or (dimension is Dimension.NOVELTY and document.measured is None):
        return None
    novelty = document.measured.measurement.novelty.value if document.measured else 0.0
    low, high = (values_of(end, novelty).of(dimension) for end in facts.outcome_ends)
    return low if low == high else None


def greatest_loss(document: Document) -> Dimension | Rule | None:
    """What costs a trace most, a dimension or a rule that fired; None where nothing does."""
    if document.score is None or document.assessment is None:
        return None
    losses = losses_of(document.assessment)
    greatest = max(losses, key=losses.__getitem__)
    return greatest if losses[greatest] > 0 else None


def fired_rules(document: Document) -> tuple[Rule, ...]:
    """The rules that fire however the run ended."""
    return () if document.facts is None else rules_that_fire(document.facts.outcome_ends[0])


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
