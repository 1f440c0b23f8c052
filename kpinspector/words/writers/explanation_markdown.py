"""Explanations as Markdown: all that comes from a trace is text, whatever it holds."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from typing_extensions import override

from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS
from kpinspector.trace.printable import on_one_line
from kpinspector.words.explanation import Explanation
from kpinspector.words.page import Cell, Section, Table, without_charts
from kpinspector.words.summary import Front
from kpinspector.words.writers.pages import Page, encoded

# characters that begin markup, an entity, an address, a formula or another cell
_MARKUP = re.compile(
    r"[\\`*_{}\[\]<>|~&!$^#@]|:(?=[^\s\d])|(?<=\w)\.(?=[^\W\d]|[\u00ad\u200c\u200d])"
)
# characters that begin a list or an underline at the beginning of a line
_BEGINNING = re.compile(r"^(\d*)([-+=.)])")
# names and numbers behind these are linked by some sites even where they are escaped
_LINKED = re.compile(r"(?<=\\[@#])(?=\w)")
# characters that GitHub leaves out of the name of a heading
_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")
_WORD_JOINER = "\N{WORD JOINER}"


class MarkdownPage(Page):
    """Explanations as Markdown: a heading for each, its sections below; tables as on GitHub."""

    @override
    def _names(self, front: Front) -> Iterable[str]:
        """What GitHub calls the headings."""
        taken: Counter[str] = Counter()
        found = []
        for title in (front.answer.title, *(one.name for one in front.traces)):
            name = _NOT_IN_ANCHOR.sub("", on_one_line(title).strip().lower()).replace(" ", "-")
            found.append(f"{name}-{taken[name]}" if taken[name] else name)
            taken[name] += 1
        return found[1:]

    @override
    def _whole(self, title: str, body: bytes, last: str) -> bytes:
        return body + encoded(("---", "", _begun(_text(last))))

    @override
    def _titled(self, title: str, sections: Iterable[Section]) -> Iterator[str]:
        if title:
            yield from (f"# {_text(title)}", "")
        for section in sections:
            yield from self._section(section)

    @override
    def _explanation(self, one: Explanation, number: int) -> Iterator[str]:
        score, needs = _text(one.score.text), _text(one.needs)
        figures = f" {score}, {needs}." if score else ""
        yield from (f"# {_text(one.name)}", "")
        yield from (f"**{_text(one.word)}:**{figures} {_text(one.margin)}.", "")
        yield from (_begun(self._sentence(one.sentence)), "")
        for remark in one.remarks:
            yield from (_begun(_text(remark)), "")
        for section in one.sections:
            yield from self._section(section)

    def _section(self, section: Section) -> Iterator[str]:
        note = f" ({_text(section.note)})" if section.note else ""
        yield from (f"## {_text(section.title)}{note}", "")
        for block in section.blocks:
            if isinstance(block, Table):
                table = without_charts(block)
                yield _row(_text(column.name) for column in table.columns)
                yield _row("---:" if column.figure else "---" for column in table.columns)
                yield from (_row(map(self._cell, row)) for row in table.rows)
            else:
                yield _begun(self._sentence(block.sentence))
            yield ""

    def _cell(self, cell: Cell) -> str:
        letter = "" if cell.dimension is None else f"{DIMENSION_LETTERS[cell.dimension]} "
        return letter + self._linked(cell.text, cell.mention, strong=cell.strong)

    @override
    def _text(self, text: str) -> str:
        return _text(text)

    @override
    def _bold(self, written: str) -> str:
        """Not where it begins or ends with a space, as that would leave the stars."""
        return f"**{written}**" if written == written.strip() else written

    @override
    def _link(self, written: str, anchor: str) -> str:
        return f"[{written}](#{anchor})"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    """The text itself, whatever it would mean as Markdown."""
    return _LINKED.sub(_WORD_JOINER, _MARKUP.sub(r"\\\g<0>", on_one_line(text)))


def _begun(line: str) -> str:
    """A text whose beginning cannot turn it into a list, a heading or a quotation."""
    return _BEGINNING.sub(r"\1\\\2", line.lstrip())
