"""What truly happened in real recordings, and what of it the readers found."""

import json
from collections import Counter
from pathlib import Path

from kpinspector.runs.database import loaded
from kpinspector.runs.recording import recording_of
from kpinspector.runs.rules import NOT_RECORDED, mapped, session_of
from kpinspector.runs.run import AgentRun, BlockKind, Recording
from kpinspector.trace.bytes import decode
from kpinspector.trace.find import FoundFile
from kpinspector.trace.model import Step, StepType


def truths(reference: Path) -> dict[Path, list[dict[str, object]]]:
    """By file of the manifest: what is expected of each run, in order."""
    return {
        folder / file: runs
        for folder in (reference / "runs", reference / "runs" / "more")
        for entry in json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["runs"]
        for file, runs in entry.get("expect", {}).items()
    }


def found_in(path: Path) -> list[dict[str, object]]:
    """The same of what is read of a file."""
    decoded = decode(loaded(FoundFile(path, str(path), named=True)))
    recording = recording_of(decoded, str(path))
    assert isinstance(recording, Recording), f"{path} is not recognised"
    assert not recording.problems
    return [counts(recording.format, run, decoded.data) for run in recording.runs]


def counts(form: str, run: AgentRun, data: bytes) -> dict[str, object]:
    """A run in the words of the manifest."""
    trace = mapped(form, run, session_of(run, data))
    tools = {block.call_id: block.tool for block in run.blocks if block.kind is BlockKind.CALL}
    results = [block for block in run.blocks if block.kind is BlockKind.RESULT]

    def said(kind: BlockKind) -> int:
        return sum(block.kind is kind and bool(block.text.strip()) for block in run.blocks)

    return {
        "run": run.key or "main",
        "prompts": said(BlockKind.PROMPT),
        "texts": said(BlockKind.TEXT),
        "reasoning": said(BlockKind.REASONING),
        "calls": dict(Counter(one.tool for one in run.blocks if one.kind is BlockKind.CALL)),
        "results": len(results),
        "failed": sorted(tools.get(one.call_id, "?") for one in results if one.failed),
        "objective": trace.objective or NOT_RECORDED,
        "recoveries": len(trace.derived),
        "kinds": "".join(_letter(step) for step in trace.steps),
    }


def _letter(step: Step) -> str:
    return "O" if step.kind is StepType.OBSERVATION else "C" if step.tool_key else "T"


def assert_as_expected(found: list[dict[str, object]], expected: list[dict[str, object]]) -> None:
    """Every figure that is expected is found, run by run; names of runs are not compared."""
    assert len(found) == len(expected)
    for one, wanted in zip(found, expected, strict=True):
        names = wanted.keys() - {"run"} - ({"objective"} if wanted["objective"] is None else set())
        assert {name: one[name] for name in names} == {name: wanted[name] for name in names}
