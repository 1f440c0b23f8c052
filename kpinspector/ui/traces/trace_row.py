"""A row of the list: the words, figures and sort keys of its columns."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NamedTuple

from kpinspector.app.document import Document, State, record_number
from kpinspector.batch.summary import LEVERS
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import TOO_CLOSE_TO_CALL, Verdict, losses_of, values_of
from kpinspector.scoring.formula.overrides import Rule, firing_rules
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.scoring.novelty.neighbours import other_if_first
from kpinspector.scoring.report.replay import Replay
from kpinspector.scoring.report.written import FoundReport
from kpinspector.scoring.whatif.changes import ChangeKind
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.trace.records import MoreProblems, Problem, ProblemKind, Skipped
from kpinspector.ui.look.plain_text import (
    masked_line,
    one_line,
    plain_tooltip,
    short_moment,
    whole_moment,
)
from kpinspector.ui.tables.figure_model import Head
from kpinspector.ui.traces import NO_TRAITS, Traits
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
_COMPARED = 200  # characters of an objective that are compared for sorting
_TOOLTIP_LENGTH = 1000
APART = "  \N{MIDDLE DOT}  "

SortKey = int | float | str | None  # None: unknown, sorts last in either direction
ALONE: Final = 0
"""The group number of a trace that is similar to no other."""
LEFT_OUT: Final = 0
"""The place of a trace that is not in the plan."""
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


@dataclass(frozen=True, slots=True)
class BatchPlace:
    """What the Batch page found out about a trace, and how much of it leaves in clear.

    Attributes:
        group: Its group from 1, the largest first, or ``ALONE``; None until groups are known.
        place: Its place in the plan from 1, or ``LEFT_OUT``; None until there is a plan.
        in_clear: How many of its texts would leave in clear by contribute; None until counted.
        levers: The filter's names of the changes by which a rejected trace would pass.
    """

    group: int | None = None
    place: int | None = None
    in_clear: int | None = None
    levers: frozenset[str] = frozenset()


NOWHERE: Final = BatchPlace()


def lever_term(kind: ChangeKind, amount: float) -> str:
    """The filter's name of a change that the Batch page tries on every rejected trace."""
    return f"{kind}_{amount:.0f}"


def places_in(picture: "BatchPicture") -> dict[int, BatchPlace]:
    """The places of all traces of a batch, by the numbers of their documents."""
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


@dataclass(eq=False)
class TraceRow:
    """A row of the list: a document, what is shown of it, and what it is sorted by.

    Attributes:
        called: The name that tells it from other rows.
        place: What the Batch page found out about it.
        kept: Whether the filter keeps it.
        traits: What it is counted by.
    """

    document: Document
    called: str
    place: BatchPlace = NOWHERE
    kept: bool = False
    traits: Traits = NO_TRAITS
    _keys: dict[TraceColumn, SortKey] = field(default_factory=dict)

    def put(self, document: Document, place: BatchPlace) -> None:
        """Take a newer document or place; the searched text is kept if the item is the same."""
        for name in ("about", "score_text", "is_wide", "order_matters"):
            vars(self).pop(name, None)
        if document.item is not self.document.item:
            vars(self).pop("searched", None)
            place = replace(place, in_clear=None)
        self._keys.clear()
        self.document, self.place = document, place

    def key(self, column: TraceColumn) -> SortKey:
        """The sort key of a column; None if it is unknown."""
        if column not in self._keys:
            self._keys[column] = COLUMNS[column].key(self)
        return self._keys[column]

    @cached_property
    def searched(self) -> str:
        """What the filter searches: name, file, objective, id and domain; a recording's folder."""
        document = self.document
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

    @property
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
        """The symbol of its state; a running recording has another one for its verdict."""
        verdict = self.verdict
        return sign_of(verdict, running=self.document.running) if verdict else self.state

    @property
    def state_words(self) -> str:
        """The state in words, and whether it rests on an assumption."""
        if self.verdict is None:
            return self.state.word
        document = self.document
        return verdict_phrase(self.verdict, assumed=document.assumed, running=document.running)

    @cached_property
    def about(self) -> str:
        """The objective of a trace; for other rows what is wrong, or what they are."""
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
    def beside(self) -> str:
        """What stands beside the name: the objective, or a recording's run, folder and date."""
        document = self.document
        if document.is_called_by_file:
            return self.about
        run = document.run
        which = run.imported.run.name if run else ""
        if isinstance(which, Phrase) and "key" in which.named:  # a name made by a machine
            which = say("sub-agent")
        # unread rows show their date in place of the score
        told = document.changed_at is None or self.state is State.UNREAD
        when = "" if told else self.when
        parts = (one_line(in_words(which)), one_line(document.folder), when)
        return APART.join(filter(None, parts))

    @cached_property
    def score_text(self) -> str:
        """The score, or the range of possible scores."""
        document = self.document
        if document.score is not None:
            return shown_score(document.score, document.rules.threshold)
        if document.bounds is None:
            return UNKNOWN
        return shown_interval(*document.bounds, document.rules.threshold)

    @cached_property
    def is_wide(self) -> bool:
        """Whether its figures may be wider than usual: outside 0 to 1, or with more decimals."""
        document = self.document
        ends = document.bounds if document.score is None else (document.score,)
        if ends is None:
            return False
        threshold = document.rules.threshold
        near = _NEAR_INTERVAL if document.score is None else _NEAR_SCORE
        return any(not 0 <= one <= 1 or abs(one - threshold) < near for one in ends)

    @property
    def too_close(self) -> bool:
        """Whether the SDK's own score may fall on the other side of the threshold."""
        score = self.document.score
        return score is not None and abs(score - self.document.rules.threshold) < TOO_CLOSE_TO_CALL

    @cached_property
    def order_matters(self) -> bool:
        """Whether the trace would have the other verdict if it were scored first."""
        document = self.document
        measured, assessment = document.measured, document.assessment
        if measured is None or assessment is None or document.score is None:
            return False
        return other_if_first(measured.measurement, assessment) is not None

    def text(self, column: TraceColumn) -> str:
        """The text of a cell."""
        return COLUMNS[column].text(self)

    @property
    def when(self) -> str:
        """When its file was last changed; made each time, as it depends on today's date."""
        changed_at = self.document.changed_at
        return UNKNOWN if changed_at is None else short_moment(changed_at)

    def spoken(self, column: TraceColumn) -> str:
        """What a screen reader says of a cell.

        The name's cell says the whole row; cells whose values it includes say nothing.
        """
        if COLUMNS[column].told or (column is TraceColumn.OBJECTIVE and not self.document.format):
            return " "
        if column is not TraceColumn.TRACE:
            return self.text(column)
        parts = [self.name]
        if self.document.running:
            parts.append(running_word())
        parts.append(self.state_words)
        if self.score_text != UNKNOWN:
            parts.append(self.score_text)
        return say_list((*parts, *self._remarks(), *filter(None, [self.beside])))

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
            yield say("it would have the other verdict if scored first")


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
    """Two letters that stand for a format's name."""
    name = name.removesuffix(" CLI")
    letters = (re.findall(one, name) for one in ("[A-Z]", r"\b\w", r"^.|[^aeiou]", "."))
    return "".join(next(one for one in letters if len(one) > 1)[:2])


