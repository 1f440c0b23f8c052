"""The options that window and commands share; light, as the window is waited for."""

import argparse
from typing import TypeAlias

from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.scoring.memory.mode import Mode

DATA_DIR_OPTION = "--data-dir"

# argparse gives the types no public names
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001
Options: TypeAlias = "argparse.ArgumentParser | argparse._ArgumentGroup"  # noqa: SLF001


def add_paths(parser: argparse.ArgumentParser) -> None:
    """What is read."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="file, FILE#3 for its third record, folder, or - for stdin",
    )


def add_scoring_options(parser: argparse.ArgumentParser) -> None:
    """How traces are scored."""
    names = [profile.name for profile in PROFILES]
    about = f"for all traces: {', '.join(names)} (default: their own)"
    parser.add_argument("--profile", metavar="P", choices=names, help=about)
    about = "what a score must reach, 0 to 1"
    parser.add_argument("--threshold", metavar="T", type=threshold, help=about)
    add_memory_options(parser)


def add_memory_options(parser: Options) -> None:
    """What is done with the memory, and where it is: the options of window and commands alike."""
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--guest", action="store_true", help="compare, but remember nothing")
    mode.add_argument("--fresh", action="store_true", help="as a fresh SDK process: empty memory")
    add_data_dir(parser)


def add_data_dir(parser: Options, *, inherits: bool = False) -> None:
    """Where everything per-user is kept; as the parser above has it, if not given again."""
    default = argparse.SUPPRESS if inherits else None
    about = "where everything per-user is kept"
    parser.add_argument(DATA_DIR_OPTION, metavar="DIR", default=default, help=about)


def given_mode(arguments: argparse.Namespace) -> Mode | None:
    """The mode that the options ask for; None leaves it to the settings."""
    if arguments.fresh:
        return Mode.FRESH
    return Mode.GUEST if arguments.guest else None


def threshold(text: str) -> float:
    """Called as it is named where what is given is no number."""
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value
