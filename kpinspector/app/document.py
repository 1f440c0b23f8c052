"""One row of the list: a trace or whatever else was found, and the state of its scoring."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath
from typing import TypeAlias

from kpinspector.app.values import Rules, State
from kpinspector.runs.provenance import without_derived
from kpinspector.runs.read import RunRecord, RunWithoutStep
from kpinspector.runs.readers import formats
from kpinspector.runs.recording import UnreadRun
from kpinspector.scoring.formula.assess import (
    Assessment,
    ScoreRange,
    Verdict,
    assess,
    measured_score,
    outcome_range,
    score_bounds,
    score_range,
)
from kpinspector.scoring.formula.measurement import Facts, Measurement, facts_of
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.replay import Replay, replay
from kpinspector.scoring.report.written import FoundReport
from kpinspector.scoring.whatif.reach import ReachKind, trace_reach
from kpinspector.trace.clear import masked_beginning
from kpinspector.trace.records import (
    MoreProblems,
    Problem,
    ProblemKind,
    Skipped,
    SkippedFile,
    Source,
    TextRecord,
    TraceRecord,
    UnscoredRecord,
    is_machine_name,
    name_of,
)
from kpinspector.trace.schema import passes
from kpinspector.words.recordings import format_name

__all__ = ["Document", "Item", "Rules", "State", "record_number"]

Item: TypeAlias = TraceRecord | Problem | Skipped | FoundReport


_LONGEST_NAME = 80
# cut off project names: an agent's prefix for a home folder, a session's id in place of a name
_CUT = re.compile(r"^(?:[A-Z]-)?--?(?:home|Users)-[^-]+-(?=.)|--$|^\d+(_\w+)?$|^[\da-f-]{36}$")
_WITHOUT_RULES = {"facts", "replay", "name"}
_WITHOUT_THRESHOLD = {*_WITHOUT_RULES, "score", "bounds", "before"}
_STATED = ("confidence", "success", "task_domain", "confidence_known", "success_known")
_STATES = {Verdict.ACCEPTED: State.ACCEPTED, Verdict.REJECTED: State.REJECTED}


def record_number(item: Item) -> int:
    """The record's number in its file, from 1; 0 for a file that is one trace."""
    return _place_of(item).record or 0


