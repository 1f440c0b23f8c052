"""What the list counts is right, whatever came, changed and went; so is what it shows."""

from collections import Counter
from dataclasses import replace
from functools import partial
from math import nextafter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from kpinspector.app.document import Document, Rules, State
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.records import ProblemKind
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.traces import BINS, Kind, RowCounts, bin_of, traits_of
from kpinspector.ui.traces.trace_model import PROBLEM_STATES, ROW_ROLE, TraceModel
from kpinspector.ui.traces.trace_query import parse_query
from kpinspector.ui.traces.trace_row import TraceColumn, TraceRow
from tests.known import present
from tests.ui.documents import pending, problem, report, score, scored, skipped
from tests.ui.windows import shown_documents

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
HOSTILE = "<img src='file:///etc/passwd'>\x00\x1b[31m\u202eevil\ud800\ufdd0"
NUMBERS = st.integers(0, 11)
rows = st.lists(NUMBERS, max_size=6, unique=True).flatmap(
    lambda some: st.tuples(*map(documents, some))
)
acts = st.one_of(
    st.tuples(st.just("put"), rows),
    st.tuples(st.just("remove"), st.lists(NUMBERS, max_size=6)),
    st.tuples(st.just("text"), st.sampled_from(["", "visit", "state:accepted", "score:..0.5"])),
    st.tuples(
        st.just("states"), st.sampled_from([None, PROBLEM_STATES, frozenset({State.ACCEPTED})])
    ),
    st.tuples(st.just("sort"), st.sampled_from([-1, *TraceColumn])),
)


@pytest.fixture
def model(qapp) -> TraceModel:
    model = TraceModel()
    QAbstractItemModelTester(model, FATAL, model)
    return model


def outline(model) -> list[str]:
    rows = (model.index(row, TraceColumn.TRACE) for row in range(model.rowCount()))
    shown = (row.data(ROW_ROLE) for row in rows)
    lines = (f"{row.state} {row.score_text} {row.name}: {row.about}" for row in shown)
    return [line.replace("\N{EN DASH}", "-") for line in lines]


def names(model) -> list[str]:
    return [model.index(row, TraceColumn.TRACE).data() for row in range(model.rowCount())]


def states(model: TraceModel) -> list[int]:
    return [model.counts.states()[state] for state in State]


def six() -> tuple[Document, ...]:
    return (
        scored(0, "/t/visit-08.json", value=0.5),
        scored(1, "/t/visit-03.json", value=0.0, confidence=0.4, objective="Explain a drug"),
        pending(2, "/t/big-1.json", confidence=0.7, domain="code"),
        problem(3),
        problem(4, "/t/old.json", ProblemKind.NOT_SCORABLE, message="no confidence"),
        skipped(5),
    )


def test_every_state_has_its_row(model: TraceModel) -> None:
    model.add_documents(six())
    assert outline(model) == [
        "accepted 0.8595 visit-08: Review the potassium trend",
        "rejected 0.4460 visit-03: Explain a drug",
        "pending 0.60-0.91 big-1: Review the potassium trend",
        'unreadable - broken: Not readable: expected a comma or "}", found a quotation mark',
        "not_scorable - old: Not scorable: no confidence",
        "skipped - units 2: Skipped: ExpertSOP",
    ]


def test_a_report_is_a_row_that_says_what_came_of_its_replay(model: TraceModel) -> None:
    model.add_documents([report(0, scored(1))])
    assert outline(model) == ["report - old: Report on 1 trace: identical"]
    assert model.counts.states() == {State.REPORT: 1}


def test_suffix_and_folder_only_where_stems_and_names_collide(model: TraceModel) -> None:
    model.add_documents((scored(0, "/t/run.json"), scored(1, "/t/other.json")))
    assert names(model) == ["run", "other"]
    model.add_documents((scored(2, "/t/run.jsonl", record=None),))
    assert names(model) == ["run.json", "other", "run.jsonl"]
    model.remove([0])
    assert names(model) == ["other", "run"]
    model.add_documents((scored(3, "/t/again/run.jsonl", record=None),))
    assert names(model) == ["other", "t/run.jsonl", "again/run.jsonl"]


