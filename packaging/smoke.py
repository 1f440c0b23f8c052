"""Try a package: python packaging/smoke.py PACKAGE|BUNDLE [--root DIR] [--pictures DIR].

By an environment that holds the project: every command is run in it and in the package, and must
write the same and end alike; the window must score all samples and plan them. A package is
installed in a bare Debian without Python, where nothing may be left once it is removed. It needs
root and debootstrap; for an .rpm rpm2cpio and cpio. The folder of a bundle is tried as it lies,
on any system. The window needs Xvfb, openbox, xdotool and ImageMagick.
"""

import argparse
import json
import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from typing_extensions import override

from kpinspector.cli import COMMANDS
from kpinspector.runs.readers.packages import BUNDLE
from kpinspector.words.say import in_words

ROOT = Path(__file__).resolve().parents[1]
PAIR = "samples/visit-03.json samples/visit-08.json"
STATED = "--confidence 0.8 --success no"
# in this order in one folder, each with what those before it left
LINES = (
    "--version",
    "--help",
    "help plan",
    "scor samples",
    "nonsense",
    "samples",
    *(f"{one} --help" for one in COMMANDS),
    "formats",
    "formats --here",
    *(f"completion {shell}" for shell in ("bash", "zsh", "fish")),
    f"score {PAIR} samples/refund-loop.json nothing.json",
    "score samples --fresh --report report.json --csv list.csv",
    "score samples broken recordings --fresh --json",
    "score samples --guest --profile code --threshold 0.5",
    f"explain {PAIR} --fresh --markdown page.md --html page.html",
    "explain samples --guest --json --today --alike",
    f"explain recordings --guest {STATED} --only rejected",
    f"compare {PAIR} --fresh",
    "compare samples/support-desk.jsonl#1 samples/ping.json --fresh --json",
    "plan samples --fresh --threshold 0.6 --json",
    "plan samples --fresh --keep visit-08 --leave-out heat-pumps -o plan.jsonl",
    "plan ring --threshold 0.58 --json",  # not solved by the quick bounds
    "summary samples recordings --fresh --html summary.html",
    "summary samples --fresh --similarity 0.5 --json",
    f"convert recordings -o traces.jsonl {STATED}",
    "convert broken -o -",
    "sharing samples recordings --json",
    "sharing samples --as capture --level private -o bodies.jsonl",
    "replay report.json samples",
    "replay report.json --json",
    "memory list",
    "memory forget kp:trace:visit-03",
    "memory info --json",
    "memory clear --yes",
)
NOW = re.compile(
    r'(?<="generated_at": ")[^"]+|(?<="written_at": ")[^"]+|(?<="first_scored_at": ")[^"]+'
    r"|\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?Z?)?"
)
MOST_S = 300.0
NOT_HAD = 69  # the exit status where there can be no bare system
BUILD = runpy.run_path(str(ROOT / "packaging/build.py"))


class Here:
    """A program of this system."""

    def __init__(self, *program: str | Path) -> None:
        self.program = program

    def outside(self, path: Path) -> Path:
        """Where a path of the system lies."""
        return path

    def start(
        self, words: Sequence[str], folder: Path, pipe: int | None = None, **variables: str
    ) -> subprocess.Popen[bytes]:
        """Start the program in a folder, which also takes what it keeps."""
        passed = ("PATH", "SYSTEMROOT", "APPIMAGE_EXTRACT_AND_RUN")
        given = {name: os.environ[name] for name in passed if name in os.environ}
        given |= {"LANG": "C.UTF-8", "COLUMNS": "80", "HOME": str(folder / "home"), **variables}
        given["KPINSPECTOR_DATA_DIR"] = str(folder / "own")
        command, options = self.command(words, folder, given)
        return subprocess.Popen(command, stdout=pipe, stderr=pipe, **options)

    def command(
        self, words: Sequence[str], folder: Path, given: dict[str, str]
    ) -> tuple[Sequence[str | Path], dict[str, Any]]:
        """What starts it."""
        return (*self.program, *words), {"cwd": folder, "env": given}


