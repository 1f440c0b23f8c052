"""Batches of made-up vectors, through the code that measures real ones."""

import numpy as np
from hypothesis import strategies as st

from kpinspector.batch.compared import compared, embedded
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.measurement import (
    Measurement,
    assumed_novelty,
    at_similarity,
    facts_of,
)
from kpinspector.scoring.formula.profiles import Terms, profile_for
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.vectors import DIMENSIONS, cosine
from kpinspector.scoring.novelty.sequence import measure_batch, places_of
from kpinspector.settings import Mode, Settings
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.records import Source, TraceRecord
from kpinspector.trace.schema import find_issues, passes
from tests.fakes import FakeEmbedder, make_raw


class Given(FakeEmbedder):
    """Embeds a text as the vector that was given for it."""

    def __init__(self, vectors):
        super().__init__()
        self._vectors = {self.window(text).digest: vector for text, vector in vectors.items()}

    def embed(self, window):
        super().embed(window)
        return self._vectors[window.digest]


def vector(*values):
    """A vector that begins so."""
    made = np.zeros(DIMENSIONS, np.float32)
    made[: len(values)] = values
    return made


def at_angle(degrees):
    """A unit vector; the similarity of two is the cosine of the angle between them."""
    return vector(*np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]))


def record(number, confidence=0.9, *, tools=2, success=True, trace_id=None, **changes):
    """A trace of a batch; ``number`` is its record in the file and makes its text."""
    steps = [
        {"step_id": n, "type": "tool_call", "content": "", "tool": {"name": f"tool {n}"}}
        for n in range(tools)
    ]
    raw = make_raw(
        id=trace_id or f"kp:trace:{number}",
        task={"objective": f"text{number}"},
        steps=steps or [{"step_id": 0, "type": "thought", "content": ""}],
        outcome={"result_summary": "", "confidence": confidence},
        **changes,
    )
    raw["metadata"]["success"] = success
    return TraceRecord(Source("made.jsonl", number, number), trace_from_json(raw), find_issues(raw))


class Made:
    """Traces, their vectors, and a memory with others; everything real but the embedding.

    Attributes:
        records: The traces.
        batch: They, compared.
    """

    def __init__(self, traces, remembered=(), max_elements=1000):
        self.records = [record(n, *facts) for n, (facts, _) in enumerate(traces, 1)]
        self.traces = traces
        self.vectors = [found for _, found in traces]
        self.max_elements = max_elements
        self.others = [record(1000 + n) for n, _ in enumerate(remembered)]
        texts = [one.trace.text for one in (*self.records, *self.others)]
        self.embedder = Given(dict(zip(texts, [*self.vectors, *remembered], strict=True)))
        self.remembered = list(remembered)
        with self.memory() as memory:
            places = places_of([one.trace for one in self.records], self.embedder)
            found = [
                embedded(one, place, self.embedder, memory)
                for one, place in zip(self.records, places, strict=True)
            ]
            self.batch = compared(found, self.embedder.model, memory, max_elements)

    def memory(self):
        """A memory of its own that holds the others."""
        memory = Memory(Mode.FRESH, None, Settings(max_elements=self.max_elements))
        for _ in measure_batch(self.others, self.embedder, memory):
            pass
        return memory

    def scored(self, order, terms):
        """What scoring gives for these traces in this order, and nothing else."""
        with self.memory() as memory:
            records = [self.records[one] for one in order]
            return [
                assess(one.measurement, terms.profile_of(one.measurement), terms.threshold)
                for one in measure_batch(records, self.embedder, memory)
            ]

    def most_accepted(self, terms, among=None, kept=()):
        """The largest number of traces that are all accepted, by trying every order.

        Whether one is accepted does not depend on the order of those before, so that orders of the
        same traces are gone on with once.
        """
        similar = [[similarity(a, b) for b in self.vectors] for a in self.vectors]
        known = [[similarity(a, b) for b in self.remembered] for a in self.vectors]
        accepts = [self._accepting(one, terms) for one in self.records]

        every = set(range(len(self.records)) if among is None else among)
        reached, waiting = {frozenset()}, [frozenset()]
        while waiting:
            before = waiting.pop()
            for one in every - before:
                near = [*known[one], *(similar[one][other] for other in before)]
                after = before | {one}
                if after not in reached and accepts[one](max(near, default=None)):
                    reached.add(after)
                    waiting.append(after)
        return max((len(one) for one in reached if one >= {*kept}), default=None)

    def _accepting(self, one, terms):
        facts = facts_of(one.trace, schema_valid=passes(one.issues))
        measurement = Measurement(facts, assumed_novelty(None))
        profile = terms.profile_of(measurement)

        def accepts(near):
            judged = assess(at_similarity(measurement, near), profile, terms.threshold)
            return judged.verdict == "accepted"

        return accepts


def similarity(left, right):
    """As novelty finds it."""
    return cosine(right, left)


def score_at(one, near):
    """The score of a record whose nearest is so similar."""
    facts = facts_of(one.trace, schema_valid=True)
    measurement = at_similarity(Measurement(facts, assumed_novelty(None)), near)
    return assess(measurement, profile_for(facts.task_domain), 0.0).score


# few directions, so that many similarities are equal; some in between, so that few are
_angles = st.one_of(
    st.sampled_from([0, 20, 40, 60, 75, 90, 140]).map(at_angle), st.floats(0, 180).map(at_angle)
)
_wild = st.integers(0, 60).map(
    lambda seed: vector(*np.random.default_rng(seed).normal(size=5).clip(-0.5))
)
_facts = st.tuples(st.sampled_from([0.0, 0.4, 0.7, 0.9, 1.0]))
_vectors = st.one_of(_angles, _wild)
traces = st.lists(st.tuples(_facts, _vectors), min_size=1, max_size=8)


@st.composite
def batches(draw):
    """Traces, what is remembered, and terms of which the threshold is often just met."""
    made = Made(draw(traces), draw(st.lists(_vectors, max_size=2)))
    one = draw(st.sampled_from(made.records))
    nears = [similarity(a, b) for a in made.vectors for b in made.vectors]
    exact = score_at(one, draw(st.sampled_from([None, *nears])))
    step = draw(st.sampled_from([0.0, 1.0, None]))
    threshold = exact if step is None else float(np.nextafter(exact, step))
    return made, Terms(draw(st.sampled_from([threshold, 0.3, 0.5, 0.6])))
