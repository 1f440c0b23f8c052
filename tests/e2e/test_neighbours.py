"""Neighbours, order and what novelty did not see: through the window, from ``main``."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QProgressBar, QScrollArea, QTableView

from kpinspector.files import MEMORY_FILE, resources
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import make_raw, save
from tests.user import drop, idle, reads, trigger


def save_trace(path, trace_id, *contents):
    steps = [{"step_id": n, "type": "thought", "content": one} for n, one in enumerate(contents)]
    return save(path, make_raw(id=trace_id, steps=steps, task={"objective": path.stem}))


def show(window, row):
    """Make a row the current one, and come to its neighbours."""
    user.go_to_row(window, row)
    trigger(window, Command.NEIGHBOURS)
    return user.find(window, QScrollArea, "Neighbours")


def nearest(page):
    return user.table(page, "Nearest remembered traces")


def rows(page):
    return [row[1].split(",")[0] for row in nearest(page)]


def order(page):
    return user.table(page, "Order")


def alike(page):
    return user.table(page, "Steps that make them alike")


def progress(page):
    return user.find(page, QProgressBar, "Rank Steps, progress", visible=False)


@pytest.mark.slow
def test_the_neighbours_of_a_trace_then_and_today(tmp_path):
    """Item by item: who set novelty, what without it, today's, and going to one of them."""
    first = [save_trace(tmp_path / f"{name}.json", name, name, "then more") for name in "ab"]
    window = yield from user.opened(*first, wide=True)
    page = show(window, "b")
    assert rows(page) == ["a"]
    assert "sets novelty" in nearest(page)[0][1]
    drop(window, save_trace(tmp_path / "c.json", "c", "c"))
    yield idle(window)
    page = show(window, "b")
    user.press(page, "Today")
    yield lambda: len(rows(page)) == 2
    assert {row[-1].rpartition(", ")[2] for row in nearest(page)} == {"as it was", "new since then"}
    drop(window, save_trace(tmp_path / "d.json", "d", "d"))
    yield idle(window)
    show(window, "b")
    yield lambda: len(rows(page)) == 3
    user.press(page, "When Scored")
    assert rows(page) == ["a"]
    user.press(page, "Compare")
    yield reads(window, "Swap sides")
    user.press(page, "Leave Out in What-if")
    assert user.tab(window) == "What-if"
    assert user.case(window)["held"] == ["set by hand"]
    assert user.number_in(window, "Novelty, value") == 0.5  # there was no other
    trigger(window, Command.NEIGHBOURS)
    user.press(page, "Open")
    assert user.current_name(window) == "a"
    assert rows(page) == []
    first, placed, *_ = order(page)
    assert first[1:] == placed[1:] and placed[0] == "At its place, 1"


def test_no_neighbour_is_called_like_the_trace_itself(tmp_path):
    """The same file name and record in another folder: list, why, evidence, tip and question."""
    files = []
    for folder in "ab":
        (tmp_path / folder).mkdir()
        raws = [make_raw(id=f"{folder}{n}", task={"objective": f"{folder}{n}"}) for n in "12"]
        files.append(save(tmp_path / folder / "t.jsonl", *raws))
    window = yield from user.opened(*files, wide=True)
    page = show(window, 2)
    assert sorted(rows(page)) == ["a/t.jsonl 1", "t 2"]
    (name,) = (row[1].split(",")[0] for row in nearest(page) if "sets novelty" in row[1])
    user.press(page, "Today")
    yield lambda: len(rows(page)) == 3
    assert sorted(rows(page)) == ["a/t.jsonl 1", "a/t.jsonl 2", "b/t.jsonl 2"]
    assert user.is_seen(page, QAbstractButton, "Rank Steps")
    assert user.reads(page, f"compares with {name}.")()
    assert f"Compare with {name}," in user.action(window, Command.COMPARE).toolTip()
    trigger(window, Command.WHY)
    assert any(f"similar to {name}" in row[-1] for row in user.table(window, "Dimensions"))
    chart = user.find(window, QTableView, "How it adds up")
    user.go_down_to(chart, "Novelty, closed")
    QTest.keyClick(chart, user.RETURN)
    said = {cell for row in user.table(window, "How it adds up") for cell in row}
    assert {"a/t.jsonl 1", "t 2"} <= said and "t 1" not in said


def test_a_neighbour_whose_file_is_gone_is_said(tmp_path):
    gone = save_trace(tmp_path / "gone.json", "gone", "x")
    window = yield from user.opened(gone)
    yield user.CLOSED
    gone.unlink()
    window = yield from user.opened(save_trace(tmp_path / "stays.json", "stays", "y"))
    page = show(window, "stays")
    assert rows(page) == ["gone"]
    user.press(page, "Open")
    yield reads(window, "is not there any more")


