"""The commands and their options, and what is chosen by them; quick to import, as the window waits.

None of the commands is loaded here.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from kpinspector.cli.streams import output, tell
from kpinspector.files import data_dir
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.profiles import PROFILES, Profile, profile_named
from kpinspector.settings import Mode, Settings, load_settings, mode_of
from kpinspector.words.say import in_words, say

DATA_DIR_OPTION: Final = "--data-dir"
_STATUS: Final = Phrase(
    "Exit status: 0 all accepted, 1 any rejected or undecided, 2 anything unreadable or not "
    "scorable, no trace found, or a memory that cannot be used: the scores then stand, without "
    "what it knew. A memory that can only be read, or whose disk is full, leaves the status to the "
    "verdicts."
)

# argparse gives the types no public names
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001
Options: TypeAlias = "argparse.ArgumentParser | argparse._ArgumentGroup"  # noqa: SLF001


def _score(commands: Subparsers) -> None:
    about = " ".join((say("Score traces as the SDK would."), in_words(_STATUS)))
    parser = commands.add_parser("score", help=say("score files and folders"), description=about)
    _add_paths(parser)
    report = parser.add_mutually_exclusive_group()
    _add_json(report, say("print the report as JSON"))
    _add_file(report, "--report", say("write the report to FILE, or - for stdout"))
    _add_file(parser, "--csv", say("write the list as CSV as well; to - alone"))
    _add_scoring(parser)
    _add_recordings(parser)


def _explain(commands: Subparsers) -> None:
    about = say("Explain scores: every term, what it rests on, what would change it.")
    parser = commands.add_parser(
        "explain",
        help=say("say why traces score what they score"),
        description=" ".join((about, in_words(_STATUS))),
    )
    _add_paths(parser)
    _add_json(parser, say("print the explanations as JSON"))
    for option in ("--markdown", "--html"):
        _add_file(parser, option, say("write them to FILE as well; to - alone"))
    about = say("show today's nearest entries beside those of the first scoring")
    parser.add_argument("--today", action="store_true", help=about)
    about = say("say what makes each trace like its nearest: steps, words, prompt")
    parser.add_argument("--alike", action="store_true", help=about)
    verdicts = ("accepted", "rejected", "undecided")
    about = say("explain only the {names} ones", names=", ".join(verdicts))
    parser.add_argument("--only", metavar="VERDICT", choices=verdicts, help=about)
    _add_scoring(parser)
    _add_recordings(parser)


def _compare(commands: Subparsers) -> None:
    about = say(
        "Compare two traces: their scores term by term, and their steps word by word. "
        "Exit status as for score."
    )
    parser = commands.add_parser(
        "compare", help=say("put two traces side by side"), description=about
    )
    about = say("a trace: file, file#record where it has several, or - for stdin")
    parser.add_argument("left", metavar="A", help=about)
    parser.add_argument("right", metavar="B", help=say("the trace to hold against it"))
    _add_json(parser, say("print the comparison as JSON"))
    _add_scoring(parser)
    _add_recordings(parser)


def _plan(commands: Subparsers) -> None:
    about = say(
        "Find the most traces that are all accepted, one after the other, by a process that"
        " scores them alone. Nothing is remembered. Exit status: 0 all are in the plan, 1 some"
        " are left out, 2 as for score."
    )
    parser = commands.add_parser(
        "plan", help=say("say which traces to contribute, in which order"), description=about
    )
    _add_paths(parser)
    about = say(
        "a trace that must be in: its id, its place as FILE#10, or its name; of copies with this id"
        " the first; may be given again"
    )
    parser.add_argument("--keep", metavar="ID", action="append", default=[], help=about)
    about = say("a trace that must not, or all with this id; may be given again")
    parser.add_argument("--leave-out", metavar="ID", action="append", default=[], help=about)
    _add_json(parser, say("print the plan as JSON"))
    about = say("write the traces in this order, one a line; - for stdout, alone")
    _add_file(parser, "-o", about, "OUT.jsonl")
    _add_scoring(parser)
    _add_recordings(parser)


def _summary(commands: Subparsers) -> None:
    about = say(
        "Count what traces reach and lose by, and what would help how many of them."
        " Nothing is remembered."
    )
    parser = commands.add_parser(
        "summary",
        help=say("sum up many traces"),
        description=" ".join((about, in_words(_STATUS))),
    )
    _add_paths(parser)
    outputs = parser.add_mutually_exclusive_group()
    _add_json(outputs, say("print the summary as JSON"))
    _add_file(outputs, "--html", say("write it to FILE as well; to - alone"))
    about = say("how similar two traces of a group are at least, 0 to 1 (default: 0.8)")
    parser.add_argument("--similarity", metavar="S", type=similarity, help=about)
    _add_scoring(parser)
    _add_recordings(parser)


def _convert(commands: Subparsers) -> None:
    about = say(
        "Write the runs of other agents as reasoning traces, one a line. What a recording does "
        "not say is not made up: confidence and success are to be stated. Exit status: 0 all "
        "written, 2 anything refused or unreadable, or nothing to write."
    )
    parser = commands.add_parser(
        "convert", help=say("write recordings of other agents as traces"), description=about
    )
    _add_paths(parser)
    about = say("where the traces are written, one a line; - for stdout")
    _add_file(parser, "-o", about, "OUT.jsonl", required=True)
    seen = ("private", "org", "network")
    about = say("who may see them: {names} (default: private)", names=", ".join(seen))
    parser.add_argument("--visibility", metavar="V", choices=seen, default="private", help=about)
    levels = ("aggregated", "federated", "private")
    about = say("how they are cleaned: {names} (default: aggregated)", names=", ".join(levels))
    parser.add_argument("--privacy", metavar="P", choices=levels, default="aggregated", help=about)
    _add_recordings(parser)
    _add_data_dir(parser)


def _sharing(commands: Subparsers) -> None:
    about = say(
        "Show what would be posted of traces, what is cleaned, what leaves in clear; "
        "nothing is sent or remembered. Exit status: 0 nothing in clear, 1 anything in clear, "
        "2 anything unreadable, or no trace found."
    )
    parser = commands.add_parser(
        "sharing", help=say("show what would leave the machine"), description=about
    )
    _add_paths(parser)
    ways = ("contribute", "capture")
    about = say("how they are sent: {names} (default: contribute)", names=", ".join(ways))
    parser.add_argument(
        "--as", dest="way", metavar="WAY", choices=ways, default="contribute", help=about
    )
    about = say("as if they named this privacy level")
    parser.add_argument("--level", metavar="L", help=about)
    _add_json(parser, say("print the answers as JSON"))
    _add_file(parser, "-o", say("write the bodies to FILE, one a line, not masked; - for stdout"))
    _add_scoring(parser)
    _add_recordings(parser, formats=False)


def _formats(commands: Subparsers) -> None:
    commands.add_parser(
        "formats",
        help=say("list the recordings that are read"),
        description=say("The formats of recordings of other agents that are read."),
    )


def _replay(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "replay",
        help=say("compute a report again"),
        description=say(
            "Compute the scores of a report again, each from the terms that it records, and show "
            "where they first differ. No file that the report names is opened; the traces of files "
            "that are given are scored again. Exit status: 0 identical, 1 different or traces "
            "missing, 2 anything unreadable."
        ),
    )
    parser.add_argument("report", metavar="REPORT", help=say("report file, or - for stdin"))
    about = say("file or folder with the traces of the report")
    # without a default, argparse would name it among the missing arguments
    parser.add_argument("paths", metavar="PATH", nargs="*", default=[], help=about)
    _add_json(parser, say("print what came of it as JSON"))
    _add_data_dir(parser)


def _memory(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "memory",
        help=say("list or forget what is remembered"),
        description=say("What new traces are compared with. Exit status: 0 done, 2 not done."),
    )
    _add_data_dir(parser)
    acts = parser.add_subparsers(title=say("what to do"), dest="act", required=True)
    listing = acts.add_parser("list", help=say("list all entries, oldest first"))
    forget = acts.add_parser("forget", help=say("forget traces with all that was found for them"))
    forget.add_argument("keys", metavar="KEY", nargs="+", help=say("an id, or a key from the list"))
    clear = acts.add_parser("clear", help=say("forget everything"))
    clear.add_argument("--yes", action="store_true", help=say("do not ask"))
    info = acts.add_parser(
        "info", help=say("say how much is remembered, where, and for which model")
    )
    for act in (listing, info):
        _add_json(act, say("print it as JSON"))
    for act in (listing, forget, clear, info):
        _add_data_dir(act, inherits=True)


def _add_paths(parser: argparse.ArgumentParser) -> None:
    """Add the paths to read."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help=say("file, FILE#3 for its third record, folder, or - for stdin"),
    )


