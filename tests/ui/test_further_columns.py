"""Columns on request, what they sort by, and the filter's words for them."""

import pytest
from PySide6.QtCore import Qt

from kpinspector.app.document import Document
from kpinspector.ui.traces.trace_model import TraceModel
from kpinspector.ui.traces.trace_query import GROUP, group_term, parse_query, with_term
from kpinspector.ui.traces.trace_row import ALONE, LEFT_OUT, BatchPlace, TraceColumn, places_in
from kpinspector.words.figures import UNKNOWN
from tests.ui.batches import picture_of
from tests.ui.documents import STEPS, pending, problem, scored

ONE_TOOL = [STEPS[0], STEPS[1], STEPS[1]]


def six() -> tuple[Document, ...]:
    return (
        scored(0, "/t/good.json", value=0.5),
        scored(1, "/t/unsure.json", value=0.7, confidence=0.5),
        scored(2, "/t/one tool.json", value=0.25, steps=ONE_TOOL),
        scored(3, "/t/thought.json", value=1.0, steps=STEPS[:1], confidence=1.0),
        pending(4, "/t/pending.json"),
        problem(5),
    )


@pytest.fixture
def model(qapp) -> TraceModel:
    model = TraceModel()
    model.add_documents(six())
    return model


def cells(model: TraceModel, column: TraceColumn) -> list[str]:
    return [model.index(row, column).data() for row in range(model.rowCount())]


def names(model: TraceModel) -> list[str]:
    return cells(model, TraceColumn.TRACE)


@pytest.mark.parametrize(
    ("column", "texts"),
    [
        (TraceColumn.COMPLEXITY, ["0.840", "0.840", "0.280", "0.135", "0.840", UNKNOWN]),
        (TraceColumn.NOVELTY, ["0.500", "0.700", "0.250", "1.000", UNKNOWN, UNKNOWN]),
        (TraceColumn.OUTCOME, ["0.970", "0.500", "0.970", "1.000", "0.970", UNKNOWN]),
        (TraceColumn.REACH, ["nothing", "outcome", "novelty", "other steps", UNKNOWN, UNKNOWN]),
        (TraceColumn.LOSS, ["Novelty", "Outcome", "Novelty", "Single thought", UNKNOWN, UNKNOWN]),
        (TraceColumn.RULES, ["", "", "Tool monotony", "Single thought", "", ""]),
    ],
)
def test_a_column_says_what_is_known(model: TraceModel, column, texts) -> None:
    assert cells(model, column) == texts


def test_groups_and_places_come_from_the_batch(model: TraceModel) -> None:
    picture = picture_of(six()[:4], groups=((0, 2),), chosen=(3, 0))
    assert places_in(picture) == {
        0: BatchPlace(1, 2),
        1: BatchPlace(ALONE, LEFT_OUT),
        2: BatchPlace(1, LEFT_OUT),
        3: BatchPlace(ALONE, 1),
    }
    model.set_batch(picture)
    assert cells(model, TraceColumn.GROUP) == ["1", "alone", "1", "alone", UNKNOWN, UNKNOWN]
    places = cells(model, TraceColumn.PLACE)
    assert places == ["2", "left out", "left out", "1", UNKNOWN, UNKNOWN]
    model.set_batch(picture_of(six()[:4], groups=None, chosen=None))
    assert {*cells(model, TraceColumn.GROUP), *cells(model, TraceColumn.PLACE)} == {UNKNOWN}


