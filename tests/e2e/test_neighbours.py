"""Neighbours, order and what novelty did not see: through the window, from ``main``."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from kpinspector.app.neighbours import Question
from kpinspector.files import resources
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.memory.mode import FILE_NAME
from kpinspector.scoring.model.bundled_model import WINDOW_TOKENS
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.ui.actions.actions import Command
from kpinspector.ui.neighbours.neighbour_list import When
from kpinspector.ui.score.answer import Answer
from kpinspector.ui.score.evidence_rows import evidence_rows
from kpinspector.ui.traces.trace_model import TraceRole
from tests.e2e.driving import idle, says
from tests.fakes import FakeEmbedder, make_raw, save
from tests.ui.reading import texts


def save_trace(path, trace_id, *contents):
    steps = [{"step_id": n, "type": "thought", "content": one} for n, one in enumerate(contents)]
    return save(path, make_raw(id=trace_id, steps=steps, task={"objective": path.stem}))


def show(window, name):
    """Make the row of that name the current one, and come to its neighbours."""
    document = next(one for one in window._session.documents if one.name == name)
    window._traces.set_current(document.number)
    window._score.show_neighbours()
    return window._score.neighbours


def rows(view):
    return [row[1].split(",")[0] for row in texts(view.list._table)]


def test_the_neighbours_of_a_trace_then_and_today(journey, tmp_path):
    """Item by item: who set novelty, what without it, today's, and going to one of them."""
    first = [save_trace(tmp_path / f"{name}.json", name, name, "then more") for name in "ab"]

    def script(window):
        yield idle(window)
        view = show(window, "b")
        assert rows(view) == ["a"]
        assert "sets novelty" in texts(view.list._table)[0][1]
        window._session.open([str(save_trace(tmp_path / "c.json", "c", "c"))])
        yield idle(window)
        view = show(window, "b")
        view.list._when.choose(When.TODAY)
        yield lambda: len(rows(view)) == 2
        assert {row[-1].rpartition(", ")[2] for row in texts(view.list._table)} == {
            "as it was",
            "new since then",
        }
        window._session.open([str(save_trace(tmp_path / "d.json", "d", "d"))])
        yield idle(window)
        show(window, "b")
        yield lambda: len(rows(view)) == 3
        view.list._when.choose(When.SCORED)
        assert rows(view) == ["a"]
        view.list._compare.click()
        yield lambda: bool(window._session.comparisons.numbers)
        view.list._leave_out.click()
        assert window._score.what_if_seen
        assert window._what_if.scenario.novelty == 0.5  # there was no other
        window._score.show_neighbours()
        view.list._open.click()
        assert window._current.name == "a"
        assert rows(view) == []
        order = texts(view._order)
        assert order[0][1:] == order[1][1:] and "1st" in order[1][0]

    assert journey(first, script) == 0


def test_no_neighbour_is_called_like_the_trace_itself(journey, tmp_path):
    """The same file name and record in another folder: list, why, evidence, tip and question."""
    files = []
    for folder in "ab":
        (tmp_path / folder).mkdir()
        raws = [make_raw(id=f"{folder}{n}", task={"objective": f"{folder}{n}"}) for n in "12"]
        files.append(save(tmp_path / folder / "t.jsonl", *raws))

    def script(window):
        yield idle(window)
        document = window._session.documents[2]
        window._traces.set_current(document.number)
        window._score.show_neighbours()
        view = window._score.neighbours
        assert sorted(rows(view)) == ["a/t.jsonl 1", "t 2"]
        view.list._when.choose(When.TODAY)
        yield lambda: len(rows(view)) == 3
        assert sorted(rows(view)) == ["a/t.jsonl 1", "a/t.jsonl 2", "b/t.jsonl 2"]
        nearest = document.measured.measurement.novelty.neighbours[0]
        name = "a/t.jsonl 1" if nearest.trace_id == "a1" else "t 2"
        assert view._alike.asking.isVisible()
        said = [one.text() for one in view.findChildren(QLabel)]
        assert any(f"compares with {name}." in one for one in said)
        assert f"Compare with {name}," in window._actions[Command.COMPARE].toolTip()
        window._score.tabs.setCurrentIndex(0)
        assert f"similar to {name}" in Answer(document).evidence(Dimension.NOVELTY)
        shown = [row.cells[1].text for row in evidence_rows(Answer(document), Dimension.NOVELTY)]
        assert sorted(shown) == ["a/t.jsonl 1", "t 2"]

    assert journey(files, script) == 0


def test_a_neighbour_whose_file_is_gone_is_said(journey, tmp_path):
    gone = save_trace(tmp_path / "gone.json", "gone", "x")

    def before(window):
        yield idle(window)

    assert journey([gone], before) == 0
    gone.unlink()

    def script(window):
        yield idle(window)
        view = show(window, "stays")
        assert rows(view) == ["gone"]
        view.list._open.click()
        yield says(window, "is not there any more")

    assert journey([save_trace(tmp_path / "stays.json", "stays", "y")], script) == 0


