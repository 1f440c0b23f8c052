"""The commands as the command line knows them: names, options and help; loads none of them."""

from collections.abc import Callable
from typing import Final

from kpinspector.cli.options import (
    Subparsers,
    add_data_dir,
    add_paths,
    add_scoring_options,
)
from kpinspector.cli.streams import output

_STATUS: Final = (
    "Exit status: 0 all accepted, 1 any rejected, 2 anything unreadable or not scorable, no trace "
    "found, or a memory that cannot be used: the scores then stand, without what it knew."
)


def _score(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "score",
        help="score files and folders",
        description="Score traces as the SDK would. " + _STATUS,
    )
    add_paths(parser)
    report = parser.add_mutually_exclusive_group()
    report.add_argument("--json", action="store_true", help="print the report as JSON")
    report.add_argument(
        "--report", metavar="FILE", type=output, help="write the report to FILE, or - for stdout"
    )
    parser.add_argument(
        "--csv", metavar="FILE", type=output, help="write the list as CSV as well; to - alone"
    )
    add_scoring_options(parser)


def _explain(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "explain",
        help="say why traces score what they score",
        description="Explain scores: every term, what it rests on, what would change it. "
        + _STATUS,
    )
    add_paths(parser)
    parser.add_argument("--json", action="store_true", help="print the explanations as JSON")
    parser.add_argument(
        "--markdown", metavar="FILE", type=output, help="write them to FILE as well; to - alone"
    )
    parser.add_argument(
        "--html", metavar="FILE", type=output, help="write them to FILE as well; to - alone"
    )
    about = "show today's nearest entries beside those of the first scoring"
    parser.add_argument("--today", action="store_true", help=about)
    about = "compare whole texts, those of this run, as well, which the SDK does not"
    parser.add_argument("--whole", action="store_true", help=about)
    add_scoring_options(parser)


def _compare(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "compare",
        help="put two traces side by side",
        description="Compare two traces: their scores term by term, and their steps word by word. "
        "Exit status as for score.",
    )
    form = "file, file#record where it has several, or - for stdin"
    parser.add_argument("left", metavar="A", help=f"a trace: {form}")
    parser.add_argument("right", metavar="B", help="the trace to hold against it")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")
    add_scoring_options(parser)


def _replay(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "replay",
        help="compute a report again",
        description="Compute the scores of a report again, novelty from the recorded similarity, "
        "and name what could be checked against nothing. No file that the report names is opened; "
        "the traces of files that are given are counted again as well, and the similarities "
        "between them measured. Exit status: 0 identical, 1 different or traces missing, 2 "
        "anything unreadable.",
    )
    parser.add_argument("report", metavar="REPORT", help="report file, or - for stdin")
    about = "file or folder with the traces of the report"
    # without a default it would be named beside what is missing
    parser.add_argument("paths", metavar="PATH", nargs="*", default=[], help=about)
    parser.add_argument("--json", action="store_true", help="print what came of it as JSON")
    add_data_dir(parser)


def _memory(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "memory",
        help="list or forget what is remembered",
        description="What new traces are compared with. Exit status: 0 done, 2 not done.",
    )
    add_data_dir(parser)
    acts = parser.add_subparsers(title="what to do", dest="act", required=True)
    listing = acts.add_parser("list", help="list all entries, oldest first")
    forget = acts.add_parser("forget", help="forget traces with all that was found for them")
    forget.add_argument("keys", metavar="KEY", nargs="+", help="an id, or a key from the list")
    clear = acts.add_parser("clear", help="forget everything")
    clear.add_argument("--yes", action="store_true", help="do not ask")
    info = acts.add_parser("info", help="say how much is remembered, where, and for which model")
    for act in (listing, info):
        act.add_argument("--json", action="store_true", help="print it as JSON")
    for act in (listing, forget, clear, info):
        add_data_dir(act, inherits=True)


# in the order of the help text; each is run by the module of this package that is called so
COMMANDS: Final[dict[str, Callable[[Subparsers], None]]] = {
    "score": _score,
    "explain": _explain,
    "compare": _compare,
    "replay": _replay,
    "memory": _memory,
}
