"""Every answer as JSON: the report with its explanations, comparisons, plans, summaries.

For a run whose recording does not say how it ended, ``possible`` has the lowest and the highest
score, and ``deciding`` what would decide it; a figure that depends on the outcome and is no range,
such as the score without a neighbour, supposes the outcome ``middle``. A stretch of the waterfall
that is not known reaches from its ``end`` up to its ``reach``. ``provenance`` says where the values
of a run come from. What would leave the machine has its own JSON: ``kpinspector sharing``.

Null stands for absent parts: ``changes`` where the score reaches the threshold,
``today`` and ``alike`` where they were not asked for, ``order`` where novelty was assumed,
``recorded`` where the trace records no score, or 0.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from kpinspector.batch.compared import Batch, Candidate
from kpinspector.batch.groups import GroupedBatch, TraceGroup
from kpinspector.batch.plan import Nearest, Plan, shared_ids
from kpinspector.batch.summary import DimensionSpread
from kpinspector.scoring.findings import Neighbour
from kpinspector.scoring.formula.assess import Assessment, ScoreRange, Verdict
from kpinspector.scoring.formula.measurement import Facts
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension, Profile
from kpinspector.scoring.novelty.neighbours import Alike, Order, StepFall
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.recorded import Recorded
from kpinspector.scoring.report.report import (
    GENERATOR,
    Report,
    UsedSettings,
    provenance_entry,
    reach_entry,
)
from kpinspector.scoring.report.written import Told, json_values, report_json
from kpinspector.scoring.whatif.changes import Change, Combination
from kpinspector.scoring.whatif.reach import Deciding, ReachKind
from kpinspector.trace.align import StepText
from kpinspector.words.batch import BatchNames, why_left_out
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import Stretch, waterfall
from kpinspector.words.novelty import Today
from kpinspector.words.sentences import text_of
from kpinspector.words.summary import WholeSummary
from kpinspector.words.writers.comparison import Side, SideBySide

Entry: TypeAlias = dict[str, Any]

_SOURCE = ("path=record.source.path", "record=record.source.record")
# ``amount``: a bound or a number of steps; ``steps``: those left out; ``flips``: rules that then
# fire or no longer do; ``after``: the result of this change alone, also within a combination
_TOLD: Final[Told] = {
    Assessment: ("score", "verdict"),
    Change: (
        *("kind", "dimension", "amount", "steps=scenario.left_out"),
        *("after", "reaches=after.score_passes", "novelty_held", "flips"),
    ),
    Combination: ("changes", "after", "flips"),
    Candidate: ("id=record.trace.id", "key=place.key", *_SOURCE),
    Deciding: (
        *("kind", "success=scenario.success", "confidence=scenario.confidence"),
        *("steps=scenario.edited", "low=after.low.score", "high=after.high.score"),
        "verdict=after.verdict",
    ),
    DimensionSpread: ("accepted", "rejected", "difference"),
    Facts: ("confidence", "success"),
    Order: ("place", "first", "placed", "after"),
    Profile: ("name",),
    Recorded: ("score", "recomputed", "difference", "agrees", "causes", "novelty"),
    StepFall: ("step", "similarity", "fall"),
    Stretch: ("term", "start", "change", "end", "reach"),
}


def explanations_json(report: Report, explanations: Sequence[Entry]) -> bytes:
    """The report with its explanations, in the order of its traces."""
    whole = {"format": "kpinspector-explanation", "version": 3}
    explained = json_values(explanations, _TOLD, mask=str)
    return report_json(whole | {"report": report, "explanations": explained})


def explanation_entry(one: Explanation) -> Entry:
    """The explanation of one score, as values; ``key`` is the trace's key in the report."""
    measured, judged = one.measured, one.assessment
    if measured is None or judged is None:
        raise ValueError(f"{one.name} has no score")
    novelty, beside = measured.measurement.novelty, one.beside
    influences = zip(beside.neighbours, novelty.names, strict=True)
    return {
        "id": measured.record.trace.id,
        "key": measured.place.key,
        "answer": text_of(one.sentence),
        "remarks": one.remarks,
        "possible": one.possible and _possible(one.possible, measured),
        "deciding": one.deciding if one.possible else None,
        "provenance": provenance_entry(measured.record, judged.profile, novelty),
        "waterfall": one.waterfall,
        "counted": [
            {
                "dimension": dimension,
                "step": found.step.index,
                "marks": found.marks,
                "tool": found.step.tool_name,
            }
            for dimension, counted in one.counted.items()
            for found in counted
        ],
        "reach": beside.reach and reach_entry(beside.reach) | {"needed": one.needed},
        "changes": one.changes,
        "neighbours": [
            {
                **_place(near.neighbour, name),
                "sets_novelty": near.sets_novelty,
                "without": near.without.assessment,
                "exact": near.without.exact,
            }
            for near, name in influences
        ],
        "alike": one.further.alike and _alike(one.further.alike),
        "today": beside.today and _today(beside.today),
        "order": beside.order,
        "recorded": beside.recorded,
        "profiles": {found.low.profile.name: waterfall(found) for found in beside.profiles},
    }


