"""Inspect AI's logs, as one document or as a zip: a run for each sample.

Only the messages of a sample are read: its events tell the same from the framework's side.
"""

import hashlib
import re
from dataclasses import dataclass, replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.message import Conversation, role_of
from kpinspector.runs.readers.reader import Format, Reader, Spot, by_object
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import AgentRun, DropName, Record, Recording
from kpinspector.runs.texts import FileHead, object_of, value_of
from kpinspector.trace.bytes import MAX_BYTES
from kpinspector.trace.javascript import DECODER, JsonObject, JsonPath, JsonValue
from kpinspector.trace.place import offsets_of

_HEADER: Final = "header.json"
_JOURNAL: Final = "_journal/"
_LOGS: Final = (_HEADER, f"{_JOURNAL}start.json")
_SAMPLES: Final = "samples/"
_SUBMIT: Final = "submit"
_NAMES: Final = ("eval_id", "run_id")
# a long text is stored once in its sample, under its hash
_ATTACHED: Final = "attachment://"
_HASH = re.compile("[0-9a-f]{32}")
_MEDIA: Final = ("image", "audio", "video")


def _lacks(head: FileHead) -> str | None:
    """What a zip lacks, by the names of its members; or a document, by its beginning."""
    if head.members:
        if any(name == _HEADER or name.startswith(_JOURNAL) for name in head.members):
            return ""
        sampled = any(name.startswith(_SAMPLES) for name in head.members)
        return _HEADER if sampled and "summaries.json" in head.members else None
    return by_object(_document_lacks)(head)


def _document_lacks(document: JsonObject) -> str | None:
    spec = object_of(document, "eval")
    if "task" not in spec or not any(name in spec for name in _NAMES):
        return None
    goes_on = "samples" in document or "status" in document  # samples may come after the head
    if "version" in document:
        return "" if goes_on else "samples"
    return "version" if goes_on else None


@dataclass(slots=True)
class Attachments:
    """The long texts of samples; ``left``: how many characters of them may still be inserted.

    Without this limit, a small log could refer to a text so often that memory runs out.
    """

    left: int = MAX_BYTES
    missing: int = 0

    def resolved(self, value: JsonValue, texts: JsonObject) -> JsonValue:
        """A message with references replaced by their texts; unknown references become empty."""
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


class _Reader(Reader):
    unit = "messages"

    def __init__(self) -> None:
        super().__init__()
        self._attachments = Attachments()

    @override
    def take(self, record: Record) -> None:
        member, log = record.chunk.member, Spot.of(record)
        if member.startswith(_SAMPLES):
            self._take_sample(log, record.text)
        elif not member or member in _LOGS:
            named = next(filter(None, (log.text("eval", name) for name in _NAMES)), "")
            self.session = self.session or named
            self.version = self.version or log.text("eval", "packages", "inspect_ai")
        if not member:
            text = "" if self.session else record.text.decode("utf-8", "replace")
            paths: list[JsonPath] = [one.path for one in log.each("samples")]
            starts = offsets_of(text, paths) if text else dict.fromkeys(paths, 0)
            for sample in log.each("samples"):
                start = starts[sample.path]
                end = DECODER.raw_decode(text, start)[1] if text else 0
                self._take_sample(sample, text[start:end].encode())

    @override
    def recording(self) -> Recording:
        runs = tuple(replace(one, session=self.session or one.session) for one in self.runs)
        passed_over = () if runs else (("", Phrase("a log without samples")),)
        return replace(super().recording(), runs=runs, passed_over=passed_over)

    def _take_sample(self, sample: Spot, text: bytes) -> None:
        made = Conversation(self, omitted=_SUBMIT)
        attachments = object_of(sample.get("attachments"))
        missing = self._attachments.missing
        for message in sample.each("messages"):
            before = self._attachments.missing
            if role_of(object_of(message.value)) != "system":  # system messages make no step
                message.value = self._attachments.resolved(message.value, attachments)
            left_out = DropName.NOT_RECORDED if self._attachments.missing > before else ""
            made.add(message, left_out)
        blocks = made.blocks
        if blocks and not blocks[0].at:
            began = sample.text("started_at") or sample.text("events", 0, "timestamp")
            blocks[0] = replace(blocks[0], at=began)
        named = (sample.get(one) for one in ("id", "epoch"))
        name, epoch = ("" if one is None else as_content(one) for one in named)
        shown = Phrase("{name} epoch {epoch}", name=name, epoch=epoch)
        scores = object_of(sample.get("scores"))
        run = AgentRun(
            blocks=tuple(blocks),
            session="" if self.session else hashlib.sha256(text).hexdigest(),
            key=f"{name}:{epoch}",
            name=name if epoch in ("", "1") else shown,
            content_recorded=self._attachments.missing == missing,
            ended=True,
            scores={scorer: as_content(value_of(one, "value")) for scorer, one in scores.items()},
            chunk=sample.chunk,
        )
        self.runs.append(run)


FORMAT: Final = Format(
    id="inspect",
    name="Inspect",
    tested=("0.3.100", "0.3.285"),
    failure=Phrase("its error"),
    lacks=_lacks,
    reader=_Reader,
)
