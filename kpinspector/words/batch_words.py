"""The words for all open traces together: the answer, the facts beside it, and what is left out."""

from collections.abc import Sequence
from typing import Final

from kpinspector.batch.plan import LeftOut, Obstacle, Plan
from kpinspector.batch.summary import BatchSummary
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.memory.mode import Mode
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.words.figures import shown_count, shown_short
from kpinspector.words.say import Names, say, say_count

_NO_NOVELTY_HELPS: Final = (ReachKind.OUTCOME, ReachKind.BOTH, ReachKind.STRUCTURE)
_TOO_SIMILAR: Final = (Obstacle.SIMILAR, Obstacle.SAME, Obstacle.REMEMBERED)
_MEMORIES: Final = Names(
    {
        Mode.FRESH: Phrase("scored as a fresh process"),
        Mode.GUEST: Phrase("compared with what is remembered, nothing stored"),
        Mode.REMEMBER: Phrase("compared with what is remembered"),
    }
)


def batch_title(summary: BatchSummary, plan: Plan | None, at_best: Plan | None) -> str:
    """How many traces pass as they came, and how many in the planned order."""
    least = summary.verdicts[Verdict.ACCEPTED]
    accepted = _from_to(least, least + summary.verdicts[Verdict.UNDECIDED])
    if plan is None:
        return say_count(
            "{accepted} of {number} trace passes in file order",
            "{accepted} of {number} traces pass in file order",
            summary.total,
            accepted=accepted,
        )
    return say_count(
        "{accepted} of {number} trace passes in file order, {planned} in the planned order",
        "{accepted} of {number} traces pass in file order, {planned} in the planned order",
        summary.total,
        accepted=accepted,
        planned=_planned(plan, at_best),
    )


def _planned(plan: Plan, at_best: Plan | None) -> str:
    count = len(plan.chosen)
    if at_best is not None and len(at_best.chosen) != count:
        return _from_to(count, len(at_best.chosen))
    if count < plan.at_most:
        return say("at least {count}", count=shown_count(count))
    return shown_count(count)


def _from_to(least: int, most: int) -> str:
    if least == most:
        return shown_count(least)
    return say("{least} to {most}", least=shown_count(least), most=shown_count(most))


def batch_facts(
    summary: BatchSummary, failed: tuple[int, int], threshold: float, mode: Mode | None
) -> str:
    """What else is to be known at once.

    ``failed``: how many runs did, and how many of these pass.
    """
    facts = []
    runs, passing = failed
    if runs:
        facts.append(say_count("{number} run failed", "{number} runs failed", runs))
    if passing:
        facts.append(say_count("{number} failed run passes", "{number} failed runs pass", passing))
    if undecided := summary.verdicts[Verdict.UNDECIDED]:
        facts.append(
            say_count(
                "of {number} it is not known how it ended",
                "of {number} it is not known how they ended",
                undecided,
            )
        )
    stuck = sum(summary.reach[kind] for kind in _NO_NOVELTY_HELPS)
    facts += [
        say_count(
            "{number} cannot pass at any novelty", "{number} cannot pass at any novelty", stuck
        ),
        say("threshold {threshold}", threshold=shown_short(threshold)),
    ]
    if mode is not None:
        facts.append(_MEMORIES[mode])
    return "  ·  ".join(facts)


def plan_note(plan: Plan, at_best: Plan | None) -> str:
    """How many traces are chosen, and what is proven of that."""
    count, most = len(plan.chosen), plan.at_most
    total = shown_count(count + len(plan.left_out))
    if at_best is not None and len(at_best.chosen) != count:
        both = _from_to(count, len(at_best.chosen))
        return say("{count} of {total}, as the outcomes may be", count=both, total=total)
    if count < most:
        return say(
            "at least {count}, at most {most} of {total}",
            count=shown_count(count),
            most=shown_count(most),
            total=total,
        )
    if plan.conservative:
        return say("{count} of {total}", count=shown_count(count), total=total)
    return say("{count} of {total}, the most possible", count=shown_count(count), total=total)


def left_out_note(left_out: Sequence[LeftOut]) -> str:
    """How many traces are not in a plan, by the kind of their reasons."""
    similar = sum(one.why in _TOO_SIMILAR for one in left_out)
    asked = sum(one.why is Obstacle.ASKED for one in left_out)
    other = len(left_out) - similar - asked
    said = []
    if similar:
        said.append(say("{count} too similar", count=shown_count(similar)))
    if asked:
        said.append(say("{count} as asked", count=shown_count(asked)))
    if other:
        said.append(say("{count} cannot pass", count=shown_count(other)))
    return ", ".join(said)
