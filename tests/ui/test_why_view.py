"""The Why tab: what it says in every state, read as assistive technology reads it."""

from PySide6.QtCore import Qt

from kpinspector.trace.schema import Issue, Severity
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.panes.why import MOST_ISSUES, WhyView
from kpinspector.ui.parts.sections import SentenceLabel
from kpinspector.ui.tables.figure_table import FigureTable
from tests.answers import document, measurement, neighbour, novelty
from tests.known import present
from tests.ui.reading import description, names, panel, sentence, show, table, view_of

__all__ = ["panel"]


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


def test_thousands_of_issues_are_counted_not_listed(panel):
    issues = tuple(Issue(f"steps.{n}.type", Severity.ERROR, "missing") for n in range(3000))
    show(panel, document(measurement(schema_valid=False), issues=issues))
    said = names(panel)
    assert sum(name.startswith("steps.") for name in said) == MOST_ISSUES
    assert {"3,000 issues", "and 2,980 more, all of them in the report"} <= {*said}
    show(
        panel,
        document(
            measurement(schema_valid=False), issues=(Issue("id", issues[0].severity, "missing"),)
        ),
    )
    assert "id" in names(panel)
    assert not [name for name in names(panel) if name.startswith("steps.")]


def test_the_greatest_loss_stands_out(panel):
    show(panel, document())
    figures = view_of(panel, "Dimensions").figures
    losses = [present(figures.cell(row, 6)).role for row in (0, 2, 4, 6)]
    assert losses == [TextRole.BODY, TextRole.PANE, TextRole.BODY, TextRole.BODY]


def test_emphasis_falls_on_whole_names_even_beyond_the_basic_plane(panel):
    near = novelty(neighbours=(neighbour("/x/\N{PILE OF POO}\N{PILE OF POO}.json"),))
    show(panel, document(measurement(near)))
    label = panel.findChild(WhyView).findChild(SentenceLabel)
    pieces = [label.text()[start:end] for start, end in label.emphasis()]
    assert pieces == ["novelty", "\N{PILE OF POO}\N{PILE OF POO}"]


def test_tooltips_hold_whole_doubles(panel):
    show(panel, document())
    view = next(v for v in panel.findChildren(FigureTable) if v.accessibleName() == "Dimensions")
    tip = view.model().index(8, 5).data(Qt.ItemDataRole.ToolTipRole)
    assert "0.7477499999999999" in tip
