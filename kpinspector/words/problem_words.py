"""The words for what has no score: a problem, a skipped unit."""

from collections.abc import Sequence

from kpinspector.runs.recording import UnreadRun
from kpinspector.trace.clear import masked_in
from kpinspector.trace.read import MoreProblems, Problem, ProblemKind, Skipped
from kpinspector.trace.records import SkippedFile
from kpinspector.words.figures import (
    shown_count,
)
from kpinspector.words.run_words import format_name
from kpinspector.words.say import in_words, say
from kpinspector.words.sentences import (
    Sentence,
    say_sentence,
)


def unscored_word(item: Problem | Skipped) -> str:
    """Why there is no verdict."""
    if isinstance(item, UnreadRun):
        return say("Not read")
    if isinstance(item, Skipped):
        return say("Skipped")
    unreadable = item.kind is ProblemKind.UNREADABLE
    return say("Not readable") if unreadable else say("Not scorable")


def named_and_counted(skipped: Sequence[Skipped]) -> tuple[list[Skipped], str]:
    """What was skipped by its name, and a sentence about the files where they are several."""
    named = [one for one in skipped if not isinstance(one, SkippedFile)]
    files = len(skipped) - len(named)
    if files > 1:
        number = shown_count(files)
        return named, say("{number} files: score --json tells why of each", number=number)
    return list(skipped), ""


def unscored_sentence(item: Problem | Skipped) -> Sentence:
    """What stands in the way of a score."""
    match item:
        case UnreadRun():
            return say_sentence("A recording of *{format}*.", format=format_name(item.format))
        case Skipped():
            return say_sentence(
                "Nothing to score: {reason}.", reason=masked_in(in_words(item.reason))
            )
        case MoreProblems():
            return say_sentence(
                "Of the problems of this file the first are listed, {more}.", more=item.message
            )
        case Problem(kind=ProblemKind.UNREADABLE):
            return _unreadable(item)
        case _:
            return _not_scorable(item)


def _unreadable(problem: Problem) -> Sentence:
    if problem.line is None:
        return say_sentence(
            "There is no trace to score: {why}.", why=masked_in(in_words(problem.message))
        )
    return say_sentence(
        "There is no trace to score: reading stopped at *line {line}*.",
        line=shown_count(problem.line),
    )


def _not_scorable(problem: Problem) -> Sentence:
    if not (problem.expected and problem.found):
        return say_sentence(
            "The formula cannot be evaluated: {why}.", why=masked_in(in_words(problem.message))
        )
    return say_sentence(
        "The formula cannot be evaluated: *{place}*: expected {expected}, found {found}.",
        place=masked_in(problem.json_path or "") or say("the record"),
        expected=masked_in(in_words(problem.expected)),
        found=masked_in(in_words(problem.found)),
    )
