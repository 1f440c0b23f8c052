"""Measures what was read, with the model and the chosen memory."""

import argparse
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kpinspector.cli.commands import Choice
from kpinspector.cli.reading import Gathered, asked_of, gather
from kpinspector.cli.streams import Output, checked_files, show_progress, tell
from kpinspector.errors import ExitStatus
from kpinspector.files import MEMORY_FILE, keep_sources
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.assess import Assessment, Verdict, assess
from kpinspector.scoring.formula.profiles import profile_for
from kpinspector.scoring.memory.file import Mode, size_on_disk
from kpinspector.scoring.memory.memory import Memory, open_memory
from kpinspector.scoring.model.embedder import Ahead, MiniLM
from kpinspector.scoring.novelty.sequence import Measured, expect, measure_batch
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.trace.read import Problem, TextRecord, TraceRecord
from kpinspector.trace.records import at_record
from kpinspector.words.memory import memory_words
from kpinspector.words.say import in_words, say, say_count, say_list

# bytes: a few thousand findings, checked in hundredths of a second; larger files: `memory info`
_LOOKED_THROUGH: Final = 2**24
_MOST_NAMES: Final = 3


@dataclass(frozen=True, slots=True)
class Scorer:
    """The model and the open memory of one call of the program."""

    choice: Choice
    embedder: Ahead
    memory: Memory

    @property
    def model(self) -> str | None:
        """The sha256 of the weights; None without an embedder."""
        return None if self.embedder.failure is not None else self.embedder.model

    @property
    def used(self) -> UsedSettings:
        """The settings as they apply."""
        settings = self.choice.settings
        return UsedSettings(
            threshold=settings.threshold,
            max_elements=settings.max_elements,
            ttl_ms=settings.ttl_ms,
            mode=self.memory.mode,
        )

    def assess(self, measured: Measured) -> Assessment:
        """Judge by the chosen profile, or by the trace's own."""
        measurement, choice = measured.measurement, self.choice
        profile = choice.profile or profile_for(measurement.facts.task_domain)
        return assess(measurement, profile, choice.settings.threshold)

    def expect(self, records: Sequence[TextRecord]) -> None:
        """Begin to embed the first of these traces while more are still being read."""
        expect(records, self.embedder, self.memory)

    def measure(
        self, records: Sequence[TextRecord], came: Callable[[Measured], None] = lambda _: None
    ) -> list[Measured]:
        """Measure the traces in their order; says where novelty had to be assumed.

        Args:
            records: Of one drop.
            came: Told of each trace while the memory holds no later one.
        """
        measured: list[Measured] = []
        total = sum(isinstance(record, TraceRecord) for record in records)
        for done, one in enumerate(measure_batch(records, self.embedder, self.memory), 1):
            measured.append(one)
            came(one)
            show_progress(done, total)
        failure = self.embedder.failure
        if failure is not None:
            assumed = any(one.measurement.novelty.assumed for one in measured)
            consequence = say("Novelty is assumed 0.5.") if assumed else ""
            tell(" ".join(filter(None, (in_words(failure.message), consequence, failure.detail))))
        return measured


@contextmanager
def reading(
    arguments: argparse.Namespace, choice: Choice, outputs: Sequence[Output | None]
) -> Iterator[tuple[Gathered, Scorer]]:
    """Read all that the paths name, with model and memory open beside it.

    Args:
        arguments: Of a command with paths, recordings and ``--json``.
        choice: Of model and memory.
        outputs: The files that are asked for; none may be one that is read.

    Raises:
        KpError: one is, or two outputs go to one place.
    """
    asked = [one for one in outputs if one]
    files = checked_files(asked, choice.folder, printed=arguments.json)
    with open_scorer(choice) as scorer:
        gathered = gather(arguments.paths, scorer.expect, asked_of(arguments))
        keep_sources(files, gathered.sources)
        tell_left_out(gathered.records)
        yield gathered, scorer


def tell_left_out(records: Iterable[TraceRecord]) -> None:
    """Tell which recordings left their content out, as nothing can be compared with them."""
    left_out = (
        at_record(one.source.path, one.source.record)
        for one in records
        if isinstance(one, RunRecord) and not one.imported.content_recorded
    )
    names = list(dict.fromkeys(left_out))
    if names:
        tell(
            say_count(
                "The content of {number} run was not recorded, so its novelty is assumed 0.5:"
                " {names}.",
                "The content of {number} runs was not recorded, so their novelty is assumed 0.5:"
                " {names}.",
                len(names),
                names=say_list([*names[:_MOST_NAMES], *(["…"] if names[_MOST_NAMES:] else [])]),
            )
        )


@contextmanager
def open_scorer(choice: Choice) -> Iterator[Scorer]:
    """Open the model, loaded when needed, and the memory; tell of any fault of the memory.

    At the end the memory is checked for damage if it is small.
    """
    path = choice.folder / MEMORY_FILE
    with (
        open_memory(choice.mode, choice.folder, choice.settings, say_waiting(path)) as memory,
        closing(Ahead(MiniLM())) as embedder,
    ):
        yield Scorer(choice, embedder, memory)
        if choice.mode is not Mode.FRESH and size_on_disk(path) <= _LOOKED_THROUGH:
            memory.look_through()
        for notice in memory.notices:
            tell(memory_words(notice))


def say_waiting(path: Path) -> Callable[[bool], None]:
    """A function that tells, once, that another program keeps the memory locked."""
    said = False

    def waits(waiting: bool) -> None:  # noqa: FBT001 - as the memory calls it
        nonlocal said
        if waiting and not said:
            said = True
            tell(
                say(
                    "Waiting for another program that keeps the memory file {path} locked.",
                    path=path,
                )
            )

    return waits


def exit_status(
    verdicts: Collection[Verdict], problems: Sequence[Problem], memory: Memory
) -> ExitStatus:
    """2 for a problem or no trace at all, else 1 for one that is not accepted, else 0.

    A memory that could not be used, or lost something, is a problem too, as verdicts may differ. A
    memory that can only be read answers as usual, and changes nothing here.
    """
    if problems or memory.lost:
        return ExitStatus.PROBLEM
    if not verdicts:
        tell(say("No trace was found."))
        return ExitStatus.PROBLEM
    return ExitStatus.OK if set(verdicts) == {Verdict.ACCEPTED} else ExitStatus.REJECTED
