"""Journeys through the window: ``main`` runs, a script drives what a user would."""

import sys
from collections.abc import Callable, Generator
from types import GeneratorType

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

Script = Callable[[MainWindow], Generator[Callable[[], bool], None, None]]
_FIRST_MS = 1  # until a new condition is looked at: what is queued comes first
_POLL_MS = 10
_PATIENCE_MS = 20_000


class Driver:
    """Steps through a script while the event loop runs: each condition it yields is waited for."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._steps: Generator[Callable[[], bool], None, None] | None = None
        self._waiting: Callable[[], bool] = lambda: True
        self._waited = 0
        self._ended = False
        self.error: BaseException | None = None
        self._timer = QTimer(interval=_POLL_MS)
        self._timer.timeout.connect(self._on_poll)
        self._timer.start()

    def stop(self) -> None:
        """The event loop has ended."""
        self._timer.stop()

    def _on_poll(self) -> None:
        try:
            if not self._ended:
                self._go_on()
        except BaseException as error:  # noqa: BLE001 - raised again after the event loop
            self.error = error
            self._ended = True
        if self._ended:
            self._close_all()

    def _go_on(self) -> None:
        if self._steps is None:
            windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
            shown = [window for window in windows if window.isVisible() and window.furnished]
            if not shown:
                return
            self.window = shown[0]
            self._steps = self._script(self.window)
        elif not self._waiting():
            self._timer.setInterval(_POLL_MS)
            self._waited += _POLL_MS
            line = present(of(GeneratorType, self._steps).gi_frame).f_lineno
            assert self._waited < _PATIENCE_MS, f"the script waits in vain in line {line}"
            return
        self._timer.setInterval(_FIRST_MS)
        self._waited = 0
        try:
            self._waiting = next(self._steps)
        except StopIteration:
            self._ended = True

    def _close_all(self) -> None:
        """Close the window, and whatever is open or comes up: it would keep the event loop."""
        for window in QApplication.topLevelWidgets():
            if window.isVisible():
                window.close()


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
    """Run ``main(arguments)`` with a script; returns the exit status.

    A journey that fails midway leaves no zoom behind for the next test.
    """

    def run(arguments, script, embedder=None):
        if embedder is None:
            embedder = FakeEmbedder()
        monkeypatch.setattr(window_session, "MiniLM", lambda: embedder)
        monkeypatch.setattr("os._exit", _must_not_be_called)
        qapp.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
        driver = Driver(script)
        status = main([str(one) for one in arguments])
        driver.stop()
        qapp.processEvents()
        if driver.error is not None:
            raise driver.error
        return status

    yield run
    set_zoom(qapp, USUAL_ZOOM)


@pytest.fixture
def fake(monkeypatch):
    """A fake model, shared by all commands of a test."""
    embedder = FakeEmbedder()
    monkeypatch.setattr(measuring, "MiniLM", lambda: embedder)
    return embedder


@pytest.fixture
def run(capsysbinary):
    """Run ``score`` as typed; exit status, standard output and standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        status = main(["score", *map(str, arguments)])
        captured = capsysbinary.readouterr()
        return status, captured.out.decode(), captured.err.decode()

    return run
