"""``kpinspector explain``: why each trace scores what it scores."""

import argparse
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from kpinspector.batch.groups import FIRST_SIMILARITY
from kpinspector.batch.limits import Terms
from kpinspector.batch.summary import BatchSummary, JudgedTrace, judge, summary_of
from kpinspector.cli.batches import grouped_at
from kpinspector.cli.commands import choice_of
from kpinspector.cli.measuring import Scorer, exit_status, reading
from kpinspector.cli.reading import Gathered
from kpinspector.cli.streams import STDOUT, print_out, tell, terminal_width, write_output
from kpinspector.errors import ModelError
from kpinspector.scoring.findings import shown_key
from kpinspector.scoring.novelty.questions import Alike, Further, look_alike, look_today
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.report import make_report
from kpinspector.sharing.answer import leaking_traces
from kpinspector.sharing.measured import ways_of_measured
from kpinspector.trace.records import Problem, Skipped, Source, TraceRecord
from kpinspector.words.explanation import Explanation, explain, explain_unscored
from kpinspector.words.page import Mention, Section
from kpinspector.words.summary import Front, front_of, levers_section, mention_of, skipped_section
from kpinspector.words.writers.explanation_html import HtmlPage
from kpinspector.words.writers.explanation_markdown import MarkdownPage
from kpinspector.words.writers.explanation_report import (
    Entry,
    explanation_entry,
    explanations_json,
)
from kpinspector.words.writers.explanation_text import explanation_text, section_lines
from kpinspector.words.writers.made_with import made_with


class _Entries:
    """The scored as JSON."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def add(self, one: Explanation) -> None:
        if one.measured is not None:
            self.entries.append(explanation_entry(one))


class _Printed:
    """Text for a terminal, printed as it comes."""

    def __init__(self) -> None:
        self._gap = ""

    def add(self, one: Explanation) -> None:
        self._print(explanation_text(one, terminal_width()))

    def finish(self, asked: "_Asked") -> None:
        """What would help how many comes last, where it is read."""
        sections = asked.end
        if asked.summary is not None:
            sections = (*sections, *levers_section(asked.summary))
        for one in sections:
            self._print("".join(f"{line}\n" for line in section_lines(one, terminal_width())))

    def _print(self, text: str) -> None:
        print_out(f"{self._gap}{text}")
        self._gap = "\n"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is explained, and what is said of all.

    Attributes:
        scored: Those that are asked for.
        unscored: What has no score.
        end: What is said once after all of them.
        summary: Of all traces; None where there is one.
    """

    scored: tuple[Measured, ...]
    unscored: tuple[Explanation, ...]
    end: tuple[Section, ...]
    summary: BatchSummary | None


def run(arguments: argparse.Namespace) -> int:
    """Score, print and write the explanations, and return the exit status."""
    choice, targets = choice_of(arguments), (arguments.markdown, arguments.html)
    with reading(arguments, choice, targets) as (gathered, scorer):
        look = _Looker(scorer, arguments, gathered.running)
        measured = scorer.measure(gathered.texts)
        terms = Terms(scorer.used.threshold, choice.profile)
        judged = [judge(one, terms) for one in measured]
        asked = _asked(arguments.only, gathered, measured, judged)
        front = _front(asked, gathered, measured, scorer) if any(targets) else None
        markdown, html = MarkdownPage(front), HtmlPage(front)
        entries, printed = _Entries(), _Printed()
        prints = not arguments.json and STDOUT not in targets
        every = (
            (arguments.markdown, markdown.add),
            (arguments.html, html.add),
            (arguments.json, entries.add),
            (prints, printed.add),
        )
        takers = [take for wanted, take in every if wanted]
        for one in chain(look.explained(asked.scored, measured), asked.unscored):
            for take in takers:
                take(one)
        last = made_with(scorer.used, scorer.model)
        if arguments.json:
            print_out(_json(scorer, measured, entries.entries, gathered))
        if prints:
            printed.finish(asked)
    for target, page in ((arguments.markdown, markdown), (arguments.html, html)):
        if target:
            write_output(target, page.written(last, asked.end))
    return exit_status({one.verdict for one in judged}, gathered.problems, scorer.memory)


def _asked(
    only: str | None,
    gathered: Gathered,
    measured: Sequence[Measured],
    judged: Sequence[JudgedTrace],
) -> _Asked:
    """What is asked for; of several that were skipped all at once."""
    summary = summary_of(judged) if len(measured) > 1 else None
    if only is not None:
        found = (one for one, it in zip(measured, judged, strict=True) if it.verdict == only)
        return _Asked(tuple(found), (), (), summary)
    unscored: list[Problem | Skipped] = [*gathered.problems, *gathered.more_problems]
    end: tuple[Section, ...] = ()
    if len(gathered.skipped) > 1:
        end = (skipped_section(gathered.skipped),)
    else:
        unscored += gathered.skipped
    return _Asked(tuple(measured), tuple(map(explain_unscored, unscored)), end, summary)


def _front(
    asked: _Asked, gathered: Gathered, measured: Sequence[Measured], scorer: Scorer
) -> Front | None:
    """What a page begins with; None for one trace."""
    if asked.summary is None:
        return None
    terms = Terms(scorer.used.threshold, scorer.choice.profile)
    grouped = grouped_at(FIRST_SIMILARITY, gathered.records, scorer, terms)
    ways = (ways_of_measured(one, scorer.assess(one), None) for one in measured)
    names = (*map(mention_of, asked.scored), *(Mention(one.name, "") for one in asked.unscored))
    return front_of(asked.summary, grouped, leaking_traces(ways), names)


class _Looker:
    """Looks up what an explanation says beside a score."""

    def __init__(
        self, scorer: Scorer, arguments: argparse.Namespace, running: Collection[Source]
    ) -> None:
        self._scorer = scorer
        self._running = running
        self._asked = arguments
        self._records: dict[str, TraceRecord] = {}

    def explained(
        self, asked: Iterable[Measured], measured: Sequence[Measured]
    ) -> Iterator[Explanation]:
        """The explanations of those that are asked for among all, each made when its turn comes."""
        at_hand = [one for one in measured if not one.measurement.novelty.assumed]
        self._records = {shown_key(one.place.key): one.record for one in reversed(at_hand)}
        assess, many = self._scorer.assess, len(measured) > 1
        for one in asked:
            further = self._further(one)
            found = replace(explain(one, assess(one), further=further), among_many=many)
            yield found.so_far() if one.record.source in self._running else found

    def _further(self, measured: Measured) -> Further:
        """What was looked up for one trace; nothing where there is no model."""
        asked, tools = self._asked, (self._scorer.embedder, self._scorer.memory)
        if measured.measurement.novelty.assumed:
            return Further()
        try:
            return Further(
                today=look_today(measured, *tools) if asked.today else None,
                alike=self._alike(measured) if asked.alike else None,
            )
        except ModelError as error:
            tell(error.message)
            return Further()

    def _alike(self, measured: Measured) -> Alike | None:
        """What makes it like its nearest, once all is known."""
        nearest = next(iter(measured.measurement.novelty.neighbours), None)
        other = None if nearest is None else self._records.get(nearest.key)
        tools = self._scorer.embedder, self._scorer.memory
        last = deque(look_alike(measured, other, *tools), maxlen=1)
        return last[0] if last else None


def _json(
    scorer: Scorer,
    measured: Sequence[Measured],
    entries: Sequence[Entry],
    gathered: Gathered,
) -> bytes:
    results = gathered.results(measured)
    report = make_report(results, scorer.used, scorer.model, scorer.choice.profile)
    return explanations_json(report, entries)
