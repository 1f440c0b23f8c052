"""Explanations as one HTML page: no scripts, nothing loaded, all that comes from a trace escaped.

The page forbids itself everything but its own style sheet, which stands in it and is named by its
hash; so bars get their length from rules of that sheet, not from attributes.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from kpinspector.files import resources
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS
from kpinspector.trace.printable import on_one_line
from kpinspector.words.explanation import Explanation
from kpinspector.words.page import (
    Bar,
    Cell,
    Column,
    Mention,
    Section,
    Sign,
    Table,
    has_heading,
)
from kpinspector.words.say import language, say_count
from kpinspector.words.sentences import Sentence
from kpinspector.words.summary import Front, index_row, index_section

STYLE_FILE = "explanation.css"

_SIGNS = {
    Sign.ACCEPTED: "✓",
    Sign.REJECTED: "✕",
    Sign.UNDECIDED: "",
    Sign.ACCEPTED_SO_FAR: "✓",
    Sign.REJECTED_SO_FAR: "✕",
    Sign.UNDECIDED_SO_FAR: "",
    Sign.PENDING: "…",
    Sign.NOT_SCORABLE: "!",
    Sign.UNREADABLE: "!",
    Sign.SKIPPED: "\N{EN DASH}",
    Sign.REPORT: "\N{EN DASH}",
    Sign.UNREAD: "",
    Sign.NOT_REACHED: "",
}
# the style sheet knows one colour for all that cannot be scored
_CLASSES = {
    Sign.NOT_SCORABLE: "problem",
    Sign.UNREADABLE: "problem",
    Sign.REPORT: "skipped",
    Sign.UNREAD: "skipped",
}


class HtmlPage:
    """A page that takes explanations one by one; it keeps what is written, and none of them.

    Args:
        front: Begins a page of several, whose names become links.
    """

    def __init__(self, front: Front | None = None) -> None:
        self._front = front
        self._page = _Page({} if front is None else _anchors(front))
        self._names: list[str] = []
        self._index: list[tuple[str | Cell, ...]] = []
        self._articles: list[bytes] = []  # half as large as texts

    def add(self, one: Explanation) -> None:
        """Write an article; those of the front come in its order."""
        self._names.append(one.name)
        number = len(self._names)
        if self._front is not None:
            self._index.append(index_row(number, one))
        self._articles.append("\n".join(self._page.article(one, number)).encode())

    def written(self, last: str, end: Sequence[Section] = ()) -> bytes:
        """The whole page.

        Args:
            last: What it was made with.
            end: What stands after the articles.
        """
        names, page, before = self._names, self._page, list[str]()
        several = say_count("{number} trace", "{number} traces", len(names))
        title = names[0] if len(names) == 1 else several
        if self._front is not None:
            index = (index_section(self._index),) if self._index else ()
            before += page.sections(self._front.title, (*self._front.sections, *index))
        after = page.sections("", end) if end else ()
        articles = (*(one.encode() for one in before), *self._articles)
        return _whole(page, title, (*articles, *(one.encode() for one in after)), last)


def explanations_html(
    explanations: Iterable[Explanation],
    last: str,
    front: Front | None = None,
    end: Sequence[Section] = (),
) -> str:
    """A page with an article for each explanation; none is kept longer than it takes to write.

    Args:
        explanations: Those of the front.
        last: What the page was made with.
        front: Begins a page of several, whose names become links.
        end: What stands after them.
    """
    page = HtmlPage(front)
    for one in explanations:
        page.add(one)
    return page.written(last, end).decode()


def _anchors(front: Front) -> dict[str | int, str]:
    """The ids of the articles by the keys of traces, of copies the first one's, and by number."""
    found: dict[str | int, str] = {}
    for number, one in enumerate(front.traces, 1):
        found[number] = f"t{number}"
        if one.key:
            found.setdefault(one.key, f"t{number}")
    return found


def sections_html(title: str, sections: Iterable[Section], last: str) -> str:
    """A page with these sections under its title."""
    page = _Page({})
    articles = (one.encode() for one in page.sections(title, sections))
    return _whole(page, title, articles, last).decode()


def _whole(page: "_Page", title: str, articles: Iterable[bytes], last: str) -> bytes:
    style = (resources() / STYLE_FILE).read_text("utf-8") + page.rules()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = (
        "<!DOCTYPE html>",
        f'<html lang="{language()}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{_text(title)} - kpinspector</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        "<main>",
    )
    foot = (f"<footer>{_text(last)}</footer>", "</main>", "</body>", "</html>", "")
    return b"\n".join(("\n".join(head).encode(), *articles, "\n".join(foot).encode()))


