"""Inspect AI's logs, as one document or as a zip: a run for each sample.

A sample's messages are read. Its events say the same again, as the framework saw it.
"""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.message import Conversation, role_of
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import (
    AgentRun,
    Chunk,
    DropName,
    Format,
    Record,
    Recording,
    list_of,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.decode import MAX_BYTES
from kpinspector.trace.javascript import DECODER
from kpinspector.trace.model import JsonObject, JsonValue
from kpinspector.trace.place import offsets_of
from kpinspector.trace.records import JsonPath

_HEADER: Final = "header.json"
_JOURNAL: Final = "_journal/"
_LOGS: Final = (_HEADER, f"{_JOURNAL}start.json")
_SAMPLES: Final = "samples/"
_SUBMIT: Final = "submit"
_NAMES: Final = ("eval_id", "run_id")
# long texts stand once in a sample, under their hash
_ATTACHED: Final = "attachment://"
_HASH = re.compile("[0-9a-f]{32}")
_MEDIA: Final = ("image", "audio", "video")


def recognise(head: FileHead) -> bool:
    """Whether a zip has the members of a log, or a document its beginning."""
    if head.members:
        return any(name == _HEADER or name.startswith(_JOURNAL) for name in head.members)
    return any("version" in one and _is_log(one) and _goes_on(one) for one in head.objects)


def missing(head: FileHead) -> str:
    """What keeps a file that is nearly a log from being one; "" for all else."""
    if recognise(head):
        return ""
    if head.members:
        sampled = any(name.startswith(_SAMPLES) for name in head.members)
        return _HEADER if sampled and "summaries.json" in head.members else ""
    log = next((one for one in head.objects if _is_log(one)), None)
    if log is None or not ("version" in log or _goes_on(log)):
        return ""
    return "samples" if "version" in log else "version"


def _is_log(document: JsonObject) -> bool:
    spec = object_of(document.get("eval"))
    return "task" in spec and any(name in spec for name in _NAMES)


def _goes_on(document: JsonObject) -> bool:
    """Samples come late: a long log has them behind its head."""
    return "samples" in document or "status" in document


@dataclass(frozen=True, slots=True)
class _Sample:
    """A sample as it was read, and what the log does not say of it."""

    run: AgentRun
    digest: str


@dataclass(slots=True)
class Attachments:
    """The long texts of the samples; a small log may name one so often that no memory holds all.

    Attributes:
        left: So many characters may still be put in the place of their names.
        missing: How many names had no text.
    """

    left: int = MAX_BYTES
    missing: int = 0

    def resolved(self, value: JsonValue, texts: JsonObject) -> JsonValue:
        """A message with the texts in the place of what names them; without one it is empty."""
        if isinstance(value, str):
            return self._text(value, texts) if value.startswith(_ATTACHED) else value
        if isinstance(value, list):
            return [self.resolved(one, texts) for one in value]
        if isinstance(value, dict) and value.get("type") not in _MEDIA:
            return {name: self.resolved(one, texts) for name, one in value.items()}
        return value

    def _text(self, named: str, texts: JsonObject) -> str:
        name = named.removeprefix(_ATTACHED)
        text = texts.get(name)
        if isinstance(text, str) and len(text) <= self.left:
            self.left -= len(text)
            return text
        if text is None and not _HASH.fullmatch(name):
            return named
        self.missing += 1
        return ""


class Reader:
    """Takes a log, or the members of one."""

    def __init__(self) -> None:
        self._samples: list[_Sample] = []
        self._attachments = Attachments()
        self._dropped: Counter[str] = Counter()
        self._total = 0
        self._version = ""
        self._session = ""

    def take(self, record: Record) -> None:
        """Take a document or a member; those that sum up what others hold are passed by."""
        member, value = record.chunk.member, object_of(record.value)
        if member.startswith(_SAMPLES):
            self._take_sample(value, record.chunk, (), record.text)
        elif not member or member in _LOGS:
            self._take_log(value)
        if not member:
            samples = list_of(value.get("samples"))
            texts = [b""] * len(samples) if self._session else _texts(record, len(samples))
            for index, sample in enumerate(samples):
                path = ("samples", index)
                self._take_sample(object_of(sample), record.chunk, path, texts[index])

    def recording(self) -> Recording:
        """All that was taken so far."""
        runs = tuple(replace(one.run, session=self._session or one.digest) for one in self._samples)
        return Recording(
            format=Format.INSPECT,
            runs=runs,
            version=self._version,
            unit="messages",
            total=self._total,
            dropped=dict(self._dropped),
            passed_over=() if runs else (("", Phrase("a log without samples")),),
        )

    def _take_log(self, log: JsonObject) -> None:
        spec = object_of(log.get("eval"))
        named = (text_of(spec.get(name)) for name in _NAMES)
        self._session = self._session or next((one for one in named if one), "")
        version = text_of(object_of(spec.get("packages")).get("inspect_ai"))
        self._version = self._version or version

    def _take_sample(self, sample: JsonObject, chunk: Chunk, path: JsonPath, text: bytes) -> None:
        made = Conversation(omitted=_SUBMIT)
        attachments = object_of(sample.get("attachments"))
        missing = self._attachments.missing
        for index, message in enumerate(list_of(sample.get("messages"))):
            before = self._attachments.missing
            is_system = role_of(object_of(message)) == "system"  # makes no step, whatever it says
            whole = message if is_system else self._attachments.resolved(message, attachments)
            left_out = DropName.NOT_RECORDED if self._attachments.missing > before else ""
            made.add(whole, chunk, (*path, "messages", index), left_out)
        blocks = made.blocks
        if blocks and not blocks[0].at:
            blocks[0] = replace(blocks[0], at=_started(sample))
        name, epoch = _shown(sample.get("id")), _shown(sample.get("epoch"))
        run = AgentRun(
            blocks=tuple(blocks),
            key=f"{name}:{epoch}",
            name=_named(name, epoch),
            content_recorded=self._attachments.missing == missing,
            ended=True,
            scores=_scores(sample),
            chunk=chunk,
        )
        digest = "" if self._session else hashlib.sha256(text).hexdigest()
        self._samples.append(_Sample(run, digest))
        self._total += made.total
        self._dropped += made.dropped


def _texts(record: Record, count: int) -> list[bytes]:
    """The samples of a document, each as it stands there."""
    text = record.text.decode("utf-8", "replace")
    if not text:
        return [b""] * count
    starts = offsets_of(text, [("samples", index) for index in range(count)]).values()
    return [text[start : DECODER.raw_decode(text, start)[1]].encode() for start in starts]


def _named(name: str, epoch: str) -> str:
    if epoch in ("", "1"):
        return name
    return Phrase("{name} epoch {epoch}", name=name, epoch=epoch)


def _shown(value: JsonValue) -> str:
    """An id or a number as it is shown."""
    return "" if value is None else as_content(value)


def _started(sample: JsonObject) -> str:
    """When a sample began: as it says, else by its first event."""
    events = list_of(sample.get("events"))[:1]
    return text_of(sample.get("started_at")) or next(
        (text_of(object_of(one).get("timestamp")) for one in events), ""
    )


def _scores(sample: JsonObject) -> dict[str, JsonValue]:
    """What each scorer said: the value alone, which the user may take for success or not."""
    scores = object_of(sample.get("scores"))
    return {name: object_of(score).get("value") for name, score in scores.items()}
