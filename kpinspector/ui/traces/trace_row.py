"""What a row of the list shows of its document, a column at a time: words, figures and order."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from kpinspector.app.document import Document, State, record_number
from kpinspector.batch.summary import LEVERS
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import Verdict, is_too_close, losses_of, values_of
from kpinspector.scoring.formula.overrides import Rule, firing_rules
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.scoring.novelty.neighbours import verdict_depends_on_order
from kpinspector.scoring.report.replay import Replay
from kpinspector.scoring.report.written import FoundReport
from kpinspector.scoring.whatif.changes import ChangeKind
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.trace.records import MoreProblems, Problem, ProblemKind, Skipped
from kpinspector.ui.look.moments import short_moment, whole_moment
from kpinspector.ui.look.plain_text import masked_line, one_line, plain_tooltip
from kpinspector.ui.look.state_words import state_word
from kpinspector.words.changes import REACH_WORDS
from kpinspector.words.figures import (
    UNKNOWN,
    shown_count,
    shown_interval,
    shown_margin,
    shown_score,
    shown_value,
)
from kpinspector.words.page import sign_of
from kpinspector.words.recordings import format_name
from kpinspector.words.say import capitalised, in_words, say, say_count, say_list
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_NAMES, verdict_phrase

if TYPE_CHECKING:
    from kpinspector.app.batches import BatchPicture

# closer to the threshold than this, a score or an interval's end may need more decimals
_NEAR_SCORE, _NEAR_INTERVAL = 2e-4, 1.1e-2
_COMPARED = 200  # characters of an objective that count when sorting
_TOOLTIP_LENGTH = 1000
APART = "  \N{MIDDLE DOT}  "

SortKey = int | float | str | None  # None: unknown, sorts last in either direction
ALONE: Final = 0
"""The group of a trace that is like no other."""
LEFT_OUT: Final = 0
"""The place of a trace that the plan does not take."""
_VERDICTS = {State(verdict): verdict for verdict in Verdict}
_STATE_ORDER = {state: number for number, state in enumerate(State)}
_REACH_ORDER = {kind: number for number, kind in enumerate(ReachKind)}
_COSTS: tuple[Dimension | Rule, ...] = (*Dimension, *Rule)


class TraceColumn(IntEnum):
    """The columns of the list, from left to right."""

    STATE = 0
    SCORE = 1
    BAR = 2
    MARGIN = 3
    COMPLEXITY = 4
    NOVELTY = 5
    DIVERSITY = 6
    OUTCOME = 7
    TRACE = 8
    REACH = 9
    LOSS = 10
    RULES = 11
    GROUP = 12
    PLACE = 13
    IN_CLEAR = 14
    PROFILE = 15
    STEPS = 16
    OBJECTIVE = 17
    SOURCE = 18
    CHANGED = 19


DEFAULT_COLUMNS = frozenset(
    {TraceColumn.STATE, TraceColumn.SCORE, TraceColumn.BAR, TraceColumn.TRACE}
)
DIMENSION_COLUMNS = {
    TraceColumn.COMPLEXITY: Dimension.COMPLEXITY,
    TraceColumn.NOVELTY: Dimension.NOVELTY,
    TraceColumn.DIVERSITY: Dimension.TOOL_DIVERSITY,
    TraceColumn.OUTCOME: Dimension.OUTCOME_CONFIDENCE,
}
NUMBER_COLUMNS = frozenset(
    {
        TraceColumn.SCORE,
        TraceColumn.MARGIN,
        *DIMENSION_COLUMNS,
        TraceColumn.GROUP,
        TraceColumn.PLACE,
        TraceColumn.IN_CLEAR,
        TraceColumn.STEPS,
    }
)
SILENT_COLUMNS = frozenset({TraceColumn.STATE, TraceColumn.BAR})  # no word over them
# what no score and no rule can change
LASTING_COLUMNS = frozenset(
    {
        TraceColumn.TRACE,
        TraceColumn.STEPS,
        TraceColumn.OBJECTIVE,
        TraceColumn.SOURCE,
        TraceColumn.CHANGED,
    }
)


def heading(column: TraceColumn) -> str:
    """The word for a column."""
    return {
        TraceColumn.STATE: say("State"),
        TraceColumn.SCORE: say("Score"),
        TraceColumn.BAR: say("Score as a bar"),
        TraceColumn.MARGIN: say("Margin"),
        **{column: DIMENSION_NAMES[one] for column, one in DIMENSION_COLUMNS.items()},
        TraceColumn.TRACE: say("Trace"),
        TraceColumn.REACH: say("Needs"),
        TraceColumn.LOSS: say("Greatest loss"),
        TraceColumn.RULES: say("Fired rules"),
        TraceColumn.GROUP: say("Group"),
        TraceColumn.PLACE: say("Place in the plan"),
        TraceColumn.IN_CLEAR: say("Leaves in clear"),
        TraceColumn.PROFILE: say("Profile"),
        TraceColumn.STEPS: say("Steps"),
        TraceColumn.OBJECTIVE: say("Objective"),
        TraceColumn.SOURCE: say("Source"),
        TraceColumn.CHANGED: say("Changed"),
    }[column]


def head_text(column: TraceColumn) -> str:
    """The text of a column's head; dimensions go by their letters."""
    if column in SILENT_COLUMNS:
        return ""
    if column in DIMENSION_COLUMNS:
        return DIMENSION_LETTERS[DIMENSION_COLUMNS[column]]
    short = {TraceColumn.PLACE: say("Plan"), TraceColumn.IN_CLEAR: say("Clear")}
    return short.get(column) or heading(column)


