"""Scrolling pages of one or two columns, labels of several lines, and dialogs with sections."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QShowEvent,
    QTextCharFormat,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QGridLayout,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from kpinspector.trace.align import Span
from kpinspector.ui.controls.base import (
    CONTROL_HEIGHT,
    Drawing,
    ElidedLabel,
    FlatButton,
    Label,
    Picture,
    PushButton,
    fill_box,
    in_column,
    in_row,
    repolish,
)
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.painting import MarkedText, TextFont, broken, draw_marked
from kpinspector.ui.look.plain_text import set_tip, shown_text
from kpinspector.ui.look.theme import TextRole, colours, follow_zoom, scale
from kpinspector.words.sentences import Run, Sentence, text_of

_LONGEST = 1000
_USUAL_LINES = 2
_MOST_LINES = 5
_LINE_BREAK = "\N{LINE SEPARATOR}"
_LINE_PADDING = 3
_STRIP_HEIGHT = 38
_STRIP_PADDING = 16
_STRIP_GAP = 8
DIALOG_WIDTH = 560
RING_ROOM = 3
_SECTION_GAP = 12
_HEADING_GAP = 6
_ROW_GAP = 8
_LABEL_WIDTH = 112
_COLUMN_GAP = 12
_SPARE_HEIGHT = 80  # height of a screen that the desktop's frame and panels may take
_BELOW = QBoxLayout.Direction.TopToBottom
_BESIDE = QBoxLayout.Direction.LeftToRight
PADDING = 16
TWO_COLUMNS_FROM = 730
_GAP = 32
_PAGE_GAP = 8
_RING_ROOM = 4


class Divider(QWidget):
    """A line between two parts of a pane, with space above and below."""

    def __init__(self, padding: int = _LINE_PADDING) -> None:
        super().__init__()
        self.setProperty("bare", not padding)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(2 * padding + 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)


class Header(QWidget):
    """The header of a pane, with a line at its lower edge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


