"""Rows of recordings: their name, format, range and state; how they are counted and found."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QDateTime, QRect
from PySide6.QtGui import QColor, QFontMetrics, QImage
from PySide6.QtWidgets import QApplication

from kpinspector.app.document import Rules, State, names_of
from kpinspector.phrase import Phrase
from kpinspector.runs.readers import formats
from kpinspector.runs.rules import RunOutcome
from kpinspector.ui.batch import batch_page
from kpinspector.ui.batch.batch_page import ChosenPage
from kpinspector.ui.look.painting import draw_text
from kpinspector.ui.look.plain_text import short_moment
from kpinspector.ui.look.theme import TextRole, colours, font, scale
from kpinspector.ui.traces import Kind, RowCounts, bin_of, trace_table, traits_of
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.traces.trace_query import parse_query
from kpinspector.ui.traces.trace_row import APART, TraceColumn, TraceRow, initials
from kpinspector.ui.traces.trace_table import ICON_WIDTH
from kpinspector.words.figures import UNKNOWN
from tests import user
from tests.known import present
from tests.ui.documents import pending, recording, score, scored
from tests.ui.reading import table
from tests.ui.windows import shown_documents

EVERY = frozenset(State)
NOW = QDateTime.currentMSecsSinceEpoch() * 10**6
CLAUDE = "/runs/0b1c2d3e-4f50-4617-8a9b-0c1d2e3f4051.jsonl"
CODEX = "/runs/rollout-2026-11-22T07-14-54-01a2021b-9f69-7d51-87ff-b01a64542640.jsonl"


def measured(number=0, *, threshold=0.5, value=0.9, **parts):
    return score(recording(number, **parts), value).with_rules(Rules(threshold=threshold))


def undecided(number=0, **parts):
    """A run whose range holds the threshold."""
    row = measured(number, **parts)
    low, high = present(row.bounds)
    row = row.with_rules(Rules(threshold=(low + high) / 2))
    assert row.state is State.UNDECIDED
    return row


@pytest.mark.parametrize(
    ("path", "prompt", "shown", "project"),
    [
        (CLAUDE, "Mend\n  it.", "Mend it", "runs"),
        (f"/home/me/.claude/projects/-home-me-pump{CLAUDE[5:]}", "Mend it.", "Mend it", "pump"),
        (f"/x/projects/C--Users-me-pump/0b1c/sub{CLAUDE[5:]}", "Mend it.", "Mend it", "pump"),
        ("C:\\logs\\pump\\a.jsonl", "Mail ann@example.org", "Mail ann••••", "pump"),
        (f"/x/projects/-home-me-pump{CLAUDE[5:]}", "", "pump", "pump"),
        (f"/x/projects{CLAUDE[5:]}", "", "Claude Code", ""),
    ],
)
def test_a_run_is_called_by_its_first_prompt_and_followed_by_its_project(
    path, prompt, shown, project
):
    document = recording(0, path, prompt=prompt)
    assert document.name == shown
    row = TraceRow(replace(document, modified=NOW), document.name)
    assert row.beside == APART.join([project] * bool(project) + [short_moment(NOW)])
    assert "0b1c2d3e" not in f"{row.name} {row.beside}"
    assert path.rpartition("/")[2] in row.tooltip()


@pytest.mark.parametrize(
    ("form", "path", "project"),
    [
        ("copilot", ".copilot/session-state/0b1c2d3e-1111-4222-8333-444455556666/events.jsonl", ""),
        ("cline", ".cline/data/sessions/1795427230757_jebs6/1795427230757_jebs6.messages.json", ""),
        ("codex", ".codex/sessions/2026/11/23/rollout-0b1c.jsonl", ""),
        ("continue", ".continue/sessions/0b1c2d3e-1111-4222-8333-444455556666.json", ""),
        ("qwen-code", ".qwen/projects/-home-me-pump/chats/0b1c2d3e.jsonl", "pump"),
        ("pi", ".pi/agent/sessions/--home-me-water-pump--/2026_0b1c2d3e.jsonl", "water-pump"),
    ],
)
def test_a_folder_that_is_named_by_a_session_is_no_project(form, path, project):
    assert recording(0, f"/home/me/{path}", form=form).project == project


def test_a_run_keeps_the_name_that_its_recording_gives_it():
    assert TraceRow(recording(0, name="django-1103:1"), "a").beside == f"django-1103:1{APART}runs"
    sub_agent = recording(0, name=Phrase("sub-agent {key}", key="7a1b"))
    row = TraceRow(sub_agent, "a")
    assert row.beside == f"sub-agent{APART}runs" and "sub-agent 7a1b" in row.tooltip()


def test_runs_with_one_prompt_are_told_apart_on_the_map_and_where_they_are_chosen(qtbot):
    rows = (recording(0), scored(1), recording(2, CODEX, form="codex"))
    assert names_of(rows) == ("Mend it", "visit-03", "Mend it (2)")
    page = ChosenPage()
    qtbot.addWidget(page)
    page.show_documents(rows)
    assert [row[-1] for row in table(page, "Chosen traces")] == [*names_of(rows)]
    page.show_documents(rows[1:])  # the second is called as the first was
    assert [row[-1] for row in table(page, "Chosen traces")] == [*names_of(rows[1:])]


def test_of_many_chosen_rows_only_what_became_another_is_made_again(qtbot, monkeypatch):
    rows = tuple(pending(number) for number in range(300))
    page, made = ChosenPage(), list[int]()
    qtbot.addWidget(page)
    page.show_documents(rows)
    monkeypatch.setattr(
        batch_page, "TraceRow", lambda one, name: made.append(one.number) or TraceRow(one, name)
    )
    page.show_documents((*rows[:7], scored(7), *rows[8:]))
    assert made == [7] and "accepted" in table(page, "Chosen traces")[7][0]
    page.show_documents(rows[7:9])
    assert made == [7, 7] and len(table(page, "Chosen traces")) == 2


def test_a_trace_whose_file_only_a_machine_can_tell_is_called_by_its_objective():
    document = replace(pending(0, CLAUDE), modified=NOW)
    row = TraceRow(document, document.name)
    assert row.name == "Review the potassium trend"
    assert row.beside == f"runs{APART}{short_moment(NOW)}"
    assert "0b1c2d3e" not in row.spoken(TraceColumn.TRACE) and CLAUDE in row.tooltip()
    assert names_of((document, document))[1] == "Review the potassium trend (2)"
    assert pending(0, "/runs/20261122.json").name == "20261122"
    assert pending(0, CLAUDE, objective=" ").name == CLAUDE.rpartition("/")[2][:-6]


def test_a_list_with_recordings_shows_folder_and_time_below_the_prompt(qtbot, pane):
    pane.add_documents([scored(0)])
    low = pane.table.rowHeight(0)
    long = recording(1, prompt="Mend the export so that it rounds as the ledger does")
    pane.add_documents([replace(long, modified=NOW, number=one) for one in (1, 2)])
    qtbot.waitUntil(lambda: pane.table.rowHeight(1) > 1.5 * low)
    second = colours(pane.palette()).second
    lines = [any(ink == second for ink in line[30:]) for line in inks(pane, TraceColumn.TRACE, 1)]
    assert any(lines[len(lines) // 2 :]) and not any(lines[: len(lines) // 2])
    pane.resize(240, 700)
    assert pane.table.rowHeight(1) == low


def test_below_the_prompt_the_folder_gives_way_to_the_name_of_the_run(monkeypatch, pane):
    drawn: list[str] = []
    monkeypatch.setattr(trace_table, "draw_name", lambda *of: drawn.append(of[2]))
    row = replace(recording(0, name="a-sample-of-a-log"), modified=NOW)
    pane.add_documents([row])
    pane.grab()
    assert drawn[-1] == f"a-sample-of-a-log{APART}{short_moment(NOW)}"
    pane.resize(700, 700)
    pane.grab()
    assert drawn[-1] == TraceRow(row, "").beside


def test_a_folder_of_one_letter_stands_beside_a_long_prompt_as_well(monkeypatch, pane):
    drawn: list[str] = []
    monkeypatch.setattr(
        trace_table, "draw_text", lambda *of: (drawn.append(of[2]), draw_text(*of))[1]
    )
    long = recording(2, path="/u/a.jsonl", prompt="Mend the export so that it rounds as the ledger")
    pane.add_documents([scored(0), scored(1), scored(3), long])
    pane.grab()
    assert "u" in drawn


def test_a_row_says_format_range_and_state():
    document = undecided()
    row = TraceRow(document, document.name)
    assert row.format == "Claude Code" and document.score is None
    assert row.text(TraceColumn.MARGIN) == UNKNOWN
    low, high = present(document.bounds)
    assert row.score_text.startswith(f"{low:.2f}"[:3]) and high > low
    assert row.spoken(TraceColumn.TRACE) == (
        f"Mend it, undecided, {row.score_text}, a recording of Claude Code, runs"
    )
    assert "a recording of Claude Code" in row.tooltip()
    assert TraceRow(scored(0), "a").format == ""


def test_a_range_sorts_by_its_middle():
    document = undecided()
    low, high = present(document.bounds)
    assert TraceRow(document, "").key(TraceColumn.SCORE) == (low + high) / 2
    stated = measured(outcome=RunOutcome(0.9, success=True))
    assert TraceRow(stated, "").key(TraceColumn.SCORE) == stated.score


def sums(spread):
    return tuple(map(sum, zip(*spread.columns, strict=True)))


def test_the_spread_has_what_is_undecided_at_the_middle_of_its_range():
    row = undecided()
    number = bin_of(sum(present(row.bounds)) / 2)
    spread = RowCounts([traits_of(row, found=True)]).spread(EVERY)
    assert spread.columns[number] == (0, 0, 1) and sums(spread) == (0, 0, 1) and not spread.below
    high = row.with_rules(Rules(threshold=present(row.bounds)[1]))
    assert high.state is State.UNDECIDED
    assert not RowCounts([traits_of(high, found=True)]).spread(EVERY).below
    lost = measured(threshold=2.0)
    spread = RowCounts([traits_of(lost, found=True)]).spread(EVERY)
    assert sums(spread) == (1, 0, 0) and spread.below == 1
    won = measured(threshold=0.0)
    assert sums(RowCounts([traits_of(won, found=True)]).spread(EVERY)) == (0, 1, 0)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("format:claude-code", [True, False, False]),
        ("format:claude", [True, False, False]),
        ('format:"Claude Code"', [True, False, False]),
        ("format:codex", [False, True, False]),
        ("format:codex,claude", [True, True, False]),
        ("state:undecided", [True, False, False]),
        ("format:claude state:rejected", [False, False, False]),
    ],
)
def test_the_filter_finds_formats_and_the_state(text, kept):
    rows = (undecided(), recording(1, CODEX, form="codex"), scored(2))
    query = parse_query(text)
    assert query.active and not query.wrong and not query.unknown
    assert [query.keeps(TraceRow(one, "")) for one in rows] == kept


@pytest.mark.parametrize("form", formats())
def test_every_format_is_found_by_its_id_and_by_its_name(form):
    row = recording(0, form=form)
    assert parse_query(f"format:{form}").keeps(TraceRow(row, ""))
    assert parse_query(f'format:"{TraceRow(row, "a").format}"').keeps(TraceRow(row, ""))


def test_no_two_agents_have_the_same_letters_and_all_have_room_for_theirs(qapp):
    names = [form.name for form in formats().values() if form.where]
    assert len(set(map(initials, names))) == len(names)
    names = [form.name for form in formats().values()]
    small = QFontMetrics(font(TextRole.CAPTION, QApplication.font()))
    widest = max(small.horizontalAdvance(initials(name)) for name in names)
    assert widest <= scale(ICON_WIDTH, QFontMetrics(QApplication.font())) - 2


@pytest.fixture
def pane(qtbot):
    made = TracePane()
    qtbot.addWidget(made)
    made.resize(352, 700)
    made.show()
    return made


def test_the_chip_of_the_undecided_comes_with_recordings(qtbot, pane):
    pane.add_documents([scored(0)])
    assert not any("Undecided" in text for text in user.texts(pane))
    pane.add_documents([undecided(1), recording(2, CODEX, form="codex")])
    qtbot.waitUntil(user.reads(pane, "Undecided, 1"))
    user.press(pane, "Undecided")
    assert [one.number for one in shown_documents(pane.model)] == [1]


def inks(pane, column, row=0):
    """The colours of a cell, as they are on the screen."""
    rect: QRect = pane.table.visualRect(pane.model.index(row, column))
    image: QImage = pane.table.viewport().grab(rect).toImage()
    return [[image.pixelColor(x, y) for x in range(image.width())] for y in range(image.height())]


@pytest.mark.parametrize(("width", "has_icon"), [(352, True), (240, False)])
def test_the_icon_of_the_format_gives_way_to_the_name_in_a_narrow_list(pane, width, has_icon):
    pane.resize(width, 700)
    pane.add_documents([undecided(), undecided(1, path=CODEX)])
    pane.table.clearSelection()
    edge: QColor = colours(pane.palette()).button_edge
    icon = [x for line in inks(pane, TraceColumn.TRACE, 1) for x, ink in enumerate(line)
            if ink == edge]  # fmt: skip
    assert bool(icon) is has_icon
    assert not icon or ICON_WIDTH - 2 < max(icon) - min(icon) < max(icon) < 30


def test_the_current_row_stays_in_view_when_rows_get_their_second_line(pane):
    pane.resize(240, 700)
    pane.add_documents([recording(number) for number in range(60)])
    pane.table.set_current(15)
    pane.resize(352, 700)
    assert pane.table.two_lines
    assert pane.table.viewport().rect().contains(pane.table.visualRect(pane.table.currentIndex()))


def test_a_running_row_says_so_and_is_counted_and_found():
    running, other = replace(undecided(), running=True), undecided(1)
    row = TraceRow(running, "a")
    assert row.spoken(TraceColumn.TRACE).startswith("a, running, undecided so far, ")
    assert row.text(TraceColumn.BAR) == "running"
    assert TraceRow(other, "a").text(TraceColumn.BAR) != "running"
    assert "running: still being written, scored as a guest" in row.tooltip()
    counts = RowCounts(traits_of(one, found=True) for one in (running, other))
    assert counts.kinds()[Kind.RUNNING] == 1
    for text in ("is:running", "is:run", "IS:running"):
        query = parse_query(text)
        assert query.active and [query.keeps(TraceRow(one, "")) for one in (running, other)] == [
            True,
            False,
        ]
    assert parse_query("is:problems").wrong == "is:problems"
    assert not parse_query("is:").active
