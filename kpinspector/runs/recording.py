"""Turns bytes into a recording: recognises its format and has that format's reader read it."""

import os
import stat
from codecs import getincrementaldecoder
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from kpinspector.files import open_ready
from kpinspector.phrase import Phrase
from kpinspector.runs.archive import ZIP, names_in
from kpinspector.runs.database import MAGIC
from kpinspector.runs.readers import added, formats
from kpinspector.runs.run import BlockKind, Chunk, DropName, Record, Recording, unit_of
from kpinspector.runs.texts import (
    HEAD,
    FileHead,
    Unfinished,
    head_of,
    line_problem,
    object_of,
    records_of,
    text_of,
)
from kpinspector.trace.broken import END_OF_FILE
from kpinspector.trace.bytes import Decoded, RefusedError, decode, lines
from kpinspector.trace.find import SPECIAL_KINDS, FoundFile
from kpinspector.trace.javascript import whole_characters
from kpinspector.trace.printable import shortened
from kpinspector.trace.read import INTACT, end_problem
from kpinspector.trace.records import Problem, Skipped, file_problem

_OURS = ("@type", "@context")
_MOST_KEYS: Final = 3
_LONGEST_KEY: Final = 40
_NOT_UTF_8: Final = Phrase("bytes that are not UTF-8, from here on: U+FFFD stands for each")
_PIECES: Final = (2**10, 2**12, 2**14, HEAD)  # bytes; the first piece is mostly enough
_PROMPT_WITHIN: Final = 2**15
_LONGEST_PROMPT: Final = 2**12
_SMALL: Final = 2**12  # smaller files are read whole, as they may hold no run


def recognise(head: FileHead, *, packages: bool = True) -> str | None:
    """The id of the format of a recording; None for any other file, such as a trace.

    The formats that packages add are tried if it is none of ours.
    """
    if is_ours(head):
        return None
    found = next((one.id for one in formats().values() if one.lacks(head) == ""), None)
    if found is None and packages and added():
        return recognise(head, packages=False)
    return found


def is_ours(head: FileHead) -> bool:
    """Whether a file holds traces, data from the registry, or a report of this program."""
    first = next(iter(head.objects), {})
    return (
        any(key in first for key in _OURS)
        or {"task", "steps"} <= first.keys()
        or first.get("format") == "kpinspector-report"
    )


def looks_like(data: bytes, *, is_json: bool) -> Phrase:
    """A phrase for what a file of no known format looks like; ``is_json``: some of it is JSON."""
    if is_json:
        return _json_look(data)
    if not data:
        return Phrase("an empty file")
    if data.startswith(ZIP):
        return Phrase("a zip file")
    if data.startswith(MAGIC):
        return Phrase("an SQLite database")
    try:
        getincrementaldecoder("utf-8")().decode(data[:HEAD])
    except UnicodeDecodeError:
        return Phrase("data that are no text")
    return Phrase("data that are no text") if b"\0" in data[:HEAD] else Phrase("text")


def _json_look(data: bytes) -> Phrase:
    """A phrase for JSON lines, a list or an object, with the first keys of its first object."""
    head, count = head_of(data), sum(1 for _ in lines(data))
    first = head.values[0] if head.values else None
    inner = first[0] if isinstance(first, list) and first else None
    keys = [
        shortened(whole_characters(key), _LONGEST_KEY)
        for key in list(next(iter(head.objects), object_of(inner)))[:_MOST_KEYS]
    ]
    if head.is_lines and count > 1:
        what = Phrase("{count} lines of JSON", count=f"{count:,}")
    elif isinstance(first, list):
        what = Phrase("a JSON list of objects") if keys else Phrase("a JSON list")
    else:
        what = Phrase("a JSON object")
    return Phrase("{what} with {keys}", what=what, keys=", ".join(keys)) if keys else what


def recording_of(
    decoded: Decoded, shown: str, form: str | None = None
) -> Recording | Problem | None:
    """The recording in decoded bytes; a problem if it nearly is one, None for any other file.

    ``form``: the id of the format to use without recognition.
    """
    head = head_of(decoded.data)
    form = form or recognise(head)
    if form is None:
        for near in () if is_ours(head) else formats().values():
            if missing := near.lacks(head):
                message = Phrase(
                    "nearly a recording of {name}, but without {missing}",
                    name=near.name,
                    missing=missing,
                )
                return file_problem(shown, message, missing, Phrase("none"))
        return None
    collecting, cut = Collecting(form, shown), False
    for found in records_of(decoded.data, shown, decoded.damage or END_OF_FILE):
        collecting.take(found)
        cut = isinstance(found, Unfinished)
    recording = collecting.recording(cut=cut)
    told = any(one.found == decoded.damage for one in recording.problems)
    if decoded.damage is None or told:
        return recording
    problem = end_problem(shown, decoded.data, INTACT, decoded.damage)
    return replace(recording, problems=(*recording.problems, problem))