def test_order_made_visible(journey, tmp_path, data_dir):
    """The verdict that depends on order is marked in the list, drawn, and true."""
    steps = [
        {"step_id": n, "type": kind, "content": kind, "tool": {"name": str(n)}}
        for n, kind in enumerate(("thought", "tool_call", "observation", "error_recovery"))
    ]
    for name in ("one", "two"):
        raw = make_raw(
            id=f"kp:trace:{name}", steps=steps, outcome={"result_summary": "", "confidence": 0.8}
        )
        save(tmp_path / f"{name}.json", raw)
    found: dict[str, Any] = {}

    def script(window):
        yield idle(window)
        one, two = window._session.documents
        assert two.assessment.score < one.assessment.score
        threshold = (one.assessment.score + two.assessment.score) / 2
        window._session.set_rules(window._session.rules.__class__(threshold=threshold))
        view = show(window, "two")
        found["order"] = texts(view._order)
        found["verdicts"] = [row[1] for row in found["order"][:3]]
        model = window._traces.model
        marked = [
            model.index(row, 0).data(TraceRole.ROW).order_matters for row in range(model.rowCount())
        ]
        assert marked == [False, True]
        window._score.tabs.setCurrentIndex(0)
        assert "Scored first, this trace would pass" in window._score._why._sentence.text()
        found["first"] = one.assessment.score, two.assessment.score

    assert journey([tmp_path / "one.json", tmp_path / "two.json"], script) == 0
    assert found["verdicts"] == ["Accepted", "Rejected", "Rejected"]
    first, placed = found["first"]
    assert found["order"][0][-1] == f"{first:.4f}" and found["order"][1][-1] == f"{placed:.4f}"
    (data_dir / FILE_NAME).unlink()

    def again(window):
        yield idle(window)
        assert window._session.documents[0].assessment.score == first

    assert journey([tmp_path / "two.json"], again) == 0


def test_steps_are_ranked_with_progress_and_gone_to(journey):
    """With the real model on the samples: a button, progress, bars, and the step itself."""
    samples = [resources() / "samples" / f"visit-{name}.json" for name in ("03", "08")]

    def script(window):
        yield idle(window)
        view = show(window, "visit-08")
        seen = []
        window._session.neighbours.steps_ranked.connect(lambda found: seen.append(found.total))
        view._alike.asking._button.click()
        yield lambda: len(seen) > 2
        assert view._alike.asking._stop.isVisible()
        yield lambda: bool(texts(view._alike._table))
        table = view._alike._table
        assert len(seen) == seen[0] + 1
        assert texts(table)[0][-1].startswith("\N{MINUS SIGN}")
        view.list._compare.click()
        yield window._compare.isVisible
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_Return)
        assert window._steps.isVisible()
        step = int(texts(table)[0][0].split()[0])
        assert window._steps.current_step().index == step

    assert journey(samples, script, MiniLM()) == 0


def test_ranking_is_stopped_and_forgotten_with_its_trace(journey, tmp_path):
    contents = [f"step {number}" for number in range(300)]
    paths = [save_trace(tmp_path / f"{name}.json", name, name, *contents) for name in "ab"]

    def script(window):
        yield idle(window)
        view = show(window, "b")
        view._alike.asking._button.click()
        yield lambda: view._alike.asking._bar.value() > 0
        view._alike.asking._stop.click()
        yield idle(window)
        assert "Stopped after" in view._alike._remark.text()
        view._alike.asking._button.click()
        yield lambda: view._alike.asking._bar.value() > 0
        show(window, "a")
        assert window._session.neighbours._asked == {}
        show(window, "b")
        assert texts(view._alike._table) == [] and view._alike.asking._button.isVisible()

    assert journey(paths, script) == 0


def test_what_the_embedder_did_not_see_is_measured_on_request(journey, tmp_path):
    words = " ".join(f"word{number}" for number in range(3 * WINDOW_TOKENS))
    paths = [save_trace(tmp_path / "a.json", "a", "x"), save_trace(tmp_path / "b.json", "b", words)]
    embedder = FakeEmbedder()

    def script(window):
        yield idle(window)
        view = show(window, "b")
        unseen = view._unseen
        assert "Novelty saw the first 512 tokens, up to step 0." in unseen._sentence.text()
        before = embedder.embedded
        unseen.asking._button.click()
        yield lambda: "the SDK does not compute this" in unseen._sentence.text()
        yield idle(window)
        assert unseen._sentence.text().startswith("Tokens 513 to 1,537, from step 0 on.")
        assert embedder.embedded > before + 2
        line = "Embedding window ends here, token 512 of 1,537: novelty sees nothing below"
        assert window._steps.tree.accessibleDescription() == line
        assert not unseen.asking.isVisible()
        assert window._session.neighbours._asked == {}
        assert window._session.remembered.state.remembered == 2
        window._actions[Command.COPY_ANSWER].trigger()
        assert "does not compute" not in QGuiApplication.clipboard().text()

    assert journey(paths, script, embedder) == 0


def test_closing_while_a_question_is_open_is_clean(journey, tmp_path):
    contents = [f"step {number}" for number in range(400)]
    paths = [save_trace(tmp_path / f"{name}.json", name, name, *contents) for name in "ab"]

    def script(window):
        yield idle(window)
        show(window, "b")
        for question in (Question.RANKING, Question.WHOLE_TEXT, Question.TODAY):
            window._score.neighbours.asked.emit(question)
        QApplication.processEvents()

    assert journey(paths, script) == 0


def test_verdicts_are_those_of_the_list(journey):
    samples = [resources() / "samples"]

    def script(window):
        yield idle(window)
        for document in window._session.documents:
            if document.assessment is None:
                continue
            window._traces.set_current(document.number)
            window._score.show_neighbours()
            placed = texts(window._score.neighbours._order)[1]
            word = "Accepted" if document.verdict is Verdict.ACCEPTED else "Rejected"
            assert placed[1] == word

    assert journey(samples, script) == 0
