"""The traces that the benches work on."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def corpus() -> Path:
    """Real agent runs where there are any, else the synthetic sequence."""
    folder = Path(os.environ.get("KPINSPECTOR_TEST_DATA", ""), "corpus")
    real = folder / "agent_traces.jsonl"
    return real if real.is_file() else ROOT / "tests" / "data" / "sequence_traces.jsonl"
