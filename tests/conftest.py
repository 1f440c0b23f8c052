"""Tests run offscreen, each with a fresh per-user folder, and may leave no threads behind."""

import gc
import os
import signal
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# tests do not fail because the machine is busy
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("brief", parent=settings.get_profile("unhurried"), max_examples=10)
settings.load_profile("unhurried")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--headed", action="store_true", help="show the windows that tests open")
    parser.addoption("--displays", default="", help="with --headed: an X display for each worker")
    parser.addoption("--skips", help="fail where a test is skipped for other reasons; divided by ;")


def pytest_configure(config: pytest.Config) -> None:
    """Run offscreen, or each worker on its own display, so that none takes another's focus."""
    if not config.getoption("--headed"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        return
    displays = str(config.getoption("--displays")).split()
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    if displays:
        # a worker that replaces a crashed one has a number beyond the displays
        os.environ["DISPLAY"] = displays[int(worker) % len(displays)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """With ``--skips``, fail a test that is skipped for a reason that is not expected."""
    report = yield
    expected = item.config.getoption("--skips")
    if report.skipped and expected is not None:
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if reason not in expected.split(";"):
            report.outcome, report.longrepr = "failed", f"not expected to be skipped: {reason}"
    return report


@pytest.fixture
def qapp(qapp):
    """The application, with the pointer put in a corner, as earlier tests may have moved it."""
    from PySide6.QtGui import QCursor  # noqa: PLC0415 - most tests need no Qt

    QCursor.setPos(qapp.primaryScreen().geometry().bottomRight())
    return qapp


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A per-user folder for each test, so that no test uses the real one."""
    folder = tmp_path / "per-user"
    monkeypatch.setenv("KPINSPECTOR_DATA_DIR", str(folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg-data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg-config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return folder


@pytest.fixture(autouse=True)
def collected_between_tests() -> Iterator[None]:
    """Stop automatic garbage collection during a test.

    It could delete a QObject on another thread than its own, which can crash the event loop.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(0)
    yield
    gc.set_threshold(*thresholds)


@pytest.fixture(autouse=True)
def no_leftover_threads() -> Iterator[None]:
    """Fail a test that leaves a thread running, or leaves garbage collection switched."""
    before, collects = set(threading.enumerate()), gc.isenabled()
    yield
    assert gc.isenabled() is collects, "garbage collection was left switched"
    left = [t for t in threading.enumerate() if t not in before and not t.name.startswith("Dummy")]
    assert not left, f"threads left running: {left}"


@pytest.fixture
def signals_heard() -> Iterator[None]:
    """SIGINT and SIGHUP work here and in new processes, even if they were ignored at the start."""
    before = {signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler)}
    if hasattr(signal, "SIGHUP"):
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    for one, how in before.items():
        signal.signal(one, how)


@pytest.fixture
def reference() -> Path:
    """The folder with real agent runs and the SDK's answers; skips the test without it."""
    folder = os.environ.get("KPINSPECTOR_TEST_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("KPINSPECTOR_TEST_DATA names no folder")
    return Path(folder)
