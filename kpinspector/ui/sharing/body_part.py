"""The body that would be posted: folded to a line, unfolded in place, copied and saved whole."""

import json
import re

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.sharing.answer import Sharing
from kpinspector.trace.javascript import JsonValue
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label, Ringed
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import TextRole, colours, scale, sized, typed
from kpinspector.ui.parts.plain_value import PlainValue
from kpinspector.ui.steps.step_detail import cut_words
from kpinspector.ui.steps.step_fields import json_head
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say
from kpinspector.words.sharing import size_words

_FOLD_HEIGHT, _BODY_HEIGHT = 22, 260
_CHEVRON, _INDENT = 12, 18
_MOST_SHOWN = 100_000
_UNSEEN = re.compile(r"[^\n -~]")


class BodyPart(QWidget):
    """A body as JSON; all that is found in it is masked here, and only here."""

    save_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._sharing: Sharing | None = None
        self._size = ElidedLabel(role=TextRole.CAPTION, second=True)
        self.copy = FlatButton(text=say("Copy"), name=say("Copy Body"), link=True)
        self.save = FlatButton(text=say("Save…"), name=say("Save Body…"), link=True)
        self._fold = _FoldLine()
        self._text = PlainValue(say("Body that would be posted"), TextRole.FIXED)
        self._text.set_wrapped(wrapped=True)
        sized(self._text, QWidget.setFixedHeight, _BODY_HEIGHT)
        self._text.hide()
        title = QHBoxLayout()
        title.setSpacing(0)
        title.addWidget(Label(say("Body that would be posted"), TextRole.HEADING))
        title.addStretch(1)
        for widget in (self._size, self.copy, self.save):
            title.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(title)
        layout.addWidget(self._fold)
        layout.addWidget(self._text)
        self.copy.clicked.connect(self._on_copied)
        self.save.clicked.connect(self.save_wanted)
        self._fold.toggled.connect(self._on_unfolded)

    def set_sharing(self, sharing: Sharing) -> None:
        """Show the body that one way posts; nothing where it posts none."""
        body = sharing.body
        self.setVisible(body is not None)
        self._sharing = sharing
        if body is not None:
            self._size.setText(size_words(sharing))
            self._fold.setText(_folded(sharing))
            self._on_unfolded(self._fold.isChecked())

    @property
    def shown(self) -> str:
        """What stands there unfolded."""
        return self._text.toPlainText()

    @Slot()
    def _on_copied(self) -> None:
        if self._sharing is not None and self._sharing.posting.body is not None:
            QGuiApplication.clipboard().setText(self._sharing.posting.body)

    @Slot(bool)
    def _on_unfolded(self, unfolded: bool) -> None:  # noqa: FBT001 - a slot
        self._text.setVisible(unfolded)
        text = _indented(self._sharing.masked_body) if unfolded and self._sharing else ""
        if text != self.shown:
            self._text.setPlainText(text)


class _FoldLine(Ringed, QToolButton):
    """A line of folded JSON behind a chevron that unfolds it."""

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        typed(self, TextRole.FIXED)

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, scale(_FOLD_HEIGHT, self.fontMetrics()))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found, metrics = QPainter(self), colours(self.palette()), self.fontMetrics()
        icon = IconName.CHEVRON_DOWN if self.isChecked() else IconName.CHEVRON_RIGHT
        side, indent = scale(_CHEVRON, metrics), scale(_INDENT, metrics)
        paint_icon(painter, QRect(0, 0, side, self.height()), icon, found.second)
        room = self.rect().adjusted(indent, 0, 0, 0)
        shown = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(found.text)
        align = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(room, align, shown)


def _indented(body: JsonValue) -> str:
    """The JSON with a line for each value, or the beginning of it; the rest is not written."""
    text = json_head(body, _MOST_SHOWN)
    shown = _UNSEEN.sub(_escape, text[:_MOST_SHOWN])
    return shown if len(text) <= _MOST_SHOWN else f"{shown}\n{cut_words(_MOST_SHOWN, None)}"


def _escape(found: re.Match[str]) -> str:
    """A character as it stands, or as JSON escapes it where nothing of it would be seen."""
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]


def _folded(sharing: Sharing) -> str:
    """The names of all members, with the sizes of those that hold others."""
    members = (sharing.body or {}).items()
    shown = (f"{one_line(sharing.place((name,)))}{_size(value)}" for name, value in members)
    return f"{{ {', '.join(shown)} }}"


def _size(value: JsonValue) -> str:
    match value:
        case dict():
            return f" {{{shown_count(len(value))}}}"
        case list():
            return f" [{shown_count(len(value))}]"
    return ""
