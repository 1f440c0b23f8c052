"""The help as web pages: python -m sphinx -W --keep-going -c docs resources/help FOLDER."""

from pathlib import Path

project = "kpinspector"
extensions = ["myst_parser"]
html_theme = "furo"
root_doc = "index"
html_show_copyright = False


def add_contents(app, name, source):
    """Tell the builder which pages there are; the window knows no such list."""
    if name == root_doc:
        pages = sorted(path.stem for path in Path(app.srcdir).glob("*.md"))
        listed = "\n".join(one for one in pages if one != root_doc)
        source[0] += f"\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"


def setup(app):
    """Called by Sphinx."""
    app.connect("source-read", add_contents)
