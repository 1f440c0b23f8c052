"""What a row of the list shows of its document, in words and figures."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from pathlib import PurePath

from kpinspector.app.document import Document, State, record_number
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import Verdict, is_too_close
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.scoring.novelty.neighbours import verdict_depends_on_order
from kpinspector.scoring.report.replay import Replay
from kpinspector.scoring.report.written import FoundReport
from kpinspector.trace.records import MoreProblems, Problem, ProblemKind, Skipped
from kpinspector.ui.look.moments import short_moment, whole_moment
from kpinspector.ui.look.plain_text import masked_line, one_line, plain_tooltip
from kpinspector.ui.look.state_words import state_word
from kpinspector.words.figures import (
    UNKNOWN,
    shown_count,
    shown_interval,
    shown_margin,
    shown_score,
)
from kpinspector.words.page import sign_of
from kpinspector.words.recordings import format_name
from kpinspector.words.say import capitalised, in_words, say, say_count, say_list
from kpinspector.words.sentences import DIMENSION_NAMES, verdict_phrase

# closer to the threshold than this, a score or an interval's end may need more decimals
_NEAR_SCORE, _NEAR_INTERVAL = 2e-4, 1.1e-2
_COMPARED = 200  # characters of an objective that count when sorting


SortKey = int | float | str | None  # None: unknown, sorts last in either direction
_TOOLTIP_LENGTH = 1000
_VERDICTS = {State(verdict): verdict for verdict in Verdict}
_STATE_ORDER = {state: number for number, state in enumerate(State)}


@dataclass(frozen=True, slots=True)
class TraceRow:
    """What one row shows.

    Attributes:
        about: The objective, or what is wrong.
        profile: The name of the profile it is judged by; "" if there is nothing to judge.
        source: The file's path, followed by the record's number if it has several.
        format: The name of a recording's format; "" for anything else.
        running: Whether it is still being written.
        score: None while unknown.
        interval: The lowest and the highest possible score while it is unknown.
        changed_at: When the file was last changed, in nanoseconds; None for pasted text.
    """

    name: str
    about: str
    state: State
    assumed: bool
    score: float | None
    interval: tuple[float, float] | None
    score_text: str
    threshold: float
    too_close: bool
    order_matters: bool
    margin_text: str
    profile: str
    steps: str
    source: str
    format: str = ""
    running: bool = False
    changed_at: int | None = None
    project: str = ""
    called: str = ""

    @property
    def verdict(self) -> Verdict | None:
        """The verdict as a state; None for any other state."""
        return _VERDICTS.get(self.state)

    @property
    def shape(self) -> StrEnum:
        """The shape of its state, another one while it is judged only so far."""
        return sign_of(self.verdict, running=self.running) if self.verdict else self.state


def make_row(document: Document, name: str) -> TraceRow:
    """Work out all that a row shows."""
    return TraceRow(
        name=one_line(name),
        about=_about(document),
        state=document.state,
        assumed=document.assumed,
        score=document.score,
        interval=document.bounds,
        score_text=_score_text(document),
        threshold=document.rules.threshold,
        too_close=too_close(document),
        order_matters=_depends_on_order(document),
        margin_text=_margin_text(document),
        profile=profile_name(document),
        steps=shown_count(step_count(document)) if document.record else UNKNOWN,
        source=one_line(source_text(document)),
        format=format_name(document.format) if document.format else "",
        running=document.running,
        changed_at=document.changed_at,
        project=one_line(document.project),
        called=_called(document.run.imported.name) if document.run else "",
    )


def _called(name: str) -> str:
    """What a run is called within its recording, without the key that only a machine can tell."""
    if isinstance(name, Phrase) and "key" in name.named:
        name = Phrase(name.form.replace("{key}", "").strip())
    return one_line(in_words(name))


def initials(name: str) -> str:
    """The two letters that stand for a format's name."""
    letters = re.findall("[A-Z]", name), re.findall(r"\b\w", name), list(name)
    return "".join(next(one for one in letters if len(one) > 1)[:2])


def beside_name(row: TraceRow) -> str:
    """What stands beside the name: of a recording which, where and when, else what it is about."""
    if not row.format:
        return row.about
    # worked out anew each time: days pass; what is not read shows it in the place of its score
    told = row.changed_at is None or row.state is State.UNREAD
    when = "" if told else short_moment(row.changed_at or 0)
    return "  ·  ".join(filter(None, (row.called, row.project, when)))


