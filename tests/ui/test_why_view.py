"""The Why tab: what it says in every state, read as assistive technology reads it."""

from dataclasses import replace
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from kpinspector.app.document import Rules
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.novelty.sequence import Flag
from kpinspector.trace.records import ProblemKind
from kpinspector.trace.schema import Issue, Severity
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.score.why_view import MOST_ISSUES, WhyView
from kpinspector.ui.tables.figure_table import FigureTable
from kpinspector.words.figures import plain
from tests import user
from tests.answers import (
    document,
    facts,
    measurement,
    neighbour,
    novelty,
    pending_document,
    problem_document,
    skipped_document,
)
from tests.known import present
from tests.ui.reading import description, heads, names, panel, sentence, show, table, view_of

__all__ = ["panel"]

DASH = "\N{EN DASH}"
ASSUMED = novelty(None, Basis.NO_EMBEDDER)


def test_a_rejected_trace(panel):
    show(panel, document())
    verdict = "Rejected. 0.7477, needs 0.7500. Short by 0.0023."
    assert description(panel, "Verdict") == verdict
    assert sentence(panel) == (
        "Most is lost to novelty, 0.1100: visit-08 is 0.5500 similar."
        " Scored first, this trace would pass with 0.7577."
    )
    assert description(panel, "Gates") == "Readable: passed, Schema: passed, Score: failed"
    assert table(panel, "Dimensions") == [
        ["C", "Complexity", "0.495", "0.495", "0.15", "0.0742", "0.0758"],
        ["3 of 4 step types, no recovery, 12 steps"],
        ["N", "Novelty", "0.450", "0.450", "0.20", "0.0900", "0.1100"],
        ["0.5500 similar to visit-08, nearest of 412"],
        ["D", "Tool diversity", "0.500", "0.500", "0.10", "0.0500", "0.0500"],
        ["2 different tools in 12 steps"],
        ["O", "Outcome", "0.970", "0.970", "0.55", "0.5335", "0.0165"],
        ["confidence 0.97, succeeded"],
        ["Weighted sum", "0.7477", "0.2523"],
    ]
    assert table(panel, "Overrides") == [
        ["not fired", "Single thought", "12 steps"],
        ["not fired", "Recovery bonus", "no recoveries, needs 3"],
        ["not fired", "Tool monotony", "2 different tools"],
    ]
    assert [row[-1] for row in table(panel, "How it adds up")[1:]] == [
        "+0.0742",
        "+0.0900",
        "+0.0500",
        "+0.5335",
        "0.7477",
    ]


def test_an_accepted_trace(panel):
    show(panel, document(rules=Rules(threshold=0.7)))
    assert description(panel, "Verdict") == "Accepted. 0.7477, needs 0.7000. 0.0477 above."
    assert description(panel, "Gates").endswith("Score: passed")


def test_fired_overrides_show_before_and_after_and_stand_in_the_sum(panel):
    show(panel, document(measurement(novelty(0.82), unique_tools=1, error_recoveries=4)))
    arrow = "\N{THIN SPACE}\N{RIGHTWARDS ARROW}\N{THIN SPACE}"
    assert table(panel, "Overrides")[1:] == [
        ["fired", "Recovery bonus", "4 recoveries and success", f"0.7137{arrow}0.8137"],
        ["fired", "Tool monotony", "one tool in 3 calls", f"0.8137{arrow}0.7137"],
    ]
    rows = table(panel, "How it adds up")[1:]
    assert [row[-1] for row in rows[-3:]] == ["+0.1000", "\N{MINUS SIGN}0.1000", "0.7137"]
    *terms, score = (Decimal(plain(row[-1])) for row in rows)
    assert sum(terms) == score


def test_a_trace_against_the_schema_lists_its_issues(panel):
    issues = (
        Issue("@context", Severity.WARNING, "the address of older documents"),
        Issue("metadata.created_at", Severity.ERROR, "missing"),
    )
    show(panel, document(measurement(schema_valid=False), issues=issues))
    assert description(panel, "Verdict").endswith("Schema fails, short by 0.0023.")
    assert sentence(panel).startswith("The registry refuses it: metadata.created_at missing.")
    assert "Schema: failed, Score: failed" in description(panel, "Gates")
    said = names(panel)
    first = said.index("metadata.created_at")
    assert said.index("@context") > first
    assert "1 issue, 1 warning" in said
    assert "a warning only: the address of older documents" in said


