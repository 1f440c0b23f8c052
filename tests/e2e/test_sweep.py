"""Everything that can be chosen in the window is chosen, in each state of the window."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLineEdit

from kpinspector.__main__ import main
from kpinspector.app import opener
from kpinspector.files import resources
from kpinspector.scoring.model.embedder import MiniLM
from tests import user
from tests.fakes import make_raw, save
from tests.sessions import write_sessions
from tests.user import drop

SAMPLES = resources() / "samples"
QUIT = ("File", "Quit")
MANY = 800


@dataclass(frozen=True)
class State:
    """What the window is in while everything is tried.

    Attributes:
        paths: Dropped on the window.
        row: The name of the row that is looked at.
        rows: How many rows there are.
        before: A line of a menu that is chosen first, until ``then`` can be.
        write: Writes the files anew, before they are dropped.
        busy: Scoring goes on all the while; None where it was stopped.
        word: What the title says of the row.
        large: Folders of so many files are only listed, and no row is read by being chosen.
        offers: Lines of menus for whose sake this state is among the others.
    """

    paths: tuple[Path, ...] = ()
    row: str = ""
    rows: int = 0
    before: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    write: Callable[[], object] = lambda: None
    busy: bool | None = False
    word: str = ""
    large: int | None = None
    offers: tuple[tuple[str, ...], ...] = ()

    def holds(self, window):
        """Nothing of it was changed by what was tried."""
        if user.row_count(window) != self.rows or user.current_name(window) != self.row:
            return False
        if self.word not in window.windowTitle():
            return False
        return self.busy is False or self.busy is not user.quiet(window)()

    def bring(self, window):
        """Open what is to be open, and look at the row."""
        if user.can_choose(window, "File", "Close All"):
            user.choose_menu(window, "File", "Close All")
            yield lambda: user.current_name(window) == ""
        if not self.paths:
            return
        self.write()
        drop(window, *self.paths)
        yield lambda: user.can_choose(window, "File", "Close All")
        if not user.is_seen(window, QLineEdit, "Filter traces"):
            user.choose_menu(window, "View", "Traces")
        user.show_all(window)
        yield lambda: user.row_count(window) == self.rows
        if self.busy is False:
            yield user.quiet(window)
        user.go_to_row(window, self.row)
        yield lambda: user.current_name(window) == self.row
        if self.busy is None:
            user.choose_menu(window, "Score", "Stop")
            yield user.quiet(window)

    def prepare(self, window):
        """Do what comes first, where it is not done."""
        if self.before and not (self.then and user.can_choose(window, *self.then)):
            title, *path = self.before
            if not user.line_of(user.menu_of(window, title), *path)[1].isChecked():
                user.choose_menu(window, *self.before)
            if self.then:
                yield lambda: user.can_choose(window, *self.then)


def many(folder):
    """A file of traces that takes some seconds to score; what is new in it is written each time."""
    path, times = folder / "many.jsonl", itertools.count()

    def write():
        at = next(times)
        tasks = ({"objective": f"Task {n}, written {at} times"} for n in range(MANY))
        save(path, *(make_raw(id=f"kp:trace:{n}", task=task) for n, task in enumerate(tasks)))

    return path, write


def at_work(folder, **parts):
    path, write = many(folder)
    return State((path,), "many 1", MANY, write=write, **parts)


def broken(folder):
    path = folder / "broken.json"
    path.write_text('{"a": 1,\n  "b" 2}', encoding="utf-8")
    return path


def report(folder):
    path = folder / "report.json"
    main(["score", "--fresh", "--report", str(path), str(SAMPLES / "ping.json")])
    return path


USUAL = (
    ("File", "Open…"),
    ("File", "Open Folder…"),
    ("File", "Paste as Trace"),
    ("File", "Reload"),
    ("File", "Export Report…"),
    ("File", "Export Report on Selected Traces…"),
    ("File", "Export List as CSV…"),
    ("File", "Export Explanation as Markdown…"),
    ("File", "Export Explanation as HTML…"),
    ("File", "Close All"),
    ("Edit", "Remove from List"),
    ("Edit", "Settings…"),
    ("Score", "Forget Selected Traces"),
    ("Score", "Score Again"),
    ("Score", "Manage Memory…"),
    ("Score", "Clear Memory…"),
    ("Help", "Keyboard Shortcuts"),
    ("Help", "About kpinspector"),
)
STATES = {
    "empty": lambda _: State(offers=(("File", "Open…"), ("File", "Paste as Trace"))),
    "one trace": lambda _: State((SAMPLES / "leap-day.json",), "leap-day", 1, offers=USUAL),
    "many": lambda _: State((SAMPLES,), "visit-08", 20, offers=(("Go", "Previous Trace"),)),
    "a recording": lambda _: State(
        (SAMPLES / "water-meter.jsonl",),
        "The water meter dashboard shows a jump of about 18 litres every night at 00:00. …",
        1,
        offers=(("Score", "Set Outcome…"), ("File", "Export as ReasoningTrace…")),
    ),
    "a problem": lambda folder: State(
        (broken(folder), SAMPLES / "ping.json"), "broken", 2, offers=(("File", "Open in Editor"),)
    ),
    "a report": lambda folder: State((report(folder), SAMPLES / "ping.json"), "report", 2),
    "comparing": lambda _: State(
        (SAMPLES / "visit-03.json", SAMPLES / "visit-08.json"),
        "visit-08",
        2,
        before=("Compare", "Compare with Nearest"),
        then=("Compare", "Close Comparison"),
        offers=tuple(
            ("Compare", line)
            for line in (
                "Next Difference",
                "Previous Difference",
                "Swap Sides",
                "Copy Comparison",
                "Close Comparison",
            )
        ),
    ),
    "all together": lambda _: State(
        (SAMPLES / "visit-03.json", SAMPLES / "visit-08.json"),
        "visit-08",
        2,
        before=("View", "Batch"),
        then=("File", "Export Summary…"),
        offers=(("File", "Export Summary…"), ("View", "Batch")),
    ),
    "trying": lambda _: State(
        (SAMPLES / "leap-day.json",), "leap-day", 1, before=("View", "What-if")
    ),
    "a large folder": lambda folder: State(
        (write_sessions(folder / "projects", 4),),
        "Count the pumps of house 3",
        4,
        word="not read",
        large=3,
        offers=(("Score", "Read and Score"), ("Score", "Remember"), ("File", "Open in Editor")),
    ),
    "scoring": lambda folder: at_work(folder, busy=True, offers=(("Score", "Stop"),)),
    "stopped": lambda folder: at_work(folder, busy=None, offers=(("Score", "Resume"),)),
}


@dataclass(frozen=True)
class Attempt:
    """Something that a user can choose.

    Attributes:
        name: Where it is found.
        choose: Chooses it where it can be chosen; says whether it could.
    """

    name: tuple[str, ...]
    choose: Callable[[], bool]


def attempts(window):
    """All lines of all menus, and all buttons, that can be come to just now."""
    for menu in user.menus(window):
        yield from lines_of((user.words(menu.title()),), menu)
    for view in user.seen(window, QAbstractItemView):
        menu = user.context_menu(view)
        if menu is not None:
            yield from lines_of(user.place_of(view), menu, partial(user.context_menu, view))
            user.escape(menu)
    for button in user.seen(window, QAbstractButton):
        menu = button.menu() if hasattr(button, "menu") else None
        if menu is None:
            yield Attempt(user.place_of(button), partial(clicked, button))
        else:
            yield from lines_of(user.place_of(button), menu)


def lines_of(place, menu, open_menu=None):
    """The lines of one menu, but for the one that ends everything."""
    for path in list(user.lines(menu)):
        if (*place, *path) != QUIT:
            opened = open_menu or (lambda: menu)
            yield Attempt((*place, *path), partial(chosen, opened, path))


def chosen(open_menu, path):
    """Choose a line of a menu, if it is there and enabled."""
    menu = open_menu()
    if menu is None or path not in list(user.lines(menu)) or not user.is_enabled(menu, *path):
        return False
    user.choose(menu, *path)
    return True


def clicked(button):
    """Click a button, if it is there and enabled."""
    if not (user.is_there(button) and button.isVisible() and button.isEnabled()):
        return False
    user.click(button)
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", STATES)
def test_everything_that_can_be_chosen(tmp_path, monkeypatch, faults, name):
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
    state = STATES[name](tmp_path)
    if state.large is not None:
        monkeypatch.setattr(opener, "MOST_READ", state.large)
        monkeypatch.setattr(opener, "REST_MS", 10**9)
    done = set()
    window = yield user.Main(embedder=MiniLM())
    yield from state.bring(window)
    yield from state.prepare(window)
    everything = list(attempts(window))
    assert len(everything) > 50
    for attempt in everything:
        if not state.holds(window):
            yield from state.bring(window)
        yield from state.prepare(window)
        if attempt.choose():
            done.add(attempt.name)
            yield from closed(window)
            if state.busy is False:
                yield user.quiet(window)
        assert faults == [], attempt.name
    user.choose_menu(window, *QUIT)
    yield lambda: not user.is_there(window) or not window.isVisible()
    assert set(state.offers) <= done
    assert faults == []


def closed(window):
    """What came up over the window goes when a user wants it to."""
    yield lambda: True  # what is queued comes first
    for _ in range(5):
        over = [one for one in user.over(window) if user.is_there(one)]
        if not over:
            return
        user.escape(over[-1])
        yield lambda: True
    raise AssertionError(f"{[type(one).__name__ for one in user.over(window)]} cannot be closed")