def _add_json(parser: Options, about: str) -> None:
    parser.add_argument("--json", action="store_true", help=about)


def _add_file(
    parser: Options, option: str, about: str, metavar: str = "FILE", *, required: bool = False
) -> None:
    """Add an output; ``-o`` has a long name as well."""
    names = ("-o", "--output") if option == "-o" else (option,)
    given: dict[str, Any] = {"required": True} if required else {}
    parser.add_argument(*names, metavar=metavar, type=output, help=about, **given)


def _add_scoring(parser: argparse.ArgumentParser) -> None:
    """Add how traces are scored."""
    names = [profile.name for profile in PROFILES]
    about = say("for all traces: {names} (default: their own)", names=", ".join(names))
    parser.add_argument("--profile", metavar="P", choices=names, help=about)
    about = say("what a score must reach, 0 to 1")
    parser.add_argument("--threshold", metavar="T", type=threshold, help=about)
    add_memory_options(parser)


def _add_recordings(parser: argparse.ArgumentParser, *, formats: bool = True) -> None:
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
    _add_data_dir(parser)


def _add_data_dir(parser: Options, *, inherits: bool = False) -> None:
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
    """The saved settings, overridden by the options of ``_add_scoring``."""
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


# in the order of the help text
COMMANDS: Final[dict[str, Callable[[Subparsers], None]]] = {
    "score": _score,
    "explain": _explain,
    "compare": _compare,
    "plan": _plan,
    "summary": _summary,
    "convert": _convert,
    "sharing": _sharing,
    "formats": _formats,
    "replay": _replay,
    "memory": _memory,
}
