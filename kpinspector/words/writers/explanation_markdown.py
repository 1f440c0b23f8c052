"""Explanations as Markdown: all that comes from a trace is text, whatever it holds."""

import re
from collections.abc import Iterable, Iterator

from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS
from kpinspector.trace.printable import on_one_line
from kpinspector.words.explain.blocks import Cell, Section, Table, without_charts
from kpinspector.words.explain.explanation import Explanation
from kpinspector.words.sentences import Sentence

# characters that begin markup, an entity, an address, a formula or another cell
_MARKUP = re.compile(
    r"[\\`*_{}\[\]<>|~&!$^#@]|:(?=[^\s\d])|(?<=\w)\.(?=[^\W\d]|[\u00ad\u200c\u200d])"
)
# characters that begin a list or an underline at the beginning of a line
_BEGINNING = re.compile(r"^(\d*)([-+=.)])")
# names and numbers behind these are linked by some sites even where they are escaped
_LINKED = re.compile(r"(?<=\\[@#])(?=\w)")
_WORD_JOINER = "\N{WORD JOINER}"


def explanations_markdown(explanations: Iterable[Explanation], last: str) -> str:
    """A heading for each explanation, its sections below; tables as on GitHub, no HTML."""
    lines = [line for one in explanations for line in _explanation(one)]
    return "\n".join([*lines, "---", "", _begun(_text(last))]) + "\n"


def _explanation(explanation: Explanation) -> Iterator[str]:
    yield from (f"# {_text(explanation.name)}", "")
    yield from (_verdict(explanation), "")
    yield from (_sentence(explanation.sentence), "")
    for remark in explanation.remarks:
        yield from (_begun(_text(remark)), "")
    for section in explanation.sections:
        yield from _section(section)


def _verdict(explanation: Explanation) -> str:
    score, needs = _text(explanation.score.text), _text(explanation.needs)
    figures = f" {score}, {needs}." if score else ""
    return f"**{_text(explanation.word)}:**{figures} {_text(explanation.margin)}."


def _section(section: Section) -> Iterator[str]:
    note = f" ({_text(section.note)})" if section.note else ""
    yield from (f"## {_text(section.title)}{note}", "")
    for block in section.blocks:
        if isinstance(block, Table):
            yield from _table(without_charts(block))
        else:
            yield _sentence(block.sentence)
        yield ""


def _table(table: Table) -> Iterator[str]:
    yield _row(_text(column.name) for column in table.columns)
    yield _row("---:" if column.figure else "---" for column in table.columns)
    for row in table.rows:
        yield _row(map(_cell, row))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    letter = "" if cell.dimension is None else f"{DIMENSION_LETTERS[cell.dimension]} "
    return letter + _emphasised(cell.text, strong=cell.strong)


def _sentence(sentence: Sentence) -> str:
    return _begun("".join(_emphasised(run.text, strong=run.strong) for run in sentence))


def _emphasised(text: str, *, strong: bool) -> str:
    """Text in bold, unless it begins or ends with a space, as that would leave the stars."""
    escaped = _text(text)
    return f"**{escaped}**" if strong and escaped and escaped == escaped.strip() else escaped


def _text(text: str) -> str:
    """The text itself, whatever it would mean as Markdown."""
    return _LINKED.sub(_WORD_JOINER, _MARKUP.sub(r"\\\g<0>", on_one_line(text)))


def _begun(line: str) -> str:
    """A text whose beginning cannot turn it into a list, a heading or a quotation."""
    return _BEGINNING.sub(r"\1\\\2", line.lstrip())
