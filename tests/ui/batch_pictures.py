"""Pictures of small batches: made-up vectors, and everything else as it is computed."""

from dataclasses import replace

import numpy as np

from kpinspector.app.batches import BatchPicture
from kpinspector.app.document import Document, Rules
from kpinspector.batch.groups import groups_at, link
from kpinspector.batch.plan import begin_plan, make_plan
from kpinspector.batch.summary import judge, summary_of
from kpinspector.scoring.formula.profiles import Terms
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.settings import Mode
from tests.batch.made import Made, at_angle, vector

THRESHOLD = 0.5
# two groups of near-duplicates at 0.8, of three and of two, and one trace alone
SIX = (
    ((0.9,), at_angle(0)),
    ((0.2,), vector(0, 0, 1)),
    ((0.1,), at_angle(10)),
    ((0.9,), vector(0, 0, 1, 0.4)),
    ((0.9,), at_angle(20)),
    ((0.9,), vector(0, 0, 0, 0, 1)),
)


def picture_of(traces, *, similarity=0.8, planned=True):
    """The picture of traces, each given by its facts and its vector."""
    made, terms = Made(list(traces)), Terms(THRESHOLD)
    with Memory(Mode.FRESH, None) as memory:
        measured = [*measure_batch(made.records, made.embedder, memory)]
    documents = tuple(
        Document(number, one.record, Rules(threshold=THRESHOLD), one)
        for number, one in enumerate(measured)
    )
    plan = make_plan(begin_plan(made.batch, terms)) if planned else None
    linked = link(made.batch.similarities)
    chosen = [] if plan is None else [one.candidate for one in plan.chosen]
    judged = tuple(judge(one, terms) for one in measured)
    grouped = groups_at(made.batch, linked, similarity, terms, chosen)
    return BatchPicture(
        documents=documents,
        names=tuple(one.name for one in documents),
        judged=judged,
        summary=summary_of(judged),
        grouped=grouped,
        order=linked.order,
        plan=plan,
    )


def many(count):
    """The picture of many traces, spread over few directions; none is planned."""
    vectors = np.random.default_rng(1).normal(size=(count, 3)).astype(np.float32)
    return picture_of((((0.9,), vector(*one)) for one in vectors), planned=False)


def compared_yet(picture):
    """The picture before its traces are compared."""
    return replace(picture, grouped=None, order=())
