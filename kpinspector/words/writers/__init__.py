"""Explanations, comparisons and reports as text, Markdown, HTML, JSON and CSV.

The tables below list the file formats. Command line, menus and dialogues are made from them, in
their order, so that a new format needs a writer and one entry here.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

from kpinspector.phrase import Phrase


class Export(NamedTuple):
    """A file format; ``writer``: the module in this folder, and the name of the writer in it.

    ``entry``: its menu entry, with a letter free in that menu. ``files``: its name in file dialogs.
    """

    entry: Phrase
    files: Phrase
    suffix: str
    writer: str

    @property
    def write(self) -> Callable[..., Any]:
        """The writer, loaded when it is first needed."""
        module, name = self.writer.split(".")
        return getattr(import_module(f"{__name__}.{module}"), name)  # type: ignore[no-any-return]


# by option of `score`; a writer takes a report, and the types of its first entries
LISTS: Final[Mapping[str, Export]] = {
    "csv": Export(
        Phrase("Export List as CS&V…"), Phrase("Table (*.csv)"), ".csv", "report_csv.report_csv"
    ),
}
# by option of `explain`; a writer is a `Page`
EXPLANATIONS: Final[Mapping[str, Export]] = {
    "markdown": Export(
        Phrase("Export Explanation as &Markdown…"),
        Phrase("Markdown (*.md)"),
        ".md",
        "pages.MarkdownPage",
    ),
    "html": Export(
        Phrase("Export Explanation as H&TML…"),
        Phrase("Page (*.html)"),
        ".html",
        "explanation_html.HtmlPage",
    ),
}
EXPORTS: Final = {**LISTS, **EXPLANATIONS}
