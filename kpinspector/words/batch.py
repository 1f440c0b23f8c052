"""The words for many traces: the answer for all, groups of near-duplicates, and plans."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from kpinspector.batch.compared import Batch, Candidate
from kpinspector.batch.groups import GroupSpread, TraceGroup
from kpinspector.batch.plan import LeftOut, Nearest, Obstacle, Plan, shared_ids
from kpinspector.batch.summary import BatchSummary
from kpinspector.phrase import Phrase
from kpinspector.scoring.findings import Subject, neighbour_names
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.settings import Mode
from kpinspector.trace.clear import masked_in
from kpinspector.trace.records import Problem, TraceRecord, name_of
from kpinspector.words import figures, page
from kpinspector.words.page import Answer, Section, pairs, table
from kpinspector.words.problems import located
from kpinspector.words.say import Names, capitalised, say, say_all, say_count, say_list

_NO_NOVELTY_HELPS: Final = (ReachKind.OUTCOME, ReachKind.BOTH, ReachKind.STRUCTURE)
_TOO_SIMILAR: Final = (Obstacle.SIMILAR, Obstacle.SAME, Obstacle.REMEMBERED)
_MEMORIES: Final = Names(
    {
        Mode.FRESH: Phrase("scored as a fresh process"),
        Mode.GUEST: Phrase("compared with what is remembered, nothing stored"),
        Mode.REMEMBER: Phrase("compared with what is remembered"),
    }
)
_MOST_SHARED: Final = 5
_MOST_FREQUENT: Final = 2
_FEWEST: Final = 2  # traces that use a tool named in common
_REASONS: Final = Names(
    {
        Obstacle.SCHEMA: Phrase("refused by the schema"),
        Obstacle.NO_CONTENT: Phrase("its content was not recorded"),
        Obstacle.ASKED: Phrase("left out as asked"),
        Obstacle.NO_FIRST: Phrase("no trace passes with 0.5, the novelty of the first one"),
    }
)


def batch_title(summary: BatchSummary, plan: Plan | None, at_best: Plan | None) -> str:
    """How many traces pass as they came, and how many in the planned order."""
    least = summary.verdicts[Verdict.ACCEPTED]
    accepted = _from_to(least, least + summary.verdicts[Verdict.UNDECIDED])
    said = say_count(
        "{accepted} of {number} trace passes in file order",
        "{accepted} of {number} traces pass in file order",
        summary.total,
        accepted=accepted,
    )
    if plan is None:
        return said
    planned = figures.shown_count(len(plan.chosen))
    if _is_open(plan, at_best):
        planned = _from_to(len(plan.chosen), len(at_best.chosen if at_best else ()))
    elif len(plan.chosen) < plan.at_most:
        planned = say("at least {count}", count=planned)
    return say("{said}, {planned} in the planned order", said=said, planned=planned)


def _is_open(plan: Plan, at_best: Plan | None) -> bool:
    """Whether the plan with the best of all outcomes has another number of traces."""
    return at_best is not None and len(at_best.chosen) != len(plan.chosen)


def _from_to(least: int, most: int) -> str:
    if least == most:
        return figures.shown_count(least)
    return say(
        "{least} to {most}", least=figures.shown_count(least), most=figures.shown_count(most)
    )


def batch_facts(
    summary: BatchSummary, outcomes: tuple[int, int, int], threshold: float, mode: Mode | None
) -> str:
    """The line of facts about a batch; ``outcomes``: counts of failed, passing, unknown runs."""
    runs, passing, unknown = outcomes
    stuck = sum(summary.reach[kind] for kind in _NO_NOVELTY_HELPS)
    passes = say_count("{number} failed run passes", "{number} failed runs pass", passing)
    not_known = say_count(
        "of {number} it is not known how it ended",
        "of {number} it is not known how they ended",
        unknown,
    )
    facts = (
        say_count("{number} run failed", "{number} runs failed", runs) if runs else "",
        passes if passing else "",
        not_known if unknown else "",
        say_count(
            "{number} cannot pass at any novelty", "{number} cannot pass at any novelty", stuck
        ),
        say("threshold {threshold}", threshold=figures.shown_short(threshold)),
        "" if mode is None else _MEMORIES[mode],
    )
    return "  ·  ".join(filter(None, facts))


def plan_note(plan: Plan, at_best: Plan | None) -> str:
    """How many traces the plan has, and whether that is proven to be the most possible."""
    said = _proven(plan, at_best, figures.shown_count(len(plan.chosen) + len(plan.left_out)))
    return say("{said}, depending on outcomes", said=said) if _is_open(plan, at_best) else said


def plan_title(plan: Plan, at_best: Plan | None = None) -> str:
    """``plan_note`` as a sentence; ``at_best`` is the plan with the best of all outcomes."""
    total = len(plan.chosen) + len(plan.left_out)
    traces = say_count("{number} trace", "{number} traces", total)
    said = capitalised(_proven(plan, at_best, traces))
    if not _is_open(plan, at_best):
        return say("{said}.", said=said)
    return say_count(
        "{said}: how it ended is not always known.",
        "{said}: how they ended is not always known.",
        total,
        said=said,
    )


def _proven(plan: Plan, at_best: Plan | None, total: str) -> str:
    count = figures.shown_count(len(plan.chosen))
    if at_best is not None and _is_open(plan, at_best):
        count = _from_to(len(plan.chosen), len(at_best.chosen))
    elif len(plan.chosen) < plan.at_most:
        most = figures.shown_count(plan.at_most)
        return say(
            "at least {count}, at most {most} of {total}", count=count, most=most, total=total
        )
    elif not plan.conservative:
        return say("{count} of {total}, the most possible", count=count, total=total)
    return say("{count} of {total}", count=count, total=total)


def left_out_note(left_out: Sequence[LeftOut]) -> str:
    """How many traces are not in a plan, for each kind of reason."""
    similar = sum(one.why in _TOO_SIMILAR for one in left_out)
    asked = sum(one.why is Obstacle.ASKED for one in left_out)
    unknown = sum(one.why is Obstacle.UNDECIDED for one in left_out)
    other = len(left_out) - similar - asked - unknown
    said = {
        say("{count} too similar", count=figures.shown_count(similar)): similar,
        say("{count} as asked", count=figures.shown_count(asked)): asked,
        say("{count} of unknown outcome", count=figures.shown_count(unknown)): unknown,
        say("{count} cannot pass", count=figures.shown_count(other)): other,
    }
    return say_list(words for words, count in said.items() if count)


def groups_note(sizes: tuple[int, ...]) -> str:
    """How many groups there are, and how many traces in none; ``sizes``: of all groups."""
    alone = sizes.count(1)
    return say_count(
        "{groups} of two or more, {number} trace alone",
        "{groups} of two or more, {number} traces alone",
        alone,
        groups=figures.shown_count(len(sizes) - alone),
    )


def spread_figures(spread: GroupSpread) -> str:
    """The least and the greatest similarity; one figure where both are shown alike."""
    ends = (spread.least, spread.greatest)
    return figures.shown_range(
        *(figures.shown_number(one, figures.INTERVAL_DECIMALS) for one in ends)
    )


def in_common(group: TraceGroup) -> str:
    """The prompt and the tools that the traces of a group share."""
    size, tools = len(group.members), group.tools
    names = [masked_in(tool) for tool, traces in tools if traces == size]
    shared, more = say_all(names) if names else "", len(names) - _MOST_SHARED
    if more > 0:
        first = say_list(names[:_MOST_SHARED])
        shared = say_count(
            "{first} and {number} more", "{first} and {number} more", more, first=first
        )
    some = [one for one in tools if _FEWEST <= one[1] < size][:_MOST_FREQUENT]
    uses = say_list(
        say("{tool} in {count}", tool=masked_in(tool), count=figures.shown_count(traces))
        for tool, traces in some
    )
    said = say("no tool in common") if tools else say("no tool used")
    if shared:
        said = say("all use {tools}", tools=shared)
    if uses:
        said = say("{uses} of {size}", uses=uses, size=figures.shown_count(size))
    if shared and uses:
        said = say("all use {tools}; {uses}", tools=shared, uses=uses)
    return say("same prompt, {tools}", tools=said) if group.objective is not None else said


def pair_place(size: int | None, *, same: bool) -> str:
    """Whether two traces are in one group; ``size``: that of their group, None without one."""
    if same:
        return say("one and the same trace")
    if size is None:
        return say("not in one group")
    return say_count("both in the group of {number}", "both in the group of {number}", size)


def pair_words(names: tuple[str, str], similarity: str, place: str) -> str:
    """Two traces, how similar they are, and whether they are in one group."""
    one, other = names
    return say(
        "{one} and {other}, similarity {similarity}, {place}",
        one=one,
        other=other,
        similarity=similarity,
        place=place,
    )


def candidate_names(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """The names of the traces of a batch in the command line's answers, no two alike."""
    sources = [one.record.source for one in candidates]
    names = tuple(name_of(one.path, one.record) for one in sources)
    return distinct_names(names, [one.record for one in candidates])


