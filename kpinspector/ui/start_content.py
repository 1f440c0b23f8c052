"""What the start page offers: the samples worth a first look, and what a score needs."""

from PySide6.QtCore import QCoreApplication

from kpinspector.app.document import State
from kpinspector.app.workshop import MemoryState
from kpinspector.scoring.embedder import MODEL_NAME
from kpinspector.scoring.figures import shown_count
from kpinspector.scoring.mode import Mode
from kpinspector.ui.start_page import ReadyFact, Sample

_TR = QCoreApplication.translate


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


def ready_facts(state: MemoryState) -> tuple[ReadyFact, ...]:
    """Whether novelty can be measured, and what a new trace is compared with."""
    return (_model_fact(state), _memory_fact(state))


def _model_fact(state: MemoryState) -> ReadyFact:
    if state.failure is None:
        title = _TR("Start", "Embedding model found")
        return ReadyFact(title, _TR("Start", "{0}, novelty is measured").format(MODEL_NAME))
    caption = _TR("Start", "Novelty is assumed 0.5")
    return ReadyFact(state.failure.message, caption, is_ready=False)


def _memory_fact(state: MemoryState) -> ReadyFact:
    title = _TR("Start", "{0} traces remembered").format(shown_count(state.remembered))
    captions = {
        Mode.REMEMBER: _TR("Start", "A new trace is compared with all of them"),
        Mode.GUEST: _TR("Start", "As a guest: compared with, nothing added"),
        Mode.FRESH: _TR("Start", "As a fresh SDK process: every drop starts empty"),
    }
    return ReadyFact(title, captions[state.mode])