@dataclass(frozen=True, slots=True)
class BatchPlace:
    """Where a trace stands among all open ones, and what else is looked for on request.

    Attributes:
        group: From 1, the largest group first, or ``ALONE``; None until groups are known.
        place: From 1, or ``LEFT_OUT``; None until there is a plan.
        in_clear: How much of it would leave in clear by contribute; None until that is known.
        levers: The changes that would make a rejected one pass, as the filter calls them.
    """

    group: int | None = None
    place: int | None = None
    in_clear: int | None = None
    levers: frozenset[str] = frozenset()


NOWHERE: Final = BatchPlace()


def lever_term(kind: ChangeKind, amount: float) -> str:
    """What the filter calls a change that is tried of every rejected trace."""
    return f"{kind}_{amount:.0f}"


def places_in(picture: "BatchPicture") -> dict[int, BatchPlace]:
    """The place of each trace of a batch, by the number of its document."""
    groups: dict[int, int] = {}
    for number, group in enumerate(picture.grouped.groups if picture.grouped else (), 1):
        groups |= dict.fromkeys(group.members, number if len(group.members) > 1 else ALONE)
    places: dict[int, int] = {}
    if picture.plan is not None:
        places = {one.candidate: LEFT_OUT for one in picture.plan.left_out}
        places |= {one.candidate: n for n, one in enumerate(picture.plan.chosen, 1)}
    levers = (
        frozenset(lever_term(*LEVERS[one]) for one in judged.passing) for judged in picture.judged
    )
    return {
        document.number: BatchPlace(groups.get(index), places.get(index), levers=found)
        for index, (document, found) in enumerate(zip(picture.documents, levers, strict=True))
    }


