"""Standard output and standard error, which may be closed, full or a terminal; and files."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shutil import get_terminal_size
from typing import Final, TypeAlias

from kpinspector.errors import ExitStatus, KpError, WriteError
from kpinspector.files import keep_apart, resources, write_atomic
from kpinspector.phrase import Phrase
from kpinspector.trace.printable import printable
from kpinspector.words.say import in_words, say

_LEAST_WIDTH: Final = 20
_SIGNS: Final = "\N{MINUS SIGN}\N{EN DASH}\N{HORIZONTAL ELLIPSIS}\N{BULLET}"
_TO_ASCII: Final = str.maketrans(_SIGNS, "--~*")
STDOUT: Final = "-"
SHELLS: Final = ("bash", "zsh", "fish")
UNMASKED: Final = Phrase("The traces are written as they are: nothing in them is masked.")
Output: TypeAlias = Path | str


def print_out(output: bytes | str) -> None:
    """Write to standard output.

    Raises:
        BrokenPipeError: nobody reads it any more.
        WriteError: it cannot be written for another reason.
    """
    if sys.stdout is None:
        raise WriteError(say("Standard output could not be written: it is closed."))
    try:
        if isinstance(output, bytes):
            sys.stdout.buffer.write(output)
        else:
            sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
            try:
                _SIGNS.encode(sys.stdout.encoding)
            except UnicodeEncodeError:  # the encoding lacks the signs
                output = output.translate(_TO_ASCII)
            sys.stdout.write(output)
        sys.stdout.flush()
    except OSError as error:
        # else flushing the rest of the buffer would fail again when the process ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise WriteError(
            say("Standard output could not be written: {reason}", reason=error.strerror)
        ) from error


def print_completion(arguments: argparse.Namespace) -> ExitStatus:
    """Print the completion script of one shell."""
    print_out((resources() / "completions" / str(arguments.shell)).read_bytes())
    return ExitStatus.OK


def terminal_width() -> int:
    """The width of standard output in cells: ``COLUMNS`` if set, 80 if it is no terminal."""
    return max(get_terminal_size().columns, _LEAST_WIDTH)


def tell(sentence: str) -> None:
    """Write a sentence to standard error."""
    _write_error(f"kpinspector: {printable(in_words(sentence))}\n")


def ask(question: str) -> str | None:
    """The line with which the user answers; None where there is no terminal to ask on."""
    if not all(one is not None and one.isatty() for one in (sys.stdin, sys.stderr)):
        return None
    _write_error(question)
    return sys.stdin.readline()


def show_progress(done: int, total: int) -> None:
    """Show a count on standard error, if that is a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        said = say("Scored {done} of {total}", done=f"{done:,}", total=f"{total:,}")
        _write_error(f"\r{said}" + ("\n" if done == total else ""))


def _write_error(text: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()


def output(text: str) -> Output:
    """The output that an option names: ``-`` is standard output (``./-`` a file of this name)."""
    return text if text == STDOUT else Path(text)


def checked_files(outputs: Sequence[Output], folder: Path, *, printed: bool) -> list[Path]:
    """The files among the outputs, if these differ and are none of the program's own in ``folder``.

    ``printed``: standard output is taken already.

    Raises:
        KpError: two outputs are the same, or one is the program's own file.
    """
    if outputs.count(STDOUT) + printed > 1:
        raise KpError(say("Only one output can go to standard output: name a file for the others."))
    files = [one for one in outputs if isinstance(one, Path)]
    keep_apart(files, folder)
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
