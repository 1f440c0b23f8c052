"""Messages that stay until they are closed; one is visible, at first the newest."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import FlatButton, fill_box, in_column
from kpinspector.ui.look.marks import STATE_SIZE, IconName, Shape, paint_state
from kpinspector.ui.look.plain_text import shown_text
from kpinspector.ui.look.theme import Colours
from kpinspector.ui.parts.sections import SentenceLabel, Strip
from kpinspector.words.say import say
from kpinspector.words.sentences import Run

_GAP = 8
_DETAIL_LENGTH = 2000
_DETAIL_LINES = 12
_MOST_LINES = 1000


@dataclass(frozen=True, slots=True)
class MessageAction:
    """An action that a message offers: its word, and the function that it calls."""

    word: str
    act: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Message:
    """A message of one sentence, in plain text.

    Attributes:
        lead: The first words of the text, shown in demibold; "" for none.
        key: A message replaces the one with the same key; an empty key replaces none.
        fault: Whether something went wrong; otherwise it is only to be known.
        detail: Text that is shown below on request, such as the paths that were counted.
    """

    text: str
    actions: tuple[MessageAction, ...] = ()
    lead: str = ""
    key: str = ""
    detail: str = ""
    fault: bool = True


class MessageBar(QWidget):
    """Shows the messages above a view; hidden while there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._messages: list[Message] = []
        self._row: _Row | None = None
        self._place = 0
        self._before: QWidget | None = None
        self.setAccessibleName(say("Messages"))
        # its row reports the height of one line as its largest height
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._column = in_column(on=self)
        self.hide()

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages, the newest first."""
        return tuple(self._messages)

    def follow(self, widget: QWidget) -> None:
        """Make the messages follow this widget in the tab order."""
        self._before = widget

    def show_message(self, message: Message) -> None:
        """Show a message, as the newest."""
        if message.key:
            self._messages = [m for m in self._messages if m.key != message.key]
        self._messages.insert(0, message)
        self._show(0)
        if self._row is not None:
            alert = QAccessibleEvent(self._row, QAccessible.Event.Alert)
            QAccessible.updateAccessibility(alert)

    def close_message(self, message: Message) -> None:
        """Remove a message, because its cause is gone or the user has read it."""
        if message in self._messages:
            self._messages.remove(message)
            self._show(self._place)

    def close_key(self, key: str) -> None:
        """Remove the message that has this key, if there is one."""
        for message in self.messages:
            if message.key == key:
                self.close_message(message)

    def show_next(self) -> None:
        """Show the next message; after the last comes the first."""
        self._show(self._place + 1)

    def _show(self, place: int) -> None:
        number, old = len(self._messages), self._row
        self._place = place % max(1, number)
        self.setVisible(bool(number))
        shown = self._messages[self._place] if number else None
        focused = False
        if old is not None and old.message is not shown:
            focused = any(button.hasFocus() for button in old.findChildren(FlatButton))
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
            self._row = None
        if shown is not None and self._row is None:
            self._row = _Row(shown, self)
            self._column.addWidget(self._row)
            self._row.show()
            if self._before is not None:
                stops = self._row.findChildren(FlatButton)
                for stop, following in pairwise((self._before, *stops)):
                    self.setTabOrder(stop, following)
            if focused:
                self._row.close_button.setFocus()
        if self._row is not None:
            shown_place, whole = f"{self._place + 1:,}", f"{number:,}"
            self._row.more.setText(say("{place} of {number}", place=shown_place, number=whole))
            self._row.more.setVisible(number > 1)


class _Row(Strip):
    """A message's symbol, sentence and buttons; ``more`` tells its place and shows the next."""

    def __init__(self, message: Message, bar: MessageBar) -> None:
        self.message = message
        shape = Shape.NOT_SCORABLE if message.fault else Shape.SKIPPED

        def paint(painter: QPainter, place: QRect, found: Colours) -> None:
            paint_state(painter, place, shape, found)

        super().__init__(STATE_SIZE + 2, paint, bar)
        self.setAccessibleName(message.text)
        self._sentence = _Sentence(message)
        self.more = FlatButton(text="1", link=True, parent=self)
        self.more.setToolTip(say("Show the next message"))
        self.more.clicked.connect(bar.show_next)
        fill_box(self.row, (self._sentence, 1), self.more)
        if message.detail:
            details = FlatButton(text=say("Details"), link=True, parent=self)
            details.setCheckable(True)
            details.toggled.connect(self._on_details_toggled)
            self.row.addWidget(details)
        for action in message.actions:
            button = FlatButton(text=action.word, link=True, parent=self)
            button.clicked.connect(action.act)
            self.row.addWidget(button)
        self.close_button = FlatButton(IconName.CLOSE, name=say("Close This Message"), parent=self)
        self.close_button.clicked.connect(lambda: bar.close_message(message))
        self.row.addWidget(self.close_button)

    def _on_details_toggled(self, shown: bool) -> None:  # noqa: FBT001
        message = self.message
        lines = shown_text(message.detail, _DETAIL_LENGTH).splitlines()[:_DETAIL_LINES]
        self._sentence.show_text("\n".join((message.text, *lines)) if shown else message.text)
        self.setAccessibleDescription("\n".join(lines) if shown else "")


class _Sentence(SentenceLabel):
    """The text of a message, with its first words in demibold, on as many lines as it needs."""

    def __init__(self, message: Message) -> None:
        super().__init__(1, most=_MOST_LINES)
        self._lead = message.lead if message.text.startswith(message.lead) else ""
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.show_text(message.text)
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
        self.setSizePolicy(policy)

    def show_text(self, text: str) -> None:
        """Show the message's text, which may have detail below it."""
        self._sentence = (Run(self._lead, strong=True), Run(text.removeprefix(self._lead)))
        self.setText(text)
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text()) + _GAP
        return QSize(width, self.fontMetrics().height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 20, self.fontMetrics().height())