@pytest.mark.parametrize(
    ("column", "first"),
    [
        (TraceColumn.SCORE, ["thought", "one tool", "unsure", "good", "pending"]),
        (TraceColumn.NOVELTY, ["one tool", "good", "unsure", "thought"]),
        (TraceColumn.REACH, ["good", "one tool", "unsure", "thought"]),
        (TraceColumn.LOSS, ["good", "one tool", "unsure", "thought"]),
        (TraceColumn.RULES, ["thought", "one tool"]),
        (TraceColumn.PLACE, ["thought", "good"]),
        (TraceColumn.GROUP, ["good", "one tool"]),
        (TraceColumn.STEPS, ["thought", "one tool", "good", "unsure", "pending"]),
    ],
)
def test_what_is_not_known_comes_last_in_either_direction(model, column, first) -> None:
    model.set_batch(picture_of(six()[:4], groups=((0, 2),), chosen=(3, 0)))
    model.sort(column)
    rest = names(model)[len(first) :]
    assert names(model)[: len(first)] == first
    model.sort(column, Qt.SortOrder.DescendingOrder)
    assert names(model)[len(first) :] == rest
    assert {*names(model)[: len(first)]} == {*first}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("c:>0.5", ["good", "unsure", "pending"]),
        ("c:0.280", ["one tool"]),
        ("N:>=0.7", ["unsure", "thought"]),
        ("n:0.25..0.5 o:>0.9", ["good", "one tool"]),
        ("c:<0.5 c:>0.2", ["one tool"]),
        ("c: n:", ["good", "unsure", "one tool", "thought", "pending", "broken"]),
        ("needs:accepted", ["good"]),
        ("needs:struct,out", ["unsure", "thought"]),
        ("loss:n", ["good", "one tool"]),
        ("loss:o,single", ["unsure", "thought"]),
        ("rule:tool-monotony", ["one tool"]),
        ("rule:single", ["thought"]),
        ("group:1", ["good", "one tool"]),
        ("group:01,alone", ["good", "unsure", "one tool", "thought"]),
        ("group:12", []),
        ("plan:chosen", ["good", "thought"]),
        ("plan:left-out", ["unsure", "one tool"]),
    ],
)
def test_the_filter_asks_for_them(model: TraceModel, text: str, kept: list[str]) -> None:
    model.set_batch(picture_of(six()[:4], groups=((0, 2),), chosen=(3, 0)))
    model.set_text(text)
    assert names(model) == kept
    assert model.counts.states().total() == len(kept)


def test_a_filter_by_the_plan_follows_the_plan(model: TraceModel) -> None:
    model.set_text("plan:chosen")
    assert names(model) == []
    model.set_batch(picture_of(six()[:4], chosen=(1,)))
    assert names(model) == ["unsure"] and model.counts.states().total() == 1
    model.set_batch(None)
    assert names(model) == []


@pytest.mark.parametrize("text", ["c:\\traces\\visit.json", "D:/runs", "n:x"])
def test_a_drive_is_no_dimension(text: str) -> None:
    query = parse_query(text)
    assert query.words == (text.casefold(),) and not query.wrong


def test_nothing_is_worked_out_for_a_column_that_nobody_asks_for(model: TraceModel) -> None:
    model.sort(TraceColumn.SCORE)
    model.set_text("state:accepted score:>0.1")
    model.widest_figures([TraceColumn.SCORE])
    for row in range(model.rowCount()):
        model.index(row, TraceColumn.TRACE).data(Qt.ItemDataRole.AccessibleTextRole)
    documents = [model.document(number) for number in range(6)]
    assert not any("reach" in vars(one) for one in documents)
    assert model.index(0, TraceColumn.REACH).data() == "nothing"
    assert "reach" in vars(model.document(0))


@pytest.mark.parametrize(
    ("text", "group", "without"),
    [
        ("group:3", 3, ""),
        ('state:accepted GROUP:2 "two words"', 2, 'state:accepted "two words"'),
        ("group:alone", ALONE, ""),
        ("some group:1,2", None, "some"),
        ("group:1 group:2", None, ""),
        ("group: x", None, "x"),
        ("groups", None, "groups"),
    ],
)
def test_the_one_group_in_a_filter(text, group, without) -> None:
    assert parse_query(text).group == group
    assert with_term(text, GROUP, None) == without
    for other in (ALONE, 7):
        assert parse_query(with_term(text, GROUP, group_term(other))).group == other
