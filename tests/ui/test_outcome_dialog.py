"""The domain in *Set Outcome*: chosen from the profiles; what was recorded or stated stays."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QComboBox, QWidget

from kpinspector.app.engine import Said, Statement
from kpinspector.runs.read import run_record
from kpinspector.runs.stated import Stated
from kpinspector.ui.dialogs.dialogs import OutcomeDialog
from tests import undecided, user

PROFILES = ["default", "finance", "code", "medical", "customer_service"]


def run(recorded=None, chosen=None):
    one = undecided.record()
    imported = replace(one.imported, run=replace(one.imported.run, domain=recorded))
    return run_record(one.source, replace(imported, stated=replace(imported.stated, domain=chosen)))


@pytest.fixture
def asked(qtbot):
    """The box, and what is stated once something is chosen in it."""

    def asked(runs, choose=""):
        parent, said = QWidget(), []
        qtbot.addWidget(parent)
        dialog = OutcomeDialog(runs, "night", parent, said.append)
        dialog.show()
        box = user.find(dialog, QComboBox, "Domain")
        offered, now = [box.itemText(one) for one in range(box.count())], box.currentText()
        if choose:
            box.setCurrentText(choose)
        user.press(dialog, "Set Outcome")
        return offered, now, said

    return asked


@pytest.mark.parametrize(
    ("recorded", "chosen", "offered", "now"),
    [
        (None, None, ["As recorded: none", *PROFILES], "As recorded: none"),
        ("law", None, ["As recorded: law", *PROFILES], "As recorded: law"),
        ("law", "code", ["As recorded: law", *PROFILES], "code"),
        (None, "tax law", ["As recorded: none", *PROFILES, "tax law"], "tax law"),
    ],
)
def test_the_profiles_are_offered_and_nothing_changes_untouched(
    asked, recorded, chosen, offered, now
):
    assert asked([run(recorded, chosen)]) == (offered, now, [])


def test_a_profile_is_stated_or_what_is_recorded_holds_again(asked):
    stated = Statement(Stated(domain="medical"), (Said.DOMAIN,))
    assert asked([run("law")], "medical")[2] == [stated]
    back = Statement(Stated(domain=None), (Said.DOMAIN,))
    assert asked([run("law", "code")], "As recorded: law")[2] == [back]


def test_runs_that_differ_keep_what_each_has(asked):
    offered, now, said = asked([run("law"), run("tax", "code")])
    assert (offered, now, said) == (["As recorded", *PROFILES, "Different"], "Different", [])
