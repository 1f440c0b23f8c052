"""What is written of rows: reports as they are tried, on the worker, whole or not at all."""

import weakref
from dataclasses import replace

import pytest

from kpinspector.app import answers as exporting
from kpinspector.app.answers import REPORT, TRACES, Exports, ReportBasis, explanation_of, report_of
from kpinspector.app.jobs import Cancelled, JobRunner, Token
from kpinspector.app.values import NoticeBoard
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.words.writers import EXPLANATIONS, LISTS
from tests.answers import document, pending_document, problem_document, skipped_document
from tests.explained import USED
from tests.known import present

ROWS = (document(), pending_document(), problem_document(), skipped_document())


class Waiting(Exports):
    """Waits until all is written; knows what failed, and what is said to have succeeded."""

    def __init__(self, qtbot, folder):
        self._qtbot, self.runner, board = qtbot, JobRunner(), NoticeBoard()
        self.failures, self.settled, self.said = [], [], []
        board.settled.connect(self.settled.append)
        board.raised.connect(self.said.append)
        basis = ReportBasis(USED, "f" * 64, None)
        super().__init__(lambda: basis, self._run, board, tuple, folder)

    def _run(self, work, done):
        return self.runner.submit(work, done, self.failures.append)

    def write(self, form, path, documents):
        super().write(form, path, documents)
        self._qtbot.waitUntil(lambda: self.runner.idle)


@pytest.fixture
def exports(qtbot, tmp_path):
    made = Waiting(qtbot, tmp_path / "data")
    yield made
    assert made.runner.close()


@pytest.mark.parametrize("form", [REPORT, TRACES, *LISTS, *EXPLANATIONS])
def test_a_place_that_cannot_be_written(exports, tmp_path, form):
    exports.write(form, tmp_path / "no" / "file", ROWS)
    assert exports.said == []
    (failure,) = exports.failures
    assert "could not be written" in failure.message


def test_rows_are_explained_for_as_long_as_they_are_wanted(tmp_path, monkeypatch):
    token, explained = Token(), []

    def explain_and_cancel(document):
        explained.append(document)
        token.cancel()
        return explanation_of(document)

    monkeypatch.setattr(exporting, "explanation_of", explain_and_cancel)
    made = Exports(
        lambda: ReportBasis(USED, None, None),
        lambda work, _done: work(token),
        NoticeBoard(),
        tuple,
        tmp_path,
    )
    with pytest.raises(Cancelled):
        made.write("html", tmp_path / "file", ROWS)
    assert explained == [ROWS[0]] and not (tmp_path / "file").exists()


@pytest.mark.parametrize("form", EXPLANATIONS)
def test_an_explanation_is_let_go_when_it_is_written(exports, tmp_path, monkeypatch, form):
    made, alive = [], []

    def explain_and_count(document):
        alive.append(sum(one() is not None for one in made))
        explained = explanation_of(document)
        made.append(weakref.ref(explained))
        return explained

    monkeypatch.setattr(exporting, "explanation_of", explain_and_count)
    exports.write(form, tmp_path / "file", [document()] * 5)
    assert len(alive) == 5 and max(alive) <= 1


def test_no_export_takes_the_place_of_a_file_of_the_program(exports, tmp_path):
    for name in ("settings.json", "memory.sqlite3"):
        exports.write(REPORT, tmp_path / "data" / name, ROWS)
    assert all("own files" in one.message for one in exports.failures)
    assert len(exports.failures) == 2 and not (tmp_path / "data").exists()


def test_what_is_tried_of_a_row_is_reported_as_far_as_it_fits():
    row = document()
    trace = present(row.record).trace
    last = len(trace.steps)
    tried = Scenario(confidence=1.0)
    for found in ((tried, trace), (replace(tried, edits=(StepEdit(last),)), trace)):
        (entry,) = report_of([row], ReportBasis(USED, None, None, {row.number: found})).traces
        what_if = present(entry["what_if"])
        assert what_if["changes"] == tried and what_if["score"] > present(entry["score"])
    for nothing in ({}, {row.number: (Scenario(), trace)}, {row.number + 1: (tried, trace)}):
        (entry,) = report_of([row], ReportBasis(USED, None, None, nothing)).traces
        assert entry["what_if"] is None
