"""Keeps what the user states of runs, in a small file for each run, beside the memory.

Each file is written whole, so that two programs never overwrite each other's statements on
different runs.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kpinspector.errors import WriteError
from kpinspector.files import read_own, write_own
from kpinspector.runs.rules import NO_OUTCOME, RunOutcome, SuccessScore
from kpinspector.settings import bounded, from_json, to_json

FOLDER = "outcomes"
"""The name of the folder within the per-user folder."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What the user states of a run; ``domain`` overrides the recorded domain unless it is None."""

    outcome: RunOutcome = NO_OUTCOME
    domain: str | None = None
    success_score: SuccessScore | None = None


NOTHING_STATED: Final = Stated()


@dataclass(frozen=True, slots=True)
class _Kept:
    """The contents of a run's file; ``id`` is only for people who read the file."""

    id: str = ""
    confidence: float | None = bounded(None, least=0, most=1)
    success: bool | None = None
    domain: str | None = None
    score: str | None = None
    score_value: str | None = None


def kept_of(folder: Path, trace_id: str) -> Stated:
    """What was stated of a run; nothing if its file cannot be read."""
    try:
        kept = from_json(_Kept, read_own(_path(folder, trace_id)))
    except (OSError, ValueError):
        return NOTHING_STATED
    mapped = kept.score is not None and kept.score_value is not None
    score = SuccessScore(kept.score or "", kept.score_value or "") if mapped else None
    return Stated(RunOutcome(kept.confidence, kept.success), kept.domain, score)


def keep(folder: Path, trace_id: str, stated: Stated) -> None:
    """Keep what is stated of a run; ``NOTHING_STATED`` removes it.

    Raises:
        WriteError: it cannot be written or removed.
    """
    path = _path(folder, trace_id)
    if stated == NOTHING_STATED:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            message = f"{path} could not be removed: {error.strerror or error}"
            raise WriteError(message, str(error)) from error
        return
    outcome, score = stated.outcome, stated.success_score
    kept = _Kept(
        id=trace_id,
        confidence=outcome.confidence,
        success=outcome.success,
        domain=stated.domain,
        score=None if score is None else score.name,
        score_value=None if score is None else score.value,
    )
    write_own(path, to_json(kept))


def _path(folder: Path, trace_id: str) -> Path:
    """The file of a run: its id ends in a UUID, a valid name on every system."""
    return folder / FOLDER / f"{trace_id.rpartition(':')[2]}.json"
