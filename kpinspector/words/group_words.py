"""The words for groups of near-duplicates and for the pairs of their map."""

from typing import Final

from kpinspector.batch.groups import GroupSpread, TraceGroup, UsedTool
from kpinspector.trace.clear import masked_in
from kpinspector.words.figures import INTERVAL_DECIMALS, shown_count, shown_number, shown_range
from kpinspector.words.say import say, say_all, say_count, say_list

_MOST_SHARED: Final = 5
_MOST_FREQUENT: Final = 2
_FEWEST: Final = 2  # traces that have something in common


def groups_note(sizes: tuple[int, ...]) -> str:
    """How many groups there are, and how many traces in none, by the sizes of all."""
    alone = sizes.count(1)
    return say_count(
        "{groups} of two or more, {number} trace alone",
        "{groups} of two or more, {number} traces alone",
        alone,
        groups=shown_count(len(sizes) - alone),
    )


def spread_figures(spread: GroupSpread) -> str:
    """The least and the greatest similarity; one figure where both are shown alike."""
    ends = (spread.least, spread.greatest)
    return shown_range(*(shown_number(one, INTERVAL_DECIMALS) for one in ends))


def in_common(group: TraceGroup) -> str:
    """The prompt and the tools that the traces of a group share."""
    if group.common.objective is None:
        return _tools_in_common(group)
    return say("same prompt, {tools}", tools=_tools_in_common(group))


def _tools_in_common(group: TraceGroup) -> str:
    size, tools = len(group.members), group.common.tools
    if not tools:
        return say("no tool used")
    shared = _shared([masked_in(one.name) for one in tools if one.traces == size])
    frequent = [one for one in tools if _FEWEST <= one.traces < size][:_MOST_FREQUENT]
    if shared and not frequent:
        return say("all use {tools}", tools=shared)
    if shared:
        return say("all use {tools}; {uses}", tools=shared, uses=_uses(frequent))
    if frequent:
        return say("{uses} of {size}", uses=_uses(frequent), size=shown_count(size))
    return say("no tool in common")


def _shared(names: list[str]) -> str:
    """The names of tools; of many the first, and how many more there are."""
    if len(names) <= _MOST_SHARED:
        return say_all(names) if names else ""
    more = len(names) - _MOST_SHARED
    first = say_list(names[:_MOST_SHARED])
    return say_count("{first} and {number} more", "{first} and {number} more", more, first=first)


def _uses(tools: list[UsedTool]) -> str:
    return say_list(
        say("{tool} in {count}", tool=masked_in(one.name), count=shown_count(one.traces))
        for one in tools
    )


def pair_place(size: int | None, *, same: bool) -> str:
    """Whether two traces are in one group, of which size; None for none."""
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
