"""The formats with their names, their readers and the versions they are tested with."""

from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Final, Protocol, cast

from kpinspector.runs.run import Format, Record, Recording
from kpinspector.runs.texts import FileHead


class Reader(Protocol):
    """Takes the JSON texts of a recording one by one."""

    def take(self, record: Record) -> None:
        """Take the next text."""

    def recording(self) -> Recording:
        """The recording as far as it was taken."""


class ReaderModule(Protocol):
    """The contents of a format's module."""

    Reader: type[Reader]

    def recognise(self, head: FileHead) -> bool:
        """Whether a file with this beginning is of the format."""

    def missing(self, head: FileHead) -> str:
        """What a file lacks that is otherwise of the format; "" for any other file."""


@dataclass(frozen=True, slots=True)
class FormatInfo:
    """A format as it is listed.

    Attributes:
        name: The name that people know.
        module: The module in ``readers``.
        tested: The versions that the tests cover.
    """

    name: str
    module: str
    tested: tuple[str, ...]


# in the order in which they are tried: message lists last, as other formats are such lists too
FORMATS: Final = MappingProxyType(
    {
        Format.CLAUDE_CODE: FormatInfo(
            "Claude Code", "claude_code", ("1.0.110", "2.0.30", "2.1.197", "2.1.330")
        ),
        Format.CODEX: FormatInfo("Codex", "codex", ("0.45.0", "0.104.0", "0.169.0")),
        Format.OTLP: FormatInfo(
            "OpenTelemetry",
            "otlp",
            (
                "pydantic-ai 1.0.10",
                "pydantic-ai 2.68.0",
                "ai 6.0.326",
                "ai 7.0.173",
                "opentelemetry-instrumentation-openai-v2 2.1b0",
                "opentelemetry-instrumentation-openai-v2 2.4b0",
                "opentelemetry-instrumentation-openai 0.40.5",
                "opentelemetry-instrumentation-openai 0.62.4",
                "openinference-instrumentation-openai 0.1.66",
                "openinference-instrumentation-langchain 0.1.80",
                "openinference-instrumentation-openai-agents 2.6.0",
                "openinference-instrumentation-smolagents 0.1.43",
                "strands-agents 1.62.0",
            ),
        ),
        Format.INSPECT: FormatInfo("Inspect", "inspect", ("0.3.100", "0.3.285")),
        Format.SWE_AGENT: FormatInfo("SWE-agent", "swe_agent", ("mini-swe-agent 2.4.6",)),
        Format.ATIF: FormatInfo("ATIF", "atif", ("1.8",)),
        Format.GEMINI: FormatInfo("Gemini CLI", "gemini", ("0.12.0", "0.61.0")),
        Format.OPENCODE: FormatInfo("opencode", "opencode", ("1.18.33",)),
        Format.PYDANTIC_AI: FormatInfo("pydantic-ai", "pydantic_ai", ("2.68.0",)),
        Format.VERCEL_AI: FormatInfo("Vercel AI", "vercel_ai", ("6.0.326",)),
        Format.SMOLAGENTS: FormatInfo("smolagents", "smolagents", ("1.26.0",)),
        Format.AUTOGEN: FormatInfo("AutoGen", "autogen", ("0.7.5",)),
        Format.MESSAGES: FormatInfo(
            "Message list",
            "messages",
            (
                "anthropic 2.12.0",
                "langchain-core 1.7.2",
                "openai-agents 0.24.0",
                "strands-agents 1.62.0",
            ),
        ),
    }
)


def reader_of(form: Format) -> ReaderModule:
    """The module that reads a format."""
    return cast(ReaderModule, import_module(f"kpinspector.runs.readers.{FORMATS[form].module}"))
