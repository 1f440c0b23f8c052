"""``kpinspector convert`` and ``formats``: recordings of other agents, and traces of them."""

import argparse
from collections.abc import Iterator

from kpinspector.cli.reading import Gathered, asked_of, gather
from kpinspector.cli.streams import checked_files, print_out, tell, terminal_width, write_traces
from kpinspector.errors import ExitStatus
from kpinspector.files import data_dir, keep_sources
from kpinspector.runs import readers
from kpinspector.runs.read import RunRecord
from kpinspector.trace.bytes import encoded
from kpinspector.trace.records import at_record
from kpinspector.words.problems import located, named_and_counted
from kpinspector.words.recordings import not_converted
from kpinspector.words.say import in_words, say
from kpinspector.words.writers.columns import labelled


def convert(arguments: argparse.Namespace) -> int:
    """Write one trace per line; tell what was not written, and why."""
    files = checked_files([arguments.output], data_dir(arguments.data_dir), printed=False)
    gathered = gather(arguments.paths, asked=asked_of(arguments))
    keep_sources(files, gathered.sources)
    lines = []
    refused = bool(gathered.problems)
    for one in _beside(gathered):
        tell(one)
    for record in gathered.records:
        place = at_record(record.source.path, record.source.record)
        if not isinstance(record, RunRecord):
            tell(say("{path}: a trace already, not converted.", path=place))
            continue
        why = not_converted(record.imported)
        if why:
            refused = True
            tell(say("{path}: {why}", path=place, why=why))
        else:
            trace = record.imported.converted(arguments.visibility, arguments.privacy)
            lines.append(encoded(trace))
    if not lines:
        tell(say("Nothing was converted."))
        return ExitStatus.PROBLEM
    write_traces(arguments.output, "".join(f"{line}\n" for line in lines).encode())
    return ExitStatus.PROBLEM if refused else ExitStatus.OK


def _beside(gathered: Gathered) -> Iterator[str]:
    """The sentences about what holds no run."""
    yield from map(located, gathered.problems)
    yield from (one.message for one in gathered.more_problems)
    named, files = named_and_counted(gathered.skipped)
    for skipped in named:
        yield f"{at_record(skipped.path, skipped.record)}: {in_words(skipped.reason)}"
    if files:
        yield files


def formats(_arguments: argparse.Namespace) -> int:
    """Print a line for each format."""
    known = readers.formats()
    widest = max(map(len, known))
    rows = [
        (
            f"{form:{widest}}",
            say("{name}, tested: {versions}", name=info.name, versions=", ".join(info.tested)),
        )
        for form, info in known.items()
    ]
    print_out("".join(f"{line}\n" for line in labelled(rows, terminal_width())))
    return ExitStatus.OK
