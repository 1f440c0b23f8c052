"""One answer: of a row every writer says the same, figure by figure and sentence by sentence."""

import csv
import dataclasses
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from operator import attrgetter

import pytest

from kpinspector.app.answers import ReportBasis, explanation_of, report_of
from kpinspector.app.document import Document, Rules
from kpinspector.runs.rules import RunOutcome
from kpinspector.scoring.findings import Basis as NoveltyBasis
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.trace.records import ProblemKind
from kpinspector.trace.schema import Issue, Severity
from kpinspector.words import explanation as explaining
from kpinspector.words.changes import REACH_WORDS, change_words
from kpinspector.words.page import GATE_NAMES, GATE_WORDS, Table
from kpinspector.words.problems import file_facts
from kpinspector.words.sentences import text_of
from kpinspector.words.terms import recorded_words
from kpinspector.words.writers.explanation_html import HtmlPage
from kpinspector.words.writers.explanation_text import (
    explanation_cells,
    explanation_text,
    report_table,
)
from kpinspector.words.writers.json_answers import explanation_entry, explanations_json
from kpinspector.words.writers.pages import MarkdownPage
from kpinspector.words.writers.report_csv import report_csv
from tests import undecided
from tests.answers import (
    document,
    facts,
    measurement,
    novelty,
    pending_document,
    problem_document,
    skipped_document,
)
from tests.explained import USED, page_of, sample_records, scored
from tests.known import present
from tests.ui import documents as rows
from tests.ui.reading import description, names, panel, sentence, show, table

__all__ = ["panel"]

SAMPLES = ("visit-03.json", "visit-08.json", "billing-migration.json", "expense-audit.json")
ISSUES = (
    Issue("@context", Severity.WARNING, "the address of older documents"),
    Issue("id", Severity.ERROR, "missing"),
)


def reported(row):
    """The report on a row, judged as the row is."""
    used = dataclasses.replace(USED, threshold=row.rules.threshold)
    return report_of([row], ReportBasis(used, "f" * 64, None))


def cases() -> dict[str, Document]:
    """Every way in which a row can be answered."""
    fired = measurement(novelty(0.82), unique_tools=1, error_recoveries=4)
    found = {
        "rejected": document(),
        "accepted": document(rules=Rules(threshold=0.7)),
        "at the threshold": document(rules=Rules(threshold=0.74775)),
        "pending": pending_document(),
        "pending and decided": pending_document(facts(confidence=0.1)),
        "pending with an override": pending_document(facts(unique_tools=1)),
        "overrides": document(fired),
        "single thought": document(measurement(steps=1, single_thought=True)),
        "assumed": document(measurement(novelty(None, NoveltyBasis.NO_EMBEDDER))),
        "clamped": document(measurement(novelty(-0.02134))),
        "against the schema": document(measurement(schema_valid=False), issues=ISSUES),
        "edited": replace(document(), earlier=measurement(confidence=0.901)),
        "unreadable": problem_document(record=3),
        "not scorable": problem_document(ProblemKind.NOT_SCORABLE, json_path="steps"),
        "skipped": skipped_document(),
        "report": rows.report(9, document(), pending_document(), problem_document()),
    }
    seen = Reach(tokens=512, truncated=True, ends_at_step=None)
    found |= {
        "a failed run": document(measurement(success=False)),
        "neither alone": document(measurement(novelty(0.95), success=False, confidence=0.5)),
        "the steps are not enough": document(rules=Rules(threshold=0.95)),
        "only the prompt is seen": document(measurement(novelty(0.3, reach=seen))),
    }
    recoveries = undecided.record(failures=3, calls=4)
    bare = undecided.without_content(undecided.record())
    some = undecided.record(stated=RunOutcome(0.9, None))
    found |= {
        "undecided": undecided.run_document(),
        "undecided with an override": undecided.run_document(recoveries),
        "undecided, confidence stated": undecided.run_document(some, Rules(threshold=0.65)),
        "rejected whatever the outcome": undecided.run_document(rules=Rules(threshold=0.9)),
        "accepted whatever the outcome": undecided.run_document(rules=Rules(threshold=0.4)),
        "undecided, content not recorded": undecided.run_document(bare),
    }
    for number, (measured, _) in enumerate(scored(sample_records(*SAMPLES))):
        found[SAMPLES[number]] = Document(20 + number, measured.record, Rules(), measured)
    return found


CASES = cases()


@pytest.fixture(params=CASES)
def row(request):
    return CASES[request.param]


ON_PAGE = attrgetter("on_page")


