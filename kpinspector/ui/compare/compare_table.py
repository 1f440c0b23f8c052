"""The scores of two traces, term by term, and the share of each term in their difference."""

from functools import partial

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.ui.look.marks import fill, span
from kpinspector.ui.look.painting import band
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.score.dimension_table import MARK_COLUMN, letter_badge, name_column
from kpinspector.ui.tables.figure_model import FigureCell, Head, Picture, Row, heading
from kpinspector.ui.tables.figure_table import COLUMN_GAP, ColumnWidth, FigureTable
from kpinspector.words.comparison import Differences, OverrideDifference, SideBySide, TermDifference
from kpinspector.words.figures import shown_whole
from kpinspector.words.say import say
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_NAMES

_ROW_HEIGHT = 26
_HEAD_HEIGHT = 18
_BAR_HEIGHT = 8
_LONGEST_NAME = 16
_LEFT_VALUE, _RIGHT_VALUE, _BAR = 2, 4, 6
_WAYS = ({_BAR}, {_LEFT_VALUE, _RIGHT_VALUE}, {_LEFT_VALUE, _RIGHT_VALUE, _BAR})


class CompareTable(FigureTable):
    """A row for each dimension, for each override that fired, and for the score."""

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = (
            MARK_COLUMN,
            name_column(),
            ColumnWidth(58, fits=True),
            ColumnWidth(66, fits=True),
            ColumnWidth(58, fits=True),
            ColumnWidth(66, fits=True),
            ColumnWidth(60, stretch=True),
            ColumnWidth(66, fits=True),
        )
        super().__init__(columns, _WAYS, parent)
        self.setAccessibleName(say("Dimensions of both traces"))

    def set_comparison(self, comparison: SideBySide) -> None:
        """Show both scores, once they are known."""
        found = comparison.differences
        names = (comparison.left.name, comparison.right.name)
        if found is None:
            self.set_rows((), self._heads(names))
            return
        exact = [one.exact or 0.0 for one in found.terms]
        exact += [one.exact or 0.0 for one in found.overrides]
        most = max(map(abs, exact))
        rows = [self._captions()]
        rows += [self._term(one, most) for one in found.terms]
        rows += [self._override(one, most) for one in found.overrides]
        rows.append(self._score(found))
        self.set_rows(rows, self._heads(names))

    def _heads(self, names: tuple[str, str]) -> tuple[Head, ...]:
        left, right = names
        return (
            heading(say("letter"), say("Dimensions")),
            Head(say("dimension")),
            Head(say("{name}, value", name=left)),
            _name_head(say("{name}, adds", name=left), left),
            Head(say("{name}, value", name=right)),
            _name_head(say("{name}, adds", name=right), right),
            Head(say("bar")),
            Head(say("difference")),
        )

    def _captions(self) -> Row:
        value, adds = say("value"), say("adds")
        words = ("", "", value, adds, value, adds, "", say("difference"))
        cells = tuple(
            FigureCell(word, TextRole.CAPTION, second=True, figure=True) for word in words
        )
        return Row(cells, _HEAD_HEIGHT)

    def _term(self, term: TermDifference, most: float) -> Row:
        name = DIMENSION_NAMES[term.dimension]
        values = (term.left.value, term.left.adds, term.right.value, term.right.adds)
        cells = (
            FigureCell(
                DIMENSION_LETTERS[term.dimension], picture=partial(letter_badge, term.dimension)
            ),
            FigureCell(name, TextRole.NAME, tooltip=name),
            *(FigureCell(value, figure=True) for value in values),
        )
        bar = partial(_bar, term.dimension, (term.exact or 0.0) / most if most else 0.0)
        return Row((*cells, *_difference(term.shown, term.exact, most, bar)), _ROW_HEIGHT)

    def _override(self, one: OverrideDifference, most: float) -> Row:
        name = RULE_NAMES[one.rule]
        not_fired = say("not fired")
        cells = (
            FigureCell(),
            FigureCell(name, TextRole.NAME, tooltip=name),
            FigureCell(),
            FigureCell(one.left, figure=True, said=one.left or not_fired),
            FigureCell(),
            FigureCell(one.right, figure=True, said=one.right or not_fired),
        )
        bar = partial(_bar, None, (one.exact or 0.0) / most if most else 0.0)
        return Row((*cells, *_difference(one.shown, one.exact, most, bar)), _ROW_HEIGHT)

    def _score(self, found: Differences) -> Row:
        pane = TextRole.PANE
        cells = (
            FigureCell(),
            FigureCell(say("Score"), pane),
            FigureCell(),
            FigureCell(found.left.score, pane, figure=True),
            FigureCell(),
            FigureCell(found.right.score, pane, figure=True),
            FigureCell(),
            FigureCell(found.shown, pane, figure=True, tooltip=_whole(found.exact)),
        )
        return Row(cells, _ROW_HEIGHT, line_above=True)


def _name_head(said: str, name: str) -> Head:
    """A side's name over its two columns, which do not grow for it."""
    shown = one_line(name, _LONGEST_NAME)
    return Head(said, shown, TextRole.HEADING, second=False, note=True)


def _difference(
    shown: str, exact: float | None, most: float, bar: Picture
) -> tuple[FigureCell, FigureCell]:
    """The bar and its figure; the largest is the strong one."""
    role = TextRole.PANE if 0.0 < most == abs(exact or 0.0) else TextRole.BODY
    figure = FigureCell(shown, role, second=exact == 0.0, figure=True, tooltip=_whole(exact))
    return FigureCell(picture=bar, said=shown), figure


def _whole(exact: float | None) -> str:
    """All digits of a figure; none for a range."""
    return "" if exact is None else shown_whole(exact)


def _bar(
    dimension: Dimension | None, share: float, painter: QPainter, rect: QRect, colours: Colours
) -> None:
    """A bar from the middle to its share of one half; to the left where the right side is less."""
    room = rect.adjusted(rect.height() * COLUMN_GAP // _ROW_HEIGHT, 0, 0, 0)
    fill(painter, QRect(room.center().x(), room.top(), 1, room.height()), colours.button_edge)
    height = room.height() * _BAR_HEIGHT // _ROW_HEIGHT
    box = band(room, height)
    colour = colours.neutral if dimension is None else colours.dimension(dimension)
    fill(painter, span(box, 0.5, 0.5 + share / 2), colour)
