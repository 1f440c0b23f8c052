"""The result of a replay, as text for a terminal and as JSON."""

from collections.abc import Iterable, Iterator
from typing import Literal

from pydantic import JsonValue

from kpinspector.scoring.report.read import FoundReport
from kpinspector.scoring.report.replay import Replay, Why
from kpinspector.scoring.report.replay_checks import Fit
from kpinspector.scoring.report.report import Generator, Part, report_json
from kpinspector.sharing.masked_report import masked_values
from kpinspector.trace.clear import masked_in
from kpinspector.trace.printable import on_one_line
from kpinspector.trace.records import dotted
from kpinspector.words.figures import shown_count
from kpinspector.words.replay_words import (
    difference_words,
    doubled_words,
    replay_sentence,
    replay_word,
    traces_phrase,
    trusted_words,
    unreported_words,
    why_words,
)
from kpinspector.words.say import say
from kpinspector.words.writers.columns import labelled, wrapped

_MOST_LINES = 20


class DifferenceEntry(Part):
    """One value that differs; null stands for an absent value."""

    path: str
    recorded: JsonValue
    recomputed: JsonValue
    why: Why
    fit: Fit


class MissingEntry(Part):
    """A trace of the report that is not among the given ones."""

    path: str
    id: str | None


class UnreportedEntry(Part):
    """A given trace that the report lacks; ``record`` as in a report."""

    path: str
    record: int | None
    id: str | None


class DoubledEntry(Part):
    """An entry of the report about the same as an earlier one, ``first``."""

    path: str
    first: str
    id: str | None


class TrustedEntry(Part):
    """A kind of value that could be checked against nothing; ``traces`` by their index."""

    path: str
    traces: tuple[int, ...]


class ReplayEntry(Part):
    """All of a replay; ``differences`` hold those of each trace, then those of the report.

    ``pending`` is how many traces the report says it lacks.
    ``similarities`` to neighbours are recorded, and ``measured`` of them were measured again.
    """

    format: Literal["kpinspector-replay"] = "kpinspector-replay"
    version: Literal[1] = 1
    generator: Generator = Generator()
    report: str
    written_at: str
    written_by: Generator
    identical: bool
    traces: int
    recounted: int
    missing: tuple[MissingEntry, ...]
    unreported: tuple[UnreportedEntry, ...]
    pending: int
    doubled: tuple[DoubledEntry, ...]
    similarities: int
    measured: int
    trusted: tuple[TrustedEntry, ...]
    differences: tuple[DifferenceEntry, ...]


def replay_json(found: FoundReport, replay: Replay) -> bytes:
    """UTF-8 JSON with a stable key order, two spaces deep, ending in a line feed."""
    report = found.report
    entry = ReplayEntry(
        report=found.source.path,
        written_at=report.generated_at,
        written_by=report.generator,
        identical=replay.identical,
        traces=replay.traces,
        recounted=replay.recounted,
        missing=tuple(
            MissingEntry(path=f"traces.{index}", id=masked_values(report.traces[index].id))
            for index in replay.missing
        ),
        unreported=tuple(
            UnreportedEntry(
                path=one.source.path, record=one.source.record, id=masked_values(one.trace.id)
            )
            for one in replay.unreported
        ),
        pending=replay.pending,
        doubled=tuple(
            DoubledEntry(
                path=f"traces.{index}",
                first=f"traces.{first}",
                id=masked_values(report.traces[index].id),
            )
            for index, first in replay.doubled
        ),
        similarities=replay.similarities,
        measured=replay.measured,
        trusted=tuple(TrustedEntry(path=one.path, traces=one.traces) for one in replay.trusted),
        differences=tuple(
            DifferenceEntry(
                path=masked_in(dotted(one.path)),
                recorded=masked_values(one.recorded),
                recomputed=masked_values(one.recomputed),
                why=one.why,
                fit=one.fit,
            )
            for one in replay.differences
        ),
    )
    return report_json(entry)


def replay_text(found: FoundReport, replay: Replay, width: int | None = None) -> str:
    """What differs, why, and how it ended, within ``width``; ends in a line feed."""
    found_out = [*_differences(replay), *_entries(found, replay)]
    trusted = ((say("on trust"), trusted_words(one, replay)) for one in replay.trusted)
    lines = wrapped(on_one_line(_about(found)), width)
    lines += _labelled(found_out[:_MOST_LINES], width)
    if (more := len(found_out) - _MOST_LINES) > 0:
        lines += wrapped(
            say("and {more} more, all of them with --json", more=shown_count(more)), width
        )
    lines += _labelled(trusted, width)
    sentences = [f"{replay_word(replay)}. {replay_sentence(replay)}"]
    if replay.first is not None:
        sentences.insert(0, why_words(replay.first, found.report))
    for sentence in sentences:
        lines += wrapped(on_one_line(sentence), width)
    return "".join(f"{line}\n" for line in lines)


def _labelled(rows: Iterable[tuple[str, str]], width: int | None) -> Iterator[str]:
    longest = len(say("different"))
    return labelled(((f"{label:{longest}}", on_one_line(text)) for label, text in rows), width)


def _about(found: FoundReport) -> str:
    report = found.report
    wrote = f"{report.generator.name} {report.generator.version}"
    return say(
        "{path}: {traces}, written {when} by {program}",
        path=found.source.path,
        traces=traces_phrase(len(report.traces)),
        when=report.generated_at,
        program=wrote,
    )


def _differences(replay: Replay) -> Iterator[tuple[str, str]]:
    for difference in replay.differences:
        yield say("different"), difference_words(difference)


def _entries(found: FoundReport, replay: Replay) -> Iterator[tuple[str, str]]:
    for index, first in replay.doubled:
        yield say("doubled"), doubled_words(index, first, found.report)
    for record in replay.unreported:
        yield say("lacking"), unreported_words(record)
    for index in replay.missing:
        yield (
            say("missing"),
            say(
                "{path}: {name} is not among the given traces",
                path=f"traces.{index}",
                name=masked_in(found.report.traces[index].id or "") or say("a trace without an id"),
            ),
        )