def test_a_trace_that_fails_only_by_its_schema(panel):
    issues = (Issue("id", Severity.ERROR, "missing"),)
    show(
        panel, document(measurement(schema_valid=False), issues=issues, rules=Rules(threshold=0.7))
    )
    assert description(panel, "Verdict").startswith("Rejected. ")
    assert "Schema: failed, Score: passed" in description(panel, "Gates")
    assert sentence(panel) == "The registry refuses it: id missing."


def test_thousands_of_issues_are_counted_not_listed(panel):
    issues = tuple(Issue(f"steps.{n}.type", Severity.ERROR, "missing") for n in range(3000))
    show(panel, document(measurement(schema_valid=False), issues=issues))
    said = names(panel)
    assert sum(name.startswith("steps.") for name in said) == MOST_ISSUES
    assert "and 2,980 more, all of them in the report" in said
    show(
        panel,
        document(
            measurement(schema_valid=False), issues=(Issue("id", issues[0].severity, "missing"),)
        ),
    )
    assert "id" in names(panel)
    assert not [name for name in names(panel) if name.startswith("steps.")]


def test_a_pending_trace(panel):
    show(panel, pending_document())
    verdict = f"Pending. 0.65{DASH}0.86, needs 0.7500. Waits for novelty."
    assert description(panel, "Verdict") == verdict
    assert sentence(panel).startswith("It passes if novelty is at least 0.4613")
    assert description(panel, "Gates").endswith("Schema: passed, Score: waits for novelty")
    rows = table(panel, "Dimensions")
    assert rows[2] == ["N", "Novelty", "unknown", DASH, "0.20", f"0{DASH}0.20", f"0{DASH}0.20"]
    assert rows[-1] == ["Weighted sum", f"0.6577{DASH}0.8577"]
    chart = table(panel, "How it adds up")
    assert [row[1].removesuffix(", closed") for row in chart[1:]] == [
        "Complexity",
        "Tool diversity",
        "Outcome",
        "Novelty",
        "Score",
    ]
    assert "novelty last, as it is not known yet" in str(heads(panel, "How it adds up"))


def test_a_fired_override_comes_before_novelty_while_pending(panel):
    show(panel, pending_document(facts(unique_tools=1)))
    assert heads(panel, "Overrides")[-1] == "1 will fire"
    assert [row[-3:] for row in table(panel, "How it adds up")[4:6]] == [
        ["Tool monotony, closed", "0.6327 \N{EN DASH} 0.5327", "\N{MINUS SIGN}0.1000"],
        ["Novelty, closed", "0.5327 \N{EN DASH} 0.7328", f"0{DASH}0.20"],
    ]


def test_the_greatest_loss_stands_out(panel):
    show(panel, document())
    figures = view_of(panel, "Dimensions").figures
    losses = [present(figures.cell(row, 6)).role for row in (0, 2, 4, 6)]
    assert losses == [TextRole.BODY, TextRole.PANE, TextRole.BODY, TextRole.BODY]


def test_a_pending_trace_that_is_decided_already(panel):
    show(panel, pending_document(facts(confidence=0.1)))
    assert description(panel, "Verdict").startswith("Rejected. ")
    assert "Short by at least" in description(panel, "Verdict")
    assert description(panel, "Gates").endswith("Score: failed")


def test_the_place_of_every_part_is_kept_while_pending(panel):
    places = []
    for one in (pending_document(), document()):
        show(panel, one)
        tables = [view for view in panel.findChildren(FigureTable) if view.isVisible()]
        places.append([view.mapTo(panel, view.rect().topLeft()) for view in tables])
    assert len(places[0]) == 4
    assert places[0] == places[1]


def test_a_pending_trace_that_is_accepted_already_has_nothing_to_change(panel):
    show(panel, pending_document().with_rules(Rules(threshold=0.3)))
    assert not view_of(panel, "What would change it").isVisible()


