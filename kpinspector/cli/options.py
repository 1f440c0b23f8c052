"""The options that window and commands share; quick to import, as the window waits for it."""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from kpinspector.cli.streams import tell
from kpinspector.files import data_dir
from kpinspector.scoring.formula.profiles import PROFILES, Profile, profile_named
from kpinspector.scoring.memory.file import Mode, mode_of
from kpinspector.settings import Settings, load_settings
from kpinspector.words.say import say

DATA_DIR_OPTION = "--data-dir"

# argparse gives the types no public names
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001
Options: TypeAlias = "argparse.ArgumentParser | argparse._ArgumentGroup"  # noqa: SLF001


def add_paths(parser: argparse.ArgumentParser) -> None:
    """Add the paths to read."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help=say("file, FILE#3 for its third record, folder, or - for stdin"),
    )


def add_scoring_options(parser: argparse.ArgumentParser) -> None:
    """Add how traces are scored."""
    names = [profile.name for profile in PROFILES]
    about = say("for all traces: {names} (default: their own)", names=", ".join(names))
    parser.add_argument("--profile", metavar="P", choices=names, help=about)
    about = say("what a score must reach, 0 to 1")
    parser.add_argument("--threshold", metavar="T", type=threshold, help=about)
    add_memory_options(parser)


def add_recording_options(parser: argparse.ArgumentParser, *, formats: bool = True) -> None:
    """What recordings of other agents do not say themselves.

    Args:
        parser: Of a command.
        formats: ``--as`` names a format.
    """
    group = parser.add_argument_group(say("recordings of other agents"))
    if formats:
        about = say("take recordings for this format (default: recognised); see formats")
        group.add_argument("--as", dest="format", metavar="FORMAT", help=about)
    else:
        parser.set_defaults(format=None)
    about = say("the task domain of their runs (default: as recorded)")
    group.add_argument("--domain", metavar="D", type=domain, help=about)
    about = say("how sure the outcome is, where that is not recorded, 0 to 1")
    group.add_argument("--confidence", metavar="X", type=confidence, help=about)
    about = say("whether they succeeded, where that is not recorded")
    group.add_argument("--success", choices=("yes", "no"), help=about)
    about = say("which value of which recorded score means success, such as match=C")
    group.add_argument("--success-score", metavar="NAME=VALUE", type=success_score, help=about)
    about = say("make a run of each prompt of a session")
    group.add_argument("--split-prompts", action="store_true", help=about)


def add_memory_options(parser: Options) -> None:
    """Add what is done with the memory, and where it is, for the window and the commands."""
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--guest", action="store_true", help=say("compare, but remember nothing"))
    mode.add_argument(
        "--fresh", action="store_true", help=say("as a fresh SDK process: empty memory")
    )
    add_data_dir(parser)


def add_data_dir(parser: Options, *, inherits: bool = False) -> None:
    """Add the per-user folder; a command's parser keeps the value given before the command."""
    default = argparse.SUPPRESS if inherits else None
    about = say("where everything per-user is kept")
    parser.add_argument(DATA_DIR_OPTION, metavar="DIR", default=default, help=about)


def given_mode(arguments: argparse.Namespace) -> Mode | None:
    """The mode that the options choose; None leaves it to the settings."""
    if arguments.fresh:
        return Mode.FRESH
    return Mode.GUEST if arguments.guest else None


def threshold(text: str) -> float:
    """Called as it is named where what is given is no number."""
    return _share(text)


def confidence(text: str) -> float:
    """Called as it is named where what is given is no number."""
    return _share(text)


def similarity(text: str) -> float:
    """Called as it is named where what is given is no number."""
    return _share(text)


def domain(text: str) -> str:
    """A name that the schema takes."""
    if not text.strip() or not text.isprintable():
        raise argparse.ArgumentTypeError(say("a domain has a name"))
    return text


def success_score(text: str) -> tuple[str, str]:
    """The name of a score, which may hold the sign itself, and a value of it."""
    name, sign, value = text.rpartition("=")
    if not (name.strip() and sign and value.strip()):
        raise argparse.ArgumentTypeError(
            say("{text} is not the name of a score, = and a value", text=repr(text))
        )
    return name, value


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(say("{text} is not between 0 and 1", text=text))
    return value


@dataclass(frozen=True, slots=True)
class Choice:
    """The settings of one call: the saved ones, overridden by options.

    Attributes:
        folder: Where everything per-user is kept.
        settings: With the threshold of the options.
        mode: What the run does with the memory.
        profile: For all traces; None takes each trace's own.
    """

    folder: Path
    settings: Settings
    mode: Mode
    profile: Profile | None


def choice_of(arguments: argparse.Namespace) -> Choice:
    """The saved settings, overridden by the options of ``add_scoring_options``."""
    folder = data_dir(arguments.data_dir)
    settings = saved_settings(folder)
    if arguments.threshold is not None:
        settings = replace(settings, threshold=arguments.threshold)
    mode = mode_of(given_mode(arguments), settings)
    profile = profile_named(arguments.profile)
    return Choice(folder, settings, mode, profile)


def as_guest(choice: Choice) -> Choice:
    """The same without anything that is stored."""
    return choice if choice.mode is Mode.FRESH else replace(choice, mode=Mode.GUEST)


def saved_settings(folder: Path) -> Settings:
    """The saved settings; tell why if they cannot be read."""
    settings, notice = load_settings(folder)
    if notice:
        tell(notice)
    return settings