def _about(document: Document) -> str:
    """The objective, or what is wrong."""
    match document.item:
        case MoreProblems(message=message):
            about = capitalised(in_words(message))
        case Problem(kind=ProblemKind.UNREADABLE, message=message):
            about = say("Not readable: {message}", message=masked_line(in_words(message)))
        case Problem(message=message):
            about = say("Not scorable: {message}", message=masked_line(in_words(message)))
        case Skipped() if document.format is not None:
            about = masked_line(document.prompt)
        case Skipped() as unit:
            what = masked_line(unit.type or in_words(unit.reason))
            about = say("Skipped: {what}", what=what)
        case FoundReport() as found:
            about = _about_report(found, document.replay)
        case record:
            about = masked_line(record.trace.objective)
    return about


def _about_report(found: FoundReport, replay: Replay | None) -> str:
    """How many traces a report covers, and the result of replaying it."""
    number = len(found.values["traces"])
    words = say_count("Report on {number} trace", "Report on {number} traces", number)
    if replay is None:
        return words
    result = say("identical") if replay.identical else say("different")
    return say("{report}: {result}", report=words, result=result)


def _number_key(document: Document) -> float | None:
    """The sort key of scores; intervals sort by their middle."""
    if document.score is not None:
        return document.score
    return None if document.bounds is None else sum(document.bounds) / 2


def _margin_key(document: Document) -> float | None:
    score = _number_key(document)
    return None if score is None else score - document.rules.threshold


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


def _name_key(name: str) -> str:
    """The sort key of names: ignores case, and puts 2 before 10."""
    return re.sub(r"\d+", lambda digits: digits[0].zfill(12), name.casefold())


def _about_key(document: Document) -> str:
    """The sort key of objectives: their beginning, ignoring case; rows without one come first."""
    record = document.record
    return record.trace.objective[:_COMPARED].lstrip().casefold() if record else ""


def searched_text(document: Document, name: str) -> str:
    """What the filter searches: name, file, objective, id and domain; a recording's folder."""
    file = document.path.replace("\\", "/").rpartition("/")[2]
    parts: list[str | None] = [name, file]
    parts += [document.prompt, PurePath(document.path).parent.name] if document.format else []
    if document.record is not None:
        trace = document.record.trace
        parts += [trace.objective, trace.id, trace.metadata.task_domain]
    elif isinstance(document.item, Skipped):
        parts += [document.item.id, document.item.type]
    return "\n".join(part for part in parts if part).casefold()


def _score_text(document: Document) -> str:
    if document.score is not None:
        return shown_score(document.score, document.rules.threshold)
    if document.bounds is None:
        return UNKNOWN
    return shown_interval(*document.bounds, document.rules.threshold)


def _margin_text(document: Document) -> str:
    assessment = document.assessment
    if assessment is None or document.score is None:
        return UNKNOWN
    threshold = document.rules.threshold
    sign = "+" if assessment.score_passes else "\N{MINUS SIGN}"
    return sign + shown_margin(assessment.score, threshold)


def too_close(document: Document) -> bool:
    """Whether the SDK's own number may fall on the other side of the threshold."""
    return document.score is not None and is_too_close(document.score, document.rules.threshold)


def needs_room(document: Document) -> bool:
    """Whether its figures may be wider than usual: outside 0 to 1, or shown with more decimals."""
    ends = document.bounds if document.score is None else (document.score,)
    if ends is None:
        return False
    threshold = document.rules.threshold
    near = _NEAR_INTERVAL if document.score is None else _NEAR_SCORE
    return any(not 0 <= one <= 1 or abs(one - threshold) < near for one in ends)


def _depends_on_order(document: Document) -> bool:
    measured, assessment = document.measured, document.assessment
    if measured is None or assessment is None or document.score is None:
        return False
    return verdict_depends_on_order(measured.measurement, assessment)


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

