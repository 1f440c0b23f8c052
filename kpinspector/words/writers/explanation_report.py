"""Explanations as JSON: the report, and beside it what explains each of its scores, unrounded.

Of a run whose recording does not say how it ended ``possible`` has both ends of what is possible
and ``deciding`` what would decide it; a figure that hangs on the outcome and is no range, such as
the score without a neighbour, is that of ``middle``. A stretch of the waterfall that is not known
reaches from its ``end`` up to its ``reach``. ``provenance`` says where the values of a run come
from.

Null stands for absent parts: ``changes`` where the score reaches the threshold,
``today`` and ``alike`` where they were not asked for, ``order`` where novelty was assumed,
``recorded`` where the trace records no score, or 0.

What would leave the machine stands in a JSON of its own, that of ``kpinspector sharing``.
"""

from collections.abc import Iterable
from dataclasses import asdict
from math import isfinite
from typing import Any, Literal, TypeAlias

from kpinspector.scoring.findings import Neighbour
from kpinspector.scoring.formula.assess import Assessment, ScoreRange, Verdict
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.novelty.neighbours import Influence
from kpinspector.scoring.novelty.questions import Alike
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.compose import provenance_entry, reach_entry
from kpinspector.scoring.report.recorded import Recorded
from kpinspector.scoring.report.report import Part, Report, json_values
from kpinspector.scoring.whatif.combinations import Combination
from kpinspector.scoring.whatif.counterfactuals import Counterfactuals
from kpinspector.scoring.whatif.outcome import Deciding
from kpinspector.trace.javascript import number_text
from kpinspector.words.explain.explanation import Explanation
from kpinspector.words.explain.novelty import Today
from kpinspector.words.sentences import text_of
from kpinspector.words.waterfall import Stretch, range_waterfall, waterfall

Entry: TypeAlias = dict[str, Any]


class ExplanationReport(Part):
    """The report with its explanations, in the order of its traces."""

    format: Literal["kpinspector-explanation"] = "kpinspector-explanation"
    version: Literal[2] = 2
    report: Report
    explanations: tuple[Entry, ...]


def explanation_entry(explanation: Explanation) -> Entry:
    """All that explains one score, as values; ``key`` is that of the trace in the report.

    ``profiles`` says how the score adds up under each profile, novelty held.
    """
    one, measured, order = explanation, explanation.measured, explanation.order
    judged = one.assessment
    if measured is None or judged is None:
        raise ValueError(f"{one.name} has no score")
    return {
        "key": measured.place.key,
        "answer": text_of(one.sentence),
        "remarks": one.remarks,
        "possible": one.possible and _possible(one.possible, measured),
        "deciding": [_deciding(way) for way in one.deciding] if one.possible else None,
        "provenance": _provenance(measured, judged),
        "waterfall": _waterfall(one.waterfall),
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
        "reach": _reach(one),
        "changes": None if one.changes is None else changes_entry(one.changes),
        "neighbours": [
            _influence(near, name)
            for near, name in zip(one.neighbours, measured.measurement.novelty.names, strict=True)
        ],
        "alike": one.further.alike and _alike(one.further.alike),
        "today": None if one.today is None else _today(one.today),
        "order": order
        and {
            "place": order.place,
            "first": _outcome(order.first),
            "placed": _outcome(order.placed),
            "after": _outcome(order.after),
        },
        "recorded": None if one.recorded is None else _recorded(one.recorded),
        "profiles": _profiles(one),
    }


def _profiles(one: Explanation) -> Entry:
    """How the score adds up under each profile, or what is possible."""
    if one.possible is None:
        return {judged.profile.name: _waterfall(waterfall(judged)) for judged in one.profiles}
    ranges = {found.low.profile.name: found for found in one.ranges}
    return {name: _waterfall(range_waterfall(found)) for name, found in ranges.items()}


def _possible(possible: ScoreRange, measured: Measured) -> Entry:
    """Both ends with the outcomes that they stand for, and the one that stands in for all."""
    facts = measured.measurement.facts
    low, high = (
        {**_ending(end), **_outcome(judged)}
        for end, judged in zip(facts.outcome_ends, (possible.low, possible.high), strict=True)
    )
    verdict = possible.verdict or Verdict.UNDECIDED
    return {"verdict": verdict, "low": low, "high": high, "middle": _ending(facts)}


def _ending(facts: Facts) -> Entry:
    return {"confidence": _number(facts.confidence), "success": facts.success}


def _deciding(one: Deciding) -> Entry:
    """A way in which the run may have ended, and the lowest and highest score that it leaves.

    ``bound``: the least confidence that is accepted; ``best``: the greatest possible; ``not
    derived``: ``steps`` are no recoveries, whatever the outcome.
    """
    low, high, scenario = one.after.low, one.after.high, one.scenario
    return {
        "kind": one.kind,
        "success": scenario.success,
        "confidence": scenario.confidence,
        "steps": [edit.index for edit in scenario.edits],
        "low": _number(low.score),
        "high": _number(high.score),
        "verdict": one.after.verdict or Verdict.UNDECIDED,
    }


