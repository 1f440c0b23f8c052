"""Questions about one trace: answered in parts, stopped at once, silent about another trace."""

import json
from functools import partial

import pytest

from kpinspector.app.document import Rules
from kpinspector.app.documents import DocumentStore
from kpinspector.app.engine import Core, Engine
from kpinspector.app.jobs import JobRunner
from kpinspector.app.questions import Question, Questions
from kpinspector.app.values import NoticeBoard
from kpinspector.errors import ModelError
from kpinspector.settings import Mode, Settings
from tests.app.harness import write
from tests.fakes import FakeEmbedder, Gated, make_raw


class Listener:
    """All that was answered."""

    def __init__(self, questions):
        self.questions = questions
        self.today, self.rankings, self.ended = [], [], []

    def look(self):
        self.questions.look_today(self.today.append)

    def rank_steps(self):
        over = partial(self.ended.append, Question.RANKING)
        self.questions.rank_steps(self.rankings.append, over)


class Failing(FakeEmbedder):
    """A model that breaks after a few texts."""

    def __init__(self, good):
        super().__init__()
        self.good = good

    def embed(self, window):
        if self.embedded >= self.good:
            raise ModelError("The embedding model is damaged.")
        return super().embed(window)


def save(path, trace_id, steps):
    contents = [{"type": "thought", "content": content} for content in steps]
    path.write_text(json.dumps(make_raw(id=trace_id, steps=contents)), encoding="utf-8")
    return path


@pytest.fixture
def opened(harness, tmp_path):
    """A session with two traces, the second looked at."""

    def make(embedder=None, steps=("a", "b", "c"), **options):
        one = harness(embedder, **options)
        one.open(save(tmp_path / "a.json", "a", ["x"]))
        one.open(save(tmp_path / "b.json", "b", steps))
        one.heard = Listener(one.session.questions)
        one.session.questions.set_document(one.session.documents[1])
        return one

    return make


def test_todays_nearest_come_without_remembering_anything(opened, tmp_path):
    one = opened()
    before = one.session.memory.state
    one.open(write(tmp_path / "c.json", "c"))
    embedded = one.embedder.embedded
    one.heard.look()
    one.settle()
    (today,) = one.heard.today
    assert {near.key for near in today.neighbours} == {"a", "c"}
    assert one.embedder.embedded == embedded
    assert one.session.memory.state.remembered == before.remembered + 1


def test_other_work_goes_on_between_the_parts(opened):
    slow = Gated(is_open=True)
    one = opened(slow)
    slow.shut()
    one.heard.rank_steps()
    assert slow.waiting.wait(10)
    said = []
    one.session.runner.submit(
        lambda _token: None, lambda _: said.append(len(one.heard.rankings)), pytest.fail
    )
    one.go_on()
    assert said == [1]
    assert one.heard.rankings[-1].ranking.complete


def test_a_forgotten_neighbour_has_no_steps_in_common(opened):
    one = opened()
    one.session.memory.forget(one.session.documents[0])
    one.heard.rank_steps()
    one.settle()
    assert one.heard.rankings == [None]
    assert one.heard.ended == [Question.RANKING]


def test_other_rules_leave_the_answers_alone(opened):
    one = opened()
    document = one.session.documents[1]
    one.heard.rank_steps()
    rules = Rules(threshold=0.5)
    one.session.questions.set_document(document.with_rules(rules))
    one.settle()
    assert one.heard.rankings[-1].ranking.complete


def test_a_model_that_breaks_ends_the_question_and_says_so(opened):
    one = opened(Failing(4))
    one.heard.rank_steps()
    one.settle()
    assert [len(alike.ranking.falls) for alike in one.heard.rankings] == [0, 1]
    assert one.heard.ended == [Question.RANKING]
    assert [notice.sentence for notice in one.said] == ["The embedding model is damaged."]


def test_nothing_is_asked_of_what_has_no_score(opened):
    one = opened()
    one.session.questions.set_document(None)
    one.heard.look()
    one.heard.rank_steps()
    one.settle()
    assert one.heard.today == one.heard.rankings == one.heard.ended == []


def test_after_the_end_nothing_is_asked(qapp, opened, tmp_path):
    document = opened().session.documents[1]
    runner = JobRunner()
    engine = Engine(Mode.FRESH, tmp_path, Settings(), FakeEmbedder())
    core = Core(runner, engine, DocumentStore(Rules()), NoticeBoard())
    questions = Questions(core, print)
    heard = Listener(questions)
    questions.set_document(document)
    assert runner.close()
    heard.look()
    assert heard.today == []
