"""The formats that are read, a module for each."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Final, cast

from kpinspector.runs.readers.reader import Format

# in the order in which they are tried: message lists last, as other formats are such lists too
_MODULES: Final = (
    "claude_code",
    "codex",
    "otlp",
    "inspect",
    "swe_agent",
    "atif",
    "gemini",
    "opencode",
    "pydantic_ai",
    "vercel_ai",
    "smolagents",
    "autogen",
    "messages",
)


@cache
def formats() -> Mapping[str, Format]:
    """The formats by their ids, loaded when they are first asked for: a trace needs none."""
    modules = (import_module(f"{__name__}.{name}") for name in _MODULES)
    found = (cast(Format, module.FORMAT) for module in modules)
    return MappingProxyType({one.id: one for one in found})