def test_records_of_one_file_do_not_collide(model: TraceModel) -> None:
    model.add_documents(scored(n, "/t/desk.jsonl", record=n + 1) for n in range(3))
    assert names(model) == ["desk 1", "desk 2", "desk 3"]
    model.add_documents((scored(3, "/t/desk.json", record=2),))
    assert names(model) == ["desk 1", "desk.jsonl 2", "desk 3", "desk.json 2"]


def test_scores_read_as_on_their_side(model: TraceModel) -> None:
    near = scored(0, value=0.5)
    above = present(near.assessment).score + 1e-7
    model.add_documents((replace(near, rules=Rules(threshold=above)),))
    row = model.index(0, 0).data(ROW_ROLE)
    assert row.state is State.REJECTED
    assert float(row.score_text) < above
    assert row.too_close
    assert row.score_text in model.widest_figures()[TraceColumn.SCORE]
    assert "the SDK may differ" in model.index(0, TraceColumn.TRACE).data(
        Qt.ItemDataRole.AccessibleTextRole
    )


def test_order_matters_where_alone_would_give_another_verdict(model: TraceModel) -> None:
    rules = Rules(threshold=0.855)
    model.add_documents((scored(0, value=0.45, rules=rules), scored(1, value=0.5, rules=rules)))
    rows = [model.index(row, 0).data(ROW_ROLE) for row in (0, 1)]
    assert [row.order_matters for row in rows] == [True, False]


def test_a_refused_schema_is_rejected_but_counts_as_no_pass(model: TraceModel) -> None:
    from kpinspector.trace.schema import Issue, Severity  # noqa: PLC0415

    issue = Issue("steps", Severity.ERROR, "bad")
    model.add_documents((scored(0, issues=(issue,), value=1.0),))
    assert model.index(0, 0).data() == "rejected"
    shown = model.index(0, 0).data(ROW_ROLE)
    assert shown.document.score > 0.75 and shown.text(TraceColumn.MARGIN).startswith("+")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("VISIT", ["visit-08", "visit-03"]),
        ("a drug", ["visit-03"]),
        ("code", ["big-1"]),
        ("kp:sop", ["units 2"]),
        (" broken.json ", ["broken"]),
        ("0.8595", []),
        ("trend potassium visit", ["visit-08"]),
        ('"a drug"', ["visit-03"]),
        ('"drug a"', []),
        ("state:acc", ["visit-08"]),
        ("State:problems", ["broken", "old"]),
        ("state:pending,skipped", ["big-1", "units 2"]),
        ('state:"not scorable"', ["old"]),
        ("profile:code", ["big-1"]),
        ("profile:med score:0.4..0.5", ["visit-03"]),
        ("score:>0.8595", ["big-1"]),
        ("score:>=0.8595", ["visit-08", "big-1"]),
        ("score:<0.446", []),
        ("score:<=0.446", ["visit-03"]),
        ("score:..0.61", ["visit-03", "big-1"]),
        ("score:0.85", ["visit-08", "big-1"]),
        ("score>0.8595", ["big-1"]),
        ("SCORE >= 0.8595", ["visit-08", "big-1"]),
        ("score<=.446 visit", ["visit-03"]),
        ("score=0.85", ["visit-08", "big-1"]),
        ("n>0.4", ["visit-08"]),
        ("score: state:", ["visit-08", "visit-03", "big-1", "broken", "old", "units 2"]),
    ],
)
def test_text_filter(model: TraceModel, text: str, expected) -> None:
    model.add_documents(six())
    model.set_text(text)
    assert names(model) == expected


