"""All open traces together: their summary, groups, map and plan."""

from dataclasses import dataclass

from kpinspector.app.document import Document
from kpinspector.batch.groups import GroupedBatch
from kpinspector.batch.plan import Plan
from kpinspector.batch.summary import BatchSummary


@dataclass(frozen=True, slots=True, eq=False)
class BatchPicture:
    """What is known of n open traces together, as far as it is found.

    Attributes:
        documents: The traces, in the order of the list's rows as they came.
        names: What the list calls each of them.
        grouped: None until all are compared and linked.
        order: Shape (n,), the places in ``documents`` in the order of the map; empty until then.
        plan: None until it is found.
        at_best: The plan with the best outcomes where some are not known, else None.
    """

    documents: tuple[Document, ...]
    names: tuple[str, ...]
    summary: BatchSummary
    grouped: GroupedBatch | None = None
    order: tuple[int, ...] = ()
    plan: Plan | None = None
    at_best: Plan | None = None
