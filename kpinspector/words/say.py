"""Makes all texts for readers: whole sentences with named places, in the reader's language.

Sentences stand in the code in English and are looked up in a gettext catalogue of the domain
``kpinspector``. There is none yet: a message that is not found stays English.
"""

import gettext
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from typing_extensions import override

from kpinspector.files import resources
from kpinspector.phrase import Phrase

Key = TypeVar("Key")
_catalogue = gettext.translation("kpinspector", str(resources() / "locale"), fallback=True)


def language() -> str:
    """The reader's language, as BCP 47 writes it: "en", "zh-Hans"."""
    return _catalogue.info().get("language", "en").replace("_", "-")


def say(message: str, /, **named: object) -> str:
    """The message in the reader's language, its places filled; phrases in them are translated."""
    found = _catalogue.gettext(message)
    return _filled(found, named) if named else found


def say_count(one: str, many: str, number: int, /, **named: object) -> str:
    """The form of the message for this number; ``{number}`` in it is the number with commas."""
    found = _catalogue.ngettext(one, many, number)
    return _filled(found, {**named, "number": f"{number:,}"})


def say_list(parts: Iterable[str]) -> str:
    """The parts as "a, b, c"; empty ones are left out."""
    said = ""
    for part in filter(None, parts):
        said = say("{before}, {after}", before=said, after=part) if said else part
    return said


def say_all(names: Sequence[str]) -> str:
    """The names as "a, b and c"."""
    *first, last = names
    return say("{names} and {last}", names=say_list(first), last=last) if first else last


def say_any(names: Sequence[str]) -> str:
    """The names as "a, b or c"."""
    *first, last = names
    return say("{names} or {last}", names=say_list(first), last=last) if first else last


def in_words(text: str) -> str:
    """A phrase in the reader's language; any other text as it is."""
    if not isinstance(text, Phrase):
        return text
    plural = text.plural
    catalogue = _catalogue
    found = catalogue.ngettext(text.form, *plural) if plural else catalogue.gettext(text.form)
    if not text.named:
        return found
    counts = {name: f"{one:,}" for name, one in text.named.items() if isinstance(one, int)}
    return _filled(found, {**text.named, **counts})


class Names(Mapping[Key, str]):
    """Names that are phrases, translated on look-up, each with a ``capital`` if that is set."""

    def __init__(self, phrases: Mapping[Key, str], *, capital: bool = False) -> None:
        self._phrases, self._capital = phrases, capital

    @override
    def __getitem__(self, key: Key) -> str:
        said = in_words(self._phrases[key])
        return capitalised(said) if self._capital else said

    @override
    def __iter__(self) -> Iterator[Key]:
        return iter(self._phrases)

    @override
    def __len__(self) -> int:
        return len(self._phrases)


def capitalised(text: str) -> str:
    """A phrase as the beginning of a sentence; the rest keeps its letters."""
    return text[:1].upper() + text[1:]


def template(message: str, /) -> str:
    """The message in the reader's language, with its places open."""
    return _catalogue.gettext(message)


def _filled(found: str, named: dict[str, object]) -> str:
    for name, value in named.items():
        if isinstance(value, Phrase):
            named[name] = in_words(value)
    return found.format(**named)


def forms(one: str, many: str, /) -> tuple[str, str]:
    """Both forms of a message whose only place is ``{number}``, for ``say_number``."""
    return one, many


def say_number(forms: tuple[str, str], number: int, shown: str = "") -> str:
    """The form for this number, filled with it, or with ``shown``, such as the word for it."""
    return _filled(_catalogue.ngettext(*forms, number), {"number": shown or f"{number:,}"})
