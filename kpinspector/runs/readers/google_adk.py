"""Sessions of Google's Agent Development Kit: events with the parts of Gemini's API."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.gemini import blocks_of
from kpinspector.runs.readers.message import of_user
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, by_object, moment
from kpinspector.runs.run import Block, DropName
from kpinspector.trace.javascript import JsonObject

_EVENTS: Final = "events"
_APP: Final = ("appName", "app_name")


def _lacks(session: JsonObject) -> str | None:
    is_list = isinstance(session.get(_EVENTS), list)
    return "" if is_list and any(name in session for name in _APP) else None


def _blocks(event: Spot) -> Iterator[Block]:
    if event.get("partial") is True:
        return
    event.at = moment(event.get("timestamp"))
    found = blocks_of(event.inside("content", "parts"))
    yield from of_user(found) if event.get("author") == "user" else found


def _why_nothing(event: Spot) -> str:
    return DropName.PIECE if event.get("partial") is True else DropName.EMPTY


FORMAT: Final = Format(
    id="google-adk",
    name="Google ADK",
    tested=("2.13.0",),
    failure=Phrase("the error of its response"),
    lacks=by_object(_lacks),
    reader=partial(EntryReader, _blocks, _why_nothing, ((_EVENTS,),), "messages", "id"),
)
