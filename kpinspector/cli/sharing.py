"""``kpinspector sharing``: what would leave the machine, and what becomes of it."""

import argparse

from kpinspector.cli.commands import as_guest, choice_of
from kpinspector.cli.measuring import Scorer, reading
from kpinspector.cli.streams import STDOUT, print_out, tell, terminal_width, write_output
from kpinspector.errors import ExitStatus
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.written import report_json
from kpinspector.sharing.answer import Ways, ways_of
from kpinspector.sharing.measured import (
    cleaned_novelty,
    posts_cleaned,
    ways_of_measured,
    with_cleaned_novelty,
)
from kpinspector.sharing.posting import Way, number_of_unscored
from kpinspector.sharing.report import Shared, sharing_report
from kpinspector.trace.model import whole_characters
from kpinspector.trace.records import (
    TextRecord,
    TraceRecord,
    UnreadRecord,
    UnscoredRecord,
    name_of,
)
from kpinspector.words.problems import located
from kpinspector.words.say import say
from kpinspector.words.sharing import sharing_answer
from kpinspector.words.writers.explanation_text import answer_text


def run(arguments: argparse.Namespace) -> int:
    """Say what would leave of each trace, and how it ended; nothing is remembered."""
    choice = as_guest(choice_of(arguments))
    way, threshold = Way(arguments.way), choice.settings.threshold
    with reading(arguments, choice, [arguments.output]) as (gathered, scorer):
        look = _Looker(scorer, arguments.level)
        scorer.measure(gathered.texts, look.see)
        found = [(record, look.ways(record)) for record in gathered.objects]
    unlike = (UnscoredRecord, UnreadRecord)
    problems = [one for one in gathered.problems if not isinstance(one, unlike)]
    shared = [Shared(_id(record), record.source, ways.by(way)) for record, ways in found]
    if arguments.json:
        print_out(report_json(sharing_report(shared, way, threshold, problems)))
    elif arguments.output != STDOUT:
        names = (name_of(one.source.path, one.source.record) for one, _ in found)
        answers = (
            sharing_answer(name, ways, way) for name, (_, ways) in zip(names, found, strict=True)
        )
        print_out("\n".join(answer_text(one, terminal_width()) for one in answers))
        for problem in problems:
            tell(located(problem))
    if arguments.output:
        bodies = (one.sharing.posting.body for one in shared)
        write_output(arguments.output, "".join(f"{one}\n" for one in bodies if one).encode())
        tell(say("The bodies are written as they would be posted: nothing in them is masked."))
    if not shared:
        tell(say("No trace was found."))
    if problems or not shared:
        return ExitStatus.PROBLEM
    clear = any(one.sharing.in_clear for one in shared)
    return ExitStatus.REJECTED if clear else ExitStatus.OK


class _Looker:
    """Judges what would leave, with the scores of one run."""

    def __init__(self, scorer: Scorer, level: str | None) -> None:
        self._scorer = scorer
        self._level = level
        self._measured: dict[int, Ways] = {}

    def see(self, measured: Measured) -> None:
        """Judge a trace while the memory holds no later one."""
        judged = self._scorer.assess(measured)
        ways = ways_of_measured(measured, judged, self._level)
        if posts_cleaned(ways):
            scorer = self._scorer
            novelty = cleaned_novelty(ways, measured, scorer.embedder, scorer.memory)
            if novelty is not None:
                ways = with_cleaned_novelty(ways, measured, judged, novelty)
        self._measured[id(measured.record)] = ways

    def ways(self, record: TextRecord | UnreadRecord) -> Ways:
        """What becomes of a record that was seen, or of one that has no score."""
        seen = self._measured.get(id(record))
        if seen is not None:
            return seen
        score = None
        if isinstance(record, UnscoredRecord):
            score = number_of_unscored(record.trace)
        return ways_of(record, score, self._scorer.choice.settings.threshold, self._level)


def _id(record: TextRecord | UnreadRecord) -> str | None:
    if isinstance(record, TraceRecord | UnscoredRecord):
        return record.trace.id
    found = record.raw.get("id")
    return whole_characters(found) if isinstance(found, str) and found else None
