"""The parts of the window, for eyes: ``python tests/ui/gallery.py FOLDER [FAMILY [POINTS]]``.

Not a test. Run it after a change to the painted parts and look at what it wrote.
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont, QImage, QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from kpinspector.app.engine import MemoryState
from kpinspector.app.state import RecentPath
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label, PushButton
from kpinspector.ui.controls.chips import ChipBar, ChipSpec
from kpinspector.ui.controls.fields import ComboBox, NumberField, SearchField, TextField
from kpinspector.ui.controls.slider import DimensionSlider
from kpinspector.ui.controls.views import HeaderView, PaneTabs, ScrollBar, Splitter
from kpinspector.ui.dialogs.crash import CrashDialog, report_of
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import (
    BarKind,
    BarMark,
    Shape,
    mark_width,
    paint_bar,
    paint_mark,
    paint_state,
)
from kpinspector.ui.look.theme import TextRole, colours, font, scale, set_palette
from kpinspector.ui.parts.drop_overlay import DropOverlay
from kpinspector.ui.parts.message_bar import Message, MessageAction, MessageBar
from kpinspector.ui.start.start_page import StartPage
from tests.known import of


class Painted(QWidget):
    """States, bars, marks and icons, as the panels paint them."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(430, 620)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.fillRect(self.rect(), colours(self.palette()).sheet)
        y = self._states(painter, 12)
        y = self._bars(painter, y + 16)
        y = self._marks(painter, y + 16)
        self._icons(painter, y + 16)

    def _states(self, painter: QPainter, y: int) -> int:
        found = colours(self.palette())
        rows = [(shape, False) for shape in Shape]
        rows[2:2] = [(Shape.ACCEPTED, True), (Shape.REJECTED, True)]
        for shape, assumed in rows:
            paint_state(painter, QRect(16, y + 6, 14, 14), shape, found, assumed=assumed)
            paint_state(
                painter, QRect(40, y + 3, 20, 20), shape, found, filled=True, assumed=assumed
            )
            painter.setFont(font(TextRole.NAME, self.font()))
            painter.setPen(found.text)
            word = shape.value.replace("_", " ") + (", assumed" if assumed else "")
            painter.drawText(QRect(74, y, 300, 26), Qt.AlignmentFlag.AlignVCenter, word)
            y += 26
        return y

    def _bars(self, painter: QPainter, y: int) -> int:
        found = colours(self.palette())
        novelty, track = found.novelty, found.track
        bars = {
            "measured": BarMark(novelty, 0.45, track=track),
            "assumed": BarMark(novelty, 0.5, kind=BarKind.ASSUMED, track=track),
            "pending": BarMark(novelty, 1, kind=BarKind.PENDING, track=track),
            "score": BarMark(found.neutral, 0.7477, track=track),
            "interval": BarMark(found.second, 0.86, 0.66, kind=BarKind.INTERVAL, track=track),
        }
        painter.setFont(self.font())
        for name, bar in bars.items():
            painter.setPen(found.text)
            painter.drawText(QRect(16, y, 100, 26), Qt.AlignmentFlag.AlignVCenter, name)
            paint_bar(painter, QRect(126, y + 9, 150, 8), bar, found)
            y += 26
        return y

    def _marks(self, painter: QPainter, y: int) -> int:
        painter.setFont(font(TextRole.CAPTION, self.font()))
        x = 16
        for dimension, word in zip(
            Dimension, ("type", "in the window", "tool", "outcome"), strict=True
        ):
            width = mark_width(word, painter.fontMetrics())
            place = QRect(x, y, width, 16)
            paint_mark(painter, place, dimension, word, colours(self.palette()))
            x += width + 8
        return y + 16

    def _icons(self, painter: QPainter, y: int) -> None:
        for number, name in enumerate(IconName):
            x, row = 16 + number % 12 * 32, number // 12
            paint_icon(
                painter, QRect(x, y + row * 30, 16, 16), name, colours(self.palette()).second
            )


def controls() -> QWidget:
    """All controls on a sheet."""
    sheet = QWidget()
    sheet.setBackgroundRole(sheet.palette().ColorRole.Base)
    sheet.setAutoFillBackground(True)
    sheet.setFixedWidth(440)
    column = QVBoxLayout(sheet)
    column.setContentsMargins(16, 0, 16, 16)
    column.setSpacing(12)
    tabs = PaneTabs("Views")
    for word in ("Why", "What-if", "Neighbours", "Report"):
        tabs.addTab(word)
    column.addWidget(tabs)
    column.addLayout(_buttons())
    column.addLayout(_fields())
    chips = ChipBar(
        (
            ChipSpec("all", "All"),
            ChipSpec("accepted", "Accepted", Shape.ACCEPTED),
            ChipSpec("rejected", "Rejected", Shape.REJECTED),
            ChipSpec("pending", "Pending", Shape.PENDING),
            ChipSpec("thought", "Thought"),
        )
    )
    chips.set_counts({"accepted": 6, "rejected": 30, "pending": 1, "thought": 5})
    column.addWidget(chips)
    for role in TextRole:
        column.addWidget(Label("0.7477 Rejected", role, second=role is TextRole.CAPTION))
    column.addWidget(ElidedLabel("Review the potassium trend of a patient on spironolactone " * 2))
    column.addWidget(_list(), 1)
    return sheet