def body(explanation, text_in=attrgetter("text")) -> Iterator[str]:
    """All that the sections say, from top to bottom."""
    for section in explanation.sections:
        yield from filter(None, (section.title, section.note))
        for block in section.blocks:
            if isinstance(block, Table):
                yield from (one.name for one in block.columns if one.name)
                yield from (text_in(cell) for line in block.rows for cell in line if cell.text)
            else:
                yield text_of(block.sentence)


def says(text, wanted, beside):
    """The text says this in this order, and between it nothing but what sets it."""
    place = 0
    for one in wanted:
        found = text.index(one, place)
        assert re.fullmatch(beside, text[place:found]), (one, text[place:found])
        place = found + len(one)
    assert re.fullmatch(beside, text[place:])


def head(explanation):
    figures = [explanation.score.text, explanation.needs] if explanation.shown else []
    return [explanation.name, explanation.word, *figures]


def why(explanation):
    return [text_of(explanation.sentence), *explanation.remarks]


def test_text(row):
    explanation = explanation_of(row)
    margin = explanation.margin[:1].upper() + explanation.margin[1:]
    wanted = [*head(explanation), margin, *why(explanation), *body(explanation)]
    says(explanation_text(explanation), wanted, r"[\s=:.,()CNDO]*")


def test_markdown(row):
    explanation = explanation_of(row)
    page = page_of(MarkdownPage, [explanation], "made with").partition("\n---\n")[0]
    text = re.sub(r"\\(.)", r"\1", page).replace("**", "").replace("\N{WORD JOINER}", "")
    wanted = [
        *head(explanation),
        explanation.margin,
        *why(explanation),
        *body(explanation, ON_PAGE),
    ]
    says(text, wanted, r"[\s#|:.,()CNDO-]*")


def test_html(row):
    explanation = explanation_of(row)
    page = page_of(HtmlPage, [explanation], "made with")
    article = page[page.index("<article>") : page.index("</article>")]
    shapes = r'<span [^>]* aria-hidden="true">[^<]*</span>'
    text = unescape(re.sub(f"{shapes}|<.*?>", "", article))
    name, word, *figures = head(explanation)
    figures.insert(1, explanation.margin)
    says(text, [name, word, *figures, *why(explanation), *body(explanation, ON_PAGE)], r"\s*")


def test_what_is_pasted_into_a_table_has_the_whole_doubles(row):
    explanation = explanation_of(row)
    pasted = [line.split("\t") for line in explanation_cells(explanation).splitlines()]
    found = iter(pasted)
    for section in explanation.sections:
        for block in section.blocks:
            if isinstance(block, Table):
                for line in block.rows:
                    whole = [repr(one.value) if one.value is not None else one.text for one in line]
                    shown = [one for one, cell in zip(whole, line, strict=True) if cell.bar is None]
                    assert any(compact(cells) == compact(shown) for cells in found), shown
            else:
                assert [text_of(block.sentence)] in found
    labelled = {cells[0]: cells[1] for cells in pasted if len(cells) > 1}
    assert labelled["verdict"] == explanation.word
    assert labelled["why"] == text_of(explanation.sentence)
    assert [cells[1] for cells in pasted if cells[0] == "remark"] == [*explanation.remarks]


def compact(cells):
    return [cell.lstrip("'") for cell in cells if cell]


def test_the_window(row, panel):
    explanation = explanation_of(row)
    show(panel, row)
    figures = f" {explanation.score.text}, {explanation.needs}." if explanation.shown else ""
    verdict = f"{explanation.word}.{figures} {explanation.margin}."
    assert description(panel, "Verdict") == verdict
    assert sentence(panel) == text_of(explanation.sentence)
    gates = [f"{GATE_NAMES[one]}: {GATE_WORDS[it]}" for one, it in explanation.gates.items()]
    assert description(panel, "Gates") == ", ".join(gates)
    recorded = explanation.beside.recorded
    remarks = [*explanation.remarks, *(recorded_words(recorded) if recorded else ())]
    if remarks:
        assert description(panel, "Remarks") == " ".join(remarks)
    said = names(panel)
    for issue in explanation.issues:
        warning = "a warning only: " if issue.severity is Severity.WARNING else ""
        assert {issue.path, warning + issue.message} <= {*said}
    assert {text for _, text in file_facts(explanation.item)} <= {*said}


def lines(explanation, title):
    """The rows of a section's first table, without what is empty or painted."""
    (section,) = [one for one in explanation.sections if one.title == title]
    first = next(block for block in section.blocks if isinstance(block, Table))
    return [[cell.text for cell in line if cell.text] for line in first.rows]