class _Page:
    """Writes articles and remembers the places of their bars.

    Args:
        anchors: The ids of articles by the keys and the numbers of their traces.
    """

    def __init__(self, anchors: Mapping[str | int, str]) -> None:
        self._anchors = anchors
        self._places: dict[str, str] = {}

    def rules(self) -> str:
        """The rules of the style sheet that place the bars."""
        return "".join(f".{name} {{ {rule} }}\n" for rule, name in self._places.items())

    def sections(self, title: str, sections: Iterable[Section]) -> Iterator[str]:
        """Sections in an article of their own."""
        yield "<article>"
        if title:
            yield f"<h1>{_text(title)}</h1>"
        for one in sections:
            yield from self.section(one)
        yield "</article>"

    def article(self, explanation: Explanation, number: int) -> Iterator[str]:
        """One explanation, the one with this number."""
        anchor = self._anchors.get(number)
        yield "<article>" if anchor is None else f'<article class="one" id="{anchor}">'
        yield f"<h1>{_text(explanation.name)}</h1>"
        yield from _verdict(explanation)
        yield f"<p>{self._sentence(explanation.sentence)}</p>"
        for remark in explanation.remarks:
            yield f'<p class="remark">{_text(remark)}</p>'
        for section in explanation.sections:
            yield from self.section(section)
        yield "</article>"

    def section(self, section: Section) -> Iterator[str]:
        """One section."""
        note = f'<span class="note">{_text(section.note)}</span>' if section.note else ""
        yield "<section>"
        yield f'<div class="title"><h2>{_text(section.title)}</h2>{note}</div>'
        for block in section.blocks:
            if isinstance(block, Table):
                yield from self._table(block)
            else:
                kind = ' class="remark"' if block.second else ""
                yield f"<p{kind}>{self._sentence(block.sentence)}</p>"
        yield "</section>"

    def _table(self, table: Table) -> Iterator[str]:
        axis = _Axis(cell.bar for row in table.rows for cell in row if cell.bar is not None)
        yield "<table>" if has_heading(table) else '<table class="pairs">'
        if has_heading(table):
            heads = "".join(f"<th{_class(one)}>{_text(one.name)}</th>" for one in table.columns)
            yield f"<thead><tr>{heads}</tr></thead>"
        yield "<tbody>"
        for row in table.rows:
            cells = (
                f"<td{_class(column, cell)}>{self._cell(cell, axis)}</td>"
                for column, cell in zip(table.columns, row, strict=True)
            )
            yield f"<tr>{''.join(cells)}</tr>"
        yield "</tbody>"
        yield "</table>"

    def _cell(self, cell: Cell, axis: "_Axis") -> str:
        if cell.bar is not None:
            return self._bar(cell.bar, axis)
        text = _emphasised(self._linked(cell.text, cell.mention), strong=cell.strong)
        if cell.dimension is not None:
            return f"{_badge(cell.dimension, DIMENSION_LETTERS[cell.dimension])}{text}"
        return text if cell.sign is None else f"{_sign(cell.sign)}{text}"

    def _sentence(self, sentence: Sentence) -> str:
        return "".join(
            _emphasised(self._linked(run.text, Mention(run.text, run.key)), strong=run.strong)
            for run in sentence
        )

    def _linked(self, text: str, mention: Mention | None) -> str:
        """A text in which the name of a trace is a link, if the trace is on the page."""
        anchor = None if mention is None else self._anchors.get(mention.key)
        if mention is None or anchor is None:
            return _text(text)
        before, name, after = mention.parted(text)
        link = f'<a href="#{anchor}">{_text(name)}</a>' if name else ""
        return f"{_text(before)}{link}{_text(after)}"

    def _bar(self, bar: Bar, axis: "_Axis") -> str:
        left, right = sorted((axis.place(bar.start), axis.place(bar.end)))
        colour = bar.dimension or "other"
        kind = "bar assumed" if bar.assumed else f"bar {colour}"
        place = self._place(f"left: {left:.2f}%; width: {right - left:.2f}%")
        parts = f'<span class="{kind} {place}"></span>'
        if bar.reach is not None:
            left, right = axis.place(bar.end), axis.place(bar.reach)
            place = self._place(f"left: {left:.2f}%; width: {right - left:.2f}%")
            parts += f'<span class="bar open {colour} {place}"></span>'
        if bar.threshold is None:
            return f'<span class="track whole">{parts}</span>'
        limit = self._place(f"left: {axis.place(bar.threshold):.2f}%")
        return f'<span class="track">{parts}<span class="limit {limit}"></span></span>'

    def _place(self, rule: str) -> str:
        """The name of the rule that places a part of a bar."""
        return self._places.setdefault(rule, f"p{len(self._places)}")


class _Axis:
    """The range of a chart: from 0 to 1, or as far as its bars reach."""

    def __init__(self, bars: Iterable[Bar]) -> None:
        ends = [end for bar in bars for end in (bar.start, bar.end, bar.reach or 0.0)]
        self._low, self._high = min(0.0, *ends, 0.0), max(1.0, *ends, 1.0)

    def place(self, value: float) -> float:
        """Where a value stands, in per cent."""
        return 100 * (value - self._low) / (self._high - self._low)


def _verdict(explanation: Explanation) -> Iterator[str]:
    yield '<div class="verdict">'
    yield f'{_sign(explanation.sign)}<span class="word">{_text(explanation.word)}</span>'
    yield f'<span class="score">{_text(explanation.score.text)}</span>'
    yield f'<span class="margin">{_text(explanation.margin)}</span>'
    yield f'<span class="needs">{_text(explanation.needs)}</span>'
    yield "</div>"


def _sign(sign: Sign) -> str:
    kind = _CLASSES.get(sign, sign)
    return f'<span class="sign {kind}" aria-hidden="true">{_SIGNS[sign]}</span>'


def _badge(name: str, letter: str) -> str:
    return f'<span class="badge {name}" aria-hidden="true">{letter}</span>'


def _class(column: Column, cell: Cell | None = None) -> str:
    if column.figure:
        return ' class="figure"'
    return ' class="chart"' if cell is not None and cell.bar is not None else ""


def _emphasised(written: str, *, strong: bool) -> str:
    return f"<strong>{written}</strong>" if strong and written else written


def _text(text: str) -> str:
    return escape(on_one_line(text))
