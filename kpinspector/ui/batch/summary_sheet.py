"""The sheet with the summary: what traces need to pass, what would help most, and spreads."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Final

from PySide6.QtCore import QEvent, QRect, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.app.batches import BatchPicture
from kpinspector.app.values import State
from kpinspector.batch.summary import BatchSummary, DimensionSpread, TriedLever, ValueSpread
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import Gate, Verdict
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.scoring.whatif.changes import ChangeKind
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.ui.batch import Sheet, scrolled
from kpinspector.ui.controls.base import FlatButton, Label, in_row
from kpinspector.ui.controls.views import StateMark
from kpinspector.ui.look.marks import BADGE_SIZE_LARGE, STATE_SIZE, Shape, fill, paint_state, span
from kpinspector.ui.look.painting import RIGHT, band, centred
from kpinspector.ui.look.theme import Colours, TextRole, sized
from kpinspector.ui.panes import Do, Tell, Wish
from kpinspector.ui.parts.sections import Divider, TwoColumns
from kpinspector.ui.tables.figure_model import (
    CellBar,
    CellMark,
    FigureCell,
    Head,
    Row,
    badge,
    figure,
    heading,
    heads_of,
    word_head,
)
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable, fitting
from kpinspector.ui.traces.trace_row import lever_term
from kpinspector.words.changes import REACH_PHRASES, cause_name
from kpinspector.words.figures import UNKNOWN, shown_count, shown_signed, shown_value, shown_whole
from kpinspector.words.say import Names, capitalised, say, say_count, say_list
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_NAMES, head_tip, verdict_word
from kpinspector.words.summary import lever_name

_ROW_HEIGHT = 24
_HEAD_HEIGHT = 22
_SHARE = (ColumnWidth(60, stretch=True), ColumnWidth(40), *fitting(30))
_REACH_WORDS: Final = Names(
    {
        ReachKind.ACCEPTED: Phrase("Accepted"),
        ReachKind.NOVELTY: Phrase("With more novelty"),
        ReachKind.OUTCOME: Phrase("With a better outcome"),
        ReachKind.BOTH: Phrase("Needs both"),
        ReachKind.STRUCTURE: Phrase("Needs other steps"),
        ReachKind.SCHEMA: Phrase("Schema fails"),
        ReachKind.UNDECIDED: Phrase("Undecided"),
    }
)
_LACKED: Final = {
    ReachKind.NOVELTY: (Dimension.NOVELTY,),
    ReachKind.OUTCOME: (Dimension.OUTCOME_CONFIDENCE,),
    ReachKind.BOTH: (Dimension.OUTCOME_CONFIDENCE, Dimension.NOVELTY),
    ReachKind.STRUCTURE: (Dimension.COMPLEXITY, Dimension.TOOL_DIVERSITY),
}
_SHAPES: Final = {
    ReachKind.ACCEPTED: Shape.ACCEPTED,
    ReachKind.SCHEMA: Shape.NOT_SCORABLE,
    ReachKind.UNDECIDED: Shape.UNDECIDED,
}
_LEVERS: Final = {
    ChangeKind.SIMILARITY: Dimension.NOVELTY,
    ChangeKind.OUTCOME: Dimension.OUTCOME_CONFIDENCE,
    ChangeKind.TOOLS: Dimension.TOOL_DIVERSITY,
    ChangeKind.RECOVERIES: Dimension.COMPLEXITY,
    ChangeKind.OBSERVATIONS: Dimension.COMPLEXITY,
    ChangeKind.THOUGHTS: Dimension.COMPLEXITY,
}
_SPREAD_HEIGHT = 36
_LINES = 2
_BOX_HEIGHT, _TICK_HEIGHT = 8, 14
_COLUMN_GAP = 28
_GAP = 6
_LINE_HEIGHT = 20


def _reach_row(kind: ReachKind, summary: BatchSummary) -> Row:
    count, lacked = summary.reach[kind], _LACKED.get(kind, ())
    signs = (*map(badge, lacked), FigureCell())
    if not lacked:
        signs = FigureCell(mark=CellMark(_SHAPES[kind]), left=1), FigureCell()
    letters = say("lacks {letters}", letters=", ".join(DIMENSION_LETTERS[it] for it in lacked))
    first = replace(signs[0], said=letters if lacked else _REACH_WORDS[kind])
    name = FigureCell(_REACH_WORDS[kind], tooltip=REACH_PHRASES[kind])
    filters = Wish(Do.FILTER, f"needs:{kind}") if count else None
    counted = _counted(count, summary.total)
    return Row((first, signs[1], name, *counted), _ROW_HEIGHT, wish=filters)


def _lever_row(lever: TriedLever, rejected: int) -> Row:
    cells = (
        badge(_LEVERS[lever.kind]),
        FigureCell(lever_name(lever), tooltip=lever_name(lever)),
        *_counted(lever.passing, rejected),
    )
    filters = Wish(Do.FILTER, f"helps:{lever_term(lever.kind, lever.amount)}")
    return Row(cells, _ROW_HEIGHT, wish=filters)


def _one_of_each(levers: Sequence[TriedLever]) -> list[TriedLever]:
    """The best lever of each kind, the smallest of equally good ones; the best kind first."""
    best = [
        max((one for one in levers if one.kind is kind), key=lambda it: (it.passing, -it.amount))
        for kind in _LEVERS
    ]
    return sorted(best, key=lambda one: -one.passing)


def _counted(count: int, total: int) -> tuple[FigureCell, FigureCell]:
    bar, shown = CellBar(count / total if total else 0.0, height=6), shown_count(count)
    return FigureCell(bar=bar, left=8, said=shown), figure(shown)


def _spread_row(one: DimensionSpread, most: float) -> Row:
    both = (one.accepted, one.rejected)
    medians = tuple(UNKNOWN if spread is None else shown_value(spread.median) for spread in both)
    difference, whole = UNKNOWN, ""
    if one.difference is not None:
        difference = shown_signed(shown_value(one.difference)) if one.difference else "0"
        whole = shown_whole(one.difference)
    strong = one.difference is not None and 0.0 < most == abs(one.difference)
    name = DIMENSION_NAMES[one.dimension]
    said = "\n".join(_said(one))
    cells = (
        badge(one.dimension, BADGE_SIZE_LARGE),
        FigureCell(name, TextRole.NAME, tooltip=head_tip(name)),
        FigureCell(picture=_verdicts, said=say("accepted, rejected")),
        FigureCell(picture=partial(_plots, one.dimension, both), said=said, tooltip=said),
        FigureCell(picture=partial(_figures, medians), said=", ".join(medians)),
        FigureCell(
            difference, TextRole.PANE if strong else TextRole.BODY, figure=True, tooltip=whole
        ),
    )
    return Row(cells, _SPREAD_HEIGHT)


def _said(one: DimensionSpread) -> Iterator[str]:
    if one.accepted is not None:
        yield say("accepted: {values}", values=_values(one.accepted))
    if one.rejected is not None:
        yield say("rejected: {values}", values=_values(one.rejected))


def _values(spread: ValueSpread) -> str:
    return say_count(
        "{number} trace, {least} to {greatest}, half of them {lower} to {upper}",
        "{number} traces, {least} to {greatest}, half of them {lower} to {upper}",
        spread.count,
        least=shown_value(spread.least),
        greatest=shown_value(spread.greatest),
        lower=shown_value(spread.lower),
        upper=shown_value(spread.upper),
    )


def _halves(rect: QRect) -> tuple[QRect, QRect]:
    """The upper half of a row for accepted traces, the lower half for rejected ones."""
    half = (rect.height() - rect.height() * 4 // _SPREAD_HEIGHT) // _LINES
    top = rect.top() + (rect.height() - _LINES * half) // 2
    upper = QRect(rect.left(), top, rect.width(), half)
    return upper, upper.translated(0, half)


def _verdicts(painter: QPainter, rect: QRect, colours: Colours) -> None:
    for line, shape in zip(_halves(rect), (Shape.ACCEPTED, Shape.REJECTED), strict=True):
        side = rect.height() * STATE_SIZE // _SPREAD_HEIGHT
        paint_state(painter, centred(line, line.left(), side), shape, colours)


def _plots(
    dimension: Dimension,
    both: tuple[ValueSpread | None, ValueSpread | None],
    painter: QPainter,
    rect: QRect,
    colours: Colours,
) -> None:
    colour = colours.dimension(dimension)
    for line, spread in zip(_halves(rect), both, strict=True):
        if spread is not None:
            box, tick = (
                band(line, rect.height() * px // _SPREAD_HEIGHT)
                for px in (_BOX_HEIGHT, _TICK_HEIGHT)
            )
            fill(painter, span(band(line, 1), spread.least, spread.greatest), colours.text)
            fill(painter, span(box, spread.lower, spread.upper), colour)
            middle = span(tick, 0.0, spread.median).right()
            left = min(max(middle - 1, tick.left()), tick.right() - 1)
            fill(painter, QRectF(left, tick.top(), 2, tick.height()), colours.text)


def _figures(figures: Sequence[str], painter: QPainter, rect: QRect, colours: Colours) -> None:
    painter.setPen(colours.text)
    for line, shown in zip(_halves(rect), figures, strict=True):
        painter.drawText(line, RIGHT, shown)


class SummarySheet(Sheet):
    """What traces need, levers and spreads; rows, losses and rules filter the list when clicked."""

    def __init__(self, wish: Tell) -> None:
        super().__init__(say("Summary"))
        self._verdicts: dict[Verdict, tuple[QWidget, Label]] = {}
        for verdict in Verdict:
            part, mark, words = QWidget(), StateMark(), Label()
            mark.set_state(verdict, verdict_word(verdict))
            in_row(mark, words, on=part, margins=(_GAP, 0, 0, 0), spacing=_GAP)
            self._verdicts[verdict] = part, words
            self.header.addWidget(part)
        reach, levers = say("What they need to pass"), say("What would help most")
        two_badges, badges = (ColumnWidth(18), ColumnWidth(22)), (ColumnWidth(24),)
        self._reach, self._levers = (
            FigureTable((*first, *_SHARE), ({len(first) + 1},), name=name, head_height=_HEAD_HEIGHT)
            for first, name in ((two_badges, reach), (badges, levers))
        )
        columns = (
            ColumnWidth(26),
            ColumnWidth(98, fits=True, texts=tuple(DIMENSION_NAMES.values())),
            ColumnWidth(22),
            ColumnWidth(100, stretch=True),
            ColumnWidth(56),
            ColumnWidth(74, fits=True),
        )
        self._spreads = FigureTable(columns, name=say("Accepted against rejected"), head_height=20)
        for table in (self._reach, self._levers):
            table.row_activated.connect(wish)
        self.columns = TwoColumns(self._reach, self._levers, _COLUMN_GAP)
        self._counts = _CountLine(wish)
        parts = scrolled(self.columns, self._counts, Divider(), self._spreads)
        self.column.addWidget(parts, 1)
        self.columns.set_wide(wide=True)
        self.show_picture(None)

    def show_picture(self, picture: BatchPicture | None) -> None:
        """Show the summary of a picture; None while nothing is known."""
        for verdict, (part, words) in self._verdicts.items():
            number = 0 if picture is None else picture.summary.verdicts[verdict]
            words.setText(State(verdict).counted(number))
            usual = verdict is not Verdict.UNDECIDED
            part.setVisible(picture is not None and (number > 0 or usual))
        self._counts.set_summary(None if picture is None else picture.summary)
        if picture is None:
            for table in (self._reach, self._levers, self._spreads):
                table.set_rows((), [Head("")] * len(table.figures.heads))
            return
        summary, total = picture.summary, shown_count(picture.summary.total)
        reach = [
            _reach_row(kind, summary)
            for kind in _REACH_WORDS
            if kind is not ReachKind.UNDECIDED or summary.reach[kind]
        ]
        note = say("adds up to {total}", total=total)
        said = (say("sign"), say("name"), say("bar"), say("traces"))
        heads = heads_of(say("What they need to pass"), said[0], *said, notes=note)
        self._reach.set_rows(reach, heads)
        rejected = summary.verdicts[Verdict.REJECTED]
        helping = [one for one in _one_of_each(summary.levers) if one.passing]
        self._levers.setVisible(bool(helping))
        note = say_count("of {number} would pass", "of {number} would pass", rejected)
        levers = [_lever_row(one, rejected) for one in helping]
        self._levers.set_rows(levers, heads_of(say("What would help most"), *said, notes=note))
        apart = [abs(one.difference) for one in summary.spreads if one.difference is not None]
        most = max(apart, default=0.0)
        spreads = [_spread_row(one, most) for one in summary.spreads]
        spread_heads = (
            heading(say("letter"), say("Accepted against rejected")),
            Head(say("dimension")),
            Head(say("verdict")),
            Head(say("values from 0 to 1; the box holds half of them")),
            word_head(say("median"), figure=True),
            word_head(say("difference"), figure=True),
        )
        self._spreads.set_rows(spreads, spread_heads)


class _CountLine(QWidget):
    """The greatest losses and the fired rules, each a button that filters the list.

    Those that have no room are in the tooltip of the dots at the end.
    """

    def __init__(self, wish: Tell) -> None:
        super().__init__()
        self._wish = wish
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = in_row(on=self)
        self._parts: list[Label | FlatButton] = []
        self._more = Label("…", TextRole.CAPTION, second=True)
        self._shown: BatchSummary | None = None

    def set_summary(self, summary: BatchSummary | None) -> None:
        """Show the counts of a summary; None for none."""
        if summary == self._shown:
            return
        self._shown = summary
        while self._row.takeAt(0) is not None:
            pass
        for part in self._parts:
            part.hide()
            part.deleteLater()
        self._parts = []
        if summary is not None:
            self._fill(summary)
            self._row.addWidget(self._more)
            self._row.addStretch(1)
            self._fit()

    @override
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):  # zoom widens buttons
            self._fit()
        return done

    def _fit(self) -> None:
        widths = [part.sizeHint().width() for part in self._parts]
        dots = 0 if sum(widths) <= self.width() else self._more.sizeHint().width()
        fitting = sum(end + dots <= self.width() for end in accumulate(widths))
        for place, part in enumerate(self._parts):
            part.setVisible(place < fitting)
        self._more.setVisible(fitting < len(self._parts))
        self._more.setToolTip(say_list(part.text() for part in self._parts[fitting:]))

    def _fill(self, summary: BatchSummary) -> None:
        fired = [(rule, summary.rules[rule]) for rule in Rule if summary.rules[rule]]
        if summary.causes:
            self._put(Label(say("Greatest loss"), TextRole.CAPTION, second=True))
        for cause, count in summary.causes.most_common():
            wanted = f"state:{Verdict.REJECTED} loss:{cause}"
            if isinstance(cause, Gate):
                wanted = f"needs:{ReachKind.SCHEMA}"
            self._add(capitalised(cause_name(cause)), count, wanted)
        if fired:
            self._put(Label(say("Fired"), TextRole.CAPTION, second=True))
        for rule, count in fired:
            self._add(RULE_NAMES[rule], count, f"rule:{rule}")

    def _put(self, part: Label | FlatButton) -> None:
        self._parts.append(part)
        self._row.addWidget(part)

    def _add(self, name: str, count: int, text: str) -> None:
        words = say("{name} {count}", name=name, count=shown_count(count))
        button = FlatButton(text=words)
        button.set_role(TextRole.CAPTION)
        sized(button, QWidget.setFixedHeight, _LINE_HEIGHT)
        button.setToolTip(say("Show only these in the list"))
        button.clicked.connect(lambda: self._wish(Wish(Do.FILTER, text)))
        self._put(button)
