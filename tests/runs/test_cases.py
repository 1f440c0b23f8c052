"""What readers make of small recordings: the cases of ``tests/data/readers``, a file a format.

A case is a title behind ``# ``, JSON texts, and behind ``=>`` what is made of them, which
``python -m tests.runs.test_cases`` writes anew.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kpinspector.runs.recording import recognise
from kpinspector.runs.texts import head_of
from tests.runs.made import lines, outline, recovering, taken

FILES = sorted((Path(__file__).parents[1] / "data" / "readers").iterdir())


def cases(path: Path) -> Iterator[tuple[str, list, str]]:
    """The title of each case, its JSON texts, and what is made of them."""
    for case in path.read_text(encoding="utf-8").split("\n\n"):
        given, _, made = case.partition("\n=>\n")
        title, *texts = given.split("\n")
        yield title, [json.loads(one) for one in texts], made.rstrip("\n")


def told(form: str, records: list) -> str:
    """All that a reader makes of JSON texts, in lines."""
    recording = taken(form, *records)
    facts = {
        "recognised": recognise(head_of(lines(*records))),
        "version": recording.version,
        recording.unit: recording.total,
        "dropped": recording.dropped,
        "passed over": recording.passed_over,
        "refused": [why for _, why in recording.refused],
    }
    said = [_facts("recording", facts)]
    for run in recording.runs:
        names = ("session", "key", "name", "is_sub_agent", "ended", "success", "scores", "parts")
        facts = {name: getattr(run, name) for name in names}
        said.append(_facts("run", {**facts, "content left out": not run.content_recorded}))
        recovered = recovering(run, form)
        said += map(_block, run.blocks, outline(run))
        said += [f"  recoveries {recovered}"] * bool(recovered)
    return "\n".join(said)


def _facts(of: str, facts: dict) -> str:
    said = {name: json.dumps(one, ensure_ascii=False) for name, one in facts.items() if one}
    return " ".join([of, *(f"{name}={one}" for name, one in said.items())])


def _block(block, line: str) -> str:
    place = "/".join(map(str, (block.place.chunk.line, *block.place.path)))
    facts = {"id": block.call_id, "answer": block.answer, "at": block.at, "hidden": block.hidden}
    said = line.replace("\\", "\\\\").replace("\n", "\\n")
    return _facts(f"  {said} <{place}>", facts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_case_gives_what_it_says(path):
    for title, records, made in cases(path):
        assert told(path.stem, records) == made, title


def renew() -> None:
    """Write anew what is made of every case."""
    for path in FILES:
        found = []
        for title, records, _ in cases(path):
            texts = (json.dumps(one, ensure_ascii=False) for one in records)
            found.append("\n".join([title, *texts, "=>", told(path.stem, records)]))
        path.write_text("\n\n".join(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    renew()
