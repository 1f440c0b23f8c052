"""What would leave the machine as plain text for a terminal."""

from kpinspector.sharing.answer import Ways
from kpinspector.sharing.posting import Way
from kpinspector.trace.printable import on_one_line
from kpinspector.words.sharing import (
    both_ways,
    cleaned_line,
    looked_for_line,
    private_line,
    sharing_sections,
    verdict_line,
    wrap_line,
)
from kpinspector.words.writers.columns import display_width, wrapped
from kpinspector.words.writers.explanation_text import section_lines


def sharing_text(name: str, ways: Ways, way: Way, width: int | None = None) -> str:
    """The answer for one trace; ends in a line feed.

    Args:
        name: Of the trace.
        ways: What becomes of it by either way.
        way: The one that is told of in full.
        width: Of the terminal in cells.
    """
    sharing = ways.by(way)
    names = wrapped(on_one_line(name), width)
    lines = [*names, "=" * max(map(display_width, names))]
    remarks = cleaned_line(sharing), wrap_line(ways), private_line(sharing), looked_for_line()
    for sentence in (f"{verdict_line(sharing)}.", both_ways(ways), *remarks):
        lines += [] if not sentence else wrapped(on_one_line(sentence), width)
    for section in sharing_sections(sharing):
        lines += ["", *section_lines(section, width)]
    return "\n".join(lines) + "\n"
