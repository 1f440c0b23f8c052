"""Explanations as one page: what all formats share, and Markdown with texts escaped."""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import category

from typing_extensions import override

from kpinspector import __version__
from kpinspector.scoring.model import MODEL_NAME
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.trace.printable import on_one_line
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_short
from kpinspector.words.page import Cell, Mention, Section, Table, without_charts
from kpinspector.words.problems import memory_phrase
from kpinspector.words.say import say, say_count
from kpinspector.words.sentences import Sentence
from kpinspector.words.summary import Front, index_row, index_section

_DIGITS = 12


class Page(ABC):
    """A page that takes explanations one by one, and keeps each in written form only."""

    def __init__(self, front: Front | None = None) -> None:
        self._front = front
        self._first = ""
        self._index: list[tuple[str | Cell, ...]] = []
        self._parts: list[bytes] = []  # bytes, half as large as texts
        # by the number of each explanation, and by the key of its trace; of copies, the first
        self._anchors: dict[str | int, str] = {}
        if front is not None:
            for number, (one, name) in enumerate(
                zip(front.traces, self._names(front), strict=True), 1
            ):
                self._anchors[number] = name
                if one.key:
                    self._anchors.setdefault(one.key, name)

    def add(self, one: Explanation) -> None:
        """Write an explanation; with a front, they come in the order of its traces."""
        self._first = self._first or one.name
        number = len(self._parts) + 1
        if self._front is not None:
            self._index.append(index_row(number, one))
        self._parts.append(encoded(self._explanation(one, number)))

    def written(self, last: str, end: Sequence[Section] = ()) -> bytes:
        """The whole page: the explanations, the sections ``end``, and ``last`` at its foot."""
        number, before = len(self._parts), b""
        several = say_count("{number} trace", "{number} traces", number)
        if self._front is not None:
            index = (index_section(self._index),) if self._index else ()
            first = self._front.answer
            before = encoded(self._titled(first.title, (*first.sections, *index)))
        after = encoded(self._titled("", end)) if end else b""
        title = self._first if number == 1 else several
        return self._whole(title, b"".join((before, *self._parts, after)), last)

    def _sentence(self, sentence: Sentence) -> str:
        return "".join(
            self._linked(run.text, Mention(run.text, run.key), strong=run.strong)
            for run in sentence
        )

    def _linked(self, text: str, mention: Mention | None, *, strong: bool) -> str:
        """A text in which the name of a trace is a link, if the trace is on the page."""
        anchor = None if mention is None else self._anchors.get(mention.key)
        if mention is None or anchor is None:
            written = self._text(text)
        else:
            before, name, after = text.partition(mention.name) if mention.name else (text, "", "")
            link = self._link(self._text(name), anchor) if name else ""
            written = f"{self._text(before)}{link}{self._text(after)}"
        return self._bold(written) if strong and written else written

    @abstractmethod
    def _names(self, front: Front) -> Iterable[str]:
        """The link targets of the explanations, in the order of the front."""

    @abstractmethod
    def _explanation(self, one: Explanation, number: int) -> Iterator[str]:
        """The lines of one explanation; ``number`` counts from 1."""

    @abstractmethod
    def _titled(self, title: str, sections: Iterable[Section]) -> Iterator[str]:
        """The lines of sections under a title, if they have one."""

    @abstractmethod
    def _whole(self, title: str, body: bytes, last: str) -> bytes:
        """The whole page around a body; ``last`` stands at its foot."""

    @abstractmethod
    def _text(self, text: str) -> str:
        """A text escaped, so that no character of it is markup."""

    @abstractmethod
    def _bold(self, written: str) -> str:
        """Written text in bold."""

    @abstractmethod
    def _link(self, written: str, anchor: str) -> str:
        """Written text as a link to an explanation on the page."""


def encoded(lines: Iterable[str]) -> bytes:
    """Lines as UTF-8, each with a line feed."""
    return "".join(f"{line}\n" for line in lines).encode()


