"""``kpinspector explain``: why each trace scores what it scores."""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kpinspector.batch.groups import FIRST_SIMILARITY
from kpinspector.batch.limits import Terms
from kpinspector.batch.summary import BatchSummary, summarise
from kpinspector.cli.batches import grouped_at
from kpinspector.cli.measuring import Scorer, exit_status, reading
from kpinspector.cli.options import choice_of
from kpinspector.cli.reading import Gathered
from kpinspector.cli.streams import STDOUT, print_out, tell, terminal_width, write_output
from kpinspector.errors import ModelError
from kpinspector.scoring.findings import shown_key
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.novelty.neighbours import Cluster
from kpinspector.scoring.novelty.on_request import (
    Further,
    WholeNovelty,
    look_alike,
    look_around,
    look_today,
)
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.novelty.whole_text import WholeTexts
from kpinspector.scoring.report.compose import make_report
from kpinspector.scoring.report.report import report_json
from kpinspector.sharing.counts import leaking_traces
from kpinspector.sharing.masked_report import masked_report, masked_values
from kpinspector.sharing.measured import ways_of_measured
from kpinspector.trace.records import Problem, Skipped, TraceRecord
from kpinspector.words.explain.blocks import Mention, Section
from kpinspector.words.explain.explanation import Explanation, explain, explain_unscored
from kpinspector.words.explain.many import skipped_section
from kpinspector.words.summary_words import front_of, levers_section
from kpinspector.words.writers.explanation_html import explanations_html
from kpinspector.words.writers.explanation_markdown import explanations_markdown
from kpinspector.words.writers.explanation_report import (
    ExplanationReport,
    explanation_entry,
)
from kpinspector.words.writers.explanation_text import explanation_text, section_lines
from kpinspector.words.writers.made_with import made_with


@dataclass(frozen=True, slots=True)
class _Answer:
    """What every form but JSON says.

    Attributes:
        explanations: Those that are asked for, in order.
        end: What is said once after all of them.
        summary: Of all traces; None where there is one.
    """

    explanations: tuple[Explanation, ...]
    end: tuple[Section, ...]
    summary: BatchSummary | None


def run(arguments: argparse.Namespace) -> int:
    """Score, print and write the explanations, and return the exit status."""
    choice = choice_of(arguments)
    with reading(arguments, choice, (arguments.markdown, arguments.html)) as (gathered, scorer):
        look = _Looker(scorer, arguments)
        measured = scorer.measure(gathered.texts, look.see)
        scored = look.explained(measured)
        shown = [one for one in scored if arguments.only in (None, one.sign)]
        terms = Terms(scorer.used.threshold, choice.profile)
        summary = summarise(measured, terms) if len(measured) > 1 else None
        answer = _answer(shown, gathered, summary, all_asked=arguments.only is None)
        as_json = _json(scorer, measured, shown, gathered) if arguments.json else b""
        front = None
        if summary is not None and (arguments.markdown or arguments.html):
            grouped = grouped_at(FIRST_SIMILARITY, gathered.records, scorer, terms)
            names = (Mention(one.name, one.key) for one in answer.explanations)
            ways = (ways_of_measured(one, scorer.assess(one), None) for one in measured)
            front = front_of(summary, grouped, leaking_traces(ways), names)
        last = made_with(scorer.used, scorer.model)
    if arguments.json or STDOUT not in (arguments.markdown, arguments.html):
        print_out(as_json or _text(answer))
    page = answer.explanations, last, front, answer.end
    if arguments.markdown:
        write_output(arguments.markdown, explanations_markdown(*page).encode())
    if arguments.html:
        write_output(arguments.html, explanations_html(*page).encode())
    return exit_status({Verdict(one.sign) for one in scored}, gathered.problems, scorer.memory)


def _answer(
    scored: Sequence[Explanation],
    gathered: Gathered,
    summary: BatchSummary | None,
    *,
    all_asked: bool,
) -> _Answer:
    """The scored and what has no score; of several that were skipped all at once."""
    if not all_asked:
        return _Answer(tuple(scored), (), summary)
    unscored: list[Problem | Skipped] = [*gathered.problems, *gathered.more_problems]
    end: tuple[Section, ...] = ()
    if len(gathered.skipped) > 1:
        end = (skipped_section(gathered.skipped),)
    else:
        unscored += gathered.skipped
    return _Answer((*scored, *map(explain_unscored, unscored)), end, summary)


def _text(answer: _Answer) -> str:
    """For a terminal; what would help how many comes last, where it is read."""
    width, end = terminal_width(), answer.end
    if answer.summary is not None and answer.summary.verdicts[Verdict.REJECTED]:
        end = (*end, levers_section(answer.summary))
    parts = [explanation_text(one, width) for one in answer.explanations]
    parts += ["".join(f"{line}\n" for line in section_lines(one, width)) for one in end]
    return "\n".join(parts)


class _Looker:
    """Looks up what an explanation says beside a score."""

    def __init__(self, scorer: Scorer, arguments: argparse.Namespace) -> None:
        self._scorer = scorer
        self._asked = arguments
        self._clusters: dict[int, tuple[Cluster, ...]] = {}
        self._records: dict[str, TraceRecord] = {}
        self._texts = WholeTexts()

    def see(self, measured: Measured) -> None:
        """Look around a trace while the memory holds no later one."""
        if not measured.measurement.novelty.assumed:
            self._clusters[id(measured)] = look_around(measured, self._scorer.memory)

    def explained(self, measured: Sequence[Measured]) -> list[Explanation]:
        """The explanations of all."""
        at_hand = [one for one in measured if not one.measurement.novelty.assumed]
        self._records = {shown_key(one.place.key): one.record for one in reversed(at_hand)}
        assess, many = self._scorer.assess, len(measured) > 1
        return [
            replace(explain(one, assess(one), further=self._further(one, at_hand)), among_many=many)
            for one in measured
        ]

    def _further(self, measured: Measured, at_hand: Sequence[Measured]) -> Further:
        """What was looked up for one trace; nothing where there is no model."""
        asked, tools = self._asked, (self._scorer.embedder, self._scorer.memory)
        if measured.measurement.novelty.assumed:
            return Further()
        try:
            return Further(
                today=look_today(measured, *tools) if asked.today else None,
                whole=self._compared(measured, at_hand) if asked.whole else None,
                clusters=self._clusters[id(measured)],
                alike=look_alike(measured, self._records, *tools) if asked.alike else None,
            )
        except ModelError as error:
            tell(error.message)
            return Further()

    def _compared(self, measured: Measured, at_hand: Sequence[Measured]) -> WholeNovelty | None:
        tools = self._scorer.embedder, self._scorer.memory
        for text, finding in self._texts.compare(measured, at_hand, lambda: tools):
            if finding is not None:
                return WholeNovelty(text, finding)
        return None


def _json(
    scorer: Scorer,
    measured: Sequence[Measured],
    scored: Iterable[Explanation],
    gathered: Gathered,
) -> bytes:
    results = gathered.results(measured)
    report = make_report(results, scorer.used, scorer.model, scorer.choice.profile)
    masked = masked_report(report)
    keys = {one.key: shown.key for one, shown in zip(report.traces, masked.traces, strict=True)}
    entries = (masked_values(explanation_entry(one)) | {"key": keys[one.key]} for one in scored)
    return report_json(ExplanationReport(report=masked, explanations=tuple(entries)))
