"""Two sheets with tables: the groups of the open traces, and the plan of what to contribute."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from kpinspector.app.batches import BatchPicture
from kpinspector.app.values import State
from kpinspector.batch.groups import TraceGroup
from kpinspector.batch.plan import LeftOut, Nearest, PlannedTrace
from kpinspector.ui.batch import Sheet, name_cell, scrolled, trace_cells
from kpinspector.ui.controls.base import ElidedLabel, in_row, in_stack
from kpinspector.ui.controls.chips import ChipBar, ChipSpec
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.marks import ICON_SIZE, IconName
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.panes import Do, Tell, Wish
from kpinspector.ui.parts.sections import PADDING, Divider, HintPage, SectionTitle
from kpinspector.ui.tables.figure_model import CellMark, FigureCell, Head, Row, figure, word_head
from kpinspector.ui.tables.figure_table import ColumnWidth, Few, FigureTable, Stops, fitting
from kpinspector.ui.traces.trace_row import TraceRow
from kpinspector.words.batch import (
    BatchNames,
    groups_note,
    in_common,
    left_out_note,
    plan_note,
    spread_figures,
    why_left_out,
)
from kpinspector.words.figures import UNKNOWN, shown_count, shown_number, shown_score
from kpinspector.words.say import say, say_count
from kpinspector.words.sentences import verdict_word

_ROW_HEIGHT, _GROUP_HEIGHT = 26, 44
_NAME = 2
_SIGN_GAP = 8
_FIRST_CHOSEN = 5
_CHOSEN_COLUMNS = (
    *fitting(24),
    ColumnWidth(_SIGN_GAP + 22),
    ColumnWidth(80, fits=True, elides=True),
    *fitting(64),
    ColumnWidth(20),
    ColumnWidth(60, stretch=True),
    *fitting(58),
)
_LEFT_OUT_COLUMNS = (
    ColumnWidth(24),
    *_CHOSEN_COLUMNS[1:3],
    ColumnWidth(220, stretch=True),
    *fitting(58),
)
_GROUP_COLUMNS = (ColumnWidth(22), ColumnWidth(120, stretch=True), *fitting(40, 68, 40, 40, 58))
_BOTH, _CHOSEN, _LEFT_OUT = "both", "chosen", "left_out"
_ALONE = "alone"


def _group_rows(picture: BatchPicture, *, opened: bool) -> Iterator[Row]:
    """Rows for groups of two or more, a row that unfolds single traces, and a row for the total."""
    groups = () if picture.grouped is None else picture.grouped.groups
    numbered = [*enumerate(groups)]
    alone = [one for one in groups if one.spread is None]
    for number, group in numbered:
        if group.spread is not None:
            yield _group_row(picture, number, group)
    if alone:
        words, icon = say("Alone"), IconName.CHEVRON_RIGHT
        said = say("{name}, closed", name=words)
        if opened:
            said, icon = say("{name}, opened", name=words), IconName.CHEVRON_DOWN
        first = (FigureCell(mark=CellMark(icon), second=True), FigureCell(words, said=said))
        last = (*_counts(picture, alone, UNKNOWN), figure(UNKNOWN))
        yield Row((*first, *last), _ROW_HEIGHT, line_above=True, wish=_ALONE, opened=opened)
    for number, group in numbered:
        if group.spread is None and opened:
            yield _group_row(picture, number, group)
    together = (replace(one, role=TextRole.PANE) for one in _counts(picture, groups, ""))
    name = FigureCell(say("Together"), TextRole.NAME)
    yield Row((FigureCell(), name, *together, figure("")), _ROW_HEIGHT)


def _group_row(picture: BatchPicture, number: int, group: TraceGroup) -> Row:
    one = group.representative
    trace = TraceRow(picture.documents[one], picture.names[one])
    if group.spread is None:
        figures = (*_counts(picture, [group], UNKNOWN), figure(trace.score_text))
        return Row((*trace_cells(trace), *figures), _ROW_HEIGHT, wish=number)
    counts = _counts(picture, [group], spread_figures(group.spread))
    above = (replace(one, below=FigureCell()) for one in (*counts, figure(trace.score_text)))
    cells = (*trace_cells(trace, one_line(in_common(group))), *above)
    return Row(cells, _GROUP_HEIGHT, wish=number)


def _counts(
    picture: BatchPicture, groups: Sequence[TraceGroup], spread: str
) -> Iterator[FigureCell]:
    """Cells with size, spread, accepted and planned traces of these groups together."""
    members = [picture.documents[trace] for one in groups for trace in one.members]
    accepted = sum(one.state is State.ACCEPTED for one in members)
    planned = sum(one.planned for one in groups)
    shown = UNKNOWN if picture.plan is None else shown_count(planned)
    return map(figure, (shown_count(len(members)), spread, shown_count(accepted), shown))


def _group_heads() -> Iterator[Head]:
    tip = say("The first of its group in the plan, or else its best")
    yield Head(say("Representative"), say("Representative"), figure=False, tip=tip)
    tips = {
        say("size"): say("How many traces are in the group"),
        say("spread"): say("How similar its traces are to each other, at least and at most"),
        say("accepted"): say("How many of its traces pass in the order of the files"),
        say("planned"): say("How many of its traces are in the plan"),
        say("score"): "",
    }
    for word, tip in tips.items():
        yield Head(word, word, tip=tip)


class GroupSheet(Sheet):
    """The groups, each with the trace that stands for it; one group or none is chosen.

    Return or a double click shows that trace. Traces alone in their groups are folded away.
    """

    def __init__(self, wish: Tell) -> None:
        super().__init__(say("Groups"))
        self._wish = wish
        self._picture: BatchPicture | None = None
        self._groups: Sequence[TraceGroup] = ()
        self._opened = False
        name, ways, stops = say("Groups"), ({6}, {6, 3}), Stops.ONE_OR_NONE
        self._table = FigureTable(_GROUP_COLUMNS, ways, name=name, stops=stops)
        self._table.scroll_by_itself()
        self._table.set_rows((), (Head(""), *_group_heads()))
        self._alone = ElidedLabel("", TextRole.CAPTION, second=True)
        self.header.addWidget(self._alone)
        inset = QWidget()
        in_row(self._table, on=inset, margins=(PADDING, 0, PADDING - SCROLL_BAR_WIDTH, 0))
        hint = say("The groups are shown once all open traces are compared with each other.")
        self._pages = in_stack(self.column, HintPage(hint, padding=PADDING), inset)
        self._table.chosen_changed.connect(lambda: wish(Wish(Do.TAKE_GROUP, self._table.chosen)))
        self._table.row_activated.connect(self._on_activated)

    def show_picture(self, picture: BatchPicture | None) -> None:
        """Show the groups of a picture; no group is chosen then."""
        self._picture = picture
        grouped = None if picture is None else picture.grouped
        self._groups = groups = () if grouped is None else grouped.groups
        self.note.setText(shown_count(len(groups)) if groups else "")
        sizes = tuple(len(one.members) for one in groups)
        self._alone.setText(groups_note(sizes) if groups else "")
        self._table.choose(None)
        self._show_rows()
        self._pages.setCurrentIndex(int(bool(groups)))

    def set_group(self, group: int | None) -> None:
        """Choose a group, without emitting a wish; None for no group."""
        if group is not None and self._groups[group].spread is None and not self._opened:
            self._opened = True
            self._show_rows()
        self._table.choose(group)

    def _show_rows(self) -> None:
        rows: Iterable[Row] = ()
        if self._picture is not None and self._groups:
            rows = _group_rows(self._picture, opened=self._opened)
        self._table.set_rows([*rows])

    def _on_activated(self, wish: object) -> None:
        if isinstance(wish, int):
            self._wish(Wish(Do.SHOW, self._groups[wish].representative))
        else:
            self._opened = not self._opened
            self._show_rows()


def _more_left_out(number: int) -> str:
    return say_count("{number} more", "{number} more", number)


def _more_chosen(number: int) -> str:
    first, last = shown_count(_FIRST_CHOSEN + 1), shown_count(_FIRST_CHOSEN + number)
    return say_count(
        "{number} more, places {first} to {last}",
        "{number} more, places {first} to {last}",
        number,
        first=first,
        last=last,
    )


def _chosen_row(place: int, planned: PlannedTrace, names: BatchNames, *, kept: bool) -> Row:
    judged, nearest = planned.assessment, FigureCell(say("none yet: novelty 0.5"), second=True)
    sign = FigureCell(
        mark=CellMark(judged.verdict), left=_SIGN_GAP, said=verdict_word(judged.verdict)
    )
    if planned.nearest is not None:
        name = names.of(planned.nearest)
        nearest = replace(name_cell(name), role=TextRole.BODY)
    cells = (
        FigureCell(shown_count(place), figure=True, second=True),
        _kept() if kept else sign,
        name_cell(names.candidates[planned.candidate]),
        figure(shown_score(judged.score, judged.threshold), judged.score),
        FigureCell(),
        nearest,
        _similarity_cell(planned.nearest),
    )
    return Row(cells, _ROW_HEIGHT, wish=Wish(Do.SHOW, planned.candidate))


def _left_out_row(left: LeftOut, names: BatchNames, threshold: float, *, kept: bool) -> Row:
    reason = one_line(why_left_out(left, names, threshold))
    told = [FigureCell(reason, tooltip=reason, left=_SIGN_GAP, span=2)]
    if left.nearest is not None:
        told = [replace(told[0], span=1), _similarity_cell(left.nearest)]
    name = name_cell(names.candidates[left.candidate])
    cells = (FigureCell(), _kept() if kept else FigureCell(), name, *told)
    return Row(cells, _ROW_HEIGHT, wish=Wish(Do.SHOW, left.candidate))


def _kept() -> FigureCell:
    mark = CellMark(IconName.LOCK, ICON_SIZE)
    return FigureCell(mark=mark, second=True, left=_SIGN_GAP, said=say("kept"))


def _similarity_cell(nearest: Nearest | None) -> FigureCell:
    if nearest is None:
        return figure(UNKNOWN, second=True)
    return figure(shown_number(nearest.similarity), nearest.similarity)


class PlanSheet(Sheet):
    """The traces that the plan chooses, and those that it leaves out; chips show only one kind.

    A menu and its keys keep the current trace in the plan, leave it out, or take that back.
    """

    def __init__(self, wish: Tell) -> None:
        super().__init__(say("Plan"))
        self._chips = ChipBar(
            (
                ChipSpec(_BOTH, say("Both")),
                ChipSpec(_CHOSEN, say("Chosen")),
                ChipSpec(_LEFT_OUT, say("Left out")),
            )
        )
        self._chips.chip_chosen.connect(self._on_chip_chosen)
        self.header.addWidget(self._chips)
        said = (say("place"), say("kept"), say("Trace"), say("reason"), say("similarity"))
        heads = (
            word_head("#", figure=True),
            Head(say("verdict")),
            word_head(say("Trace")),
            word_head(say("score at its place"), figure=True),
            Head(say("gap")),
            word_head(say("most similar before it")),
            word_head(say("similarity"), figure=True),
        )
        few = Few(_FIRST_CHOSEN, _NAME, _ROW_HEIGHT, _more_chosen)
        self._chosen = FigureTable(_CHOSEN_COLUMNS, ({4, 5},), name=say("Chosen"), few=few)
        few = Few(20, _NAME, _ROW_HEIGHT, _more_left_out)
        name = say("Left out")
        self._left_out = FigureTable(_LEFT_OUT_COLUMNS, name=name, head_height=0, few=few)
        self._chosen.set_rows((), heads)
        self._left_out.set_rows((), [*map(Head, said)])
        self._wish, self._wished = wish, dict[int, Do]()
        self._actions = {
            Do.KEEP: QAction(say("&Keep"), self, shortcut=QKeySequence("+")),
            Do.LEAVE_OUT: QAction(say("&Leave Out"), self, shortcut=QKeySequence("-")),
        }
        self._actions[Do.KEEP].setToolTip(say("Have this trace in the plan, if it can be"))
        self._actions[Do.LEAVE_OUT].setToolTip(say("Have this trace not in the plan"))
        self._menu = QMenu(self, toolTipsVisible=True)
        for do, action in self._actions.items():
            action.setCheckable(True)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(partial(self._tell, do))
            for place in (self._chosen, self._left_out, self._menu):
                place.addAction(action)
        for table in (self._chosen, self._left_out):
            table.row_activated.connect(wish)
            table.menu_of = self._menu_of
        self._divider, self._title = Divider(), SectionTitle(say("Left out"))
        parts = scrolled(self._chosen, self._divider, self._title, self._left_out)
        hint = say("The plan is shown once all open traces are compared with each other.")
        self._pages = in_stack(self.column, HintPage(hint, padding=PADDING), parts)
        self.show_picture(None)

    def show_picture(self, picture: BatchPicture | None) -> None:
        """Show the plan of a picture; None while nothing is known."""
        plan = None if picture is None else picture.plan
        at_best = None if picture is None else picture.at_best
        self.note.setText("" if plan is None else plan_note(plan, at_best))
        self._title.set_note("" if plan is None else left_out_note(plan.left_out))
        counts = {} if plan is None else {_CHOSEN: len(plan.chosen), _LEFT_OUT: len(plan.left_out)}
        self._chips.set_counts(counts)
        self._chips.setEnabled(plan is not None)
        self._pages.setCurrentIndex(int(plan is not None))
        chosen: list[Row] = []
        left: list[Row] = []
        self._wished = {}
        if picture is None:
            self._chosen.all_shown = self._left_out.all_shown = False
        elif plan is not None and picture.batch is not None:
            documents, names = picture.documents, BatchNames(picture.batch, picture.names)
            threshold = documents[0].rules.threshold
            self._wished = {
                at: Do.KEEP if picture.wished[one.number] else Do.LEAVE_OUT
                for at, one in enumerate(documents)
                if one.number in picture.wished
            }
            held = {at for at, do in self._wished.items() if do is Do.KEEP}
            chosen = [
                _chosen_row(place, one, names, kept=one.candidate in held)
                for place, one in enumerate(plan.chosen, 1)
            ]
            left = [
                _left_out_row(one, names, threshold, kept=one.candidate in held)
                for one in plan.left_out
            ]
        self._chosen.set_rows(chosen)
        self._left_out.set_rows(left)
        self._show_parts()

    def _tell(self, do: Do) -> None:
        """Emit the wish of an action for the current trace, or take it back if it is in force."""
        wish = (self._left_out if self._left_out.hasFocus() else self._chosen).current
        if isinstance(wish, Wish):
            known = self._wished.get(wish.of) is do
            self._wish(Wish(Do.WISH_NOTHING if known else do, wish.of))

    def _menu_of(self, wish: object) -> QMenu | None:
        if not isinstance(wish, Wish):
            return None
        for do, action in self._actions.items():
            action.setChecked(self._wished.get(wish.of) is do)
        return self._menu

    def _on_chip_chosen(self, key: str) -> None:
        self._chosen.show_all(shown=key == _CHOSEN)
        self._left_out.show_all(shown=key == _LEFT_OUT)
        self._show_parts()

    def _show_parts(self) -> None:
        chosen = self._chips.chosen
        has_left = self._left_out.figures.rowCount() > 0
        self._chosen.setVisible(chosen != _LEFT_OUT)
        self._left_out.setVisible(chosen != _CHOSEN)
        self._title.setVisible(chosen != _CHOSEN and has_left)
        self._divider.setVisible(chosen == _BOTH and has_left)
