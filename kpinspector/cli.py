"""The command line without a display; loads no Qt."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from kpinspector import __version__
from kpinspector.errors import ExitStatus, KpError, WriteError
from kpinspector.files import data_dir
from kpinspector.scoring.assess import Verdict
from kpinspector.scoring.batch import Measured, measure_batch
from kpinspector.scoring.compose import Results, make_report
from kpinspector.scoring.embedder import MiniLM
from kpinspector.scoring.mode import Mode, open_memory
from kpinspector.scoring.profiles import PROFILES, Profile
from kpinspector.scoring.report import Report, UsedSettings, report_json, write_report
from kpinspector.scoring.report_text import printable, report_table
from kpinspector.settings import Settings, load_settings
from kpinspector.trace.find import FoundFile, list_files, open_problem
from kpinspector.trace.read import (
    MAX_BYTES,
    FileContents,
    Problem,
    Skipped,
    TraceRecord,
    read_bytes,
    read_file,
)

STDIN = "-"
COMMANDS = ("score",)


@dataclass
class _Gathered:
    """What was read so far, each list in the order in which it was found."""

    records: list[TraceRecord] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def add(self, found: FileContents | Problem | Skipped) -> None:
        match found:
            case Problem():
                self.problems.append(found)
            case Skipped():
                self.skipped.append(found)
            case _:
                self.records.extend(found.traces)
                self.problems.extend(found.problems)
                self.skipped.extend(found.skipped)


def run(argv: Sequence[str]) -> int:
    """Run one command and return the exit status."""
    arguments = make_parser().parse_args(argv)
    try:
        return _score(arguments)
    except BrokenPipeError:
        return ExitStatus.PROBLEM
    except KpError as error:
        _say(error.message)
        return ExitStatus.PROBLEM


def make_parser() -> argparse.ArgumentParser:
    """The whole command line, the window's part included for its help text."""
    parser = argparse.ArgumentParser(
        prog="kpinspector",
        description="Shows why a KnowledgePulse reasoning trace scores what it scores.",
        epilog="Without a command the window opens: kpinspector [PATH ...]",
    )
    parser.add_argument("--version", action="version", version=f"kpinspector {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", required=True)
    score = commands.add_parser(
        "score",
        help="score files and folders",
        description="Score traces as the SDK would. Exit status: 0 all accepted, 1 any rejected, "
        "2 anything unreadable or not scorable, or no trace found.",
    )
    score.add_argument("paths", metavar="PATH", nargs="+", help="file, folder, or - for stdin")
    output = score.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the report as JSON")
    output.add_argument("--report", metavar="FILE", type=Path, help="write the report to FILE")
    names = [profile.name for profile in PROFILES]
    score.add_argument("--profile", choices=names, help="for all traces (default: their own)")
    score.add_argument("--threshold", type=_threshold, help="what a score must reach, 0 to 1")
    _add_memory_options(score)
    return parser


def window_parser() -> argparse.ArgumentParser:
    """The command line of the window."""
    parser = argparse.ArgumentParser(prog="kpinspector")
    parser.add_argument("paths", metavar="PATH", nargs="*", help="file or folder to open")
    _add_memory_options(parser)
    return parser


def _add_memory_options(parser: argparse.ArgumentParser) -> None:
    """The options that both command lines share."""
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--guest", action="store_true", help="compare, but remember nothing")
    mode.add_argument("--fresh", action="store_true", help="as a fresh SDK process: empty memory")
    parser.add_argument("--data-dir", metavar="DIR", help="where everything per-user is kept")


def given_mode(arguments: argparse.Namespace) -> Mode | None:
    """The mode that the options ask for; None leaves it to the settings."""
    if arguments.fresh:
        return Mode.FRESH
    return Mode.GUEST if arguments.guest else None


def _threshold(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def _score(arguments: argparse.Namespace) -> int:
    folder = data_dir(arguments.data_dir)
    settings, notice = load_settings(folder)
    if notice:
        _say(notice)
    if arguments.threshold is not None:
        settings = settings.model_copy(update={"threshold": arguments.threshold})
    gathered = _Gathered()
    for found in _read(arguments.paths):
        gathered.add(found)
    profile = next((one for one in PROFILES if one.name == arguments.profile), None)
    mode = given_mode(arguments) or (Mode.GUEST if settings.guest else Mode.REMEMBER)
    report = _report(gathered, settings, mode, folder, profile)
    _print(report_json(report) if arguments.json else report_table(report))
    if arguments.report:
        write_report(arguments.report, report)
    return _exit_status(report)


def _read(paths: Iterable[str]) -> Iterator[FileContents | Problem | Skipped]:
    """Read what the paths name, in their order and each once; ``-`` is standard input."""
    for is_stdin, group in groupby(dict.fromkeys(paths), STDIN.__eq__):
        if is_stdin:
            yield _read_stdin()
            continue
        for found in list_files(group):
            yield read_file(found) if isinstance(found, FoundFile) else found


def _read_stdin() -> FileContents | Problem:
    if sys.stdin is None:
        return open_problem(STDIN, ValueError("standard input is closed"))
    try:
        return read_bytes(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN)
    except OSError as error:
        return open_problem(STDIN, error)


def _report(
    gathered: _Gathered, settings: Settings, mode: Mode, folder: Path, profile: Profile | None
) -> Report:
    embedder = MiniLM()
    measured: list[Measured] = []
    with open_memory(mode, folder, settings) as memory:
        for done, one in enumerate(measure_batch(gathered.records, embedder, memory), 1):
            measured.append(one)
            _show_progress(done, len(gathered.records))
        for notice in memory.notices:
            _say(notice)
        if mode is Mode.REMEMBER and not memory.remembers:
            mode = Mode.GUEST
    if embedder.failure is not None:
        assumed = any(one.measurement.novelty.assumed for one in measured)
        consequence = "Novelty is assumed 0.5." if assumed else ""
        words = (embedder.failure.message, consequence, embedder.failure.detail)
        _say(" ".join(filter(None, words)))
    used = UsedSettings(
        threshold=settings.threshold,
        max_elements=settings.max_elements,
        ttl_ms=settings.ttl_ms,
        mode=mode,
    )
    results = Results(measured, gathered.problems, gathered.skipped)
    model = None if embedder.failure is not None else embedder.model
    return make_report(results, used, model, profile)


def _exit_status(report: Report) -> int:
    if report.problems:
        return ExitStatus.PROBLEM
    if not report.traces:
        _say("No trace was found.")
        return ExitStatus.PROBLEM
    accepted = all(trace.verdict is Verdict.ACCEPTED for trace in report.traces)
    return ExitStatus.OK if accepted else ExitStatus.REJECTED


def _print(output: bytes | str) -> None:
    """Write to standard output.

    Raises:
        BrokenPipeError: nobody reads it any more.
        WriteError: it cannot be written otherwise.
    """
    if sys.stdout is None:
        raise WriteError("Standard output could not be written: it is closed.")
    try:
        if isinstance(output, bytes):
            sys.stdout.buffer.write(output)
        else:
            sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
            sys.stdout.write(output)
        sys.stdout.flush()
    except OSError as error:
        # what is left in the buffer would fail once more when the process ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise WriteError(f"Standard output could not be written: {error.strerror}") from error


def _show_progress(done: int, total: int) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        _tell(f"\rScored {done:,} of {total:,}" + ("\n" if done == total else ""))


def _say(sentence: str) -> None:
    _tell(f"kpinspector: {printable(sentence)}\n")


def _tell(text: str) -> None:
    """Write to standard error; whoever closed it does not want to know."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()
