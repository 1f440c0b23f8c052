"""The tables of commands and options, and the parser; quick to import, as the window waits for it.

A command's module is loaded when the command runs.
"""

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final, NoReturn, TypeAlias

from typing_extensions import override

from kpinspector import __version__
from kpinspector.cli.streams import SHELLS, output, tell, terminal_width
from kpinspector.errors import ExitStatus, KpError
from kpinspector.files import is_there
from kpinspector.loading import loading
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.settings import Mode
from kpinspector.trace.printable import printable
from kpinspector.words.say import in_words, say, say_list
from kpinspector.words.writers import EXPLANATIONS, LISTS
from kpinspector.words.writers.columns import wrapped

_ABOUT_THE_PROGRAM: Final = ("-h", "--help", "--version")
_USAGE: Final = "usage: "
_LEAST_LIKENESS: Final = 0.4

# argparse has no public name for this type
_Parts: TypeAlias = "argparse.ArgumentParser | argparse._ArgumentGroup"  # noqa: SLF001

_STATUS: Final = Phrase(
    "Exit status: 0 all accepted, 1 any rejected or undecided, 2 anything unreadable or not "
    "scorable, no trace found, or a memory that cannot be used: the scores then stand, without "
    "what it knew. A memory that can only be read, or whose disk is full, leaves the status to the "
    "verdicts."
)
# in the order of the help: module and function, the line in the program's help, its own help
COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "score": (
        "score.score",
        Phrase("score files and folders"),
        Phrase("Score traces as the SDK would."),
        _STATUS,
    ),
    "explain": (
        "batches.explain_all",
        Phrase("say why traces score what they score"),
        Phrase("Explain scores: every term, what it rests on, what would change it."),
        _STATUS,
    ),
    "compare": (
        "batches.compare",
        Phrase("put two traces side by side"),
        Phrase(
            "Compare two traces: their scores term by term, and their steps word by word. "
            "Exit status as for score."
        ),
    ),
    "plan": (
        "batches.plan",
        Phrase("say which traces to contribute, in which order"),
        Phrase(
            "Find the most traces that are all accepted, one after the other, by a process that"
            " scores them alone. Nothing is remembered. Exit status: 0 all are in the plan, 1 some"
            " are left out, 2 as for score."
        ),
    ),
    "summary": (
        "batches.summary",
        Phrase("sum up many traces"),
        Phrase(
            "Count what traces need and lose by, and what would help how many of them."
            " Nothing is remembered."
        ),
        _STATUS,
    ),
    "convert": (
        "reading.convert",
        Phrase("write recordings of other agents as traces"),
        Phrase(
            "Write the runs of other agents as reasoning traces, one a line. What a recording does "
            "not say is not made up: confidence and success are to be stated. Exit status: 0 all "
            "written, 2 anything refused or unreadable, or nothing to write."
        ),
    ),
    "sharing": (
        "sharing.sharing",
        Phrase("show what would leave the machine"),
        Phrase(
            "Show what would be posted of traces, what is cleaned, what leaves in clear; "
            "nothing is sent or remembered. Exit status: 0 nothing in clear, 1 anything in clear, "
            "2 anything unreadable, or no trace found."
        ),
    ),
    "formats": (
        "reading.print_formats",
        Phrase("list the recordings that are read"),
        Phrase(
            "The formats of recordings of other agents that are read, and where such are. Exit"
            " status: 0."
        ),
    ),
    "replay": (
        "score.replay_report",
        Phrase("compute a report again"),
        Phrase(
            "Compute the scores of a report again, each from the terms that it records, and show "
            "where they first differ. No file that the report names is opened; the traces of files "
            "that are given are scored again. Exit status: 0 identical, 1 different or traces "
            "missing, 2 anything unreadable."
        ),
    ),
    "memory": (
        "memory.run",
        Phrase("list or forget what is remembered"),
        Phrase("What new traces are compared with. Exit status: 0 done, 2 not done."),
    ),
    "completion": ("streams.print_completion", Phrase("print completions for a shell")),
}
_ACTS: Final = {
    "list": Phrase("list all entries, oldest first"),
    "forget": Phrase("forget traces with all that was found for them"),
    "clear": Phrase("forget everything"),
    "info": Phrase("say how much is remembered, where, and for which model"),
}
_PROFILES: Final = [profile.name for profile in PROFILES]
_VERDICTS: Final = ("accepted", "rejected", "undecided")
_SEEN: Final = ("private", "org", "network")
_LEVELS: Final = ("aggregated", "federated", "private")
_WAYS: Final = ("contribute", "capture")
_FOLDER: Final = Phrase("where everything per-user is kept")
# names for sets of commands that share an option
_SETS: Final = {
    "reading": "score explain plan summary convert sharing",
    "scoring": "score explain compare plan summary sharing",
    "runs": "score explain compare plan summary convert sharing",
    "recordings": "score explain compare plan summary convert",
    "acts": "list forget clear info",
}
# "commands or sets: names METAVAR" and the help of an option; "|" before the names: of consecutive
# options with it, only one may be given
_OPTIONS: Final[Mapping[str, str]] = {
    "window: paths PATH": Phrase("file or folder to open; FILE#3 is the third record of a file"),
    "reading: paths PATH": Phrase("file, FILE#3 for its third record, folder, or - for stdin"),
    "score: |--json": Phrase("print the report as JSON"),
    "score: |--report FILE": Phrase("write the report to FILE, or - for stdout"),
    **{
        f"score: --{name} FILE": Phrase("write the list to FILE as well; to - alone")
        for name in LISTS
    },
    "explain: --json": Phrase("print the explanations as JSON"),
    **{
        f"explain: --{name} FILE": Phrase("write them to FILE as well; to - alone")
        for name in EXPLANATIONS
    },
    "explain: --today": Phrase("show today's nearest entries beside those of the first scoring"),
    "explain: --alike": Phrase("say what makes each trace like its nearest: steps, words, prompt"),
    "explain: --only VERDICT": Phrase("explain only the {names} ones", names=", ".join(_VERDICTS)),
    "compare: left A": Phrase("a trace: file, file#record where it has several, or - for stdin"),
    "compare: right B": Phrase("the trace to hold against it"),
    "compare: --json": Phrase("print the comparison as JSON"),
    "plan: --keep ID": Phrase(
        "a trace that must be in: its id, its place as FILE#10, or its name; of copies with this id"
        " the first; may be given again"
    ),
    "plan: --leave-out ID": Phrase(
        "a trace that must not, or all with this id; may be given again"
    ),
    "plan: --json": Phrase("print the plan as JSON"),
    "plan: -o --output OUT.jsonl": Phrase(
        "write the traces in this order, one a line; - for stdout, alone"
    ),
    "summary: |--json": Phrase("print the summary as JSON"),
    "summary: |--html FILE": Phrase("write it to FILE as well; to - alone"),
    "summary: --similarity S": Phrase(
        "how similar two traces of a group are at least, 0 to 1 (default: 0.8)"
    ),
    "convert: -o --output OUT.jsonl": Phrase(
        "where the traces are written, one a line; - for stdout"
    ),
    "convert: --visibility V": Phrase(
        "who may see them: {names} (default: private)", names=", ".join(_SEEN)
    ),
    "convert: --privacy P": Phrase(
        "how they are cleaned: {names} (default: aggregated)", names=", ".join(_LEVELS)
    ),
    "sharing: --as WAY": Phrase(
        "how they are sent: {names} (default: contribute)", names=", ".join(_WAYS)
    ),
    "sharing: --level L": Phrase("as if they named this privacy level"),
    "sharing: --json": Phrase("print the answers as JSON"),
    "sharing: -o --output FILE": Phrase(
        "write the bodies to FILE, one a line, not masked; - for stdout"
    ),
    "completion: shell SHELL": Phrase("one of {names}", names=", ".join(SHELLS)),
    "formats: --here": Phrase("list the folders of this computer that hold recordings"),
    "replay: report REPORT": Phrase("report file, or - for stdin"),
    "replay: paths PATH": Phrase("file or folder with the traces of the report"),
    "replay: --json": Phrase("print what came of it as JSON"),
    "list info: --json": Phrase("print it as JSON"),
    "forget: keys KEY": Phrase("an id, or a key from the list"),
    "clear: --yes": Phrase("do not ask"),
    "scoring: --profile P": Phrase(
        "for all traces: {names} (default: their own)", names=", ".join(_PROFILES)
    ),
    "scoring: --threshold T": Phrase("what a score must reach, 0 to 1"),
    "scoring window: |--guest": Phrase("compare, but remember nothing"),
    "scoring window: |--fresh": Phrase("as a fresh SDK process: empty memory"),
    "scoring window convert replay memory: --data-dir DIR": _FOLDER,
    "acts: --data-dir DIR": _FOLDER,
}
_OF_RUNS: Final[Mapping[str, str]] = {
    "recordings: --as FORMAT": Phrase(
        "take recordings for this format (default: recognised); see formats"
    ),
    "runs: --domain D": Phrase("the task domain of their runs (default: as recorded)"),
    "runs: --confidence X": Phrase("how sure the outcome is, where that is not recorded, 0 to 1"),
    "runs: --success": Phrase("whether they succeeded, where that is not recorded"),
    "runs: --success-score NAME=VALUE": Phrase(
        "which value of which recorded score means success, such as match=C"
    ),
    "runs: --split-prompts": Phrase("make a run of each prompt of a session"),
}


