"""The parts of an explanation: sections of tables and paragraphs, in no format yet.

A text may come from a trace and hold anything; each writer makes it harmless in its own format.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import Gate, GateState, ScoreRange, Verdict
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.words.figures import shown_count, shown_interval, shown_score
from kpinspector.words.say import Names
from kpinspector.words.sentences import DIMENSION_NAMES, Run, Sentence, verdict_phrase

GATE_NAMES = Names(
    {Gate.READABLE: Phrase("Readable"), Gate.SCHEMA: Phrase("Schema"), Gate.SCORE: Phrase("Score")}
)


class Sign(StrEnum):
    """The meaning of a word, for writers that draw a shape beside it; named like the shapes."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    ACCEPTED_SO_FAR = "accepted_so_far"
    REJECTED_SO_FAR = "rejected_so_far"
    UNDECIDED_SO_FAR = "undecided_so_far"
    PENDING = "pending"
    NOT_SCORABLE = "not_scorable"
    UNREADABLE = "unreadable"
    SKIPPED = "skipped"
    REPORT = "report"
    UNREAD = "unread"
    NOT_REACHED = "not_reached"


_STATES = {
    GateState.PASSED: (Phrase("passed"), Sign.ACCEPTED),
    GateState.FAILED: (Phrase("failed"), Sign.REJECTED),
    GateState.WAITS: (Phrase("waits for novelty"), Sign.PENDING),
    GateState.UNDECIDED: (Phrase("undecided"), Sign.UNDECIDED),
    GateState.UNREADABLE: (Phrase("failed"), Sign.UNREADABLE),
    GateState.SKIPPED: (Phrase("skipped"), Sign.SKIPPED),
    GateState.NOT_REACHED: (Phrase("not reached"), Sign.NOT_REACHED),
}
GATE_WORDS = Names({state: words for state, (words, _) in _STATES.items()})
GATE_SIGNS = {state: sign for state, (_, sign) in _STATES.items()}


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of a chart whose axis goes from 0 to 1, or further where a bar does.

    ``reach`` is the farthest possible end where the end is unknown, ``threshold`` the place of a
    line across the chart; ``assumed``: its length was not measured.
    """

    start: float
    end: float
    dimension: Dimension | None = None
    assumed: bool = False
    threshold: float | None = None
    reach: float | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """The name of a trace within a text; ``key`` is the trace's key or its number on the page."""

    name: str
    key: str | int


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; ``value``: the whole double; ``is_place``: pages show the file alone."""

    text: str = ""
    value: float | None = None
    strong: bool = False
    dimension: Dimension | None = None
    sign: Sign | None = None
    bar: Bar | None = None
    mention: Mention | None = None
    is_place: bool = False

    @property
    def letter(self) -> str:
        """The letter of the cell's dimension and a space, to precede the text; "" without one."""
        return f"{DIMENSION_LETTERS[self.dimension]} " if self.dimension else ""

    @property
    def on_page(self) -> str:
        """The text for a page: of a place, the name of the file alone."""
        return re.split(r"[\\/]", self.text)[-1] if self.is_place else self.text


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; figures are aligned at their last digit."""

    name: str = ""
    figure: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of as many cells as there are columns; no heading where no column has a name."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence of its own; ``second``: it is less important, and shown so."""

    sentence: Sentence
    second: bool = False


Block: TypeAlias = Table | Paragraph


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an explanation; ``note`` stands beside its title."""

    title: str
    blocks: tuple[Block, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A title that may be underlined, first sentences, and sections, some without a title."""

    title: str
    said: Sequence[str]
    sections: Sequence[Section]
    underlined: bool = True


def has_heading(table: Table) -> bool:
    """Whether any column of a table has a name."""
    return any(column.name for column in table.columns)


def without_charts(table: Table) -> Table:
    """The table without the columns that hold only bars, for writers that cannot draw."""
    kept = [
        place
        for place, column in enumerate(table.columns)
        if column.name or any(row[place].text for row in table.rows)
    ]
    rows = (tuple(row[place] for place in kept) for row in table.rows)
    return Table(tuple(table.columns[place] for place in kept), tuple(rows))


def sign_of(verdict: Verdict | None, *, running: bool = False) -> Sign:
    """The shape for a verdict, another one while the run goes on; ``PENDING`` for no verdict."""
    if verdict is None:
        return Sign.PENDING
    return Sign(f"{verdict}_so_far") if running else Sign(verdict)


def verdict_cell(verdict: Verdict) -> Cell:
    """The word for a verdict with its shape."""
    return Cell(verdict_phrase(verdict), sign=sign_of(verdict))


def range_cells(possible: ScoreRange) -> tuple[Cell, Cell]:
    """The possible scores and their verdict; one score where only one is possible."""
    low, high = possible.low, possible.high
    if low.score == high.score:
        return Cell(shown_score(low.score, low.threshold), low.score), verdict_cell(low.verdict)
    figures = shown_interval(low.score, high.score, low.threshold)
    return Cell(figures), verdict_cell(possible.verdict)


def figures(*names: str) -> tuple[str | Column, ...]:
    """Columns of figures with these names."""
    return tuple([Column(one, figure=True) for one in names])


def table(heads: Iterable[str | Column], rows: Iterable[Iterable[str | Cell]]) -> Table:
    """Rows of texts and cells under these heads."""
    columns = [Column(one) if isinstance(one, str) else one for one in heads]
    cells = [tuple([Cell(one) if isinstance(one, str) else one for one in row]) for row in rows]
    return Table(tuple(columns), tuple(cells))


def pairs(rows: Iterable[Iterable[str | Cell]], *, counts: bool = False) -> Table:
    """A table of names, and a text or a figure beside each."""
    return table((Column(), Column(figure=counts)), rows)


def paragraph(said: str | Sentence, *, second: bool = False) -> Block:
    """A text or a sentence as a paragraph."""
    return Paragraph((Run(said),) if isinstance(said, str) else said, second)


def dimension_cell(dimension: Dimension) -> Cell:
    """The name of a dimension."""
    return Cell(DIMENSION_NAMES[dimension], dimension=dimension)


def count_cell(number: int) -> Cell:
    """A count as a cell."""
    return Cell(shown_count(number), float(number))
