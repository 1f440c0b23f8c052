"""How far scores, embeddings and token ids are from the SDK's, over all its answers.

python tests/bench/bench_goldens.py [--once]

Real agent runs are among them when KPINSPECTOR_TEST_DATA names a folder with them. Nothing here
passes or fails: the tests hold the same answers to the bar of 5e-5, and 3e-4 for components.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from real_traces import ROOT, corpus

from kpinspector.runs.read import read_file
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.profiles import profile_for
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.settings import Mode
from kpinspector.trace.find import FoundFile

DATA = ROOT / "tests" / "data"


def answers(path: Path) -> list[Any]:
    """Lines end in a line feed alone: texts hold what else ends a line."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def differences(traces: Path, expected: Path, minilm: MiniLM, most: int | None) -> Iterator[float]:
    """Between each score that both have and the SDK's, of the first ``most`` traces."""
    wanted = dict(enumerate(answers(expected), start=1))
    contents = read_file(FoundFile(traces, traces.name, named=True))
    with Memory(Mode.FRESH, None) as memory:
        for one in measure_batch(contents.texts[:most], minilm, memory):
            answer = wanted[one.record.source.record or 1]
            if answer["score"] is not None:
                profile = profile_for(one.measurement.facts.task_domain)
                yield abs(assess(one.measurement, profile, 0.75).score - answer["score"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--once", action="store_true", help="for function: the first few of each")
    most = 10 if parser.parse_args().once else None
    minilm = MiniLM()
    sets = {
        "sequence": (DATA / "sequence_traces.jsonl", DATA / "sequence_scores.jsonl"),
        "high": (DATA / "high_traces.jsonl", DATA / "high_scores.jsonl"),
        "coercion": (DATA / "coercion_traces.jsonl", DATA / "coercion_expected.jsonl"),
    }
    if corpus().name == "agent_traces.jsonl":
        sets["agent"] = (corpus(), DATA / "agent_scores.jsonl")
    for name, files in sets.items():
        found = list(differences(*files, minilm, most))
        print(f"{name:10} {len(found):4} scores, largest difference {max(found):.2e}")
    goldens = json.loads((DATA / "embeddings.json").read_text("utf-8"))[:most]
    worst = max(
        float(np.abs(minilm.embed(minilm.window(one["text"])) - one["embedding"]).max())
        for one in goldens
    )
    print(f"embeddings {len(goldens):4} texts, largest difference {worst:.2e} per component")
    cases = answers(DATA / "tokens_cases.jsonl")[:most]
    expected = answers(DATA / "tokens_expected.jsonl")[:most]
    pairs = zip(cases, expected, strict=True)
    others = sum(list(minilm.window(case["text"]).ids) != ids["ids"] for case, ids in pairs)
    print(f"tokens     {len(cases):4} texts, {others} with other ids")


if __name__ == "__main__":
    main()
