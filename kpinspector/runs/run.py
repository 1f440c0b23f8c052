"""A recording in one form for all formats: the runs of an agent, each a sequence of blocks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from kpinspector.trace.javascript import JsonPath, JsonValue
from kpinspector.trace.records import Problem


class DropName(StrEnum):
    """The names under which lines, messages or spans without a step are counted.

    Names that the recording itself uses are kept beside these.
    """

    SYSTEM = "system message"
    DEVELOPER = "developer message"
    NOBODY = "message of nobody"
    NO_ROLE = "of no role"
    NO_TYPE = "of no type"
    NO_SOURCE = "of no source"
    NO_KIND = "of no kind"
    EMPTY = "empty or redacted"
    NOT_RECORDED = "content not recorded"
    CLIENT = "the client's own"
    FRAMEWORK = "the framework's own"
    COMPACTION = "compaction summary"
    WARM_UP = "of a warm-up"
    EVENT = "events"
    COPIED_CONTEXT = "copied context"
    COPIED_RESULT = "copy of a result"
    REWRITTEN = "rewritten later"
    HEADER = "header"
    PATCH = "patch"
    REWIND = "rewind"
    PLAN = "plan"
    TOLD_AGAIN = "results told again"
    HANDOFF = "handoff"
    END = "end of the task"
    PIECE = "piece of an answer"
    IMAGE = "image"
    SOUND = "sound"
    VIDEO = "video"
    FILE = "file"
    NO_TRAJECTORY = "no trajectory"
    EMPTY_TURN = "empty turn"
    OLD_REQUEST = "requests that say nothing new"
    OLD_LOG = "log records that say nothing new"
    KNOWN_TOOL = "tools that a request tells of"
    AGENT_SPAN = "agents"
    OTHER_SPAN = "other spans"
    NO_SPAN = "lines without a span"
    UNREADABLE = "unreadable"
    CUT = "cut at the end"
    MAIN_RUN = "of the main run"
    SUB_AGENT = "of a sub-agent"
    SUB_AGENTS = "of sub-agents"
    OTHER_RUN = "of another run"
    OTHER_RUNS = "of other runs"
    BRANCH = "of another branch"

    @staticmethod
    def of_role(role: str) -> str:
        """The name under which messages of a role are counted; other roles keep their own name."""
        return _ROLES.get(role, role)


_ROLES = {"system": DropName.SYSTEM, "developer": DropName.DEVELOPER, "": DropName.NOBODY}


class BlockKind(StrEnum):
    """What a block of a run is."""

    PROMPT = "prompt"
    TEXT = "text"
    REASONING = "reasoning"
    CALL = "call"
    RESULT = "result"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Chunk:
    """The place of a JSON text in a file: the line of its first character, from 1, and its bytes.

    ``start`` and ``end`` count in the unpacked file, or in the ``member`` of a zip, "" outside one.
    """

    line: int
    start: int
    end: int
    member: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON text of a recording: its place, its value and its bytes."""

    chunk: Chunk
    value: JsonValue
    text: bytes = b""


@dataclass(frozen=True, slots=True)
class BlockPlace:
    """The place of a block: that of its JSON text, and the path within this text.

    ``spot``: the place of the value itself within a document; None in JSON Lines.
    """

    chunk: Chunk
    path: JsonPath = ()
    spot: Chunk | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A prompt, a text, reasoning, a call or a result; or an other part, which makes no step.

    Attributes:
        text: As recorded, not stripped; "" for a call; of another part its name.
        answer: The same for all blocks of one answer of the model; "" if unknown.
        input: The input of a call: an object, or whatever is recorded instead.
        call_id: The same for a call and its result; "" if none is recorded.
        hidden: The content of the result was not captured.
        spared: It failed by refusal, interruption or time-out; no recovery is derived from that.
        at: The time as ISO 8601; "" if none is recorded.
        unit: The number of the line, message or span that it comes from, from 1; 0 if that is the
            line of its place.
    """

    kind: BlockKind
    place: BlockPlace
    text: str = ""
    answer: str = ""
    tool: str = ""
    input: JsonValue = None
    call_id: str = ""
    failed: bool = False
    hidden: bool = False
    spared: bool = False
    at: str = ""
    unit: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRun:
    """One run of an agent.

    Attributes:
        key: Tells the runs of a session apart; "" for the main run.
        name: Shown after the name of the file; "" for the main run.
        is_sub_agent: Another run of the recording began it.
        content_recorded: False if texts were left out when it was recorded.
        success: By a verifier or an explicit status; None if neither is recorded.
        confidence: Likewise, 0 to 1.
        scores: The values of scorers by name, as texts.
        chunk: The place of the JSON text that holds the run; None if several texts do.
        parts: How many parts of units with a step made none, by `DropName` or the recorded name.
    """

    blocks: tuple[Block, ...]
    session: str = ""
    key: str = ""
    name: str = ""
    is_sub_agent: bool = False
    content_recorded: bool = True
    ended: bool = False
    success: bool | None = None
    confidence: float | None = None
    domain: str | None = None
    scores: Mapping[str, str] = field(default_factory=dict)
    chunk: Chunk | None = None
    parts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The runs of one file, and counts of what made no step.

    Attributes:
        version: The version of the agent or format; "" if none is recorded.
        unit: What is counted: lines, messages, spans or the like.
        total: How many units there are.
        dropped: How many units made no step, by `DropName` or the recorded name.
        passed_over: Runs that are listed but not shown: name and reason; "" names the whole file.
        refused: Records that are not read, each with the reason.
    """

    runs: tuple[AgentRun, ...]
    format: str = ""
    version: str = ""
    unit: str = "lines"
    total: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    passed_over: tuple[tuple[str, str], ...] = ()
    refused: tuple[tuple[Chunk, str], ...] = ()
    problems: tuple[Problem, ...] = ()


def unit_of(block: Block) -> int:
    """The number of the line, message or span that a block comes from."""
    return block.unit or block.place.chunk.line


def units_of(blocks: Iterable[Block]) -> int:
    """How many lines, messages or spans the blocks come from."""
    return len(set(map(unit_of, blocks)))
