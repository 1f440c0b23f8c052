"""The commands as the command line knows them: names, options and help; loads none of them."""

from collections.abc import Callable
from typing import Final

from kpinspector.cli.options import (
    Subparsers,
    add_data_dir,
    add_paths,
    add_recording_options,
    add_scoring_options,
    similarity,
)
from kpinspector.cli.streams import output
from kpinspector.phrase import Phrase
from kpinspector.words.say import in_words, say

_STATUS: Final = Phrase(
    "Exit status: 0 all accepted, 1 any rejected or undecided, 2 anything unreadable or not "
    "scorable, no trace found, or a memory that cannot be used: the scores then stand, without "
    "what it knew. A memory that can only be read, or whose disk is full, leaves the status to the "
    "verdicts."
)


def _score(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "score",
        help=say("score files and folders"),
        description=" ".join((say("Score traces as the SDK would."), in_words(_STATUS))),
    )
    add_paths(parser)
    report = parser.add_mutually_exclusive_group()
    report.add_argument("--json", action="store_true", help=say("print the report as JSON"))
    report.add_argument(
        "--report",
        metavar="FILE",
        type=output,
        help=say("write the report to FILE, or - for stdout"),
    )
    parser.add_argument(
        "--csv", metavar="FILE", type=output, help=say("write the list as CSV as well; to - alone")
    )
    add_scoring_options(parser)
    add_recording_options(parser)


def _explain(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "explain",
        help=say("say why traces score what they score"),
        description=" ".join(
            (
                say("Explain scores: every term, what it rests on, what would change it."),
                in_words(_STATUS),
            )
        ),
    )
    add_paths(parser)
    parser.add_argument("--json", action="store_true", help=say("print the explanations as JSON"))
    parser.add_argument(
        "--markdown",
        metavar="FILE",
        type=output,
        help=say("write them to FILE as well; to - alone"),
    )
    parser.add_argument(
        "--html", metavar="FILE", type=output, help=say("write them to FILE as well; to - alone")
    )
    about = say("show today's nearest entries beside those of the first scoring")
    parser.add_argument("--today", action="store_true", help=about)
    about = say("say what makes each trace like its nearest: steps, words, prompt")
    parser.add_argument("--alike", action="store_true", help=about)
    verdicts = ("accepted", "rejected", "undecided")
    about = say("explain only the {names} ones", names=", ".join(verdicts))
    parser.add_argument("--only", metavar="VERDICT", choices=verdicts, help=about)
    add_scoring_options(parser)
    add_recording_options(parser)


def _compare(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "compare",
        help=say("put two traces side by side"),
        description=say(
            "Compare two traces: their scores term by term, and their steps word by word. "
            "Exit status as for score."
        ),
    )
    about = say("a trace: file, file#record where it has several, or - for stdin")
    parser.add_argument("left", metavar="A", help=about)
    parser.add_argument("right", metavar="B", help=say("the trace to hold against it"))
    parser.add_argument("--json", action="store_true", help=say("print the comparison as JSON"))
    add_scoring_options(parser)
    add_recording_options(parser)


def _plan(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "plan",
        help=say("say which traces to contribute, in which order"),
        description=say(
            "Find the most traces that are all accepted, one after the other, by a process that"
            " scores them alone. Nothing is remembered. Exit status: 0 all are in the plan, 1 some"
            " are left out, 2 as for score."
        ),
    )
    add_paths(parser)
    about = say(
        "a trace that must be in: its id, its place as FILE#10, or its name; of copies with this id"
        " the first; may be given again"
    )
    parser.add_argument("--keep", metavar="ID", action="append", default=[], help=about)
    about = say("a trace that must not, or all with this id; may be given again")
    parser.add_argument("--leave-out", metavar="ID", action="append", default=[], help=about)
    parser.add_argument("--json", action="store_true", help=say("print the plan as JSON"))
    about = say("write the traces in this order, one a line; - for stdout, alone")
    parser.add_argument("-o", "--output", metavar="OUT.jsonl", type=output, help=about)
    add_scoring_options(parser)
    add_recording_options(parser)


