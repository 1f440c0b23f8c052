"""The word behind a recovery that was derived: whole, or not there."""

from dataclasses import replace

import pytest

from kpinspector.runs.read import RunRecord, run_record
from kpinspector.ui.steps.step_model import StepColumn, StepRole
from kpinspector.ui.steps.step_pane import StepPane
from tests import undecided
from tests.known import of

pytestmark = pytest.mark.slow


def plain(document):
    """The same run, had its recovery not been derived."""
    record = of(RunRecord, document.item)
    mapped = replace(record.imported.mapped, recovered={})
    return replace(
        document, item=run_record(record.source, replace(record.imported, mapped=mapped))
    )


def kind_cells(qtbot, width, document):
    """How the kinds of all steps are painted, and which steps are derived."""
    pane = StepPane()
    qtbot.addWidget(pane)
    pane.resize(width, 700)
    with qtbot.waitExposed(pane):
        pane.show()
    pane.set_document(document)
    tree, derived = pane.tree, False
    index = tree.steps.index(0, StepColumn.KIND)
    while index.isValid():
        derived |= index.data(StepRole.ROW).derived
        index = tree.indexBelow(index)
    left = tree.columnViewportPosition(StepColumn.KIND)
    area = tree.viewport().rect()
    area.setLeft(left)
    area.setWidth(tree.columnWidth(StepColumn.KIND))
    return tree.viewport().grab(area).toImage(), derived


def test_the_word_is_there_whole_or_not_at_all(qtbot):
    document, said = undecided.run_document(), {}
    for width in range(440, 1101, 20):
        found, derived = kind_cells(qtbot, width, document)
        other, none = kind_cells(qtbot, width, plain(document))
        assert derived and not none
        common = found.rect() & other.rect()  # the column is wider where the word is in it
        if found.copy(common) != other.copy(common):
            said[width] = found.width()
    assert 440 not in said and 1100 in said
    # where the column is narrower than it wants to be, the word has no room
    assert min(said.values()) > said[1100] - 4
