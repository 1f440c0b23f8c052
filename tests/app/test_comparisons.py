"""Two traces side by side: rows, neighbours, and what becomes of them while they are shown."""

import json
from dataclasses import replace

import pytest

from kpinspector.app.comparisons import Comparisons
from kpinspector.app.document import Rules
from kpinspector.app.documents import DocumentStore
from kpinspector.app.engine import Core, Engine
from kpinspector.app.jobs import JobRunner, Token
from kpinspector.app.opener import Opener
from kpinspector.app.pipeline import Pipeline
from kpinspector.app.progress import NoticeBoard
from kpinspector.app.questions import Questions
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.settings import Mode, Settings
from kpinspector.trace.align import Likeness
from kpinspector.words.writers.comparison import comparison_text
from tests.app.harness import Slow, write
from tests.fakes import FakeEmbedder, NoEmbedder, make_raw
from tests.ui.documents import scored


class Listener:
    """All that was said of comparisons."""

    def __init__(self, session):
        self.said, self.ends = [], 0
        session.comparisons.changed.connect(self._on_changed)

    def _on_changed(self, comparison):
        if comparison is None:
            self.ends += 1
        else:
            self.said.append(comparison)

    @property
    def last(self):
        return self.said[-1]


@pytest.fixture
def opened(harness, tmp_path):
    """A session with two traces, a and b, in files of their own."""

    def make(embedder=None, **options):
        one = harness(embedder, **options)
        one.open(write(tmp_path / "a.json", "a"), write(tmp_path / "b.json", "b"))
        one.heard = Listener(one.session)
        return one

    return make


def neighbour_of(one, row):
    return one.session.documents[row].measured.measurement.novelty.neighbours[0]


def numbers(one):
    return [document.number for document in one.session.documents]


def test_two_rows_are_compared_and_then_measured_together(opened):
    one = opened()
    one.session.comparisons.compare(*numbers(one))
    one.settle()
    first, last = one.heard.said
    assert first.similarity is None
    assert last == replace(first, similarity=last.similarity)
    assert (last.left.name, last.right.name) == ("a", "b")
    assert last.alignment.pairs[0].likeness is Likeness.CHANGED
    near = neighbour_of(one, 1)
    assert last.similarity == pytest.approx(near.similarity, abs=1e-6)
    assert last.differences.exact == (
        one.session.documents[1].assessment.score - one.session.documents[0].assessment.score
    )
    assert one.session.comparisons.numbers == tuple(numbers(one))


def test_swapping_exchanges_the_sides(opened):
    one = opened()
    one.session.comparisons.compare(*numbers(one))
    one.settle()
    before = one.heard.last
    one.session.comparisons.swap()
    mirrored = before.alignment.mirrored()
    swapped = replace(before, left=before.right, right=before.left, alignment=mirrored)
    assert one.heard.last == swapped
    assert one.session.comparisons.numbers == tuple(reversed(numbers(one)))
    one.session.comparisons.close()
    one.session.comparisons.swap()
    assert one.heard.ends == 1 and len(one.heard.said) == 3


def test_other_rules_hold_at_once(opened):
    one = opened()
    one.session.comparisons.compare(*numbers(one))
    one.settle()
    one.session.store.judge(Rules(PROFILES[1], 0.3))
    assert one.heard.last.left.assessment.profile is PROFILES[1]
    assert one.heard.last.right.assessment.threshold == 0.3
    assert one.heard.last.alignment is one.heard.said[0].alignment


def test_a_row_that_was_edited_is_compared_anew(opened, tmp_path):
    one = opened()
    one.session.comparisons.compare(*numbers(one))
    one.settle()
    path = tmp_path / "b.json"
    path.write_text(json.dumps(make_raw(id="b", task={"objective": "a"})), encoding="utf-8")
    one.session.reload()
    one.settle()
    assert one.heard.last.alignment.pairs[0].likeness is Likeness.SAME
    assert one.heard.last.right.assessment == one.session.documents[1].assessment
    assert one.heard.ends == 0


def test_a_row_that_is_scored_brings_its_figures(opened, tmp_path):
    embedder = Slow()
    embedder.gate.set()
    one = opened(embedder)
    embedder.gate.clear()
    embedder.waiting.clear()
    one.session.open([str(write(tmp_path / "c.json", "c"))])
    one.qtbot.waitUntil(lambda: len(one.session.store) == 3 and embedder.waiting.is_set())
    one.session.comparisons.compare(numbers(one)[0], numbers(one)[2])
    embedder.gate.set()
    one.settle()
    assert one.heard.last.differences is not None
    assert one.heard.last.similarity is not None


def test_a_row_that_is_read_as_a_fault_ends_it(opened, tmp_path):
    one = opened()
    one.session.comparisons.compare(*numbers(one))
    one.settle()
    (tmp_path / "b.json").write_text("{", encoding="utf-8")
    one.session.reload()
    one.settle()
    assert one.heard.ends == 1 and one.session.comparisons.numbers == (None, None)


@pytest.mark.parametrize("row", [0, 1])
def test_a_row_that_is_taken_off_ends_it(opened, row):
    one = opened()
    one.session.comparisons.compare(*numbers(one))
    one.settle()
    one.session.remove([numbers(one)[row]])
    assert one.heard.ends == 1
    one.session.comparisons.close()
    assert one.heard.ends == 1


