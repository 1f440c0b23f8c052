"""The files that a command is told to write."""

from collections.abc import Sequence
from pathlib import Path

from kpinspector.files import keep_apart, keep_own


def check_outputs(outputs: Sequence[Path], folder: Path) -> None:
    """Refuse files of which one would take the place of another, or of the program's own.

    Raises:
        WriteError: nothing was read or written yet.
    """
    keep_apart(outputs)
    keep_own(outputs, folder)
