"""Files that appear only when complete."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NEW_FILE_MODE = 0o666  # minus the umask
_PRIVATE_MODE = 0o600
_MAX_LINKS = 40  # limit of Linux
_MAX_NAME_CHARACTERS = 40  # part of the target's name in a temporary file's name, which may have 255 bytes

_never_replaced: set[tuple[int, int]] = set()
"""Device and inode of protected files, independent of names and links."""


@contextmanager
def never_replacing(paths: Iterable[Path]) -> Iterator[None]:
    """Makes replacing these existing files an error within the block."""
    before = set(_never_replaced)
    _never_replaced.update((status.st_dev, status.st_ino) for status in map(Path.stat, paths))
    try:
        yield
    finally:
        _never_replaced.clear()
        _never_replaced.update(before)


@contextmanager
def atomic_path(path: Path, *, synchronize: bool = True) -> Iterator[Path]:
    """Provides a temporary path to write to; renames it to `path` at the end, or deletes it after an error.

    The content is on disk before the file is renamed. The temporary name is unpredictable, so that other users cannot
    put a file or link there. The new file gets mode and, if allowed, owner of a replaced file. If `path` is a link, its
    target is replaced. Devices, pipes and open files such as /dev/stdout are written directly.

    Args:
        path: path of the file.
        synchronize: True to wait for the disk, which may take tens of milliseconds. If False, a killed process leaves
            the old or the new file, but a power failure may leave an empty one: acceptable for many small files that
            can be made again.

    Raises:
        InputError: the file cannot be written (no such directory, no permission, a directory, disk full), or is an
            input of the command.
    """
    try:
        before = _status(path)
        if _is_written_directly(path, before):
            yield path
            return
        target = Path(os.path.realpath(path))
        temporary = target.with_name(f".{target.name[:_MAX_NAME_CHARACTERS]}.{os.urandom(8).hex()}.tmp")
        file = os.open(
            temporary,
            os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC,
            _NEW_FILE_MODE if before is None else _PRIVATE_MODE,
        )
        try:
            if before is not None:
                with contextlib.suppress(PermissionError):  # the file may belong to another user
                    os.fchown(file, before.st_uid, before.st_gid)
                os.fchmod(file, stat.S_IMODE(before.st_mode))
            yield temporary
            if synchronize:
                os.fsync(file)
            temporary.replace(target)
        finally:
            os.close(file)
            temporary.unlink(missing_ok=True)
        if synchronize:
            _synchronize_directory(target.parent)
    except BrokenPipeError:  # the reader has closed the pipe
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


def write_text(path: Path, text: str, *, synchronize: bool = True) -> None:
    """Writes a text file, in UTF-8 with Unix line ends, through :func:`atomic_path`. Raises InputError as it does."""
    with atomic_path(path, synchronize=synchronize) as temporary:
        temporary.write_bytes(text.encode())


def require_replaceable(path: Path) -> None:
    """Raises InputError, with the reason, if :func:`atomic_path` cannot begin to write `path`."""
    try:
        if _is_written_directly(path, _status(path)):
            return
        # Permissions do not suffice: a file system may be read-only.
        with tempfile.TemporaryFile(dir=Path(os.path.realpath(path)).parent):
            pass
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


def make_directory(path: Path) -> None:
    """Makes a directory, and missing parents. Raises InputError on failure."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be made: {error.strerror}") from None


def _synchronize_directory(directory: Path) -> None:
    """Flushes the names in a directory to disk, if the file system supports it."""
    with contextlib.suppress(OSError):  # the files are complete in any case
        file = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def _status(path: Path) -> os.stat_result | None:
    """Returns the status of the file at a path, or None.

    Raises OSError or InputError if the file must not be replaced.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if (status.st_dev, status.st_ino) in _never_replaced:
        raise InputError(f"{path}: expected another file to write to, found one that this command reads")
    if not os.access(path, os.W_OK):  # a rename does not check this
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return status


def _is_written_directly(path: Path, before: os.stat_result | None) -> bool:
    """Returns True for devices, pipes and open files, which are written in place."""
    return before is not None and (is_open_file(path) or not stat.S_ISREG(before.st_mode))


def is_open_file(path: Path) -> bool:
    """Returns True if a path names a file that a process has open, such as /dev/stdout and /proc/self/fd/3.

    The process would not see a file that replaces it.
    """
    for _ in range(_MAX_LINKS):
        if not path.is_symlink():
            return False
        directory = Path(os.path.realpath(path.parent))
        if directory.parts[:2] == ("/", "proc") and directory.name == "fd":
            return True
        path = directory / path.readlink()
    return False
