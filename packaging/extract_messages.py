"""Write ``resources/locale/kpinspector.pot``, the template of every language's catalogue.

It holds neither dates nor line numbers, so that it changes with a sentence only.
"""

from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from kpinspector.files import resources, write_atomic

TEMPLATE = resources() / "locale" / "kpinspector.pot"
_CODE = Path(__file__).resolve().parents[1] / "kpinspector"
_KEYWORDS = {
    "Phrase": None,
    "count_phrase": (1, 2),
    "forms": (1, 2),
    "say": None,
    "say_sentence": None,
    "say_count": (1, 2),
}
# msgfmt takes a file without a charset for ASCII
_HEADER = b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def template() -> bytes:
    """Every message in alphabetical order."""
    catalog = Catalog()
    for _file, _line, message, _comments, _context in extract_from_dir(
        _CODE, [("**.py", "python")], keywords=_KEYWORDS
    ):
        catalog.add(message)
    text = BytesIO()
    write_po(text, catalog, width=0, no_location=True, omit_header=True, sort_output=True)
    return _HEADER + text.getvalue()


def main() -> None:
    """Extract and write."""
    TEMPLATE.parent.mkdir(exist_ok=True)
    write_atomic(TEMPLATE, template())


if __name__ == "__main__":
    main()