class Collecting:
    """Feeds JSON texts to a reader; keeps the first problem with a text, and counts the others."""

    def __init__(self, form: str, shown: str) -> None:
        self._form = formats()[form]
        self._reader = self._form.reader()
        self._shown = shown
        self._shapes: set[tuple[frozenset[str], str]] = set()
        self._foreign: dict[str, Chunk] = {}
        self._broken: Problem | None = None
        self._unreadable = 0
        self._others: list[Problem] = []
        self._is_utf_8 = True

    def take(self, found: Record | Problem | Unfinished) -> None:
        """Take the next text; an unfinished one is not read, as it may still be written."""
        match found:
            case Record():
                other = self._other_format(found)
                made = self._made() if other else 0
                self._reader.take(found)
                if other and self._made() == made:
                    self._foreign.setdefault(other, found.chunk)
                if self._is_utf_8 and found.text.decode("utf-8", "ignore").encode() != found.text:
                    self._is_utf_8 = False
                    problem = line_problem(found.text, found.chunk, self._shown)
                    self._others.append(replace(problem, message=_NOT_UTF_8))
            case Problem():
                self._unreadable += 1
                self._broken = self._broken or found
            case Unfinished(problem=Problem() as problem):
                self._others.append(problem)

    def recording(self, *, cut: bool = False) -> Recording:
        """The recording so far; ``cut``: an unfinished text at its end is to be counted."""
        recording = _with_parts_counted(self._reader.recording())
        refused = [*recording.refused]
        for one, at in self._foreign.items():
            why = Phrase(
                "{other} begins here, which is not read: the file is read as {name}",
                other=one,
                name=self._form.name,
            )
            refused.append((at, why))
        more: dict[str, int] = {DropName.UNREADABLE: self._unreadable, DropName.CUT: int(cut)}
        more = {name: number for name, number in more.items() if number}
        problems = [*self._others]
        if self._broken is not None:  # the problem tells how many there are
            message: str = self._broken.message
            if self._unreadable > 1:
                message = Phrase(
                    "{count} parts of the file cannot be read, the first of them here: {what}",
                    count=f"{self._unreadable:,}",
                    what=message,
                )
            problems.insert(0, replace(self._broken, message=message))
        passed_over = recording.passed_over
        if problems:  # a reason for the whole file may not hold for its lost part
            passed_over = tuple(one for one in passed_over if one[0])
        return replace(
            recording,
            format=self._form.id,
            total=recording.total + sum(more.values()),
            dropped={**recording.dropped, **more},
            passed_over=passed_over,
            refused=tuple(refused),
            problems=tuple(problems),
        )

    def _made(self) -> int:
        return sum(len(run.blocks) for run in self._reader.recording().runs)

    def _other_format(self, record: Record) -> str:
        """The name of a line's format if it is another; of similar lines the first is examined."""
        line = object_of(record.value)
        shape = frozenset(line), text_of(line.get("type"))
        if record.chunk.member or shape in self._shapes:
            return ""
        self._shapes.add(shape)
        head = FileHead((record.value,))
        if is_ours(head):
            return "ReasoningTrace"
        found = recognise(head, packages=False)
        return formats()[found].name if found and found != self._form.id else ""


def _with_parts_counted(recording: Recording) -> Recording:
    """The recording with blocks that make no step taken out of the runs and counted instead.

    A line or message that has only such blocks is dropped, under the name of the last one.
    """
    runs, dropped = [], Counter(recording.dropped)
    for run in recording.runs:
        others = [block for block in run.blocks if block.kind is BlockKind.OTHER]
        if others:
            blocks = tuple(block for block in run.blocks if block.kind is not BlockKind.OTHER)
            made = set(map(unit_of, blocks))
            alone = {unit_of(one): one.text for one in others if unit_of(one) not in made}
            dropped.update(alone.values())
            parts = Counter(one.text for one in others if unit_of(one) in made)
            runs.append(replace(run, blocks=blocks, parts=dict(parts)))
        else:
            runs.append(run)
    return replace(recording, runs=tuple(runs), dropped=dict(dropped))


@dataclass(frozen=True, slots=True)
class UnreadRun(Skipped):
    """A recording that is not read yet; ``modified``: the time of its last change, in ns.

    ``prompt``: the first prompt, if it is near the beginning of a file of lines; else "".
    """

    format: str
    modified: int
    prompt: str = ""


def unread_run(found: FoundFile) -> UnreadRun | None:
    """The recording in a file, recognised by its first bytes or a zip's directory.

    None for any other file, and for one that must be read to be recognised.
    """
    try:
        with open_ready(found.path, _PIECES[0]) as file:
            status = os.fstat(file.fileno())
            is_special = SPECIAL_KINDS.get(stat.S_IFMT(status.st_mode)) is not None
            form = None if is_special else _format_of(file, small=status.st_size < _SMALL)
            prompt = "" if form is None else _first_prompt(file, form)
    except (OSError, ValueError):
        return None
    if form is None:
        return None
    shown, reason = whole_characters(found.shown), Phrase("a recording that is not read yet")
    return UnreadRun(shown, None, None, None, reason, form, status.st_mtime_ns, prompt)


def _first_prompt(file: BinaryIO, form: str) -> str:
    """The first prompt in the beginning of a file of lines; "" if there is none."""
    file.seek(0)
    data = file.read(_PROMPT_WITHIN).rpartition(b"\n")[0]
    collecting = Collecting(form, "")
    for found in () if data.startswith(ZIP) else records_of(data, ""):
        collecting.take(found)
        for run in collecting.recording().runs:
            for block in run.blocks:
                if block.kind is BlockKind.PROMPT:
                    return block.text[:_LONGEST_PROMPT]
    return ""


def _format_of(file: BinaryIO, *, small: bool) -> str | None:
    """The id of a recording's format, from as few bytes as possible; None if there is none."""
    data = b""
    for size in (_SMALL,) if small else _PIECES:
        data += file.read(size - len(data))
        if data.startswith(ZIP):
            return recognise(FileHead((), members=names_in(file)))
        whole = len(data) < size
        form = recognise(head_of(data, whole=whole), packages=whole or size == HEAD)
        if whole and form is not None:  # a row says at once that a file has no run
            with suppress(RefusedError):
                recording = recording_of(decode(data), "")
                if isinstance(recording, Recording) and any(run.blocks for run in recording.runs):
                    return form
            return None
        if form is not None or whole or not data.lstrip().startswith((b"{", b"[")):
            return form
    return None
