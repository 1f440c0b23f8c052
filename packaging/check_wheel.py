"""Check that a built wheel holds the program's resources and both entry points."""

import sys
import zipfile
from pathlib import Path

NEEDED = (
    "kpinspector/__main__.py",
    "kpinspector/py.typed",
    "kpinspector/resources/completions/bash",
    "kpinspector/resources/help/index.md",
    "kpinspector/resources/minilm/model.onnx",
    "kpinspector/resources/minilm/weights.bin",
    "kpinspector/resources/minilm/tokenizer.json",
    "kpinspector/resources/minilm/manifest.json",
    "kpinspector/resources/minilm/LICENSE",
    "kpinspector/resources/report.schema.json",
    "kpinspector/resources/sharing.schema.json",
    "kpinspector/resources/explanation.css",
    "kpinspector/resources/samples/visit-03.json",
    "kpinspector/resources/icons/kpinspector.svg",
)
ENTRY_POINTS = ("[console_scripts]\nkpinspector =", "[gui_scripts]\nkpinspector-gui =")


def main() -> None:
    """Exit with what is missing."""
    with zipfile.ZipFile(Path(sys.argv[1])) as wheel:
        names = set(wheel.namelist())
        entry_file = next(name for name in names if name.endswith("entry_points.txt"))
        entries = wheel.read(entry_file).decode()
    missing = [*(set(NEEDED) - names), *(one for one in ENTRY_POINTS if one not in entries)]
    if missing:
        sys.exit(f"missing in the wheel: {', '.join(missing)}")
    print(f"{len(names)} files in the wheel, all that is needed among them")


if __name__ == "__main__":
    main()
