"""Reads files: recordings of other agents as well as traces."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from kpinspector.phrase import Phrase
from kpinspector.runs.archive import ZIP, DamagedError, names_in, unpacked
from kpinspector.runs.database import loaded
from kpinspector.runs.readers import added, formats
from kpinspector.runs.recording import looks_like, recognise, recording_of
from kpinspector.runs.rules import (
    NO_OUTCOME,
    Mapped,
    Members,
    RunOutcome,
    SuccessScore,
    bare,
    completed,
    mapped,
    session_of,
    split_prompts,
)
from kpinspector.runs.run import AgentRun, BlockPlace, Chunk, DropName, Recording, units_of
from kpinspector.runs.stated import NOTHING_STATED, Stated, kept_of
from kpinspector.runs.texts import FileHead, closed, head_of, zip_problem
from kpinspector.trace.bytes import Decoded, RefusedError, decode
from kpinspector.trace.find import FoundFile, open_problem
from kpinspector.trace.javascript import DECODER, JsonPath, whole_characters
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.place import Lines, offsets_of
from kpinspector.trace.read import only, read_decoded, refused
from kpinspector.trace.records import (
    FileContents,
    Problem,
    ProblemKind,
    Skipped,
    SkippedFile,
    Source,
    TraceRecord,
    UnreadRecord,
    file_problem,
)
from kpinspector.trace.schema import find_issues

MIDDLE_CONFIDENCE: Final = 0.5
MIDDLE_SUCCESS: Final = True
"""The stand-ins for an unknown outcome, where a single number is needed."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The user's options for reading recordings.

    Attributes:
        format: The format's id; None recognises the format.
        domain: The domain of every run; None leaves it as recorded.
        outcome: The outcome of every run that does not record its own.
        success_score: The recorded score that decides success; None keeps what was stated before.
        folder: The per-user folder, which holds what was stated before; None ignores that.
        stated: Statements that are not kept, by the ids of runs; they override kept ones.
    """

    format: str | None = None
    domain: str | None = None
    outcome: RunOutcome = NO_OUTCOME
    success_score: SuccessScore | None = None
    split_prompts: bool = False
    folder: Path | None = None
    stated: Mapping[str, Stated] = field(default_factory=dict)


NOTHING_ASKED: Final = Asked()
_ERRORS: Final = "surrogateescape"
_KEYS: Final = frozenset(("@context", "@type", "steps"))
_OF_A_TRACE: Final = re.compile(rb'"(?:@context|@type|steps)"\s*:')
_MANY: Final = {DropName.SUB_AGENT: DropName.SUB_AGENTS, DropName.OTHER_RUN: DropName.OTHER_RUNS}
_Kind: TypeAlias = tuple[bool, bool]  # whether a run is a sub-agent's; whether it has a key
Make: TypeAlias = Callable[[str, AgentRun, str], Mapped]


@dataclass(frozen=True, slots=True)
class Imported:
    """What is known of a run beyond its trace; ``stated``: what the user stated or chose.

    ``recording``: the run's recording without its runs; ``dropped`` is that of this run. ``run``:
    as recorded, without its blocks. ``mapped``: the run as the rules mapped it.
    """

    recording: Recording
    run: AgentRun
    mapped: Mapped
    stated: Stated

    @property
    def recorded(self) -> RunOutcome:
        """The recorded outcome."""
        return RunOutcome(self.run.confidence, self.run.success)

    @property
    def verified(self) -> RunOutcome:
        """The recorded outcome, with success by the score that the user mapped to it."""
        return self.recorded.over(RunOutcome(success=self.mapped_success))

    @property
    def mapped_success(self) -> bool | None:
        """Success by the mapped score; None without one, or if success itself is recorded."""
        score = self.stated.success_score
        if score is None or self.run.success is not None:
            return None
        return score.success(self.run.scores)

    @property
    def outcome(self) -> RunOutcome:
        """The known outcome: recorded, else stated."""
        return self.verified.over(self.stated.outcome)

    @property
    def domain(self) -> str | None:
        """The domain: chosen, else recorded."""
        return self.stated.domain or self.run.domain

    @property
    def can_be_converted(self) -> bool:
        """Whether content and outcome are known, which a trace must state."""
        return self.run.content_recorded and self.outcome.is_known

    def converted(self, visibility: str = "private", privacy: str = "aggregated") -> Members:
        """The complete trace, which the schema gate passes; the outcome must be known."""
        return completed(self.mapped, self.domain, self.outcome, visibility, privacy)


@dataclass(frozen=True, slots=True)
class RunRecord(TraceRecord):
    """A run of another agent as a trace."""

    imported: Imported


@dataclass(frozen=True, slots=True)
class RunWithoutStep(Skipped):
    """A run without a step, such as one that has just begun; ``id`` is that of its trace.

    ``objective``: None if no prompt is recorded. ``ended``: its recording says so.
    """

    format: str
    objective: str | None
    ended: bool


def read_file(found: FoundFile, asked: Asked = NOTHING_ASKED) -> FileContents:
    """Read one file of any kind; faults become problems, not exceptions."""
    shown = whole_characters(found.shown)

    def wanted(head: bytes, file: BinaryIO) -> bool:
        """Whether the file is a zip with the members of a recording."""
        return head.startswith(ZIP) and recognise(FileHead((), members=names_in(file))) is not None

    try:
        data = loaded(found, wanted)
    except (OSError, ValueError) as error:
        return FileContents(problems=(open_problem(shown, error),))
    except RefusedError as error:
        return refused(shown, error)
    contents = read_bytes(data, shown, named=found.named, asked=asked)
    return contents if found.records is None else only(contents, found.records, shown)


def read_bytes(
    data: bytes, shown: str, *, named: bool = True, asked: Asked = NOTHING_ASKED
) -> FileContents:
    """Read the bytes of a file, of standard input or of the clipboard, in any of the file forms.

    If the user did not name the source, a file that holds nothing to score becomes a skipped file.
    """
    shown = whole_characters(shown)
    try:
        decoded = decode(data)
    except RefusedError as error:
        return refused(shown, error)
    found = recording_of(decoded, shown, asked.format)
    if found is None and named and decoded.data.startswith(ZIP):
        found = zip_problem(decoded.data, shown)
    if isinstance(found, Problem):
        return FileContents(problems=(found,))
    if found is None:
        contents = _traces_of(decoded, shown, named=named)
    else:
        contents = contents_of(found, shown, decoded.data, asked)
        form = asked.format and formats()[asked.format]
        told = found.problems or any(run.blocks for run in found.runs)
        if form and not told and form.lacks(head_of(decoded.data)) != "":
            reason = Phrase("no recording of {name}", name=form.name)
            contents = FileContents(skipped=(Skipped(shown, None, None, None, reason),))
    if named:
        return contents
    skipped = (
        SkippedFile(shown, None, None, None, one.reason)
        if one.record is None and one.type is None and one.id is None
        else one
        for one in contents.skipped
    )
    return replace(contents, skipped=tuple(skipped))


def _traces_of(decoded: Decoded, shown: str, *, named: bool) -> FileContents:
    """The contents of a trace file; for any other file, one problem or one skipped file."""
    contents = read_decoded(decoded, shown)
    if _is_of_traces(contents, decoded):
        return contents
    readable = any(one.kind is ProblemKind.NOT_SCORABLE for one in contents.problems)
    look = looks_like(decoded.data, is_json=readable)
    message = Phrase(
        "no format that is known; it looks like {look} (kpinspector formats lists the formats)",
        look=look,
    )
    for one in added():
        message = Phrase("{what}; {why}", what=message, why=one.broken) if one.fault else message
    if not named:
        return FileContents(skipped=(SkippedFile(shown, None, None, None, message),))
    problem = file_problem(shown, message, Phrase("a trace or a recording"), look)
    return FileContents(problems=(problem,))


def _is_of_traces(contents: FileContents, decoded: Decoded) -> bool:
    """Whether a file holds a trace, a report or another unit, or a failed attempt at one.

    A text with a syntax fault counts if it is the only one, or has the keys of a trace.
    """
    problems = contents.problems
    if contents.texts or contents.reports or decoded.damage or not problems:
        return True
    if any(one.type for one in contents.skipped):
        return True
    raws = [one.raw for one in problems if isinstance(one, UnreadRecord)]
    if any(not _KEYS.isdisjoint(one) or isinstance(one.get("task"), dict) for one in raws):
        return True
    broken = [one.line for one in problems if one.kind is ProblemKind.UNREADABLE]
    if len(problems) == len(broken) == 1:
        return decoded.data.lstrip().startswith((b"{", b"["))
    texts = [decoded.data]
    if broken and head_of(decoded.data).is_lines:
        every = decoded.data.split(b"\n")
        texts = [every[line - 1] for line in broken if line]
    return bool(broken) and any(map(_OF_A_TRACE.search, texts))


def contents_of(
    recording: Recording, shown: str, data: bytes, asked: Asked = NOTHING_ASKED, make: Make = mapped
) -> FileContents:
    """The runs of a recording as traces, numbered if there are several.

    ``data``: the recording's bytes, to identify runs without a session and to locate the steps in a
    document. ``make``: maps a run to a trace.
    """
    split = split_prompts if asked.split_prompts else lambda run: (run,)
    runs = [part for run in recording.runs for part in split(run)]
    refused = tuple(
        replace(file_problem(shown, why, None, None), line=chunk.line, column=1)
        for chunk, why in recording.refused
    )
    recording = replace(recording, problems=(*recording.problems, *refused))
    several = len(runs) + len(recording.passed_over) > 1
    traces: list[TraceRecord] = []
    skipped: list[Skipped] = []
    distinct = list(_distinct(runs, data))
    runs = [run for run, _ in distinct]
    all_dropped = _dropped_of(recording, runs)
    all_made = [make(recording.format, run, session) for run, session in distinct]
    if recording.unit != "lines":
        all_made = _located(all_made, data)
    rows = zip(runs, all_made, all_dropped, strict=True)
    for number, (run, made, dropped) in enumerate(rows, 1):
        record = number if several else None
        if made.steps:
            chunk = run.chunk or run.blocks[0].place.chunk
            source = Source(shown, record, chunk.line, recording.format)
            own = replace(recording, dropped=dropped)
            traces.append(_record(own, run, made, source, asked))
        else:
            without = Phrase("a run without a step")
            if not run.content_recorded:
                without = Phrase("a run without a step: its content was not recorded")
            unit = shown, record, None, made.id, without
            skipped.append(RunWithoutStep(*unit, recording.format, made.objective, run.ended))
    for number, (name, why) in enumerate(recording.passed_over, len(runs) + 1):
        record = number if several else None
        reason = Phrase("{name}: {why}", name=name, why=why) if name else why
        skipped.append(Skipped(shown, record, None, None, reason))
    if not (runs or skipped or recording.problems):
        skipped.append(Skipped(shown, None, None, None, Phrase("a recording without a run")))
    return FileContents(tuple(traces), recording.problems, tuple(skipped))


def _distinct(runs: Iterable[AgentRun], data: bytes) -> Iterator[tuple[AgentRun, str]]:
    """Each run with its session; a run that is recorded twice gets a number added to its key."""
    digests: dict[Chunk | None, str] = {}
    met: Counter[tuple[str, str]] = Counter()
    for run in runs:
        if not run.session and run.chunk not in digests:
            digests[run.chunk] = session_of(run, data)
        session = run.session or digests[run.chunk]
        met[session, run.key] += 1
        number = met[session, run.key]
        yield (run if number == 1 else replace(run, key=f"{run.key}#{number}")), session


def _record(
    recording: Recording, run: AgentRun, made: Mapped, source: Source, asked: Asked
) -> RunRecord:
    beside = NOTHING_STATED if asked.folder is None else kept_of(asked.folder, made.id)
    kept = asked.stated.get(made.id, beside)
    stated = Stated(
        asked.outcome.over(kept.outcome),
        asked.domain or kept.domain,
        asked.success_score or kept.success_score,
    )
    without_blocks = replace(run, blocks=())
    return run_record(source, Imported(replace(recording, runs=()), without_blocks, made, stated))


def run_record(source: Source, imported: Imported) -> RunRecord:
    """A run as a record; an unknown outcome gets stand-ins, which are marked as unknown."""
    known, made = imported.outcome, imported.mapped
    stand_in = known.over(RunOutcome(MIDDLE_CONFIDENCE, MIDDLE_SUCCESS))
    # one step is enough to check the schema, as the rules make only steps that it accepts
    first = completed(replace(made, steps=made.steps[:1]), imported.domain, stand_in)
    trace = trace_from_json(first)
    success_known = known.success is not None
    marked = replace(
        trace,
        steps=made.steps,
        raw=bare(made, imported.domain, known),
        metadata=replace(trace.metadata, task_domain=imported.domain, success_known=success_known),
        outcome=replace(trace.outcome, confidence_known=known.confidence is not None),
        text_known=imported.run.content_recorded,
        whole=first,
    )
    return RunRecord(source, marked, find_issues(first), imported)


def restated(record: RunRecord, stated: Stated) -> RunRecord:
    """The same run with another statement by the user; ``NOTHING_STATED`` takes it back."""
    return run_record(record.source, replace(record.imported, stated=stated))


def _dropped_of(recording: Recording, runs: Sequence[AgentRun]) -> list[Mapping[str, int]]:
    """For each run, how many units made no step of it, by name; these and its own units add up.

    A unit that two runs share counts as the run's own.
    """
    if len(runs) == 1:
        return [recording.dropped]
    made = recording.total - sum(recording.dropped.values())
    own = [((run.is_sub_agent, bool(run.key)), units_of(run.blocks)) for run in runs]
    alike = Counter(kind for kind, _ in own)
    units: Counter[_Kind] = Counter()
    for kind, number in own:
        units[kind] += number
    all_dropped: list[Mapping[str, int]] = []
    for shown, number in own:
        left = max(0, made - number)
        found: Counter[DropName] = Counter()
        count: Counter[DropName] = Counter()
        for kind in alike:
            is_own, name = kind == shown, DropName.OTHER_RUN
            if kind[0] and not shown[0]:
                name = DropName.SUB_AGENT
            elif shown[0] and not any(kind):
                name = DropName.MAIN_RUN
            share = min(units[kind] - is_own * number, left)
            left -= share
            found[name] += share
            count[name] += alike[kind] - is_own
        named: dict[str, int] = {
            _MANY.get(one, one) if count[one] > 1 else one: found[one] for one in +found
        }
        all_dropped.append({**named, **recording.dropped})
    return all_dropped


def _located(made: Sequence[Mapped], data: bytes) -> list[Mapped]:
    """The same runs with the place of each step's value within its document."""
    paths: dict[Chunk, set[JsonPath]] = {}
    for run in made:
        for place in run.places if run.prompt is None else (run.prompt, *run.places):
            paths.setdefault(place.chunk, set()).add(place.path)
    if not paths:
        return list(made)
    found = {
        chunk: dict(_spots(text, chunk, paths[chunk])) for chunk, text in _documents(data, paths)
    }

    def with_spot(place: BlockPlace) -> BlockPlace:
        return replace(place, spot=found.get(place.chunk, {}).get(place.path))

    return [
        replace(
            run, prompt=run.prompt and with_spot(run.prompt), places=(*map(with_spot, run.places),)
        )
        for run in made
    ]


