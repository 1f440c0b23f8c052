"""The one explanation of a row of the list: why it scores what it scores.

It is built once for a trace and its assessment; panes, clipboard and all formats only write it out.
Sections that take time are computed when they are first needed, and kept.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from kpinspector.runs.provenance import TraceField, ValueOrigin, origins, without_derived
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.findings import shown_key
from kpinspector.scoring.formula.assess import (
    Assessment,
    Counted,
    Gate,
    GateState,
    ScoreRange,
    Verdict,
    assess,
    counted_steps,
    gates_of,
    gates_of_unscored,
    outcome_range,
)
from kpinspector.scoring.formula.measurement import Facts, Measurement, Novelty, facts_of
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile
from kpinspector.scoring.novelty.neighbours import Further, Influence, Order, influences, order_of
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.recorded import Recorded, recorded
from kpinspector.scoring.report.written import FoundReport
from kpinspector.scoring.whatif.changes import StepCounts, steps_needed
from kpinspector.scoring.whatif.counterfactuals import Counterfactuals, counterfactuals
from kpinspector.scoring.whatif.reach import (
    Deciding,
    ReachKind,
    ReachRange,
    deciding,
    outcome_needed,
    trace_reach,
)
from kpinspector.sharing.answer import ways_of_measured
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.records import Problem, Skipped, TraceRecord, name_of
from kpinspector.trace.schema import Issue, Severity
from kpinspector.words import changes, figures, novelty, problems, recordings, run, score, terms
from kpinspector.words.figures import ShownSum, Stretch
from kpinspector.words.novelty import Today
from kpinspector.words.page import Cell, Section, Sign, sign_of
from kpinspector.words.replay import report_sentence
from kpinspector.words.say import capitalised, say, say_list
from kpinspector.words.sentences import Sentence, say_sentence, verdict_phrase
from kpinspector.words.sharing import sharing_section

Item: TypeAlias = TraceRecord | Problem | Skipped | FoundReport
Find: TypeAlias = Callable[[ReasoningTrace, Measurement, Profile, float], Counterfactuals]
_Case: TypeAlias = tuple[Measurement, Profile, float]
_NOTHING_FURTHER = Further()


@dataclass(frozen=True, slots=True)
class Beside:
    """What a score depends on, and what it would be otherwise; all empty without a score.

    Attributes:
        neighbours: The nearest entries, and the score without each.
        today: Today's nearest entries, where they were looked up.
        order: The score at three places in the order; None where novelty was assumed.
        recorded: The score that the trace records, compared; None where it records none, or 0.
        profiles: What is possible under every profile, novelty held; one score where it is known.
    """

    reach: ReachRange | None = None
    neighbours: tuple[Influence, ...] = ()
    today: Today | None = None
    order: Order | None = None
    recorded: Recorded | None = None
    profiles: tuple[ScoreRange, ...] = ()


@dataclass(frozen=True, eq=False)
class Explanation:
    """The whole answer for one row of the list.

    Attributes:
        assessment: None while novelty is unknown, as is ``measured``. Where a recording does not
            say how it ended, the one in the middle of the possible scores.
        possible: The scores that are possible while novelty, or how a run ended, is unknown.
        facts: All terms that need no embedding; None where there is no trace.
        said: Remarks that come before all others.
        turn: The trace's place among those that are being measured, if it is one of them.
        further: What was looked up on request.
        running: The run is still being recorded, so its verdict may change.
        has_begun: It is a run that has no step yet.
        find: The function that finds what would change the score.
        record: The trace with its source and issues, where there is one.
        issues: What the schema finds: errors, which fail its gate, then warnings.
        pending: Novelty is still unknown.
        undecided: Novelty is known, and how the run ended is not.
        ends: The lowest and the highest possible score; the same where the score is known.
        terms: The terms known so far: of the lowest possible score where there is a range.
        novelty: Novelty and how it came about; None while it is unknown.
        assumed: The score stands on a novelty that was assumed, not measured.
        verdict: None where there is no score, or while novelty decides it.
    """

    item: Item
    _: KW_ONLY
    measured: Measured | None = None
    assessment: Assessment | None = None
    possible: ScoreRange | None = None
    facts: Facts | None = None
    said: tuple[str, ...] = ()
    turn: tuple[int, int] | None = None
    further: Further = _NOTHING_FURTHER
    row: int | None = None
    running: bool = False
    has_begun: bool = False
    find: Find = counterfactuals
    record: TraceRecord | None = field(init=False)
    issues: tuple[Issue, ...] = field(init=False)
    pending: bool = field(init=False)
    undecided: bool = field(init=False)
    ends: ScoreRange | None = field(init=False)
    terms: Assessment | None = field(init=False)
    novelty: Novelty | None = field(init=False)
    assumed: bool = field(init=False)
    verdict: Verdict | None = field(init=False)
    _case: _Case | None = field(init=False)  # what ``assess`` takes; None without a score

    def __post_init__(self) -> None:
        """Compute the fields that are not given."""
        measured, judged, possible = self.measured, self.assessment, self.possible
        novelty = None if measured is None else measured.measurement.novelty
        ends = possible or (None if judged is None else ScoreRange(judged, judged))
        undecided = measured is not None and possible is not None
        verdict = None if ends is None else ends.verdict
        record = self.item if isinstance(self.item, TraceRecord) else None
        issues = record.issues if record else ()
        case = None
        if measured is not None and judged is not None:
            case = measured.measurement, judged.profile, judged.threshold
        vars(self).update(
            record=record,
            issues=tuple(sorted(issues, key=lambda one: one.severity is not Severity.ERROR)),
            pending=measured is None and possible is not None,
            undecided=undecided,
            ends=ends,
            terms=None if ends is None else ends.low,
            novelty=novelty,
            assumed=novelty is not None and novelty.assumed,
            verdict=None if measured is None and verdict is Verdict.UNDECIDED else verdict,
            _case=case,
        )

    @property
    def key(self) -> str:
        """The key under which other traces have it as a neighbour; empty where it has no score."""
        return "" if self.measured is None else shown_key(self.measured.place.key)

    @property
    def name(self) -> str:
        """The name of the row."""
        place = self.item.source if isinstance(self.item, TraceRecord | FoundReport) else self.item
        return name_of(place.path, place.record)

    @property
    def phrase(self) -> str:
        """The verdict as part of a sentence; "pending" while it depends on novelty."""
        return verdict_phrase(self.verdict, assumed=self.assumed, running=self.running)

    @property
    def sign(self) -> Sign:
        """The verdict as a shape."""
        if self.ends is not None or self.has_begun:
            return sign_of(self.verdict, running=self.running)
        if isinstance(self.item, TraceRecord | FoundReport):
            return Sign.REPORT
        return problems.unscored(self.item)[0]

    @property
    def word(self) -> str:
        """The verdict as a word."""
        if isinstance(self.item, FoundReport):
            return say("Report")
        if isinstance(self.item, TraceRecord):
            return capitalised(self.phrase)
        return say("No step yet") if self.has_begun else problems.unscored(self.item)[1]

    @property
    def margin(self) -> str:
        """By how much the score passes or fails."""
        if self.possible is not None:
            if self.undecided and isinstance(self.item, RunRecord):
                return score.range_margin_phrase(self.possible, self.item.imported)
            return score.range_margin_phrase(self.possible)
        return say("no score") if self.assessment is None else score.margin_phrase(self.assessment)

    @property
    def gates(self) -> Mapping[Gate, GateState]:
        """The three gates, and the state of the row at each."""
        if self.possible is not None and self.undecided:
            return gates_of(self.possible.low, self.possible.high, of_run=True)
        if self.ends is not None:
            return gates_of(self.ends.low, self.ends.high)
        return gates_of_unscored(self.item if isinstance(self.item, Problem) else None)

    @cached_property
    def sentence(self) -> Sentence:
        """The sentence with the main cause of the verdict, or with why there is no score."""
        if isinstance(self.item, FoundReport):
            return report_sentence(self.item)
        if not isinstance(self.item, TraceRecord):
            if not self.has_begun:
                return problems.unscored_sentence(self.item)
            return say_sentence("This run has just begun: it is scored *from its first step on*.")
        possible, facts = self.possible, self.facts
        if self.undecided:
            return self._undecided()
        if possible is not None and facts is not None:
            return score.range_answer(possible, self.issues, outcome_known=facts.outcome_known)
        return self._known()

    def _undecided(self) -> Sentence:
        """What is known of a run whose recording does not say how it ended."""
        if self.possible is None or self._case is None:
            raise ValueError("a score is known")
        if not self.possible.low.schema_passes:
            return score.range_answer(self.possible, self.issues)
        fewer = self._without_derived
        without = None if fewer is None else outcome_range(fewer, *self._case[1:])
        bounds = outcome_needed(*self._case)
        return run.run_answer(self.possible, bounds, without, len(self._derived))

    def _known(self) -> Sentence:
        reach = self.beside.reach
        if self._case is None or self.assessment is None or reach is None:
            raise ValueError("a trace has a score or a range of scores")
        measurement, _, threshold = self._case
        takes = changes.reach_answer(reach.low, measurement, threshold)
        return score.answer(self.assessment, measurement, self.issues, self.beside.order, takes)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What a reader should know beside the score."""
        if self.measured is None or self.assessment is None:
            return self.said
        of_run: tuple[str, ...] = ()
        fewer = self._without_derived
        if self.possible is not None:
            of_run = (run.middle_remark(self.measured.measurement.facts),)
        elif fewer is not None and self._case is not None:
            without, derived = assess(fewer, *self._case[1:]), len(self._derived)
            of_run = (run.known_remark_without(self.assessment, without, derived),)
        return (*self.said, *of_run, *score.remarks(self.assessment, self.measured))

    @cached_property
    def shown(self) -> ShownSum | None:
        """The figures, adding up; None where there is no score."""
        return None if self.ends is None else figures.shown_range_sum(self.ends)

    @property
    def score(self) -> Cell:
        """Score or range; empty where there is none."""
        if self.shown is None:
            return Cell()
        judged = self.assessment if self.possible is None else None
        return Cell(self.shown.score, judged.score if judged else None)

    @property
    def threshold(self) -> Cell:
        """What the score is compared with; empty where there is no score."""
        if self.shown is None or self.terms is None:
            return Cell()
        return Cell(self.shown.threshold, self.terms.threshold)

    @property
    def needs(self) -> str:
        """The threshold in words; empty where there is no score."""
        return say("needs {threshold}", threshold=self.shown.threshold) if self.shown else ""

    def evidence(self, dimension: Dimension) -> str:
        """What the value of a dimension rests on, or what it waits for."""
        if dimension is Dimension.NOVELTY and self.pending:
            return score.waiting_phrase(self.turn)
        if self.facts is None:
            return ""
        found = score.evidence(dimension, self.facts, self.novelty)
        if dimension is not Dimension.OUTCOME_CONFIDENCE or not isinstance(self.item, RunRecord):
            return found
        return say_list((found, recordings.stated_phrase(self.item.imported)))

    @property
    def confidence_stated(self) -> bool:
        """Whether the user stated the confidence of a run, since its recording does not."""
        run = self.item
        return isinstance(run, RunRecord) and (
            origins(run.imported)[TraceField.CONFIDENCE] is ValueOrigin.STATED
        )

    @cached_property
    def counted(self) -> Mapping[Dimension, tuple[Counted, ...]]:
        """The steps that count for each dimension."""
        steps = self.record.trace.steps if self.record else ()
        return {dimension: counted_steps(dimension, steps) for dimension in Dimension}

    @cached_property
    def waterfall(self) -> tuple[Stretch, ...]:
        """The terms that lead from 0 to the score, those that are unknown last."""
        return () if self.ends is None else figures.waterfall(self.ends)

    @property
    def _derived(self) -> Collection[int]:
        return self.item.imported.mapped.derived if isinstance(self.item, RunRecord) else ()

    @property
    def _without_derived(self) -> Measurement | None:
        """The measurement without derived recoveries; None where the run has none."""
        if self.measured is None or not isinstance(self.item, RunRecord) or not self._derived:
            return None
        measurement = self.measured.measurement
        valid = measurement.facts.schema_valid
        facts = facts_of(without_derived(self.item), schema_valid=valid)
        return replace(measurement, facts=facts)

    @cached_property
    def beside(self) -> Beside:
        """What the answer tells beside the main cause; quick enough to compute at once."""
        case, record, judged = self._case, self.record, self.assessment
        if case is None or record is None or judged is None:
            return Beside()
        measurement, profile, threshold = case
        today = self.further.today
        return Beside(
            reach=trace_reach(*case),
            neighbours=influences(*case),
            today=None if today is None else novelty.today_of(measurement, judged, today),
            order=order_of(*case),
            recorded=recorded(record.trace, measurement, profile),
            profiles=tuple(outcome_range(measurement, one, threshold) for one in PROFILES),
        )

    @cached_property
    def needed(self) -> tuple[StepCounts, ...]:
        """Steps to add or leave out, for a trace that cannot pass with its own steps."""
        reach = self.beside.reach
        if self._case is None or self.record is None or reach is None:
            return ()
        stuck = reach.kind is ReachKind.STRUCTURE
        return steps_needed(self.record.trace, *self._case) if stuck else ()

    @cached_property
    def changes(self) -> Counterfactuals | None:
        """What would change a score below the threshold; None for any other or unknown score."""
        case, judged, record = self._case, self.assessment, self.record
        if case is None or record is None or self.undecided or (judged and judged.score_passes):
            return None
        return self.find(record.trace, *case)

    @cached_property
    def deciding(self) -> tuple[Deciding, ...]:
        """The ways in which a run may have ended; empty where its outcome is known."""
        case, record = self._case, self.record
        if case is None or record is None or self.possible is None:
            return ()
        measurement, profile, threshold = case
        return deciding(record.trace, measurement, self._derived, profile, threshold)

    @cached_property
    def dimensions(self) -> Section:
        """The four dimensions, what each rests on, and their sum; empty without a score."""
        return terms.dimensions_section(self.ends, self.shown, self.evidence, self.novelty)

    @cached_property
    def overrides(self) -> Section:
        """All three rules; empty without a score."""
        return terms.overrides_section(self.ends, self.shown)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """All sections that have something to say, from top to bottom."""
        return tuple(section for section in self._sections() if section.blocks)

    def _sections(self) -> Iterator[Section]:
        schema_fails = self.assessment is not None and not self.assessment.schema_passes
        yield problems.about_section(self.item, self.terms, self.novelty)
        if isinstance(self.item, RunRecord):
            yield recordings.recording_section(self.item, running=self.running)
        yield terms.gates_section(self.gates)
        if schema_fails:
            yield terms.issues_section(self.issues)
        yield self.dimensions
        yield terms.counted_section(self.counted)
        yield self.overrides
        if self.measured is not None and self.ends is not None and self.shown is not None:
            yield terms.waterfall_section(
                self.waterfall, self.ends, self.shown, assumed=self.assumed
            )
        reach = self.beside.reach
        if self.measured is not None and reach is not None and self.assessment is not None:
            facts, threshold = self.measured.measurement.facts, self.assessment.threshold
            yield changes.reach_section(reach, facts, self.needed, threshold)
            if self.changes is not None:
                yield changes.changes_section(self.changes, self.measured.measurement)
            if self.possible is not None:
                stated = self.confidence_stated
                yield run.deciding_section(self.deciding, self.possible, stated=stated)
            yield from self._beside(self.measured, self.assessment)
        if self.issues and not schema_fails:
            yield terms.issues_section(self.issues)

    def _beside(self, measured: Measured, judged: Assessment) -> Iterator[Section]:
        measurement, found = measured.measurement, self.beside
        if found.neighbours:
            yield novelty.neighbours_section(found.neighbours, measurement.novelty)
        steps = measured.record.trace.steps
        if self.further.alike is not None:
            yield novelty.alike_section(self.further.alike, steps, measurement.novelty)
        if found.today is not None:
            yield novelty.today_section(found.today)
        if found.order is not None:
            yield novelty.order_section(found.order)
        if measurement.novelty.reach is not None:
            yield novelty.window_section(measurement.novelty.reach, len(steps))
        if found.recorded is not None:
            yield terms.recorded_section(found.recorded)
        yield terms.profiles_section(found.profiles)
        yield sharing_section(ways_of_measured(measured, judged, None))


def explain(
    measured: Measured,
    assessment: Assessment,
    said: tuple[str, ...] = (),
    further: Further = _NOTHING_FURTHER,
    *,
    row: int | None = None,
    find: Find = counterfactuals,
) -> Explanation:
    """Explain a score, or all possible scores of a run whose outcome is not known."""
    record, measurement = measured.record, measured.measurement
    possible = None
    if isinstance(record, RunRecord) and not measurement.facts.outcome_known:
        possible = outcome_range(measurement, assessment.profile, assessment.threshold)
    return Explanation(
        record,
        measured=measured,
        assessment=assessment,
        possible=possible,
        facts=measurement.facts,
        said=said,
        further=further,
        row=row,
        find=find,
    )
