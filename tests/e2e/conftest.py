"""Journeys through the window: ``main`` runs, a test that yields does what a user would."""

import json
import sys
from collections.abc import Callable, Generator
from functools import partial, wraps
from inspect import Parameter, isgeneratorfunction, signature
from types import GeneratorType
from typing import Any, NamedTuple, TypeAlias

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from kpinspector.__main__ import main
from kpinspector.batch import groups, plan
from kpinspector.batch.child import Child
from kpinspector.cli import measuring
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.ui import window_session
from kpinspector.ui.look.theme import USUAL_ZOOM, set_zoom
from kpinspector.ui.main_window import MainWindow
from tests.fakes import FakeEmbedder, Here
from tests.known import of, present
from tests.user import Main

Steps: TypeAlias = Generator[Main | Callable[[], bool] | None, Any, None]
_FIRST_MS = 1  # until a new condition is looked at: what is queued comes first
_POLL_MS = 10
_PATIENCE_MS = 20_000


class Driver:
    """Goes on with a journey while the event loop runs: each condition it yields is waited for.

    The journey stands where it is sent its window. What it yields instead of a condition, a further
    ``Main`` or ``CLOSED``, ends the event loop as its own end does.
    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._waiting: Callable[[], bool] | None = None  # None before the window is there
        self._waited = 0
        self.ended = False
        self.then: Main | None = None
        self.error: BaseException | None = None
        self._timer = QTimer(interval=_POLL_MS)
        self._timer.timeout.connect(self._on_poll)
        self._timer.start()

    def stop(self) -> None:
        """The event loop has ended; raise what the journey raised."""
        self._timer.stop()
        if self.error is not None:
            raise self.error

    def is_over(self) -> bool:
        """The journey ended, or waits for nothing but the end of the window."""
        return self.ended or (self._waiting is not None and self._waiting())

    def _on_poll(self) -> None:
        try:
            if not self.ended:
                self._go_on()
        except BaseException as error:  # noqa: BLE001 - raised again after the event loop
            self.error = error
            self.ended = True
        if self.ended:
            self._close_all()

    def _go_on(self) -> None:
        window = None
        if self._waiting is None:
            windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
            window = next((one for one in windows if one.isVisible() and one.furnished), None)
            if window is None:
                return
        elif not self._waiting():
            self._timer.setInterval(_POLL_MS)
            self._waited += _POLL_MS
            line = present(of(GeneratorType, self._steps).gi_frame).f_lineno
            assert self._waited < _PATIENCE_MS, f"the journey waits in vain in line {line}"
            return
        self._timer.setInterval(_FIRST_MS)
        self._waited = 0
        try:
            wanted = self._steps.send(window)
        except StopIteration:
            wanted = None
        if callable(wanted):
            self._waiting = wanted
        else:
            self.ended, self.then = True, wanted

    def _close_all(self) -> None:
        """Close the window, and whatever is open or comes up: it would keep the event loop."""
        for window in QApplication.topLevelWidgets():
            if window.isVisible():
                window.close()


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector, name, obj):
    """A test that yields is a journey: it yields each ``Main`` to run, and is sent its window."""
    if not (name.startswith("test_") and isgeneratorfunction(obj)):
        return None

    @wraps(obj)
    def test(journey, **given):
        journey(obj(**given))

    own, usual = signature(obj), Parameter("journey", Parameter.KEYWORD_ONLY)
    asked = own.replace(parameters=[*own.parameters.values(), usual])
    test.__signature__ = asked  # type: ignore[attr-defined]
    setattr(collector.obj, name, test)
    return collector.ihook.pytest_pycollect_makeitem(collector=collector, name=name, obj=test)


def _must_not_be_called(status):
    raise AssertionError("the worker did not stop in time")


@pytest.fixture(autouse=True)
def solved_here(monkeypatch):
    """Groups and plans are found in this process; tests that are about theirs ask for it."""
    for module in (groups, plan):
        monkeypatch.setattr(module, "Child", Here)


_embedded = {}


@pytest.fixture(autouse=True)
def embedded_once(monkeypatch):
    """What the real model makes of a text is reckoned once for all these tests."""
    reckon = MiniLM.embed

    def embed(model, window):
        if window not in _embedded:
            _embedded[window] = reckon(model, window)
        return _embedded[window]

    monkeypatch.setattr(MiniLM, "embed", embed)


@pytest.fixture
def own_process(monkeypatch, solved_here):
    """Groups and plans are found in a process of their own, as usual."""
    for module in (groups, plan):
        monkeypatch.setattr(module, "Child", Child)


@pytest.fixture
def faults(monkeypatch):
    """The exceptions that came out of slots and events while the window was open."""
    found = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, _: found.append((kind, error)))
    return found


@pytest.fixture
def journey(qapp, monkeypatch):
    """Run ``main`` as often as a journey asks for it.

    A journey that fails midway leaves no zoom behind for the next test.
    """

    def run(steps, main_run):
        embedder = main_run.embedder or FakeEmbedder()
        monkeypatch.setattr(window_session, "MiniLM", lambda: embedder)
        driver = Driver(steps)
        status = main([str(one) for one in main_run.arguments])
        driver.stop()
        qapp.processEvents()
        assert status == main_run.status
        assert driver.is_over() or status, "the window closed before the end of its journey"
        return driver.then or next(steps, None)

    def go(steps):
        monkeypatch.setattr("os._exit", _must_not_be_called)
        qapp.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
        wanted = next(steps)
        while wanted is not None:
            wanted = run(steps, wanted)

    yield go
    set_zoom(qapp, USUAL_ZOOM)


@pytest.fixture
def fake(monkeypatch):
    """A fake model, shared by all commands of a test."""
    embedder = FakeEmbedder()
    monkeypatch.setattr(measuring, "MiniLM", lambda: embedder)
    return embedder


class Printed(NamedTuple):
    """How a command ended, standard output and standard error."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def words(self) -> str:
        """Standard output, wherever its lines are broken."""
        return " ".join(self.out.split())


@pytest.fixture
def run(capsys):
    """Run a command as typed; where a status is given it has to end with that."""

    def run(*arguments: object, status: int | None = None) -> Printed:
        capsys.readouterr()
        try:
            ended = main([*map(str, arguments)])
        except SystemExit as left:  # bad usage, or the help
            ended = of(int, left.code)
        printed = Printed(ended, *capsys.readouterr())
        assert status in (None, ended), printed
        return printed

    return run


@pytest.fixture
def score(run):
    """Score as typed."""
    return partial(run, "score")
