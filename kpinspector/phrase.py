"""A text in English that any room may hand out, with all that a translation needs.

Trace and scoring say what they found by a form, the key of every catalogue, and by the values in
its places. A report keeps the English; ``words`` says it in the reader's language.
"""

from typing import Self


class Phrase(str):
    """A text in English, with its form and its values; an integer among these is a count."""

    __slots__ = ("form", "named", "plural")

    form: str
    named: dict[str, object]
    plural: tuple[str, int] | None  # the form for many, and how many they are

    def __new__(cls, form: str, /, **named: object) -> Self:
        """The form with its places filled."""
        phrase = super().__new__(cls, form.format(**named) if named else form)
        phrase.form, phrase.named, phrase.plural = form, named, None
        return phrase


def count_phrase(one: str, many: str, number: int, /, **named: object) -> Phrase:
    """The form for this number; ``{number}`` in it is the number with commas."""
    phrase = Phrase(one if number == 1 else many, number=f"{number:,}", **named)
    phrase.form, phrase.plural = one, (many, number)
    return phrase
