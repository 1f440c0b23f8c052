"""Which span stands in which, and a run while it is put together."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from kpinspector.runs.readers.otlp_messages import Item
from kpinspector.runs.readers.otlp_spans import Span, SpanKind

_DEEPEST: Final = 200


class Tree:
    """Which span stands in which."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = {(span.trace, span.id): span for span in spans if span.id}

    def above(self, span: Span) -> list[Span]:
        """The spans around a span, the nearest first."""
        found: list[Span] = []
        seen = {(span.trace, span.id)}
        key = (span.trace, span.parent)
        while key not in seen and key in self._spans and len(found) < _DEEPEST:
            seen.add(key)
            found.append(self._spans[key])
            key = (span.trace, found[-1].parent)
        return found

    def nearest(self, span: Span, kind: SpanKind) -> str:
        """The nearest span of a kind around a span, by trace and id; "" where there is none."""
        around = (one for one in self.above(span) if one.kind is kind)
        return next((f"{one.trace} {one.id}" for one in around), "")

    def scope(self, span: Span) -> str:
        """The tool within which a span ran; "" for none. What runs in a tool is a sub-agent's."""
        return self.nearest(span, SpanKind.TOOL)

    def root(self, span: Span) -> Span:
        """The outermost span around a span, within the tool that it ran in."""
        root = span
        for above in self.above(span):
            if above.kind is SpanKind.TOOL:
                break
            root = above
        return root


@dataclass(slots=True)
class OtlpRun:
    """A run that is being put together.

    Attributes:
        scope: The tool within which it ran; "" for none.
        session: "" where none is recorded.
        first: The span of its first request.
        last: The span of its last request.
        answered: Where in ``items`` the last answer begins.
    """

    scope: str
    session: str
    first: Span
    last: Span
    items: list[Item] = field(default_factory=list)
    answered: int = 0
