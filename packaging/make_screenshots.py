"""Make the pictures of README and help from the samples: python packaging/make_screenshots.py.

Needs no display; the memory is a fresh one in a temporary folder, the model the real one.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget

from kpinspector.app.engine import Engine
from kpinspector.app.session import Session
from kpinspector.app.state import SavedState
from kpinspector.files import resources
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.settings import Mode, Settings, Theme
from kpinspector.ui.actions.table import Command
from kpinspector.ui.look.theme import apply_theme
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.panes.compare_view import CompareView
from kpinspector.ui.panes.why import ChangeTable
from kpinspector.ui.steps.step_pane import StepPane
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.window.score_panel import ScorePanel, Tab

SIZE = (1440, 900)
SAMPLE, REJECTED, SHARED = "visit-03", "visit-08", "export-handover"
STEP = 4
POLL_MS = 50
SETTLED_MS = 400
HELP, HELP_WIDTH = "../../resources/help", 960
TARGET = Path(__file__).resolve().parents[1] / "docs" / "screenshots"


def wait(app: QApplication, condition: Callable[[], bool]) -> None:
    """Run the event loop until something holds."""
    timer = QTimer(interval=POLL_MS)
    timer.timeout.connect(lambda: condition() and app.exit())
    timer.start()
    app.exec()
    timer.stop()


def take(app: QApplication, theme: Theme, folder: Path) -> None:
    """All pictures in one theme."""
    apply_theme(app, theme)
    settings = Settings(theme=theme)
    session = Session(Engine(Mode.FRESH, folder, settings, MiniLM()), settings)
    window = MainWindow(Settings(theme=theme), SavedState())
    window.furnish(session)
    window.setFixedSize(*SIZE)
    window.show()
    window.activateWindow()
    session.memory.look_up()
    wait(app, lambda: session.memory.state is not None)
    save(app, window, f"start-{theme}.png")
    session.opener.open([str(resources() / "samples")])
    wait(app, lambda: session.progress.busy)
    wait(app, lambda: not session.progress.busy)
    choose(app, session, window, SAMPLE)
    save(app, window, f"window-{theme}.png")
    choose(app, session, window, SHARED)
    window.findChildren(ScorePanel)[0].show_tab(Tab.SHARING)
    wait(app, lambda: session.sharing.sharing is not None)
    save(app, window, f"sharing-{theme}.png")
    window.findChildren(QAction, Command.SHOW_BATCH)[0].trigger()
    wait(app, lambda: session.batches.picture is not None and session.batches.progress is None)
    save(app, window, f"batch-{theme}.png")
    window.findChildren(ScorePanel)[0].show_tab(Tab.WHY)
    choose(app, session, window, REJECTED)
    save(app, window, f"{HELP}/window-{theme}.png", HELP_WIDTH)
    save(app, window.findChildren(ScorePanel)[0], f"{HELP}/why-{theme}.png")
    changes = window.findChildren(ChangeTable)[0]
    changes.row_activated.emit(next(row.wish for row in changes.figures.rows if row.wish))
    save(app, window, f"what-if-{theme}.png")
    window.findChildren(QAction, Command.UNDO)[0].trigger()
    window.findChildren(QAction, Command.COMPARE)[0].trigger()
    window.findChildren(ScorePanel)[0].show_tab(Tab.NEIGHBOURS)
    wait(app, lambda: bool(window.findChildren(CompareView)[0].isVisible()))
    save(app, window, f"compare-{theme}.png")
    window.close()
    session.close()


def choose(app: QApplication, session: Session, window: MainWindow, name: str) -> None:
    """Show a step of a sample."""
    document = next(one for one in session.documents if one.name == name)
    window.findChildren(TracePane)[0].table.set_current(document.number)
    settle(app)
    if document.record is not None:
        window.findChildren(StepPane)[0].go_to_step(STEP)
    window.findChildren(TracePane)[0].table.setFocus()


def save(app: QApplication, window: QWidget, name: str, width: int = SIZE[0]) -> None:
    """Write a window or a pane as it is once counts and layouts have followed."""
    settle(app)
    picture = window.grab()
    if picture.width() > width:
        picture = picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
    picture.save(str(TARGET / name))


def settle(app: QApplication) -> None:
    """Let what is due be done."""
    QTimer.singleShot(SETTLED_MS, app.exit)
    app.exec()


def main() -> None:
    """Make them all."""
    app = QApplication([])
    app.setApplicationName("kpinspector")
    TARGET.mkdir(exist_ok=True)
    for theme in (Theme.LIGHT, Theme.DARK):
        with tempfile.TemporaryDirectory() as folder:
            take(app, theme, Path(folder))


if __name__ == "__main__":
    main()
