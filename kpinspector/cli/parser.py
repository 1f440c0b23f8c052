"""The table of commands, and what becomes of the words after the program's name."""

import argparse
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Protocol, cast

from kpinspector import __version__
from kpinspector.cli.options import DATA_DIR_OPTION, Subparsers, add_memory_options
from kpinspector.cli.streams import say
from kpinspector.errors import ExitStatus, KpError
from kpinspector.loading import loading

# each is a module of this package, in the order of the help text
COMMANDS = ("score", "explain", "compare", "replay", "memory")

_ABOUT_THE_PROGRAM = ("-h", "--help", "--version")


class Command(Protocol):
    """What the module of a command has."""

    def add_parser(self, subparsers: Subparsers) -> None:
        """Describe the command and its options."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do what is asked and return the exit status."""


def as_command(argv: Sequence[str]) -> list[str] | None:
    """The arguments with the command in front; None where the window is asked for.

    Options of the whole program may stand before the command as well as after it.
    """
    at = 0
    while at < len(argv) and argv[at].startswith("--"):
        at += 2 if argv[at] == DATA_DIR_OPTION else 1
    if argv[:1] and argv[0] in _ABOUT_THE_PROGRAM:
        return list(argv)
    if at < len(argv) and argv[at] in COMMANDS:
        return [argv[at], *argv[:at], *argv[at + 1 :]]
    return None


def run(argv: Sequence[str]) -> int:
    """Run one command and return the exit status."""
    # only the command that is asked for is loaded; the help text names them all
    names = argv[:1] if argv and argv[0] in COMMANDS else COMMANDS
    arguments = make_parser(names).parse_args(argv)
    try:
        return _load(arguments.command).run(arguments)
    except BrokenPipeError:
        return ExitStatus.PROBLEM
    except KpError as error:
        say(error.message)
        return ExitStatus.PROBLEM


def make_parser(names: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The command line of these commands, the window's part included for its help text."""
    parser = argparse.ArgumentParser(
        prog="kpinspector",
        description="Shows why a KnowledgePulse reasoning trace scores what it scores.",
        epilog="Without a command the window opens: kpinspector [PATH ...]",
    )
    parser.add_argument("--version", action="version", version=f"kpinspector {__version__}")
    subparsers = parser.add_subparsers(title="commands", dest="command", required=True)
    for name in names:
        _load(name).add_parser(subparsers)
    return parser


def window_parser() -> argparse.ArgumentParser:
    """The command line of the window."""
    parser = argparse.ArgumentParser(prog="kpinspector")
    parser.add_argument("paths", metavar="PATH", nargs="*", help="file or folder to open")
    add_memory_options(parser)
    return parser


def _load(name: str) -> Command:
    with loading():
        return cast(Command, import_module(f"kpinspector.cli.{name}"))
