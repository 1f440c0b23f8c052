"""The sections of a score: gates, dimensions, what counts, overrides, the sum, and others."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import Counted, Gate, GateState, ScoreRange, Verdict
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.formula.overrides import flipped_rules
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.scoring.report.recorded import Cause, OtherNovelty, Recorded
from kpinspector.trace.model import Mark
from kpinspector.trace.printable import quoted
from kpinspector.trace.schema import Issue, Severity, count_issues
from kpinspector.words import figures, page
from kpinspector.words.figures import ShownSum, Stretch
from kpinspector.words.page import Cell, Section, dimension_cell, pairs, paragraph, table
from kpinspector.words.say import (
    Names,
    capitalised,
    in_words,
    say,
    say_all,
    say_any,
    say_count,
    say_list,
)
from kpinspector.words.score import fired_phrase
from kpinspector.words.sentences import (
    DIMENSION_WORDS,
    MARK_WORDS,
    RULE_WORDS,
    TERM_WORDS,
    kind_word,
)

_MOST_COUNTED = 20
_MOST_ISSUES = 50
_SEVERITIES = Names({Severity.ERROR: Phrase("error"), Severity.WARNING: Phrase("warning")})
_MOST_CAUSES = 3
_NOVELTIES = Names(
    {
        OtherNovelty.EMPTY_CACHE: Phrase("an empty cache"),
        OtherNovelty.UNCLAMPED: Phrase("the SDK's novelty above 1"),
    }
)

_EMPTY_CACHE = Cause(novelty=OtherNovelty.EMPTY_CACHE)


def gates_section(gates: Mapping[Gate, GateState]) -> Section:
    """The three gates: readable, schema and score."""
    rows = (
        (page.GATE_NAMES[gate], Cell(page.GATE_WORDS[state], sign=page.GATE_SIGNS[state]))
        for gate, state in gates.items()
    )
    return Section(say("Gates"), (pairs(rows),))


def dimensions_section(
    ends: ScoreRange | None,
    shown: ShownSum | None,
    evidence: Callable[[Dimension], str],
    novelty: Novelty | None,
) -> Section:
    """The four dimensions, what each rests on, and their sum; ``novelty`` is None while unknown."""
    title = say("Dimensions")
    if ends is None or shown is None:
        return Section(title, ())
    terms, unknown = ends.low, ends.open_dimensions
    names = page.figures(say("value"), say("weight"), say("adds"), say("lost"))
    heads = (say("dimension"), "", *names, say("evidence"))
    rows: list[tuple[str | Cell, ...]] = []
    exact: tuple[float | None, ...]
    for term in terms.contributions:
        one, dimension = shown.term(term.dimension), term.dimension
        if dimension in unknown:
            bar, exact = page.Bar(0.0, 0.0, dimension, reach=1.0), (None, term.weight, None, None)
        else:
            assumed = dimension is Dimension.NOVELTY and novelty is not None and novelty.assumed
            bar = page.Bar(0.0, term.value, dimension, assumed)
            exact = (term.value, term.weight, term.part, term.lost)
        said = (one.value, one.weight, one.adds, one.lost)
        mention = None
        if dimension is Dimension.NOVELTY and novelty is not None and novelty.neighbours:
            mention = page.Mention(novelty.names[0], novelty.neighbours[0].key)
        about = Cell(evidence(dimension), mention=mention)
        rows.append((dimension_cell(dimension), Cell(bar=bar), *map(Cell, said, exact), about))
    total = Cell(shown.total, None if unknown else terms.composite, strong=True)
    rows.append((say("Weighted sum"), "", "", "", total, shown.lost, ""))
    return Section(title, (table(heads, rows),))


def counted_section(counted: Mapping[Dimension, Sequence[Counted]]) -> Section:
    """The steps that count for complexity and tool diversity, and what each adds."""
    rows: list[tuple[str | Cell, ...]] = []
    further = []
    for dimension, found in counted.items():
        for one in found[:_MOST_COUNTED]:
            tool = quoted(one.step.tool_name or "")
            of_tool = say("{mark} of {tool}", mark=MARK_WORDS[Mark.FIRST_TOOL], tool=tool)
            brings = say_list(
                of_tool if mark is Mark.FIRST_TOOL else MARK_WORDS[mark] for mark in one.marks
            )
            step = (figures.shown_count(one.step.index), kind_word(one.step.kind), brings)
            rows.append((dimension_cell(dimension), *step))
        left = len(found) - _MOST_COUNTED
        if left > 0:
            words = say_count(
                "{number} more step counts for {dimension}.",
                "{number} more steps count for {dimension}.",
                left,
                dimension=DIMENSION_WORDS[dimension],
            )
            further.append(paragraph(words, second=True))
    heads = (say("counts for"), *page.figures(say("step")), say("kind"), say("brings"))
    listed = (table(heads, rows),) if rows else ()
    return Section(say("What counts"), (*listed, *further))


def overrides_section(ends: ScoreRange | None, shown: ShownSum | None) -> Section:
    """All three rules, fired or not, why, and what each did; empty without a score."""
    title = say("Overrides")
    if ends is None or shown is None:
        return Section(title, ())
    low, high, is_known = ends.low.overrides, ends.high.overrides, ends.low is ends.high
    cases = zip(low, shown.changes, high, figures.shown_sum(ends.high).changes, strict=True)
    rows: list[tuple[str | Cell, ...]] = []
    for one, change, best, most in cases:
        name = capitalised(RULE_WORDS[one.rule])
        if one.applied is not best.applied:  # it fires if the run succeeded, which is not known
            fired = Cell(say("if it succeeded"), sign=page.Sign.UNDECIDED)
            maybe = figures.shown_range("0", most.change.lstrip("+"))
            rows.append((name, fired, "", maybe, "", in_words(best.reason)))
            continue
        fired = Cell(say("yes") if one.applied else say("no"))
        did: tuple[str | Cell, ...] = ("", "", "")
        if one.applied and is_known:
            figure = (change.before, change.change, change.after)
            did = tuple(map(Cell, figure, (one.before, one.change, one.after)))
        elif one.applied and change.change:
            did = ("", Cell(change.change, one.change), "")
        rows.append((Cell(name, strong=one.applied), fired, *did, in_words(one.reason)))
    note = fired_phrase(low, pending=not is_known)
    if flipped_rules(low, high):
        note = say("whether one fires is open")
    names = page.figures(say("before"), say("change"), say("after"))
    heads = (say("override"), say("fired"), *names, say("reason"))
    return Section(title, (table(heads, rows),), note)


def waterfall_section(
    stretches: Iterable[Stretch], possible: ScoreRange, shown: ShownSum, *, assumed: bool
) -> Section:
    """From 0 to the score; each row begins where the one before it ends."""
    low, high = possible.low, possible.high
    threshold, is_known = low.threshold, low is high
    sign = page.sign_of(Verdict.ACCEPTED if low.score_passes else Verdict.REJECTED)
    if low.score_passes is not high.score_passes:
        sign = page.Sign.UNDECIDED
    bar = page.Bar(0.0, low.score, threshold=threshold, reach=None if is_known else high.score)
    score = Cell(shown.score, low.score if is_known else None, strong=True)
    rows: list[tuple[str | Cell, ...]] = []
    for one in stretches:
        dimension = one.term if isinstance(one.term, Dimension) else None
        name = Cell(capitalised(TERM_WORDS[one.term]), dimension=dimension)
        hatched = assumed and dimension is Dimension.NOVELTY
        drawn = Cell(bar=page.Bar(one.start, one.end, dimension, hatched, threshold, one.reach))
        said = (one.shown_start, one.shown_change, one.shown_end)
        exact = (one.start, one.change, one.end) if one.reach is None else (None, None, None)
        rows.append((name, drawn, *map(Cell, said, exact)))
    rows.append((Cell(say("Score"), strong=True, sign=sign), Cell(bar=bar), "", "", score))
    rows.append((say("Threshold"), "", "", "", Cell(shown.threshold, threshold)))
    note = "" if is_known else say("outcome last, as it is not known")
    heads = (say("term"), "", *page.figures(say("from"), say("adds"), say("to")))
    return Section(say("How it adds up"), (table(heads, rows),), note)


def recorded_section(found: Recorded) -> Section:
    """The score that the trace records, against the recomputed one."""
    scores = [(say("recorded score"), found.score), (say("recomputed score"), found.recomputed)]
    if found.novelty is not None:
        scores.append((say("least novelty that gives it"), found.novelty.low))
        scores.append((say("greatest novelty that gives it"), found.novelty.high))
    # whole doubles, as the range may be narrower than any rounding
    rows = ((name, Cell(repr(value), value)) for name, value in scores)
    blocks = (*map(paragraph, recorded_words(found)), pairs(rows, counts=True))
    return Section(say("Recorded quality score"), blocks)


def profiles_section(found: Sequence[ScoreRange]) -> Section:
    """The same trace under every profile, novelty held: score, verdict and terms."""
    title, end = say("Under every profile"), (*page.figures(say("score")), say("verdict"))
    if any(one.low is not one.high for one in found):
        ranges = ((one.low.profile.name, *page.range_cells(one)) for one in found)
        return Section(title, (table((say("profile"), *end), ranges),))
    letters = page.figures(*(DIMENSION_LETTERS[dimension] for dimension in Dimension))
    rows: list[tuple[str | Cell, ...]] = []
    for one in (it.low for it in found):
        shown = figures.shown_sum(one)
        fired = (
            f"{RULE_WORDS[override.rule]} {change.change}"
            for override, change in zip(one.overrides, shown.changes, strict=True)
            if override.applied
        )
        adds = (Cell(shown.term(term.dimension).adds, term.part) for term in one.contributions)
        score = Cell(shown.score, one.score)
        ends = (say_list(fired), score, page.verdict_cell(one.verdict))
        rows.append((one.profile.name, *adds, *ends))
    listed = table((say("profile"), *letters, say("overrides"), *end), rows)
    return Section(title, (listed,), say("what each term adds"))


def issues_section(found: Sequence[Issue]) -> Section:
    """The schema issues of a trace."""
    rows = (
        (issue.path or say("the record"), _SEVERITIES[issue.severity], in_words(issue.message))
        for issue in found[:_MOST_ISSUES]
    )
    listed = table((say("path"), say("severity"), say("message")), rows)
    further = count_issues(found) - _MOST_ISSUES
    more = say_count("{number} more issue.", "{number} more issues.", further)
    return Section(say("Schema issues"), (listed, paragraph(more)) if further > 0 else (listed,))


def recorded_words(found: Recorded) -> tuple[str, ...]:
    """How the recorded score differs from the recomputed one, and what would explain it."""
    score, recomputed = figures.shown_pair(found.score, found.recomputed)
    size = figures.shown_difference(score, recomputed).removeprefix("\N{MINUS SIGN}")
    is_short = found.decimals <= figures.SCORE_DECIMALS
    score = figures.shown_short(found.score) if is_short else score
    if found.agrees and is_short:
        same = say_count(
            "Recorded quality score {score}: the same as recomputed, to {number} decimal.",
            "Recorded quality score {score}: the same as recomputed, to {number} decimals.",
            found.decimals,
            score=score,
        )
        return (same,)
    if found.agrees:
        return (say("Recorded quality score {score}: the same as recomputed.", score=score),)
    where = say("{size} below the recomputed one", size=size)
    if found.difference > 0:
        where = say("{size} above the recomputed one", size=size)
    if found.close:
        where = say("{where}, too close to tell it from the SDK's own number", where=where)
    difference = say("Recorded quality score {score}: {where}.", score=score, where=where)
    return (difference,) if found.close else (difference, _explanation(found))


def _explanation(found: Recorded) -> str:
    ways, more = [*map(_way, found.causes[:_MOST_CAUSES])], len(found.causes) - _MOST_CAUSES
    if more > 0:
        ways.append(say_count("one more way", "one of {number} more ways", more))
    if found.novelty is None and not ways:
        return say(
            "No novelty in 0 to 1 gives this number, nor does another profile or a rule left out."
        )
    if found.novelty is None:
        which = capitalised(say_any(ways))
        return say("{ways} gives this number; no novelty in 0 to 1 does.", ways=which)
    if _EMPTY_CACHE not in found.causes:
        # rounded inwards, so that every novelty shown gives the score; else their middle
        low = figures.shown_at_least(found.novelty.low)
        high = figures.shown_at_most(found.novelty.high)
        middle = (found.novelty.low + found.novelty.high) / 2
        shown = figures.shown_range(low, high)
        if float(low) > float(high):
            shown, _ = figures.shown_pair(middle, found.novelty_now)
        ways.append(say("novelty {novelty}", novelty=shown))
    return say("{ways} gives this number.", ways=capitalised(say_any(ways)))


def _way(cause: Cause) -> str:
    way = "" if cause.novelty is None else _NOVELTIES[cause.novelty]
    if cause.profile is not None:
        profile = say("profile {profile}", profile=cause.profile.name)
        way = say("{profile} with {novelty}", profile=profile, novelty=way) if way else profile
    if not cause.without:
        return way
    rules = say_all([RULE_WORDS[rule] for rule in cause.without])
    return say("{way} without {rules}", way=way or say("the score"), rules=rules)
