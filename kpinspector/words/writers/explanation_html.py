"""Explanations as one HTML page: no scripts, nothing loaded, all text from traces escaped.

The page's content security policy allows nothing but its own style sheet, by its hash; so bars get
their length from rules of that style sheet, not from attributes.
"""

import base64
import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator
from html import escape

from typing_extensions import override

from kpinspector.batch.groups import LEVEL_POWER, MOST_LEVEL, MapLevels
from kpinspector.files import resources
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS
from kpinspector.trace.printable import on_one_line
from kpinspector.words.explanation import Explanation
from kpinspector.words.page import Bar, Cell, Column, Section, Sign, Table, has_heading
from kpinspector.words.say import language, say
from kpinspector.words.summary import Front, WholeSummary
from kpinspector.words.writers.pages import Page, encoded

STYLE_FILE = "explanation.css"
_NOVELTY = "0C7FA2"

_SIGNS = {
    **dict.fromkeys((Sign.ACCEPTED, Sign.ACCEPTED_SO_FAR), "✓"),
    **dict.fromkeys((Sign.REJECTED, Sign.REJECTED_SO_FAR), "✕"),
    **dict.fromkeys((Sign.NOT_SCORABLE, Sign.UNREADABLE), "!"),
    **dict.fromkeys((Sign.SKIPPED, Sign.REPORT), "\N{EN DASH}"),
    Sign.PENDING: "…",
}
# the style sheet knows one colour for all that cannot be scored
_CLASSES = {
    **dict.fromkeys((Sign.NOT_SCORABLE, Sign.UNREADABLE), "problem"),
    **dict.fromkeys((Sign.REPORT, Sign.UNREAD), "skipped"),
}


class HtmlPage(Page):
    """Explanations as articles; collects the style rules that place their bars."""

    def __init__(self, front: Front | None = None) -> None:
        super().__init__(front)
        self._places: dict[str, str] = {}

    @classmethod
    def of_summary(cls, summary: WholeSummary, threshold: float, last: str) -> bytes:
        """A page with the sections of a summary, the plan and the map of all pairs."""
        page, answer, drawn = cls(), summary.answer, summary.drawn
        sections = (*answer.sections, *summary.planned(threshold))
        parts = encoded(page._titled(answer.title, sections))
        if drawn is not None:
            parts += encoded(page._map(drawn))
        return page._whole(answer.title, parts, last)

    @override
    def _names(self, front: Front) -> Iterable[str]:
        return [f"t{number}" for number in range(1, len(front.traces) + 1)]

    @override
    def _whole(self, title: str, body: bytes, last: str) -> bytes:
        rules = "".join(f".{name} {{ {rule} }}\n" for rule, name in self._places.items())
        style = (resources() / STYLE_FILE).read_text("utf-8") + rules
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        policy = (
            f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
        )
        if b"<img" in body:
            policy += "; img-src data:"
        head = (
            "<!DOCTYPE html>",
            f'<html lang="{language()}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{self._text(title)} - kpinspector</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            "<main>",
        )
        foot = (f"<footer>{self._text(last)}</footer>", "</main>", "</body>", "</html>")
        return encoded(head) + body + encoded(foot)

    @override
    def _titled(self, title: str, sections: Iterable[Section]) -> Iterator[str]:
        yield "<article>"
        if title:
            yield f"<h1>{self._text(title)}</h1>"
        for one in sections:
            yield from self._section(one)
        yield "</article>"

    def _map(self, drawn: MapLevels) -> Iterator[str]:
        said = say(
            "Each row and each column is a trace, those that are similar beside each other; the"
            " stronger the colour, the more similar both are."
        )
        picture = base64.b64encode(_png(drawn)).decode()
        yield f"<article><h2>{self._text(say('Similarity map'))}</h2>"
        yield f'<img alt="" src="data:image/png;base64,{picture}">'
        yield f'<p class="remark">{self._text(said)}</p></article>'

    @override
    def _explanation(self, one: Explanation, number: int) -> Iterator[str]:
        anchor = self._anchors.get(number)
        yield "<article>" if anchor is None else f'<article class="one" id="{anchor}">'
        yield f"<h1>{self._text(one.name)}</h1>"
        yield '<div class="verdict">'
        yield f'{_sign(one.sign)}<span class="word">{self._text(one.word)}</span>'
        yield f'<span class="score">{self._text(one.score.text)}</span>'
        yield f'<span class="margin">{self._text(one.margin)}</span>'
        yield f'<span class="needs">{self._text(one.needs)}</span>'
        yield "</div>"
        yield f"<p>{self._sentence(one.sentence)}</p>"
        for remark in one.remarks:
            yield f'<p class="remark">{self._text(remark)}</p>'
        for section in one.sections:
            yield from self._section(section)
        yield "</article>"

    def _section(self, section: Section) -> Iterator[str]:
        note = f'<span class="note">{self._text(section.note)}</span>' if section.note else ""
        yield "<section>"
        yield f'<div class="title"><h2>{self._text(section.title)}</h2>{note}</div>'
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
            heads = "".join(
                f"<th{_class(one)}>{self._text(one.name)}</th>" for one in table.columns
            )
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
        text = self._linked(cell.on_page, cell.mention, strong=cell.strong)
        if cell.dimension is not None:
            letter = DIMENSION_LETTERS[cell.dimension]
            return f'<span class="badge {cell.dimension}" aria-hidden="true">{letter}</span>{text}'
        return text if cell.sign is None else f"{_sign(cell.sign)}{text}"

    @override
    def _text(self, text: str) -> str:
        return escape(on_one_line(text))

    @override
    def _bold(self, written: str) -> str:
        return f"<strong>{written}</strong>"

    @override
    def _link(self, written: str, anchor: str) -> str:
        return f'<a href="#{anchor}">{written}</a>'

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
        """The class name of a style rule that places a part of a bar."""
        return self._places.setdefault(rule, f"p{len(self._places)}")


def _png(drawn: MapLevels) -> bytes:
    """A picture in the colour of novelty, clear where the level is 0."""
    side, levels = drawn.side, drawn.levels
    rows = (levels[start : start + side] for start in range(0, len(levels), side))
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", side, side, 8, 3, 0, 0, 0),
        b"PLTE": bytes.fromhex(_NOVELTY) * (MOST_LEVEL + 1),
        b"tRNS": bytes(
            round(MOST_LEVEL * (one / MOST_LEVEL) ** LEVEL_POWER) for one in range(MOST_LEVEL + 1)
        ),
        b"IDAT": zlib.compress(b"".join(b"\0" + one for one in rows)),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts.items()
    )


class _Axis:
    """The range of a chart: from 0 to 1, or as far as its bars reach."""

    def __init__(self, bars: Iterable[Bar]) -> None:
        ends = [end for bar in bars for end in (bar.start, bar.end, bar.reach or 0.0)]
        self._low, self._high = min(0.0, *ends, 0.0), max(1.0, *ends, 1.0)

    def place(self, value: float) -> float:
        """The place of a value on the axis, in per cent."""
        return 100 * (value - self._low) / (self._high - self._low)


def _sign(sign: Sign) -> str:
    kind = _CLASSES.get(sign, sign)
    return f'<span class="sign {kind}" aria-hidden="true">{_SIGNS.get(sign, "")}</span>'


def _class(column: Column, cell: Cell | None = None) -> str:
    if column.figure:
        return ' class="figure"'
    return ' class="chart"' if cell is not None and cell.bar is not None else ""
