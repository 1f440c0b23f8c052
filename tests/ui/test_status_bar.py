"""The status bar: counts, progress, memory and model, and what gives way where it is narrow."""

from collections import Counter

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QToolButton

from kpinspector.app.engine import MemoryState
from kpinspector.app.values import Progress
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import Label
from kpinspector.ui.traces import Kind
from kpinspector.ui.window.frame import StatusBar
from tests.answers import document
from tests.known import present

MEMORY = MemoryState(Mode.REMEMBER, 1412, "a" * 64, None, ())


def shown(qtbot, width=1440):
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.resize(width, bar.sizeHint().height())
    bar.show()
    return bar


def texts(bar):
    return [label.text() for label in bar.findChildren(Label) if label.isVisibleTo(bar)]


def test_progress_has_real_counts_and_goes_away(qtbot):
    bar = shown(qtbot)
    bar.set_progress(Progress(scored=211, to_score=1000))
    assert "Scoring 211 of 1,000" in texts(bar)
    bar.set_progress(Progress(listing=True, listed=1234))
    assert "Looking through folders: 1,234 files" in texts(bar)
    bar.set_progress(Progress(read=2, to_read=9))
    assert "Reading 2 of 9" in texts(bar)
    bar.set_progress(Progress())
    assert not any("of" in text for text in texts(bar))
    assert "No traces open" in texts(bar)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (Mode.REMEMBER, "1,412 remembered"),
        (Mode.GUEST, "guest: 1,412 remembered, nothing added"),
        (Mode.FRESH, "fresh: nothing remembered"),
    ],
)
def test_memory_and_mode_are_said(qtbot, mode, words):
    bar = shown(qtbot)
    bar.set_memory(MemoryState(mode, 1412, "a" * 64, None, ()))
    assert words in texts(bar)


COUNTS = Counter(
    {
        Kind.TRACE: 4,
        Kind.SCORED: 2,
        Kind.ASSUMED: 1,
        Kind.PENDING: 2,
        Kind.DECIDED: 1,
        Kind.PROBLEM: 1,
        Kind.SKIPPED: 1,
    }
)


def test_counts_of_every_kind_and_what_is_decided_while_it_works(qtbot):
    bar = shown(qtbot)
    bar.set_counts(COUNTS)
    counts = [
        "4 traces",
        "2 scored",
        "1 assumed",
        "2 not scored yet",
        "1 with problems",
        "1 skipped",
    ]
    assert set(texts(bar)) == {*counts, "Offline"}
    bar.set_progress(Progress(scored=2, to_score=4))
    assert set(texts(bar)) == {"Scoring 2 of 4", "1 more decided already", *counts, "Offline"}


@pytest.mark.parametrize("width", [1440, 1000, 800])
@pytest.mark.parametrize("busy", [False, True])
def test_where_it_is_narrow_whole_parts_give_way(qtbot, width, busy):
    bar = shown(qtbot)
    bar.set_counts(COUNTS)
    bar.set_memory(MEMORY)
    bar.set_document(document())
    bar.set_progress(Progress(scored=1234, to_score=10_000) if busy else Progress())
    everything = texts(bar)
    bar.resize(width, bar.height())
    assert bar.minimumSizeHint().width() == 0
    assert "1 with problems" in texts(bar)
    assert ("Scoring 1,234 of 10,000" in texts(bar)) is busy
    qtbot.waitUntil(lambda: all(is_whole(bar, part) for part in bar.findChildren(Label)))
    bar.resize(2000, bar.height())
    assert set(texts(bar)) >= set(everything)


def is_whole(bar, part):
    right = part.mapTo(bar, part.rect().topRight()).x()
    whole = right < bar.width() and part.width() >= part.sizeHint().width()
    return whole or not part.isVisibleTo(bar)


def test_what_was_stopped_is_counted_and_can_be_gone_on_with(qtbot):
    bar = shown(qtbot)
    counts = Counter({Kind.TRACE: 1_234, Kind.PENDING: 1_234})
    bar.set_counts(counts, stopped=True)
    assert "Stopped, 1,234 left" in texts(bar) and "1,234 not scored yet" not in texts(bar)
    resume = next(one for one in bar.findChildren(QToolButton) if one.text() == "Resume")
    with qtbot.waitSignal(bar.resume.clicked):
        resume.click()
    bar.set_counts(counts)
    assert "1,234 not scored yet" in texts(bar) and not resume.isVisible()


def test_news_goes_by_itself_and_stays_where_it_is_narrow(qtbot):
    bar = shown(qtbot, width=500)
    bar.set_counts(COUNTS)
    bar.set_memory(MEMORY)
    bar.show_news("report.json was written.", "/runs/report.json")
    assert "report.json was written." in texts(bar)
    bar.show_news("b.json was written.")
    assert "report.json was written." not in texts(bar)
    present(bar.findChild(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)).setInterval(0)
    qtbot.waitUntil(lambda: "b.json was written." not in texts(bar))
