"""The list for spreadsheets: numbers stay numbers, texts stay texts, nothing runs."""

import csv
import io
import re
from dataclasses import replace
from unicodedata import category, normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kpinspector.scoring.novelty.sequence import Flag, Measured, Place
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.records import Problem, ProblemKind, Source, TraceRecord
from kpinspector.trace.schema import find_issues
from kpinspector.words.writers.report_csv import COLUMNS, harmless, report_csv
from tests.answers import measurement, novelty, problem_document, skipped_document
from tests.fakes import make_raw
from tests.known import of, present
from tests.scoring.test_report import report_on
from tests.strategies import hostile_texts

FORMULAS = st.tuples(
    st.sampled_from(
        ["", " ", "\t", "\r\n  ", "\u00a0", "a;", "a; ", '"', "\ufeff", "\u200b", "\u00ad",
         "\u034f", "\ufe0f", "\u3164", "\u2800", "\u0301", "\x00", "\u202e", "\u3000 ", "\u00a8"]
    ),
    st.sampled_from("=+-@\t\r\uff1d\uff0b\uff0d\uff20\u207a\u207b\u207c\u208a\u208b\u208c"
                    "\ufb29\ufe62\ufe63\ufe66\ufe6b\u2212\u2a74\u2a75"),
    st.sampled_from(["1+1", 'HYPERLINK("https://example.org")', "cmd|' /C calc'!A0", ""]),
).map("".join)  # fmt: skip
RUNS = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")


def seen(text):
    """Without invisible characters and spaces, and then by NFKC."""
    unseen = {"Cc", "Cf", "Zs", "Zl", "Zp", "Mn", "Me"}
    shown = "".join(c for c in text if category(c) not in unseen and c not in "\u3164\u2800\u115f")
    return normalize("NFKC", shown).strip()


def measured(text="x", path="a.json", similarity=0.55):
    raw = make_raw(task={"objective": text}, id=text or None)
    raw["metadata"]["task_domain"] = text
    record = TraceRecord(Source(path, 2, 3), trace_from_json(raw), find_issues(raw))
    place = Place(text, variant=False, flags=(Flag.DUPLICATE,))
    return Measured(
        record, place, measurement(novelty(similarity), confidence=-1.5, schema_valid=False)
    )


def written(*traces, problems=(), skipped=()):
    """The rows as a reader of CSV gives them."""
    report = report_on(traces, "f" * 64, problems=problems, skipped=skipped)
    text = report_csv(report).decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert tuple(head) == COLUMNS
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_a_trace():
    (row,) = written(measured("code"))
    assert row["verdict"] == "rejected" and row["flags"] == "duplicate"
    assert float(row["margin"]) == float(row["score"]) - 0.75
    assert float(row["outcome_confidence"]) == -1.5
    assert (row["path"], row["record"], row["line"]) == ("a.json", "2", "3")
    assert (row["max_similarity"], row["nearest"]) == ("0.55", "kp:trace:visit-08")
    assert (row["schema"], row["message"]) == ("failed", "id")


def test_numbers_are_unrounded_and_numbers_even_when_they_are_negative():
    report = report_on((measured(),), None)
    (trace,) = report.traces
    line = report_csv(report).decode("utf-8-sig").splitlines()[1]
    assert f",{trace['score']!r},0.75,{trace['margin']!r}," in line and present(trace["margin"]) < 0


def test_what_has_no_score_is_in_the_list():
    problem = problem_document(ProblemKind.NOT_SCORABLE, message="it is; odd").item
    rows = written(problems=[problem], skipped=[skipped_document().item])
    assert [row["verdict"] for row in rows] == ["not_scorable", "skipped"]
    assert rows[0]["message"] == "it is; odd" and rows[0]["score"] == ""
    assert rows[1]["record"] == "2"


def test_problems_that_are_only_counted_are_a_row():
    problems = [of(Problem, problem_document().item)]
    report = report_on((), None, problems=problems, more_problems=41_000)
    text = report_csv(report).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["verdict"] for row in rows] == ["unreadable", "more_problems"]
    assert rows[1]["message"] == "and 41,000 more like these"


def test_it_begins_with_a_mark_and_ends_lines_as_spreadsheets_do():
    report = report_on((), None)
    assert report_csv(report).startswith(b'\xef\xbb\xbf"verdict","score"')
    assert report_csv(report).endswith(b"\r\n")


@given(hostile_texts() | FORMULAS)
@example("=1+1")
@example("a;=1+1")
def test_no_cell_runs_and_no_text_adds_one(text):
    problem = replace(problem_document().item, message=text, path=text)
    skipped = replace(skipped_document().item, reason=text, id=text)
    rows = written(measured(text, path=text), problems=[problem], skipped=[skipped])
    assert len(rows) == 3
    for row in rows:
        for name in ("objective", "task_domain", "id", "path", "message"):
            assert not RUNS.match(row[name])
            # and where semicolons divide cells
            assert not any(RUNS.match(part) for part in row[name].split(";"))
            # nor as it is seen: without what is invisible, signs of every width alike
            for part in row[name].split(";"):
                assert seen(part)[:1] not in set("=+-@\u2212")
                assert seen(normalize("NFKC", part))[:1] not in set("=+-@\u2212")


@given(hostile_texts())
def test_a_text_that_runs_nowhere_stays_as_it_is(text):
    plain = "x" + "".join(char for char in text if char.isprintable() and char != ";")
    assert harmless(plain) == plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1", "'=1"), ("  @a", "'  @a"), ("a; -b", "a;' -b"), ("-", "'-"), ("a-b=c", "a-b=c"),
        ("two\nlines", "two lines"), ("\uff1d1", "'\uff1d1"), ("\u207b1", "'\u207b1"),
        ("\u034f\u3164=1", "'\u034f\u3164=1"),
    ],
)  # fmt: skip
def test_an_apostrophe_stands_before_what_would_run(text, shown):
    assert harmless(text) == shown
