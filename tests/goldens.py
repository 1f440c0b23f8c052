"""What every command prints, byte for byte; run as a program it renews the goldens.

python -m tests.goldens
"""

import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from unittest import mock

import numpy as np

from kpinspector.__main__ import main
from kpinspector.cli import measuring
from kpinspector.files import resources
from kpinspector.scoring.model.embedder import Embedder, Window
from kpinspector.scoring.model.vectors import DIMENSIONS, Vector
from kpinspector.words.writers import EXPLANATIONS, LISTS
from tests.fakes import FakeEmbedder, Here

DATA = Path(__file__).parent / "data"
GOLDENS = DATA / "goldens"
WIDTHS = (60, 80, 200)
_USUAL = 80
_NOW = 1_767_225_600_000_000_000  # the first of January 2026, in nanoseconds
_NOW_SAID = re.compile(
    r'(?<=generated_at": ")[^"]+|(?<=written_at": ")[^"]+|(?<=written )\d{4}-\S+Z'
)
# a list, a sound one, and a trace that is none, as items of a list
_NESTED = """[{"@type": "ReasoningTrace", "id": "kp:trace:in", "steps": [], "outcome": {}},
 [{"@type": "ReasoningTrace", "id": "kp:trace:deeper"}], ["words"], 7,
 {"@type": "ReasoningTrace", "id": "kp:trace:open", "steps": [}]
"""


class Overlap(FakeEmbedder):
    """Texts are as similar as the sixteen words of each with the least hashes: exact everywhere."""

    def embed(self, window: Window) -> Vector:
        vector = np.zeros(DIMENSIONS, dtype=np.float32)
        chosen: list[int] = []
        for number in sorted(
            {int(hashlib.md5(b"%d" % one).hexdigest()[:8], 16) for one in window.ids}
        ):
            if number % DIMENSIONS not in chosen:
                chosen.append(number % DIMENSIONS)
        filler = int(window.digest[:8], 16)
        while len(chosen) < 16:  # a short text
            filler += 1
            if filler % DIMENSIONS not in chosen:
                chosen.append(filler % DIMENSIONS)
        vector[chosen[:16]] = 0.25
        return vector


_PAIR = ("samples/visit-03.json", "samples/visit-08.json")
_SESSION = "recordings/claude-code.jsonl"
_ALL = ("samples", "broken", "recordings")
# The first word is the chapter. Its commands run one after the other in one folder, with the
# memory that those before it left.
CASES: Final[dict[str, tuple[str, ...]]] = {
    "formats": ("formats",),
    **{f"score {one}": ("score", one, "--fresh") for one in _ALL},
    **{f"score {one} json": ("score", one, "--fresh", "--json") for one in _ALL},
    **{f"score {one} csv": ("score", one, "--fresh", "--csv", "-") for one in _ALL},
    "score remembering": ("score", *_PAIR, "samples/refund-loop.json"),
    "score again json": ("score", "samples/visit-08.json", "--json", "--profile", "finance"),
    "score missing": ("score", "nowhere.json", *_PAIR),
    "score threshold": ("score", "samples", "--guest", "--threshold", "0.6"),
    "explain pair": ("explain", *_PAIR, "--fresh"),
    "explain pair json": ("explain", *_PAIR, "--fresh", "--json"),
    **{
        f"explain pair {one}": ("explain", *_PAIR, "--fresh", f"--{one}", "-")
        for one in EXPLANATIONS
    },
    "explain samples": ("explain", "samples", "--fresh"),
    "explain samples json": ("explain", "samples", "--fresh", "--json"),
    "explain broken": ("explain", "broken", "--fresh"),
    "explain broken json": ("explain", "broken", "--fresh", "--json"),
    "explain recordings": ("explain", "recordings", "--fresh"),
    "explain recordings json": ("explain", _SESSION, "--fresh", "--json"),
    "explain recordings html": ("explain", _SESSION, "--fresh", "--html", "-"),
    "explain stated": ("explain", "recordings/atif.json", "--fresh",
                       "--confidence", "0.9", "--success", "yes"),
    "explain alike": ("explain", *_PAIR, "--fresh", "--alike"),
    "explain today": ("explain", *_PAIR, "--guest", "--today"),
    "explain only": ("explain", "samples", "--fresh", "--only", "accepted"),
    "compare": ("compare", *_PAIR, "--fresh"),
    "compare json": ("compare", *_PAIR, "--fresh", "--json"),
    "compare recordings": ("compare", _SESSION, "recordings/codex.jsonl", "--fresh"),
    "plan": ("plan", "samples", "--fresh", "--threshold", "0.6"),
    "plan json": ("plan", "samples", "--fresh", "--threshold", "0.6", "--json"),
    "plan kept": ("plan", "samples", "--keep", "samples/visit-08.json", "--leave-out", "visit-03"),
    "plan written": ("plan", *_PAIR, "--fresh", "--threshold", "0.5", "-o", "-"),
    "plan recordings": ("plan", "recordings", "--fresh", "--threshold", "0.5"),
    **{f"summary {one}": ("summary", one, "--fresh") for one in _ALL},
    "summary json": ("summary", "samples", "recordings", "--fresh", "--json"),
    "summary html": ("summary", "samples", "--fresh", "--html", "-"),
    "convert": ("convert", "recordings", "-o", "-", "--confidence", "0.8", "--success", "no"),
    "convert refused": ("convert", "recordings", "-o", "-"),
    "convert split": ("convert", _SESSION, "-o", "-", "--split-prompts",
                      "--confidence", "1", "--success", "yes", "--domain", "code"),
    **{f"sharing {one}": ("sharing", one, "--fresh") for one in _ALL},
    "sharing capture": ("sharing", "samples", "--fresh", "--as", "capture", "--level", "private"),
    "sharing json": ("sharing", "samples", "--fresh", "--json"),
    "sharing bodies": ("sharing", *_PAIR, "--fresh", "-o", "-"),
    "replay report": ("score", *_PAIR, "--fresh", "--report", "report.json"),
    "replay": ("replay", "report.json", "samples"),
    "replay alone": ("replay", "report.json"),
    "replay json": ("replay", "report.json", "--json"),
    "replay without": ("replay", "report.json", "recordings"),
    "replay of none": ("replay", "samples/visit-03.json"),
    "memory scored": ("score", *_PAIR, _SESSION),
    "memory list": ("memory", "list"),
    "memory list json": ("memory", "list", "--json"),
    "memory forget": ("memory", "forget", "kp:trace:nowhere"),
    "memory forgotten": ("memory", "forget", "kp:trace:visit-03"),
    "memory after": ("explain", _PAIR[1], "--guest"),
}  # fmt: skip
_ONCE = (
    *(f" {one}" for one in ("json", *LISTS, *EXPLANATIONS)), " written", " bodies",
    "convert", "explain recordings"
)  # fmt: skip


