"""The one way to words: a whole sentence, with named places, as the reader's language has it.

Sentences stand in the code in English and are looked up in a gettext catalogue of the domain
``kpinspector``. There is none yet: what is not found is said in English.
"""

import gettext

from kpinspector.files import resources

_catalogue = gettext.translation("kpinspector", str(resources() / "locale"), fallback=True)


def say(message: str, /, **named: object) -> str:
    """The message in the reader's language, with its places filled."""
    found = _catalogue.gettext(message)
    return found.format(**named) if named else found


def say_count(one: str, many: str, number: int, /, **named: object) -> str:
    """The form of the message for so many; ``{number}`` in it is the number with its commas."""
    return _catalogue.ngettext(one, many, number).format(number=f"{number:,}", **named)


def template(message: str, /) -> str:
    """The message in the reader's language, with its places open."""
    return _catalogue.gettext(message)
