"""The plan: which of its two parts are seen, and what stands between them."""

from dataclasses import replace

from kpinspector.ui.batch.plan_sheet import PlanSheet
from kpinspector.ui.parts.sections import Divider
from tests import user
from tests.known import present
from tests.ui.batch_pictures import SIX, picture_of


def planned(traces):
    picture = picture_of(traces)
    return replace(picture, batch=present(picture.grouped).batch)


def test_a_line_stands_between_two_parts_that_are_both_seen(qtbot):
    sheet = PlanSheet(print)
    qtbot.addWidget(sheet)
    line = present(sheet.findChild(Divider))
    sheet.show_picture(planned(SIX))
    with qtbot.waitExposed(sheet):
        sheet.show()
    assert line.isVisible()
    for part, seen in (("Chosen", False), ("Left out", False), ("Both", True)):
        user.press(sheet, part)
        assert line.isVisible() is seen, part
    sheet.show_picture(planned(SIX[:2]))
    assert not line.isVisible()
