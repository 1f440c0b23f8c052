"""No secret of a trace stands in the window beside the step that holds it."""

import pytest
from PySide6.QtGui import QGuiApplication

from kpinspector.ui.panes.compare_view import CompareView
from kpinspector.ui.steps.step_detail import StepDetail
from kpinspector.ui.steps.step_tree import StepView
from kpinspector.ui.traces.other_pages import ExcerptView
from tests import user
from tests.every_secret import HELD, leaks, write_turned
from tests.secrets_held import read, write_traces
from tests.ui.main_windows import close, finish, go_through_tabs, part, rows, show_window
from tests.ui.window_texts import texts

pytestmark = pytest.mark.slow

WHOLE = (StepView, StepDetail, ExcerptView)
"""Here a step, or the line of a file that could not be read, stands as it is."""


@pytest.fixture
def window(qtbot, tmp_path):
    shown = show_window(qtbot, tmp_path / "data", write_traces(tmp_path / "traces"))
    yield shown
    close(shown)


def seen(window):
    """Where a secret can be read in the window."""
    return [one for one in texts(window, *WHOLE) if read(one)]


def test_every_row_with_every_tab(window):
    assert user.row_count(window) == 17
    for _ in rows(window):
        go_through_tabs(window)
        assert seen(window) == []  # a page keeps its words while another is shown


def test_a_comparison_and_what_is_copied(window):
    names = user.row_names(window)
    user.select(window, names[2], names[6])
    user.trigger(window, "compare")
    finish(window)
    assert part(window, CompareView).model().rowCount() > 10
    assert seen(window) == []
    user.trigger(window, "copy_answer")
    finish(window)
    assert len(QGuiApplication.clipboard().text()) > 100
    assert read(QGuiApplication.clipboard().text()) == []


def test_rows_and_pages_that_cut_show_no_more_than_masks(qtbot, tmp_path):
    window = show_window(qtbot, tmp_path / "data", write_turned(tmp_path / "traces", 5))
    assert user.row_count(window) == 5 + len(HELD)
    for row in rows(window, 2):
        assert leaks("\n".join(texts(window, *WHOLE))) == set(), row
    close(window)