def _provenance(measured: Measured, judged: Assessment) -> Entry | None:
    """As in the report; null for a trace that is no run of another agent."""
    found = provenance_entry(measured.record, judged.profile, measured.measurement.novelty)
    return None if found is None else json_values(found)


def _number(value: float) -> float | str:
    """A double; JavaScript's name for what JSON has no number for."""
    return value if isfinite(value) else number_text(value)


def _outcome(assessment: Assessment) -> Entry:
    return {"score": _number(assessment.score), "verdict": assessment.verdict}


def _waterfall(stretches: Iterable[Stretch]) -> list[Entry]:
    """A dimension or a fired override, what it adds, and the score before and after it."""
    return [
        {
            "term": one.term,
            "start": _number(one.start),
            "change": _number(one.change),
            "end": _number(one.end),
            **({} if one.reach is None else {"reach": _number(one.reach)}),
        }
        for one in stretches
    ]


def changes_entry(found: Counterfactuals) -> Entry:
    """What each dimension alone has to be, single changes, the score without the largest losses.

    ``value``: the smallest that reaches the threshold while the rules hold. ``reachable``: it or a
    change of the dimension does; ``change`` is the kind of the first one that does. ``amount`` is a
    bound or a number of steps, ``flips`` the rules that it turns.
    """
    alone = {one.dimension: found.alone(one.dimension) for one in found.needed}
    return {
        "needed": [
            {
                "dimension": one.dimension,
                "now": _number(one.now),
                "value": one.value,
                "reachable": change is not None,
                "change": None if change is None else change.kind,
            }
            for one, change in zip(found.needed, alone.values(), strict=True)
        ],
        "changes": [
            {
                "kind": one.kind,
                "dimension": one.dimension,
                "amount": float(one.amount),
                "after": _outcome(one.after),
                "reaches": one.reaches,
                "novelty_held": one.novelty_held,
                "flips": one.flips,
            }
            for one in found.changes
        ],
        "combinations": [*map(_combination, found.combinations)],
        "without_losses": _outcome(found.without_losses),
    }


def _reach(one: Explanation) -> Entry | None:
    """As in the report, and beside it any of the steps that are needed where its own cannot do."""
    if one.reach is None:
        return None
    return json_values(reach_entry(one.reach)) | {"needed": [asdict(steps) for steps in one.needed]}


def _combination(found: Combination) -> Entry:
    """Changes that reach the threshold together, each the smallest with the others as they are.

    ``steps`` are those that are left out; ``alone`` is the outcome of a change alone.
    """
    return {
        "changes": [
            {
                "kind": one.kind,
                "dimension": one.dimension,
                "amount": float(one.amount),
                "steps": sorted(one.scenario.left_out),
                "alone": _outcome(one.after),
            }
            for one in found.changes
        ],
        "after": _outcome(found.after),
        "flips": found.flips,
    }


def _influence(one: Influence, name: str) -> Entry:
    """One of the nearest entries and the score without it: at least that, unless ``exact``."""
    return {
        "key": one.neighbour.key,
        "similarity": one.neighbour.similarity,
        "sets_novelty": one.sets_novelty,
        "without": _outcome(one.without.assessment),
        "exact": one.without.exact,
        **_place(one.neighbour, name),
    }


def _alike(found: Alike) -> Entry:
    """The steps that make a trace like its nearest neighbour, and what else is in both windows.

    ``words`` is null, and so are those beside it, where the neighbour's text is not at hand.
    """
    known = found.words is not None
    return {
        "similarity": found.ranking.similarity,
        "steps": [
            {"step": one.step, "similarity": one.similarity, "fall": one.fall}
            for one in found.ranking.falls
        ],
        "words": found.words,
        "shared_words": found.shared_words if known else None,
        "tokens": found.tokens if known else None,
        "same_prompt": found.same_prompt if known else None,
    }


def _place(near: Neighbour, name: str) -> Entry:
    """What text and window call it, which no other of these has, and where it comes from."""
    return {"name": name, "id": near.trace_id, "path": near.source_path, "record": near.record}


def _today(today: Today) -> Entry:
    """The outcome if scored again; ``before`` is null for one that was not among the nearest."""
    named = zip(today.comparison.nearest, today.again.novelty.names, strict=True)
    return {
        "outcome": _outcome(today.then),
        "max_similarity": today.finding.max_similarity,
        "compared_with": today.finding.compared_with,
        "neighbours": [
            {
                "key": one.neighbour.key,
                "similarity": one.neighbour.similarity,
                "before": one.before,
                "is_news": one.is_news,
                **_place(one.neighbour, name),
            }
            for one, name in named
        ],
    }


def _recorded(found: Recorded) -> Entry:
    """A recorded score beside the recomputed one; ``novelty`` in this range gives the former."""
    return {
        "score": float(found.score),
        "recomputed": found.recomputed,
        "difference": found.difference,
        "agrees": found.agrees,
        "causes": [
            {
                "profile": cause.profile and cause.profile.name,
                "novelty": cause.novelty,
                "without": cause.without,
            }
            for cause in found.causes
        ],
        "novelty": found.novelty and (found.novelty.low, found.novelty.high),
    }
