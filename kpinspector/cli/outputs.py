"""What a command is told to write: files, or standard output, which is called ``-``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

from kpinspector.cli.streams import print_out
from kpinspector.errors import KpError
from kpinspector.files import keep_apart, keep_own, write_atomic

STDOUT: Final = "-"
Output: TypeAlias = Path | str


def output(text: str) -> Output:
    """What an option names; a file that is called so is ``./-``."""
    return text if text == STDOUT else Path(text)


def checked_files(outputs: Sequence[Output], folder: Path, *, printed: bool) -> list[Path]:
    """The files among the outputs, none of them in the place of another or of the program's own.

    Args:
        outputs: All that is to be written.
        folder: Where everything per-user is kept.
        printed: Whether standard output is taken already.

    Raises:
        KpError: nothing was read or written yet.
    """
    if outputs.count(STDOUT) + printed > 1:
        raise KpError("Only one output can go to standard output: name a file for the others.")
    files = [one for one in outputs if isinstance(one, Path)]
    keep_apart(files)
    keep_own(files, folder)
    return files


def write_output(target: Output, data: bytes) -> None:
    """Write one output whole.

    Raises:
        WriteError: it could not be written; what stood in a file before is untouched.
    """
    if isinstance(target, Path):
        write_atomic(target, data)
    else:
        print_out(data)
