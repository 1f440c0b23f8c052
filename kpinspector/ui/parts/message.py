"""What the window says to the user, until it is closed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageAction:
    """What can be done about it: a key for the program, a word for the user."""

    key: str
    word: str


@dataclass(frozen=True, slots=True)
class Message:
    """One plain sentence, never rich text.

    Attributes:
        lead: The first words of the text, written in demibold; may be empty.
        key: A message replaces the one with the same key; an empty key replaces none.
        fault: Something went wrong; else it only has to be known.
        detail: What stands below it once it is asked for, such as the paths that it counts.
    """

    text: str
    actions: tuple[MessageAction, ...] = ()
    lead: str = ""
    key: str = ""
    detail: str = ""
    fault: bool = True
