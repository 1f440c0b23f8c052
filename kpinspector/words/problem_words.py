"""The words for what has no score: a problem, or a unit that is not scored."""

from kpinspector.trace.read import MoreProblems, Problem, ProblemKind, Skipped
from kpinspector.words.figures import shown_count
from kpinspector.words.sentences import Run, Sentence

NO_SCORE = "no score"


def unscored_word(item: Problem | Skipped) -> str:
    """Why there is no verdict."""
    if isinstance(item, Skipped):
        return "Skipped"
    return "Not readable" if item.kind is ProblemKind.UNREADABLE else "Not scorable"


def unscored_sentence(item: Problem | Skipped) -> Sentence:
    """What stands in the way of a score."""
    match item:
        case Skipped():
            return (Run(f"Nothing to score: {item.reason}."),)
        case MoreProblems():
            return (Run(f"Of the problems of this file the first are listed, {item.message}."),)
        case Problem(kind=ProblemKind.UNREADABLE):
            return _unreadable(item)
        case _:
            return _not_scorable(item)


def _unreadable(problem: Problem) -> Sentence:
    if problem.line is None:
        return (Run(f"There is no trace to score: {problem.message}."),)
    return (
        Run("There is no trace to score: reading stopped at "),
        Run(f"line {shown_count(problem.line)}", strong=True),
        Run("."),
    )


def _not_scorable(problem: Problem) -> Sentence:
    start = Run("The formula cannot be evaluated: ")
    if not (problem.expected and problem.found):
        return (start, Run(f"{problem.message}."))
    place = Run(problem.json_path or "the record", strong=True)
    return (start, place, Run(f": expected {problem.expected}, found {problem.found}."))
