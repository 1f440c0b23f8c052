"""Two traces side by side: rows, neighbours, and what becomes of them while they are shown."""

from dataclasses import replace

import pytest

from kpinspector.app.comparisons import Comparisons
from kpinspector.app.document import Rules
from kpinspector.app.documents import DocumentStore
from kpinspector.app.engine import Core, Engine
from kpinspector.app.jobs import JobRunner, Token
from kpinspector.app.questions import Questions
from kpinspector.app.values import NoticeBoard
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.settings import Mode, Settings
from kpinspector.trace.align import Likeness
from tests.app.harness import write
from tests.fakes import FakeEmbedder, Gated, NoEmbedder
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


def test_a_row_that_is_scored_brings_its_figures(opened, tmp_path):
    embedder = Gated(is_open=True)
    one = opened(embedder)
    embedder.shut()
    one.session.opener.open([str(write(tmp_path / "c.json", "c"))])
    one.qtbot.waitUntil(lambda: len(one.session.store) == 3 and embedder.waiting.is_set())
    one.session.comparisons.compare(numbers(one)[0], numbers(one)[2])
    one.go_on()
    assert one.heard.last.differences is not None
    assert one.heard.last.similarity is not None


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
    questions = Questions(core, print)
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
