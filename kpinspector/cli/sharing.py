"""``kpinspector sharing``: what would leave the machine, and what becomes of it."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kpinspector.cli.measuring import Scorer, open_scorer
from kpinspector.cli.options import choice_of
from kpinspector.cli.reading import asked_of, gather
from kpinspector.cli.streams import (
    STDOUT,
    checked_files,
    print_out,
    tell,
    terminal_width,
    write_output,
)
from kpinspector.errors import ExitStatus, NotScorableError
from kpinspector.files import keep_sources
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.memory.mode import Mode
from kpinspector.scoring.novelty.measure import measure_edited
from kpinspector.scoring.novelty.sequence import Measured, origin_of
from kpinspector.scoring.report.report import report_json
from kpinspector.sharing.answer import Sharing
from kpinspector.sharing.posting import (
    NotPosted,
    Posting,
    Way,
    captured,
    contributed,
    number_of_unscored,
    sdk_number,
    with_level,
)
from kpinspector.sharing.report import Shared, sharing_report
from kpinspector.trace.model import JsonObject, trace_from_json
from kpinspector.trace.records import (
    TextRecord,
    TraceRecord,
    UnreadRecord,
    UnscoredRecord,
    name_of,
)
from kpinspector.words.say import say
from kpinspector.words.writers.report_text import located
from kpinspector.words.writers.sharing_text import sharing_text


@dataclass(frozen=True, slots=True)
class _Answer:
    """One trace and what either way makes of it."""

    shared: Shared
    contributed: Sharing
    captured: Sharing


def run(arguments: argparse.Namespace) -> int:
    """Say what would leave of each trace, and how it ended; nothing is remembered."""
    choice = choice_of(arguments)
    if choice.mode is Mode.REMEMBER:
        choice = replace(choice, mode=Mode.GUEST)
    outputs = [arguments.output] if arguments.output else []
    files = checked_files(outputs, choice.folder, printed=arguments.json)
    gathered = gather(arguments.paths, asked=asked_of(arguments))
    keep_sources(files, gathered.sources)
    way = Way(arguments.way)
    with open_scorer(choice) as scorer:
        look = _Looker(scorer, arguments.level)
        scorer.measure(gathered.texts, look.see)
        answers = [look.answer(one, way) for one in gathered.objects]
    problems = [
        one for one in gathered.problems if not isinstance(one, (UnscoredRecord, UnreadRecord))
    ]
    shared = [one.shared for one in answers]
    if arguments.json:
        threshold = choice.settings.threshold
        print_out(report_json(sharing_report(shared, way, threshold, problems)))
    elif STDOUT not in outputs:
        print_out("\n".join(_text(one) for one in answers))
        for one in problems:
            tell(located(one))
    if arguments.output:
        bodies = (one.sharing.posting.body for one in shared)
        write_output(arguments.output, "".join(f"{one}\n" for one in bodies if one).encode())
        tell(say("The bodies are written as they would be posted: nothing in them is masked."))
    return _status(shared, problems=bool(problems))


def _text(answer: _Answer) -> str:
    source, sharing = answer.shared.source, answer.shared.sharing
    name = name_of(source.path, source.record)
    return sharing_text(name, sharing, answer.contributed, answer.captured, terminal_width())


def _status(shared: Sequence[Shared], *, problems: bool) -> ExitStatus:
    """2 for a problem or no trace at all, else 1 where something leaves in clear, else 0."""
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
        self._threshold = scorer.choice.settings.threshold
        self._captured: dict[int, Sharing] = {}

    def see(self, measured: Measured) -> None:
        """Judge a trace by capture while the memory holds no later one."""
        record = measured.record
        raw = self._raw(record)
        if isinstance(raw, Posting):
            return
        trace, assessment = record.trace, self._scorer.assess(measured)
        score = sdk_number(assessment, trace.metadata.task_domain)
        sharing = Sharing(captured(raw, score, self._threshold), score, self._threshold)
        if sharing.body is not None and any(sharing.posting.redactions):
            sharing = replace(sharing, score_of_cleaned=self._score_of_cleaned(measured, sharing))
        self._captured[id(record)] = sharing

    def answer(self, record: TextRecord | UnreadRecord, way: Way) -> _Answer:
        """What becomes of one object."""
        raw = self._raw(record)
        if isinstance(raw, Posting):
            nothing = Sharing(raw, None, self._threshold)
            return _Answer(Shared(_id(record), record.source, nothing), nothing, nothing)
        by_capture = self._captured.get(id(record)) or self._unscored(record, raw)
        posting = contributed(raw)
        by_contribute = Sharing(posting, by_capture.score, self._threshold)
        asked = by_capture if way is Way.CAPTURE else by_contribute
        return _Answer(Shared(_id(record), record.source, asked), by_contribute, by_capture)

    def _raw(self, record: TextRecord | UnreadRecord) -> JsonObject | Posting:
        """The trace as it would be sent; why nothing is where it is a run that lacks something."""
        match record:
            case UnreadRecord():
                raw = record.raw
            case RunRecord():
                imported = record.imported
                if not imported.content_recorded:
                    return Posting(Way.CONTRIBUTE, None, {}, NotPosted.NO_CONTENT)
                if not imported.outcome.is_known:
                    return Posting(Way.CONTRIBUTE, None, {}, NotPosted.NO_OUTCOME)
                raw = imported.converted()
            case _:
                raw = record.trace.raw
        return raw if self._level is None else with_level(raw, self._level)

    def _unscored(self, record: TextRecord | UnreadRecord, raw: JsonObject) -> Sharing:
        score = None
        if isinstance(record, UnscoredRecord):
            score = number_of_unscored(record.trace)
        return Sharing(captured(raw, score, self._threshold), score, self._threshold)

    def _score_of_cleaned(self, measured: Measured, sharing: Sharing) -> float | None:
        """Of the text that others get, beside the entries that the trace was compared with."""
        try:
            cleaned = trace_from_json(sharing.body or {})
        except NotScorableError:
            return None
        record, scorer = measured.record, self._scorer
        origin = origin_of(record, measured.place)
        novelty = measure_edited(record.trace, cleaned, origin, scorer.embedder, scorer.memory)
        if novelty.assumed:
            return None
        judged = scorer.assess(measured)
        measurement = replace(measured.measurement, novelty=novelty)
        return assess(measurement, judged.profile, self._threshold).score


def _id(record: TextRecord | UnreadRecord) -> str | None:
    if isinstance(record, TraceRecord | UnscoredRecord):
        return record.trace.id
    found = record.raw.get("id")
    return found if isinstance(found, str) and found else None