def _share(name: str) -> Callable[[str], float]:
    """A reader of numbers from 0 to 1; argparse uses its name in messages."""

    def share(text: str) -> float:
        value = float(text)
        if not 0 <= value <= 1:
            raise argparse.ArgumentTypeError(say("{text} is not between 0 and 1", text=text))
        return value

    share.__name__ = name
    return share


def _domain(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise argparse.ArgumentTypeError(say("a domain has a name"))
    return text


def _success_score(text: str) -> tuple[str, str]:
    """The name of a score, which may itself hold "=", and a value of that score."""
    name, sign, value = text.rpartition("=")
    if not (name.strip() and sign and value.strip()):
        about = say("{text} is not the name of a score, = and a value", text=repr(text))
        raise argparse.ArgumentTypeError(about)
    return name, value


# further arguments for argparse, by metavar, by flag, or by a whole key of the tables
_GIVEN: Final[Mapping[str, Mapping[str, Any]]] = {
    "FILE": {"type": output},
    "OUT.jsonl": {"type": output},
    "T": {"type": _share("threshold")},
    "X": {"type": _share("confidence")},
    "S": {"type": _share("similarity")},
    "D": {"type": _domain},
    "NAME=VALUE": {"type": _success_score},
    "FORMAT": {"dest": "format"},
    "VERDICT": {"choices": _VERDICTS},
    "ID": {"action": "append", "default": []},
    "V": {"choices": _SEEN, "default": _SEEN[0]},
    "WAY": {"dest": "way", "choices": _WAYS, "default": _WAYS[0]},
    "KEY": {"nargs": "+"},
    "SHELL": {"choices": SHELLS},
    "--success": {"choices": ("yes", "no")},
    "--guest": {"action": "store_const", "dest": "mode", "const": Mode.GUEST},
    "--fresh": {"action": "store_const", "dest": "mode", "const": Mode.FRESH},
    "reading: paths PATH": {"nargs": "+"},
    "window: paths PATH": {"nargs": "*"},
    # without a default, argparse would list it among the missing arguments
    "replay: paths PATH": {"nargs": "*", "default": []},
    "scoring: --profile P": {"choices": _PROFILES},
    "convert: --privacy P": {"choices": _LEVELS, "default": _LEVELS[0]},
    "convert: -o --output OUT.jsonl": {"required": True},
    # keeps the value that was given before the act
    "acts: --data-dir DIR": {"default": argparse.SUPPRESS},
}


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
    """The help with less indent in its usage, if that would be wider than the terminal."""
    usage, blank, rest = text.partition("\n\n")
    if max(map(len, usage.split("\n"))) > terminal_width():
        usage = f"\n{' ' * len(_USAGE)}".join(map(str.strip, usage.split("\n")))
    return f"{usage}{blank}{rest}"


def as_command(argv: Sequence[str]) -> list[str] | None:
    """The arguments with the command in front; None if they are for the window.

    Options of the whole program may stand before the command as well as after it.

    Raises:
        KpError: the first word is neither a command nor a path.
    """
    at = 0
    while at < len(argv) and argv[at].startswith("--"):
        at += 2 if argv[at] == "--data-dir" else 1
    if argv[:1] and argv[0] in _ABOUT_THE_PROGRAM:
        return list(argv)
    word = argv[at] if at < len(argv) else "-"
    if word in COMMANDS:
        return [word, *argv[:at], *argv[at + 1 :]]
    if word == "help" and not is_there(word):
        return [*(one for one in argv[at + 1 : at + 2] if one in COMMANDS), "--help"]
    # a word is taken for a path if that exists, or if it holds a separator or a dot
    if word.startswith("-") or {os.sep, "/", "."} & set(word) or is_there(word):
        return None
    shown = repr(word)
    for one in map(repr, get_close_matches(word, COMMANDS, n=1, cutoff=_LEAST_LIKENESS)):
        raise KpError(say("{word} is no command; did you mean {command}?", word=shown, command=one))
    raise KpError(
        say(
            "{word} is no command and no path; the commands are {commands}.",
            word=shown,
            commands=say_list(COMMANDS),
        )
    )


def run(argv: Sequence[str]) -> int:
    """Run one command and return the exit status."""
    arguments = parser_of_all(whole=argv[0] not in COMMANDS).parse_args(argv)
    module, function = COMMANDS[arguments.command][0].split(".")
    try:
        with loading():
            work = getattr(import_module(f"kpinspector.cli.{module}"), function)
        return int(work(arguments))
    except BrokenPipeError:
        return ExitStatus.PROBLEM
    except KpError as error:
        tell(error.message)
        return ExitStatus.PROBLEM


def parser_of_all(*, whole: bool) -> argparse.ArgumentParser:
    """The parser of all commands; ``whole``: with the window's options, for the program's help."""
    # argparse wraps only the usage that it makes itself
    parts = ("%(prog)s", "[PATH\xa0...]", "[--guest\xa0|\xa0--fresh]", "[--data-dir\xa0DIR]")
    lines = [*wrapped(" ".join(parts), terminal_width() - len(_USAGE)), "%(prog)s COMMAND ..."]
    parser = _Parser(
        prog="kpinspector",
        usage=f"\n{' ' * len(_USAGE)}".join(lines).replace("\xa0", " "),
        description=say("Shows why a KnowledgePulse reasoning trace scores what it scores."),
        epilog=say(
            "Without a command the window opens, with the files and folders that are named."
        ),
    )
    parser.add_argument("--version", action="version", version=f"kpinspector {__version__}")
    commands = parser.add_subparsers(
        prog="kpinspector", title=say("commands"), dest="command", required=True
    )
    for name, (_work, short, *about) in COMMANDS.items():
        sentences = " ".join(map(in_words, about))
        added = commands.add_parser(name, help=in_words(short), description=sentences)
        _add(added, name, _OPTIONS)
        _add(added.add_argument_group(say("recordings of other agents")), name, _OF_RUNS)
    acts = commands.choices["memory"].add_subparsers(
        title=say("what to do"), dest="act", required=True
    )
    for act, short in _ACTS.items():
        _add(acts.add_parser(act, help=in_words(short)), act, _OPTIONS)
    if whole:
        _add(parser.add_argument_group(say("the window")), "window", _OPTIONS)
    return parser


def window_parser() -> argparse.ArgumentParser:
    """The parser of the window's arguments."""
    parser = _Parser(prog="kpinspector")
    _add(parser, "window", _OPTIONS)
    return parser


def _add(parts: _Parts, who: str, table: Mapping[str, str]) -> None:
    either: _Parts | None = None
    for key, about in table.items():
        sets, spelled = key.split(": ")
        if who not in " ".join(_SETS.get(one, one) for one in sets.split()).split():
            continue
        *names, last = spelled.removeprefix("|").split()
        given = {**_GIVEN.get(last, {}), **_GIVEN.get(key, {})}
        if last.startswith("-"):
            names.append(last)
            given = given or {"action": "store_true"}
        else:
            given["metavar"] = last
        either = (either or parts.add_mutually_exclusive_group()) if "|" in spelled else None
        (either or parts).add_argument(*names, help=in_words(about), **given)
