"""One background thread for jobs; each result comes back on the GUI thread."""

import heapq
import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from kpinspector.errors import KpError

_CLOSING_MS = 5000


Done = Callable[[Any], object]
Failed = Callable[[Exception], object]


class Priority(IntEnum):
    """The order of jobs; jobs of equal priority run in the order in which they were submitted."""

    ASKED = 0
    PARSE = 1
    SCORE = 2
    IDLE = 3  # gives way to any other job, and begins again after it


class Cancelled(Exception):  # noqa: N818 - no error: the job was told to stop
    """Raised by ``Token.check`` in a job that was cancelled, or gives way to another."""


class Token:
    """The handle of a job: its owner cancels the job by it, and its work reports progress by it.

    Attributes:
        cancelled: Neither ``done`` nor ``failed`` is called any more.
        gives_way: The job is to stop without a result, and will begin again later.
        done: How much the work has done so far, for the GUI thread to read.
    """

    __slots__ = ("_stop", "cancelled", "done", "gives_way")

    def __init__(self) -> None:
        self.cancelled = self.gives_way = False
        self.done = 0
        self._stop: Callable[[], None] | None = None

    def cancel(self) -> None:
        """Drop the job if it waits; stop it at its next check if it runs."""
        self.cancelled = True
        self._stop_now()

    def give_way(self) -> None:
        """Stop the job at its next check, so that others run first; it begins again later."""
        self.gives_way = True
        self._stop_now()

    def stop_by(self, stop: Callable[[], None] | None) -> None:
        """Called by the work: set a function that interrupts it from another thread, or None."""
        self._stop = stop

    def _stop_now(self) -> None:
        stop = self._stop
        if stop is not None:
            stop()

    def check(self) -> None:
        """Called by the work now and then.

        Raises:
            Cancelled: the job was cancelled, or must give way.
        """
        if self.cancelled or self.gives_way:
            raise Cancelled


Work = Callable[[Token], Any]


@dataclass(order=True, slots=True)
class _Job:
    priority: Priority
    number: int
    token: Token = field(compare=False)
    work: Work = field(compare=False)
    done: Done = field(compare=False)
    failed: Failed = field(compare=False)


class Worker(QObject):
    """Lives on the worker thread and runs one job at a time."""

    finished = Signal(object, object, object)
    waits = Signal(bool)
    """Whether the running job waits for another program to release the memory."""

    def __init__(self) -> None:
        super().__init__()
        self._token = Token()
        self._waits = False

    def wait(self, waiting: bool) -> None:  # noqa: FBT001 - as the memory calls it
        """Called by a job: True now and then while it waits for another program, then False.

        Raises:
            Cancelled: the job was cancelled meanwhile.
        """
        if waiting != self._waits:
            self._waits = waiting
            self.waits.emit(waiting)
        if waiting:
            self._token.check()

    @Slot(object)
    def run(self, job: _Job) -> None:
        """Run one job, then emit ``finished`` exactly once."""
        result, error = None, None
        self._token = job.token
        try:
            job.token.check()
            result = job.work(job.token)
        except Cancelled:
            pass
        except Exception as raised:  # noqa: BLE001 - handed over to the GUI thread
            error = raised
        self.finished.emit(job, result, error)


class JobRunner(QObject):
    """Runs jobs on one worker thread; the queue stays on the GUI thread."""

    _job_sent = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue: list[_Job] = []
        self._numbers = itertools.count()
        self._running: _Job | None = None
        self._closed = False
        self.worker = Worker()
        self._thread = QThread(self)
        self._thread.setObjectName("worker")
        self.worker.moveToThread(self._thread)
        self._job_sent.connect(self.worker.run)
        self.worker.finished.connect(self._on_finished)

    @property
    def idle(self) -> bool:
        """Whether no job runs or waits."""
        return self._running is None and not self._queue

    def submit(
        self, work: Work, done: Done, failed: Failed, priority: Priority = Priority.ASKED
    ) -> Token:
        """Queue ``work(token)`` for the worker; ``done`` or ``failed`` is called on the GUI thread.

        Nothing is called once the token is cancelled. A failure that is not a KpError is a bug: it
        goes to ``sys.excepthook`` before ``failed`` is called.
        """
        token = Token()
        if self._closed:
            token.cancel()
            return token
        number = next(self._numbers)
        heapq.heappush(self._queue, _Job(priority, number, token, work, done, failed))
        running = self._running
        if running is not None and running.priority is Priority.IDLE and priority < Priority.IDLE:
            running.token.give_way()
        self._send_next()
        return token

    def close(self, last: Callable[[], None] | None = None) -> bool:
        """Cancel all jobs, run ``last`` on the worker, and stop the thread.

        Returns:
            False if the thread did not stop within five seconds.
        """
        self._closed = True
        for job in (*self._queue, *([self._running] if self._running else [])):
            job.token.cancel()
        self._queue.clear()
        if not self._thread.isRunning():
            return True

        def end(_token: Token) -> None:
            try:
                if last is not None:
                    last()
            finally:
                QThread.currentThread().quit()  # quit() from the GUI thread would overtake the job

        number = next(self._numbers)
        self._job_sent.emit(
            _Job(Priority.ASKED, number, Token(), end, lambda _: None, lambda _: None)
        )
        return self._thread.wait(_CLOSING_MS)

    def _send_next(self) -> None:
        while self._running is None and self._queue:
            job = heapq.heappop(self._queue)
            if job.token.cancelled:
                continue
            self._running = job
            if not self._thread.isRunning():
                self._thread.start()
            self._job_sent.emit(job)

    @Slot(object, object, object)
    def _on_finished(self, job: _Job, result: object, error: Exception | None) -> None:
        if self._closed:
            return
        self._running = None
        try:
            if job.token.gives_way:
                job.token.gives_way = False
                heapq.heappush(self._queue, job)
            elif not job.token.cancelled:
                if error is None:
                    job.done(result)
                    return
                if not isinstance(error, KpError):
                    sys.excepthook(type(error), error, error.__traceback__)
                job.failed(error)
        finally:
            self._send_next()
