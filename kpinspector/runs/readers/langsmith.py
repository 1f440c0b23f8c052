"""Runs that LangSmith keeps, flat as it lists them: the messages of the outermost are read."""

from typing import Final

from typing_extensions import override

from kpinspector.runs.readers.message import ConversationReader
from kpinspector.runs.readers.reader import Format, Reader, Spot, by_entry
from kpinspector.runs.run import AgentRun, DropName, Record, Recording


class _Reader(Reader):
    unit = "messages"

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[Spot] = []

    @override
    def take(self, record: Record) -> None:
        whole = Spot.of(record)
        self._runs += list(whole.each()) or [whole]

    @override
    def recording(self) -> Recording:
        made, seen = ConversationReader(), set[tuple[str, str]]()
        roots = [one for one in self._runs if not one.get("parent_run_id")]
        for _ in range(len(self._runs) - len(roots)):
            made.counted((), DropName.OTHER_SPAN)
        for root in sorted(roots, key=lambda root: root.text("start_time")):
            thread = root.text("extra", "metadata", "thread_id") or root.text("trace_id")
            run = made.conversation(AgentRun(blocks=(), session=thread))
            root.at = root.text("start_time")
            said = list(root.each("outputs", "messages")) or list(root.each("inputs", "messages"))
            if not said:
                made.counted((), DropName.EMPTY)
            for message in said:
                one = thread, message.text("id")
                if one in seen:
                    made.counted((), DropName.COPIED_CONTEXT)
                else:
                    run.add(message)
                seen |= {one} if one[1] else set()
        return made.recording()


FORMAT: Final = Format(
    id="langsmith",
    name="LangSmith",
    tested=("langchain-core 1.7.2",),
    failure="status",
    lacks=by_entry(lambda run: "" if {"run_type", "trace_id"} <= run.keys() else None),
    reader=_Reader,
)