@dataclass(frozen=True)
class TraceRow:
    """What one row shows, under the name that tells it from the others."""

    document: Document
    called: str

    @cached_property
    def name(self) -> str:
        """The name on one line."""
        return one_line(self.called)

    @property
    def state(self) -> State:
        """The state of its scoring."""
        return self.document.state

    @property
    def verdict(self) -> Verdict | None:
        """The verdict as a state; None for any other state."""
        return _VERDICTS.get(self.state)

    @property
    def shape(self) -> StrEnum:
        """The shape of its state, another one while it is judged only so far."""
        verdict = self.verdict
        return sign_of(verdict, running=self.document.running) if verdict else self.state

    @property
    def state_words(self) -> str:
        """The state, and whether it rests on an assumption."""
        if self.verdict is None:
            return state_word(self.state)
        document = self.document
        return verdict_phrase(self.verdict, assumed=document.assumed, running=document.running)

    @cached_property
    def about(self) -> str:
        """The objective, or what is wrong."""
        match self.document.item:
            case MoreProblems(message=message):
                about = capitalised(in_words(message))
            case Problem(kind=ProblemKind.UNREADABLE, message=message):
                about = say("Not readable: {message}", message=masked_line(in_words(message)))
            case Problem(message=message):
                about = say("Not scorable: {message}", message=masked_line(in_words(message)))
            case Skipped() if self.document.format is not None:
                about = masked_line(self.document.prompt)
            case Skipped() as unit:
                what = masked_line(unit.type or in_words(unit.reason))
                about = say("Skipped: {what}", what=what)
            case FoundReport() as found:
                about = _about_report(found, self.document.replay)
            case record:
                about = masked_line(record.trace.objective)
        return about

    @property
    def format(self) -> str:
        """The name of a recording's format; "" for anything else."""
        return format_name(self.document.format) if self.document.format else ""

    @property
    def beside(self) -> tuple[str, ...]:
        """What stands beside a recording's name: which of several it is, its project, its time."""
        run, changed_at = self.document.run, self.document.changed_at
        which = run.imported.run.name if run else ""
        if isinstance(which, Phrase) and "key" in which.named:  # which only a machine can tell
            which = say("sub-agent")
        # worked out anew each time: days pass; what is not read shows it in the place of its score
        told = changed_at is None or self.state is State.UNREAD
        when = "" if told else short_moment(changed_at or 0)
        parts = (one_line(in_words(which)), one_line(self.document.project), when)
        return tuple(filter(None, parts)) if self.document.format else ()

    @cached_property
    def score_text(self) -> str:
        """The score, or all that are possible."""
        document = self.document
        if document.score is not None:
            return shown_score(document.score, document.rules.threshold)
        if document.bounds is None:
            return UNKNOWN
        return shown_interval(*document.bounds, document.rules.threshold)

    @property
    def margin_text(self) -> str:
        """How far the score is from the threshold."""
        assessment, document = self.document.assessment, self.document
        if assessment is None or document.score is None:
            return UNKNOWN
        sign = "+" if assessment.score_passes else "\N{MINUS SIGN}"
        return sign + shown_margin(assessment.score, document.rules.threshold)

    @property
    def too_close(self) -> bool:
        """Whether the SDK's own number may fall on the other side of the threshold."""
        score = self.document.score
        return score is not None and is_too_close(score, self.document.rules.threshold)

    @cached_property
    def order_matters(self) -> bool:
        """Whether it would have the other verdict if it were scored first."""
        document = self.document
        measured, assessment = document.measured, document.assessment
        if measured is None or assessment is None or document.score is None:
            return False
        return verdict_depends_on_order(measured.measurement, assessment)

    def text(self, column: TraceColumn, place: BatchPlace = NOWHERE) -> str:
        """The text of a cell; rows that are not read show when they changed."""
        changed_at = self.document.changed_at
        unread = self.state is State.UNREAD and column is TraceColumn.SCORE
        if changed_at is not None and (unread or column is TraceColumn.CHANGED):
            return short_moment(changed_at)  # worked out anew each time: days pass
        return _TEXTS[column](self, place)

    def spoken(self, column: TraceColumn) -> str:
        """What is read out for a cell; "" for its text.

        The name's cell stands for the whole row; what is told there is not read once more.
        """
        if column in _TOLD or (column is TraceColumn.OBJECTIVE and not self.document.format):
            return " "
        if column is not TraceColumn.TRACE:
            return ""
        parts = [self.name]
        if self.document.running:
            parts.append(running_word())
        parts.append(self.state_words)
        if self.score_text != UNKNOWN:
            parts.append(self.score_text)
        beside = APART.join(self.beside) if self.document.format else self.about
        return say_list((*parts, *self._remarks(), *([beside] if beside else [])))

    def tooltip(self) -> str:
        """The file's path, the row in words, and the full objective."""
        document = self.document
        about = self.about if document.record is None else document.record.trace.objective
        words = [in_words(document.run.imported.run.name)] if document.run else []
        words = [*filter(None, words), self.state_words]
        if document.running:
            words.append(say("running: still being written, scored as a guest"))
        lines = (document.path, say_list((*words, *self._remarks())))
        shown = (one_line(line, _TOOLTIP_LENGTH) for line in lines)
        return plain_tooltip("\n".join((*shown, masked_line(about, _TOOLTIP_LENGTH))))

    def _remarks(self) -> Iterator[str]:
        changed_at = self.document.changed_at
        if self.document.format:
            yield say("a recording of {format}", format=self.format)
        if self.state is State.UNREAD and changed_at is not None:
            yield say("changed {when}", when=whole_moment(changed_at))
        if self.too_close:
            yield say("the SDK may differ")
        if self.order_matters:
            yield say("scored first, it would have the other verdict")