def test_every_line_of_the_sentence_is_shown(panel):
    show(panel, document())
    why = present(panel.findChild(WhyView))
    label = present(why.findChild(SentenceLabel))
    seen = set()
    for width in (440, 400, 760):
        panel.resize(width, 780)
        QApplication.processEvents()
        needed = label.heightForWidth(label.width())
        assert label.height() >= needed and not label.toolTip(), width
        seen.add(needed // label.fontMetrics().lineSpacing())
    assert max(seen) == 2


def test_nothing_spreads_while_the_height_is_still_that_of_the_trace_before(panel):
    show(panel, document())
    tables = [view for view in panel.findChildren(FigureTable) if view.isVisible()]
    before = [view.y() for view in tables]
    for part in (view_of(panel, "Dimensions"), user.find(panel, QWidget, "Verdict")):
        column = present(part.parentWidget())
        column.resize(column.width(), column.height() + 120)
        present(column.layout()).activate()
    assert [view.y() for view in tables] == before


def test_an_assumed_score_says_so(panel):
    show(panel, document(measurement(ASSUMED)))
    assert description(panel, "Verdict").startswith("Accepted, assumed. ")
    assert "assumed" in table(panel, "Dimensions")[2]
    assert "Novelty is assumed 0.5" in description(panel, "Remarks")


def test_what_an_edit_did_is_remarked(panel):
    show(panel, replace(document(), earlier=measurement(confidence=0.901)))
    assert "Before the edit the score was 0.7098." in description(panel, "Remarks")


def test_remarks_on_flags(panel):
    flags = (Flag.DUPLICATE, Flag.SHARED_ID)
    show(panel, document(measurement(novelty(-0.02134)), flags=flags))
    said = description(panel, "Remarks")
    assert "stands earlier" in said and "same id" in said and "the SDK has 1.0213" in said


@pytest.mark.parametrize(
    ("one", "word", "about", "gates"),
    [
        (
            problem_document(),
            "Not readable",
            "There is no trace to score: reading stopped at line 61.",
            "Readable: failed, Schema: not reached, Score: not reached",
        ),
        (
            problem_document(line=None, column=None, message="the file is too large"),
            "Not readable",
            "There is no trace to score: the file is too large.",
            "Readable: failed, Schema: not reached, Score: not reached",
        ),
        (
            problem_document(
                ProblemKind.NOT_SCORABLE, json_path="steps", expected="a list", found="nothing"
            ),
            "Not scorable",
            "The formula cannot be evaluated: steps: expected a list, found nothing.",
            "Readable: passed, Schema: failed, Score: not reached",
        ),
        (
            skipped_document(),
            "Skipped",
            "Nothing to score: an ExpertSOP is not scored.",
            "Readable: skipped, Schema: not reached, Score: not reached",
        ),
    ],
)
def test_what_has_no_score(panel, one, word, about, gates):
    show(panel, one)
    assert description(panel, "Verdict") == f"{word}. no score."
    assert sentence(panel) == about
    assert description(panel, "Gates") == gates
    assert "In this file" in names(panel)
    assert not [view for view in panel.findChildren(FigureTable) if view.isVisible()]


def test_a_problem_says_where(panel):
    show(panel, problem_document(record=1200))
    said = names(panel)
    assert {"1,200", "61, column 7", "a quotation mark", "/runs/broken.json"} <= set(said)


def test_emphasis_falls_on_whole_names_even_beyond_the_basic_plane(panel):
    near = novelty(neighbours=(neighbour("/x/\N{PILE OF POO}\N{PILE OF POO}.json"),))
    show(panel, document(measurement(near)))
    label = panel.findChild(WhyView).findChild(SentenceLabel)
    strong = [(part.start, part.length) for part in label.emphasis()]
    text = label.text().encode("utf-16-le")
    pieces = [
        text[2 * start : 2 * (start + length)].decode("utf-16-le") for start, length in strong
    ]
    assert pieces == ["novelty", "\N{PILE OF POO}\N{PILE OF POO}"]


def test_tooltips_hold_whole_doubles(panel):
    show(panel, document())
    view = next(v for v in panel.findChildren(FigureTable) if v.accessibleName() == "Dimensions")
    tip = view.model().index(8, 5).data(Qt.ItemDataRole.ToolTipRole)
    assert "0.7477499999999999" in tip
