"""Long random runs against the rules of the memory in their plainest form."""

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from kpinspector.scoring.findings import Subject
from kpinspector.scoring.memory import memory as memory_module
from kpinspector.scoring.memory.memory import Memory
from kpinspector.settings import Mode, Settings
from tests.scoring.memory_samples import Clock, keys_of, order_of, subject, vectors


@dataclass
class PlainMemory:
    """The rules in their plainest form."""

    max_elements: int
    ttl_ms: int | None
    kept: int
    clock: Clock
    entries: list[tuple[Subject, np.ndarray, int]] = field(default_factory=list)
    findings: dict[tuple, tuple] = field(default_factory=dict)

    def compare(self, asked, vector, *, again=False):
        name = (asked.trace_id, asked.digest, asked.model)
        known = name in self.findings
        if known and not again:
            return self.findings[name]
        live = [
            entry
            for entry in self.entries
            if entry[0].model == asked.model
            and (self.ttl_ms is None or entry[2] > self.clock.now - self.ttl_ms)
        ][-self.max_elements :]
        if known or not asked.variant:
            live = [entry for entry in live if not self.own(entry[0], asked)]
        nearest = sorted(((-float(np.dot(e[1], vector)), n, e[0].key) for n, e in enumerate(live)))
        self.findings[name] = (len(live), [key for _, _, key in nearest[:10]])
        if not known:
            self.add(asked, vector)
        return self.findings[name]

    @staticmethod
    def own(entry, asked):
        same_id = entry.trace_id == asked.trace_id
        if asked.trace_id is None or asked.variant:
            return same_id and entry.digest == asked.digest
        return same_id

    def add(self, asked, vector):
        self.entries = [
            entry
            for entry in self.entries
            if entry[0].model != asked.model
            or not self.own(entry[0], asked)
            or (entry[0].variant and not asked.variant)
        ]
        self.entries.append((asked, vector, self.clock.now))
        of_model = [entry for entry in self.entries if entry[0].model == asked.model]
        if len(of_model) > self.kept:
            dropped = of_model[0]
            self.entries = [entry for entry in self.entries if entry is not dropped]

    def forget(self, trace_id):
        self.entries = [entry for entry in self.entries if entry[0].trace_id != trace_id]
        self.findings = {n: f for n, f in self.findings.items() if n[0] != trace_id}


@pytest.mark.parametrize("seed", range(6))
def test_long_runs_of_two_at_once_follow_the_plain_rules(tmp_path, monkeypatch, seed):
    path = tmp_path / "memory.sqlite3"
    monkeypatch.setattr(memory_module, "_KEPT_AT_LEAST", 12)
    rng, clock = random.Random(seed), Clock()
    limits: dict[str, Any] = {"max_elements": rng.choice([4, 8]), "ttl_ms": rng.choice([None, 40])}
    plain = PlainMemory(**limits, kept=12, clock=clock)
    texts = {f"text {n}": vector.astype(float) for n, vector in enumerate(vectors(30, seed))}
    two = [Memory(Mode.REMEMBER, path, Settings(**limits), clock=clock) for _ in range(2)]
    for _ in range(500):
        clock.now += rng.choice([-30, 0, 1, 1, 5, 10])
        number = rng.randrange(2)
        text = rng.choice(list(texts))
        asked = subject(
            rng.choice([None, "a", "b", "c", "d", "e", "f", "g"]),
            text,
            variant=rng.random() < 0.2,
            model=rng.choice(["m" * 64] * 7 + ["n" * 64]),
        )
        match rng.choices(
            ["remember", "again", "forget", "clear", "reopen"], weights=[80, 10, 6, 0.5, 3]
        )[0]:
            case "forget" if asked.trace_id is not None:
                two[number].forget(asked.trace_id)
                plain.forget(asked.trace_id)
            case "clear":
                two[number].clear()
                plain.entries, plain.findings = [], {}
            case "reopen":
                two[number].close()
                two[number] = Memory(Mode.REMEMBER, path, Settings(**limits), clock=clock)
            case how:
                again = how == "again"
                expected = plain.compare(asked, texts[text], again=again)
                found = two[number].remember(asked, texts[text], again=again)
                assert (found.compared_with, keys_of(found)) == expected
        assert order_of(two[1 - number]) == [entry[0].key for entry in plain.entries]
        assert two[0].findings_count == len(plain.findings)
    for memory in two:
        assert memory.notices == ()
        memory.close()