def test_sort_is_by_value_not_by_text(model: TraceModel) -> None:
    names_of = enumerate((9, 10, 1, 2))
    model.add_documents(scored(n, f"/t/visit-{one}.json", value=one / 20) for n, one in names_of)
    model.sort(TraceColumn.TRACE)
    assert names(model) == ["visit-1", "visit-2", "visit-9", "visit-10"]
    model.sort(TraceColumn.SCORE, Qt.SortOrder.DescendingOrder)
    assert names(model) == ["visit-10", "visit-9", "visit-2", "visit-1"]
    model.sort(-1)
    assert names(model) == ["visit-9", "visit-10", "visit-1", "visit-2"]


def test_hostile_text_is_one_plain_line() -> None:
    assert one_line(HOSTILE) == "<img src='file:///etc/passwd'>␀␛[31mevil\ufffd\ufffd"
    assert one_line("\n \t\n first\r\nsecond") == "first"
    assert one_line("a\x85b") == one_line("a\u2028b") == "a"
    assert one_line("x" * 1000, 10) == "xxxxxxxxxx…"
    assert len(one_line("y" * 20_000_000)) == 401
    assert one_line(" " * 20_000_000 + "z") == "…"


def test_tooltips_are_escaped(model: TraceModel) -> None:
    model.add_documents((pending(0, "/t/<i>.json", objective=HOSTILE * 1000),))
    tip = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tip and "<i>" not in tip
    assert len(tip) < 5000


@pytest.mark.parametrize(
    "text",
    [
        "state:purple", "score:high", "profile:x", "score:1..2..3", "needs:far", "loss:x",
        "rule:none", "group:first", "plan:3", "c:>x", "o:1..2..3", "format:nonesuch",
    ],
)  # fmt: skip
def test_the_first_term_that_makes_no_sense_is_named_and_left_out(text: str) -> None:
    query = parse_query(f"visit {text} score:low")
    assert query.wrong == text
    assert query.words == ("visit",)


def test_scores_are_asked_for_as_they_read(model: TraceModel) -> None:
    near = scored(0, value=0.5)
    above = present(near.assessment).score + 1e-7
    model.add_documents((replace(near, rules=Rules(threshold=above)),))
    model.set_text(f"score:{above}..")
    assert names(model) == []
    model.set_text(f"score:{round(present(near.assessment).score, 4) - 1e-4}..")
    assert len(names(model)) == 1


@pytest.mark.parametrize(
    ("above", "text", "kept"),
    [
        (6e-5, "score:0.7501", True),  # as it is shown
        (4e-5, "score:<=0.75", False),  # shown with more decimals, on its side of the threshold
        (4e-5, "score:>0.75", True),
        (-4e-5, "score:>=0.75", False),
    ],
)
def test_a_score_near_the_threshold_is_asked_for_as_it_reads(above, text, kept) -> None:
    start = scored(0, value=0.5)
    weight = present(start.assessment).profile.weights.of(Dimension.NOVELTY)
    value = 0.5 + (0.75 + above - present(start.assessment).score) / weight
    near = scored(0, value=value, rules=Rules(threshold=0.75))
    assert present(near.assessment).score == pytest.approx(0.75 + above, abs=1e-9)
    assert parse_query(text).keeps(TraceRow(near, "near")) is kept


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("tool:search", "tool"),
        ("visit Kind:x tool:y", "Kind"),
        ("state:accepted", ""),
        ('"tool:search"', ""),
        ("C:\\x 12:30 tool: :x", ""),
    ],
)
def test_a_name_that_nobody_knows_is_named_and_its_term_is_a_word(text, unknown) -> None:
    query = parse_query(text)
    assert (query.unknown, query.wrong) == (unknown, "")
    assert not unknown or any(word.startswith(f"{unknown.lower()}:") for word in query.words)


def counted(*documents):
    return RowCounts(traits_of(one, found=True) for one in documents)


