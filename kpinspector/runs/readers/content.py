"""What several formats share: the parts of a message, times and exit codes."""

from datetime import UTC, datetime

from kpinspector.runs.rules import as_content
from kpinspector.runs.run import list_of, object_of
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject, JsonValue


def texts_in(content: JsonValue, path: JsonPath = ()) -> list[tuple[JsonPath, str]]:
    """The non-blank texts of a message, each with its path; the content is a text or has parts."""
    if isinstance(content, str):
        found = [(path, content)]
    else:
        parts = enumerate(object_of(part).get("text") for part in list_of(content))
        found = [((*path, index), text) for index, text in parts if isinstance(text, str)]
    return [(where, text) for where, text in found if text.strip()]


def joined_text(content: JsonValue) -> str:
    """A message as one text; the texts of several parts are joined by newlines."""
    if isinstance(content, str):
        return content
    texts = (object_of(part).get("text") for part in list_of(content))
    return "\n".join(text for text in texts if isinstance(text, str))


def moment(seconds: JsonValue) -> str:
    """Seconds since 1970 as ISO 8601; "" for any other value."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return ""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def content_text(content: JsonValue) -> str:
    """A result as text: parts joined by newlines, any other JSON value written compactly."""
    if not isinstance(content, list):
        return "" if content is None else as_content(content)
    are_parts = all("type" in object_of(part) or "text" in object_of(part) for part in content)
    return joined_text(content) if are_parts else as_content(content)


def exit_code(found: JsonObject, name: str) -> int | float:
    """The exit code of a command, by its name in ``metadata``; 0 if there is none."""
    code = object_of(found.get("metadata")).get(name)
    return code if isinstance(code, int | float) else 0