class Bare(Here):
    """A Debian without Python, in a folder."""

    def __init__(self, root: Path, program: str = "kpinspector") -> None:
        super().__init__(program)
        self.root = root

    @override
    def outside(self, path: Path) -> Path:
        return self.root / path.relative_to("/")

    @override
    def command(
        self, words: Sequence[str], folder: Path, given: dict[str, str]
    ) -> tuple[Sequence[str | Path], dict[str, Any]]:
        mounts = (
            "mount -t proc proc $0/proc; mount --rbind /dev $0/dev; mkdir -p $0/tmp/.X11-unix;"
            ' mount --bind /tmp/.X11-unix $0/tmp/.X11-unix; exec chroot $0 env -i "$@"'
        )
        given = {**given, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        inside = ("-C", str(folder), *(f"{name}={value}" for name, value in given.items()))
        return ("unshare", "-m", "sh", "-c", mounts, self.root, *inside, *self.program, *words), {}

    def run(self, *words: str) -> None:
        """Run a command of the system itself, which must work."""
        given = {"DEBIAN_FRONTEND": "noninteractive"}
        command, _ = Bare(self.root, words[0]).command(words[1:], Path("/"), given)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def install(self, package: Path) -> None:
        """Install a package with what it depends on; others are laid into it."""
        get = ("apt-get", "-qq", "-o", "Acquire::Retries=3", "install", "--no-install-recommends")
        if package.suffix == ".deb":
            shutil.copy(package, self.root / "tmp/given.deb")
            self.run(*get, "/tmp/given.deb")  # noqa: S108 - of the bare system
            (self.root / "tmp/given.deb").unlink()
            return
        self.run(*get, *(one.partition(" ")[0] for one in BUILD["NEEDS"]["deb"]))
        if package.suffix == ".AppImage":
            target = self.root / "usr/bin/kpinspector"
            shutil.copy(package, target)
            target.with_name("kpinspector-gui").symlink_to("kpinspector")
        elif package.is_dir():
            shutil.copytree(package / "usr", self.root / "usr", symlinks=True, dirs_exist_ok=True)
        else:
            unpack = f"rpm2cpio {package} | cpio -idm --quiet -D {self.root}"
            subprocess.run(unpack, shell=True, check=True)  # noqa: S602 - a path of ours

    def files(self) -> set[str]:
        """All that is installed; the package manager keeps its own books in /var."""
        folders = ("bin", "etc", "lib", "opt", "root", "sbin", "srv", "usr", "home")
        return {
            str(path)
            for folder in folders
            for path in (self.root / folder).rglob("*")
            if path.name not in {"ld.so.cache"}
        }


def answers(place: Here, folder: Path) -> Iterator[str]:
    """What each line writes, to its streams and to files, and how it ends."""
    seen = place.outside(folder)
    shutil.copytree(ROOT / "resources/samples", seen / "samples")
    for part in ("recordings", "broken", "ring"):
        shutil.copytree(ROOT / "tests/data" / part, seen / part)
    for path in seen.rglob("*"):  # a recording that has just been written counts as running
        os.utime(path, (0, 0))
    known: dict[Path, bytes] = {}
    for line in LINES:
        done = place.start(line.split(), folder, subprocess.PIPE)
        streams = done.communicate()
        if b"in time" in streams[1]:  # a busy machine was too slow for the groups
            done = place.start(line.split(), folder, subprocess.PIPE)
            streams = done.communicate()
        files = {one: one.read_bytes() for one in sorted(seen.glob("*.*")) if one.is_file()}
        written = [data for path, data in files.items() if known.get(path) != data]
        known = files
        text = b"\n".join((*streams, *written)).decode().replace(folder.name, "FOLDER")
        yield f"{NOW.sub('NOW', text)}\n-- status {done.returncode}\n"


def compare_commands(place: Here) -> list[str]:
    """Run every line on both sides; returns those that differ, with their first difference."""
    wrong = []
    told = f"kpinspector: {in_words(BUNDLE)}\n"  # by `formats`, of the package alone
    with (
        tempfile.TemporaryDirectory(prefix="smoke-") as ours,
        tempfile.TemporaryDirectory(prefix="smoke-") as theirs,
        ThreadPoolExecutor() as pool,
    ):
        environment = Here(sys.executable, "-m", "kpinspector")
        sides = ((environment, Path(ours)), (place, Path(theirs)))
        both = pool.map(lambda side: list(answers(*side)), sides)
        for line, wanted, found in zip(LINES, *both, strict=True):
            if wanted == (found.replace(told, "", 1) if line == "formats" else found):
                print("same   ", line)
                continue
            print("DIFFERS", line)
            lines = zip(wanted.split("\n"), found.split("\n"), strict=False)
            first = next(((a, b) for a, b in lines if a != b), ("", found[-300:]))
            wrong.append(f"{line}\n  environment {first[0][:300]}\n  package     {first[1][:300]}")
    return wrong


@contextmanager
def display() -> Iterator[str]:
    """A screen with a window manager."""
    ours, theirs = os.pipe()
    size = ("-screen", "0", "1440x900x24", "-nolisten", "tcp", "-ac")
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(theirs), *size], pass_fds=(theirs,), stderr=subprocess.DEVNULL
    )
    name = f":{os.read(ours, 20).decode().strip()}"
    manager = subprocess.Popen(["openbox"], env={**os.environ, "DISPLAY": name})
    try:
        yield name
    finally:
        manager.terminate()
        server.terminate()


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for something, or end."""
    end = time.monotonic() + MOST_S
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"not within {MOST_S:.0f} s: {what}")
        time.sleep(0.05)


def solvers() -> int:
    """How many processes of their own the packaged program has now."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes()
        except OSError:  # it ended
            continue
        found += b"kpinspector/kpinspector\0--multiprocessing-fork" in words
    return found