def _about_report(found: FoundReport, replay: Replay | None) -> str:
    """How many traces a report covers, and the result of replaying it."""
    number = len(found.values["traces"])
    words = say_count("Report on {number} trace", "Report on {number} traces", number)
    if replay is None:
        return words
    result = say("identical") if replay.identical else say("different")
    return say("{report}: {result}", report=words, result=result)


def running_word() -> str:
    """The word for a recording that is still being written."""
    return say("running")


def initials(name: str) -> str:
    """The two letters that stand for a format's name."""
    letters = re.findall("[A-Z]", name), re.findall(r"\b\w", name), list(name)
    return "".join(next(one for one in letters if len(one) > 1)[:2])


# what is known of a document


def profile_name(document: Document) -> str:
    """The profile a document is judged by; "" if there is nothing to judge."""
    return document.rules.profile_for(document.facts).name if document.facts else ""


def step_count(document: Document) -> int:
    """How many steps a trace has; -1 for anything else."""
    return len(document.record.trace.steps) if document.record else -1


def source_text(document: Document) -> str:
    """The file's path, followed by the record's number if it has several."""
    record = record_number(document.item)
    return f"{document.path}:{record}" if record else document.path


def needs_room(document: Document) -> bool:
    """Whether its figures may be wider than usual: outside 0 to 1, or shown with more decimals."""
    ends = document.bounds if document.score is None else (document.score,)
    if ends is None:
        return False
    threshold = document.rules.threshold
    near = _NEAR_INTERVAL if document.score is None else _NEAR_SCORE
    return any(not 0 <= one <= 1 or abs(one - threshold) < near for one in ends)


def dimension_value(document: Document, dimension: Dimension) -> float | None:
    """The value of a dimension; None while it is unknown, and for what is no trace."""
    facts = document.facts
    if facts is None or (dimension is Dimension.NOVELTY and document.measured is None):
        return None
    novelty = document.measured.measurement.novelty.value if document.measured else 0.0
    low, high = (values_of(end, novelty).of(dimension) for end in facts.outcome_ends)
    return low if low == high else None


def greatest_loss(document: Document) -> Dimension | Rule | None:
    """What costs a trace most, a dimension or a rule that fired; None where nothing does."""
    if document.score is None or document.assessment is None:
        return None
    losses = losses_of(document.assessment)
    greatest = max(losses, key=losses.__getitem__)
    return greatest if losses[greatest] > 0 else None


def fired_rules(document: Document) -> tuple[Rule, ...]:
    """The rules that fire however the run ended."""
    return () if document.facts is None else firing_rules(document.facts.outcome_ends[0])


def searched_text(document: Document) -> str:
    """What the filter searches: name, file, objective, id and domain; a recording's folder."""
    path = PurePath(document.path.replace("\\", "/"))
    parts: list[str | None] = [document.name, path.name]
    if document.format:
        parts += [document.prompt, path.parent.name]
    if document.record is not None:
        trace = document.record.trace
        parts += [trace.objective, trace.id, trace.metadata.task_domain]
    elif isinstance(document.item, Skipped):
        parts += [document.item.id, document.item.type]
    return "\n".join(part for part in parts if part).casefold()


# columns: their texts, and what they sort by


def group_word(group: int | None) -> str:
    """A group's number; a word for a trace that is in none."""
    if group is None:
        return UNKNOWN
    return say("alone") if group == ALONE else shown_count(group)


def place_word(place: int | None) -> str:
    """A trace's place in the plan; words for one that is left out."""
    if place is None:
        return UNKNOWN
    return say("left out") if place == LEFT_OUT else shown_count(place)


def sort_key(document: Document, column: TraceColumn, place: BatchPlace = NOWHERE) -> SortKey:
    """What a column sorts a document by."""
    return _KEYS[column](document, place)


def _text_of(dimension: Dimension) -> Callable[[TraceRow, BatchPlace], str]:
    def text(row: TraceRow, _place: BatchPlace) -> str:
        value = dimension_value(row.document, dimension)
        return UNKNOWN if value is None else shown_value(value)

    return text


def _key_of(dimension: Dimension) -> Callable[[Document, BatchPlace], SortKey]:
    return lambda document, _: dimension_value(document, dimension)


def _loss_text(cost: Dimension | Rule | None) -> str:
    if cost is None:
        return UNKNOWN
    return DIMENSION_NAMES[cost] if isinstance(cost, Dimension) else RULE_NAMES[cost]


