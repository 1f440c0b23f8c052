"""The last line of an explanation: what it was made with."""

from kpinspector import __version__
from kpinspector.scoring.memory.mode import Mode
from kpinspector.scoring.model.bundled_model import MODEL_NAME
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.words.figures import shown_count, shown_short

_MODES = {
    Mode.REMEMBER: "compared with what is remembered",
    Mode.GUEST: "compared with what is remembered, nothing added to it",
    Mode.FRESH: "compared as by a fresh SDK process",
}
_DIGITS = 12


def made_with(used: UsedSettings, model: str | None) -> str:
    """Program, threshold, memory and model; ``model`` is the sha256 of the weights, or None."""
    parts = (
        f"kpinspector {__version__}",
        f"threshold {shown_short(used.threshold)}",
        f"{_MODES[used.mode]}, the newest {shown_count(used.max_elements)} at most",
        "without the embedding model" if model is None else f"{MODEL_NAME} {model[:_DIGITS]}",
    )
    return "; ".join(parts)