def try_window(place: Here, pictures: Path) -> None:
    """Open the samples, wait until all are remembered, then for the map and the plan."""
    with display() as name, tempfile.TemporaryDirectory(prefix="smoke-") as made:
        folder = Path(made)
        shutil.copytree(ROOT / "resources/samples", place.outside(folder) / "samples")
        other = Bare(place.root, "kpinspector-gui") if isinstance(place, Bare) else place
        window = other.start(["samples"], folder, DISPLAY=name)
        keys = ["env", f"DISPLAY={name}", "xdotool"]

        def picture(file: str) -> None:
            subprocess.run(
                ["import", "-display", name, "-window", "root", pictures / file], check=True
            )

        def scored() -> bool:
            asked = place.start(["memory", "info", "--json"], folder, subprocess.PIPE)
            told = asked.communicate()[0]
            return bool(told) and json.loads(told).get("entries", 0) >= 18  # noqa: PLR2004

        until(scored, "all samples scored")
        picture("window.png")
        subprocess.run([*keys, "key", "alt+0"], check=True)
        until(lambda: solvers() > 0, "a process for map or plan")
        until(lambda: solvers() == 0, "map and plan")
        time.sleep(2)
        picture("batch.png")
        subprocess.run([*keys, "key", "ctrl+q"], check=True)
        until(lambda: window.poll() is not None, "the end of the window")
        if window.returncode:
            sys.exit(f"the window ended with {window.returncode}")


def make_bare(given: Path | None, root: Path) -> Bare:
    """A bare system, in which commands can be run."""
    codename = platform.freedesktop_os_release()["VERSION_CODENAME"]
    make = ("debootstrap", "--variant=minbase", codename, root)
    bare = Bare(root)
    try:
        made = ("cp", "-a", given, root) if given else make
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, timeout=MOST_S)
        bare.run("apt-get", "-qq", "update")
    except (OSError, subprocess.SubprocessError) as error:
        print(f"no bare system can be had: {error}", file=sys.stderr)
        sys.exit(NOT_HAD)
    bare.run("sh", "-c", "! command -v python3 && ! command -v python")
    return bare


def main() -> None:
    """Try a package; ends with what was wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("package", type=Path, help="a package, an AppDir, or the folder bundle")
    parser.add_argument("--root", type=Path, help="a bare system of debootstrap, to be copied")
    parser.add_argument("--pictures", type=Path, default=Path.cwd(), help="default: here")
    given = parser.parse_args()
    package = given.package.absolute()
    program = package / "kpinspector" / ("kpinspector.exe" if os.name == "nt" else "kpinspector")
    with tempfile.TemporaryDirectory(prefix="bare-") as name:
        place, before = Here(program), set[str]()
        if not program.is_file():
            place = make_bare(given.root, Path(name) / "root")
            before = place.files()
            place.install(package)
        wrong = compare_commands(place)
        if not wrong and shutil.which("Xvfb"):
            try_window(place, given.pictures)
        if isinstance(place, Bare) and package.suffix == ".deb":
            place.run("apt-get", "-qq", "purge", "--autoremove", "kpinspector")
            wrong += sorted(f"left behind: {one}" for one in place.files() - before)
    if wrong:
        sys.exit("\n".join(("", *wrong)))
    print("all the same" + (", and the window works" if shutil.which("Xvfb") else ""))


if __name__ == "__main__":
    main()
