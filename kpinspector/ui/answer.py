"""The answer for one document: state, verdict, gates and sums, before any of it is drawn."""

from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from kpinspector.app.document import Document, State
from kpinspector.app.drops import Turn
from kpinspector.scoring.assess import Assessment
from kpinspector.scoring.counterfactuals import Counterfactuals, counterfactuals
from kpinspector.scoring.figures import UNKNOWN, shown_count, shown_score
from kpinspector.scoring.measure import Novelty
from kpinspector.scoring.profiles import Dimension
from kpinspector.scoring.recorded import Recorded, recorded
from kpinspector.scoring.recorded_words import recorded_words
from kpinspector.scoring.sentences import (
    Run,
    Sentence,
    answer,
    evidence,
    margin_phrase,
    range_answer,
    range_margin_phrase,
    remarks,
    verdict_word,
)
from kpinspector.scoring.sums import ShownSum, shown_range_sum, shown_sum
from kpinspector.trace.read import Problem, Skipped
from kpinspector.trace.schema import Issue, Severity
from kpinspector.ui.marks import Shape

_CONTEXT = "Answer"
_UNSCORED_WORDS = {
    State.UNREADABLE: QT_TRANSLATE_NOOP("Answer", "Not readable"),
    State.NOT_SCORABLE: QT_TRANSLATE_NOOP("Answer", "Not scorable"),
    State.SKIPPED: QT_TRANSLATE_NOOP("Answer", "Skipped"),
}
_GATE_NAMES = (
    QT_TRANSLATE_NOOP("Answer", "Readable"),
    QT_TRANSLATE_NOOP("Answer", "Schema"),
    QT_TRANSLATE_NOOP("Answer", "Score"),
)
_GATE_WORDS = {
    Shape.ACCEPTED: QT_TRANSLATE_NOOP("Answer", "passed"),
    Shape.REJECTED: QT_TRANSLATE_NOOP("Answer", "failed"),
    Shape.PENDING: QT_TRANSLATE_NOOP("Answer", "waits for novelty"),
    Shape.UNREADABLE: QT_TRANSLATE_NOOP("Answer", "failed"),
    Shape.SKIPPED: QT_TRANSLATE_NOOP("Answer", "skipped"),
    Shape.NOT_REACHED: QT_TRANSLATE_NOOP("Answer", "not reached"),
}


@dataclass(frozen=True, slots=True)
class Gate:
    """One of the three gates and how far the trace came there."""

    name: str
    shape: Shape
    word: str


