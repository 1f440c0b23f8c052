"""Make the pictures of the README from the samples: python packaging/make_screenshots.py.

Needs no display; the memory is a fresh one in a temporary folder, the model the real one.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from kpinspector.app.session import Session
from kpinspector.app.workshop import Workshop
from kpinspector.files import resources
from kpinspector.scoring.embedder import MiniLM
from kpinspector.scoring.mode import Mode
from kpinspector.settings import Settings, Theme
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.steps.step_pane import StepPane
from kpinspector.ui.theme import apply_theme
from kpinspector.ui.traces.trace_pane import TracePane

SIZE = (1440, 900)
SAMPLE = "visit-03"
STEP = 4
POLL_MS = 50
SETTLED_MS = 400
TARGET = Path(__file__).resolve().parents[1] / "resources" / "screenshots"


def wait(app: QApplication, condition: Callable[[], bool]) -> None:
    """Run the event loop until something holds."""
    timer = QTimer(interval=POLL_MS)
    timer.timeout.connect(lambda: condition() and app.exit())
    timer.start()
    app.exec()
    timer.stop()


def take(app: QApplication, theme: Theme, folder: Path) -> None:
    """Both pictures in one theme."""
    apply_theme(app, theme)
    settings = Settings(theme=theme)
    session = Session(Workshop(Mode.FRESH, folder, settings, MiniLM()), settings)
    window = MainWindow(settings, session.history.state)
    window.furnish(session)
    window.setFixedSize(*SIZE)
    window.show()
    window.activateWindow()
    session.remembered.look_up()
    wait(app, lambda: session.remembered.state is not None)
    save(app, window, f"start-{theme}.png")
    session.open([str(resources() / "samples")])
    wait(app, lambda: session.progress.busy)
    wait(app, lambda: not session.progress.busy)
    choose(app, session, window)
    save(app, window, f"window-{theme}.png")
    window.close()
    session.close()


def choose(app: QApplication, session: Session, window: MainWindow) -> None:
    """Show a step of a sample."""
    document = next(one for one in session.documents if one.name == SAMPLE)
    window.findChildren(TracePane)[0].set_current(document.number)
    settle(app)
    if document.record is not None:
        window.findChildren(StepPane)[0].select_step(document.record.trace.steps[STEP])
    window.findChildren(TracePane)[0].table.setFocus()


def save(app: QApplication, window: MainWindow, name: str) -> None:
    """Write the window as it is once counts and layouts have followed."""
    settle(app)
    window.grab().save(str(TARGET / name))


def settle(app: QApplication) -> None:
    """Let what is due be done."""
    QTimer.singleShot(SETTLED_MS, app.exit)
    app.exec()


def main() -> None:
    """Make all four."""
    app = QApplication([])
    app.setApplicationName("kpinspector")
    TARGET.mkdir(exist_ok=True)
    for theme in (Theme.LIGHT, Theme.DARK):
        with tempfile.TemporaryDirectory() as folder:
            take(app, theme, Path(folder))


if __name__ == "__main__":
    main()
