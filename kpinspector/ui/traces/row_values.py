"""What is known of a row beside what every row shows; worked out only when it is asked for."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kpinspector.app.document import Document
from kpinspector.batch.summary import LEVERS
from kpinspector.scoring.formula.assess import losses_of, values_of
from kpinspector.scoring.formula.overrides import Rule, rules_that_fire
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.changes import ChangeKind

if TYPE_CHECKING:
    from kpinspector.app.batches import BatchPicture

ALONE = 0
"""The group of a trace that is like no other."""
LEFT_OUT = 0
"""The place of a trace that the plan does not take."""


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