@dataclass(frozen=True)
class Document:
    """A row of the list; immutable: each step of its scoring makes a new document.

    Attributes:
        number: Identifies the row while the program runs.
        item: The trace, problem, skipped file or report that was read.
        measured: None while pending, and for rows that cannot be scored.
        earlier: The measurement before the last edit of the file.
        kept: Whether the vector of a trace without a score is in the memory.
        as_guest: The trace is compared with the memory but not remembered.
        running: The recording is still being written: it is scored as a guest until it rests,
            once it has a step.
        modified: When the file was last changed, in nanoseconds since the epoch; None for text.
    """

    number: int
    item: Item
    rules: Rules
    measured: Measured | None = None
    earlier: Measurement | None = None
    kept: bool = False
    as_guest: bool = False
    running: bool = False
    modified: int | None = None

    def with_rules(self, rules: Rules) -> "Document":
        """The same row under other rules; cached values that cannot change are kept."""
        if rules == self.rules:
            return self
        changed = replace(self, rules=rules)
        found = self.__dict__
        same_profile = rules.profile == self.rules.profile
        stays = _WITHOUT_THRESHOLD if same_profile else _WITHOUT_RULES
        changed.__dict__.update({name: found[name] for name in stays & found.keys()})
        assessment: Assessment | None = found.get("assessment")
        if same_profile and assessment is not None:
            now = replace(assessment, threshold=rules.threshold)
            changed.__dict__["assessment"] = now
        return changed

    def scored_as(self, *, guest: bool) -> "Document":
        """The same row as a guest, or as a trace that is remembered once it is scored."""
        return self if guest is self.as_guest else replace(self, as_guest=guest).prepared()

    def found(self, *, running: bool) -> "Document":
        """The same row, marked as a recording that is still being written, or no longer is."""
        return self if running is self.running else replace(self, running=running).prepared()

    @property
    def is_guest(self) -> bool:
        """Whether the trace is compared with the memory but not remembered, for now or for good."""
        return self.as_guest or self.running

    def restated(self, record: RunRecord) -> "Document":
        """The same row with an outcome stated by the user; nothing is measured again."""
        facts = facts_of(record.trace, schema_valid=passes(record.issues))
        measured, earlier = self.measured, self.earlier
        if measured is not None:
            measurement = replace(measured.measurement, facts=facts)
            measured = replace(measured, record=record, measurement=measurement)
        if earlier is not None:  # has the stated outcome too, so that both differ by the edit alone
            stated = {name: getattr(facts, name) for name in _STATED}
            earlier = replace(earlier, facts=replace(earlier.facts, **stated))
        return replace(self, item=record, measured=measured, earlier=earlier).prepared()

    def without_recovery(self, index: int) -> tuple[float, float] | None:
        """The lowest and the highest score if the derived recovery at ``index`` did not count."""
        if self.run is None or self.measured is None:
            return None
        measurement = self.measured.measurement
        trace = without_derived(self.run, index)
        facts = facts_of(trace, schema_valid=measurement.facts.schema_valid)
        profile = self.rules.profile_for(facts)
        return score_bounds(facts, profile, measurement.novelty.value)

    def prepared(self) -> "Document":
        """This row with its cached values computed; called on the worker."""
        _ = self.name, self.facts, self.bounds, self.score, self.replay
        return self

    @cached_property
    def replay(self) -> Replay | None:
        """The result of computing a report again; None for rows that are no report."""
        return replay(self.item) if isinstance(self.item, FoundReport) else None

    @property
    def record(self) -> TraceRecord | None:
        """The trace with its source and issues; None for rows without a trace."""
        return self.item if isinstance(self.item, TraceRecord) else None

    @property
    def run(self) -> RunRecord | None:
        """The run of another agent; None for rows that are no run."""
        return self.item if isinstance(self.item, RunRecord) else None

    @property
    def unread(self) -> UnreadRun | None:
        """The recording that is only listed, not read yet; None for other rows."""
        return self.item if isinstance(self.item, UnreadRun) else None

    @property
    def is_other_file(self) -> bool:
        """Whether the row is a skipped file, which the list hides behind a count."""
        return isinstance(self.item, SkippedFile)

    @property
    def begun(self) -> RunWithoutStep | None:
        """The run that is being recorded and has no step yet; None for other rows."""
        return self.item if self.running and isinstance(self.item, RunWithoutStep) else None

    @property
    def format(self) -> str | None:
        """The format of a recording, whether read or not; None for other rows."""
        if self.run is not None:
            return self.run.imported.recording.format
        source = self.unread or self.begun
        return None if source is None else source.format

    @property
    def changed_at(self) -> int | None:
        """When the file was last changed, in nanoseconds since the epoch; None for text."""
        return self.modified if self.unread is None else self.unread.modified

    @property
    def text(self) -> TextRecord | None:
        """The record whose text is embedded, scorable or not; None for other rows."""
        return self.item if isinstance(self.item, TraceRecord | UnscoredRecord) else None

    @property
    def waits(self) -> bool:
        """Whether the text is still to be embedded, looked up in the memory, or remembered."""
        if self.measured is not None:
            return self.measured.place.as_guest and not self.is_guest
        if self.record is None:
            return self.text is not None and not self.kept and not self.is_guest
        return True

    @property
    def path(self) -> str:
        """The path of the file, as it is shown."""
        return _place_of(self.item).path

    @property
    def count(self) -> int:
        """The number of records in this row: more than one where problems are only counted."""
        return self.item.count if isinstance(self.item, MoreProblems) else 1

    @cached_property
    def name(self) -> str:
        """The row's name: the file's stem, with the record's number where the file has several.

        A recording is named by its first prompt; without one, by its project or its format. A trace
        is named by its objective where its file's name is one that a machine made.
        """
        by_file = name_of(self.path, record_number(self.item))
        if self.is_called_by_file:
            return by_file
        text = self.record.trace.objective if self.record and not self.format else self.prompt
        told = " ".join(masked_beginning(text, _LONGEST_NAME).split()).rstrip(".")
        return told or (self.project or format_name(self.format) if self.format else by_file)

    @property
    def is_called_by_file(self) -> bool:
        """Whether the row is named by its file, not by its prompt or objective."""
        by_machine = self.record is not None and is_machine_name(self.path)
        return self.format is None and not by_machine

    @property
    def prompt(self) -> str:
        """The first prompt of a recording, as far as it was read; "" for other rows."""
        if self.run is not None:
            return self.run.imported.mapped.objective or ""
        if self.unread is not None:
            return self.unread.prompt
        return "" if self.begun is None else self.begun.objective or ""

    @property
    def project(self) -> str:
        """The folder of a recording's project, as its path tells; "" for other rows."""
        if self.format is None:
            return ""
        folders = self.path.replace("\\", "/").split("/")[:-1]
        kept_in = formats()[self.format].where.rpartition("/")[2]
        if kept_in and kept_in in folders:
            folders = folders[folders.index(kept_in) + 1 :][:1]
        return _CUT.sub("", folders[-1] if folders else "")

    @property
    def folder(self) -> str:
        """The project's folder for a recording; the file's folder for other rows."""
        return self.project if self.format else PurePath(self.path).parent.name

    @cached_property
    def facts(self) -> Facts | None:
        """The terms of the score that need no embedding; None for rows without a trace."""
        if self.measured is not None:
            return self.measured.measurement.facts
        if self.record is None:
            return None
        return facts_of(self.record.trace, schema_valid=passes(self.record.issues))

    @cached_property
    def score(self) -> float | None:
        """The score under the rules; None until novelty and outcome are known."""
        if self.measured is None or not self.measured.measurement.facts.outcome_known:
            return None
        facts, novelty = self.measured.measurement.facts, self.measured.measurement.novelty
        return measured_score(facts, novelty.value, self.rules.profile_for(facts))

    @cached_property
    def bounds(self) -> tuple[float, float] | None:
        """The lowest and highest possible score; None without a trace, or once it is known."""
        if self.facts is None or self.score is not None:
            return None
        profile = self.rules.profile_for(self.facts)
        if self.measured is None:
            return score_bounds(self.facts, profile)
        measurement = self.measured.measurement
        return score_bounds(measurement.facts, profile, measurement.novelty.value)

    @cached_property
    def assessment(self) -> Assessment | None:
        """The score with all of its terms; None until novelty is known.

        Where the recording does not say how the run ended, a stand-in outcome is used.
        """
        if self.measured is None or self.facts is None:
            return None
        profile = self.rules.profile_for(self.facts)
        return assess(self.measured.measurement, profile, self.rules.threshold)

    @cached_property
    def before(self) -> float | None:
        """The score before the last edit, under the same rules; None where nothing was edited."""
        if self.earlier is None:
            return None
        facts, novelty = self.earlier.facts, self.earlier.novelty
        return measured_score(facts, novelty.value, self.rules.profile_for(facts))

    @cached_property
    def range(self) -> ScoreRange | None:
        """The possible scores with their terms; None without a trace or once the score is known."""
        if self.facts is None or self.score is not None:
            return None
        profile, threshold = self.rules.profile_for(self.facts), self.rules.threshold
        if self.measured is None:
            return score_range(self.facts, profile, threshold)
        return outcome_range(self.measured.measurement, profile, threshold)

    @cached_property
    def reach(self) -> ReachKind | None:
        """What it would take for the trace to pass; None until novelty is known."""
        if self.measured is None:
            return None
        measurement = self.measured.measurement
        profile = self.rules.profile_for(measurement.facts)
        return trace_reach(measurement, profile, self.rules.threshold).kind

    @cached_property
    def state(self) -> State:
        """The state by which the list counts and filters the row."""
        match self.item:
            case TraceRecord():
                waits = State.PENDING if self.measured is None else State.UNDECIDED
                return waits if self.verdict is None else _STATES[self.verdict]
            case UnreadRun():
                return State.UNREAD
            case Skipped():
                return State.SKIPPED if self.begun is None else State.PENDING
            case Problem(kind=ProblemKind.UNREADABLE):
                return State.UNREADABLE
            case FoundReport():
                return State.REPORT
        return State.NOT_SCORABLE

    @cached_property
    def verdict(self) -> Verdict | None:
        """The verdict; known before the score where every possible score gives the same one."""
        ends = self.bounds if self.score is None else (self.score,)
        if self.facts is None or ends is None:
            return None
        passes = {self.facts.schema_valid and end >= self.rules.threshold for end in ends}
        if len(passes) > 1:
            return None
        return Verdict.ACCEPTED if True in passes else Verdict.REJECTED

    @property
    def assumed(self) -> bool:
        """Whether the score rests on an assumed novelty."""
        return self.measured is not None and self.measured.measurement.novelty.assumed


def names_of(documents: Sequence[Document]) -> tuple[str, ...]:
    """The names of these rows where they stand together; runs of the same name are numbered."""
    met: Counter[str] = Counter()
    names = []
    for one in documents:
        met[one.name] += not one.is_called_by_file
        names.append(f"{one.name} ({met[one.name]})" if met[one.name] > 1 else one.name)
    return tuple(names)


def _place_of(item: Item) -> Source | Problem | Skipped:
    """The part of an item that holds its path and its record's number."""
    return item.source if isinstance(item, TraceRecord | FoundReport) else item
