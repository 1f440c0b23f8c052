"""Explanations as Markdown: all that comes from a trace is text, whatever it holds."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS
from kpinspector.trace.printable import on_one_line
from kpinspector.words.explanation import Explanation
from kpinspector.words.page import Cell, Mention, Section, Table, without_charts
from kpinspector.words.sentences import Sentence
from kpinspector.words.summary import Front, index_row, index_section

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


class MarkdownPage:
    """A page that takes explanations one by one; it keeps what is written, and none of them.

    Args:
        front: Comes before several, whose names become links to their headings.
    """

    def __init__(self, front: Front | None = None) -> None:
        self._front = front
        self._page = _Page({} if front is None else _headings(front))
        self._index: list[tuple[str | Cell, ...]] = []
        self._parts: list[bytes] = []  # half as large as texts

    def add(self, one: Explanation) -> None:
        """Write an explanation; those of the front come in its order."""
        if self._front is not None:
            self._index.append(index_row(len(self._parts) + 1, one))
        self._parts.append(_encoded(self._page.explanation(one)))

    def written(self, last: str, end: Iterable[Section] = ()) -> bytes:
        """The whole page.

        Args:
            last: What they were made with.
            end: What stands after them.
        """
        before = list[str]()
        if self._front is not None:
            before += (f"# {_text(self._front.title)}", "")
            index = (index_section(self._index),) if self._index else ()
            before += self._page.sections((*self._front.sections, *index))
        after = (*self._page.sections(end), "---", "", _begun(_text(last)))
        return b"".join((_encoded(before), *self._parts, _encoded(after)))


def _encoded(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def explanations_markdown(
    explanations: Iterable[Explanation],
    last: str,
    front: Front | None = None,
    end: Iterable[Section] = (),
) -> str:
    """A heading for each explanation, its sections below; tables as on GitHub, no HTML.

    Args:
        explanations: Those of the front.
        last: What they were made with.
        front: Comes before several, whose names become links to their headings.
        end: What stands after them.
    """
    page = MarkdownPage(front)
    for one in explanations:
        page.add(one)
    return page.written(last, end).decode()


def _headings(front: Front) -> dict[str | int, str]:
    """What GitHub calls the headings of traces, by their keys, of copies the first, and numbers."""
    found: dict[str | int, str] = {}
    taken: Counter[str] = Counter()
    for number, one in enumerate((Mention(front.title, ""), *front.traces)):
        name = _NOT_IN_ANCHOR.sub("", on_one_line(one.name).strip().lower()).replace(" ", "-")
        times = taken[name]
        taken[name] += 1
        found[number] = f"{name}-{times}" if times else name
        if one.key:
            found.setdefault(one.key, found[number])
    return found


class _Page:
    """Writes explanations whose names of traces are links.

    Args:
        anchors: The names of headings by the keys and the numbers of their traces.
    """

    def __init__(self, anchors: Mapping[str | int, str]) -> None:
        self._anchors = anchors

    def explanation(self, explanation: Explanation) -> Iterator[str]:
        """One explanation."""
        yield from (f"# {_text(explanation.name)}", "")
        yield from (_verdict(explanation), "")
        yield from (self._sentence(explanation.sentence), "")
        for remark in explanation.remarks:
            yield from (_begun(_text(remark)), "")
        yield from self.sections(explanation.sections)

    def sections(self, sections: Iterable[Section]) -> Iterator[str]:
        """One section after the other."""
        for section in sections:
            yield from self._section(section)

    def _section(self, section: Section) -> Iterator[str]:
        note = f" ({_text(section.note)})" if section.note else ""
        yield from (f"## {_text(section.title)}{note}", "")
        for block in section.blocks:
            if isinstance(block, Table):
                yield from self._table(without_charts(block))
            else:
                yield self._sentence(block.sentence)
            yield ""

    def _table(self, table: Table) -> Iterator[str]:
        yield _row(_text(column.name) for column in table.columns)
        yield _row("---:" if column.figure else "---" for column in table.columns)
        for row in table.rows:
            yield _row(map(self._cell, row))

    def _cell(self, cell: Cell) -> str:
        letter = "" if cell.dimension is None else f"{DIMENSION_LETTERS[cell.dimension]} "
        return letter + _emphasised(self._linked(cell.text, cell.mention), strong=cell.strong)

    def _sentence(self, sentence: Sentence) -> str:
        written = (
            _emphasised(self._linked(run.text, Mention(run.text, run.key)), strong=run.strong)
            for run in sentence
        )
        return _begun("".join(written))

    def _linked(self, text: str, mention: Mention | None) -> str:
        """A text in which the name of a trace is a link, if the trace is on the page."""
        anchor = None if mention is None else self._anchors.get(mention.key)
        if mention is None or anchor is None:
            return _text(text)
        before, name, after = mention.parted(text)
        link = f"[{_text(name)}](#{anchor})" if name else ""
        return f"{_text(before)}{link}{_text(after)}"


def _verdict(explanation: Explanation) -> str:
    score, needs = _text(explanation.score.text), _text(explanation.needs)
    figures = f" {score}, {needs}." if score else ""
    return f"**{_text(explanation.word)}:**{figures} {_text(explanation.margin)}."


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _emphasised(written: str, *, strong: bool) -> str:
    """Text in bold, unless it begins or ends with a space, as that would leave the stars."""
    return f"**{written}**" if strong and written and written == written.strip() else written


def _text(text: str) -> str:
    """The text itself, whatever it would mean as Markdown."""
    return _LINKED.sub(_WORD_JOINER, _MARKUP.sub(r"\\\g<0>", on_one_line(text)))


def _begun(line: str) -> str:
    """A text whose beginning cannot turn it into a list, a heading or a quotation."""
    return _BEGINNING.sub(r"\1\\\2", line.lstrip())