def test_the_tables_of_the_window(row, panel):
    explanation = explanation_of(row)
    if explanation.shown is None:
        return
    show(panel, row)
    *dimensions, total = lines(explanation, "Dimensions")
    shown = table(panel, "Dimensions")
    for (name, *figures, about), (_, *cells), evidence in zip(
        dimensions, shown[:-1:2], shown[1:-1:2], strict=True
    ):
        assert [cells[0], *cells[2:]] == [name, *figures] and evidence == [about]
    assert shown[-1] == (total[:-1] if explanation.possible else total)
    for (name, fired, *figures, reason), (state, *cells) in zip(
        lines(explanation, "Overrides"), table(panel, "Overrides"), strict=True
    ):
        assert cells[:2] == [name, reason]
        words = {"yes": "fired", "no": "not fired", "if it succeeded": "fires if it succeeded"}
        assert state == words[fired]
        ends = figures[::2] if len(figures) > 1 else figures
        assert (re.split("\N{THIN SPACE}.\N{THIN SPACE}", cells[2]) if cells[2:] else []) == ends
    if explanation.assessment is None:
        return
    *terms, score, _threshold = lines(explanation, "How it adds up")
    chart = [(one[-3].partition(",")[0], one[-1]) for one in table(panel, "How it adds up")[1:]]
    assert chart == [*((name, adds) for name, _, adds, _ in terms), tuple(score)]
    if explanation.changes is not None:
        alone = explanation.changes.changes
        said = {text for line in table(panel, "What would change it") for text in line}
        for change in lines(explanation, "What would change it") if alone else ():
            assert {*change[:-1]} <= said
        for found in explanation.changes.combinations:
            told = change_words(found, present(explanation.measured).measurement)
            assert {told.score, f"Try: {told.change}"} <= said


def deciding_title(explanation):
    is_open = explanation.possible.verdict is Verdict.UNDECIDED
    return "What would decide it" if is_open else "How it may have ended"


def test_what_would_decide_it_stands_in_the_window(row, panel):
    explanation = explanation_of(row)
    if not explanation.undecided:
        return
    show(panel, row)
    title = deciding_title(explanation)
    said = {text for line in table(panel, title) for text in line}
    for change in lines(explanation, title):
        assert {*change} <= said


def test_json(row):
    explanation = explanation_of(row)
    if explanation.measured is None:
        with pytest.raises(ValueError, match="has no score"):
            explanation_entry(explanation)
        return
    written = json.loads(explanations_json(reported(row), [explanation_entry(explanation)]))
    (entry,), (trace,) = written["explanations"], written["report"]["traces"]
    assert entry["answer"] == text_of(explanation.sentence)
    assert entry["remarks"] == [*explanation.remarks]
    assert (trace["score"], trace["threshold"]) == (
        explanation.score.value,
        explanation.threshold.value,
    )
    assert values(explanation, "How it adds up")[:-2] == [
        [] if one["reach"] is not None else [one["start"], one["change"], one["end"]]
        for one in entry["waterfall"]
    ]
    assert_the_same_is_possible(explanation, entry, trace)
    found = entry["changes"] or {"changes": ()}
    changes = found["changes"] or found.get("combinations", ())
    outcomes = {
        "What would change it": [one["after"] for one in changes],
        "Order": [(entry["order"] or {}).get(one) for one in ("first", "placed", "after")],
    }
    for title, outcome in outcomes.items():
        found = [line[-1] for line in values(explanation, title)]
        assert found == [one["score"] for one in outcome if one]
    assert values(explanation, "Neighbours") == [
        [one["similarity"], one["without"]["score"]] for one in entry["neighbours"]
    ]
    kept = entry["recorded"]
    assert [value for (value,) in values(explanation, "Recorded quality score")] == (
        [kept["score"], kept["recomputed"], *(kept["novelty"] or {}).values()] if kept else []
    )
    if explanation.undecided:
        return
    for line, (name, terms) in zip(
        values(explanation, "Under every profile"), entry["profiles"].items(), strict=True
    ):
        assert line == [*(one["change"] for one in terms[:4]), trace["profiles"][name]["score"]]
        assert line[-1] == terms[-1]["end"]


