"""The section on what would leave the machine: what a trace holds in clear, by either way."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from kpinspector.sharing.answer import Sharing, Ways
from kpinspector.words.explain.blocks import Block, Cell, Column, Paragraph, Section, Sign, Table
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_count
from kpinspector.words.sentences import Run
from kpinspector.words.sharing_words import both_ways, clear_words, kind_name, wrap_line

_MOST: Final = 20


def sharing_section(ways: Ways) -> Section:
    """Both ways, and how often each thing that is found would leave in clear by them."""
    posted, leaks = ways.contributed.is_posted, ways.contributed.in_clear
    note = say("nothing leaves in clear") if posted and not leaks else ""
    return Section(say("Sharing"), tuple(_blocks(ways)), note)


def _blocks(ways: Ways) -> Iterator[Block]:
    if ways.contributed.in_clear:
        clear = say(
            "{clear} by contribute, {captured} by capture",
            clear=clear_words(ways.contributed),
            captured=shown_count(len(ways.captured.in_clear)),
        )
        warning = Cell(say("Warning"), sign=Sign.NOT_SCORABLE)
        yield Table((Column(), Column()), ((warning, Cell(clear, strong=True)),))
    for sentence in filter(None, (both_ways(ways), wrap_line(ways))):
        yield Paragraph((Run(sentence),))
    by_contribute, by_capture = _counted(ways.contributed), _counted(ways.captured)
    found = [*dict.fromkeys((*by_contribute, *by_capture))]
    if not found:
        return
    columns = (
        Column(say("field")),
        Column(say("text")),
        Column(say("kind")),
        Column(say("by contribute"), figure=True),
        Column(say("by capture"), figure=True),
    )
    rows = (
        (*map(Cell, one), _count(by_contribute[one]), _count(by_capture[one]))
        for one in found[:_MOST]
    )
    yield Table(columns, tuple(rows))
    if len(found) > _MOST:
        more = say_count("{number} more row.", "{number} more rows.", len(found) - _MOST)
        yield Paragraph((Run(more),), second=True)


def _counted(sharing: Sharing) -> Counter[tuple[str, str, str]]:
    """How often each thing is in clear: its field, the thing masked, and its kind."""
    return Counter(
        (sharing.place(one.path), one.masked, kind_name(one.kind)) for one in sharing.in_clear
    )


def _count(number: int) -> Cell:
    return Cell(shown_count(number), float(number))