def _summary(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "summary",
        help=say("sum up many traces"),
        description=" ".join(
            (
                say(
                    "Count what traces reach and lose by, and what would help how many of them."
                    " Nothing is remembered."
                ),
                in_words(_STATUS),
            )
        ),
    )
    add_paths(parser)
    outputs = parser.add_mutually_exclusive_group()
    outputs.add_argument("--json", action="store_true", help=say("print the summary as JSON"))
    outputs.add_argument(
        "--html", metavar="FILE", type=output, help=say("write it to FILE as well; to - alone")
    )
    about = say("how similar two traces of a group are at least, 0 to 1 (default: 0.8)")
    parser.add_argument("--similarity", metavar="S", type=similarity, help=about)
    add_scoring_options(parser)
    add_recording_options(parser)


def _convert(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "convert",
        help=say("write recordings of other agents as traces"),
        description=say(
            "Write the runs of other agents as reasoning traces, one a line. What a recording does "
            "not say is not made up: confidence and success are to be stated. Exit status: 0 all "
            "written, 2 anything refused or unreadable, or nothing to write."
        ),
    )
    add_paths(parser)
    about = say("where the traces are written, one a line; - for stdout")
    parser.add_argument(
        "-o", "--output", metavar="OUT.jsonl", type=output, required=True, help=about
    )
    seen = ("private", "org", "network")
    about = say("who may see them: {names} (default: private)", names=", ".join(seen))
    parser.add_argument("--visibility", metavar="V", choices=seen, default="private", help=about)
    levels = ("aggregated", "federated", "private")
    about = say("how they are cleaned: {names} (default: aggregated)", names=", ".join(levels))
    parser.add_argument("--privacy", metavar="P", choices=levels, default="aggregated", help=about)
    add_recording_options(parser)
    add_data_dir(parser)


def _formats(subparsers: Subparsers) -> None:
    subparsers.add_parser(
        "formats",
        help=say("list the recordings that are read"),
        description=say("The formats of recordings of other agents that are read."),
    )


def _sharing(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "sharing",
        help=say("show what would leave the machine"),
        description=say(
            "Show what would be posted of traces, what is cleaned, what leaves in clear; "
            "nothing is sent or remembered. Exit status: 0 nothing in clear, 1 anything in clear, "
            "2 anything unreadable, or no trace found."
        ),
    )
    add_paths(parser)
    ways = ("contribute", "capture")
    about = say("how they are sent: {names} (default: contribute)", names=", ".join(ways))
    parser.add_argument(
        "--as", dest="way", metavar="WAY", choices=ways, default="contribute", help=about
    )
    about = say("as if they named this privacy level")
    parser.add_argument("--level", metavar="L", help=about)
    parser.add_argument("--json", action="store_true", help=say("print the answers as JSON"))
    about = say("write the bodies to FILE, one a line, not masked; - for stdout")
    parser.add_argument("-o", "--output", metavar="FILE", type=output, help=about)
    add_scoring_options(parser)
    add_recording_options(parser, formats=False)


def _replay(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "replay",
        help=say("compute a report again"),
        description=say(
            "Compute the scores of a report again, novelty from the recorded similarity, "
            "and name what could be checked against nothing. No file that the report names is "
            "opened; the traces of files that are given are counted again as well, and the "
            "similarities between them measured. Exit status: 0 identical, 1 different or traces "
            "missing, 2 anything unreadable."
        ),
    )
    parser.add_argument("report", metavar="REPORT", help=say("report file, or - for stdin"))
    about = say("file or folder with the traces of the report")
    # without a default, argparse would name it among the missing arguments
    parser.add_argument("paths", metavar="PATH", nargs="*", default=[], help=about)
    parser.add_argument("--json", action="store_true", help=say("print what came of it as JSON"))
    add_data_dir(parser)


def _memory(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "memory",
        help=say("list or forget what is remembered"),
        description=say("What new traces are compared with. Exit status: 0 done, 2 not done."),
    )
    add_data_dir(parser)
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
        act.add_argument("--json", action="store_true", help=say("print it as JSON"))
    for act in (listing, forget, clear, info):
        add_data_dir(act, inherits=True)


# in the order of the help text; the module of this name in this package runs the command
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
