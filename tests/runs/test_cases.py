"""What readers make of small recordings: the cases of ``tests/data/readers``, a file a format.

``python -m tests.runs.test_cases`` writes anew what is made of them.
"""

from functools import partial

import pytest

from kpinspector.runs.recording import recognise
from kpinspector.runs.texts import head_of
from tests.goldens import DATA
from tests.runs.made import lines, outline, recovering, taken
from tests.told import cases, facts, renew

FILES = sorted((DATA / "readers").iterdir())


def told(form: str, records: list) -> str:
    """All that a reader makes of JSON texts, in lines."""
    recording = taken(form, *records)
    named = {
        "recognised": recognise(head_of(lines(*records))),
        "version": recording.version,
        recording.unit: recording.total,
        "dropped": recording.dropped,
        "passed over": recording.passed_over,
        "refused": [why for _, why in recording.refused],
    }
    said = [facts("recording", named)]
    for run in recording.runs:
        names = ("session", "key", "name", "is_sub_agent", "ended", "success", "scores", "parts")
        named = {name: getattr(run, name) for name in names}
        said.append(facts("run", {**named, "content left out": not run.content_recorded}))
        recovered = recovering(run, form)
        said += map(_block, run.blocks, outline(run))
        said += [f"  recoveries {recovered}"] * bool(recovered)
    return "\n".join(said)


def _block(block, line: str) -> str:
    place = "/".join(map(str, (block.place.chunk.line, *block.place.path)))
    named = {"id": block.call_id, "answer": block.answer, "at": block.at, "hidden": block.hidden}
    said = line.replace("\\", "\\\\").replace("\n", "\\n")
    return facts(f"  {said} <{place}>", named)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_case_gives_what_it_says(path):
    for title, records, made in cases(path):
        assert told(path.stem, records) == made, title


if __name__ == "__main__":
    for one in FILES:
        renew(one, partial(told, one.stem))
