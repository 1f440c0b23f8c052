"""Every step leads back to its own line and bytes, in documents and in the members of a zip too."""

import io
import json
import zipfile
from typing import Any

import pytest

from kpinspector.runs.archive import recorded
from kpinspector.trace.bytes import decode
from kpinspector.words.recordings import recorded_place
from tests.runs import made
from tests.runs.test_beside import LISTS


def inside(value, path):
    for part in path:
        value = value[part]
    return value


def check(record, data):
    """The places of a run, checked against the bytes; how many there are."""
    places = [one for one in (record.imported.mapped.prompt,) if one is not None]
    places += record.imported.mapped.places
    for place in places:
        whole = recorded(data, place.chunk)
        spot = place.spot
        assert spot is not None and spot.member == place.chunk.member
        start, end = spot.start - place.chunk.start, spot.end - place.chunk.start
        said = json.loads(whole[start:end].decode("utf-8", "replace"))
        assert said == inside(json.loads(whole.decode("utf-8", "replace")), place.path)
        assert spot.line == place.chunk.line + whole[:start].count(b"\n")
    return len(places)


def spots(record):
    """Where the steps of a run stand in its document."""
    return [place.spot for place in record.imported.mapped.places if place.spot is not None]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("indent", [None, 2])
def test_steps_of_a_document_have_places_of_their_own(name, indent):
    text = json.dumps(LISTS[name], indent=indent, ensure_ascii=False)
    data = ("\n" + text.replace("Sow", "Säe 🌱") + "\n").encode()
    (record,) = made.run_records(data)
    assert check(record, data) >= 2
    lines = {spot.line for spot in spots(record)}
    assert min(lines) > 1 if indent else lines == {2}


OTLP = {
    "resourceSpans": [
        {
            "scopeSpans": [
                {
                    "spans": [
                        {
                            "name": "chat",
                            "traceId": "t",
                            "spanId": "s",
                            "startTimeUnixNano": "1",
                            "attributes": [
                                {"key": key, "value": {"stringValue": json.dumps(value)}}
                                for key, value in (
                                    (
                                        "gen_ai.input.messages",
                                        [
                                            {
                                                "role": "user",
                                                "parts": [{"type": "text", "content": "Sow."}],
                                            }
                                        ],
                                    ),
                                    (
                                        "gen_ai.output.messages",
                                        [
                                            {
                                                "role": "assistant",
                                                "parts": [{"type": "text", "content": "Sown."}],
                                            }
                                        ],
                                    ),
                                )
                            ],
                        }
                    ]
                }
            ]
        }
    ]
}


def test_steps_of_one_request_of_spans_have_places_of_their_own():
    data = json.dumps(OTLP, indent=1).encode()
    (record,) = made.run_records(data)
    assert check(record, data) == 2
    assert spots(record)[0].line > 10


def test_steps_of_a_zip_name_their_member_and_the_place_in_it():
    log: dict[str, Any] = dict(LISTS["inspect"])
    (sample,) = log.pop("samples")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(log))
        archive.writestr("samples/a_epoch_1.json", json.dumps(sample, indent=2))
    data = file.getvalue()
    (record,) = made.run_records(data)
    assert check(record, data) == 2
    (spot,) = spots(record)
    said = recorded_place(record, record.trace.steps[0])
    assert said == (
        f"samples/a_epoch_1.json in the zip, line {spot.line}, /messages/1/content,"
        f" bytes {spot.start} to {spot.end}"
    )
    assert spot.line == 11


def test_steps_of_lines_have_the_place_of_their_line():
    session = [
        {"type": kind, "message": {"role": kind, "content": "x"}, "uuid": kind, "sessionId": "s"}
        for kind in ("user", "assistant")
    ]
    data = b"".join(json.dumps(one).encode() + b"\n" for one in session)
    (record,) = made.run_records(data)
    (place,) = record.imported.mapped.places
    assert place.spot is None
    assert place.chunk.line == 2 and json.loads(recorded(data, place.chunk)) == session[1]


def test_all_real_recordings_lead_back_to_their_steps(reference):
    folder = reference / "runs"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    located = set()
    for entry in manifest["runs"]:
        for file in entry["files"]:
            data = decode((folder / file).read_bytes()).data
            for record in made.run_records(data):
                places = record.imported.mapped.places
                if places[0].spot is not None:
                    check(record, data)
                    located.add(record.imported.recording.format)
                else:
                    for place in places:
                        line = recorded(data, place.chunk)
                        assert b"\n" not in line
                        inside(json.loads(line), place.path)
    assert len(located) >= 6, located