@dataclass(frozen=True)
class Answer:
    """What is said of a document, for the panel and for the clipboard.

    Attributes:
        turn: When a pending trace is scored; None where nothing is being done about it.
    """

    document: Document
    turn: Turn | None = None

    @property
    def assessment(self) -> Assessment | None:
        """The score with every term of it; None while it is unknown."""
        return self.document.assessment

    @property
    def terms(self) -> Assessment | None:
        """The terms known so far: of the lowest possible score while novelty is unknown."""
        possible = self.document.range
        return possible.low if possible else self.assessment

    @property
    def pending(self) -> bool:
        """Novelty is still unknown."""
        return self.document.range is not None

    @property
    def novelty(self) -> Novelty | None:
        """Novelty and how it came about; None while it is unknown."""
        measured = self.document.measured
        return measured.measurement.novelty if measured else None

    def evidence(self, dimension: Dimension) -> str:
        """What the value of a dimension rests on, or what it waits for."""
        if dimension is Dimension.NOVELTY and self.pending:
            return self._waiting
        facts = self.document.facts
        return "" if facts is None else evidence(dimension, facts, self.novelty)

    @property
    def _waiting(self) -> str:
        if self.turn is None:
            return _tr("not measured yet")
        place, total = map(shown_count, self.turn)
        return _tr("being measured, place {0} of {1}").format(place, total)

    @cached_property
    def shown(self) -> ShownSum | None:
        """The figures, adding up."""
        if self.assessment is not None:
            return shown_sum(self.assessment)
        return shown_range_sum(self.document.range) if self.document.range else None

    @cached_property
    def counterfactuals(self) -> Counterfactuals | None:
        """What would change a score below the threshold; None where it is not below or unknown."""
        measured, assessment = self.document.measured, self.assessment
        if measured is None or assessment is None or assessment.score_passes:
            return None
        trace, measurement = measured.record.trace, measured.measurement
        return counterfactuals(trace, measurement, assessment.profile, assessment.threshold)

    @cached_property
    def recorded(self) -> Recorded | None:
        """The score that the trace records, compared; None where it records none, or 0."""
        measured, assessment = self.document.measured, self.assessment
        if measured is None or assessment is None:
            return None
        return recorded(measured.record.trace, measured.measurement, assessment.profile)

    @property
    def word(self) -> str:
        """The verdict, or why there is none."""
        unscored = _UNSCORED_WORDS.get(self.document.state)
        if unscored is not None:
            return _tr(unscored)
        return verdict_word(self.document.verdict, assumed=self.document.assumed)

    @property
    def margin(self) -> str:
        """By how much."""
        if self.assessment is not None:
            return margin_phrase(self.assessment)
        if self.document.range is not None:
            return range_margin_phrase(self.document.range)
        return _tr("no score")

    @property
    def score(self) -> str:
        """The score as shown, or its range."""
        return self.shown.score if self.shown else UNKNOWN

    @property
    def needs(self) -> str:
        """What the score is compared with; empty where there is no score."""
        return _tr("needs {0}").format(self.shown.threshold) if self.shown else ""

    @cached_property
    def sentence(self) -> Sentence:
        """Why, in a sentence."""
        match self.document.item:
            case Problem() as problem:
                return _problem_sentence(problem, self.document.state)
            case Skipped() as skipped:
                return (Run(_tr("Nothing to score: {0}.").format(skipped.reason)),)
        issues = self.document.item.issues
        if self.document.range is not None:
            return range_answer(self.document.range, issues)
        if self.assessment is None or self.document.measured is None:
            return ()
        return answer(self.assessment, self.document.measured.measurement, issues)

    @property
    def gates(self) -> tuple[Gate, ...]:
        """Readable, schema and score, in this order."""
        return tuple(
            Gate(_tr(name), shape, _tr(_GATE_WORDS[shape]))
            for name, shape in zip(_GATE_NAMES, self._gate_shapes(), strict=True)
        )

    def _gate_shapes(self) -> tuple[Shape, Shape, Shape]:
        not_reached = Shape.NOT_REACHED
        match self.document.state:
            case State.UNREADABLE:
                return Shape.UNREADABLE, not_reached, not_reached
            case State.SKIPPED:
                return Shape.SKIPPED, not_reached, not_reached
            case State.NOT_SCORABLE:
                # whatever cannot be scored is against the schema as well
                return Shape.ACCEPTED, Shape.REJECTED, not_reached
        low, high = self.terms, self.assessment
        if self.document.range is not None:
            high = self.document.range.high
        if low is None or high is None:
            return Shape.ACCEPTED, not_reached, not_reached
        score = _passed(low.score_passes)
        if low.score_passes != high.score_passes:
            score = Shape.PENDING
        return Shape.ACCEPTED, _passed(low.schema_passes), score

    @property
    def issues(self) -> tuple[Issue, ...]:
        """What the schema finds wrong: what fails its gate, then the warnings."""
        record = self.document.record
        issues = record.issues if record else ()
        return tuple(sorted(issues, key=lambda issue: issue.severity is not Severity.ERROR))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader should know beside the score."""
        measured = self.document.measured
        if self.assessment is None or measured is None:
            return ()
        known = remarks(self.assessment, measured.measurement, measured.place)
        if self.recorded is not None:
            known = (*known, " ".join(recorded_words(self.recorded)))
        if self.document.before is None:
            return known
        was = shown_score(self.document.before, self.assessment.threshold)
        return (_tr("Before the edit the score was {0}.").format(was), *known)


def _passed(passes: bool) -> Shape:  # noqa: FBT001
    return Shape.ACCEPTED if passes else Shape.REJECTED


def _problem_sentence(problem: Problem, state: State) -> Sentence:
    if state is State.NOT_SCORABLE:
        place = Run(problem.json_path or _tr("the record"), strong=True)
        if problem.expected and problem.found:
            tail = _tr(": expected {0}, found {1}.").format(problem.expected, problem.found)
            return (Run(_tr("The formula cannot be evaluated: ")), place, Run(tail))
        return (Run(_tr("The formula cannot be evaluated: ")), Run(f"{problem.message}."))
    if problem.line is None:
        return (Run(_tr("There is no trace to score: {0}.").format(problem.message)),)
    return (
        Run(_tr("There is no trace to score: reading stopped at ")),
        Run(_tr("line {0}").format(shown_count(problem.line)), strong=True),
        Run("."),
    )


def _tr(text: object) -> str:
    # QT_TRANSLATE_NOOP marks a string and is typed as giving any object
    return QCoreApplication.translate(_CONTEXT, str(text))