def test_reach_and_combinations_are_the_same_in_report_explanation_and_list(row):
    explanation = explanation_of(row)
    if explanation.measured is None:
        assert explanation.beside.reach is None
        return
    report, reach = reported(row), present(explanation.beside.reach)
    written = json.loads(explanations_json(report, [explanation_entry(explanation)]))
    (entry,), (trace,) = written["explanations"], written["report"]["traces"]
    assert {**trace["reach"], "needed": entry["reach"]["needed"]} == entry["reach"]
    ends = {"low": reach.low, "high": None if reach.low is reach.high else reach.high}
    for name, end in ends.items():
        assert trace["reach"][name] == (end and dataclasses.asdict(end))
    (line,) = csv.DictReader(io.StringIO(report_csv(report).decode("utf-8-sig")))
    assert line["reach"] == trace["reach"]["kind"] == reach.kind
    if reach.low is reach.high:
        written = (line["reach_similarity"], line["reach_confidence"], line["at_best"])
        own = (reach.low.similarity, reach.low.confidence, reach.low.at_best)
        assert written == tuple("" if one is None else repr(one) for one in own)
    assert line["cause"] == (trace["cause"] or "")
    told = report_table(report)
    assert reach.kind is ReachKind.ACCEPTED or f"  {REACH_WORDS[reach.kind]}  " in told
    shown = values(explanation, "What it needs to pass")
    bounds = [
        [getattr(end, name) for end in ends.values() if end and getattr(end, name) is not None]
        for name in ("if_new", "at_best", "similarity", "confidence")
    ]
    assert [one for one in shown if one] == [
        one for one in bounds if one and reach.kind is not ReachKind.ACCEPTED
    ]
    if explanation.changes is None:
        return
    together, written = explanation.changes.combinations, entry["changes"]["combinations"]
    assert [one["after"]["score"] for one in written] == [one.after.score for one in together]
    amounts = [[one["amount"] for one in found["changes"]] for found in written]
    assert amounts == [[one.amount for one in found.changes] for found in together]


def assert_the_same_is_possible(explanation, entry, trace):
    """Both ends, what would decide it, and where the values come from."""
    if explanation.possible is None:
        assert entry["possible"] is entry["deciding"] is trace["score_range"] is None
        return
    for end in ("low", "high"):
        judged, found = getattr(explanation.possible, end), entry["possible"][end]
        assert (found["score"], found["verdict"]) == (judged.score, judged.verdict)
        for name in ("score", "confidence", "success"):
            assert trace["score_range"][end][name] == found[name]
    assert entry["possible"]["verdict"] == trace["verdict"] == explanation.sign
    assert entry["provenance"] == trace["provenance"]
    verdicts = [cells[-1] for cells in lines(explanation, deciding_title(explanation))]
    assert [one["verdict"] for one in entry["deciding"]] == verdicts
    for name, terms in entry["profiles"].items():
        low, high = trace["profiles"][name]["score_range"]
        assert terms[2]["end"] <= low + 1e-12 and terms[-1]["reach"] == high


def values(explanation, title):
    """The doubles behind the figures of a section's first table."""
    for section in explanation.sections:
        if section.title == title:
            first = next(block for block in section.blocks if isinstance(block, Table))
            return [[one.value for one in row if one.value is not None] for row in first.rows]
    return []


def test_csv(row):
    explanation = explanation_of(row)
    text = report_csv(reported(row)).decode("utf-8-sig")
    found = list(csv.DictReader(io.StringIO(text)))
    if explanation.pending:
        assert found == []
        return
    (line,) = found
    if explanation.measured is None:
        facts_said = dict(file_facts(explanation.item))
        assert (line["path"], line["id"]) == (facts_said["File"], facts_said.get("Id", ""))
        return
    assert explanation.word.lower().startswith(line["verdict"])
    if explanation.undecided:
        possible = present(explanation.possible)
        ends = possible.low.score, possible.high.score
        assert (float(line["score_low"]), float(line["score_high"])) == ends
        assert line["score"] == line["outcome_confidence"] == ""
    else:
        assert float(line["score"]) == explanation.score.value
    assert float(line["threshold"]) == explanation.threshold.value
    dimensions = values(explanation, "Dimensions")
    for dimension, (value, *_) in zip(Dimension, dimensions, strict=False):
        if line[dimension]:
            assert float(line[dimension]) == value
    assert line["profile"] == present(explanation.assessment).profile.name


def test_an_opened_report_is_a_report_on_the_clipboard_too():
    text = explanation_cells(explanation_of(CASES["report"]))
    assert "verdict\tReport\nwhy\tA report on 1 trace, written " in text
    assert "beside\t1 pending, 1 with problems" in text


def test_what_is_asked_for_is_found_once(monkeypatch):
    asked = []

    def count(name):
        made = getattr(explaining, name)
        monkeypatch.setattr(explaining, name, lambda *given: asked.append(name) or made(*given))

    for name in ("influences", "order_of", "recorded", "counted_steps", "trace_reach"):
        count(name)
    explanation = explanation_of(CASES["visit-08.json"])
    assert asked == []  # thousands of rows cost nothing until one is looked at
    for _ in range(2):
        explanation_text(explanation)
        explanation_entry(explanation)
        explanation_cells(explanation)
    assert sorted(asked) == sorted(
        ["influences", "order_of", "recorded", *["counted_steps"] * 4, "trace_reach"]
    )
