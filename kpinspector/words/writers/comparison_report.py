"""Two traces side by side as JSON: figures unrounded, steps by their places."""

from typing import Literal

from kpinspector.scoring.formula.assess import Assessment, Verdict
from kpinspector.scoring.formula.numbers import Number
from kpinspector.scoring.formula.overrides import Override
from kpinspector.scoring.formula.profiles import Dimension, Weights
from kpinspector.scoring.report.report import Generator, Part, report_json
from kpinspector.trace.align import Likeness, StepPair
from kpinspector.trace.read import Source
from kpinspector.words.comparison import Side, SideBySide


class SideEntry(Part):
    """One of the two; ``contributions`` are values times weights."""

    id: str | None
    source: Source
    objective: str
    profile: str
    weights: Weights
    steps: int
    values: dict[Dimension, Number]
    contributions: dict[Dimension, Number]
    overrides: tuple[Override, ...]
    score: Number
    threshold: float
    verdict: Verdict
    assumed: bool


class DifferencesEntry(Part):
    """The right side less the left; overrides by what they changed."""

    contributions: dict[Dimension, Number]
    overrides: dict[str, Number]
    score: Number


class RowEntry(Part):
    """A row of the comparison; ``left`` and ``right`` are places in ``steps``, from 0."""

    likeness: Likeness
    left: int | None
    right: int | None


class ComparisonReport(Part):
    """Both traces; ``similarity`` is null where no embedder could be loaded.

    ``paired_by_content`` is false where the traces were too long and too different to weigh what
    their steps say.
    """

    format: Literal["kpinspector-comparison"] = "kpinspector-comparison"
    version: Literal[1] = 1
    generator: Generator = Generator()
    left: SideEntry
    right: SideEntry
    differences: DifferencesEntry
    similarity: float | None
    objective: Likeness
    steps: tuple[RowEntry, ...]
    paired_by_content: bool


def comparison_json(comparison: SideBySide) -> bytes:
    """UTF-8 JSON of two scored traces, two spaces deep, ending in a line feed."""
    left, right = _scored(comparison.left), _scored(comparison.right)
    objective, *steps = comparison.alignment.pairs
    report = ComparisonReport(
        left=_side(comparison.left, left),
        right=_side(comparison.right, right),
        differences=_differences(left, right),
        similarity=comparison.similarity,
        objective=objective.likeness,
        steps=tuple(_row(pair) for pair in steps),
        paired_by_content=comparison.alignment.weighed,
    )
    return report_json(report)


def _scored(side: Side) -> Assessment:
    if side.assessment is None:
        raise ValueError(f"{side.name} is not scored yet")
    return side.assessment


def _side(side: Side, assessment: Assessment) -> SideEntry:
    trace = side.record.trace
    return SideEntry(
        id=trace.id,
        source=side.record.source,
        objective=trace.objective,
        profile=assessment.profile.name,
        weights=assessment.profile.weights,
        steps=len(trace.steps),
        values={term.dimension: term.value for term in assessment.contributions},
        contributions={term.dimension: term.part for term in assessment.contributions},
        overrides=assessment.overrides,
        score=assessment.score,
        threshold=assessment.threshold,
        verdict=assessment.verdict,
        assumed=side.assumed,
    )


def _differences(left: Assessment, right: Assessment) -> DifferencesEntry:
    terms = zip(left.contributions, right.contributions, strict=True)
    rules = zip(left.overrides, right.overrides, strict=True)
    return DifferencesEntry(
        contributions={one.dimension: other.part - one.part for one, other in terms},
        overrides={one.rule: other.change - one.change for one, other in rules},
        score=right.score - left.score,
    )


def _row(pair: StepPair) -> RowEntry:
    places = [None if one is None or one.step is None else one.step.index for one in pair.sides]
    return RowEntry(likeness=pair.likeness, left=places[0], right=places[1])
