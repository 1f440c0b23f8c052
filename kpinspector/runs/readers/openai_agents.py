"""Sessions of the OpenAI Agents SDK: the rows of its SQLite table, each with an item."""

from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.message import ConversationReader
from kpinspector.runs.readers.reader import Format, Spot, by_object
from kpinspector.runs.run import AgentRun, Record

_COLUMNS: Final = {"session_id", "message_data", "created_at"}


class _Reader(ConversationReader):
    @override
    def take(self, record: Record) -> None:
        row = Spot.of(record)
        row.at, session = row.text("created_at"), row.text("session_id")
        made = self.conversation(AgentRun(blocks=(), session=session, name=session))
        made.add(row.inside("message_data"))


FORMAT: Final = Format(
    id="openai-agents",
    name="OpenAI Agents SDK",
    tested=("0.24.0",),
    failure=Phrase("is_error or status"),
    lacks=by_object(lambda row: "" if row.keys() >= _COLUMNS else None),
    reader=_Reader,
)
