"""What would leave the machine as plain text for a terminal."""

from kpinspector.sharing.answer import Sharing
from kpinspector.trace.printable import on_one_line
from kpinspector.words.sharing_words import both_ways, sharing_sections, verdict_line
from kpinspector.words.writers.columns import display_width, wrapped
from kpinspector.words.writers.explanation_text import section_lines


def sharing_text(
    name: str, sharing: Sharing, contributed: Sharing, captured: Sharing, width: int | None = None
) -> str:
    """The answer for one trace; ends in a line feed.

    Args:
        name: Of the trace.
        sharing: The way that was asked for.
        contributed: What contribute would do.
        captured: What capture would do.
        width: Of the terminal in cells.
    """
    names = wrapped(on_one_line(name), width)
    lines = [*names, "=" * max(map(display_width, names))]
    for sentence in (f"{verdict_line(sharing)}.", both_ways(contributed, captured)):
        lines += wrapped(on_one_line(sentence), width)
    for section in sharing_sections(sharing):
        lines += ["", *section_lines(section, width)]
    return "\n".join(lines) + "\n"
