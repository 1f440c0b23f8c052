"""The list of traces: columns on request, and filter words for them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QMenu

from tests import user
from tests.e2e.test_convert import DATA
from tests.fakes import make_raw, save
from tests.runs.growing import GrowingSession
from tests.user import idle


@pytest.fixture
def folder(tmp_path):
    """Two that differ in their outcomes, one with a single tool, and one that is broken."""
    place = tmp_path / "runs"
    place.mkdir()
    for name, confidence in (("sure", 0.97), ("unsure", 0.2), ("other", 0.3)):
        raw = make_raw(id=name, outcome={"result_summary": "", "confidence": confidence})
        raw["task"]["objective"] = f"Look after {name}"
        save(place / f"{name}.json", raw)
    (place / "broken.json").write_text("{", encoding="utf-8")
    return place


def more_menu(window):
    """What opens by the dots over the list, right below them."""
    dots = user.find(window, QAbstractButton, "More")
    user.click(dots)
    menu = next(one for one in user.seen(window, QMenu) if one.actions())
    assert menu.y() == dots.mapToGlobal(dots.rect().bottomLeft()).y()
    return menu


def column(window, name):
    """The column under a head."""
    return list(user.trace_rows(window)[0]).index(name)


def is_shown(window, name):
    return not user.trace_list(window).isColumnHidden(column(window, name))


def test_columns_are_asked_for_sorted_and_kept(folder):
    window = yield from user.opened(folder)
    assert not is_shown(window, "Outcome") and not is_shown(window, "Needs")
    for name in ("Outcome", "Needs", "Greatest loss"):
        user.choose(more_menu(window), "Columns", name)
    assert is_shown(window, "Outcome")
    row = user.trace_row(window, "unsure")
    assert row["Outcome"] == "0.200" and row["Greatest loss"] == "Outcome"
    user.sort_by(window, "Outcome")
    assert user.row_names(window) == ["unsure", "other", "sure", "broken"]
    user.sort_by(window, "Outcome")
    assert user.row_names(window) == ["sure", "other", "unsure", "broken"]
    window = yield from user.opened(folder)
    assert is_shown(window, "Needs") and is_shown(window, "Greatest loss")
    assert not is_shown(window, "Novelty")


def test_the_filter_takes_words_for_columns_and_leaves_open_what_it_hides(folder):
    window = yield from user.opened(folder)
    for text, kept in {
        "o:<0.25": ["unsure"],
        "o:>0.25 o:<0.5": ["other"],
        "loss:o": ["unsure"],
        "plan:chosen": [],
    }.items():
        user.write(user.filter_field(window), text)
        assert sorted(user.row_names(window)) == kept, text
    user.show_all(window)
    user.go_to_row(window, "unsure")
    user.write(user.filter_field(window), "after other")
    assert "unsure" not in user.row_names(window)
    user.trace_list(window).setFocus()
    assert user.current_name(window) == "unsure" and user.selected_names(window) == []
    user.press_key(Qt.Key.Key_Down)
    assert user.selected_names(window) == [user.current_name(window)] == ["other"]
    user.write(user.filter_field(window), "needs:far")
    yield user.reads(window, "needs:far is not understood: try needs:accepted")


def test_a_run_that_has_just_begun_is_a_running_row(tmp_path):
    session = GrowingSession(tmp_path / "night.jsonl")
    session.prompt("Mend the pump that stops every night")
    hint = "No step yet: the run has just begun, and is followed."
    window = yield user.Main(session.path)
    yield user.quiet(window)
    yield lambda: user.row_names(window) == ["Mend the pump that stops every night"]
    (said,) = user.said_rows(window)
    assert said.startswith("Mend the pump that stops every night, running, pending")
    yield user.reads(window, hint)
    assert user.messages(window) == []
    session.thought("It leaks.")
    yield lambda: hint not in user.texts(window)
    yield idle(window)
    assert "running" in user.said_rows(window)[0]


@pytest.fixture
def long(tmp_path):
    """A folder with more rows than the list shows at once; its one recording comes last."""
    place = tmp_path / "long"
    place.mkdir()
    for number in range(99):
        raw = make_raw(id=str(number), outcome={"result_summary": "", "confidence": number / 99})
        save(place / f"row-{number:02}.json", raw)
    (place / "run.jsonl").write_bytes(DATA)
    return place


@pytest.mark.slow
def test_a_row_stays_in_view_when_its_outcome_moves_it(long):
    window = yield from user.opened(long, wide=True)
    user.choose(more_menu(window), "Columns", "Outcome")
    user.sort_by(window, "Outcome")
    user.go_to_row(window, "run")
    for confidence, place in (("0", range(9)), ("0.99", range(80, 100))):
        user.choose_menu(window, "Score", "Set Outcome…")
        asking = user.dialog(window, "Set Outcome")
        user.choose_in(asking, "Success", "Yes")
        user.write(user.find(asking, QLineEdit, "Confidence"), confidence)
        user.press(asking, "Set Outcome")
        yield lambda within=place: user.row_of(window, "run") in within
        assert user.is_in_view(window, "run")
    user.choose_menu(window, "Edit", "Undo: Set Outcome")
    yield lambda: user.row_of(window, "run") < 9
    assert user.is_in_view(window, "run")
