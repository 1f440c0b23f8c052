"""Agno's runs: the output of one, or the rows of runs or sessions in its JSON database."""

from collections.abc import Iterator
from typing import Final

from typing_extensions import override

from kpinspector.runs.readers.message import ConversationReader
from kpinspector.runs.readers.reader import Format, Spot, by_entry, run_of
from kpinspector.runs.run import DropName, Record

# keys of a run, of its row, and of the row of a session with its runs, if any
_MARKS: Final = ({"run_id", "messages"}, {"run_id", "run_data"}, {"session_id", "session_data"})
_HELD: Final = ("runs", "member_responses")


class _Reader(ConversationReader):
    def __init__(self) -> None:
        super().__init__()
        self._seen: set[str] = set()

    @override
    def take(self, record: Record) -> None:
        whole = Spot.of(record)
        for row in list(whole.each()) or [whole]:
            for run, session in _runs(row, ""):
                run_id = run.text("run_id")
                key = run_id if run.text("parent_run_id") else ""
                made = self.conversation(run_of(key, (), session))
                for message in run.each("messages"):
                    if run_id in self._seen or message.get("from_history") is True:
                        self.counted((), DropName.COPIED_CONTEXT)
                    else:
                        made.add(message)
                self._seen |= {run_id} - {""}


def _runs(row: Spot, session: str) -> Iterator[tuple[Spot, str]]:
    """The runs in a row or in an outer run, each with its session."""
    session = row.text("session_id") or session
    run = row.inside("run_data") if row.has("run_data") else row
    session = run.text("session_id") or session
    if run.has("messages"):
        yield run, session
    for name in _HELD:
        for one in run.each(name):
            yield from _runs(one, session)


FORMAT: Final = Format(
    id="agno",
    name="Agno",
    tested=("3.1.10",),
    failure="tool_call_error",
    lacks=by_entry(lambda row: "" if any(one <= row.keys() for one in _MARKS) else None),
    reader=_Reader,
)