# values of a document


def profile_name(document: Document) -> str:
    """The name of the profile that judges a document; "" for rows without facts."""
    return document.rules.profile_for(document.facts).name if document.facts else ""


def dimension_value(document: Document, dimension: Dimension) -> float | None:
    """The value of a dimension; None while it is unknown, and for rows that are no trace."""
    facts = document.facts
    if facts is None or (dimension is Dimension.NOVELTY and document.measured is None):
        return None
    novelty = document.measured.measurement.novelty.value if document.measured else 0.0
    low, high = (values_of(end, novelty).of(dimension) for end in facts.outcome_ends)
    return low if low == high else None


def greatest_loss(document: Document) -> Dimension | Rule | None:
    """The dimension or the fired rule that costs a trace most; None if nothing does."""
    if document.score is None or document.assessment is None:
        return None
    losses = losses_of(document.assessment)
    greatest = max(losses, key=losses.__getitem__)
    return greatest if losses[greatest] > 0 else None


def fired_rules(document: Document) -> tuple[Rule, ...]:
    """The rules that fire whatever the outcome of the run is."""
    return () if document.facts is None else firing_rules(document.facts.outcome_ends[0])


# columns


class ListColumn(NamedTuple):
    """A column: what its cells show, and what rows are sorted by.

    Attributes:
        head: The word at its head, or the dimension that it shows.
        drawn: The text that is painted in the head in place of that; None for the word.
        figure: For a column of figures the text that is usually the widest, else "".
        width: In px at 100 %: for figures the least, otherwise the usual one, which can be dragged.
        counted: Whether it shows unlimited numbers, of which the greatest is the widest.
        told: Whether the name's cell says its value for screen readers.
    """

    head: Phrase | Dimension
    text: Callable[[TraceRow], str]
    key: Callable[[TraceRow], SortKey]
    drawn: str | None = None
    figure: str = ""
    width: int = 0
    counted: bool = False
    told: bool = False

    def make_head(self) -> Head:
        """The head of the column, in the user's language."""
        one = self.head
        word = DIMENSION_NAMES[one] if isinstance(one, Dimension) else in_words(one)
        drawn = word if self.drawn is None else in_words(self.drawn)
        return Head(word, drawn, figure=bool(self.figure))


_LEAST_FIGURES = 42  # enough for the word in the header


def _dimension(one: Dimension) -> ListColumn:
    def key(row: TraceRow) -> float | None:
        return dimension_value(row.document, one)

    def text(row: TraceRow) -> str:
        value = key(row)
        return UNKNOWN if value is None else shown_value(value)

    return ListColumn(one, text, key, DIMENSION_LETTERS[one], "0.000", _LEAST_FIGURES)


