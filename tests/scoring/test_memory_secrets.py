"""No secret of an objective is in what the memory keeps, and it goes when it is forgotten."""

import json
import sqlite3
from contextlib import closing

import pytest

from kpinspector.scoring.memory.memory import Memory
from kpinspector.trace.clear import masked_in
from tests.every_secret import HELD, leaks
from tests.known import present
from tests.scoring.memory_samples import remember, subject, vector_of

LENGTH = 300


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.sqlite3"


def rows_of(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


def nearest_of(memory, name):
    return present(memory.finding(subject(name))).neighbours


def test_no_secret_of_an_objective_stands_in_the_file(path):
    with Memory.open(path) as memory:
        for number, held in enumerate(HELD.values()):
            text = f"Hand {held} over " + "so " * (85 - number // 3) + held
            memory.remember(subject(f"id-{number}", objective=text), vector_of(f"{number}"))
    assert leaks(path.read_bytes().decode("latin-1")) == set()


def test_what_an_earlier_version_cut_shows_no_more_than_its_mask(path):
    with Memory.open(path) as memory:
        remember(memory, "a", "b")
    cuts = [
        f"{('so ' * LENGTH)[:before]} {held} on it goes"[: LENGTH - 1] + "…"
        for held in HELD.values()
        for before in range(LENGTH - len(held) - 3, LENGTH - 1)
    ]
    assert len(leaks(" ".join(cuts))) == len(HELD)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(
            "INSERT INTO entries (model, trace_id, variant, digest, objective, source_path,"
            " added_at, vector) SELECT model, 'c', 0, digest, ?, '', added_at, vector FROM entries"
            " WHERE trace_id = 'a'",
            [(cut,) for cut in cuts],
        )
        nearest = json.dumps([["a", "a", cut, "/runs/a.json", 0.5] for cut in cuts])
        connection.execute(
            "UPDATE findings SET neighbours = ?, max_similarity = 0.5,"
            " compared_with = ? WHERE trace_id = 'b'",
            (nearest, len(cuts)),
        )
    with Memory.guest(path) as memory:
        kept = [one.objective for one in memory.entries() if one.trace_id == "c"]
        assert kept == [one.objective for one in nearest_of(memory, "b")]
        assert memory.notices == ()
    assert len(kept) == len(cuts)
    assert leaks(masked_in(" and ".join(kept))) == set()
    assert all(one.startswith("so " * 70) and one.endswith("…") for one in kept)


def test_forgetting_takes_objective_and_file_out_of_the_findings_of_others(path):
    with Memory.open(path) as memory:
        remember(memory, "a", "b")
        before = remember(memory, "c")[0]
        assert memory.forget("a")
        after = nearest_of(memory, "c")
        assert not memory.forget("a"), "it is forgotten"
    assert [one.similarity for one in after] == [one.similarity for one in before.neighbours]
    left = {one.key: (one.objective, one.source_path) for one in after}
    assert left == {"a": ("", ""), "b": ("objective of b", "runs/one.jsonl")}
    assert b"objective of a" not in path.read_bytes()


def test_so_does_forgetting_one_text_of_several(path):
    texts = [subject("a", text, variant=True, objective=f"Do {text}") for text in ("x", "y")]
    without = subject(None, "z", objective="Do z")
    with Memory.open(path) as memory:
        for one in (*texts, without):
            memory.remember(one, vector_of(one.digest))
        memory.remember(subject("b"), vector_of("b"))
        assert memory.forget(texts[0].key) and memory.forget(without.key)
        left = sorted(one.objective for one in nearest_of(memory, "b"))
    assert left == ["", "", "Do y"]


def test_what_only_the_findings_of_others_name_can_be_forgotten(path):
    with Memory.open(path) as memory:
        remember(memory, "a", "b")
    rows_of(path, "DELETE FROM entries WHERE trace_id = 'a'")
    rows_of(path, "DELETE FROM findings WHERE trace_id = 'a'")
    with Memory.open(path) as memory:
        assert memory.forget("a")
        (near,) = nearest_of(memory, "b")
    assert (near.key, near.objective, near.source_path) == ("a", "", "")
    assert json.loads(rows_of(path, "SELECT neighbours FROM findings")[0][0])[0][2:4] == ["", ""]
