"""Who finds a posted trace, and what another agent receives of it."""

import pytest

from kpinspector.sharing.answer import Sharing
from kpinspector.sharing.found import SEARCHES, few_shot, finders
from kpinspector.sharing.posting import contributed
from kpinspector.trace.javascript import JsonValue
from kpinspector.words.explain.blocks import Table
from kpinspector.words.sharing_words import sharing_sections
from tests.fakes import make_raw


@pytest.mark.parametrize(
    ("quality", "found_by"),
    [
        (0.8, ["KPRetrieval", "MCP", "kp search"]),
        (0.79, ["MCP", "kp search"]),
        (0.75, ["MCP", "kp search"]),
        (0.7, ["kp search"]),
        (0.69, []),
    ],
)
def test_a_search_finds_what_reaches_what_it_asks_for(quality, found_by):
    assert [one.name for one in finders(quality)] == found_by


def posted(quality, **changes):
    raw = make_raw(**changes)
    raw["metadata"]["quality_score"] = quality
    return Sharing(contributed(raw), None, 0.75)


def test_nobody_finds_what_the_registry_refuses():
    assert posted(0.9).found_by == SEARCHES
    refused = posted(0.9, id="no id of a trace")
    assert refused.issues and refused.found_by == ()


def test_by_how_much_it_is_found_or_missed():
    found = next(one for one in sharing_sections(posted(0.76)) if one.title == "Found again?")
    (table,) = found.blocks
    assert isinstance(table, Table)
    assert [row[-1].text for row in table.rows] == ["\N{MINUS SIGN}0.0400", "+0.0100", "+0.0600"]


def test_an_empty_content_stays_empty_for_others():
    steps: list[JsonValue] = [
        {"type": "thought", "content": "Look."},
        {"type": "tool_call", "output_summary": "Found."},
        {"type": "observation", "content": None, "output_summary": "Read."},
        {"type": "observation", "content": "", "output_summary": "never received"},
        {"type": "error_recovery"},
    ]
    assert few_shot(steps).split("\n") == [
        *("[THOUGHT] Look.", "[TOOL_CALL] Found.", "[OBSERVATION] Read.", "[OBSERVATION] "),
        "[ERROR_RECOVERY] ",
    ]
