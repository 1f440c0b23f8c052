"""What is tried of a trace and what is saved outlasts edits of the file and the program itself."""

import json

import pytest
from PySide6.QtWidgets import QAbstractSpinBox

from kpinspector.__main__ import main
from kpinspector.ui.actions.actions import Command
from tests import user
from tests.fakes import make_raw, save
from tests.user import answer_file_dialog, drop, idle, reads, trigger

STEPS = [
    {"step_id": n, "type": "thought", "content": text}
    for n, text in enumerate(("look at the log", "find the node", "repair it", "look again"))
]
RAW = make_raw(id="kp:trace:one", steps=STEPS, outcome={"result_summary": "", "confidence": 0.5})
LEFT_OUT = "Step {}: Thought \N{RIGHTWARDS ARROW} left out"
TRIED = (0.95, LEFT_OUT.format(3))
NOTHING = (0.5,)
FILE = "scenarios.sqlite3"


def renumbered(*steps):
    return RAW | {"steps": [step | {"step_id": n} for n, step in enumerate(steps)]}


def tried(window):
    """The confidence and the steps that are tried; nothing before there is a score."""
    trigger(window, Command.WHAT_IF)
    if not user.is_seen(window, QAbstractSpinBox, "Confidence"):
        return ()
    return (user.number_in(window, "Confidence"), *user.case(window)["step"])


def try_and_save(window):
    """Another confidence, and the last step left out; saved as a scenario."""
    window.resize(1440, 900)
    yield idle(window)
    trigger(window, Command.WHAT_IF)
    user.set_number(window, "Confidence", 0.95)
    user.go_to_step(window, 3)
    user.press(window, "Leave out")
    assert tried(window) == TRIED
    trigger(window, Command.SAVE_SCENARIO)
    user.name_it(window, "Save as Scenario", "surer")


def saved(window):
    """The saved scenarios; what the one has comes back when it is applied, and goes again."""
    names = user.case(window)["scenario"]
    if not names:
        return None
    assert names == ["surer"]
    before = tried(window)
    user.press(window, "Apply: surer")
    found = tried(window)
    if found != before:
        trigger(window, Command.UNDO)
    return found


@pytest.mark.parametrize("place", ["there", "elsewhere"])
def test_what_is_tried_and_saved_comes_back_after_a_quit(journey, tmp_path, place):
    path, target = save(tmp_path / "a.json", RAW), tmp_path / "report.json"

    def first(window):
        yield from try_and_save(window)
        user.set_number(window, "Threshold in what-if", 0.6)  # and quit at once

    def second(window):
        yield idle(window)
        assert "What-if is on: 3 changes" in user.description(window, "What-if")
        assert tried(window) == TRIED
        assert user.number_in(window, "Threshold in what-if") == 0.6
        trigger(window, Command.UNDO)
        assert tried(window) == NOTHING and saved(window) == TRIED
        trigger(window, Command.EXPORT)
        answer_file_dialog(window, target)
        yield target.exists

    def third(window):
        yield idle(window)
        assert saved(window) == TRIED and tried(window) == NOTHING

    assert journey([path], first) == 0
    if place == "elsewhere":
        path = path.rename(tmp_path / "b.json")
    assert journey([path], second) == 0
    (entry,) = json.loads(target.read_bytes())["traces"]
    assert [one["name"] for one in entry["scenarios"]] == ["surer"]
    assert journey([path], third) == 0


def test_what_is_tried_goes_on_after_an_edit_and_says_what_has_no_place(journey, tmp_path):
    path = save(tmp_path / "a.json", RAW)

    def script(window):
        yield from try_and_save(window)
        save(path, renumbered(STEPS[3], *STEPS[:3]))
        trigger(window, Command.RELOAD)
        moved = (0.95, LEFT_OUT.format(0))
        yield lambda: tried(window) == moved
        yield idle(window)
        assert saved(window) == moved and not reads(window, "not there any more")()
        save(path, renumbered(*STEPS[:3]))
        trigger(window, Command.RELOAD)
        yield lambda: tried(window) == (0.95,)
        yield idle(window)
        assert reads(window, "Step 3 is not there any more")() and reads(window, "in part")()
        save(path, RAW)
        trigger(window, Command.RELOAD)
        yield lambda: tried(window) == TRIED
        yield idle(window)
        assert saved(window) == TRIED and not reads(window, "not there any more")()

    assert journey([path], script) == 0


