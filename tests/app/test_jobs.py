"""One worker thread: order, cancelling, failures, closing."""

import sys
import threading
import weakref

import pytest
from PySide6.QtCore import QObject, QThread

from kpinspector.app.jobs import JobRunner, Priority
from kpinspector.errors import KpError


@pytest.fixture
def runner(qapp):
    made = JobRunner()
    yield made
    assert made.close()


def never(*_):
    raise AssertionError("called")


def test_work_runs_on_the_worker_and_done_on_this_thread(qtbot, runner):
    threads = []
    runner.submit(
        lambda _token: QThread.currentThread(),
        lambda worker: threads.extend([worker, QThread.currentThread()]),
        never,
    )
    qtbot.waitUntil(lambda: runner.idle)
    worker, here = threads
    assert here is QThread.currentThread() and worker is not here


def test_a_cycle_that_nobody_needs_is_not_ended_by_the_worker(qtbot, runner):
    unneeded = QObject()
    vars(unneeded)["itself"] = unneeded
    ended = weakref.ref(unneeded)
    del unneeded
    runner.submit(lambda _token: [[] for _ in range(100_000)], lambda _: None, never)
    qtbot.waitUntil(lambda: runner.idle)
    assert ended() is not None


def test_what_was_asked_for_runs_first_and_equals_in_order(qtbot, runner):
    order, gate = [], threading.Event()
    runner.submit(lambda _token: gate.wait(10), lambda _: None, never)
    for name, priority in (
        ("score 1", Priority.SCORE),
        ("parse 1", Priority.PARSE),
        ("score 2", Priority.SCORE),
        ("asked", Priority.ASKED),
        ("parse 2", Priority.PARSE),
    ):
        runner.submit(lambda _token, name=name: name, order.append, never, priority)
    gate.set()
    qtbot.waitUntil(lambda: len(order) == 5)
    assert order == ["asked", "parse 1", "parse 2", "score 1", "score 2"]


def test_a_cancelled_job_is_silent(qtbot, runner):
    gate, started, said = threading.Event(), threading.Event(), []

    def work(token):
        started.set()
        gate.wait(10)
        token.check()
        raise AssertionError("went on after it was cancelled")

    running = runner.submit(work, never, never)
    waiting = runner.submit(lambda _token: None, never, never)
    assert started.wait(10)
    running.cancel()
    waiting.cancel()
    runner.submit(lambda _token: "last", said.append, never)
    gate.set()
    qtbot.waitUntil(lambda: said == ["last"])


def test_a_late_result_of_a_cancelled_job_is_dropped(qtbot, runner):
    gate, said = threading.Event(), []
    job = runner.submit(lambda _token: gate.wait(10), never, never)
    job.cancel()
    gate.set()
    runner.submit(lambda _token: 1, said.append, never)
    qtbot.waitUntil(lambda: said == [1])


def test_an_expected_failure_is_handed_over(qtbot, runner):
    failures = []

    def work(_token):
        raise KpError("the disk is full")

    runner.submit(work, never, failures.append)
    qtbot.waitUntil(lambda: bool(failures))
    assert failures[0].message == "the disk is full"


def test_a_bug_goes_to_the_hook_and_the_runner_goes_on(qtbot, runner, monkeypatch):
    hooked, failures, said = [], [], []
    monkeypatch.setattr(sys, "excepthook", lambda *error: hooked.append(error))
    runner.submit(lambda _token: 1 / 0, never, failures.append)
    runner.submit(lambda _token: "on", said.append, never)
    qtbot.waitUntil(lambda: said == ["on"])
    assert hooked[0][0] is ZeroDivisionError
    assert isinstance(failures[0], ZeroDivisionError)


def test_closing_cancels_what_runs_and_ends_with_the_last_job(qtbot, qapp):
    runner = JobRunner()
    started, ended = threading.Event(), []

    def work(token):
        started.set()
        while True:
            token.check()

    runner.submit(work, never, never)
    runner.submit(never, never, never)
    assert started.wait(10)
    assert runner.close(lambda: ended.append(threading.get_ident()))
    assert ended and ended[0] != threading.get_ident()
    assert runner.submit(never, never, never).cancelled


def test_closing_before_anything_ran_starts_no_thread(qapp):
    runner = JobRunner()
    assert runner.close(never)


def test_closing_survives_a_failure_in_the_last_job(qtbot, qapp):
    runner = JobRunner()
    runner.submit(lambda _token: None, lambda _: None, never)

    def fail():
        raise ZeroDivisionError

    assert runner.close(fail)


def test_an_idle_job_gives_way_at_once_and_begins_again(qtbot, runner):
    order, begun, stopped = [], threading.Event(), threading.Event()

    def look(token):
        order.append("look")
        if order.count("look") > 1:
            return "looked"
        token.stop_by(stopped.set)
        begun.set()
        assert stopped.wait(10)
        token.check()
        raise AssertionError("not stopped")

    runner.submit(look, order.append, never, Priority.IDLE)
    assert begun.wait(10)
    for name in ("asked", "score"):
        runner.submit(lambda _token, name=name: name, order.append, never, Priority.SCORE)
    qtbot.waitUntil(lambda: runner.idle)
    assert order == ["look", "asked", "score", "look", "looked"]


def test_closing_stops_a_query_that_runs(qtbot, runner):
    begun, stopped = threading.Event(), threading.Event()

    def look(token):
        token.stop_by(stopped.set)
        begun.set()
        stopped.wait(10)
        token.check()

    runner.submit(look, never, never, Priority.IDLE)
    assert begun.wait(10)
    assert runner.close() and stopped.is_set()


def test_a_job_that_waits_says_so_and_can_be_cancelled(qtbot, runner):
    said, waits = [], threading.Event()
    runner.worker.waits.connect(said.append)

    def wait(_token):
        try:
            while True:
                runner.worker.wait(True)
                waits.set()
        finally:
            runner.worker.wait(False)

    token = runner.submit(wait, never, never)
    assert waits.wait(10)
    token.cancel()
    qtbot.waitUntil(lambda: runner.idle)
    assert said == [True, False]