@pytest.mark.parametrize(
    ("document", "kinds"),
    [
        (pending(0, rules=Rules(threshold=0.8)), {Kind.TRACE, Kind.PENDING}),
        (pending(0, rules=Rules(threshold=0.1)), {Kind.TRACE, Kind.PENDING, Kind.DECIDED}),
        (scored(0), {Kind.TRACE, Kind.SCORED}),
        (scored(0, assumed=True), {Kind.TRACE, Kind.SCORED, Kind.ASSUMED}),
        (problem(0), {Kind.PROBLEM}),
        (problem(0, kind=ProblemKind.NOT_SCORABLE), {Kind.TRACE, Kind.PROBLEM}),
        (skipped(0), {Kind.SKIPPED}),
        (report(0), {Kind.REPORT}),
    ],
)
def test_a_row_is_of_all_kinds_that_it_is_counted_as(document, kinds):
    assert counted(document).kinds() == Counter(kinds)


def test_a_score_lies_in_the_step_in_which_it_is_written():
    assert [bin_of(one) for one in (-3.0, 0.0, 0.15, 0.1499, 0.75, 1.0, 2.0)] == [
        0, 0, 3, 2, 15, BINS - 1, BINS - 1,
    ]  # fmt: skip


def test_a_score_at_the_threshold_is_not_below_it():
    one = scored(0)
    at = present(one.score)
    for threshold, below in ((at, 0), (nextafter(at, 1), 1)):
        counts = counted(replace(one, rules=Rules(threshold=threshold)))
        assert counts.spread(frozenset(State)).below == below


def documents(number):
    """A row of that number in any state; under a near threshold figures take more digits."""
    path = f"/t/{'visit' if number % 2 else 'other'}-{number}.json"
    trace = pending(number, path, confidence=0.7)
    measured = st.builds(partial(score, trace), st.floats(0, 1))
    near = measured.map(
        lambda one: replace(one, rules=Rules(threshold=nextafter(present(one.score), 1)))
    )
    thresholds = st.floats(0, 1).map(lambda threshold: Rules(threshold=threshold))
    judged = st.builds(lambda one, rules: replace(one, rules=rules), measured, thresholds)
    others = st.sampled_from([trace, problem(number, path), skipped(number, path), report(number)])
    return st.one_of(others, measured, near, judged)


def act(model, name, value):
    match name:
        case "put":
            known = [one for one in value if model.document(one.number) is not None]
            model.update_documents(known)
            model.add_documents(one for one in value if one not in known)
        case "remove":
            model.remove(value)
        case "text":
            model.set_text(value)
        case "states":
            model.set_states(value)
        case "sort":
            model.sort(value, Qt.SortOrder.DescendingOrder)


def seen(model):
    """What it shows and counts; of steps the most that ever were count."""
    counts, widest = model.counts, model.widest_figures()
    names = [model.index(row, TraceColumn.TRACE).data() for row in range(model.rowCount())]
    spread = counts.spread(model.states)
    figures = widest[TraceColumn.SCORE], widest[TraceColumn.MARGIN]
    return names, counts.kinds(), counts.states(), counts.total(), spread, figures


@pytest.mark.slow
@pytest.mark.usefixtures("qapp")
@settings(deadline=None, max_examples=200)
@given(st.lists(acts, max_size=12))
def test_whatever_happens_to_a_list_it_is_as_if_it_were_made_at_once(done):
    model, fresh = TraceModel(), TraceModel()
    QAbstractItemModelTester(model, FATAL, model)
    asked = {}
    for name, value in done:
        act(model, name, value)
        asked[name] = value
    for name in asked.keys() & {"text", "states", "sort"}:
        act(fresh, name, asked[name])
    listed = [one for one in map(model.document, range(12)) if one is not None]
    fresh.add_documents(listed)
    assert seen(model) == seen(fresh)
    shown = shown_documents(model)
    spread = model.counts.spread(model.states)
    assert sum(accepted for _, accepted, _ in spread.columns) == sum(
        one.state is State.ACCEPTED and one.score is not None for one in shown
    )
    assert spread.below == sum(
        one.score is not None and one.score < one.rules.threshold for one in shown
    )
    assert model.counts.total() == model.total == len(listed)