def _count(
    head: Phrase, number: Callable[[TraceRow], int | None], zero: str = "", drawn: str | None = None
) -> ListColumn:
    """A column of numbers; the word ``zero`` stands for 0, which sorts last then."""

    def text(row: TraceRow) -> str:
        value = number(row)
        if value is None:
            return UNKNOWN
        return in_words(zero) if zero and not value else shown_count(value)

    def key(row: TraceRow) -> int | None:
        return number(row) or (None if zero else number(row))

    return ListColumn(head, text, key, drawn, zero or "0", _LEAST_FIGURES, counted=True)


def _score_text(row: TraceRow) -> str:
    return row.when if row.state is State.UNREAD else row.score_text


def _bar_text(row: TraceRow) -> str:
    return running_word() if row.document.running else row.score_text


def _score_key(row: TraceRow) -> float | None:
    """The score; for a range its middle."""
    document = row.document
    if document.score is not None:
        return document.score
    return None if document.bounds is None else sum(document.bounds) / 2


def _margin_key(row: TraceRow) -> float | None:
    score = _score_key(row)
    return None if score is None else score - row.document.rules.threshold


def _margin_text(row: TraceRow) -> str:
    """How far the score is from the threshold, with a sign."""
    assessment, document = row.document.assessment, row.document
    if assessment is None or document.score is None:
        return UNKNOWN
    sign = "+" if assessment.score_passes else "\N{MINUS SIGN}"
    return sign + shown_margin(assessment.score, document.rules.threshold)


def _name_key(name: str) -> str:
    """The sort key of a name: ignores case, and puts 2 before 10."""
    return re.sub(r"\d+", lambda digits: digits[0].zfill(12), name.casefold())


def _about_key(row: TraceRow) -> str:
    """The sort key of an objective: its beginning without case; rows without one come first."""
    record = row.document.record
    return record.trace.objective[:_COMPARED].lstrip().casefold() if record else ""


def _loss_text(row: TraceRow) -> str:
    cost = greatest_loss(row.document)
    if cost is None:
        return UNKNOWN
    return DIMENSION_NAMES[cost] if isinstance(cost, Dimension) else RULE_NAMES[cost]


def _loss_key(row: TraceRow) -> int | None:
    cost = greatest_loss(row.document)
    return None if cost is None else _COSTS.index(cost)


def _rules_text(row: TraceRow) -> str:
    return say_list(RULE_NAMES[rule] for rule in fired_rules(row.document))


def _reach_text(row: TraceRow) -> str:
    return REACH_WORDS[row.document.reach] if row.document.reach else UNKNOWN


def _reach_key(row: TraceRow) -> int | None:
    return _REACH_ORDER[row.document.reach] if row.document.reach else None


def _profile_text(row: TraceRow) -> str:
    return profile_name(row.document)


def _steps(row: TraceRow) -> int | None:
    return len(row.document.record.trace.steps) if row.document.record else None


def _changed_key(row: TraceRow) -> int | None:
    """The date of the last change; skipped rows sort last."""
    return None if row.state is State.SKIPPED else row.document.changed_at


def _source_text(row: TraceRow) -> str:
    """The file's path, followed by the record's number if it has several."""
    path, record = row.document.path, record_number(row.document.item)
    return f"{path}:{record}" if record else path


COLUMNS = (  # in the order of ``TraceColumn``
    ListColumn(
        Phrase("State"),
        lambda row: row.state_words,
        lambda row: _STATE_ORDER[row.state],
        "",
        told=True,
    ),
    ListColumn(
        Phrase("Score"), _score_text, _score_key, None, "0.00\N{EN DASH}0.00", 64, told=True
    ),
    ListColumn(Phrase("Score as a bar"), _bar_text, _score_key, "", told=True),
    ListColumn(Phrase("Margin"), _margin_text, _margin_key, None, "\N{MINUS SIGN}0.0000", 64),
    *map(_dimension, Dimension),
    ListColumn(Phrase("Trace"), lambda row: row.name, lambda row: _name_key(row.document.name)),
    ListColumn(Phrase("Needs"), _reach_text, _reach_key, width=84),
    ListColumn(Phrase("Greatest loss"), _loss_text, _loss_key, width=110),
    ListColumn(Phrase("Fired rules"), _rules_text, lambda row: _rules_text(row) or None, width=150),
    _count(Phrase("Group"), lambda row: row.place.group, Phrase("alone")),
    _count(
        Phrase("Place in the plan"), lambda row: row.place.place, Phrase("left out"), Phrase("Plan")
    ),
    _count(Phrase("Leaves in clear"), lambda row: row.place.in_clear, drawn=Phrase("Clear")),
    ListColumn(Phrase("Profile"), _profile_text, lambda row: _profile_text(row) or None, width=110),
    _count(Phrase("Steps"), _steps),
    ListColumn(Phrase("Objective"), lambda row: row.about, _about_key, width=240),
    ListColumn(
        Phrase("Source"),
        lambda row: one_line(_source_text(row)),
        lambda row: _name_key(_source_text(row)),
        width=200,
    ),
    ListColumn(Phrase("Changed"), lambda row: row.when, _changed_key, width=90),
)
FIGURE_COLUMNS = frozenset(one for one in TraceColumn if COLUMNS[one].figure)
DRAGGED_COLUMNS = frozenset(one for one in TraceColumn if COLUMNS[one].width) - FIGURE_COLUMNS
