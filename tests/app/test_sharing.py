"""What would leave of the current trace: looked for while somebody looks; measured beside."""

import json
from dataclasses import replace

import pytest

from kpinspector.app import sharing
from kpinspector.app.document import Rules
from kpinspector.sharing import parts
from kpinspector.sharing.posting import NotPosted, Way
from tests.fakes import Gated, NoEmbedder, make_raw
from tests.known import present

SECRET = "ask ann@example.org, token=abcdef"


def save(path, content=SECRET, **changes):
    steps = [
        {"step_id": 0, "type": "thought", "content": content},
        {"step_id": 1, "type": "observation", "content": "done"},
    ]
    path.write_text(json.dumps(make_raw(steps=steps, id=path.stem, **changes)), encoding="utf-8")
    return path


class Looked:
    """A session whose current row is looked at."""

    def __init__(self, one, *paths):
        self.harness, self.session, self.answers = one, one.session, one.session.sharing
        self.heard = []
        one.open(*paths)
        self.answers.changed.connect(lambda: self.heard.append(self.answers.sharing))

    def show(self, number=0, **rules):
        document = self.session.documents[number]
        if rules:
            document = document.with_rules(Rules(**rules))
        self.answers.set_document(document)
        return document


@pytest.fixture
def looked(harness, tmp_path):
    def make(*contents, embedder=None):
        paths = [save(tmp_path / f"{n}.json", text) for n, text in enumerate(contents or (SECRET,))]
        return Looked(harness(embedder), *paths)

    return make


def test_nothing_is_looked_for_before_somebody_looks(looked, monkeypatch):
    monkeypatch.setattr(sharing, "ways_of_measured", lambda *_: pytest.fail("nobody looks"))
    one = looked(SECRET, "so")
    one.show(0)
    one.show(1)
    assert one.heard == [] and one.answers.ways is None


def test_a_short_trace_is_answered_at_once(looked):
    one = looked()
    one.show()
    one.answers.set_shown(True)
    assert one.heard == [one.answers.sharing]
    shared = present(one.answers.sharing)
    assert shared.posting.way is Way.CONTRIBUTE and shared.is_posted
    assert [found.kind for found in shared.in_clear] == ["email", "password"]


def test_the_cleaned_text_is_measured_and_not_remembered(looked):
    one = looked()
    one.show(threshold=0.0)
    before = one.session.memory.state
    one.answers.choose_way(Way.CAPTURE)
    one.answers.set_shown(True)
    assert present(one.answers.sharing).score_of_cleaned is None
    one.harness.settle()
    assert 0 < present(present(one.answers.sharing).score_of_cleaned) < 1
    one.session.memory.look_up()
    one.harness.settle()
    assert one.session.memory.state == before


def test_another_threshold_measures_nothing_again(looked):
    one = looked()
    one.show(threshold=0.0)
    one.answers.choose_way(Way.CAPTURE)
    one.answers.set_shown(True)
    one.harness.settle()
    cleaned, embedded = present(one.answers.sharing).score_of_cleaned, one.harness.embedder.embedded
    one.show(threshold=0.1)
    assert present(one.answers.sharing).score_of_cleaned == cleaned
    one.show(threshold=1.0)
    assert present(one.answers.sharing).posting.reason is NotPosted.BELOW_THRESHOLD
    one.show(threshold=0.1)
    assert one.harness.embedder.embedded == embedded


def test_without_a_model_the_cleaned_text_has_no_score(looked):
    one = looked(embedder=NoEmbedder())
    one.show(threshold=0.0)
    one.answers.choose_way(Way.CAPTURE)
    one.answers.set_shown(True)
    one.harness.settle()
    shared = present(one.answers.sharing)
    assert shared.is_posted and shared.score_of_cleaned is None


def test_a_long_trace_is_answered_by_the_worker(looked):
    one = looked(SECRET + " so" * sharing.LONG)
    one.show()
    one.answers.set_shown(True)
    assert one.heard == [None]
    one.harness.settle()
    assert present(one.answers.sharing).is_posted


def test_only_the_last_row_is_answered(looked):
    long = SECRET + " so" * sharing.LONG
    one = looked(long, "so", long)
    one.answers.set_shown(True)
    for number in (0, 2, 1):
        one.show(number)
    one.harness.settle()
    assert present(one.answers.sharing).in_clear == ()


def test_a_row_that_left_meanwhile_is_not_answered(looked):
    one = looked(SECRET + " so" * sharing.LONG, "so")
    one.show(0)
    one.answers.set_shown(True)
    one.answers.set_shown(False)
    one.show(1)
    one.harness.settle()
    one.answers.set_shown(True)
    assert present(one.answers.sharing).in_clear == ()


def test_looking_again_finds_the_same_answer(looked):
    one = looked()
    one.show()
    one.answers.set_shown(True)
    before = one.answers.sharing
    one.answers.set_shown(False)
    assert one.answers.sharing is None
    one.answers.set_shown(True)
    assert one.answers.sharing is before
    assert one.heard == [before, None, before]


def test_a_trace_without_a_score_waits(harness, tmp_path):
    one = harness(Gated())
    one.begin(save(tmp_path / "a.json"))
    answers = one.session.sharing
    answers.set_shown(True)
    answers.set_document(one.session.documents[0])
    assert answers.sharing is None
    one.go_on()
    answers.set_document(one.session.documents[0])
    assert present(answers.sharing).is_posted


def test_a_value_of_a_row_that_changes_nothing_is_not_looked_through_again(looked):
    one = looked()
    document = one.show()
    one.answers.set_shown(True)
    before = one.answers.sharing
    one.answers.set_document(replace(document, modified=1))
    assert one.answers.sharing is before and one.heard == [before]


@pytest.mark.parametrize("way", Way)
def test_the_steps_of_a_long_trace_are_looked_through_on_the_worker(looked, monkeypatch, way):
    one = looked("so " * sharing.LONG + SECRET)
    document = one.show(threshold=0.0)
    one.answers.choose_way(way)
    one.answers.set_shown(True)
    one.harness.settle()
    for name in ("clean", "masked_parts"):
        monkeypatch.setattr(parts, name, lambda *_: pytest.fail("looked through again"))
    step = document.record.trace.steps[0]
    ((name, pieces),) = present(one.answers.sharing).leaving.fields(0, step.raw)
    assert name == "content"
    assert "".join(one.text for one in pieces).endswith("••••")
