"""What neighbours are called: short where that is enough, and never two of them the same."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.scoring.findings import Neighbour, neighbour_names
from kpinspector.scoring.memory.memory import Memory
from kpinspector.settings import Mode
from tests.known import present
from tests.scoring.memory_samples import subject, vector_of
from tests.strategies import hostile_texts


def near(key, path, record=None, objective="Find it"):
    return Neighbour(key, key, objective, path, 0.5, record)


@pytest.mark.parametrize(
    ("neighbours", "names"),
    [
        ([near("a", "/x/visit-03.json")], ["visit-03"]),
        ([near("a", "/x/runs.jsonl", 3), near("b", "/x/runs.jsonl", 40)], ["runs 3", "runs 40"]),
        ([near("a", "/x/run.json"), near("b", "/x/run.yaml")], ["run.json", "run.yaml"]),
        ([near("a", "/x/a/run.json"), near("b", "/x/b/run.json"), near("c", "/x/b/other.json")],
         ["a/run.json", "b/run.json", "other"]),
        ([near("a", "/x/runs.jsonl", 3), near("b", "/y/runs.jsonl", 3)],
         ["x/runs.jsonl 3", "y/runs.jsonl 3"]),
        ([near("a", "/x/run.json", 3), near("b", "/x/run.json", 3)],
         ["/x/run.json 3, a", "/x/run.json 3, b"]),
        # remembered before numbers of records were
        ([near("a", "/x/runs.jsonl"), near("b", "/x/runs.jsonl"), near("c", "/x/runs.jsonl",
          objective="Else")], ['"Find it", a', '"Find it", b', '"Else"']),
        ([near("a", ""), near("b", "", objective="Else")], ['"Find it"', '"Else"']),
        ([near("a", "/x/a\nb.json")], ["a\N{REPLACEMENT CHARACTER}b"]),
    ],
)  # fmt: skip
def test_a_name_tells_as_much_as_it_takes(neighbours, names):
    assert list(neighbour_names(tuple(neighbours))) == names


parts = st.sampled_from(["run", "a", "b.json", "b", "run.jsonl", "run.json"]) | hostile_texts(50)
neighbours = st.builds(
    near, st.text("abc", min_size=1, max_size=2), st.lists(parts, max_size=3).map("/".join),
    st.none() | st.integers(1, 3), st.sampled_from(["", "Find it"]),
)  # fmt: skip


@given(st.lists(neighbours, max_size=8, unique_by=lambda one: one.key))
def test_no_two_share_a_name(found):
    names = neighbour_names(tuple(found))
    assert len(set(names)) == len(names) == len(found)


@pytest.mark.parametrize("path", ["/x/runs.jsonl", "/x/odd#3", "/x/odd#0", "#1", "Pasted text"])
@pytest.mark.parametrize("record", [None, 1, 12])
def test_the_memory_keeps_the_number_of_a_record(tmp_path, path, record):
    first = replace(subject("a"), source_path=path, record=record)
    with Memory(Mode.REMEMBER, tmp_path / "memory.sqlite3") as memory:
        memory.remember(first, vector_of("a"))
        memory.remember(subject("b"), vector_of("b"))
    with Memory(Mode.REMEMBER, tmp_path / "memory.sqlite3") as memory:
        kept = present(memory.finding(subject("b"))).neighbours[0]
        assert (kept.source_path, kept.record) == (path, record)
        entry = memory.entries()[0]
        assert (entry.source_path, entry.record) == (path, record)