def made_with(used: UsedSettings, model: str | None) -> str:
    """A line with program, threshold, memory and model (the sha256 of its weights, or None)."""
    without = say("without the embedding model")
    return say(
        "kpinspector {version}; threshold {threshold}; {memory}; {model}",
        version=__version__,
        threshold=shown_short(used.threshold),
        memory=memory_phrase(used),
        model=f"{MODEL_NAME} {model[:_DIGITS]}" if model else without,
    )


# characters that begin markup, an entity, an address, a formula or another cell
_MARKUP = re.compile(
    r"[\\`*_{}\[\]<>|~&!$^#@]|:(?=[^\s\d])|(?<=\w)\.(?=[^\W\d]|[\u00ad\u200c\u200d])"
)
# characters that begin a list or an underline at the beginning of a line
_BEGINNING = re.compile(r"^(\d*)([-+=.)])")
# names and numbers behind these are linked by some sites even where they are escaped
_LINKED = re.compile(r"(?<=\\[@#])(?=\w)")
_WORD_JOINER = "\N{WORD JOINER}"


class MarkdownPage(Page):
    """Explanations as Markdown: a heading for each, its sections below; tables as on GitHub."""

    @override
    def _names(self, front: Front) -> Iterable[str]:
        """The anchors that GitHub makes from the headings."""
        taken: Counter[str] = Counter()
        found = []
        for title in (front.answer.title, *(one.name for one in front.traces)):
            shown = on_one_line(title).strip().lower()
            # letters, marks, numbers and connectors; lower-casing can make a mark, as with İ
            kept = (c for c in shown if c in "- " or category(c)[0] in "LMN" or category(c) == "Pc")
            name = "".join(kept).replace(" ", "-")
            found.append(f"{name}-{taken[name]}" if taken[name] else name)
            taken[name] += 1
        return found[1:]

    @override
    def _whole(self, title: str, body: bytes, last: str) -> bytes:
        return body + encoded(("---", "", _begun(as_markdown(last))))

    @override
    def _titled(self, title: str, sections: Iterable[Section]) -> Iterator[str]:
        if title:
            yield from (f"# {as_markdown(title)}", "")
        for section in sections:
            yield from self._section(section)

    @override
    def _explanation(self, one: Explanation, number: int) -> Iterator[str]:
        score, needs = as_markdown(one.score.text), as_markdown(one.needs)
        figures = f" {score}, {needs}." if score else ""
        yield from (f"# {as_markdown(one.name)}", "")
        yield from (f"**{as_markdown(one.word)}:**{figures} {as_markdown(one.margin)}.", "")
        yield from (_begun(self._sentence(one.sentence)), "")
        for remark in one.remarks:
            yield from (_begun(as_markdown(remark)), "")
        for section in one.sections:
            yield from self._section(section)

    def _section(self, section: Section) -> Iterator[str]:
        note = f" ({as_markdown(section.note)})" if section.note else ""
        yield from (f"## {as_markdown(section.title)}{note}", "")
        for block in section.blocks:
            if isinstance(block, Table):
                table = without_charts(block)
                yield _row(as_markdown(column.name) for column in table.columns)
                yield _row("---:" if column.figure else "---" for column in table.columns)
                yield from (_row(map(self._cell, row)) for row in table.rows)
            else:
                yield _begun(self._sentence(block.sentence))
            yield ""

    def _cell(self, cell: Cell) -> str:
        return cell.letter + self._linked(cell.on_page, cell.mention, strong=cell.strong)

    @override
    def _text(self, text: str) -> str:
        return as_markdown(text)

    @override
    def _bold(self, written: str) -> str:
        """Bold, unless a space at either end would make Markdown show the stars."""
        return f"**{written}**" if written == written.strip() else written

    @override
    def _link(self, written: str, anchor: str) -> str:
        return f"[{written}](#{anchor})"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def as_markdown(text: str) -> str:
    """A text escaped, so that no character of it is Markdown."""
    return _LINKED.sub(_WORD_JOINER, _MARKUP.sub(r"\\\g<0>", on_one_line(text)))


def _begun(line: str) -> str:
    """A line escaped at its beginning, so that it is no list and underlines no heading."""
    return _BEGINNING.sub(r"\1\\\2", line.lstrip())
