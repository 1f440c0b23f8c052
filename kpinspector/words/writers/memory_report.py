"""The contents of the memory, as text for a terminal and as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Literal

from kpinspector.scoring.findings import Entry
from kpinspector.scoring.report.report import EmbedderState
from kpinspector.scoring.report.written import report_json
from kpinspector.trace.clear import masked_in
from kpinspector.trace.printable import on_one_line, shortened
from kpinspector.trace.records import at_record
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_count
from kpinspector.words.writers.columns import fitted, labelled

_LONGEST = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFacts:
    """The memory as a whole.

    ``entries`` and ``findings`` are of all models; ``max_elements`` and ``ttl_ms`` say which
    entries a new trace is compared with.
    """

    format: Literal["kpinspector-memory"] = "kpinspector-memory"
    version: Literal[1] = 1
    path: PurePath
    entries: int
    findings: int
    bytes_on_disk: int
    max_elements: int
    ttl_ms: int | None
    embedder: EmbedderState


def list_text(entries: Sequence[Entry], width: int | None = None) -> str:
    """The entries, oldest first, within ``width``; ends in a line feed."""
    rows = [
        (
            _moment(entry.added_at),
            on_one_line(masked_in(entry.key)),
            on_one_line(shortened(entry.objective, _LONGEST)),
            on_one_line(at_record(entry.source_path, entry.record)),
        )
        for entry in entries
    ]
    head = (say("added"), say("key"), say("objective"), say("source"))
    lines = [*fitted([head, *rows], width, ())] if rows else []
    number = len(entries)
    summary = say_count("{number} entry", "{number} entries", number) if rows else say("no entries")
    return "\n".join([*lines, summary]) + "\n"


def list_json(entries: Sequence[Entry]) -> bytes:
    """The same as JSON, with whole objectives; ``added_at`` as ISO 8601, in UTC."""
    listed = [
        {
            "key": entry.key,
            "id": entry.trace_id,
            "objective": entry.objective,
            "path": entry.source_path,
            "added_at": _moment(entry.added_at),
            "record": entry.record,
        }
        for entry in entries
    ]
    return report_json({"format": "kpinspector-memory-list", "version": 1, "entries": listed})


def facts_text(facts: MemoryFacts, width: int | None = None) -> str:
    """A line of at most ``width`` for each fact, or several."""
    compares = say("with the newest {number}", number=shown_count(facts.max_elements))
    if facts.ttl_ms is not None:
        kept = shown_count(facts.ttl_ms)
        compares = say("{compares}, of the last {kept} ms", compares=compares, kept=kept)
    size = facts.bytes_on_disk
    on_disk = say_count("{number} byte", "{number} bytes", size) if size else say("nothing")
    rows = (
        (say("entries"), shown_count(facts.entries)),
        (say("findings"), shown_count(facts.findings)),
        (say("on disk"), on_disk),
        (say("path"), on_one_line(str(facts.path))),
        (say("compares"), compares),
        (say("model"), f"{facts.embedder.model} {facts.embedder.sha256 or facts.embedder.state}"),
    )
    return "\n".join(labelled(rows, width)) + "\n"


def _moment(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
