"""What an explanation holds, whoever writes it."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.app.answers import explanation_of
from kpinspector.app.document import Document, Rules
from kpinspector.runs.rules import RunOutcome
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.profiles import PROFILES, profile_for
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.neighbours import Further, look_today
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.settings import Mode
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.records import Source, TraceRecord
from kpinspector.trace.schema import find_issues
from kpinspector.words import explanation as explaining
from kpinspector.words.explanation import Explanation, explain
from kpinspector.words.figures import plain
from kpinspector.words.page import Sign, Table
from kpinspector.words.sentences import text_of
from kpinspector.words.writers.explanation_text import explanation_text
from kpinspector.words.writers.json_answers import explanation_entry
from kpinspector.words.writers.pages import made_with
from tests import undecided
from tests.answers import document, measurement, novelty, pending_document
from tests.explained import NOW, USED, AlikeEmbedder, sample_records, scored
from tests.fakes import make_raw
from tests.known import present
from tests.strategies import traces


def section(explanation, title):
    return next(one for one in explanation.sections if one.title == title)


def titles(explanation):
    return [one.title for one in explanation.sections]


def words(one):
    """All that a section says, cells divided by bars."""
    found = []
    for block in one.blocks:
        if isinstance(block, Table):
            found += [" | ".join(cell.text for cell in row) for row in block.rows]
        else:
            found.append(text_of(block.sentence))
    return found


def explained(raw, threshold=0.75):
    record = TraceRecord(Source("a.json", None, 1), trace_from_json(raw), find_issues(raw))
    ((measured, assessment),) = scored([record], threshold)
    return explain(measured, assessment)


def test_a_warning_stands_last():
    old = make_raw(**{"@context": "https://knowledgepulse.dev/schema/v1"})
    assert titles(explained(old))[-1] == "Schema issues"


def test_issues_beyond_the_first_fifty_are_counted():
    raw = make_raw(steps=[{"step_id": n, "type": "nothing", "content": "x"} for n in range(53)])
    *listed, more = words(section(explained(raw), "Schema issues"))
    assert (len(listed), more) == (50, "3 more issues.")


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        (Mode.REMEMBER, "compared with what is remembered, the newest 1,000 at most"),
        (Mode.GUEST, "what is remembered, nothing added to it, the newest 1,000 at most"),
        (Mode.FRESH, "compared as by a fresh SDK process, the newest 1,000 at most"),
    ],
)
def test_the_last_line_of_a_page_says_what_was_compared(mode, said):
    last = made_with(replace(USED, mode=mode), None)
    assert f"{said}; without the embedding model" in last


@pytest.mark.parametrize("steps", [0, 1, 25, 1000])
def test_many_steps_that_count_are_cut_and_counted(steps):
    raw = make_raw(steps=[{"step_id": n, "type": "error_recovery"} for n in range(steps)])
    explanation = explained(raw)
    if steps == 0:
        assert "What counts" not in titles(explanation)
        return
    said = words(section(explanation, "What counts"))
    assert len(said) == min(steps, 21)
    assert steps == 1 or said[-1] == f"{steps - 20:,} more steps count for complexity."


def test_nothing_reaches_alone():
    steps = [{"step_id": n, "type": "thought"} for n in range(30)]
    raw = make_raw(steps=steps, outcome={"result_summary": "", "confidence": 0})
    said = words(section(explained(raw, 0.99), "What would change it"))
    assert said[0] == "No single change reaches the threshold."
    assert not any("dimension alone" in one for one in said)


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        (1, ["Novelty saw the whole text, 10 tokens."]),
        (600, ["Novelty saw the first 512 tokens, up to the objective.", "3 of 3 steps"]),
        (505, ["Novelty saw the first 512 tokens, up to step 2."]),
        (508, ["Novelty saw the first 512 tokens, up to step 1.", "1 of 3 steps"]),
    ],
)
def test_where_the_window_ends(objective, said):
    steps = [{"step_id": n, "type": "thought", "content": "a b c"} for n in range(3)]
    raw = make_raw(task={"objective": " ".join(["word"] * objective)}, steps=steps)
    seen = words(section(explained(raw), "What novelty sees"))
    assert seen[0] == said[0] and seen[1:] == [f"It saw nothing of {one}." for one in said[1:]]


def test_what_is_looked_up_on_request():
    records = sample_records("visit-03.json", "billing-migration.json", "visit-08.json")
    embedder = AlikeEmbedder()
    with Memory(Mode.FRESH, None, clock=lambda: NOW) as memory:
        at_hand = list(measure_batch(records, embedder, memory))
        measured = at_hand[1]
        today = look_today(measured, embedder, memory)
        size = memory.size
        assert look_today(measured, embedder, memory) == today and memory.size == size
    assessment = assess(measured.measurement, profile_for("code"), 0.75)
    further = Further(today)
    explanation = explain(measured, assessment, further=further)
    found = section(explanation, "Today's neighbours")
    assert found.note == "of 2 compared"
    assert words(found)[0] == f"Scored again now, it would have {explanation.score.text}."
    assert [line.split(" | ")[2] for line in words(found)[1:]] == ["as it was", "new since then"]
    now = explanation_entry(explanation)["today"]
    assert now["outcome"] == assessment
    assert [one["before"] for one in now["neighbours"]] == [0.75, None]
    without = explanation_entry(explain(measured, assessment))
    assert without["today"] is None


def test_a_trace_without_embedder_says_assumed_and_has_no_order():
    one = document(measurement(novelty(None, Basis.NO_EMBEDDER)))
    explanation = explain(present(one.measured), present(one.assessment), ("Said first.",))
    assert explanation.word == "Accepted, assumed"
    assert explanation.remarks[0] == "Said first." and "assumed" in explanation.remarks[1]
    assert "Order" not in titles(explanation) and "Neighbours" not in titles(explanation)
    bars = [row[1].bar for row in section(explanation, "How it adds up").blocks[0].rows[:4]]
    assert [bar.assumed for bar in bars] == [False, True, False, False]


def test_a_score_that_waits_for_novelty():
    one = pending_document()
    record, facts, possible = present(one.record), present(one.facts), present(one.range)
    explanation = Explanation(record, facts=facts, possible=possible)
    assert (explanation.sign, explanation.word) == (Sign.PENDING, "Pending")
    rows = [plain(row) for row in words(section(explanation, "Dimensions"))]
    assert rows[1] == "Novelty |  | - | 0.20 | 0-0.20 | 0-0.20 | not measured yet"
    assert "How it adds up" not in titles(explanation)


@given(
    st.tuples(st.integers(0, 4), st.integers(0, 30)),
    st.sampled_from([(None, None), (None, True), (None, False), (0.0, None), (0.6, None)]),
    st.none() | st.floats(0, 1),
    st.sampled_from(PROFILES),
    st.floats(0, 1),
)
def test_no_figure_of_an_open_score_leaves_0_to_1(counts, stated, similarity, profile, threshold):
    (failures, calls), outcome = counts, RunOutcome(*stated)
    run, rules = undecided.record(failures, calls, outcome), Rules(profile, threshold)
    one = Document(1, run, rules)
    if similarity is not None:
        one = undecided.run_document(run, rules, novelty(similarity))
    explanation = explanation_of(one)
    version = run.imported.recording.version
    said = [explanation_text(explanation).replace(version, ""), explanation.margin]
    said += [stretch.shown_end for stretch in explanation.waterfall]
    said = [line for line in " \n".join(said).splitlines() if "Tool monotony" not in line]
    # a dash between two figures is that of a range
    figures = re.findall(r"(?<![\d.])[\u2212-]?\d+\.\d+", "\n".join(said))
    assert figures
    assert all(0 <= float(plain(figure)) <= 1 for figure in figures)


@given(traces(), st.sampled_from([0.1, 0.75, 0.9]))
def test_every_trace_can_be_explained_and_its_waterfall_adds_up(raw, threshold):
    explanation = explained(raw, threshold)
    (table,) = section(explanation, "How it adds up").blocks
    *terms, score, _ = table.rows
    place = Decimal(0)
    for row in terms:
        start, adds, end = (Decimal(plain(cell.text)) for cell in row[2:])
        assert (start, start + adds) == (place, end)
        place = end
    assert place == Decimal(plain(score[4].text)) == Decimal(plain(explanation.score.text))
    for one in explanation.sections:
        for block in one.blocks:
            if isinstance(block, Table):
                assert {len(row) for row in block.rows} == {len(block.columns)}


def test_a_row_of_a_file_with_several_is_named_by_its_number():
    record = sample_records("visit-03.json")[0]
    record = replace(record, source=Source("/runs/a.jsonl", 7, 9))
    ((measured, assessment),) = scored([record])
    explanation = explain(measured, assessment)
    assert explanation.name == "a 7"
    about = words(section(explanation, "About"))
    assert about[:2] == ["file | /runs/a.jsonl#7", "line | 9"]


def test_nothing_is_looked_for_until_the_section_is_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(explaining, "ways_of_measured", lambda *case: asked.append(case))
    explained(make_raw())
    assert asked == []


@pytest.mark.parametrize(("kinds", "rows"), [(20, 20), (21, 21)])
def test_many_rows_of_what_is_in_clear_are_cut_and_counted(kinds, rows):
    steps = [
        {"step_id": n, "type": "thought", "content": f"n{n}@example.org"} for n in range(kinds)
    ]
    said = words(section(explained(make_raw(steps=steps)), "Sharing"))
    assert len(said) == 2 + rows
    assert kinds <= 20 or said[-1] == "1 more row."