def distinct_names(names: tuple[str, ...], records: Sequence[TraceRecord]) -> tuple[str, ...]:
    """The names of these traces; longer ones where two are alike."""
    met = Counter(names)
    if len(met) == len(names):
        return names
    subjects = (
        Subject(trace.id, "", "", False, trace.objective, source.path, source.record)
        for source, trace in ((one.source, one.trace) for one in records)
    )
    longer = zip(names, neighbour_names(tuple(subjects)), strict=True)
    return tuple(name if met[name] == 1 else other for name, other in longer)


class BatchNames:
    """Names for the traces of a batch and its entries; without ``names`` the command line's."""

    def __init__(self, batch: Batch, names: tuple[str, ...] | None = None) -> None:
        self.candidates = candidate_names(batch.candidates) if names is None else names
        self._remembered = batch.remembered

    def of(self, nearest: Nearest) -> str:
        """The name of what a trace is most similar to."""
        if nearest.candidate is not None:
            return self.candidates[nearest.candidate]
        if nearest.entry is None:
            raise ValueError("nearest to nothing")
        entry = self._remembered[nearest.entry]
        return say("{name}, remembered", name=name_of(entry.source_path, entry.record))


def plan_remarks(plan: Plan, batch: Batch) -> Iterator[str]:
    """Sentences on what limits a plan: the size of the cache, ids that traces share."""
    if plan.conservative:
        yield say(
            "Only the newest {most} are compared with, so the oldest drop out on the way and more"
            " may be possible.",
            most=figures.shown_count(batch.max_elements),
        )
    names = candidate_names(batch.candidates)
    for trace_id, places in shared_ids(plan, batch).items():
        yield say(
            "{names} share the id {id}, of which the registry keeps only the last.",
            names=say_all([names[one] for one in places]),
            id=masked_in(trace_id),
        )


