"""Answers and reports as plain text: aligned for a terminal, or with tabs and doubles to paste."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from kpinspector.phrase import Phrase
from kpinspector.runs.provenance import ValueOrigin
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.scoring.report.report import Report
from kpinspector.scoring.report.written import Members
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.trace.printable import on_one_line
from kpinspector.trace.records import Source, at_record
from kpinspector.trace.schema import Severity, count_issues
from kpinspector.words.changes import REACH_WORDS, cause_name
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import UNKNOWN, shown_count, shown_value
from kpinspector.words.page import Answer, Cell, Section, Table, has_heading, pairs, without_charts
from kpinspector.words.problems import located, named_and_counted
from kpinspector.words.recordings import entry_score
from kpinspector.words.say import Names, capitalised, in_words, say, say_all, say_list
from kpinspector.words.sentences import RULE_WORDS, text_of, verdict_phrase
from kpinspector.words.writers.columns import (
    aligned,
    display_width,
    fitted,
    fitting_cut,
    labelled,
    wrapped,
    wrapped_list,
)
from kpinspector.words.writers.report_csv import harmless

_INDENT = "  "
_RIGHT_ALIGNED = range(1, 7)
_TRACE, _REMARKS = 10, 11
# which columns stand below their row: the first set with which the table fits is taken
_BELOW = ((), (7,), (7, 8), (7, 8, 9), range(3, 10), range(2, 10))
_LEAST_NAME = 20
_GAP = 2
_MOST_PATHS = 3
_FLAGS = Names(
    {
        "duplicate": Phrase("duplicate"),
        "shared_id": Phrase("shared id"),
        "no_id": Phrase("no id"),
        "assumed": Phrase("assumed"),
        "clamped": Phrase("clamped"),
        "too_close_to_call": Phrase("the SDK may differ"),
    }
)


def explanation_text(explanation: Explanation, width: int | None = None) -> str:
    """The whole answer for a terminal, at most ``width`` cells wide; ends in a line feed."""
    one, score = explanation, explanation.score.text
    figures = f"{score}, {one.needs}. " if score else ""
    verdict = f"{one.word}: {figures}{capitalised(one.margin)}."
    said = (verdict, text_of(one.sentence), *one.remarks)
    return answer_text(Answer(one.name, said, one.sections), width)


def answer_text(answer: Answer, width: int | None = None) -> str:
    """An answer for a terminal, at most ``width`` cells wide; each line ends in a line feed."""
    lines = wrapped(on_one_line(answer.title), width) if answer.title else []
    if answer.underlined:
        lines.append("=" * max(map(display_width, lines)))
    for sentence in answer.said:
        lines += wrapped(on_one_line(sentence), width)
    for section in answer.sections:
        lines += [*([""] if lines else []), *section_lines(section, width)]
    return "".join(f"{line}\n" for line in lines)


def section_lines(section: Section, width: int | None = None) -> Iterator[str]:
    """The lines of a section under its title, at most ``width`` cells wide."""
    indent = _INDENT if section.title else ""
    if section.title:
        note = f" ({section.note})" if section.note else ""
        yield from wrapped(on_one_line(f"{section.title}{note}"), width)
    room = None if width is None else width - len(indent)
    for number, block in enumerate(section.blocks):
        if isinstance(block, Table):
            lines = [*([""] if number else []), *_table(without_charts(block), room)]
        else:
            lines = wrapped(on_one_line(text_of(block.sentence)), room)
        yield from (f"{indent}{line}".rstrip() for line in lines)


def explanation_cells(explanation: Explanation) -> str:
    """The whole answer to paste into a table: cells divided by tabs, figures as whole doubles."""
    one = explanation
    figures = (say("score"), one.score), (say("threshold"), one.threshold)
    first = pairs(
        (
            *((say("trace"), one.name), (say("verdict"), one.word)),
            *((*figures, (say("margin"), one.margin)) if one.score.text else ()),
            (say("why"), text_of(one.sentence)),
            *((say("remark"), remark) for remark in one.remarks),
        )
    )
    rows: list[tuple[Cell, ...]] = [*first.rows]
    for section in one.sections:
        rows += [(), (Cell(section.title), Cell(section.note))[: 1 + bool(section.note)]]
        for block in section.blocks:
            if isinstance(block, Table):
                table = without_charts(block)
                heads = tuple(Cell(column.name) for column in table.columns)
                rows += [heads, *table.rows] if has_heading(table) else table.rows
            else:
                rows.append((Cell(text_of(block.sentence)),))
    whole = (
        [harmless(cell.text) if cell.value is None else repr(cell.value) for cell in row]
        for row in rows
    )
    return "".join("\t".join(row) + "\n" for row in whole)


def _table(table: Table, width: int | None) -> Iterator[str]:
    rows = [tuple(one.letter + on_one_line(one.text) for one in row) for row in table.rows]
    figures = {place for place, column in enumerate(table.columns) if column.figure}
    heads = tuple(on_one_line(one.name) for one in table.columns)
    if any(heads):
        yield from fitted([heads, *rows], width, figures)
        return
    lines = [*aligned(rows, figures)] if figures else []
    if not lines or (width is not None and max(map(display_width, lines)) > width):
        yield from labelled(((label, text) for label, text in rows), width)
    else:
        yield from lines


def report_table(report: Report, width: int | None = None, running: Collection[Source] = ()) -> str:
    """One row for each trace, problem and skipped unit, and a summary; ends in a line feed.

    Sources that are ``running`` are judged so far. If the table is wider than ``width``, paths are
    cut, and columns without room stand below their row.
    """
    letters = (DIMENSION_LETTERS[one] for one in Dimension)
    judged = (say("profile"), say("cause"), say("needs"), say("trace"), say("remarks"))
    head = (say("verdict"), say("score"), say("needs"), *letters, *judged)
    rows = [_judged_row(one, running=one["source"] in running) for one in report.traces]
    lines = [*_judged([head, *rows], width)] if rows else []
    others = [(say("problem"), located(one)) for one in report.problems]
    if report.more_problems:
        more = say("and {count} more like these", count=shown_count(report.more_problems))
        others.append((say("problem"), more))
    named, files = named_and_counted(report.skipped)
    for one in named:
        place = at_record(one.path, one.record)
        others.append((say("skipped"), f"{place}: {in_words(one.reason)}"))
    others += [(say("skipped"), files)] if files else []
    widest = len(verdict_phrase(Verdict.REJECTED))
    below = ((f"{label:{widest}}", on_one_line(text)) for label, text in others)
    return "\n".join([*lines, *labelled(below, width), *wrapped(_counted(report), width)]) + "\n"


def _judged(rows: Sequence[Sequence[str]], width: int | None) -> Iterator[str]:
    lines = [*aligned(rows, _RIGHT_ALIGNED)]
    if width is None or max(map(display_width, lines)) <= width:
        yield from lines
        return
    below: Sequence[int] = ()
    kept: list[int] = []
    for below in _BELOW:
        kept = [at for at in range(_REMARKS) if at not in below]
        names = [(*(row[at] for at in kept if at != _TRACE), "x" * _LEAST_NAME) for row in rows]
        if max(map(display_width, aligned(names, ()))) <= width:
            break  # the other columns leave room for a readable name
    table = fitting_cut([[row[at] for at in kept] for row in rows], width, kept.index(_TRACE))
    right = {place for place, at in enumerate(kept) if at in _RIGHT_ALIGNED}
    indent = " " * (len(verdict_phrase(Verdict.REJECTED)) + _GAP)
    for number, (line, row) in enumerate(zip(aligned(table, right), rows, strict=True)):
        yield line
        named = (f"{rows[0][at]} {row[at]}" for at in below if row[at])
        said = [*named, *filter(None, row[_REMARKS:])] if number else []
        yield from (f"{indent}{one}" for one in wrapped_list(said, width - len(indent)))


def _judged_row(trace: Members, *, running: bool) -> tuple[str, ...]:
    parts = trace["dimensions"]
    values = (parts["complexity"], parts["novelty"], parts["tool_diversity"])
    outcome = parts["outcome_confidence"]["value"]
    reach, source = trace["reach"]["kind"], trace["source"]
    return (
        verdict_phrase(trace["verdict"], running=running),
        *entry_score(trace),
        *(shown_value(one["value"]) for one in values),
        UNKNOWN if outcome is None else shown_value(outcome),
        trace["profile"],
        "" if trace["cause"] is None else cause_name(trace["cause"]),
        "" if reach is ReachKind.ACCEPTED else REACH_WORDS[reach],
        on_one_line(at_record(source.path, source.record)),
        say_list(_remarks(trace)),
    )


def _remarks(trace: Members) -> Iterator[str]:
    yield from (_FLAGS[one] for one in trace["flags"])
    yield from (RULE_WORDS[one.rule] for one in trace["overrides"] if one.applied)
    found = trace["provenance"]
    if found is not None:
        yield found["format"]
        stated = [name for name, origin in found["fields"].items() if origin is ValueOrigin.STATED]
        if stated:
            yield say("{names} stated", names=say_all(stated))
        if found["success_score"] is not None:
            yield say("success by the score {name}", name=found["success_score"][0])
    errors = [one for one in trace["issues"] if one.severity is Severity.ERROR]
    if errors:
        shown = [one.path or say("the record") for one in errors[:_MOST_PATHS]]
        paths, further = say_list(shown), count_issues(errors) - len(shown)
        more = say("{paths} and {more} more", paths=paths, more=shown_count(further))
        yield say("schema: {paths}", paths=more if further > 0 else paths)


def _counted(report: Report) -> str:
    verdicts = Counter(trace["verdict"] for trace in report.traces)
    problems = len(report.problems) + report.more_problems
    parts = [
        say("{number} accepted", number=shown_count(verdicts[Verdict.ACCEPTED])),
        say("{number} rejected", number=shown_count(verdicts[Verdict.REJECTED])),
        say("{number} with problems", number=shown_count(problems)),
        say("{number} skipped", number=shown_count(len(report.skipped))),
    ]
    if undecided := verdicts[Verdict.UNDECIDED]:
        parts.insert(2, say("{number} undecided", number=shown_count(undecided)))
    return say_list(parts)