def _documents(data: bytes, chunks: Mapping[Chunk, set[JsonPath]]) -> Iterator[tuple[Chunk, bytes]]:
    if data.startswith(ZIP):
        members = {chunk.member: chunk for chunk in chunks}
        with suppress(DamagedError):
            for name, member in unpacked(data, members.__contains__):
                if not isinstance(member, DamagedError):
                    yield members[name], member
    elif len(chunks) == 1:
        (chunk,) = chunks
        around = data[: chunk.start] + data[chunk.end :]
        if data and not around.strip():
            yield chunk, closed(data[chunk.start : chunk.end])


def _spots(data: bytes, chunk: Chunk, paths: set[JsonPath]) -> Iterator[tuple[JsonPath, Chunk]]:
    """The place of the value at each path; none if the text cannot be parsed."""
    text = data.decode("utf-8", _ERRORS)
    try:
        begins = offsets_of(text, paths)
        values = sorted(
            (begin, DECODER.raw_decode(text, begin)[1], path) for path, begin in begins.items()
        )
    except (ValueError, RecursionError):
        return
    marks = sorted({offset for begin, end, _ in values for offset in (begin, end)})
    byte_at, at, size = {}, 0, 0  # from offsets in characters to offsets in bytes
    for mark in marks:
        size += len(text[at:mark].encode("utf-8", _ERRORS))
        at, byte_at[mark] = mark, size
    lines = Lines(text, chunk.line)
    for begin, end, path in values:
        start, stop = chunk.start + byte_at[begin], chunk.start + byte_at[end]
        yield path, Chunk(lines.at(begin)[0], start, stop, chunk.member)
