"""The page of a report: what it says before and after a replay."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel

from kpinspector.scoring.findings import Neighbour
from kpinspector.scoring.report.replay import replay
from kpinspector.scoring.report.report import Generator
from kpinspector.trace.read import read_bytes
from kpinspector.ui.controls.base import FlatButton, PushButton
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.parts.state_mark import StateMark
from kpinspector.ui.traces.report_page import ReportPage
from tests import user
from tests.fakes import make_raw
from tests.ui.documents import report, scored

HOSTILE = "<b>&\x00\u202e\x1b\n"


@pytest.fixture
def page(qtbot) -> ReportPage:
    page = ReportPage()
    qtbot.addWidget(page)
    page.resize(636, 500)
    with qtbot.waitExposed(page):
        page.show()
    return page


def two():
    better, worse = (
        scored(0, "/t/a.json", value=0.5),
        scored(1, "/t/b.json", value=0.0, confidence=0.4),
    )
    return report(9, compared(better), compared(worse))


def compared(document):
    """The same with the neighbour that its similarity is of."""
    measured = document.measured
    novelty = measured.measurement.novelty
    near = Neighbour("kp:trace:near", "kp:trace:near", "", "near.json", novelty.max_similarity)
    measurement = replace(measured.measurement, novelty=replace(novelty, neighbours=(near,)))
    return replace(document, measured=replace(measured, measurement=measurement))


def replayed(document):
    return replace(document, replay=replay(document.item))


def edited():
    """A report in whose file somebody wrote another score."""
    document = two()
    found = document.item
    entry = found.report.traces[1].model_copy(update={"score": 0.9})
    changed = found.report.model_copy(update={"traces": (found.report.traces[0], entry)})
    return replace(document, item=replace(found, report=changed, checksum="0" * 64))


def facts(page):
    QApplication.processEvents()  # labels come to be seen with the next layout
    labels = [label.text() for label in page.difference.findChildren(QLabel) if label.isVisible()]
    return dict(zip(labels[::2], labels[1::2], strict=True))


def test_what_it_is_when_it_was_written_and_by_what(page):
    page.set_document(two())
    assert page.header.title == "old.json is a report"
    written = two().item.report.generated_at[:13]
    assert page.header.facts.startswith(f"Written {written}")
    assert page.header.facts.endswith("  ·  by kpinspector 0.1.0  ·  1 accepted, 1 rejected")
    assert page.model.rowCount() == 2
    assert page.verdict.isHidden() and not facts(page)
    assert page.sentence.text().startswith("Computes every score again")


def test_a_replay_is_asked_for_once(page, qtbot):
    page.set_document(two())
    wishes = []
    page.replay_requested.connect(wishes.append)
    page.button.click()
    page.replay()
    assert wishes == [9] and not page.button.isEnabled()
    assert page.sentence.text() == "Computing again…"
    page.set_document(replayed(two()))
    assert page.button.isEnabled()


def test_nothing_is_asked_for_without_a_report(page):
    wishes = []
    page.replay_requested.connect(wishes.append)
    page.replay()
    assert not wishes


def test_an_identical_report_says_so(page):
    page.set_document(replayed(two()))
    assert page.verdict.text() == "Identical"
    mark = QAccessible.queryAccessibleInterface(page.findChild(StateMark))
    assert mark.text(QAccessible.Text.Name) == "Identical"
    assert "from the report alone: what could be checked is as recorded." in page.sentence.text()
    assert not facts(page)
    trusted = next(one for one in page.trusted.findChildren(WrappedLabel))
    assert trusted.isVisible()
    names = trusted.text().split(", ")
    assert "settings.mode" in names and "dimensions.novelty.max_similarity" in names
    assert f"{len(names)} kinds of values were taken on trust." in page.sentence.text()
    page.grab()


def test_the_first_difference_is_shown_with_its_cause(page):
    document = replayed(edited())
    page.set_document(document)
    assert page.verdict.text() == "Different"
    assert facts(page) == {
        "First": "traces.1.score",
        "Recorded": "0.9",
        "Recomputed": repr(two().item.report.traces[1].score),
        "Why": "The report was changed after it was written: its checksum does not fit.",
    }
    user.press(page, "Copy What Came of It")
    copied = QGuiApplication.clipboard().text()
    assert "different  traces.1.score: 0.9 is recorded" in copied
    assert copied.splitlines()[-1].startswith("Different. ")


def test_another_report_forgets_the_replay_of_the_one_before(page):
    page.set_document(replayed(edited()))
    page.set_document(two())
    assert page.verdict.isHidden() and not facts(page)
    page.set_document(None)
    assert page.header.title == "" and page.model.rowCount() == 0


def test_a_report_without_traces_says_so(page):
    nothing = user.reads(page, "There is no trace in this report.")
    page.set_document(report(3))
    assert page.table.isHidden() and nothing()
    page.set_document(two())
    assert not page.table.isHidden() and not nothing()


def test_hostile_words_stay_text(page):
    document = two()
    found = document.item
    wrote = Generator(name=HOSTILE, version=HOSTILE)
    entry = found.report.traces[0].model_copy(update={"profile": HOSTILE, "objective": HOSTILE})
    changed = found.report.model_copy(
        update={"generator": wrote, "generated_at": HOSTILE, "traces": (entry,)}
    )
    page.set_document(replayed(replace(document, item=replace(found, report=changed))))
    page.grab()
    for label in page.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText
        assert not {"\x00", "\u202e", "\x1b"} & set(label.text()), label
    assert any(isinstance(label, WrappedLabel) for label in page.findChildren(QLabel))


def test_every_control_has_a_name(page):
    page.set_document(replayed(edited()))
    buttons = (*page.findChildren(FlatButton), *page.findChildren(PushButton))
    assert len(buttons) > 1
    for widget in (*buttons, page.table, page.difference):
        found = QAccessible.queryAccessibleInterface(widget)
        assert found.text(QAccessible.Text.Name)


def test_what_it_lacks_is_named_the_first_few(page):
    document, raws = two(), [make_raw(id=f"kp:trace:more {n}") for n in range(7)]
    given = read_bytes(json.dumps(raws).encode(), f"more{HOSTILE}.json").traces
    for number, words in ((1, "kp:trace:more 0 is not in the report"), (7, ", and 2 more")):
        page.set_document(replace(document, replay=replay(document.item, given[:number])))
        assert page.verdict.text() == "Different"
        told = facts(page)["Lacking"]
        assert told.endswith(words) and "\u202e" not in told
        assert told.count("is not in the report") == min(5, number)
