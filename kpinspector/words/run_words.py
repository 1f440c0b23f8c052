"""The words for recordings of other agents: their formats, and why one is not converted."""

from kpinspector.runs.read import Imported
from kpinspector.runs.readers import formats
from kpinspector.runs.rules import RunOutcome
from kpinspector.scoring.report.read import RawEntry
from kpinspector.scoring.report.report import TraceEntry
from kpinspector.words.figures import shown_interval, shown_pair, shown_score
from kpinspector.words.say import say


def format_name(form: str) -> str:
    """What people call a format."""
    return formats()[form].name


def not_converted(imported: Imported) -> str:
    """Why no trace is written of a run; "" where one is."""
    outcome = imported.outcome
    if not imported.content_recorded:
        return say("not converted: its content was not recorded.")
    if outcome.is_known:
        return ""
    if imported.scores and outcome.success is None:
        return _score_not_mapped(outcome)
    if outcome.confidence is None and outcome.success is None:
        return say(
            "not converted: neither confidence nor success is recorded;"
            " state them with --confidence and --success."
        )
    if outcome.confidence is None:
        return say("not converted: confidence is not recorded; state it with --confidence.")
    return say("not converted: success is not recorded; state it with --success.")


def _score_not_mapped(outcome: RunOutcome) -> str:
    """There is a score, and nobody said what it means."""
    if outcome.confidence is None:
        return say(
            "not converted: neither confidence nor success is recorded; state them with"
            " --confidence and --success, or say with --success-score which score means success."
        )
    return say(
        "not converted: success is not recorded; state it with --success, or say with"
        " --success-score which score means it."
    )


def not_exported(imported: Imported) -> str:
    """Why the window writes no trace of a run, and what to do; "" where it writes one."""
    outcome = imported.outcome
    if not imported.content_recorded:
        return say("its content was not recorded.")
    if outcome.is_known:
        return ""
    if outcome.confidence is None and outcome.success is None:
        return say(
            "neither confidence nor success is recorded; state them with Score > Set Outcome."
        )
    if outcome.confidence is None:
        return say("confidence is not recorded; state it with Score > Set Outcome.")
    return say("success is not recorded; state it with Score > Set Outcome.")


def entry_score(entry: TraceEntry) -> tuple[str, str]:
    """The score of an entry, or its possible scores, and the threshold."""
    if entry.score is not None:
        return shown_pair(entry.score, entry.threshold)
    if entry.score_range is None:
        raise ValueError("an entry has a score or a range")
    low, high = entry.score_range.low.score, entry.score_range.high.score
    needs = shown_score(entry.threshold, entry.threshold)
    return shown_interval(low, high, entry.threshold), needs


def recorded_score(entry: RawEntry) -> str:
    """The score, or the possible scores, of an entry that was read."""
    threshold, possible = entry["threshold"], entry["score_range"]
    if entry["score"] is not None:
        return shown_score(float(entry["score"]), threshold)
    low, high = (float(possible[end]["score"]) for end in ("low", "high"))
    return shown_interval(low, high, threshold)