def _possible(possible: ScoreRange, measured: Measured) -> Entry:
    facts = measured.measurement.facts
    low, high = (
        json_values(end, _TOLD) | json_values(judged, _TOLD)
        for end, judged in zip(facts.outcome_ends, (possible.low, possible.high), strict=True)
    )
    return {"verdict": possible.verdict, "low": low, "high": high, "middle": facts}


def _alike(found: Alike) -> Entry:
    """The steps that make a trace like its nearest neighbour, and what both share or null."""
    known = found.words is not None
    beside = ("words", "shared_words", "tokens", "same_prompt")
    return {
        "similarity": found.ranking.similarity,
        "steps": found.ranking.falls,
        **{name: getattr(found, name) if known else None for name in beside},
    }


def _place(near: Neighbour, name: str) -> Entry:
    return {
        "key": near.key,
        "similarity": near.similarity,
        "name": name,
        "id": near.trace_id,
        "path": near.source_path,
        "record": near.record,
    }


def _today(today: Today) -> Entry:
    named = zip(today.comparison.nearest, today.again.novelty.names, strict=True)
    return {
        "outcome": today.then,
        "max_similarity": today.finding.max_similarity,
        "compared_with": today.finding.compared_with,
        "neighbours": [
            {**_place(one.neighbour, name), "before": one.before, "is_news": one.is_news}
            for one, name in named
        ],
    }


def comparison_json(comparison: SideBySide) -> bytes:
    """Two scored traces; differences are right minus left, null where a side has a range.

    ``similarity`` is null where no embedder could be loaded; ``left`` and ``right`` of a step are
    indices into the traces' steps. ``paired_by_content`` is false where the traces were too long
    and too different to pair all steps by their content.
    """
    left, right, found = comparison.left.ends, comparison.right.ends, comparison.differences
    if left is None or right is None or found is None:
        raise ValueError("a side is not scored yet")
    objective, *steps = comparison.alignment.pairs
    ends = (right.low.score - left.high.score, right.high.score - left.low.score)
    fired = {one.term: one.exact for one in found.overrides}
    return _written(
        "comparison",
        2,
        left=_side(comparison.left, left),
        right=_side(comparison.right, right),
        differences={
            "contributions": {one.term: one.exact for one in found.terms},
            "overrides": {one: fired.get(one, 0.0) for one in Rule},
            "score": found.exact,
            "score_range": ends if found.exact is None else None,
        },
        similarity=comparison.similarity,
        objective=objective.likeness,
        steps=[
            {"likeness": one.likeness, "left": _step(one.left), "right": _step(one.right)}
            for one in steps
        ],
        paired_by_content=comparison.alignment.weighed,
    )


def _written(name: str, version: int, **members: Any) -> bytes:
    head = {"format": f"kpinspector-{name}", "version": version, "generator": GENERATOR}
    return report_json(json_values(head | members, _TOLD, mask=str))


