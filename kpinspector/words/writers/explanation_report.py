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

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from kpinspector.scoring.findings import Neighbour
from kpinspector.scoring.formula.assess import Assessment, ScoreRange, Verdict
from kpinspector.scoring.formula.measurement import Facts
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.novelty.questions import Alike, StepFall
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.recorded import Recorded
from kpinspector.scoring.report.report import Report, provenance_entry, reach_entry
from kpinspector.scoring.report.written import Told, json_values, report_json
from kpinspector.scoring.whatif.changes import Change, Combination
from kpinspector.scoring.whatif.reach import Deciding
from kpinspector.words.explanation import Explanation
from kpinspector.words.novelty import Today
from kpinspector.words.sentences import text_of
from kpinspector.words.sums import Stretch, range_waterfall, waterfall

Entry: TypeAlias = dict[str, Any]

# ``amount`` is a bound or a number of steps, ``steps`` those that are left out, ``flips`` the rules
# that a change turns; ``after`` is what comes of it alone, also in a combination
_TOLD: Final[Told] = {
    Assessment: ("score", "verdict"),
    Change: (
        *("kind", "dimension", "amount", "steps=scenario.left_out"),
        *("after", "reaches", "novelty_held", "flips"),
    ),
    Combination: ("changes", "after", "flips"),
    Facts: ("confidence", "success"),
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
    """All that explains one score, as values; ``key`` is that of the trace in the report.

    ``profiles`` says how the score adds up under each profile, novelty held.
    """
    measured, judged, order = one.measured, one.assessment, one.order
    if measured is None or judged is None:
        raise ValueError(f"{one.name} has no score")
    novelty = measured.measurement.novelty
    influences = zip(one.neighbours, novelty.names, strict=True)
    return {
        "id": measured.record.trace.id,
        "key": measured.place.key,
        "answer": text_of(one.sentence),
        "remarks": one.remarks,
        "possible": one.possible and _possible(one.possible, measured),
        "deciding": [_deciding(way) for way in one.deciding] if one.possible else None,
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
        "reach": one.reach and reach_entry(one.reach) | {"needed": one.needed},
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
        "today": one.today and _today(one.today),
        "order": order
        and {name: getattr(order, name) for name in ("place", "first", "placed", "after")},
        "recorded": one.recorded,
        "profiles": _profiles(one),
    }


def _profiles(one: Explanation) -> Entry:
    """How the score adds up under each profile, or what is possible."""
    if one.possible is None:
        return {judged.profile.name: waterfall(judged) for judged in one.profiles}
    return {found.low.profile.name: range_waterfall(found) for found in one.ranges}


def _possible(possible: ScoreRange, measured: Measured) -> Entry:
    """Both ends with the outcomes that they stand for, and the one that stands in for all."""
    facts = measured.measurement.facts
    low, high = (
        {
            "confidence": end.confidence,
            "success": end.success,
            "score": judged.score,
            "verdict": judged.verdict,
        }
        for end, judged in zip(facts.outcome_ends, (possible.low, possible.high), strict=True)
    )
    verdict = possible.verdict or Verdict.UNDECIDED
    return {"verdict": verdict, "low": low, "high": high, "middle": facts}


def _deciding(one: Deciding) -> Entry:
    """A way in which the run may have ended, and the lowest and highest score that it leaves.

    ``bound``: the least confidence that is accepted; ``best``: the greatest possible; ``not
    derived``: ``steps`` are no recoveries, whatever the outcome.
    """
    return {
        "kind": one.kind,
        "success": one.scenario.success,
        "confidence": one.scenario.confidence,
        "steps": [edit.index for edit in one.scenario.edits],
        "low": one.after.low.score,
        "high": one.after.high.score,
        "verdict": one.after.verdict or Verdict.UNDECIDED,
    }


def _alike(found: Alike) -> Entry:
    """The steps that make a trace like its nearest neighbour, and what else is in both windows.

    ``words`` is null, and so are those beside it, where the neighbour's text is not at hand.
    """
    known = found.words is not None
    beside = ("words", "shared_words", "tokens", "same_prompt")
    return {
        "similarity": found.ranking.similarity,
        "steps": found.ranking.falls,
        **{name: getattr(found, name) if known else None for name in beside},
    }


def _place(near: Neighbour, name: str) -> Entry:
    """What text and window call it, which no other of these has, and where it comes from."""
    return {
        "key": near.key,
        "similarity": near.similarity,
        "name": name,
        "id": near.trace_id,
        "path": near.source_path,
        "record": near.record,
    }


def _today(today: Today) -> Entry:
    """The outcome if scored again; ``before`` is null for one that was not among the nearest."""
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
