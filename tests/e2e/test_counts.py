"""Whoever counts in the window counts the same, and says of what."""

import re

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget

from kpinspector.__main__ import main
from kpinspector.files import resources
from tests import user
from tests.fakes import Gated, make_raw, save
from tests.user import drop

SAMPLE = resources() / "samples" / "ping.json"
TRACES = 1_010


def number(text):
    return int(text.replace(",", ""))


def chips(window):
    """How many each state's chip of the list stands for."""
    names = {"Accepted", "Rejected", "Pending", "Problems and others"}
    found = (one.accessibleName().partition(", ") for one in user.seen(window, QAbstractButton))
    return {word: number(count) for word, _, count in found if word in names}


def status(window):
    """What the status bar counts, by its words."""
    words = (
        r"(Stopped, )?([\d,]+) (traces?|scored|not scored yet|left|with problems|skipped|report)"
    )
    matches = (re.fullmatch(words, text) for text in user.texts(window.statusBar()))
    return {match[3].removesuffix("s"): number(match[2]) for match in matches if match}


def histogram(window):
    """What is said of the drawing: how many are scored, below, accepted, invalid."""
    said = user.find(window, QWidget, "Scores").accessibleDescription()
    return [number(one) for one in re.findall(r"(?<![\d.])[\d,]*\d(?![\d.])", said)]


def agree(window, *, others=0, invalid=0):
    """All counts are of the same rows."""
    by_chip, by_status, drawn = chips(window), status(window), histogram(window)
    traces = by_status["trace"]
    left = by_status.get("left", by_status.get("not scored yet", 0))
    scored = by_status.get("scored", 0)
    assert scored + left == traces
    assert by_chip["Problems and others"] == others
    assert sum(by_chip.values()) == traces + others
    verdicts = by_chip["Accepted"] + by_chip["Rejected"] + by_chip["Pending"]
    assert verdicts == traces
    assert drawn[0] == scored and sum(drawn[1:]) == scored
    assert len(drawn) == (4 if invalid else 3) and (not invalid or drawn[3] == invalid)
    head = f"{traces:,}" + {0: "", 1: " and 1 other"}.get(others, f" and {others} others")
    assert head in set(user.texts(window))
    assert user.row_count(window) == traces + others
    return traces, scored, left


@pytest.fixture
def everything(tmp_path):
    """Traces, of which one fails the schema above the threshold; what is no trace beside them."""
    raws = [
        make_raw(id=f"kp:trace:{n}", task={"objective": f"Objective {n}"})
        for n in range(TRACES - 1)
    ]
    invalid = make_raw(id="none", outcome={"result_summary": "", "confidence": 3})
    many = save(tmp_path / "many.jsonl", *raws, invalid)
    report = tmp_path / "report.json"
    main(["score", "--fresh", "--report", str(report), str(SAMPLE)])
    broken = tmp_path / "broken.json"
    broken.write_text('{"a" 1}', encoding="utf-8")
    skipped = save(tmp_path / "sop.json", {"@type": "ExpertSOP", "id": "kp:sop:1"})
    return many, report, broken, skipped


@pytest.mark.slow
def test_all_counts_agree(everything):
    embedder = Gated(200)
    many, *others = everything
    window = yield user.Main(many, embedder=embedder)
    yield lambda: user.row_count(window) == TRACES
    yield lambda: status(window).get("scored") == 200
    yield lambda: histogram(window)[0] == 200
    assert agree(window) == (TRACES, 200, TRACES - 200)
    user.choose_menu(window, "Score", "Stop")
    embedder.gate.set()
    yield user.reads(window, "left")
    # the trace that was being measured comes to its end
    yield lambda: histogram(window)[0] == status(window)["scored"] == 201
    assert agree(window)[2] == status(window)["left"] == TRACES - 201
    user.press(window, "Resume")
    yield lambda: status(window).get("scored") == TRACES
    yield lambda: histogram(window)[0] == TRACES
    agree(window, invalid=1)
    drop(window, *others)
    yield lambda: user.row_count(window) == TRACES + 3
    yield user.reads(window, f"1 of {TRACES + 1:,} could not be scored")
    yield user.reads(window, f"{TRACES:,} and 3 others")
    agree(window, others=3, invalid=1)
    QTest.keyClicks(user.filter_field(window), "11")
    yield user.reads(window, f" of {TRACES + 3:,} in all")
    rows = user.row_count(window)
    yield lambda: sum(chips(window).values()) == rows
    assert f"{rows} of {TRACES + 3:,} in all" in set(user.texts(window))
    assert histogram(window)[0] == rows


@pytest.mark.slow
def test_a_count_is_written_one_way(tmp_path, run):
    steps = [{"step_id": n, "type": "thought", "content": "so"} for n in range(1234)]
    long = save(tmp_path / "long.json", make_raw(steps=steps))
    window = yield from user.opened(long)
    said = "\n".join(user.texts(window)) + str(user.table(window, "Overrides"))
    assert "1,234" in said and "1234" not in said
    yield user.CLOSED
    said = run("explain", "--fresh", long).out
    assert "1,234 steps" in said and "1234" not in said
