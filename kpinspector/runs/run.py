"""What a recording holds, whatever wrote it: the runs of an agent, block by block, in order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from kpinspector.trace.model import JsonObject, JsonValue
from kpinspector.trace.records import JsonPath, Problem


class Format(StrEnum):
    """The formats that are read; the values are what ``--as`` takes."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    MESSAGES = "messages"
    OTLP = "otlp"
    INSPECT = "inspect"
    SWE_AGENT = "swe-agent"
    ATIF = "atif"
    GEMINI = "gemini"
    OPENCODE = "opencode"
    PYDANTIC_AI = "pydantic-ai"
    VERCEL_AI = "vercel-ai"
    SMOLAGENTS = "smolagents"
    AUTOGEN = "autogen"


class DropName(StrEnum):
    """What lines, messages or spans are called of which no step is made.

    What a recording calls them itself stands beside these.
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


def message_name(role: str) -> str:
    """What messages of a role are called that make no step; a role of its own as recorded."""
    return {"system": DropName.SYSTEM, "developer": DropName.DEVELOPER, "": DropName.NOBODY}.get(
        role, role
    )


class BlockKind(StrEnum):
    """What a block of a run is."""

    PROMPT = "prompt"
    TEXT = "text"
    REASONING = "reasoning"
    CALL = "call"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Where a JSON text stands in a file.

    Attributes:
        line: Of its first character, from 1.
        start: Offset in bytes in the unpacked file, or in a zip's member.
        end: The offset behind it.
        member: The member of a zip; else "".
    """

    line: int
    start: int
    end: int
    member: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON text of a recording: where it stands, as a value, and as it was written."""

    chunk: Chunk
    value: JsonValue
    text: bytes = b""


@dataclass(frozen=True, slots=True)
class BlockPlace:
    """Where a block stands: in which JSON text, and at which path inside.

    Attributes:
        spot: Where the value at the path stands, in a text that is a document; None elsewhere.
    """

    chunk: Chunk
    path: JsonPath = ()
    spot: Chunk | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Something that was said, called or answered in a run.

    Attributes:
        text: As recorded, not stripped; of a call "".
        answer: Equal for the blocks of one answer of the model; "" where that is not known.
        tool: The name of the tool that was called; "" for all that is no call.
        input: What it was called with: an object, or whatever stands in its place.
        call_id: Equal for a call and its result; "" where there is none.
        failed: The source marks the result as failed.
        spared: It failed by a refusal, an interruption or a time-out, which nothing recovers from.
        at: When, as ISO 8601; "" where that is not recorded.
        unit: Of which line, message or span it is, from 1: blocks of one have the same number, and
            others of the run have others; 0 stands for the line on which it stands.
    """

    kind: BlockKind
    place: BlockPlace
    text: str = ""
    answer: str = ""
    tool: str = ""
    input: JsonValue = None
    call_id: str = ""
    failed: bool = False
    spared: bool = False
    at: str = ""
    unit: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRun:
    """One run of an agent.

    Attributes:
        blocks: In the order recorded.
        session: What the recording calls it; "" where nothing does.
        key: Which run of the session it is; "" for the main one.
        name: What it is called behind the name of the file; "" for the main one.
        is_sub_agent: It was begun by another run of the recording.
        content_recorded: False where texts were left out when it was recorded.
        ended: The recording says that the run came to its end.
        success: By a verifier or an explicit status; None where nothing says so.
        confidence: The same, 0 to 1.
        domain: None where none is recorded.
        scores: What else a verifier said, by name.
        chunk: Of the record that holds the run, where one record does; else None.
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
    scores: Mapping[str, JsonValue] = field(default_factory=dict)
    chunk: Chunk | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """All that one file holds.

    Attributes:
        version: Of the agent or of the format, as recorded; "" where it is not.
        unit: What is counted: lines, messages, spans, samples.
        total: How many of these there are.
        dropped: How many of them made no step, by what they are: a `DropName`, or as recorded;
            the rest made steps.
        passed_over: Runs that are listed and not shown: their name, and why.
        problems: What could not be read.
    """

    format: Format
    runs: tuple[AgentRun, ...]
    version: str = ""
    unit: str = "lines"
    total: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    passed_over: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()


def text_of(value: JsonValue) -> str:
    """A text, or "" for what is none."""
    return value if isinstance(value, str) else ""


def object_of(value: JsonValue) -> JsonObject:
    """An object, or an empty one for what is none."""
    return value if isinstance(value, dict) else {}


def list_of(value: JsonValue) -> list[JsonValue]:
    """A list, or an empty one for what is none."""
    return value if isinstance(value, list) else []


def units_of(blocks: Iterable[Block]) -> int:
    """How many lines, messages or spans the blocks of a run are from."""
    return len({block.unit or block.place.chunk.line for block in blocks})