def why_left_out(left: LeftOut, names: BatchNames, threshold: float) -> str:
    """The one reason for which a trace is not in a plan."""
    if left.nearest is not None and left.bound is not None:
        name, bound = names.of(left.nearest), figures.shown_at_most(left.bound)
        if left.why is Obstacle.SAME:
            return say("the same trace as {name}", name=name)
        if bound == figures.shown_at_most(0.0):
            return say("similar to {name}, and may not be at all", name=name)
        return say("more than {bound} similar to {name}", bound=bound, name=name)
    best = figures.shown_score(left.best, threshold)
    if left.why is Obstacle.OUT_OF_REACH:
        return say("cannot pass: at best {best}", best=best)
    if left.why is Obstacle.UNDECIDED:
        return say("its outcome is not known: at best {best}", best=best)
    return _REASONS[left.why]


def plan_answer(
    batch: Batch,
    plan: Plan,
    at_best: Plan | None,
    threshold: float,
    problems: Sequence[Problem] = (),
) -> Answer:
    """The plan as a table, then what is left out and why, then what could not be read or scored."""
    names, blocks = BatchNames(batch), []
    if plan.chosen:
        (place, score, similar) = page.figures(say("place"), say("score"), say("similar"))
        heads = (place, say("trace"), score, similar, say("most similar before it"))
        rows = (
            (
                figures.shown_count(number),
                names.candidates[one.candidate],
                figures.shown_score(one.assessment.score, threshold),
                figures.shown_number(one.nearest.similarity) if one.nearest else figures.UNKNOWN,
                names.of(one.nearest) if one.nearest else say("nothing"),
            )
            for number, one in enumerate(plan.chosen, 1)
        )
        blocks.append(table(heads, rows))
    if plan.left_out:
        left_out = (
            (names.candidates[one.candidate], why_left_out(one, names, threshold))
            for one in plan.left_out
        )
        blocks.append(table((say("left out"), say("why")), left_out))
    if problems:
        blocks.append(pairs((say("problem"), located(one)) for one in problems))
    title = plan_title(plan, at_best) if batch.size else ""
    sections = tuple(Section("", (one,)) for one in blocks)
    return Answer(title, (*plan_remarks(plan, batch),), sections, underlined=False)