def test_what_was_edited_between_two_starts_is_fitted_too(journey, tmp_path):
    path = save(tmp_path / "a.json", RAW)

    def first(window):
        yield from try_and_save(window)

    def second(window):
        yield idle(window)
        trigger(window, Command.WHAT_IF)
        assert tried(window) == (0.95,)
        assert reads(window, "Step 3 is not there any more")()

    def third(window):
        yield idle(window)
        assert tried(window) == TRIED and saved(window) == TRIED

    assert journey([path], first) == 0
    save(path, renumbered(*STEPS[:3]))
    assert journey([path], second) == 0
    save(path, RAW)
    assert journey([path], third) == 0


def test_what_is_tried_stays_with_its_row_and_comes_back_when_it_is_opened_again(journey, tmp_path):
    one, two = save(tmp_path / "1.json", RAW), save(tmp_path / "2.json", RAW | {"id": "two"})

    def script(window):
        yield from try_and_save(window)
        trigger(window, Command.NEXT)
        assert tried(window) == NOTHING
        trigger(window, Command.PREVIOUS)
        assert tried(window) == TRIED
        trigger(window, Command.CLOSE_ALL)
        drop(window, one)
        yield lambda: user.row_count(window) == 1
        yield idle(window)
        assert tried(window) == TRIED

    assert journey([one, two], script) == 0


@pytest.mark.parametrize("option", ["--guest", "--fresh"])
def test_a_guest_leaves_nothing_behind(journey, tmp_path, data_dir, option):
    path = save(tmp_path / "a.json", RAW)

    def first(window):
        yield from try_and_save(window)
        yield reads(window, "not kept as a guest")

    def second(window):
        yield idle(window)
        assert saved(window) is None and tried(window) == NOTHING

    assert journey([option, path], first) == 0
    assert not (data_dir / FILE).exists()
    assert journey([path], second) == 0


@pytest.mark.parametrize("way", ["forget", "clear", "command"])
def test_forgetting_takes_what_was_tried_along(journey, tmp_path, data_dir, way):
    path = save(tmp_path / "a.json", RAW)

    def first(window):
        yield from try_and_save(window)

    def second(window):
        yield idle(window)
        assert saved(window) == TRIED
        trigger(window, Command.WHAT_IF)
        user.set_number(window, "Threshold in what-if", 0.61)  # just before
        if way == "forget":
            trigger(window, Command.FORGET)
        else:
            trigger(window, Command.CLEAR_MEMORY)
            user.press(user.dialog(window, "Clear Memory"), "Clear Memory")
        yield idle(window)

    def third(window):
        yield idle(window)
        assert saved(window) is None and tried(window) == NOTHING

    assert journey([path], first) == 0
    if way == "command":
        assert main(["memory", "forget", "kp:trace:one"]) == 0
    else:
        assert journey([path], second) == 0
    assert b"surer" not in (data_dir / FILE).read_bytes()
    assert journey([path], third) == 0


def test_a_file_that_cannot_be_used_is_said_once_when_something_is_to_be_kept(
    journey, tmp_path, data_dir
):
    path = save(tmp_path / "a.json", RAW)
    data_dir.mkdir()
    (data_dir / FILE).mkdir()

    def script(window):
        yield idle(window)
        assert not user.messages(window)
        yield from try_and_save(window)
        yield lambda: [FILE in one for one in user.messages(window)] == [True]
        yield idle(window)
        assert saved(window) == TRIED and len(user.messages(window)) == 1

    assert journey([path], script) == 0
