"""The notices about files that were opened, changed or stopped."""

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
"""The keys of notices that concern open files."""


def stopped(seen: int | None, unread: int) -> Iterator[Notice]:
    """The notices on what the user's Stop left undone: names looked through, files not read."""
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
    """Says that the opened files were open already; ``path`` names the file if it is only one."""
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
    """Says that paths which were open the last time do not exist any more."""
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
    """Says that the recordings of a large folder are only listed until they are chosen."""
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
    """The key of the notice that the recordings of a large folder are only listed."""
    return f"on request {folder}"


def vanished(paths: Sequence[str]) -> Notice:
    """Says that open files do not exist any more."""
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
    """Says that the file of a neighbour does not exist any more."""
    (name,), path = neighbour_names((neighbour,)), neighbour.source_path
    sentence = say("{name} came from {path}, which is not there any more.", name=name, path=path)
    if not path:
        sentence = say("{name} was forgotten, and where it came from.", name=name)
    return Notice(sentence, key="neighbour")


def not_in_file(neighbour: Neighbour) -> Notice:
    """Says that the file of a neighbour does not hold that trace any more."""
    (name,) = map(masked_in, neighbour_names((neighbour,)))
    file = PurePath(neighbour.source_path).name
    sentence = say("{name} is not in {file} any more.", name=name, file=file)
    return Notice(sentence, neighbour.source_path, "neighbour")


def not_watched(most: int) -> Notice:
    """Says that only some of the open files are watched."""
    sentence = say(
        "At most {most} files are watched for changes; Reload reads all of them.",
        most=shown_count(most),
    )
    return Notice(sentence, key="watch limit", kind=NoticeKind.NOTE)


def edited(documents: Sequence[Document]) -> Notice | None:
    """Says how edits changed scores; None where no score changed."""
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
    """Names the old score beside the new one; None where either is unknown."""
    old, new = before.assessment, document.assessment
    if old is None or new is None:
        return None
    was, now = (shown_score(one.score, one.threshold) for one in (old, new))
    sentence = say(
        "{name} scored again: {score}, before {before}.", name=document.name, score=now, before=was
    )
    return Notice(sentence, key="scored again", kind=NoticeKind.NEWS)


def note_on(documents: Sequence[Document]) -> str:
    """The result of an opened path in a few words, for the list of recent paths."""
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


def _note_of_one(row: Document) -> str:
    """The verdict of a scored row with its score, or with its possible scores."""
    low, high = row.bounds or (0.0, 1.0)
    score = shown_interval(low, high, row.rules.threshold)
    if row.score is not None:
        score = shown_score(row.score, row.rules.threshold)
    match row.verdict:
        case Verdict.ACCEPTED:
            return say("accepted, {score}", score=score)
        case Verdict.REJECTED:
            return say("rejected, {score}", score=score)
    return say("undecided, {score}", score=score)
