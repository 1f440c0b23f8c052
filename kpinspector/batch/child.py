"""Work in a process of its own, which can be stopped at any time: solvers cannot."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from time import monotonic
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

Result = TypeVar("Result")

LIMIT_S: Final = 8.0  # with what is done before and after some ten in all
_SIGNALS: Final = frozenset({signal.SIGINT})


class Child(Generic[Result]):
    """One call in a process of its own. Begun at once; ends with its result, or is killed.

    It is asked by one thread; ``cancel`` may come from any. What is called, its arguments and its
    result are pickled, so it is a function of a module.

    Args:
        work: Called with the arguments.
        limit: Seconds from now on after which it is killed.
    """

    def __init__(
        self, work: Callable[..., Result], *arguments: object, limit: float = LIMIT_S
    ) -> None:
        context = get_context("spawn")  # a fork would share threads and what they hold
        self._answers, answers = context.Pipe(duplex=False)
        self._deadline = monotonic() + limit
        self._process = context.Process(
            target=_run, args=(answers, limit, work, *arguments), daemon=True
        )
        with _interrupts_held():
            self._process.start()
        answers.close()
        self._result: Result | None = None
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.cancel()
        self._end()

    @property
    def done(self) -> bool:
        """Whether ``result`` answers at once."""
        return self._ended or self._answers.poll() or monotonic() >= self._deadline

    def result(self) -> Result | None:
        """What came of it; waits. None where it was cancelled or took too long.

        Raises:
            ChildError: it failed.
        """
        if self._ended:
            return self._result
        failure = None
        try:
            if self._answers.poll(max(0.0, self._deadline - monotonic())):
                self._result, failure = self._answers.recv()
        except EOFError:  # it was killed
            pass
        finally:
            self._end()
        if failure is not None:
            raise ChildError(failure)
        return self._result

    def cancel(self) -> None:
        """Stop it; whoever waits for the result has none."""
        if not self._ended:
            self._process.kill()

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._process.kill()
            self._process.join()
            self._process.close()
            self._answers.close()


class ChildError(RuntimeError):
    """A bug in what ran in another process, with its traceback."""


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """What is begun within this never hears of Ctrl-C, which its parent hears afterwards."""
    hold = getattr(signal, "pthread_sigmask", None)  # not on Windows
    if hold is None:
        yield
        return
    resource_tracker.ensure_running()  # which hears of Ctrl-C again once it runs
    before = hold(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        hold(signal.SIG_SETMASK, before)


def _run(
    answers: "Connection[object, object]",
    limit: float,
    work: Callable[..., object],
    *arguments: object,
) -> None:
    """In the other process; which ends by itself where nobody is left to end it."""
    import traceback  # noqa: PLC0415 - in the other process only

    if hasattr(signal, "alarm"):
        signal.alarm(ceil(limit) + 1)
    try:
        answer = work(*arguments), None
    except Exception:
        answers.send((None, traceback.format_exc()))
        raise
    answers.send(answer)