def test_order_made_visible(tmp_path, data_dir):
    """The verdict that depends on order is marked in the list, drawn, and true."""
    steps = [
        {"step_id": n, "type": kind, "content": kind, "tool": {"name": str(n)}}
        for n, kind in enumerate(("thought", "tool_call", "observation", "error_recovery"))
    ]
    for name in ("one", "two"):
        raw = make_raw(
            id=f"kp:trace:{name}", steps=steps, outcome={"result_summary": "", "confidence": 0.8}
        )
        save(tmp_path / f"{name}.json", raw)
    window = yield from user.opened(tmp_path / "one.json", tmp_path / "two.json", wide=True)
    first, placed = (row["Score"] for row in user.trace_rows(window))
    assert placed < first
    user.set_number(window, "Threshold", round((float(first) + float(placed)) / 2, 2))
    drawn = order(show(window, "two"))
    assert [row[1] for row in drawn[:3]] == ["Accepted", "Rejected", "Rejected"]
    assert [drawn[0][-1], drawn[1][-1]] == [first, placed]
    other = "it would have the other verdict if scored first"
    assert [other in row for row in user.said_rows(window)] == [False, True]
    trigger(window, Command.WHY)
    assert reads(window, "Scored first, this trace would pass")()
    yield user.CLOSED
    (data_dir / MEMORY_FILE).unlink()
    window = yield from user.opened(tmp_path / "two.json")
    assert user.trace_row(window, "two")["Score"] == first


@pytest.mark.slow
def test_steps_are_ranked_with_progress_and_gone_to():
    """With the real model on the samples: a button, progress, bars, and the step itself."""
    samples = [resources() / "samples" / f"visit-{name}.json" for name in ("03", "08")]
    window = yield from user.opened(*samples, embedder=MiniLM(), wide=True)
    page = show(window, "visit-08")
    bar, seen = progress(page), []
    bar.valueChanged.connect(seen.append)
    user.press(page, "Rank Steps")
    yield lambda: len(seen) > 2
    assert user.is_seen(page, QAbstractButton, "Rank Steps, stop")
    yield lambda: bool(alike(page))
    assert seen == list(range(bar.maximum() + 1))
    top = alike(page)[0]
    assert top[-1].startswith("\N{MINUS SIGN}")
    user.press(page, "Compare")
    yield reads(window, "Swap sides")
    table = user.find(page, QTableView, "Steps that make them alike")
    table.setFocus()
    QTest.keyClick(table, user.RETURN)
    assert user.steps(window).isVisible()
    assert user.current_step(window) == int(top[0].split()[0])


def test_what_the_texts_share(tmp_path):
    """The same text three times: scored at once, the second with only the first before it."""
    path = save(tmp_path / "t.jsonl", *(make_raw(id=f"kp:trace:{number}") for number in range(3)))
    window = yield from user.opened(path)
    page = show(window, "t 3")
    user.press(page, "Rank Steps")
    yield reads(page, "the same prompt")
    assert user.reads(page, "words that novelty sees, it sees")()
    show(window, "t 2")
    yield idle(window)
    assert rows(page) == ["t 1"]
    assert not user.reads(page, "the same prompt")()


def test_ranking_is_stopped_and_forgotten_with_its_trace(tmp_path):
    contents = [f"step {number}" for number in range(300)]
    paths = [save_trace(tmp_path / f"{name}.json", name, name, *contents) for name in "ab"]
    window = yield from user.opened(*paths)
    page = show(window, "b")
    user.press(page, "Rank Steps")
    yield lambda: progress(page).value() > 0
    user.press(page, "Rank Steps, stop")
    yield idle(window)
    assert user.reads(page, "Stopped after")()
    user.press(page, "Rank Steps")
    yield lambda: progress(page).value() > 0
    show(window, "a")
    show(window, "b")
    assert alike(page) == [] and user.is_seen(page, QAbstractButton, "Rank Steps")


def test_closing_while_a_question_is_open_is_clean(tmp_path):
    contents = [f"step {number}" for number in range(400)]
    paths = [save_trace(tmp_path / f"{name}.json", name, name, *contents) for name in "ab"]
    window = yield from user.opened(*paths)
    page = show(window, "b")
    for name in ("Rank Steps", "Today"):
        user.press(page, name)
    QApplication.processEvents()


def test_verdicts_are_those_of_the_list():
    window = yield from user.opened(resources() / "samples")
    decided = {n: s for n, s in user.states(window).items() if s in ("accepted", "rejected")}
    assert len(decided) == 16
    for name, state in decided.items():
        assert order(show(window, name))[1][1].lower() == state
