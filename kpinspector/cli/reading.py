"""Reads the files at paths, ``-`` for standard input; ``kpinspector convert`` and ``formats``."""

import argparse
import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from time import time

from kpinspector.cli import streams
from kpinspector.cli.streams import tell
from kpinspector.errors import ExitStatus, KpError
from kpinspector.files import data_dir, keep_sources
from kpinspector.runs.follow import goes_on, is_recent
from kpinspector.runs.read import NOTHING_ASKED, Asked, RunRecord, read_bytes, read_file
from kpinspector.runs.readers import every_format, formats, found_here, notes
from kpinspector.runs.rules import RunOutcome, SuccessScore
from kpinspector.trace.bytes import MAX_BYTES, encoded
from kpinspector.trace.find import FoundFile, list_files, open_problem
from kpinspector.trace.printable import printable
from kpinspector.trace.records import (
    FileContents,
    MoreProblems,
    Problem,
    ReportRecord,
    Skipped,
    Source,
    TextRecord,
    TraceRecord,
    UnreadRecord,
    at_record,
    more_problems,
    skipped_report,
)
from kpinspector.words.problems import located, named_and_counted
from kpinspector.words.recordings import not_converted
from kpinspector.words.say import in_words, say, say_count
from kpinspector.words.writers.columns import labelled

STDIN = "-"
_STDIN_HANDLE = 0


def asked_of(arguments: argparse.Namespace) -> Asked:
    """How recordings are to be read, by the options for recordings of other agents.

    Raises:
        KpError: there is no such format.
    """
    form = getattr(arguments, "format", None)  # ``sharing`` lacks the option
    if not (form is None or form in formats() or form in every_format()):
        ids = ", ".join(every_format())
        told = say("{name} is no format; the formats are {formats}.", name=repr(form), formats=ids)
        raise KpError(told)
    score = arguments.success_score
    success = None if arguments.success is None else arguments.success == "yes"
    return Asked(
        format=form,
        domain=arguments.domain,
        outcome=RunOutcome(arguments.confidence, success),
        success_score=None if score is None else SuccessScore(*score),
        split_prompts=arguments.split_prompts,
        folder=data_dir(arguments.data_dir),
    )


@dataclass
class Gathered:
    """What was read so far, in the order of reading; reports are listed as skipped, too.

    Attributes:
        objects: The texts, and objects that are no trace but would be posted as one.
        running: The places of runs whose recordings seem to be still being written.
        sources: The files that were read, except those in a folder that hold nothing to score.
    """

    texts: list[TextRecord] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    reports: list[ReportRecord] = field(default_factory=list)
    more_problems: list[MoreProblems] = field(default_factory=list)
    objects: list[TextRecord | UnreadRecord] = field(default_factory=list)
    sources: list[str | int | Path] = field(default_factory=list)
    running: set[Source] = field(default_factory=set)
    stdin: bytes = b""

    @property
    def all_problems(self) -> list[Problem | MoreProblems]:
        """The problems, and one for each file whose further problems are only counted."""
        return [*self.problems, *self.more_problems]

    @property
    def records(self) -> list[TraceRecord]:
        """The traces that can be scored."""
        return [one for one in self.texts if isinstance(one, TraceRecord)]

    def add(self, found: FileContents | Problem | Skipped) -> None:
        """Add the contents of one file, or why it cannot be read or is skipped."""
        match found:
            case Problem():
                self.problems.append(found)
            case Skipped():
                self.skipped.append(found)
            case _:
                self.texts += found.texts
                unread = [one for one in found.problems if isinstance(one, UnreadRecord)]
                objects = [*found.texts, *unread]
                self.objects += sorted(objects, key=lambda one: one.source.record or 0)
                self.problems += found.problems
                self.skipped += found.skipped
                self.skipped += [skipped_report(report.source) for report in found.reports]
                self.reports += found.reports
                if found.more_problems:
                    last = found.problems[-1]
                    more = more_problems(last.path, last.kind, found.more_problems)
                    self.more_problems.append(more)


