"""Why there is no score, in words."""

from typing import Any

import pytest

from kpinspector.trace.records import ProblemKind
from kpinspector.words.problems import unscored, unscored_sentence
from kpinspector.words.sentences import text_of
from tests.answers import problem_document, skipped_document

NOT_SCORABLE: dict[str, Any] = {
    "kind": ProblemKind.NOT_SCORABLE,
    "expected": "a list",
    "found": "nothing",
}


@pytest.mark.parametrize(
    ("document", "word", "said"),
    [
        (problem_document(line=61_000), "Not readable",
         "There is no trace to score: reading stopped at line 61,000."),
        (problem_document(line=None, message="it is too large"), "Not readable",
         "There is no trace to score: it is too large."),
        (problem_document(**NOT_SCORABLE, json_path="steps"), "Not scorable",
         "The formula cannot be evaluated: steps: expected a list, found nothing."),
        (problem_document(**NOT_SCORABLE, json_path=""), "Not scorable",
         "The formula cannot be evaluated: the record: expected a list, found nothing."),
        (problem_document(ProblemKind.NOT_SCORABLE, expected=None, message="it is odd"),
         "Not scorable", "The formula cannot be evaluated: it is odd."),
        (skipped_document(), "Skipped", "Nothing to score: an ExpertSOP is not scored."),
    ],
)  # fmt: skip
def test_words(document, word, said):
    assert unscored(document.item)[1] == word
    assert text_of(unscored_sentence(document.item)) == said
