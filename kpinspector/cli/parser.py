"""Parses the arguments of the program and runs a command."""

import argparse
import os
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Final, NoReturn

from typing_extensions import override

from kpinspector import __version__
from kpinspector.cli.commands import COMMANDS, DATA_DIR_OPTION, Options, add_memory_options
from kpinspector.cli.streams import tell, terminal_width
from kpinspector.errors import ExitStatus, KpError
from kpinspector.files import is_there
from kpinspector.loading import loading
from kpinspector.trace.printable import printable
from kpinspector.words.say import say, say_list
from kpinspector.words.writers.columns import wrapped

# the modules of several commands, each a function there; any other is ``run`` of its own module
_SHARED: Final = {
    "plan": "batches",
    "summary": "batches",
    "convert": "recordings",
    "formats": "recordings",
}
_ABOUT_THE_PROGRAM = ("-h", "--help", "--version")
_USAGE: Final = "usage: "
_LEAST_LIKENESS: Final = 0.4


class _Parser(argparse.ArgumentParser):
    """A parser whose help fits the terminal, and whose errors hold no control characters."""

    @override
    def format_usage(self) -> str:
        return _narrowed(super().format_usage())

    @override
    def format_help(self) -> str:
        return _narrowed(super().format_help())

    @override
    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def _narrowed(text: str) -> str:
    """The parser with less indent in its usage, where that would be wider than the terminal."""
    usage, blank, rest = text.partition("\n\n")
    lines = usage.split("\n")
    if max(map(len, lines)) > terminal_width():
        usage = f"\n{' ' * len(_USAGE)}".join(line.strip() for line in lines)
    return f"{usage}{blank}{rest}"


def as_command(argv: Sequence[str]) -> list[str] | None:
    """The arguments with the command in front; None if they are for the window.

    Options of the whole program may stand before the command as well as after it.

    Raises:
        KpError: the first word is neither a command nor a path.
    """
    at = 0
    while at < len(argv) and argv[at].startswith("--"):
        at += 2 if argv[at] == DATA_DIR_OPTION else 1
    if argv[:1] and argv[0] in _ABOUT_THE_PROGRAM:
        return list(argv)
    if at < len(argv) and argv[at] in COMMANDS:
        return [argv[at], *argv[:at], *argv[at + 1 :]]
    if at < len(argv) and not (argv[at].startswith("-") or _is_path(argv[at])):
        return _help(argv[at:])
    return None


def _help(words: Sequence[str]) -> list[str]:
    """The arguments that ``help`` and ``help COMMAND`` stand for.

    Raises:
        KpError: the word after ``help`` is no command.
    """
    if words[0] != "help":
        raise KpError(_no_command(words[0]))
    return [*(word for word in words[1:2] if word in COMMANDS), "--help"]


def _is_path(word: str) -> bool:
    """Whether a word can only be a path: it exists, or holds a separator or a dot."""
    signs = {os.sep, os.altsep or os.sep, "/", "."}
    return any(sign in word for sign in signs) or is_there(word)


def _no_command(word: str) -> str:
    nearest = get_close_matches(word, COMMANDS, n=1, cutoff=_LEAST_LIKENESS)
    if nearest:
        return say(
            "{word} is no command; did you mean {command}?",
            word=repr(word),
            command=repr(nearest[0]),
        )
    return say(
        "{word} is no command and no path; the commands are {commands}.",
        word=repr(word),
        commands=say_list(COMMANDS),
    )


def run(argv: Sequence[str]) -> int:
    """Run one command and return the exit status."""
    arguments = make_parser(whole=argv[0] not in COMMANDS).parse_args(argv)
    command = arguments.command
    try:
        with loading():
            module = import_module(f"kpinspector.cli.{_SHARED.get(command, command)}")
        return int(getattr(module, command if command in _SHARED else "run")(arguments))
    except BrokenPipeError:
        return ExitStatus.PROBLEM
    except KpError as error:
        tell(error.message)
        return ExitStatus.PROBLEM


def make_parser(*, whole: bool = True) -> argparse.ArgumentParser:
    """The parser of all commands; with the window's options for the help of the whole program."""
    parser: argparse.ArgumentParser = _Parser(
        prog="kpinspector",
        usage=_usage(),
        description=say("Shows why a KnowledgePulse reasoning trace scores what it scores."),
        epilog=say(
            "Without a command the window opens, with the files and folders that are named."
        ),
    )
    parser.add_argument("--version", action="version", version=f"kpinspector {__version__}")
    subparsers = parser.add_subparsers(
        prog="kpinspector", title=say("commands"), dest="command", required=True
    )
    for add in COMMANDS.values():
        add(subparsers)
    if whole:
        _add_window(parser.add_argument_group(say("the window")))
    return parser


def _usage() -> str:
    """The usage of the window, then of the commands; argparse wraps only its own usage."""
    parts = ("%(prog)s", "[PATH\xa0...]", "[--guest\xa0|\xa0--fresh]", "[--data-dir\xa0DIR]")
    room = terminal_width() - len(_USAGE)
    lines = [*wrapped(" ".join(parts), room), "%(prog)s COMMAND ..."]
    return f"\n{' ' * len(_USAGE)}".join(lines).replace("\xa0", " ")


def window_parser() -> argparse.ArgumentParser:
    """The parser of the window's arguments."""
    parser = _Parser(prog="kpinspector")
    _add_window(parser)
    return parser


def _add_window(options: Options) -> None:
    about = say("file or folder to open; FILE#3 is the third record of a file")
    options.add_argument("paths", metavar="PATH", nargs="*", help=about)
    add_memory_options(options)
