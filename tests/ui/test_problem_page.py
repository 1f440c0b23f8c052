"""The pages of a problem and of a report."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QLabel

from kpinspector.app.document import Document, Rules
from kpinspector.trace.records import ProblemKind
from kpinspector.ui.look.theme import colours
from kpinspector.ui.traces.other_pages import LINE_LENGTH, ProblemPage, ReportView
from tests import user
from tests.known import present
from tests.scoring.replays import TWO, changed_at, reread
from tests.scoring.test_report import report_of
from tests.ui.documents import problem, skipped
from tests.ui.windows import exposed

LINES = ("{", '  "step_id": 5,', '  "type": "observation"', '\t"latency_ms": 42', "}")


@pytest.fixture
def page(qtbot) -> ProblemPage:
    return exposed(qtbot, ProblemPage(), 636, 500)


def test_what_failed_and_where(page: ProblemPage) -> None:
    page.set_document(problem(0, line=4, column=2))
    assert page.header.title.text() == "broken.json could not be read"
    assert page.header.facts.text() == "Line 4, column 2  ·  /traces/broken.json"
    assert page.message.text() == 'Expected a comma or "}", found a quotation mark'
    assert not page.message.isHidden()
    assert page.excerpt.isHidden()
    page.set_excerpt(LINES, 1)
    assert page.message.isHidden()
    assert not page.excerpt.isHidden()
    assert page.excerpt.mark == (3, 1)
    assert page.excerpt.lines[3] == '4  "latency_ms": 42'


def test_not_scorable_records_and_skipped_units(page: ProblemPage) -> None:
    page.set_document(
        problem(
            0,
            "/t/runs.jsonl",
            ProblemKind.NOT_SCORABLE,
            record=1234,
            json_path="steps.2.content",
            line=None,
            column=None,
        )
    )
    assert page.header.title.text() == "runs.jsonl, record 1,234, cannot be scored"
    assert page.header.facts.text() == "steps.2.content  ·  /t/runs.jsonl"
    page.set_document(skipped(1))
    assert page.header.title.text() == "units.jsonl, record 2, was skipped"
    assert page.message.text() == "ExpertSOP kp:sop:1: no reasoning trace"
    page.set_document(None)
    assert page.header.title.text() == ""


def test_another_problem_forgets_the_lines(page: ProblemPage) -> None:
    page.set_document(problem(0, line=4, column=2))
    page.set_excerpt(LINES, 1)
    page.set_document(problem(1, line=4, column=2))
    assert page.excerpt.lines == ()
    assert not page.message.isHidden()


def test_lines_that_do_not_hold_the_place(page: ProblemPage) -> None:
    page.set_document(problem(0, line=99, column=2))
    page.set_excerpt(LINES, 1)
    assert page.excerpt.mark is None
    assert not page.message.isHidden()
    page.grab()


@pytest.mark.parametrize("column", [None, 1, 60, 61, 5000, 9_999_999, 20_000_000])
def test_a_long_line_is_cut_around_the_place(page: ProblemPage, column: int | None) -> None:
    line = "x" * 10_000_000
    page.set_document(problem(0, line=7, column=column))
    page.set_excerpt((line,), 7)
    shown = page.excerpt.lines[0].removeprefix("7 ")
    assert len(shown) <= LINE_LENGTH + 2
    assert page.excerpt.mark is not None
    assert page.excerpt.mark[1] <= min(len(shown), 61)
    page.grab()


def test_the_mark_stands_under_the_character(page: ProblemPage) -> None:
    line = "a" * 4990 + '"key" 12'
    page.set_document(problem(0, line=1, column=4991))
    page.set_excerpt((line,), 1)
    _, place = present(page.excerpt.mark)
    assert page.excerpt.lines[0].removeprefix("1 ")[place] == '"'


@pytest.mark.parametrize(
    ("line", "column", "other"),
    [
        ('"a": "\u05d0\u05d1\u05d2", 12', 13, "7"),
        ("\u05d0\u05d1\u05d2 { x", 5, "}"),
        ('{"\u0645\u0631\u062d\u0628\u0627": 1 2}', 13, "7"),
    ],
)
def test_letters_from_right_to_left_do_not_shift_the_mark(
    page: ProblemPage, line: str, column: int, other: str
) -> None:
    """With another character at the place, nothing changes but what stands above the mark."""
    marks = []
    for text in (line, line[: column - 1] + other + line[column:]):
        page.set_document(problem(0, line=1, column=column))
        page.set_excerpt((text,), 1)
        marks.append(page.excerpt.grab().toImage())
    height = -page.excerpt.minimumHeight()
    page.set_excerpt((line, line), 1)
    height += page.excerpt.minimumHeight()
    differing = [
        x
        for x in range(marks[0].width())
        for y in range(8, height + 4)
        if marks[0].pixel(x, y) != marks[1].pixel(x, y)
    ]
    found = colours(page.palette()).rejected
    under = [x for x in range(80, marks[0].width()) if marks[0].pixelColor(x, height + 6) == found]
    assert differing and under
    assert min(under) - 1 <= min(differing) and max(differing) <= max(under) + 1


def test_hostile_names_and_lines_stay_text(page: ProblemPage) -> None:
    nasty = "<b>&\x00\u202e\x1b\ud800\n"
    page.set_document(problem(0, f"/t/{nasty}.json", expected=nasty, found=nasty, message=nasty))
    page.set_excerpt([nasty * 1000] * 3, 60)
    page.grab()
    for text in (
        page.header.title.text(),
        page.header.facts.text(),
        page.message.text(),
        *page.excerpt.lines,
    ):
        assert not {"\x00", "\u202e", "\x1b", "\n"} & set(text)
    for label in (page.message, *page.header.findChildren(QLabel)):
        assert label.textFormat() == Qt.TextFormat.PlainText


def test_the_problem_is_copied_with_its_lines(page: ProblemPage) -> None:
    page.set_document(problem(0, line=4, column=2))
    page.set_excerpt(LINES, 1)
    user.press(page, "Copy the problem and the lines")
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[0] == "broken.json could not be read"
    assert copied[-1] == "5 }"


def test_the_drawing_is_read_out(page: ProblemPage) -> None:
    page.set_document(problem(0, line=2, column=3))
    page.set_excerpt(LINES, 1)
    excerpt = QAccessible.queryAccessibleInterface(page.excerpt)
    assert excerpt.text(QAccessible.Text.Name) == "Lines around the place"
    described = excerpt.text(QAccessible.Text.Description)
    assert described.startswith('Line 2, column 3: expected a comma or "}", found a quotation mark')
    assert '2   "step_id": 5,' in described


def test_a_report_that_was_changed_says_where_it_first_differs(qtbot):
    view, made = ReportView(), report_of(*TWO)
    qtbot.addWidget(view)
    view.set_document(Document(9, reread(made), Rules()))
    assert [one.lead for one in view.messages.messages] == ["Identical."]
    view.set_document(Document(9, changed_at(made, "traces.1.score", 0.5), Rules()))
    (message,) = view.messages.messages
    assert message.text.startswith("Different. A report on 2 traces, written 2") and message.fault
    assert "1 differs" in message.text
    assert "traces.1.score: 0.5 is recorded, 0." in message.text
    rows = [[cell.text for cell in row.cells] for row in view.table.figures.rows]
    assert [row[-1] for row in rows] == ["identical", "differs: score"]
    assert {row.cells[1].said for row in view.table.figures.rows} == {"rejected"}
    assert user.find(view, type(view.table), "Traces of the report", visible=False) is view.table
