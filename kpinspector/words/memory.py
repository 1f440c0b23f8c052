"""The words for the memory: what it holds, what was wrong with its file, and how it goes on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Literal

from kpinspector.phrase import Phrase
from kpinspector.scoring.findings import Entry
from kpinspector.scoring.memory.file import Fault, MemoryNotice, Remedy
from kpinspector.scoring.report.written import Members, report_json
from kpinspector.trace.clear import masked_in
from kpinspector.trace.printable import shortened
from kpinspector.trace.records import at_record
from kpinspector.words.figures import shown_count
from kpinspector.words.page import Answer, Section, pairs, paragraph, table
from kpinspector.words.say import Names, say, say_count

_LONGEST = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFacts:
    """The memory as a whole, of all models; a new trace is compared with ``max_elements``."""

    format: Literal["kpinspector-memory"] = "kpinspector-memory"
    version: Literal[1] = 1
    path: PurePath
    entries: int
    findings: int
    bytes_on_disk: int
    max_elements: int
    ttl_ms: int | None
    embedder: Members


def list_answer(entries: Sequence[Entry]) -> Answer:
    """The entries, oldest first."""
    if not entries:
        return Answer("", (say("no entries"),), (), underlined=False)
    rows = (
        (
            _moment(entry.added_at),
            masked_in(entry.key),
            shortened(entry.objective, _LONGEST),
            at_record(entry.source_path, entry.record),
        )
        for entry in entries
    )
    listed = table((say("added"), say("key"), say("objective"), say("source")), rows)
    number = paragraph(say_count("{number} entry", "{number} entries", len(entries)))
    return Answer("", (), (Section("", (listed, number)),), underlined=False)


def list_json(entries: Sequence[Entry]) -> bytes:
    """The entries as JSON, with whole objectives; ``added_at`` as ISO 8601, in UTC."""
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


def facts_answer(facts: MemoryFacts) -> Answer:
    """The facts of the memory as a whole, one a line."""
    compares = say("with the newest {number}", number=shown_count(facts.max_elements))
    if facts.ttl_ms is not None:
        kept = shown_count(facts.ttl_ms)
        compares = say("{compares}, of the last {kept} ms", compares=compares, kept=kept)
    size, model = facts.bytes_on_disk, facts.embedder
    on_disk = say_count("{number} byte", "{number} bytes", size) if size else say("nothing")
    rows = (
        (say("entries"), shown_count(facts.entries)),
        (say("findings"), shown_count(facts.findings)),
        (say("on disk"), on_disk),
        (say("path"), str(facts.path)),
        (say("compares"), compares),
        (say("model"), f"{model['model']} {model['sha256'] or model['state']}"),
    )
    return Answer("", (), (Section("", (pairs(rows),)),), underlined=False)


def _moment(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_REMEDIES = Names(
    {
        Remedy.OTHER_FILE: Phrase("Scoring goes on with the file that stands there now."),
        Remedy.COPY: Phrase(
            "What it knows still answers, but nothing scored from now on will be remembered."
        ),
        Remedy.PRIVATE: Phrase(
            "Scoring goes on with an empty memory, and nothing will be remembered."
        ),
    }
)


def memory_words(notice: MemoryNotice) -> str:
    """What was wrong with the memory's file, and how the memory goes on."""
    said = say("The memory of this run cannot be used.")
    if notice.path is not None:
        said = _fault_words(notice.fault, notice.path)
    if notice.remedy is Remedy.NEW_FILE:
        aside = say("It was set aside as {aside}, and a new memory was begun.", aside=notice.aside)
        return f"{said} {aside}"
    return f"{said} {_REMEDIES[notice.remedy]}"


def _fault_words(fault: Fault, path: Path) -> str:
    return {
        Fault.DAMAGED: say("The memory file {path} is damaged.", path=path),
        Fault.NEWER: say(
            "The memory file {path} was written by a newer kpinspector and is left as it is.",
            path=path,
        ),
        Fault.FOREIGN: say(
            "The memory file {path} belongs to another program and is left as it is.", path=path
        ),
        Fault.GONE: say(
            "The memory file {path} was moved, removed or replaced while in use.", path=path
        ),
        Fault.READ_ONLY: say("The memory file {path} cannot be written.", path=path),
        Fault.FULL: say("The disk that holds the memory file {path} is full.", path=path),
        Fault.LOCKED: say("Another program keeps the memory file {path} locked.", path=path),
        Fault.UNREADABLE: say(
            "The system failed to read or write the memory file {path}.", path=path
        ),
        Fault.NO_FOLDER: say(
            "The memory file {path} cannot be made: it has no folder, and none can be made.",
            path=path,
        ),
        Fault.NO_FILE: say(
            "What stands at {path} is no file, so nothing can be remembered there.", path=path
        ),
        Fault.NO_FILE_BESIDE: say(
            "A log of the memory file {path} is no file, so the memory cannot be used.", path=path
        ),
    }[fault]
