"""What other rooms hand out is said in the reader's language, and stays English in reports."""

import copy
import json
from gettext import NullTranslations

import pytest

from kpinspector.errors import KpError
from kpinspector.phrase import Phrase, count_phrase
from kpinspector.scoring.formula.overrides import apply_overrides
from kpinspector.trace.read import read_bytes
from kpinspector.words import say
from kpinspector.words.problems import unscored_sentence
from kpinspector.words.say import in_words
from kpinspector.words.score import remarks
from kpinspector.words.sentences import DIMENSION_NAMES, text_of
from tests.answers import assessment, facts
from tests.explained import scored
from tests.trace.samples import trace


class Elsewhere(NullTranslations):
    """A language in which every message stands between brackets."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"«{msgid1 if n == 1 else msgid2}»"


@pytest.fixture
def elsewhere(monkeypatch):
    monkeypatch.setattr(say, "_catalogue", Elsewhere())


def only_problem(data):
    (problem,) = read_bytes(data, "a.json").problems
    return problem


def test_a_phrase_is_its_english_and_knows_its_form():
    found = Phrase("expected {expected}", expected=Phrase("a list"))
    assert found == "expected a list" and json.dumps([found]) == '["expected a list"]'
    assert (found.form, found.named) == ("expected {expected}", {"expected": "a list"})
    again = copy.deepcopy(found)
    assert (again, again.form, again.named) == (found, found.form, found.named)


def test_a_phrase_says_how_many():
    words = [count_phrase("{number} step", "{number} steps", one) for one in (0, 1, 2_000)]
    assert words == ["0 steps", "1 step", "2,000 steps"]
    assert [*map(in_words, words)] == words


@pytest.mark.parametrize("text", ["", "a list", "{name} as it stands"])
def test_any_other_text_stays_as_it_is(text, elsewhere):
    assert in_words(text) == text


def test_phrases_are_said_in_the_places_of_others(elsewhere):
    outer = Phrase("{count} of {what}", count=4_000, what=Phrase("a list"))
    assert in_words(outer) == "«4,000 of «a list»»"
    assert say.say("Found: {found}", found=outer) == "«Found: «4,000 of «a list»»»"
    counted = count_phrase("{number} of {what}", "{number} of all", 1, what=Phrase("a list"))
    assert in_words(counted) == "«1 of «a list»»"


def test_the_counts_of_a_reason_are_written_as_all_others():
    many = facts(steps=5_000, error_recoveries=1_000, tool_steps=1_000, unique_tools=1)
    reasons = [one.reason for one in apply_overrides(many, 0.5)]
    as_reported = ["5000 steps", "1,000 recoveries and success", "one tool in 1,000 calls"]
    assert reasons == as_reported
    assert [*map(in_words, reasons)] == ["5,000 steps", *as_reported[1:]]


def test_a_problem_is_said_whole(elsewhere):
    problem = only_problem(b'{"steps": [tru]}')
    assert problem.message == 'not valid JSON: expected a value or "]", found the word "tru"'
    assert in_words(problem.message) == (
        '«not valid JSON: expected «a value or "]"», found «the word "tru"»»'
    )
    lone = only_problem(b'{"task": {}, "steps": 1}')
    assert text_of(unscored_sentence(lone)) == (
        "«The formula cannot be evaluated: steps: expected «a list», found «a number».»"
    )


def test_what_the_schema_and_the_sdk_make_of_a_value_is_said(elsewhere):
    raw = trace(metadata={**trace()["metadata"], "success": "yes"})
    (record,) = read_bytes(json.dumps(raw).encode(), "a.json").traces
    (issue,) = record.issues
    assert issue.message == "expected a boolean, found a string; the SDK reads it as true"
    assert in_words(issue.message) == (
        "««expected «a boolean», found «a string»»; «the SDK reads it as true»»"
    )
    ((measured, terms),) = scored([record])
    assert '«metadata.success is «"yes", «a string»»; «the SDK reads it as true».»' in remarks(
        terms, measured
    )


def test_the_reason_of_an_override_is_said(elsewhere):
    reasons = [in_words(one.reason) for one in assessment().overrides]
    assert all(reason.startswith("«") for reason in reasons)


def test_a_list_is_said_part_by_part(elsewhere):
    assert say.say_list(("a", "", "b", "c")) == "««a, b», c»"
    assert (say.say_list(()), say.say_list("a")) == ("", "a")
    assert say.say_all("ab") == "«a and b»" and say.say_any("abc") == "««a, b» or c»"
    assert say.say_all("a") == say.say_any("a") == "a"


def test_names_are_said_when_they_are_asked_for(elsewhere):
    assert {*DIMENSION_NAMES.values()} == {
        "«complexity»",
        "«novelty»",
        "«tool diversity»",
        "«outcome»",
    }


def test_a_failure_keeps_its_phrase():
    assert KpError(Phrase("The disk is full.")).message == "The disk is full."
