"""Try a package where no Python is: python packaging/smoke.py PACKAGE [--root DIR].

Runs as root on Debian, by an environment that holds the project: every command is run in it and in
the package, which is installed in a bare system of its own, and must write the same and end alike.
Then the window must score all samples and plan them, and nothing may be left once it is removed.
Needs debootstrap, Xvfb, openbox, xdotool and ImageMagick; for an .rpm rpm2cpio and cpio.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kpinspector.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
PAIR = "samples/visit-03.json samples/visit-08.json"
STATED = "--confidence 0.8 --success no"
# in this order in one folder, each with what those before it left
LINES = (
    "--version",
    "--help",
    "nonsense",
    *(f"{one} --help" for one in COMMANDS),
    "formats",
    "formats --here",
    *(f"completion {shell}" for shell in ("bash", "zsh", "fish")),
    f"score {PAIR} samples/refund-loop.json",
    "score samples --fresh --report report.json --csv list.csv",
    "score samples broken recordings --fresh --json",
    f"explain {PAIR} --fresh --markdown page.md --html page.html",
    "explain samples --guest --json --today --alike",
    f"compare {PAIR} --fresh",
    f"compare {PAIR} --fresh --json",
    "plan samples --fresh --threshold 0.6 --json",
    "plan samples --fresh -o plan.jsonl",
    "summary samples recordings --fresh --html summary.html",
    "summary samples --fresh --json",
    f"convert recordings -o traces.jsonl {STATED}",
    "convert broken -o -",
    "sharing samples recordings --json",
    "sharing samples --as capture --level private",
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
CODENAME = platform.freedesktop_os_release()["VERSION_CODENAME"]
DEPENDENCIES = runpy.run_path(str(ROOT / "packaging/build.py"))["NEEDS"]["deb"]


class Bare:
    """A system without Python, in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def command(self, *words: str, **variables: str) -> list[str]:
        """What runs a command in it, with these variables alone."""
        mounts = (
            "mount -t proc proc $0/proc; mount --rbind /dev $0/dev; mkdir -p $0/tmp/.X11-unix;"
            " mount --bind /tmp/.X11-unix $0/tmp/.X11-unix; root=$0; exec chroot $root env -i"
            ' PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"'
        )
        given = [f"{name}={value}" for name, value in variables.items()]
        return ["unshare", "-m", "sh", "-c", mounts, str(self.root), *given, *words]

    def run(self, *words: str) -> None:
        """Run a command of the system itself, which must work."""
        subprocess.run(
            self.command(*words, DEBIAN_FRONTEND="noninteractive"),
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def install(self, package: Path) -> None:
        """Install a package with what it depends on; others are laid into it."""
        self.run("apt-get", "-qq", "update")
        get = ("apt-get", "-qq", "install", "--no-install-recommends")
        if package.suffix == ".deb":
            shutil.copy(package, self.root / "tmp/given.deb")
            self.run(*get, "/tmp/given.deb")  # noqa: S108 - of the bare system
            (self.root / "tmp/given.deb").unlink()
            return
        self.run(*get, *(one.partition(" ")[0] for one in DEPENDENCIES))
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


def answers(command: Callable[[str], list[str]], folder: Path, seen: Path) -> Iterator[str]:
    """What each line writes, to its streams and to files, and how it ends."""
    for line in LINES:
        done = subprocess.run(command(line), cwd=folder, capture_output=True, check=False)
        files = {
            path.name: path.read_bytes() for path in sorted(seen.glob("*.*")) if path.is_file()
        }
        text = b"\n".join((done.stdout, b"-- stderr", done.stderr, *files.values()))
        yield f"{NOW.sub('NOW', text.decode())}\n-- status {done.returncode}\n"


def compare_commands(bare: Bare) -> list[str]:
    """Run every line on both sides; returns those that differ, with their first difference."""
    wrong = []
    with tempfile.TemporaryDirectory(prefix="smoke-") as name:
        folder, inside = Path(name), bare.root / name[1:]
        shutil.copytree(ROOT / "resources/samples", folder / "samples")
        for part in ("recordings", "broken"):
            shutil.copytree(ROOT / "tests/data" / part, folder / part)
        for path in folder.rglob("*"):  # a recording that has just been written counts as running
            os.utime(path, (0, 0))
        inside.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", folder, inside], check=True)
        same = {"HOME": f"{name}/home", "COLUMNS": "80", "KPINSPECTOR_DATA_DIR": f"{name}/own"}
        here = [f"{key}={value}" for key, value in same.items()]

        def packaged(line: str) -> list[str]:
            script = f"cd {name} && exec kpinspector {line}"
            return bare.command("sh", "-c", script, **same)

        def ours(line: str) -> list[str]:
            python = [sys.executable, "-m", "kpinspector"]
            return [
                "env",
                "-i",
                "LANG=C.UTF-8",
                f"PYTHONPATH={ROOT}",
                *here,
                *python,
                *line.split(),
            ]

        pairs = zip(
            LINES, answers(ours, folder, folder), answers(packaged, folder, inside), strict=True
        )
        for line, wanted, found in pairs:
            print("same  " if wanted == found else "DIFFERS", line, flush=True)
            if wanted != found:
                lines = zip(wanted.split("\n"), found.split("\n"), strict=False)
                first = next(((a, b) for a, b in lines if a != b), ("", found[-300:]))
                wrong.append(
                    f"{line}\n  environment {first[0][:300]}\n  package     {first[1][:300]}"
                )
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


def try_window(bare: Bare, pictures: Path) -> None:
    """Open the samples, wait until all are remembered, then for the map and the plan."""
    shutil.copytree(ROOT / "resources/samples", bare.root / "srv/samples")
    kept = {"KPINSPECTOR_DATA_DIR": "/srv/data", "HOME": "/root"}
    with display() as name:
        words = ("kpinspector-gui", "/srv/samples")
        window = subprocess.Popen(bare.command(*words, DISPLAY=name, **kept))
        keys = ["env", f"DISPLAY={name}", "xdotool"]

        def picture(file: str) -> None:
            subprocess.run(
                ["import", "-display", name, "-window", "root", pictures / file], check=True
            )

        def scored() -> bool:
            asked = bare.command("kpinspector", "memory", "info", "--json", **kept)
            told = subprocess.run(asked, capture_output=True, check=False).stdout
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


def main() -> None:
    """Try a package; ends with what was wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("package", type=Path)
    parser.add_argument("--root", type=Path, help="a bare system of debootstrap, to be copied")
    parser.add_argument("--pictures", type=Path, default=Path.cwd(), help="default: here")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bare-") as name:
        bare = Bare(Path(name) / "root")
        if given.root:
            subprocess.run(["cp", "-a", given.root, bare.root], check=True)
        else:
            subprocess.run(["debootstrap", "--variant=minbase", CODENAME, bare.root], check=True)
        bare.run("sh", "-c", "! command -v python3 && ! command -v python")
        before = bare.files()
        bare.install(given.package.absolute())
        wrong = compare_commands(bare)
        if not wrong:
            try_window(bare, given.pictures)
        if given.package.suffix == ".deb":
            bare.run("apt-get", "-qq", "purge", "--autoremove", "kpinspector")
            left = {one for one in bare.files() - before if "/srv/" not in one}
            wrong += sorted(f"left behind: {one}" for one in left)
    if wrong:
        sys.exit("\n".join(("", *wrong)))
    print("all the same, and the window works")


if __name__ == "__main__":
    main()
