"""What is tried of a trace stays with it while it is open, through edits of the file."""

import pytest
from PySide6.QtWidgets import QAbstractSpinBox

from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import make_raw, save
from tests.user import drop, idle, reads, trigger

pytestmark = pytest.mark.slow

STEPS = [
    {"step_id": n, "type": "thought", "content": text}
    for n, text in enumerate(("look at the log", "find the node", "repair it", "look again"))
]
RAW = make_raw(id="kp:trace:one", steps=STEPS, outcome={"result_summary": "", "confidence": 0.5})
LEFT_OUT = "Step {}: Thought \N{RIGHTWARDS ARROW} left out"
TRIED = (0.95, LEFT_OUT.format(3))
NOTHING = (0.5,)


def renumbered(*steps):
    return RAW | {"steps": [step | {"step_id": n} for n, step in enumerate(steps)]}


def tried(window):
    """The confidence and the steps that are tried; nothing before there is a score."""
    trigger(window, Command.WHAT_IF)
    if not user.is_seen(window, QAbstractSpinBox, "Confidence"):
        return ()
    return (user.number_in(window, "Confidence"), *user.case(window)["step"])


def try_both(window):
    """Another confidence, and the last step left out."""
    window.resize(1440, 900)
    yield idle(window)
    trigger(window, Command.WHAT_IF)
    user.set_number(window, "Confidence", 0.95)
    user.go_to_step(window, 3)
    user.press(window, "Leave out")
    assert tried(window) == TRIED


def test_what_is_tried_goes_on_after_an_edit_and_says_what_has_no_place(tmp_path):
    path = save(tmp_path / "a.json", RAW)
    window = yield user.Main(path)
    yield from try_both(window)
    save(path, renumbered(STEPS[3], *STEPS[:3]))
    trigger(window, Command.RELOAD)
    moved = (0.95, LEFT_OUT.format(0))
    yield lambda: tried(window) == moved
    yield idle(window)
    assert not reads(window, "not there any more")()
    save(path, renumbered(*STEPS[:3]))
    trigger(window, Command.RELOAD)
    yield lambda: tried(window) == (0.95,)
    yield idle(window)
    assert reads(window, "Step 3 is not there any more")()
    save(path, RAW)
    trigger(window, Command.RELOAD)
    yield lambda: tried(window) == TRIED
    yield idle(window)
    assert not reads(window, "not there any more")()


def test_what_is_tried_stays_with_its_row_and_goes_with_the_window(tmp_path, data_dir):
    one, two = save(tmp_path / "1.json", RAW), save(tmp_path / "2.json", RAW | {"id": "two"})
    data_dir.mkdir()
    old = save(data_dir / "scenarios.sqlite3", {"left over": True}).read_bytes()
    window = yield user.Main(one, two)
    yield from try_both(window)
    trigger(window, Command.NEXT)
    assert tried(window) == NOTHING
    trigger(window, Command.PREVIOUS)
    assert tried(window) == TRIED
    trigger(window, Command.CLOSE_ALL)
    drop(window, one)
    yield lambda: user.row_count(window) == 1
    yield idle(window)
    assert tried(window) == NOTHING
    window = yield from user.opened(one)
    assert tried(window) == NOTHING
    yield user.CLOSED
    assert (data_dir / "scenarios.sqlite3").read_bytes() == old
