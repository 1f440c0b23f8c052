"""Explanations of two samples, the same on every machine; run as a program it renews the goldens.

python -m tests.explained
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from kpinspector.files import resources
from kpinspector.runs.read import read_file
from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.profiles import profile_for
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import Window
from kpinspector.scoring.model.vectors import DIMENSIONS, Vector
from kpinspector.scoring.novelty.sequence import Measured, measure_batch
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.settings import Mode
from kpinspector.trace.find import FoundFile
from kpinspector.trace.records import TraceRecord
from kpinspector.words.explanation import Explanation, explain
from kpinspector.words.summary import Front
from kpinspector.words.writers.explanation_html import HtmlPage
from kpinspector.words.writers.explanation_text import explanation_cells, explanation_text
from kpinspector.words.writers.pages import MarkdownPage, Page, made_with
from tests.fakes import FakeEmbedder

GOLDENS = Path(__file__).parent / "data" / "explained"
NOW = 1_767_225_600_000  # the first of January 2026
USED = UsedSettings(threshold=0.75, max_elements=1000, ttl_ms=None, mode=Mode.FRESH)


class AlikeEmbedder(FakeEmbedder):
    """Any two texts are 0.75 similar, exactly."""

    def embed(self, window: Window) -> Vector:
        super().embed(window)
        vector = np.zeros(DIMENSIONS, dtype=np.float32)
        vector[[0, 1, 2, 3 + self._embedded.index(window.digest)]] = 0.5
        return vector


def scored(
    records: Sequence[TraceRecord], threshold: float = 0.75
) -> list[tuple[Measured, Assessment]]:
    """Traces scored one after the other, from an empty memory."""
    with Memory(Mode.FRESH, None, clock=lambda: NOW) as memory:
        measured = list(measure_batch(records, AlikeEmbedder(), memory))
    return [
        (one, assess(one.measurement, profile_for(one.measurement.facts.task_domain), threshold))
        for one in measured
    ]


def sample_records(*names: str) -> list[TraceRecord]:
    folder = resources() / "samples"
    contents = (read_file(FoundFile(folder / name, name, named=True)) for name in names)
    return [record for one in contents for record in one.traces]


def page_of(
    kind: type[Page], explanations: Iterable[Explanation], last: str, front: Front | None = None
) -> str:
    """A whole page of explanations."""
    page = kind(front)
    for one in explanations:
        page.add(one)
    return page.written(last).decode()


def goldens() -> dict[str, str]:
    """The second sample, as text, to paste, as Markdown and as HTML."""
    _, second = scored(sample_records("visit-03.json", "visit-08.json"))
    explanation, last = explain(*second), made_with(USED, AlikeEmbedder.model)
    return {
        "visit-08.txt": explanation_text(explanation),
        "visit-08.tsv": explanation_cells(explanation),
        "visit-08.md": page_of(MarkdownPage, [explanation], last),
        "visit-08.html": page_of(HtmlPage, [explanation], last),
    }


if __name__ == "__main__":
    for file_name, text in goldens().items():
        (GOLDENS / file_name).write_text(text, encoding="utf-8", newline="")
