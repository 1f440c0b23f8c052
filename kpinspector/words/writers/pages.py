"""Explanations as one page: what the formats share."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from kpinspector.words.explanation import Explanation
from kpinspector.words.page import Cell, Mention, Section
from kpinspector.words.say import say_count
from kpinspector.words.sentences import Sentence
from kpinspector.words.summary import Front, index_row, index_section


class Page(ABC):
    """A page that takes explanations one by one; it keeps what is written, and none of them.

    Args:
        front: Begins a page of several, whose names become links.
    """

    def __init__(self, front: Front | None = None) -> None:
        self._front = front
        self._first = ""
        self._index: list[tuple[str | Cell, ...]] = []
        self._parts: list[bytes] = []  # half as large as texts
        # by the number of an explanation, and by the key of its trace: of copies the first
        self._anchors: dict[str | int, str] = {}
        if front is not None:
            for number, (one, name) in enumerate(
                zip(front.traces, self._names(front), strict=True), 1
            ):
                self._anchors[number] = name
                if one.key:
                    self._anchors.setdefault(one.key, name)

    @classmethod
    def of(
        cls,
        explanations: Iterable[Explanation],
        last: str,
        front: Front | None = None,
        end: Sequence[Section] = (),
    ) -> str:
        """A whole page; no explanation is kept longer than it takes to write.

        Args:
            explanations: Those of the front.
            last: What the page was made with.
            front: Begins a page of several, whose names become links.
            end: What stands after them.
        """
        page = cls(front)
        for one in explanations:
            page.add(one)
        return page.written(last, end).decode()

    def add(self, one: Explanation) -> None:
        """Write an explanation; those of the front come in its order."""
        self._first = self._first or one.name
        number = len(self._parts) + 1
        if self._front is not None:
            self._index.append(index_row(number, one))
        self._parts.append(encoded(self._explanation(one, number)))

    def written(self, last: str, end: Sequence[Section] = ()) -> bytes:
        """The whole page.

        Args:
            last: What it was made with.
            end: What stands after the explanations.
        """
        number, before = len(self._parts), b""
        several = say_count("{number} trace", "{number} traces", number)
        if self._front is not None:
            index = (index_section(self._index),) if self._index else ()
            before = encoded(self._titled(self._front.title, (*self._front.sections, *index)))
        after = encoded(self._titled("", end)) if end else b""
        title = self._first if number == 1 else several
        return self._whole(title, b"".join((before, *self._parts, after)), last)

    def _sentence(self, sentence: Sentence) -> str:
        return "".join(
            self._linked(run.text, Mention(run.text, run.key), strong=run.strong)
            for run in sentence
        )

    def _linked(self, text: str, mention: Mention | None, *, strong: bool) -> str:
        """A text in which the name of a trace is a link, if the trace is on the page."""
        anchor = None if mention is None else self._anchors.get(mention.key)
        if mention is None or anchor is None:
            written = self._text(text)
        else:
            before, name, after = mention.parted(text)
            link = self._link(self._text(name), anchor) if name else ""
            written = f"{self._text(before)}{link}{self._text(after)}"
        return self._bold(written) if strong and written else written

    @abstractmethod
    def _names(self, front: Front) -> Iterable[str]:
        """What links call the explanations of a page."""

    @abstractmethod
    def _explanation(self, one: Explanation, number: int) -> Iterator[str]:
        """The lines of one explanation, the one with this number."""

    @abstractmethod
    def _titled(self, title: str, sections: Iterable[Section]) -> Iterator[str]:
        """The lines of sections under a title, if they have one."""

    @abstractmethod
    def _whole(self, title: str, body: bytes, last: str) -> bytes:
        """The page around what is written."""

    @abstractmethod
    def _text(self, text: str) -> str:
        """The text itself, whatever it would mean in the format."""

    @abstractmethod
    def _bold(self, written: str) -> str:
        """What is written, so that it stands out."""

    @abstractmethod
    def _link(self, written: str, anchor: str) -> str:
        """What is written, as a link on the page."""


def encoded(lines: Iterable[str]) -> bytes:
    """Lines as they stand in a page."""
    return "".join(f"{line}\n" for line in lines).encode()