def _rules_text(document: Document) -> str:
    return say_list(RULE_NAMES[rule] for rule in fired_rules(document))


def _count_text(count: int | None) -> str:
    return UNKNOWN if count is None else shown_count(count)


def _score_key(document: Document) -> float | None:
    """The score; of an interval the middle."""
    if document.score is not None:
        return document.score
    return None if document.bounds is None else sum(document.bounds) / 2


def _margin_key(document: Document) -> float | None:
    score = _score_key(document)
    return None if score is None else score - document.rules.threshold


def _name_key(name: str) -> str:
    """The sort key of names: ignores case, and puts 2 before 10."""
    return re.sub(r"\d+", lambda digits: digits[0].zfill(12), name.casefold())


def _about_key(document: Document) -> str:
    """The sort key of objectives: their beginning, ignoring case; rows without one come first."""
    record = document.record
    return record.trace.objective[:_COMPARED].lstrip().casefold() if record else ""


def _loss_key(document: Document) -> int | None:
    cost = greatest_loss(document)
    return None if cost is None else _COSTS.index(cost)


_TOLD = frozenset({TraceColumn.STATE, TraceColumn.SCORE, TraceColumn.BAR})
_TEXTS: Mapping[TraceColumn, Callable[[TraceRow, BatchPlace], str]] = {
    TraceColumn.STATE: lambda row, _: row.state_words,
    TraceColumn.SCORE: lambda row, _: row.score_text,
    TraceColumn.BAR: lambda row, _: running_word() if row.document.running else row.score_text,
    TraceColumn.MARGIN: lambda row, _: row.margin_text,
    **{column: _text_of(dimension) for column, dimension in DIMENSION_COLUMNS.items()},
    TraceColumn.TRACE: lambda row, _: row.name,
    TraceColumn.REACH: lambda row, _: (
        REACH_WORDS[row.document.reach] if row.document.reach else UNKNOWN
    ),
    TraceColumn.LOSS: lambda row, _: _loss_text(greatest_loss(row.document)),
    TraceColumn.RULES: lambda row, _: _rules_text(row.document),
    TraceColumn.GROUP: lambda _, place: group_word(place.group),
    TraceColumn.PLACE: lambda _, place: place_word(place.place),
    TraceColumn.IN_CLEAR: lambda _, place: _count_text(place.in_clear),
    TraceColumn.PROFILE: lambda row, _: profile_name(row.document),
    TraceColumn.STEPS: lambda row, _: (
        shown_count(step_count(row.document)) if row.document.record else UNKNOWN
    ),
    TraceColumn.OBJECTIVE: lambda row, _: row.about,
    TraceColumn.SOURCE: lambda row, _: one_line(source_text(row.document)),
    TraceColumn.CHANGED: lambda *_: UNKNOWN,
}
_KEYS: Mapping[TraceColumn, Callable[[Document, BatchPlace], SortKey]] = {
    TraceColumn.STATE: lambda document, _: _STATE_ORDER[document.state],
    TraceColumn.SCORE: lambda document, _: _score_key(document),
    TraceColumn.BAR: lambda document, _: _score_key(document),
    TraceColumn.MARGIN: lambda document, _: _margin_key(document),
    **{column: _key_of(dimension) for column, dimension in DIMENSION_COLUMNS.items()},
    TraceColumn.TRACE: lambda document, _: _name_key(document.name),
    TraceColumn.REACH: lambda document, _: _REACH_ORDER[document.reach] if document.reach else None,
    TraceColumn.LOSS: lambda document, _: _loss_key(document),
    TraceColumn.RULES: lambda document, _: _rules_text(document) or None,
    TraceColumn.GROUP: lambda _, place: place.group or None,
    TraceColumn.PLACE: lambda _, place: place.place or None,
    TraceColumn.IN_CLEAR: lambda _, place: place.in_clear,
    TraceColumn.PROFILE: lambda document, _: profile_name(document) or None,
    TraceColumn.STEPS: lambda document, _: step_count(document) if document.record else None,
    TraceColumn.OBJECTIVE: lambda document, _: _about_key(document),
    TraceColumn.SOURCE: lambda document, _: _name_key(source_text(document)),
    # what was skipped sorts last
    TraceColumn.CHANGED: lambda document, _: (
        None if document.state is State.SKIPPED else document.changed_at
    ),
}
