"""The dialogs of the Help menu, and the crash dialog with its report."""

import platform
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import TracebackType

import PySide6
from PySide6.QtCore import QObject, QSize, Qt, QUrl, Signal, qVersion
from PySide6.QtGui import (
    QAction,
    QGuiApplication,
    QImage,
    QKeySequence,
    QPalette,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QListWidget,
    QPlainTextEdit,
    QTextBrowser,
    QWidget,
)
from typing_extensions import override

from kpinspector import __version__
from kpinspector.batch.child import without_values
from kpinspector.files import resources
from kpinspector.scoring.model import MODEL_NAME
from kpinspector.ui.actions.table import Command, menus
from kpinspector.ui.controls.base import Label, PushButton, in_column, in_row, without_mnemonic
from kpinspector.ui.controls.fields import ComboBox, SearchField
from kpinspector.ui.look.theme import TextRole, colours, follow_zoom, scale
from kpinspector.ui.parts.plain_value import text_view
from kpinspector.ui.parts.sections import PADDING, Rows, SectionDialog
from kpinspector.ui.tables.figure_model import FigureCell, Row, heading
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_list

_SIZE = (860, 640)
_LIST_ROOM = 24
_GAP = 12
_ROW_GAP = 2
_FIRST = "index.md"
_KEYS_WIDTH = 200
_NAMES_WIDTH = 240
_ROW_HEIGHT = 22
_MOST_KEYS = 2
_FIRST_RARE = Qt.Key.Key_F13  # keys from here on are those of media, browsers and special keyboards
_PACKAGES = (
    "PySide6-Essentials",
    "backports.zstd",
    "numpy",
    "onnxruntime",
    "platformdirs",
    "pydantic_core",
    "scipy",
    "tokenizers",
    "typing_extensions",
    "wcwidth",
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LICENCE_FILE = re.compile(r"(LICEN[CS]E|COPYING|NOTICE)", re.IGNORECASE)
_LONGEST_NAME = 80
_OWN = "Apache-2.0"
_QT = "LGPL-3.0-only"
_QT_LICENCE = "https://www.gnu.org/licenses/lgpl-3.0.html"
_QT_SOURCES = "https://code.qt.io"
_TEXT_HEIGHT = 190
_SELECTABLE = (
    Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
)
_SHOWN_VERSIONS = ("onnxruntime", "tokenizers", "numpy", "pydantic_core")
# by class names of panes, the page that is shown if the pane has the focus
PAGES = {
    "TracePane": "traces.md",
    "StepPane": "steps.md",
    "WhatIfPage": "what-if.md",
    "NeighbourView": "neighbours.md",
    "SharingPage": "sharing.md",
    "WhyView": "why.md",
    "ComparePane": "compare.md",
    "BatchPage": "batch.md",
    "ChosenPage": "batch.md",
    "ReportView": "report.md",
    "StepDetail": "steps.md",
    "StartPage": "first-steps.md",
}
Hook = Callable[[type[BaseException], BaseException, TracebackType | None], object]
_REPORT_HEIGHT = 240
_MOST_REPORTS = 20


def page_of(widget: QWidget | None) -> str:
    """The help page of the pane that a widget is in; for tabs and headers that of their content."""
    while widget is not None and not widget.isWindow():
        for one in (widget, *widget.findChildren(QWidget)):
            if one.isVisible() and (page := PAGES.get(type(one).__name__)):
                return page
        widget = widget.parentWidget()
    return _FIRST


class _Browser(QTextBrowser):
    """Shows the pages and pictures of the help's folder, and nothing else."""

    @override
    def loadResource(self, type: int, name: QUrl | str) -> str | QImage | None:
        path = resources() / "help" / QUrl(name).fileName()
        if path.suffix == ".png":
            shade = "dark" if colours(self.palette()).dark else "light"
            picture = QImage(str(path.with_name(path.name.replace("light", shade))))
            width = min(picture.width(), self.viewport().width() - _LIST_ROOM)
            return picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        return path.read_text(encoding="utf-8") if path.suffix == ".md" else None


class HelpWindow(QDialog):
    """The list of all help pages, with the current page beside it. Not modal."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(say("Help"))
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        folder = resources() / "help"
        names = (_FIRST, *re.findall(r"\((\S+\.md)\)", (folder / _FIRST).read_text("utf-8")))
        self._texts = {name: (folder / name).read_text(encoding="utf-8") for name in names}
        search = SearchField(say("Search all pages"))
        self._list, self._page = QListWidget(), _Browser()
        self._list.setAccessibleName(say("Pages"))
        self._page.setAccessibleName(say("Page"))
        for view in (self._list, self._page):
            view.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setSpacing(_ROW_GAP)
        self._list.addItems([text.split("\n", 1)[0].lstrip("# ") for text in self._texts.values()])
        views = in_row(self._list, (self._page, 1), spacing=_GAP)
        in_column(search, (views, 1), on=self, spacing=_GAP)
        search.textChanged.connect(self._on_search_changed)
        self._list.currentRowChanged.connect(lambda row: self._turn_to(names[row]))
        self._page.sourceChanged.connect(
            lambda url: self._list.setCurrentRow(names.index(url.fileName()))
        )
        follow_zoom(self, HelpWindow._make_room)

    def show_page(self, name: str) -> None:
        """Show a page, by its file name."""
        self._turn_to(name)
        self._page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _turn_to(self, name: str) -> None:
        if name != self._page.source().fileName():
            self._page.setSource(QUrl(name), QTextDocument.ResourceType.MarkdownResource)

    def _on_search_changed(self, text: str) -> None:
        """List the pages that contain all words; show the first one, at the first word."""
        words = text.casefold().split()
        for row, page in enumerate(self._texts.values()):
            self._list.item(row).setHidden(not all(one in page.casefold() for one in words))
        shown = [row for row in range(self._list.count()) if not self._list.item(row).isHidden()]
        if words and shown:
            self._list.setCurrentRow(shown[0])
            self._page.moveCursor(QTextCursor.MoveOperation.Start)
            self._page.find(words[0])

    def _make_room(self) -> None:
        metrics = self.fontMetrics()
        room, (width, height) = self.screen().availableSize(), _SIZE
        self.resize(QSize(scale(width, metrics), scale(height, metrics)).boundedTo(room))
        self._list.setFixedWidth(self._list.sizeHintForColumn(0) + scale(_LIST_ROOM, metrics))
        self.setContentsMargins(*(scale(PADDING, metrics),) * 4)


class KeysDialog(SectionDialog):
    """A table of keys for each menu."""

    def __init__(self, actions: Mapping[Command, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("Keyboard Shortcuts"))
        columns = (ColumnWidth(_NAMES_WIDTH, stretch=True), ColumnWidth(_KEYS_WIDTH))
        for title, shown in shortcuts(actions):
            table = FigureTable(columns)
            table.setAccessibleName(say("{title}: keys", title=title))
            cells = [(FigureCell(words), FigureCell(keys, second=True)) for words, keys in shown]
            heads = heading(say("Command"), title), heading(say("Keys"), "")
            table.set_rows([Row(one, _ROW_HEIGHT) for one in cells], heads)
            self.add_section("", (table,))
        self.column.addStretch(1)
        self.add_close(say("Close"))
        self.scrolled.setFocus(Qt.FocusReason.OtherFocusReason)  # nothing else takes the focus


def shortcuts(actions: Mapping[Command, QAction]) -> list[tuple[str, list[tuple[str, str]]]]:
    """For each menu its commands that have keys, each with the keys in words."""
    found = []
    for menu in menus():
        entries = (line for line in menu.lines if line is not None)
        named = (
            (_words(one.text), shown_keys(actions[one.command].shortcuts())) for one in entries
        )
        rows = [(words, keys) for words, keys in named if keys]
        if rows:
            found.append((_words(menu.text), rows))
    return found


def shown_keys(keys: Sequence[QKeySequence]) -> str:
    """The first keys of an action, without those that most keyboards lack."""
    # the stubs do not know that a sequence has an index
    common = [key for key in keys if key[0].key() < _FIRST_RARE]  # type: ignore[index]
    native = QKeySequence.SequenceFormat.NativeText
    return say_list(key.toString(native) for key in common[:_MOST_KEYS])


def _words(text: str) -> str:
    return without_mnemonic(text).removesuffix("\u2026")


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the program; ``package`` is the package whose files have the licence's text."""

    name: str
    version: str
    licence: str
    package: str = ""


def version_of(package: str) -> str:
    """The version of an installed package; "" if it has no metadata."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def components(qt_version: str) -> tuple[Component, ...]:
    """The program, its model, Qt, and all packages that they need."""
    found = sorted(_packages(), key=lambda one: one.name.casefold())
    return (
        Component("kpinspector", __version__, _OWN, "kpinspector"),
        Component(MODEL_NAME, "", _OWN),
        Component("Qt", qt_version, _QT),
        *found,
    )


def licence_text(component: Component) -> str:
    """The licence texts of a component, or a sentence on where to read them."""
    if component.package and (texts := "\n\n".join(_texts(component.package))):
        return texts
    if component.licence == _OWN:
        return (resources() / "minilm" / "LICENSE").read_text(encoding="utf-8")
    if component.licence.startswith(_QT):
        return say(
            "Qt and PySide6 are used under the GNU Lesser General Public License, version 3, as"
            " shared libraries that can be replaced.\n\n"
            "The text of the licence: {licence}\n"
            "The sources: {sources}",
            licence=_QT_LICENCE,
            sources=_QT_SOURCES,
        )
    return say("The package brings no text of its licence: {licence}.", licence=component.licence)


def _packages() -> Iterator[Component]:
    waiting, seen = list(_PACKAGES), set()
    while waiting:
        name = waiting.pop()
        key = re.sub("[-_.]+", "-", name).casefold()
        if key in seen:
            continue
        seen.add(key)
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        yield Component(found.name, found.version, _licence_of(found), found.name)
        waiting += [
            match[0]
            for line in found.requires or ()
            if "extra ==" not in line and (match := _NAME.match(line))
        ]


def _licence_of(found: metadata.Distribution) -> str:
    about = found.metadata
    for field in ("License-Expression", "License"):
        text = str(about[field] or "").strip() if field in about else ""
        if text and "\n" not in text and len(text) <= _LONGEST_NAME:
            return text
    named = [str(line) for line in about.get_all("Classifier") or ()]
    names = [line.rpartition(" :: ")[2] for line in named if line.startswith("License ::")]
    return say_list(names) or say("not stated")


def _texts(package: str) -> Iterator[str]:
    try:
        files = metadata.distribution(package).files or []
    except metadata.PackageNotFoundError:
        return
    for file in files:
        if _LICENCE_FILE.match(file.name) and not file.name.endswith((".py", ".pyc")):
            try:
                text = Path(str(file.locate())).read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            yield f"{file}\n\n{text.strip(chr(10))}"


def versions() -> tuple[tuple[str, str], ...]:
    """Names and versions that a bug report should have."""
    return (
        ("kpinspector", __version__),
        ("Python", platform.python_version()),
        ("PySide6", PySide6.__version__),
        ("Qt", qVersion()),
        *((name, version_of(name) or "\u2013") for name in _SHOWN_VERSIONS),
        (say("System"), platform.platform()),
    )


class AboutDialog(SectionDialog):
    """Shows versions and licences, which can be copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("About kpinspector"))
        self._components = components(qVersion())
        self._choice = ComboBox(say("Component"))
        self._licence = _selectable("")
        self._text = text_view(say("Licence text"))
        self._text.setMinimumHeight(scale(_TEXT_HEIGHT, self._text.fontMetrics()))
        self._text.setTextInteractionFlags(_SELECTABLE)
        self._add_sections()
        role = QDialogButtonBox.ButtonRole
        copy = self.add_button(PushButton(say("&Copy Versions")), role.ActionRole)
        lines = "".join(f"{name} {version}\n" for name, version in versions())
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(lines))
        self.add_close(say("Close"))
        self._choice.currentIndexChanged.connect(self._show_licence)
        self._show_licence()

    def _add_sections(self) -> None:
        sentence = Label(say("Shows why a KnowledgePulse reasoning trace scores what it scores."))
        sentence.setWordWrap(True)
        title = Label(f"kpinspector {__version__}", TextRole.TITLE)
        self.add_section("", (title, sentence))
        rows = Rows(gap=0)
        for name, version in versions()[1:]:
            rows.add(name, _selectable(version))
        self.add_section(say("Versions"), (rows,))
        for one in self._components:
            self._choice.addItem(f"{one.name} {one.version}".rstrip())
        rows = Rows(gap=0)
        line = in_row(self._choice, None, margins=None, spacing=None)
        rows.add(say("C&omponent"), line, buddy=self._choice)
        rows.add(say("Licence"), self._licence)
        self.add_section(say("Licences"), (rows, self._text), grows=True)

    def _show_licence(self) -> None:
        component = self._components[self._choice.currentIndex()]
        self._licence.setText(component.licence)
        self._text.setPlainText(licence_text(component))


