"""What waits for the first painting of a window."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from kpinspector.ui.application import FirstPaint
from tests.known import present


class Window(QWidget):
    def __init__(self):
        super().__init__()
        self.painted = 0

    def paintEvent(self, event):  # noqa: N802
        self.painted += 1


def test_it_comes_once_and_after_the_first_painting(qtbot):
    window = Window()
    qtbot.addWidget(window)
    painted = []
    first = FirstPaint(window)
    first.came.connect(lambda: painted.append(window.painted))
    with qtbot.waitSignal(first.came, timeout=400):  # sooner than without any painting
        window.show()
    window.repaint()
    # a window manager may ask for more than one painting before that
    assert len(painted) == 1 and 1 <= painted[0] < window.painted
    assert not present(first.findChild(QTimer)).isActive()