@contextlib.contextmanager
def program(embedder: Embedder, width: int) -> Iterator[None]:
    """The program with this model, at one moment, for a terminal of this width."""
    with (
        mock.patch.object(measuring, "MiniLM", return_value=embedder),
        mock.patch("kpinspector.batch.groups.Child", Here),
        mock.patch("kpinspector.batch.plan.Child", Here),
        mock.patch("time.time_ns", return_value=_NOW),
        mock.patch("os.getcwd", return_value="/proc/self/cwd"),  # for paths that are made absolute
        mock.patch.dict(os.environ, {"COLUMNS": str(width)}),
    ):
        yield


def printed(argv: Sequence[str]) -> str:
    """What a command writes, and its exit status."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    err = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(argv)
        except SystemExit as end:  # of argparse
            status = int(end.code or 0)
        out.flush()
    said = out.buffer.getvalue().decode()
    return _NOW_SAID.sub("NOW", f"{said}-- stderr\n{err.getvalue()}-- status {int(status)}\n")


@contextlib.contextmanager
def inputs(folder: Path) -> Iterator[None]:
    """The current folder is this one, with all that the cases read; so is what is remembered."""
    shutil.copytree(resources() / "samples", folder / "samples")
    shutil.copytree(DATA / "broken", folder / "broken")
    shutil.copytree(DATA / "recordings", folder / "recordings")
    for path in folder.rglob("*"):  # a recording that has just been written counts as running
        os.utime(path, (0, 0))
    (folder / "broken" / "nested.json").write_text(_NESTED, encoding="utf-8")
    sound = json.dumps([json.loads((folder / _PAIR[0]).read_text(encoding="utf-8"))])
    (folder / "broken" / "list_in_list.json").write_text(f'[{sound}, {{"a": tru]', encoding="utf-8")
    data_dir = {"KPINSPECTOR_DATA_DIR": str(folder / "own")}
    with contextlib.chdir(folder), mock.patch.dict(os.environ, data_dir):
        yield


CHAPTERS: Final = sorted({name.split()[0] for name in CASES})


def goldens(chapter: str) -> dict[str, str]:
    """The file name of every golden of a chapter, and what it holds."""
    embedder, found = Overlap(), {}
    with tempfile.TemporaryDirectory() as folder, inputs(Path(folder)):
        for name, argv in CASES.items():
            if name.split()[0] != chapter:
                continue
            for width in (_USUAL,) if any(one in name for one in _ONCE) else WIDTHS:
                with program(embedder, width):
                    found[f"{name.replace(' ', '-')}.{width}.txt"] = printed(argv)
    return found


if __name__ == "__main__":
    for stale in GOLDENS.glob("*.txt"):
        stale.unlink()
    for one in CHAPTERS:
        for file_name, text in goldens(one).items():
            (GOLDENS / file_name).write_text(text, encoding="utf-8", newline="")