def _buttons() -> QGridLayout:
    grid = QGridLayout()
    pressed = PushButton("Pressed")
    pressed.setDown(True)
    disabled = PushButton("Disabled")
    disabled.setEnabled(False)
    checked = FlatButton(IconName.WRAP, name="Wrap lines")
    checked.setCheckable(True)
    checked.setChecked(True)
    menu = FlatButton(IconName.OPEN, "Open")
    menu.setMenu(QMenu(menu))
    flat_pressed = FlatButton(IconName.COPY, "Down")
    flat_pressed.setDown(True)
    focused = PushButton("Focus")
    focused.setObjectName("focused")
    for place, button in enumerate(
        (
            PushButton("Normal"),
            pressed,
            disabled,
            focused,
            PushButton("Primary", primary=True, icon=IconName.OPEN),
            menu,
            flat_pressed,
            FlatButton(text="Show Them", link=True),
            FlatButton(IconName.COPY, "Flat"),
            FlatButton(IconName.RELOAD, name="Reload"),
            checked,
        )
    ):
        grid.addWidget(button, place // 4, place % 4)
    return grid


def _fields() -> QGridLayout:
    grid = QGridLayout()
    wrong = TextField("Confidence")
    wrong.set_text("1.20")
    wrong.set_wrong(wrong=True)
    full = SearchField("Filter traces")
    full.set_text("visit")
    combo = ComboBox("Profile")
    combo.addItems(["From trace: medical", "default"])
    number = NumberField("Threshold")
    number.setValue(0.75)
    for place, field in enumerate((SearchField("Filter traces"), full, wrong, combo, number)):
        grid.addWidget(field, place // 3, place % 3)
    for place, dimension in enumerate(Dimension):
        slider = DimensionSlider(dimension, dimension)
        slider.setValue(300 + 200 * place)
        slider.set_marks(0.5, 0.2 * place)
        grid.addWidget(slider, 2 + place // 3, place % 3)
    return grid


def _list() -> QWidget:
    model = QStandardItemModel(60, 2)
    model.setHorizontalHeaderLabels(["Score", "Trace"])
    for row in range(60):
        model.setItem(row, 0, QStandardItem("0.7477"))
        model.setItem(row, 1, QStandardItem(f"visit-{row:02}"))
    view = QTreeView()
    model.setParent(view)
    view.setFrameShape(QTreeView.Shape.NoFrame)
    view.setHeader(HeaderView())
    view.setModel(model)
    view.setVerticalScrollBar(ScrollBar(Qt.Orientation.Vertical))
    view.setSortingEnabled(True)
    splitter = Splitter(Qt.Orientation.Vertical)
    splitter.addWidget(view)
    splitter.addWidget(Label("below"))
    return splitter


def picture(widget: QWidget, ratio: float) -> QImage:
    """A widget rendered at a device pixel ratio."""
    image = QImage(widget.size() * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    widget.render(painter, QPoint())
    painter.end()
    return image


def sheet() -> QWidget:
    window = QWidget()
    row = QHBoxLayout(window)
    row.setContentsMargins(16, 16, 16, 16)
    row.setSpacing(scale(16, window.fontMetrics()))
    row.addWidget(Painted())
    row.addWidget(controls())
    window.resize(940, 860)
    return window


def start() -> QWidget:
    page = StartPage()
    page.set_recent(
        (
            RecentPath("/a/runs-november", is_folder=True, note="6 of 40 pass"),
            RecentPath("/a/ward/visit-03.json", note="rejected, 0.7477"),
            RecentPath("/media/stick/q3-close.json", is_missing=True),
        )
    )
    page.set_memory(MemoryState(Mode.REMEMBER, 3, "a" * 64, None, ()))
    page.resize(1440, 800)
    return page


def covered() -> QWidget:
    window = controls()
    window.setFixedSize(1000, 700)
    DropOverlay(window).say_of("Open visit-20.json", "Added to the list and scored", refused=False)
    return window


def refused() -> QWidget:
    window = controls()
    window.setFixedSize(1000, 700)
    DropOverlay(window).say_of(
        "A picture cannot be opened", "Drop JSON files, folders or JSON text.", refused=True
    )
    return window


def messages() -> QWidget:
    bar = MessageBar()
    for number in range(1, 6):
        bar.show_message(
            Message(
                f"{number} of 40 files have problems and 1 was skipped. Everything else is loaded.",
                (MessageAction("show", "Show Them"),),
                lead=f"{number} of 40 files",
            )
        )
    bar.resize(520, bar.sizeHint().height())
    return bar


def crash() -> QWidget:
    try:
        raise KeyError("x")
    except KeyError as error:
        return CrashDialog(report_of(error))


SCREENS = {
    "gallery": sheet,
    "start": start,
    "drop": covered,
    "refusal": refused,
    "messages": messages,
    "crash": crash,
}


def main(folder: Path, family: str = "Inter", points: float = 10) -> None:
    """Write every screen in both themes at ratio 1 and 2."""
    app = of(QApplication, QApplication.instance() or QApplication([]))
    base = QFont(family)
    base.setPointSizeF(points)
    app.setFont(base)
    folder.mkdir(parents=True, exist_ok=True)
    for dark in (False, True):
        set_palette(app, dark=dark)
        for screen, make in SCREENS.items():
            window = make()
            window.show()
            focused = window.findChild(PushButton, "focused")
            if focused is not None:
                focused.setFocus(Qt.FocusReason.TabFocusReason)
            app.processEvents()
            for ratio in (1, 2):
                name = f"{screen}-{'dark' if dark else 'light'}-{ratio}.png"
                picture(window, ratio).save(str(folder / name))
            window.close()


if __name__ == "__main__":
    folder, *rest = sys.argv[1:]
    family, points = (*rest, *("Inter", "10")[len(rest) :])
    main(Path(folder), family, float(points))
