"""What the start page offers: samples, what was open before, and what a score needs."""

from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from kpinspector.app.judging import State
from kpinspector.scoring.memory.mode import Mode
from kpinspector.scoring.model.bundled_model import MODEL_NAME
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.start.start_page import ReadyFact, Recent, Sample
from kpinspector.words.figures import shown_count

if TYPE_CHECKING:
    from kpinspector.app.state import RecentPath
    from kpinspector.app.workshop import MemoryState

_TR = QCoreApplication.translate
_LONGEST = 80


def samples() -> tuple[Sample, ...]:
    """Bundled samples; a name holds the files to open, with a slash between them."""
    return (
        Sample(
            _TR("Start", "A trace that passes"),
            _TR("Start", "Leap day: 19 steps, 5 tools, two recoveries"),
            State.ACCEPTED,
            "leap-day.json",
        ),
        Sample(
            _TR("Start", "A trace that is rejected"),
            _TR("Start", "Potassium review: too similar to an earlier visit"),
            State.REJECTED,
            "visit-03.json/visit-08.json",
        ),
        Sample(
            _TR("Start", "A file that cannot be read"),
            _TR("Start", "Support desk: one of six records is broken"),
            State.UNREADABLE,
            "support-desk.jsonl",
        ),
    )


def recent_rows(recent: "Sequence[RecentPath]") -> tuple[Recent, ...]:
    """What was open before, as people write it."""
    return tuple(map(_recent_row, recent))


def _recent_row(recent: "RecentPath") -> Recent:
    path = PurePath(recent.path)
    return Recent(
        path=recent.path,
        title=one_line(path.name or recent.path, _LONGEST),
        caption=one_line(_from_home(path.parent), _LONGEST),
        note=recent.note,
        is_folder=recent.is_folder,
        is_missing=recent.is_missing,
    )


def _from_home(folder: PurePath) -> str:
    """A folder as people write it."""
    home = Path.home()
    if folder == home:
        return "~"
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)


def ready_facts(state: "MemoryState") -> tuple[ReadyFact, ...]:
    """Whether novelty can be measured, and what a new trace is compared with."""
    return (_model_fact(state), _memory_fact(state))


def _model_fact(state: "MemoryState") -> ReadyFact:
    if state.failure is None:
        title = _TR("Start", "Embedding model found")
        return ReadyFact(title, _TR("Start", "{0}, novelty is measured").format(MODEL_NAME))
    caption = _TR("Start", "Novelty is assumed 0.5")
    return ReadyFact(state.failure.message, caption, is_ready=False)


def _memory_fact(state: "MemoryState") -> ReadyFact:
    title = _TR("Start", "{0} traces remembered").format(shown_count(state.remembered))
    captions = {
        Mode.REMEMBER: _TR("Start", "A new trace is compared with all of them"),
        Mode.GUEST: _TR("Start", "As a guest: compared with, nothing added"),
        Mode.FRESH: _TR("Start", "As a fresh SDK process: every drop starts empty"),
    }
    return ReadyFact(title, captions[state.mode])
