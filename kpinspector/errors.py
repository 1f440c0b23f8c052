"""Failures that are not our fault, and the exit statuses.

A failure's message is shown to the user as it stands, never as a traceback.
"""

from enum import IntEnum
from typing import Final

from kpinspector.phrase import Phrase

_THROWN: Final = Phrase("the SDK throws an error")


class ExitStatus(IntEnum):
    """The exit status of the process."""

    OK = 0
    REJECTED = 1
    PROBLEM = 2
    BUG = 3
    INTERRUPTED = 130


class KpError(Exception):
    """An expected failure.

    Attributes:
        message: One plain sentence, a phrase to be said: what failed and what to do.
        detail: What the system or a library reported; may be empty.
    """

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


class NotScorableError(KpError):
    """The SDK has no finite score for a trace.

    Attributes:
        json_path: Where in the trace, dots between names (``steps.2.content``).
        expected: What the formula needs there.
        found: What is there instead.
    """

    def __init__(self, json_path: str, expected: str, found: str, result: str = _THROWN) -> None:
        super().__init__(
            Phrase(
                "{place}: expected {expected}, found {found}; {result}",
                place=json_path or Phrase("the record"),
                expected=expected,
                found=found,
                result=result,
            )
        )
        self.json_path = json_path
        self.expected = expected
        self.found = found


class ModelError(KpError):
    """The embedding model is missing, damaged or could not be loaded."""


class MemoryUnusableError(KpError):
    """The memory file can be neither read nor written now."""


class TraceLostError(KpError):
    """The trace of a neighbour can no longer be read from its file."""


class WriteError(KpError):
    """A file could not be written; a file that was there before is unchanged."""
