"""The answer for one document: state, verdict, gates and sums, before any of it is drawn."""

from dataclasses import dataclass
from functools import cached_property

from kpinspector.app.answers import edit_remarks
from kpinspector.app.changes import changes_of, is_looked_for
from kpinspector.app.document import Document
from kpinspector.app.notices import Turn
from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.gates import (
    GateResult,
    gates_of,
    gates_of_problem,
    gates_of_skipped,
)
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.report.read import FoundReport
from kpinspector.scoring.report.recorded import Recorded, recorded
from kpinspector.scoring.whatif.counterfactuals import Counterfactuals
from kpinspector.trace.read import Problem, Skipped
from kpinspector.trace.schema import Issue, errors_first
from kpinspector.words.figures import UNKNOWN
from kpinspector.words.recorded_words import (
    NO_SCORE,
    recorded_words,
    unscored_sentence,
    unscored_word,
)
from kpinspector.words.replay_words import report_sentence
from kpinspector.words.say import say
from kpinspector.words.sentences import (
    Sentence,
    answer,
    evidence,
    margin_phrase,
    range_answer,
    range_margin_phrase,
    remarks,
    verdict_word,
    waiting_phrase,
)
from kpinspector.words.sums import ShownSum, shown_range_sum, shown_sum


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
            return waiting_phrase(self.turn)
        facts = self.document.facts
        return "" if facts is None else evidence(dimension, facts, self.novelty)

    @cached_property
    def shown(self) -> ShownSum | None:
        """The figures, adding up."""
        if self.assessment is not None:
            return shown_sum(self.assessment)
        return shown_range_sum(self.document.range) if self.document.range else None

    @cached_property
    def counterfactuals(self) -> Counterfactuals | None:
        """What would change a score below the threshold; None where it is not below or unknown."""
        return changes_of(self.document)

    @property
    def changes_wait(self) -> bool:
        """What would change the score is still to be found."""
        return is_looked_for(self.document)

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
        item = self.document.item
        if isinstance(item, (Problem, Skipped)):
            return unscored_word(item)
        if isinstance(item, FoundReport):
            return say("Report")
        return verdict_word(self.document.verdict, assumed=self.document.assumed)

    @property
    def margin(self) -> str:
        """By how much."""
        if self.assessment is not None:
            return margin_phrase(self.assessment)
        if self.document.range is not None:
            return range_margin_phrase(self.document.range)
        return NO_SCORE

    @property
    def score(self) -> str:
        """The score as shown, or its range."""
        return self.shown.score if self.shown else UNKNOWN

    @property
    def needs(self) -> str:
        """What the score is compared with; empty where there is no score."""
        if self.shown is None:
            return ""
        return say("needs {threshold}", threshold=self.shown.threshold)

    @cached_property
    def sentence(self) -> Sentence:
        """Why, in a sentence."""
        item = self.document.item
        if isinstance(item, (Problem, Skipped)):
            return unscored_sentence(item)
        if isinstance(item, FoundReport):
            return report_sentence(item.report)
        issues = item.issues
        if self.document.range is not None:
            return range_answer(self.document.range, issues)
        if self.assessment is None or self.document.measured is None:
            return ()
        return answer(self.assessment, self.document.measured.measurement, issues)

    @property
    def gates(self) -> tuple[GateResult, ...]:
        """Readable, schema and score, in this order."""
        match self.document.item:
            case Problem() as problem:
                return gates_of_problem(problem)
            case Skipped() | FoundReport():
                return gates_of_skipped()
        if self.document.range is not None:
            return gates_of(self.document.range.low, self.document.range.high)
        return gates_of(self.assessment) if self.assessment is not None else ()

    @property
    def issues(self) -> tuple[Issue, ...]:
        """What the schema finds wrong: what fails its gate, then the warnings."""
        record = self.document.record
        return errors_first(record.issues) if record else ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader should know beside the score."""
        measured = self.document.measured
        if self.assessment is None or measured is None:
            return ()
        known = remarks(self.assessment, measured)
        if self.recorded is not None:
            known = (*known, " ".join(recorded_words(self.recorded)))
        return (*edit_remarks(self.document), *known)