def _side(side: Side, ends: ScoreRange) -> Entry:
    """One side of a comparison; null stands for what depends on an unknown outcome."""
    record, judged, is_known = side.record, ends.low, side.possible is None
    known = [one for one in judged.contributions if one.dimension not in ends.open_dimensions]
    nothing = dict.fromkeys(Dimension)
    return {
        "id": record.trace.id,
        "source": record.source,
        "objective": record.trace.objective,
        "profile": judged.profile.name,
        "weights": judged.profile.weights,
        "steps": len(record.trace.steps),
        "values": nothing | {one.dimension: one.value for one in known},
        "contributions": nothing | {one.dimension: one.part for one in known},
        "overrides": judged.overrides if is_known else (),
        "score": judged.score if is_known else None,
        "threshold": judged.threshold,
        "verdict": side.verdict,
        "assumed": side.assumed,
        "score_range": None if is_known else (ends.low.score, ends.high.score),
    }


def _step(text: StepText | None) -> int | None:
    return None if text is None or text.step is None else text.step.index


def plan_json(batch: Batch, plan: Plan, at_best: Plan | None, used: UsedSettings) -> bytes:
    """The plan as JSON; where it is ``proven``, no plan has more traces.

    ``shared_ids``: ids that several of its traces have; the registry keeps the last trace of each.
    ``best``: the score with novelty 1. ``at_best``: the count with the best of all outcomes.
    """
    names, candidates = BatchNames(batch), batch.candidates
    return _written(
        "plan",
        1,
        settings=used,
        count=len(plan.chosen),
        at_most=plan.at_most,
        proven=plan.proven,
        conservative=plan.conservative,
        at_best=at_best and {"count": len(at_best.chosen), "at_most": at_best.at_most},
        shared_ids=[*shared_ids(plan, batch)],
        plan=[
            {
                "place": place,
                "trace": candidates[one.candidate],
                "score": one.assessment.score,
                "nearest": one.nearest and _nearest(one.nearest, batch),
            }
            for place, one in enumerate(plan.chosen, 1)
        ],
        left_out=[
            {
                "trace": candidates[one.candidate],
                "why": one.why,
                "message": why_left_out(one, names, used.threshold),
                "nearest": one.nearest and _nearest(one.nearest, batch),
                "bound": one.bound,
                "best": one.best,
            }
            for one in plan.left_out
        ],
    )


def _nearest(nearest: Nearest, batch: Batch) -> Entry:
    """The trace or entry that a trace is most similar to; ``remembered``: it is an entry."""
    if nearest.candidate is not None:
        key = batch.candidates[nearest.candidate].place.key
    elif nearest.entry is not None:
        key = batch.remembered[nearest.entry].key
    else:
        raise ValueError("nearest to nothing")
    remembered = nearest.candidate is None
    return {"key": key, "similarity": nearest.similarity, "remembered": remembered}


def summary_json(whole: WholeSummary, used: UsedSettings, problems: int) -> bytes:
    """The summary as JSON; ``causes`` are gates, rules and dimensions.

    ``groups``: those of two or more traces, linked by pairs of at least this ``similarity``; null
    where none were looked for. ``objective`` and ``tools`` of a group are null where its traces
    differ in them. ``kinds``: for each kind, how many traces hold it.
    """
    summary, grouped = whole.counts, whole.grouped
    return _written(
        "summary",
        1,
        settings=used,
        total=summary.total,
        problems=problems,
        verdicts={one: summary.verdicts[one] for one in Verdict},
        reach={one: summary.reach[one] for one in ReachKind},
        causes=dict(summary.causes.most_common()),
        rules={one: summary.rules[one] for one in Rule},
        dimensions={one.dimension: one for one in summary.spreads},
        levers=summary.levers,
        similarity=grouped and grouped.similarity,
        groups=grouped and [_group(one, grouped) for one in grouped.groups if one.spread],
        sharing={
            one.way: {
                "posted": one.posted,
                "in_clear": one.leaking,
                "kinds": dict(one.kinds.most_common()),
            }
            for one in whole.leaking
        },
    )


def _group(group: TraceGroup, grouped: GroupedBatch) -> Entry:
    """A group of near-duplicates; the first of its ``keys`` is that of its representative."""
    others = (one for one in group.members if one != group.representative)
    return {
        "keys": [
            grouped.batch.candidates[one].place.key for one in (group.representative, *others)
        ],
        "least": group.spread and group.spread.least,
        "greatest": group.spread and group.spread.greatest,
        "objective": group.objective,
        "tools": group.same_tools,
    }
