"""An explanation as plain text: aligned for a terminal, or with tabs and whole doubles to paste."""

from collections.abc import Iterator

from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS
from kpinspector.trace.printable import on_one_line
from kpinspector.words.explanation import Explanation
from kpinspector.words.page import Answer, Cell, Section, Table, has_heading, without_charts
from kpinspector.words.say import capitalised, say
from kpinspector.words.sentences import text_of
from kpinspector.words.writers.columns import aligned, display_width, fitted, labelled, wrapped
from kpinspector.words.writers.report_csv import harmless

_INDENT = "  "


def explanation_text(explanation: Explanation, width: int | None = None) -> str:
    """The whole answer for a terminal, its tables at most so wide; ends in a line feed."""
    one, score = explanation, explanation.score.text
    figures = f"{score}, {one.needs}. " if score else ""
    verdict = f"{one.word}: {figures}{capitalised(one.margin)}."
    said = (verdict, text_of(one.sentence), *one.remarks)
    return answer_text(Answer(one.name, said, one.sections), width)


def answer_text(answer: Answer, width: int | None = None) -> str:
    """An answer for a terminal, at most so wide; each line ends in a line feed."""
    lines = wrapped(on_one_line(answer.title), width) if answer.title else []
    if answer.underlined:
        lines.append("=" * max(map(display_width, lines)))
    for sentence in answer.said:
        lines += wrapped(on_one_line(sentence), width)
    for section in answer.sections:
        lines += [*([""] if lines else []), *section_lines(section, width)]
    return "".join(f"{line}\n" for line in lines)


def section_lines(section: Section, width: int | None = None) -> Iterator[str]:
    """A section under its title, at most so wide."""
    if not section.title:
        yield from _lines(section, width)
        return
    room = None if width is None else width - len(_INDENT)
    note = f" ({section.note})" if section.note else ""
    yield from wrapped(on_one_line(f"{section.title}{note}"), width)
    yield from (f"{_INDENT}{line}".rstrip() for line in _lines(section, room))


def explanation_cells(explanation: Explanation) -> str:
    """The whole answer to paste into a table: cells divided by tabs, figures as whole doubles."""
    one = explanation
    rows: list[tuple[Cell, ...]] = [
        (Cell(say("trace")), Cell(one.name)),
        (Cell(say("verdict")), Cell(one.word)),
    ]
    if one.score.text:
        rows += [
            (Cell(say("score")), one.score),
            (Cell(say("threshold")), one.threshold),
            (Cell(say("margin")), Cell(one.margin)),
        ]
    rows.append((Cell(say("why")), Cell(text_of(one.sentence))))
    rows += [(Cell(say("remark")), Cell(remark)) for remark in one.remarks]
    for section in one.sections:
        rows += [(), (Cell(section.title), Cell(section.note))[: 1 + bool(section.note)]]
        rows += _rows(section)
    return "".join("\t".join(map(_whole, row)) + "\n" for row in rows)


def _lines(section: Section, width: int | None) -> Iterator[str]:
    for number, block in enumerate(section.blocks):
        if isinstance(block, Table):
            yield from ("",) if number else ()
            yield from _table(without_charts(block), width)
        else:
            yield from wrapped(on_one_line(text_of(block.sentence)), width)


def _table(table: Table, width: int | None) -> Iterator[str]:
    columns = table.columns
    rows = [tuple(map(_cell, row)) for row in table.rows]
    figures = {place for place, column in enumerate(columns) if column.figure}
    if has_heading(table):
        yield from fitted([tuple(on_one_line(one.name) for one in columns), *rows], width, figures)
        return
    lines = [*aligned(rows, figures)] if figures else []
    if not lines or (width is not None and max(map(display_width, lines)) > width):
        yield from labelled(((label, text) for label, text in rows), width)
    else:
        yield from lines


def _rows(section: Section) -> Iterator[tuple[Cell, ...]]:
    for block in section.blocks:
        if isinstance(block, Table):
            table = without_charts(block)
            if has_heading(table):
                yield tuple(Cell(column.name) for column in table.columns)
            yield from table.rows
        else:
            yield (Cell(text_of(block.sentence)),)


def _cell(cell: Cell) -> str:
    text = on_one_line(cell.text)
    if cell.dimension is not None:
        return f"{DIMENSION_LETTERS[cell.dimension]} {text}"
    return text


def _whole(cell: Cell) -> str:
    return harmless(cell.text) if cell.value is None else repr(cell.value)
