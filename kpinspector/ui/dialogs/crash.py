"""The dialog for a bug: a plain sentence and a report to copy; the program goes on."""

import platform
import sys
from collections import deque
from collections.abc import Callable
from types import TracebackType

import PySide6
from PySide6.QtCore import QObject, Qt, Signal, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QPlainTextEdit, QWidget

from kpinspector import __version__
from kpinspector.batch.child import without_values
from kpinspector.ui.controls.base import Label, PushButton
from kpinspector.ui.look.theme import TextRole, scale
from kpinspector.ui.parts.plain_value import text_view
from kpinspector.ui.parts.sections import SectionDialog
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say

Hook = Callable[[type[BaseException], BaseException, TracebackType | None], object]

_REPORT_HEIGHT = 240
_MOST_REPORTS = 20


def report_of(error: BaseException) -> str:
    """Versions and traceback, without messages and values: those may hold text of a trace."""
    lines = [
        f"kpinspector {__version__}",
        f"Python {platform.python_version()}, PySide6 {PySide6.__version__}, Qt {qVersion()}",
        platform.platform(),
    ]
    return "\n".join([*lines, *without_values(error)]) + "\n"


class Crashes(QObject):
    """The interpreter's hook: carries an uncaught exception from any thread to a dialog."""

    crashed = Signal(str)

    def __init__(self, window: QWidget | None = None) -> None:
        super().__init__(window or QApplication.instance())
        self._window = window
        self._dialog: CrashDialog | None = None
        # queued: the hook may run on the worker, or in the middle of painting
        self.crashed.connect(self._on_crashed, Qt.ConnectionType.QueuedConnection)
        self._before: Hook = sys.excepthook
        sys.excepthook = self.hook

    def uninstall(self) -> None:
        """Give the hook back."""
        sys.excepthook = self._before

    def hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Hand an exception to the window, except Ctrl-C."""
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
    """What happened, and a report to copy."""

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
        """All that can be copied."""
        return self._report.toPlainText()

    def add_report(self, report: str) -> None:
        """Add another bug while the dialog is open; only the last reports are kept."""
        self._count += 1
        self._reports.append(report)
        earlier = self._count - len(self._reports)
        parts = list(self._reports)
        if earlier:
            left_out = say(
                "Only the last reports are kept: {earlier} earlier ones are left out.",
                earlier=shown_count(earlier),
            )
            parts.insert(0, f"{left_out}\n")
        self._report.setPlainText("\n".join(parts))
        self._title.setText(
            say("{count} things went wrong in kpinspector", count=shown_count(self._count))
        )