def _selectable(text: str) -> Label:
    label = Label(text)
    label.setWordWrap(True)
    label.setTextInteractionFlags(_SELECTABLE)
    return label


def report_of(error: BaseException) -> str:
    """Versions and traceback, without messages and values: those may hold text of a trace."""
    lines = [
        f"kpinspector {__version__}",
        f"Python {platform.python_version()}, PySide6 {PySide6.__version__}, Qt {qVersion()}",
        platform.platform(),
    ]
    return "\n".join([*lines, *without_values(error)]) + "\n"


class Crashes(QObject):
    """Sets the interpreter's hook, so that an uncaught exception in any thread opens a dialog."""

    crashed = Signal(str)

    def __init__(self, window: QWidget | None = None) -> None:
        super().__init__(window or QApplication.instance())
        self._window = window
        self._dialog: CrashDialog | None = None
        # queued, as the hook may run on the worker or while painting
        self.crashed.connect(self._on_crashed, Qt.ConnectionType.QueuedConnection)
        self._before: Hook = sys.excepthook
        sys.excepthook = self.hook

    def uninstall(self) -> None:
        """Restore the former hook."""
        sys.excepthook = self._before

    def hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Call the former hook; then pass the exception on to the dialog, unless it is Ctrl-C."""
        self._before(kind, error, trace)
        if not issubclass(kind, KeyboardInterrupt):
            self.crashed.emit(report_of(error))

    def _on_crashed(self, report: str) -> None:
        if self._dialog is not None:
            self._dialog.add_report(report)
            return
        self._dialog = CrashDialog(report, self._window)
        self._dialog.finished.connect(lambda: setattr(self, "_dialog", None))
        self._dialog.open()


class CrashDialog(SectionDialog):
    """Says that something went wrong, with a report to copy."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reports = deque((report,), maxlen=_MOST_REPORTS)
        self._count = 1
        self.setWindowTitle(say("Something Went Wrong"))
        self._title = Label(say("Something went wrong in kpinspector"), TextRole.TITLE)
        about = say(
            "This is a fault of the program, not of your files. What you opened is still there, "
            "and you can go on. The report below holds no text of your traces."
        )
        sentence = Label(about)
        sentence.setWordWrap(True)
        self._report = text_view(say("Report"))
        self._report.setMinimumHeight(scale(_REPORT_HEIGHT, self.fontMetrics()))
        self._report.setPlainText(report)
        self._report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.add_section("", (self._title, sentence, self._report), grows=True)
        role = QDialogButtonBox.ButtonRole
        copy = self.add_button(PushButton(say("&Copy Report"), primary=True), role.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report))
        close = self.add_button(PushButton(say("C&lose")), role.RejectRole)
        close.clicked.connect(self.close)
        close.setDefault(True)

    @property
    def report(self) -> str:
        """The whole text that the button copies."""
        return self._report.toPlainText()

    def add_report(self, report: str) -> None:
        """Add the report of another bug while the dialog is open; only the latest are kept."""
        self._count += 1
        self._reports.append(report)
        earlier = self._count - len(self._reports)
        parts = list(self._reports)
        if earlier:
            left_out = say(
                "Only the last reports are kept; left out before them: {earlier}.",
                earlier=shown_count(earlier),
            )
            parts.insert(0, f"{left_out}\n")
        self._report.setPlainText("\n".join(parts))
        self._title.setText(
            say("{count} things went wrong in kpinspector", count=shown_count(self._count))
        )
