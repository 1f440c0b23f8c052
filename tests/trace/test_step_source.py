"""The text of a step is found again in every form of file, or not at all."""

import gzip
import json

import pytest

from kpinspector.runs.read import read_file
from kpinspector.trace import step_source
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import read_text
from kpinspector.trace.step_source import SourceReader, StepSource, place_of
from tests.fakes import make_raw


def write(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def records(path):
    return read_file(FoundFile(path, str(path), named=True)).traces


def source_of(path, record=0, step=None):
    return SourceReader().read(place_of(records(path)[record], step))


RAWS = [make_raw(id=f"kp:trace:{n}", task={"objective": f"goal {n}"}) for n in range(3)]
FORMS = {
    "one": (json.dumps(RAWS[0], indent=2), 1),
    "compact": (json.dumps(RAWS[0]), 1),
    "list": (json.dumps(RAWS, indent=2), 3),
    "compact list": (json.dumps(RAWS), 3),
    "lines": ("\n\n".join(json.dumps(raw) for raw in RAWS), 3),
    "reply": (json.dumps({"data": [{"unit": raw, "quality_score": 1} for raw in RAWS]}), 3),
    "tall reply": (json.dumps({"data": {"unit": RAWS[0]}}, indent=1), 1),
    "behind a broken one": ("[\n{,},\n" + json.dumps(RAWS[1], indent=4) + "]", 1),
    "crlf": (json.dumps(RAWS, indent=2).replace("\n", "\r\n"), 3),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gzip"])
def test_every_step_is_where_the_file_has_it(tmp_path, form, encoding):
    text, count = FORMS[form]
    path = write(tmp_path / "a.json", text, "utf-8" if encoding == "gzip" else encoding)
    if encoding == "gzip":
        path.write_bytes(gzip.compress(path.read_bytes()))
    found = records(path)
    assert len(found) == count
    reader, file_lines = SourceReader(), text.split("\n")
    for record in found:
        for step in (None, 0, 1, 2):
            source = reader.read(place_of(record, step))
            expected = record.trace.objective if step is None else record.trace.steps[step].raw
            assert json.loads("\n".join(source.lines)) == expected
            for number, line in enumerate(source.lines, source.first):
                assert line in file_lines[number - 1]


def test_the_indent_is_kept(tmp_path):
    path = write(tmp_path / "a.json", json.dumps(RAWS[0], indent=2))
    source = source_of(path, step=1)
    assert source.lines[0] == "    {"
    assert source.lines[-1] == "    }"


def test_a_changed_file_has_no_such_lines(tmp_path):
    path = write(tmp_path / "a.json", json.dumps(RAWS[0]))
    place, reader = place_of(records(path)[0], 1), SourceReader()
    assert reader.read(place).lines
    write(path, json.dumps(make_raw(id="another", outcome={"confidence": 0.1})))
    assert reader.read(place) == StepSource()
    write(path, "{" * 5000)
    assert reader.read(place) == StepSource()
    path.unlink()
    assert reader.read(place) == StepSource()


def test_half_characters_do_not_hide_the_record(tmp_path):
    raw = make_raw(task={"objective": "x"})
    text = json.dumps(raw).replace('"Look at the log"', '"\\ud800 log"')
    path = write(tmp_path / "a.json", text)
    assert json.loads(source_of(path, step=0).lines[0])["content"].endswith(" log")


def test_the_file_is_read_once_for_all_steps(tmp_path, monkeypatch):
    path = write(tmp_path / "a.jsonl", "\n".join(json.dumps(raw) for raw in RAWS))
    found, reads = records(path), []
    monkeypatch.setattr(step_source, "read_text", lambda one: reads.append(1) or read_text(one))
    reader = SourceReader()
    for step in (None, 0, 1, 2, 1):
        assert reader.read(place_of(found[1], step)).first == 2
    assert len(reads) == 1
    reader.read(place_of(found[2], 0))
    assert len(reads) == 2
