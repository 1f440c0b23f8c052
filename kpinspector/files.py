"""Bundled resources, per-user folders and files, atomic writes."""

import errno
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Sequence
from io import DEFAULT_BUFFER_SIZE, BufferedReader, FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platformdirs import user_data_path
from typing_extensions import override

from kpinspector.errors import WriteError
from kpinspector.phrase import Phrase

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

APP_NAME = "kpinspector"
APP_ID = "io.github.kpinspector.kpinspector"  # of desktop file, metainfo, icon and window
DATA_DIR_VARIABLE = "KPINSPECTOR_DATA_DIR"
SETTINGS_FILE = "settings.json"
STATE_FILE = "state.json"
MEMORY_FILE = "memory.sqlite3"
BESIDE_DATABASE: Final = ("-wal", "-shm")  # suffixes of SQLite's files beside it

_MOST_BYTES: Final = 2**24
_WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)

PACKAGE = Path(__file__).resolve().parent

_RECORD = re.compile(r"(?P<path>.+)#(?P<record>[1-9][0-9]{0,8})", re.DOTALL)


def split_record(given: str) -> tuple[str, int | None]:
    """The path and the record's number in ``FILE#3``, unless a file has that very name."""
    match = _RECORD.fullmatch(given)
    if match is None or os.path.lexists(given):
        return given, None
    return match["path"], int(match["record"])


def is_there(given: str) -> bool:
    """Whether a path exists; for a record, whether its file does."""
    return os.path.lexists(split_record(given)[0])


def resources() -> Path:
    """The folder of bundled files: inside the installed package, or beside it in a checkout."""
    installed = PACKAGE / "resources"
    return installed if installed.is_dir() else PACKAGE.parent / "resources"


def data_dir(chosen: str | None = None) -> Path:
    """The per-user folder: the chosen one, else the environment's, else the system's."""
    place = chosen or os.environ.get(DATA_DIR_VARIABLE)
    return Path(place) if place else user_data_path(APP_NAME, appauthor=False)


def make_folder(folder: Path) -> None:
    """Make a per-user folder unless it exists.

    Raises:
        WriteError: it cannot be created.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        message = Phrase("{path} could not be made: {reason}", path=folder, reason=reason)
        raise WriteError(message, str(error)) from error


class ReadyFile(FileIO):
    """A file that is read without waiting: having no bytes yet is a failure, not the end."""

    @override
    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        count: int | None = super().readinto(buffer)
        if count is None:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), self.name)
        return count


def open_ready(path: str | os.PathLike[str], buffered: int = DEFAULT_BUFFER_SIZE) -> BufferedReader:
    """Open a file for reading without waiting for a pipe or a device; read it piece by piece.

    Raises:
        OSError: it cannot be opened. Reading raises it too, also where bytes are yet to come.
    """
    ready = ReadyFile(path, opener=lambda name, flags: os.open(name, flags | _WITHOUT_WAITING))
    return BufferedReader(ready, buffered)


def read_own(path: Path) -> bytes:
    """The bytes of a per-user file; never waits for a pipe or a device in its place.

    Raises:
        OSError: it is missing, cannot be read, is not a file, or is too large to be ours.
    """
    with open_ready(path) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, Phrase("it is no file"))
        if status.st_size > _MOST_BYTES:
            size = f"{_MOST_BYTES >> 20} MiB"
            raise OSError(errno.EFBIG, Phrase("it is larger than {size}", size=size))
        return file.read(_MOST_BYTES)


def why_unread(path: Path) -> str | None:
    """Why an existing per-user file cannot be read; None if it can be, or does not exist."""
    try:
        read_own(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        return error.strerror or str(error)
    return None


def write_own(path: Path, data: bytes) -> None:
    """Write a per-user file whole or not at all, for its owner alone; make its folder if need be.

    Raises:
        WriteError: it cannot be written, or no file stands there: a pipe may have no reader.
    """
    make_folder(path.parent)
    if _is_device(path):
        raise WriteError(Phrase("{path} could not be written: it is no file", path=path))
    write_atomic(path, data, own=True)


def write_atomic(path: Path, data: bytes, *, own: bool = False) -> None:
    """Write a file whole or not at all.

    A symbolic link is followed and stays a link; an existing file keeps its permissions, unless it
    is one of our own. A pipe or a device is written to as it stands.

    Raises:
        WriteError: what stood there before is untouched.
    """
    try:
        if _is_special(path):
            path.write_bytes(data)
        else:
            _replace(Path(os.path.realpath(path)), data, own=own)
    except OSError as error:
        reason = error.strerror or error
        message = Phrase("{path} could not be written: {reason}", path=path, reason=reason)
        raise WriteError(message, str(error)) from error


def keep_sources(targets: Iterable[Path], sources: Iterable[str | int | Path]) -> None:
    """Refuse to overwrite a file that was read; links count as the file itself.

    Raises:
        WriteError: a file to be written is one of the sources.
    """
    written = {one: path for path in targets if (one := _identity(path)) is not None}
    for source in sources if written else ():
        identity = _identity(source)
        if identity is not None and (path := written.get(identity)) is not None:
            message = Phrase(
                "{path} is one of the files that were read: choose another name.", path=path
            )
            raise WriteError(message)


def keep_apart(targets: Sequence[Path], folder: Path) -> None:
    """Refuse to write two outputs to one file, or over the program's own in the data folder.

    Links count as the file itself, and files need not exist yet. A device may take two outputs.

    Raises:
        WriteError: two of the files to be written are the same, or one is the program's own.
    """
    found: dict[object, Path] = {}
    for path in targets:
        other = found.setdefault(_place(path), path)
        if other is not path and not _is_device(path):
            message = Phrase(
                "{other} and {path} are the same file: choose another name.", other=other, path=path
            )
            raise WriteError(message)
    beside = (f"{MEMORY_FILE}{end}" for end in BESIDE_DATABASE)
    own = {_place(folder / name) for name in (SETTINGS_FILE, STATE_FILE, MEMORY_FILE, *beside)}
    for place, path in found.items():
        if place in own:
            message = Phrase(
                "{path} is one of the program's own files: choose another name.", path=path
            )
            raise WriteError(message)


def _place(path: Path) -> object:
    """A value that is the same for all names of a file, even if it does not exist yet."""
    return _identity(path) or os.path.normcase(os.path.realpath(path))


def _is_device(path: Path) -> bool:
    try:
        return _is_special(path)
    except OSError:
        return False  # writing will report it


def _identity(path: str | Path | int) -> tuple[int, int] | None:
    """A value that is the same for all names of a file; None if there is no file."""
    try:
        status = os.stat(path)  # noqa: PTH116 (a handle is no Path)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _is_special(path: Path) -> bool:
    """Whether the path is neither a file nor a folder, but a device or the like."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _replace(target: Path, data: bytes, *, own: bool) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{APP_NAME}-", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if not own:  # the program's own stay for the owner
            umask = os.umask(0o077)
            os.umask(umask)
            is_new = not target.exists()
            temporary.chmod(0o666 & ~umask if is_new else target.stat().st_mode & 0o777)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
