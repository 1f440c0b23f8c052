"""All that a recording does not show is said, and how much of it was dropped."""

import json
import re
from dataclasses import replace

import pytest

from kpinspector.runs.read import RunRecord, read_bytes
from kpinspector.runs.run import DropName
from kpinspector.words.recordings import counted_phrase, imported_words, lacking, recording_section
from tests import undecided

# of "failed X: 0 of 1" and the like: what was to be seen, and how much of it is in the file
_CASE = re.compile(r"(failed|reasoning|call|texts|results)(?: [^:]*)?: (\d+) of (\d+)")


def is_said(kind, seen, words, record):
    """Whether what is not visible is told by the strip of a run."""
    absent, failed = words["absent"].split(", "), record.imported.mapped.failed
    said = {
        "failed": "marked as failed" in words["recorded" if failed else "absent"],
        "reasoning": "empty or redacted" in [*words.values()][-1]
        if seen
        else "reasoning" in absent,
        "call": "its end" in absent,
    }
    return "content" in absent or said.get(kind, False)


def test_all_that_a_real_recording_does_not_show_is_said(reference):
    folder = reference / "runs"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    silent, told = [], 0
    for entry in manifest["runs"]:
        cases = [_CASE.fullmatch(text) for text in entry.get("not_visible", ())]
        for file in entry["files"] if cases else ():
            contents = read_bytes((folder / file).read_bytes(), file)
            records = [one for one in contents.traces if isinstance(one, RunRecord)]
            if not records:  # it is told why there is none
                assert contents.skipped or contents.problems, file
                continue
            for case in cases:
                assert case is not None, entry["not_visible"]
                kind, seen, happened = case[1], int(case[2]), int(case[3])
                if seen > happened:  # the file has more than happened, which is seen
                    continue
                told += 1
                words = [(dict(imported_words(one)), one) for one in records]
                if not any(is_said(kind, seen, said, one) for said, one in words):
                    silent.append((file, case[0]))
    assert silent == []
    assert told > 30


def test_a_cut_last_line_is_counted_and_while_the_run_goes_on_it_is_still_being_written():
    record = undecided.record()
    dropped: dict[str, int] = {DropName.EVENT: 2, DropName.CUT: 1}
    recording = replace(record.imported.recording, total=12, dropped=dropped)
    record = replace(record, imported=replace(record.imported, recording=recording))
    said = "9 read  ·  dropped 3: 2 events, 1"
    assert imported_words(record)[-1][1] == f"{said} cut at the end"
    assert imported_words(record, running=True)[-1][1] == f"{said} still being written"


@pytest.mark.parametrize(("failures", "name"), [(0, "results marked as failed"), (1, "its end")])
def test_what_is_absent_stands_in_the_strip_and_in_the_answer(failures, name):
    record = undecided.record(failures=failures)
    assert name in dict(imported_words(record))["absent"].split(", ")
    assert name in str(recording_section(record))
    assert ("results marked as failed" in lacking(record.imported)) == (not failures)


@pytest.mark.parametrize(
    ("name", "one", "two"),
    [
        (DropName.EVENT, "1 event", "2 events"),
        (DropName.END, "1 end of the task", "2 ends of the task"),
        (DropName.NO_SPAN, "1 line without a span", "2 lines without a span"),
        (DropName.CLIENT, "1 of the client's own", "2 of the client's own"),
        (DropName.SUB_AGENT, "1 of a sub-agent", "2 of a sub-agent"),
    ],
)
def test_a_name_of_ours_is_said_of_one_and_of_two(name, one, two):
    assert (counted_phrase(name, 1), counted_phrase(name, 2)) == (one, two)


def test_a_name_of_the_file_is_said_as_it_stands():
    assert counted_phrase("file-history", 12_000) == "12,000 file-history"


@pytest.mark.parametrize("unit", ["lines", "messages", "spans", "turns", "recorded steps"])
def test_what_is_counted_is_said_of_one_and_of_two(unit):
    assert counted_phrase(unit, 1) == f"1 {unit[:-1]}"
    assert counted_phrase(unit, 2) == f"2 {unit}"