# columns whose order no score and no rule can change
_LASTING = (
    TraceColumn.TRACE,
    TraceColumn.STEPS,
    TraceColumn.OBJECTIVE,
    TraceColumn.SOURCE,
    TraceColumn.CHANGED,
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
        TraceColumn.REACH: say("Reach"),
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


def cell_text(row: TraceRow, column: TraceColumn) -> str:
    """The text of a cell; rows that are not read show when they changed."""
    if row.changed_at is not None and _says_when(row, column):
        return short_moment(row.changed_at)  # worked out anew each time: days pass
    texts = {
        TraceColumn.TRACE: row.name,
        TraceColumn.MARGIN: row.margin_text,
        TraceColumn.PROFILE: row.profile,
        TraceColumn.STEPS: row.steps,
        TraceColumn.OBJECTIVE: row.about,
        TraceColumn.SOURCE: row.source,
        TraceColumn.CHANGED: UNKNOWN,
    }
    if column is TraceColumn.STATE:
        return state_words(row)
    if column is TraceColumn.BAR and row.running:
        return running_word()
    return texts.get(column, row.score_text)


def running_word() -> str:
    """The word for a recording that is still being written."""
    return say("running")


def _says_when(row: TraceRow, column: TraceColumn) -> bool:
    in_score = row.state is State.UNREAD and column is TraceColumn.SCORE
    return in_score or column is TraceColumn.CHANGED


def spoken_text(row: TraceRow, column: TraceColumn = TraceColumn.TRACE) -> str:
    """What is read out for a cell; "" for its text.

    The name's cell stands for the whole row; what is told there is not read once more.
    """
    told = {TraceColumn.STATE, TraceColumn.SCORE, TraceColumn.BAR}
    if column in told or (column is TraceColumn.OBJECTIVE and not row.format):
        return " "
    if column is not TraceColumn.TRACE:
        return ""
    parts = [row.name, *([running_word()] if row.running else []), state_words(row)]
    if row.score is not None or row.interval is not None:
        parts.append(row.score_text)
    return say_list((*parts, *_remarks(row), *filter(None, [beside_name(row)])))


def tooltip(document: Document, row: TraceRow) -> str:
    """The file's path, the row in words, and the full objective."""
    about = row.about if document.record is None else document.record.trace.objective
    run = document.run
    called = [in_words(run.imported.name)] if run is not None and run.imported.name else []
    running = [say("running: still being written, scored as a guest")] if row.running else []
    words = say_list((*called, state_words(row), *running, *_remarks(row)))
    lines = (one_line(line, _TOOLTIP_LENGTH) for line in (document.path, words))
    return plain_tooltip("\n".join((*lines, masked_line(about, _TOOLTIP_LENGTH))))


def state_words(row: TraceRow) -> str:
    """The state, and whether it rests on an assumption."""
    if row.verdict is None:
        return state_word(row.state)
    return verdict_phrase(row.verdict, assumed=row.assumed, running=row.running)


def _remarks(row: TraceRow) -> Iterator[str]:
    if row.format:
        yield say("a recording of {format}", format=row.format)
    if row.state is State.UNREAD and row.changed_at is not None:
        yield say("changed {when}", when=whole_moment(row.changed_at))
    if row.too_close:
        yield say("too close to call, the SDK may differ")
    if row.order_matters:
        yield say("scored first, it would have the other verdict")


def _changed_key(document: Document) -> int | None:
    """When its file was last changed; None for what was skipped, so that it sorts last."""
    return None if document.state is State.SKIPPED else document.changed_at


def lasting_keys(keys: Mapping[TraceColumn, SortKey]) -> dict[TraceColumn, SortKey]:
    """The sort keys that neither scores nor rules can change."""
    return {column: keys[column] for column in _LASTING if column in keys}


_KEYS: Mapping[TraceColumn, Callable[[Document, str], SortKey]] = {
    TraceColumn.STATE: lambda document, _: _STATE_ORDER[document.state],
    TraceColumn.TRACE: lambda _, name: _name_key(name),
    TraceColumn.MARGIN: lambda document, _: _margin_key(document),
    TraceColumn.PROFILE: lambda document, _: profile_name(document) or None,
    TraceColumn.STEPS: lambda document, _: step_count(document) if document.record else None,
    TraceColumn.OBJECTIVE: lambda document, _: _about_key(document),
    TraceColumn.SOURCE: lambda document, _: _name_key(source_text(document)),
    TraceColumn.CHANGED: lambda document, _: _changed_key(document),
}


def sort_key(document: Document, name: str, column: TraceColumn) -> SortKey:
    """What a column sorts a document by."""
    key = _KEYS.get(column)
    return _number_key(document) if key is None else key(document, name)
