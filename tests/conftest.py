"""Offscreen, fresh per-user folders, no leftover threads."""

import gc
import os
import signal
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# a busy machine is no reason to fail
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("brief", parent=settings.get_profile("unhurried"), max_examples=10)
settings.load_profile("unhurried")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--headed", action="store_true", help="show the windows that tests open")
    parser.addoption("--displays", default="", help="with --headed: an X display for each worker")
    parser.addoption("--skips", help="fail where a test is skipped for other reasons; divided by ;")


def pytest_configure(config: pytest.Config) -> None:
    """Without a screen, or on a display of its own: two workers would take each other's focus."""
    if not config.getoption("--headed"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        return
    displays = str(config.getoption("--displays")).split()
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    if displays:
        # a worker that takes the place of one that crashed has a number beyond
        os.environ["DISPLAY"] = displays[int(worker) % len(displays)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """A test that never runs looks like one that passes: in CI a skip has to be expected."""
    report = yield
    expected = item.config.getoption("--skips")
    if report.skipped and expected is not None:
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if reason not in expected.split(";"):
            report.outcome, report.longrepr = "failed", f"not expected to be skipped: {reason}"
    return report


@pytest.fixture
def qapp(qapp):
    """The application, with the pointer where it hovers over nothing: some tests leave it."""
    from PySide6.QtGui import QCursor  # noqa: PLC0415 - most tests need no Qt

    QCursor.setPos(qapp.primaryScreen().geometry().bottomRight())
    return qapp


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A per-user folder of its own for every test; no test sees the real one."""
    folder = tmp_path / "per-user"
    monkeypatch.setenv("KPINSPECTOR_DATA_DIR", str(folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg-data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg-config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return folder


@pytest.fixture(autouse=True)
def collected_between_tests() -> Iterator[None]:
    """No test collects on a worker, where a QObject that an earlier one left behind would end.

    A timer or a watcher that ends on another thread than its own can crash the event loop.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(0)
    yield
    gc.set_threshold(*thresholds)


@pytest.fixture(autouse=True)
def no_leftover_threads() -> Iterator[None]:
    """A thread that outlives its test fails it, and so does an interpreter set otherwise."""
    before, collects = set(threading.enumerate()), gc.isenabled()
    yield
    assert gc.isenabled() is collects, "garbage collection was left switched"
    left = [t for t in threading.enumerate() if t not in before and not t.name.startswith("Dummy")]
    assert not left, f"threads left running: {left}"


@pytest.fixture
def signals_heard() -> Iterator[None]:
    """Signals work here and in new processes, also where they were ignored when the tests began."""
    before = {signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler)}
    if hasattr(signal, "SIGHUP"):
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    for one, how in before.items():
        signal.signal(one, how)


@pytest.fixture
def reference() -> Path:
    """The folder with real agent runs and the SDK's answers; skips where it is not given."""
    folder = os.environ.get("KPINSPECTOR_TEST_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("KPINSPECTOR_TEST_DATA names no folder")
    return Path(folder)
