"""An explanation as plain text: aligned, in one column after another, harmless on a terminal."""

from types import SimpleNamespace

from hypothesis import given

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.printable import printable
from kpinspector.trace.read import Problem
from kpinspector.words.explanation import Explanation
from kpinspector.words.page import Cell, Column, Paragraph, Section, Sign, Table
from kpinspector.words.sentences import Run
from kpinspector.words.writers.explanation_text import explanation_cells, explanation_text
from tests.answers import problem_document
from tests.explained import GOLDENS, goldens
from tests.known import of
from tests.strategies import hostile_texts

# a column without any text is taken for a chart
some_texts = hostile_texts().filter(str.strip)


def explanation_with(text):
    """An explanation that has a text wherever one can stand."""
    table = Table(
        (Column(text), Column("", figure=True), Column("bar")),
        (
            (Cell(text, dimension=Dimension.NOVELTY), Cell("1.5", 1.5), Cell(text, strong=True)),
            (Cell(text, sign=Sign.REJECTED), Cell(), Cell()),
        ),
    )
    sentence = (Run(text), Run(text, strong=True))
    return SimpleNamespace(
        name=text,
        sign=Sign.REJECTED,
        word="Rejected",
        margin="Short by 0.1000",
        score=Cell("0.6500", 0.65),
        threshold=Cell("0.7500", 0.75),
        needs="needs 0.7500",
        sentence=sentence,
        remarks=(text,),
        sections=(Section("Title", (table, Paragraph(sentence)), text),),
    )


def test_goldens():
    found = goldens()
    for name in ("visit-08.txt", "visit-08.tsv"):
        assert found[name] == (GOLDENS / name).read_text("utf-8")


def test_a_problem():
    explanation = Explanation(of(Problem, problem_document().item))
    assert explanation_text(explanation).splitlines()[:4] == [
        "broken",
        "======",
        "Not readable: No score.",
        "There is no trace to score: reading stopped at line 61.",
    ]


@given(some_texts)
def test_no_text_adds_a_line_or_a_sequence(text):
    written = explanation_text(explanation_with(text))
    plain = explanation_text(explanation_with("x"))
    assert written.count("\n") == plain.count("\n")
    assert all(printable(line) == line for line in written.split("\n"))


@given(some_texts)
def test_no_text_adds_a_cell(text):
    written = explanation_cells(explanation_with(text)).splitlines()
    plain = explanation_cells(explanation_with("x")).splitlines()
    assert [line.count("\t") for line in written] == [line.count("\t") for line in plain]


def test_figures_are_aligned_and_have_their_whole_double_where_they_are_pasted():
    lines = explanation_text(explanation_with("name")).splitlines()
    assert lines[7:10] == ["  name         bar", "  N name  1.5  name", "  name"]
    assert "name\t1.5\tname" in explanation_cells(explanation_with("name")).splitlines()