def test_a_row_that_is_taken_off_meanwhile_is_not_shown(opened):
    one = opened()
    one.session.comparisons.compare(*numbers(one))
    one.session.remove(numbers(one)[1:])
    one.settle()
    assert one.heard.said == []


def test_a_row_that_was_edited_meanwhile_is_compared_as_it_is_now(qapp, tmp_path, monkeypatch):
    jobs, store = [], DocumentStore(Rules())

    engine = Engine(Mode.GUEST, tmp_path / "none", Settings(), FakeEmbedder())
    core = Core(JobRunner(), engine, store, NoticeBoard())
    questions = Questions(core, Opener(core, Pipeline(core)))
    monkeypatch.setattr(questions, "ask", lambda _, work, tell: jobs.append((work, tell)))
    comparisons = Comparisons(core, questions)
    heard = []
    comparisons.changed.connect(heard.append)
    for number in (0, 1):
        store.put(scored(number))
    comparisons.compare(0, 1)
    store.put(scored(1, objective="edited"))
    for _ in range(2):
        work, done = jobs.pop(0)
        done(work(Token()))
    engine.close()
    store.close()
    assert heard[0].right.record.trace.objective == "edited"
    assert heard[0].alignment.pairs[0].likeness is Likeness.CHANGED


def test_the_text_is_written_by_a_job(opened):
    one = opened()
    written = []
    one.session.comparisons.write_text(written.append)
    one.session.comparisons.compare(*numbers(one))
    one.settle()
    one.session.comparisons.write_text(written.append)
    one.settle()
    assert written == [comparison_text(one.heard.last)]


def test_only_the_last_wish_is_answered(opened, tmp_path):
    one = opened()
    one.open(write(tmp_path / "c.json", "c"))
    first, second, third = numbers(one)
    one.session.comparisons.compare(first, second)
    one.session.comparisons.compare(second, third)
    one.settle()
    assert {said.left.name for said in one.heard.said} == {"b"}


@pytest.mark.parametrize("mode", list(Mode))
def test_a_neighbour_is_read_from_its_file(opened, mode):
    one = opened(mode=mode)
    near = neighbour_of(one, 1)
    before = one.session.memory.state
    one.session.remove(numbers(one)[:1])
    one.session.comparisons.compare_with(numbers(one)[0], near)
    one.settle()
    last = one.heard.last
    assert (last.left.name, last.right.name) == ("b", "a")
    assert last.remarks == ()
    assert last.right.record.trace.id == "a"
    assert last.right.assessment is not None
    assert last.similarity == pytest.approx(near.similarity, abs=1e-6)
    assert one.session.comparisons.numbers == (numbers(one)[0], None)
    assert one.session.memory.state == before
    one.session.store.judge(Rules(PROFILES[2], 0.3))
    assert one.heard.last.right.assessment.profile is PROFILES[2]


def test_a_neighbour_that_was_changed_is_compared_and_told(opened, tmp_path):
    one = opened()
    near = neighbour_of(one, 1)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(make_raw(id="a", task={"objective": "new"})), encoding="utf-8")
    one.session.comparisons.compare_with(numbers(one)[1], near)
    one.settle()
    last = one.heard.last
    assert last.right.record.trace.objective == "new"
    assert last.remarks[0] == "a has changed since it was remembered; this is its text now."
    assert last.similarity != pytest.approx(near.similarity, abs=1e-6)
    one.session.comparisons.swap()
    assert one.heard.last.remarks == last.remarks


def test_one_of_todays_neighbours_is_no_news_of_the_finding(opened, tmp_path):
    one = opened()
    heard = []
    one.open(write(tmp_path / "c.json", "c"))
    one.session.questions.set_document(one.session.documents[1])
    one.session.questions.look_today(heard.append)
    one.settle()
    later = next(near for near in heard[0].neighbours if near.key == "c")
    one.session.comparisons.compare_with(numbers(one)[1], later)
    one.settle()
    assert one.heard.last.right.name == "c"
    assert one.heard.last.remarks == ()


def test_a_neighbour_that_is_gone_is_said_and_nothing_is_shown(opened, tmp_path):
    one = opened()
    near = neighbour_of(one, 1)
    (tmp_path / "a.json").unlink()
    one.session.comparisons.compare_with(numbers(one)[1], near)
    one.settle()
    assert one.heard.said == []
    notice = one.said[-1]
    assert notice.key == "neighbour"
    assert notice.sentence == (f"a cannot be compared: its file is gone, {tmp_path / 'a.json'}.")


def test_without_a_model_the_rest_is_compared(opened):
    one = opened(NoEmbedder())
    one.session.comparisons.compare(*numbers(one))
    one.settle()
    assert one.heard.last.similarity is None
    assert one.heard.last.left.assumed
    assert one.heard.last.differences is not None


def test_equal_names_are_told_apart(harness, tmp_path):
    one = harness(FakeEmbedder())
    (tmp_path / "other").mkdir()
    for path in ("run.json", "run.jsonl", "other/run.json"):
        one.open(write(tmp_path / path, path))
    heard, (first, second, third) = Listener(one.session), numbers(one)
    one.session.comparisons.compare(first, second)
    one.settle()
    assert (heard.last.left.name, heard.last.right.name) == ("run.json", "run.jsonl")
    one.session.comparisons.compare(first, third)
    one.settle()
    assert (heard.last.left.name, heard.last.right.name) == ("run.json (left)", "run.json (right)")
