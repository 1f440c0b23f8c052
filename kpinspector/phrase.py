"""A text in English that any room may hand out, with all that a translation needs.

Rooms below ``words`` make a text from a form, which is its key in catalogues, and values for its
places. A report keeps the English text; ``words`` translates it into the reader's language.
"""

from typing import Self


class Phrase(str):
    """A text in English, with its form and its values; an integer value is a count."""

    __slots__ = ("form", "named", "plural")

    form: str
    named: dict[str, object]
    plural: tuple[str, int] | None  # the plural form, and the number

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
