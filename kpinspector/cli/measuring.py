"""What the scoring commands share: reading, measuring with model and memory, answering."""

import argparse
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kpinspector.cli import streams
from kpinspector.cli.reading import Gathered, asked_of, gather
from kpinspector.cli.streams import tell
from kpinspector.errors import ExitStatus
from kpinspector.files import MEMORY_FILE, data_dir, keep_sources
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.assess import Assessment, Verdict, assess
from kpinspector.scoring.formula.profiles import PROFILE_NAMED, Terms
from kpinspector.scoring.memory.file import size_on_disk
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import Ahead, MiniLM
from kpinspector.scoring.novelty.sequence import Measured, expect, measure_batch
from kpinspector.scoring.report.report import Report, UsedSettings, embedder_entry, trace_entry
from kpinspector.settings import Mode, Settings, load_settings
from kpinspector.trace.records import Problem, TextRecord, TraceRecord, at_record
from kpinspector.words.memory import memory_words
from kpinspector.words.say import in_words, say, say_count, say_list

# bytes of a memory that each run checks, in hundredths of a second; `memory info` checks any
_LOOKED_THROUGH: Final = 2**24
_MOST_NAMES: Final = 3


@dataclass(frozen=True, slots=True)
class Scorer:
    """The model, the open memory and the terms of judgement of one run of the program."""

    terms: Terms
    settings: Settings
    embedder: Ahead
    memory: Memory

    @property
    def model(self) -> str | None:
        """The sha256 of the weights; None without an embedder."""
        return None if self.embedder.failure is not None else self.embedder.model

    @property
    def used(self) -> UsedSettings:
        """The settings in force."""
        return UsedSettings(
            threshold=self.terms.threshold,
            max_elements=self.settings.max_elements,
            ttl_ms=self.settings.ttl_ms,
            mode=self.memory.mode,
        )

    def assess(self, measured: Measured) -> Assessment:
        """Assess a trace by the chosen profile, or by the profile of its own domain."""
        measurement = measured.measurement
        return assess(measurement, self.terms.profile_of(measurement), self.terms.threshold)

    def report(self, gathered: Gathered, measured: Sequence[Measured]) -> Report:
        """The report of all that was read and measured."""
        return Report(
            embedder=embedder_entry(self.model),
            settings=self.used,
            more_problems=sum(one.count for one in gathered.more_problems),
            traces=[trace_entry(one, self.terms) for one in measured],
            problems=gathered.problems,
            skipped=gathered.skipped,
        )

    def measure(
        self, records: Sequence[TextRecord], came: Callable[[Measured], None] = lambda _: None
    ) -> list[Measured]:
        """Measure the traces of one drop in their order; tells if novelty had to be assumed.

        ``came``: called with each trace while no later one is in the memory.
        """
        measured: list[Measured] = []
        total = sum(isinstance(record, TraceRecord) for record in records)
        for done, one in enumerate(measure_batch(records, self.embedder, self.memory), 1):
            measured.append(one)
            came(one)
            streams.show_progress(done, total)
        failure = self.embedder.failure
        if failure is not None:
            assumed = any(one.measurement.novelty.assumed for one in measured)
            consequence = say("Novelty is assumed 0.5.") if assumed else ""
            tell(" ".join(filter(None, (in_words(failure.message), consequence, failure.detail))))
        return measured


@contextmanager
def reading(
    arguments: argparse.Namespace, *outputs: streams.Output | None, guest: bool = False
) -> Iterator[tuple[Gathered, Scorer]]:
    """Read everything at the paths, with model and memory open; as ``guest`` nothing is stored.

    Raises:
        KpError: an output is also a file that is read, or two outputs go to one place.
    """
    asked = [one for one in outputs if one]
    folder = data_dir(arguments.data_dir)
    files = streams.checked_files(asked, folder, printed=arguments.json) if asked else []
    with open_scorer(arguments, guest=guest) as scorer:
        gathered = gather(
            arguments.paths,
            lambda texts: expect(texts, scorer.embedder, scorer.memory),
            asked_of(arguments),
        )
        if files:
            keep_sources(files, gathered.sources)
        tell_absent(gathered.texts)
        yield gathered, scorer


def answer(
    arguments: argparse.Namespace,
    as_json: Callable[[], bytes],
    as_text: Callable[[int], str],
    *files: tuple[streams.Output | None, Callable[[], bytes]],
) -> None:
    """Print the answer as JSON or text, unless a file goes to standard output; write the files."""
    if arguments.json:
        streams.print_out(as_json())
    elif streams.STDOUT not in [target for target, _ in files]:
        streams.print_out(as_text(streams.terminal_width()))
    for target, data in files:
        if target:
            streams.write_output(target, data())


def tell_absent(records: Iterable[TextRecord]) -> None:
    """Tell which recordings left their content out, so that their novelty is assumed."""
    left_out = (
        at_record(one.source.path, one.source.record)
        for one in records
        if isinstance(one, RunRecord) and not one.imported.run.content_recorded
    )
    names = list(dict.fromkeys(left_out))
    if names:
        words = say_count(
            "The content of {number} run was not recorded, so its novelty is assumed 0.5: {names}.",
            "The content of {number} runs was not recorded, so their novelty is assumed 0.5:"
            " {names}.",
            len(names),
            names=say_list([*names[:_MOST_NAMES], *(["…"] if names[_MOST_NAMES:] else [])]),
        )
        tell(words)


@contextmanager
def open_scorer(arguments: argparse.Namespace, *, guest: bool = False) -> Iterator[Scorer]:
    """Open model and memory; check a small memory at the end, and tell of its faults."""
    folder = data_dir(arguments.data_dir)
    settings = saved_settings(folder)
    if arguments.threshold is not None:
        settings = replace(settings, threshold=arguments.threshold)
    mode = arguments.mode or (Mode.GUEST if guest else settings.mode)
    terms = Terms(settings.threshold, PROFILE_NAMED.get(arguments.profile))
    with opened_memory(mode, folder, settings) as memory, closing(Ahead(MiniLM())) as embedder:
        yield Scorer(terms, settings, embedder, memory)
        if mode is not Mode.FRESH and size_on_disk(folder / MEMORY_FILE) <= _LOOKED_THROUGH:
            memory.look_through()
        for notice in memory.notices:
            tell(memory_words(notice))


def saved_settings(folder: Path) -> Settings:
    """The saved settings; tells why if they cannot be read."""
    settings, notice = load_settings(folder)
    if notice:
        tell(notice)
    return settings


def opened_memory(mode: Mode, folder: Path, settings: Settings) -> Memory:
    """Open the memory; tells, once, if another program keeps it locked."""
    said, path = False, folder / MEMORY_FILE

    def waits(waiting: bool) -> None:  # noqa: FBT001 - as the memory calls it
        nonlocal said
        if waiting and not said:
            said = True
            words = say(
                "Waiting for another program that keeps the memory file {path} locked.", path=path
            )
            tell(words)

    return Memory(mode, path, settings, waits=waits)


def exit_status(
    verdicts: Collection[Verdict], problems: Sequence[Problem], memory: Memory
) -> ExitStatus:
    """2 for a problem or no trace at all, else 1 if any trace is not accepted, else 0.

    A memory that could not be used, or lost something, is a problem too, as verdicts may differ. A
    memory that can only be read answers as usual, and changes nothing here.
    """
    if problems or memory.lost:
        return ExitStatus.PROBLEM
    if not verdicts:
        tell(say("No trace was found."))
        return ExitStatus.PROBLEM
    return ExitStatus.OK if set(verdicts) == {Verdict.ACCEPTED} else ExitStatus.REJECTED
