"""What is said of files that were opened, changed or stopped."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePath

from kpinspector.app.document import Document
from kpinspector.app.values import Notice, NoticeKind
from kpinspector.scoring.findings import Neighbour, neighbour_names
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.report.written import FoundReport
from kpinspector.trace.clear import masked_in
from kpinspector.words.figures import shown_count, shown_interval, shown_score
from kpinspector.words.say import say, say_count

GONE = "gone"
OF_OPEN_FILES = ("stopped", "unread", GONE, "watch limit", "neighbour")
"""The keys of what is said of files that are open."""


def stopped(seen: int | None, unread: int) -> Iterator[Notice]:
    """Says what was left undone because the user stopped it."""
    if seen is not None:
        if seen:
            sentence = say(
                "Stopped looking through folders after {seen} files; none of these was read.",
                seen=shown_count(seen),
            )
        else:
            sentence = say("Stopped looking through folders; none of these was read.")
        yield Notice(sentence, key="stopped", kind=NoticeKind.NOTE)
    if unread:
        sentence = say_count(
            "Stopped before {number} file was read.",
            "Stopped before {number} files were read.",
            unread,
        )
        yield Notice(sentence, key="unread", kind=NoticeKind.NOTE)


def open_already(path: str, count: int) -> Notice:
    """Nothing new was opened; ``path`` is that of the only file, if it is one."""
    if count == 1:
        sentence = say("{name} is open already; it was read again.", name=PurePath(path).name)
    else:
        sentence = say_count(
            "{number} file is open already; it was read again.",
            "All {number} files are open already; they were read again.",
            count,
        )
    return Notice(sentence, key="open already", kind=NoticeKind.NEWS)


def missing(paths: Collection[str]) -> Notice:
    """Paths that were open the last time are not there."""
    ordered = sorted(paths)
    if len(ordered) == 1:
        name = PurePath(ordered[0]).name
        sentence = say("{name} was open the last time and is not there any more.", name=name)
    else:
        sentence = say_count(
            "{number} path was open the last time and is not there any more.",
            "{number} paths were open the last time and are not there any more.",
            len(ordered),
        )
    return Notice(sentence, "\n".join(ordered), "missing")


def read_on_request(folder: str, count: int, *, remembers: bool) -> Notice:
    """Recordings of a large folder are only listed."""
    sentence = say_count(
        "{number} recording in {name}: it is read and scored when you choose it.",
        "{number} recordings in {name}: each is read and scored when you choose it.",
        count,
        name=PurePath(folder).name,
    )
    if remembers:
        more = say("Nothing of them is remembered until you ask for it with Score > Remember.")
        sentence = f"{sentence} {more}"
    return Notice(sentence, folder, on_request_key(folder), NoticeKind.NOTE)


def on_request_key(folder: str) -> str:
    """The key of what is said of a large folder."""
    return f"on request {folder}"


def vanished(paths: Sequence[str]) -> Notice:
    """Open files are gone."""
    if len(paths) == 1:
        sentence = say(
            "{name} is gone; its rows stay as they were read.", name=PurePath(paths[0]).name
        )
    else:
        sentence = say_count(
            "{number} file is gone; its rows stay as they were read.",
            "{number} files are gone; their rows stay as they were read.",
            len(paths),
        )
    return Notice(sentence, "\n".join(paths), GONE)


def file_gone(neighbour: Neighbour) -> Notice:
    """The file of a remembered trace is gone."""
    (name,), path = neighbour_names((neighbour,)), neighbour.source_path
    sentence = say("{name} came from {path}, which is not there any more.", name=name, path=path)
    if not path:
        sentence = say("{name} was forgotten, and where it came from.", name=name)
    return Notice(sentence, key="neighbour")


def not_in_file(neighbour: Neighbour) -> Notice:
    """A remembered trace's file does not hold it."""
    (name,) = map(masked_in, neighbour_names((neighbour,)))
    file = PurePath(neighbour.source_path).name
    sentence = say("{name} is not in {file} any more.", name=name, file=file)
    return Notice(sentence, neighbour.source_path, "neighbour")


def not_watched(most: int) -> Notice:
    """Some of the open files are not watched."""
    sentence = say(
        "At most {most} files are watched for changes; Reload reads all of them.",
        most=shown_count(most),
    )
    return Notice(sentence, key="watch limit", kind=NoticeKind.NOTE)


def edited(documents: Sequence[Document]) -> Notice | None:
    """What edits did to scores; None where no score changed."""
    moved = [
        (one, score, before)
        for one in documents
        if (score := one.score) is not None
        and (before := one.before) is not None
        and score != before
    ]
    if not moved:
        return None
    if len(moved) == 1:
        ((one, score, before),) = moved
        now, was = (shown_score(each, one.rules.threshold) for each in (score, before))
        scores = say("{score}, before the edit {before}", score=now, before=was)
        sentence = say("{name}: {scores}.", name=one.name, scores=scores)
    else:
        sentence = say_count(
            "{number} edited trace has another score now.",
            "{number} edited traces have another score now.",
            len(moved),
        )
    return Notice(sentence, key="edited", kind=NoticeKind.NEWS)


def scored_again(document: Document, before: Document) -> Notice | None:
    """The old score is said once; None where there is none."""
    old, new = before.assessment, document.assessment
    if old is None or new is None:
        return None
    was, now = (shown_score(one.score, one.threshold) for one in (old, new))
    sentence = say(
        "{name} scored again: {score}, before {before}.", name=document.name, score=now, before=was
    )
    return Notice(sentence, key="scored again", kind=NoticeKind.NEWS)


def note_on(documents: Sequence[Document]) -> str:
    """The result of what was opened, in a few words."""
    traces = [one for one in documents if one.record is not None or one.unread is not None]
    scored = [one for one in traces if one.measured is not None]
    if not documents:
        return say("no traces")
    if not traces:
        reports = any(isinstance(one.item, FoundReport) for one in documents)
        return say("a report") if reports else say("not readable")
    done, whole = shown_count(len(scored)), shown_count(len(traces))
    if len(scored) < len(traces):
        return say("{number} of {whole} scored", number=done, whole=whole)
    if len(scored) == 1:
        return _note_of_one(scored[0])
    passed = shown_count(sum(one.verdict is Verdict.ACCEPTED for one in scored))
    undecided = sum(one.verdict is None for one in scored)
    if not undecided:
        return say("{number} of {whole} pass", number=passed, whole=whole)
    return say(
        "{number} of {whole} pass, {undecided} undecided",
        number=passed,
        whole=whole,
        undecided=shown_count(undecided),
    )


def _note_of_one(one: Document) -> str:
    """The verdict and the score, or the possible scores."""
    low, high = one.bounds or (0.0, 1.0)
    score = shown_interval(low, high, one.rules.threshold)
    if one.score is not None:
        score = shown_score(one.score, one.rules.threshold)
    match one.verdict:
        case Verdict.ACCEPTED:
            return say("accepted, {score}", score=score)
        case Verdict.REJECTED:
            return say("rejected, {score}", score=score)
    return say("undecided, {score}", score=score)