class Strip(QWidget):
    """A sign and the widgets in ``row``, on their own ground, with a line at the lower edge."""

    def __init__(self, sign_size: int, sign: Picture, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.row = in_row(Drawing(QSize(sign_size, sign_size), sign), on=self)
        follow_zoom(self, Strip._make_room)

    def _make_room(self) -> None:
        padding, gap, height = (
            scale(px, self.fontMetrics()) for px in (_STRIP_PADDING, _STRIP_GAP, _STRIP_HEIGHT)
        )
        self.row.setContentsMargins(padding, 5, gap, 6)
        self.row.setSpacing(gap)
        self.setMinimumHeight(height)


class SectionTitle(QWidget):
    """The title of a part of a pane, with an explaining tooltip, and a note at the right edge."""

    def __init__(self, text: str, note: str = "", *, tip: str = "") -> None:
        super().__init__()
        self._note = ElidedLabel(note, TextRole.CAPTION, second=True)
        title = Label(text, TextRole.HEADING)
        set_tip(title, tip)
        in_row(title, None, self._note, on=self, margins=(0, 4, 0, 2), spacing=None)

    def set_note(self, note: str) -> None:
        """Set the note at the right edge."""
        self._note.setText(note)


class WrappedLabel(Label):
    """A label that shows a whole text, on as many lines as it needs."""

    def __init__(self, text: str, role: TextRole = TextRole.BODY, *, second: bool = False) -> None:
        self._lines = 1
        super().__init__(shown_text(text, _LONGEST), role, second=second)
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def show_words(self, words: str) -> None:
        """Show a text; "" hides the label."""
        self.setText(words)
        self.setVisible(bool(words))

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, self._lines * self.fontMetrics().lineSpacing())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class SentenceLabel(WrappedLabel):
    """A sentence of which some parts are in demibold.

    Its height is at least that of ``lines`` lines; the text is cut after ``most``.
    """

    def __init__(self, lines: int = _USUAL_LINES, *, most: int = _MOST_LINES) -> None:
        super().__init__("")
        self._lines, self._most = lines, most
        self._sentence: Sentence = ()
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def set_sentence(self, sentence: Sentence) -> None:
        """Show a sentence; if it is cut, the tooltip has all of it."""
        self._sentence = tuple(
            [Run(shown_text(one.text, _LONGEST).replace("\n", " "), one.strong) for one in sentence]
        )
        self.setText(text_of(self._sentence))
        self._show_whole()
        self.updateGeometry()

    def emphasis(self) -> list[Span]:
        """The spans of the text that are in demibold."""
        spans, start = [], 0
        for run in self._sentence:
            if run.strong:
                spans.append((start, start + len(run.text)))
            start += len(run.text)
        return spans

    @override
    def heightForWidth(self, width: int) -> int:
        lines = min(self._most, max(self._lines, broken(self._laid(), width, self._most)[1]))
        return lines * self.fontMetrics().lineSpacing()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_whole()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        laid, room = self._laid(), self.rect()
        lines = min(broken(laid, self.width(), self._most)[1], self._most)
        room.setHeight(lines * self.fontMetrics().lineSpacing())
        if self.alignment() & Qt.AlignmentFlag.AlignVCenter:
            room.moveTop(max(0, (self.height() - room.height() + 1) // 2))
        ink = self.palette().color(self.foregroundRole())
        draw_marked(QPainter(self), room, laid, ink, lines)

    def _show_whole(self) -> None:
        cut = broken(self._laid(), self.width(), self._most)[1] > self._most
        set_tip(self, self.text() if cut else "")

    def _laid(self) -> MarkedText:
        style, look = TextFont(self.font(), self.fontMetrics()), QTextCharFormat()
        look.setFontWeight(QFont.Weight.DemiBold)
        text = self.text().replace("\n", _LINE_BREAK)
        return MarkedText(text, self.emphasis(), style, look)


def clear_layout(layout: QVBoxLayout | QGridLayout) -> None:
    """Remove and delete all widgets in a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class TwoColumns(QBoxLayout):
    """One column, or two of the same width with a gap between them."""

    def __init__(self, first: QWidget, second: QWidget, gap: int = 0) -> None:
        super().__init__(_BELOW)
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(0)
        for part in (first, second):
            self.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def wide(self) -> bool:
        """Whether the parts are side by side."""
        return self.direction() == _BESIDE

    def set_wide(self, *, wide: bool) -> bool:
        """Put the parts side by side, or below each other; return whether that has changed."""
        if wide == self.wide:
            return False
        self.setDirection(_BESIDE if wide else _BELOW)
        self.setSpacing(self._gap if wide else 0)
        for place in range(self.count()):
            self.setStretch(place, int(wide))
        return True


class SheetScroll(QScrollArea):
    """Scrolls its content up and down where it is too high.

    It takes the focus, by ``reached``, only if there is something to scroll; its scroll bar is
    accented then.
    """

    def __init__(
        self,
        content: QWidget | None = None,
        *,
        steady: bool = False,
        ground: QPalette.ColorRole = QPalette.ColorRole.Base,
        reached: Qt.FocusPolicy = Qt.FocusPolicy.StrongFocus,
    ) -> None:
        super().__init__()
        if steady:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setBackgroundRole(ground)
        self.verticalScrollBar().setProperty("desk", ground == QPalette.ColorRole.Window)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().rangeChanged.connect(
            lambda least, most: self.setFocusPolicy(
                reached if most > least else Qt.FocusPolicy.NoFocus
            )
        )
        if content is not None:
            self.setWidget(content)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_focused(focused=True)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_focused(focused=False)

    def _show_focused(self, *, focused: bool) -> None:
        """Show by the scroll bar that keys scroll the content, as nothing else shows the focus."""
        bar = self.verticalScrollBar()
        bar.setProperty("focused", focused)
        repolish(bar)


class _Column(QWidget):
    """A column of a page; its layout is ``parts``."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = in_column(on=self)


class ColumnPage(QWidget):
    """A page of one or two columns, with a line between two; or a hint in place of them."""

    def __init__(
        self, head: QWidget | None = None, *, gap: int = _GAP, wide_from: int = TWO_COLUMNS_FROM
    ) -> None:
        """Make an empty page; with gap 0 the columns must have their own margins.

        ``head`` stands above both columns, which are side by side from ``wide_from`` px on.
        """
        super().__init__()
        self._gap, self._wide_from = gap, wide_from
        self.hint = HintPage(padding=0 if gap else PADDING)
        self.first, self.second = _Column(), _Column()
        self._lines: list[tuple[Divider, QWidget]] = []
        self._columns = TwoColumns(self.first, self.second, gap)
        left, right = (PADDING, PADDING - SCROLL_BAR_WIDTH) if gap else (0, 0)
        parts = (self.hint, self._columns) if head is None else (self.hint, head, self._columns)
        in_column(*parts, None, on=self, margins=(left, 0, right, PADDING // 2))
        self.setBackgroundRole(QPalette.ColorRole.Base)

    def show_hint(self, sentence: str) -> None:
        """Show a sentence in place of the columns; "" shows the columns."""
        self.hint.set_sentence(sentence)
        self.hint.setVisible(bool(sentence))
        for column in (self.first, self.second):
            column.setVisible(not sentence)

    @property
    def wide(self) -> bool:
        """Whether the columns are side by side."""
        return self._columns.wide

    def add(self, column: _Column, *parts: QWidget) -> None:
        """Append parts to a column, each after a line."""
        for part in parts:
            self._lines.append((Divider(), part))
            fill_box(column.parts, *self._lines[-1])

    def move_last(self, column: _Column) -> None:
        """Move the last part that was added, with its line, to the end of a column."""
        for one in self._lines[-1]:
            column.parts.insertWidget(column.parts.count() - 1, one)

    def show_lines(self) -> None:
        """Show the lines before visible parts, except above the first part of a second column."""
        beside = self.second if self.wide else None
        for line, part in self._lines:
            seen = not part.isHidden()
            line.setVisible(seen and part.parentWidget() is not beside)
            if seen and part.parentWidget() is beside:
                beside = None

    def rearrange(self) -> None:
        """Called when the columns were put side by side, or below each other."""
        self.show_lines()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.wide and self.second.isVisible():
            place = self.second.geometry()
            left, top = place.left() - self._gap // 2, place.top()
            fill(QPainter(self), QRect(left, top, 1, self.height()), colours(self.palette()).line)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= scale(self._wide_from, self.fontMetrics())
        if self._columns.set_wide(wide=wide):
            self.rearrange()


class HintPage(QWidget):
    """A sentence at the top, which may be followed by a link."""

    def __init__(
        self,
        sentence: str = "",
        link: str = "",
        act: Callable[[], object] | None = None,
        *,
        padding: int = 0,
    ) -> None:
        """Make a page with a sentence; ``act`` is called when the link is clicked."""
        super().__init__()
        self._sentence = Label(sentence, second=True)
        row = in_row(margins=None, spacing=_RING_ROOM)
        if act is not None:
            button = FlatButton(text=link, link=True)
            button.clicked.connect(act)
            fill_box(row, self._sentence, button, None)
        else:
            self._sentence.setWordWrap(True)
            fill_box(row, (self._sentence, 1))
        margins = (padding, _PAGE_GAP, padding, _PAGE_GAP)
        in_column(row, None, on=self, margins=margins, spacing=None)

    def set_sentence(self, sentence: str) -> None:
        """Set the sentence."""
        self._sentence.setText(sentence)


class Rows(QWidget):
    """Rows of a form: names at the left, at the right widgets with a sentence below each."""

    def __init__(self, gap: int = _ROW_GAP) -> None:
        super().__init__()
        self._form = QFormLayout(self)
        # for the focus ring around a button at the right edge
        self._form.setContentsMargins(0, 0, RING_ROOM, 0)
        self._form.setHorizontalSpacing(scale(_COLUMN_GAP, self.fontMetrics()))
        self._form.setVerticalSpacing(scale(gap, self.fontMetrics()))
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)

    def add(
        self,
        name: str,
        content: QWidget | QLayout,
        below: QWidget | None = None,
        buddy: QWidget | None = None,
    ) -> None:
        """Append a row; the mnemonic of its name moves the focus to ``buddy``."""
        label = Label(name, second=True, buddy=buddy)
        label.setMinimumWidth(scale(_LABEL_WIDTH, self.fontMetrics()))
        label.setFixedHeight(scale(CONTROL_HEIGHT, self.fontMetrics()))
        self._form.addRow(label, in_column((content, 1), *([below] if below else ())))


class SectionDialog(QDialog):
    """A dialog of sections from top to bottom, which scroll on a small screen. Not modal by itself.

    Attributes:
        taller: Height that is added to what the sections need, when the dialog is first shown.
        column: The layout of the sections.
        scrolled: The scroll area around the sections.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._fitted = False
        self.taller = 0
        self._page = _Page()
        self._page.setBackgroundRole(QPalette.ColorRole.Base)
        side = scale(PADDING, self.fontMetrics())
        gap = scale(_SECTION_GAP, self.fontMetrics())
        self.column = in_column(on=self._page, margins=(side,) * 4, spacing=gap)
        # Tab goes to the fields, to which the area then scrolls
        self.scrolled = SheetScroll(self._page, reached=Qt.FocusPolicy.ClickFocus)
        self.scrolled.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._buttons = QDialogButtonBox()
        self._buttons.setContentsMargins(RING_ROOM, RING_ROOM, RING_ROOM, RING_ROOM)
        above, around = gap - RING_ROOM, side - RING_ROOM
        margins = (around, above, around, around)
        self._foot = in_row(self._buttons, margins=margins, spacing=None)
        in_column((self.scrolled, 1), Divider(0), self._foot, on=self)
        self.setMinimumWidth(scale(DIALOG_WIDTH, self.fontMetrics()))

    def add_section(
        self,
        title: str,
        parts: Sequence[QWidget],
        *,
        note: QWidget | None = None,
        grows: bool = False,
    ) -> None:
        """Append a section, whose title may be ""; with ``grows`` it takes spare height."""
        if self.column.count():
            self.column.addWidget(Divider(0))
        section = in_column(margins=None, spacing=scale(_HEADING_GAP, self.fontMetrics()))
        if title:
            head = in_row(Label(title, TextRole.HEADING), None, margins=None, spacing=None)
            if note is not None:
                head.addWidget(note)
            section.addLayout(head)
        fill_box(section, *parts)
        self.column.addLayout(section, 1 if grows else 0)

    def add_button(self, button: PushButton, role: QDialogButtonBox.ButtonRole) -> PushButton:
        """Add a button in the place that the platform gives to its role."""
        button.setAutoDefault(False)
        self._buttons.addButton(button, role)
        return button

    def add_close(self, text: str) -> None:
        """Add the primary button of a dialog that only shows things, which closes the dialog."""
        close = PushButton(text, primary=True)
        self.add_button(close, QDialogButtonBox.ButtonRole.RejectRole).clicked.connect(self.close)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        if not self._fitted:
            self._fitted = True
            self.scrolled.setAccessibleName(self.windowTitle())
            self.resize(self._fitting())
        super().showEvent(event)

    def _fitting(self) -> QSize:
        """The dialog's first size: the height that the sections need, limited by the screen."""
        width = self.minimumWidth()
        # as beside a scroll bar, which otherwise would be needed only because it is there
        page = self.column.totalHeightForWidth(width - SCROLL_BAR_WIDTH)
        if page < 0:
            page = self._page.sizeHint().height()
        foot = self._foot.sizeHint().height() + 1
        most = self.screen().availableGeometry().height() - _SPARE_HEIGHT
        return QSize(width, min(page + foot + self.taller, most))


class _Page(QWidget):
    """The page of the sections; if it has wrapped text, its height follows from its width."""

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0) if self.hasHeightForWidth() else super().minimumSizeHint()
