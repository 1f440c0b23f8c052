"""The last line of an explanation: what it was made with."""

from kpinspector import __version__
from kpinspector.scoring.model.embedder import MODEL_NAME
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.settings import Mode
from kpinspector.words.figures import shown_count, shown_short
from kpinspector.words.say import say

_DIGITS = 12


def made_with(used: UsedSettings, model: str | None) -> str:
    """Program, threshold, memory and model; ``model`` is the sha256 of the weights, or None."""
    return say(
        "kpinspector {version}; threshold {threshold}; {memory}; {model}",
        version=__version__,
        threshold=shown_short(used.threshold),
        memory=_memory(used),
        model=say("without the embedding model")
        if model is None
        else f"{MODEL_NAME} {model[:_DIGITS]}",
    )


def _memory(used: UsedSettings) -> str:
    most = shown_count(used.max_elements)
    match used.mode:
        case Mode.REMEMBER:
            return say("compared with what is remembered, the newest {most} at most", most=most)
        case Mode.GUEST:
            return say(
                "compared with what is remembered, nothing added to it, the newest {most} at most",
                most=most,
            )
        case Mode.FRESH:
            return say("compared as by a fresh SDK process, the newest {most} at most", most=most)
