"""What any room hands out in words: in English, with all that it takes to say it otherwise.

Trace and scoring say what they found by a form, the key of every catalogue, and by the values in
its places. A report keeps the English; ``words`` says it in the reader's language.
"""

from typing import Self


class Phrase(str):
    """A text in English, its form and its values; a whole number among these is a count."""

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
    """The form for so many; ``{number}`` in it is the number with its commas."""
    phrase = Phrase(one if number == 1 else many, number=f"{number:,}", **named)
    phrase.form, phrase.plural = one, (many, number)
    return phrase