def gather(
    paths: Iterable[str],
    came: Callable[[Sequence[TextRecord]], None] = lambda _: None,
    asked: Asked = NOTHING_ASKED,
) -> Gathered:
    """Read everything at the paths, each once; ``came``: called with all texts after each file."""
    gathered = Gathered()
    for is_stdin, group in groupby(dict.fromkeys(paths), STDIN.__eq__):
        if is_stdin:
            gathered.stdin, given = _read_stdin(asked)
            gathered.add(given)
            gathered.sources.append(_STDIN_HANDLE)
            came(gathered.texts)
            continue
        for found in list_files(group):
            contents = read_file(found, asked) if isinstance(found, FoundFile) else found
            gathered.add(contents)
            if isinstance(contents, FileContents) and isinstance(found, FoundFile):
                if found.named or contents.traces or contents.problems:
                    gathered.sources.append(found.path)
                runs = [one.source for one in contents.traces if goes_on(one)]
                with suppress(OSError):  # runs of a deleted file have ended
                    if runs and is_recent(found.path.stat().st_mtime_ns, time()):
                        gathered.running.update(runs)
            came(gathered.texts)
    if asked.success_score is not None:
        _tell_scores(gathered, asked.success_score)
    return gathered


def _tell_scores(gathered: Gathered, wanted: SuccessScore) -> None:
    runs = [one.imported for one in gathered.texts if isinstance(one, RunRecord)]
    names = {name: None for one in runs for name in one.run.scores}
    if not runs or wanted.name in names:
        return
    asked = repr(wanted.name)
    if names:
        there = ", ".join(map(printable, names))
        tell(say("No run has a score {name}; there are {names}.", name=asked, names=there))
    else:
        tell(say("No run has a score {name}: none is recorded.", name=asked))


def _read_stdin(asked: Asked) -> tuple[bytes, FileContents | Problem]:
    if sys.stdin is None:
        return b"", open_problem(STDIN, ValueError("standard input is closed"))
    try:
        data: bytes | None = sys.stdin.buffer.read(MAX_BYTES + 1)
        # a non-blocking stream returns None while more bytes may still come
        if data is None or (not sys.stdin.buffer.isatty() and sys.stdin.buffer.read(1) is None):
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    except OSError as error:
        return b"", open_problem(STDIN, error)
    return data, read_bytes(data, STDIN, asked=asked)


def convert(arguments: argparse.Namespace) -> ExitStatus:
    """Write the runs as traces, one per line; tell which were not written, and why."""
    files = streams.checked_files([arguments.output], data_dir(arguments.data_dir), printed=False)
    gathered = gather(arguments.paths, asked=asked_of(arguments))
    keep_sources(files, gathered.sources)
    lines = []
    refused = bool(gathered.problems)
    for said in _beside(gathered):
        tell(said)
    for record in gathered.records:
        if not isinstance(record, RunRecord):
            place = at_record(record.source.path, record.source.record)
            tell(say("{path}: a trace already, not converted.", path=place))
        elif tell_refused(record):
            refused = True
        else:
            trace = record.imported.converted(arguments.visibility, arguments.privacy)
            lines.append(f"{encoded(trace)}\n")
    if not lines:
        tell(say("Nothing was converted."))
        return ExitStatus.PROBLEM
    streams.write_output(arguments.output, "".join(lines).encode())
    tell(streams.UNMASKED)
    return ExitStatus.PROBLEM if refused else ExitStatus.OK


def tell_refused(record: RunRecord) -> bool:
    """Whether a run cannot be converted; tells why."""
    why = not_converted(record.imported)
    if why:
        place = at_record(record.source.path, record.source.record)
        tell(say("{path}: {why}", path=place, why=why))
    return bool(why)


def _beside(gathered: Gathered) -> Iterator[str]:
    yield from map(located, gathered.problems)
    yield from (one.message for one in gathered.more_problems)
    named, files = named_and_counted(gathered.skipped)
    for skipped in named:
        yield f"{at_record(skipped.path, skipped.record)}: {in_words(skipped.reason)}"
    if files:
        yield say("skipped {files}", files=files)


def print_formats(arguments: argparse.Namespace) -> ExitStatus:
    """Print a line for each format, or for each that has recordings on this computer."""
    listed = every_format()
    if arguments.here:
        rows = []
        for one in found_here(Path.home()):
            said = say_count(
                "{number} file in {folder}, written {when}",
                "{number} files in {folder}, the newest written {when}",
                one.files,
                folder=one.form.where,
                when=f"{datetime.fromtimestamp(one.newest, UTC).astimezone():%Y-%m-%d %H:%M}",
            )
            rows.append((one.form.id, said))
        if not rows:
            tell(say("No agent keeps recordings where the formats say."))
    else:
        rows = [(form.id, in_words(form.about)) for form in listed.values()]
        for note in notes():
            tell(note)
    widest = max((len(form) for form, _ in rows), default=0)
    lines = labelled([(f"{form:{widest}}", text) for form, text in rows], streams.terminal_width())
    streams.print_out("".join(f"{line}\n" for line in lines))
    return ExitStatus.OK
