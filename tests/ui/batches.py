"""Batches as they are known once groups and a plan are found, without comparing anything."""

from collections.abc import Sequence
from typing import cast

from kpinspector.app.batches import BatchPicture
from kpinspector.app.document import Document
from kpinspector.batch.compared import Batch
from kpinspector.batch.groups import GroupedBatch, TraceGroup
from kpinspector.batch.plan import LeftOut, Obstacle, Plan, PlannedTrace
from kpinspector.batch.summary import JudgedTrace, summary_of
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.whatif.reach import ReachKind
from tests.known import present

NOTHING_TRIED = JudgedTrace(Verdict.ACCEPTED, ReachKind.ACCEPTED, None, (), {}, frozenset())


def picture_of(
    documents: Sequence[Document],
    groups: Sequence[tuple[int, ...]] | None = (),
    chosen: Sequence[int] | None = (),
) -> BatchPicture:
    """Groups and plan by places among the documents; what is in no group is alone.

    ``None`` stands for what is not found yet.
    """
    return BatchPicture(
        documents=tuple(documents),
        names=tuple(one.name for one in documents),
        judged=(NOTHING_TRIED,) * len(documents),
        summary=summary_of(()),
        grouped=None if groups is None else _grouped(len(documents), groups),
        plan=None if chosen is None else _plan(documents, chosen),
    )


def _grouped(size: int, groups: Sequence[tuple[int, ...]]) -> GroupedBatch:
    alone = [(one,) for one in range(size) if not any(one in group for group in groups)]
    made = [TraceGroup(one, one[0], None, None, (), 0) for one in (*groups, *alone)]
    return GroupedBatch(cast(Batch, None), 0.8, tuple(made))


def _plan(documents: Sequence[Document], chosen: Sequence[int]) -> Plan:
    others = [one for one in range(len(documents)) if one not in chosen]
    return Plan(
        chosen=tuple(_planned(documents[one], one) for one in chosen),
        left_out=tuple(LeftOut(one, Obstacle.SIMILAR, 0.9) for one in others),
        at_most=len(chosen),
        conservative=False,
    )


def _planned(document: Document, place: int) -> PlannedTrace:
    measurement = present(document.measured).measurement
    return PlannedTrace(place, None, measurement, present(document.assessment))
