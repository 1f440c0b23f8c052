"""What is remembered, as text and as JSON."""

import json
from pathlib import PurePosixPath

from hypothesis import given

from kpinspector.scoring.findings import Entry
from kpinspector.scoring.report.report import embedder_entry
from kpinspector.trace.printable import printable
from kpinspector.words.memory import MemoryFacts, facts_answer, list_answer, list_json
from kpinspector.words.writers.explanation_text import answer_text
from tests.strategies import hostile_texts

ENTRY = Entry(
    "kp:trace:1", "kp:trace:1", "Find the broken test", "/runs/a.json", 1_767_225_600_000, 1
)


def test_a_key_is_never_cut():
    long = Entry("text:" + "0" * 64, None, "word " * 20, "/runs/" * 20, 0, 2)
    wide = Entry("kp:trace:" + "長い" * 40, None, "word " * 20, "/runs/a.json", 0, 2)
    for width in (20, 40, 80, 120, None):
        written = answer_text(list_answer([ENTRY, long, wide]), width)
        assert all(one.key in written for one in (ENTRY, long, wide))
    assert max(map(len, answer_text(list_answer([ENTRY]), 60).splitlines())) <= 60
    assert answer_text(list_answer([ENTRY]), 40).splitlines() == [
        "added                 key",
        "2026-01-01T00:00:00Z  kp:trace:1",
        "    objective  Find the broken test",
        "    source     /runs/a.json",
        "1 entry",
    ]


def test_the_list_as_json_is_whole():
    long = "word " * 1000
    one = Entry("text:" + "0" * 64, None, long, "-", 0, 2)
    listed = json.loads(list_json([ENTRY, one]))
    assert (listed["format"], listed["version"]) == ("kpinspector-memory-list", 1)
    assert listed["entries"][0] == {
        "key": "kp:trace:1", "id": "kp:trace:1", "objective": "Find the broken test",
        "path": "/runs/a.json", "added_at": "2026-01-01T00:00:00Z", "record": None,
    }  # fmt: skip
    assert listed["entries"][1]["objective"] == long and listed["entries"][1]["id"] is None
    assert max(map(len, answer_text(list_answer([one])).splitlines())) < 200


@given(hostile_texts())
def test_no_text_adds_a_line_or_acts_on_a_terminal(text):
    written = answer_text(list_answer([Entry(text, text, text, text, 0, 1)]))
    assert written.count("\n") == 3
    assert all(printable(line) == line for line in written.split("\n"))


def test_facts_of_a_memory_without_a_file_or_a_model():
    facts = MemoryFacts(
        path=PurePosixPath("m"), entries=0, findings=0, bytes_on_disk=0, max_elements=1000,
        ttl_ms=60_000, embedder=embedder_entry(None),
    )  # fmt: skip
    text = answer_text(facts_answer(facts))
    assert "of the last 60,000 ms" in text and "nothing" in text and "MiniLM-L6-v2 missing" in text
