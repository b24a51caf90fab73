"""Files that appear completely or not at all: names, modes, links, devices, content on disk, and failure messages."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from nocbench.support.atomic_files import atomic_path, require_replaceable, write_text
from nocbench.support.errors import InputError


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def failure(path: Path) -> str:
    with pytest.raises(InputError) as error:
        write_text(path, "new")
    return str(error.value)


def test_a_name_that_nobody_can_foresee(tmp_path: Path) -> None:
    seen = set()
    for _ in range(2):
        with atomic_path(tmp_path / "results.csv") as temporary:
            assert temporary.parent == tmp_path
            assert temporary.is_file()
            seen.add(temporary.name)
    assert len(seen) == 2
    assert not any(str(os.getpid()) in name.split(".") for name in seen)
    assert names_in(tmp_path) == ["results.csv"]


def test_what_stands_in_place_of_the_temporary_file_is_not_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "urandom", bytes)
    victim = tmp_path / "victim"
    victim.write_text("precious")
    planted = tmp_path / f".results.csv.{'00' * 8}.tmp"
    planted.symlink_to(victim)
    assert failure(tmp_path / "results.csv") == f"{tmp_path / 'results.csv'}: cannot be written: File exists"
    assert victim.read_text() == "precious"
    assert planted.is_symlink()


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        write_text(tmp_path / "new", "new")
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "new") == 0o666 & ~umask


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_a_file_that_is_replaced_passes_its_mode_on(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "kept"
    path.write_text("old")
    path.chmod(mode)
    with atomic_path(path) as temporary:
        assert mode_of(temporary) == mode  # set before the first write, so that no other user reads an incomplete file
        temporary.write_text("new")
    assert (path.read_text(), mode_of(path)) == ("new", mode)


def test_links_stay_and_what_they_point_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "target"
    (tmp_path / "first").symlink_to("second")
    (tmp_path / "second").symlink_to(target)
    for text in ("new", "newer"):  # the first time, the file does not exist
        write_text(tmp_path / "first", text)
        assert target.read_text() == text
    assert (tmp_path / "first").is_symlink()
    assert (tmp_path / "second").is_symlink()
    assert names_in(tmp_path / "elsewhere") == ["target"]


def test_the_content_is_on_the_disk_before_the_name_and_the_name_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []
    synchronize, replace = os.fsync, Path.replace

    def note_synchronized(file: int) -> None:
        status = os.fstat(file)
        done.append("directory" if stat.S_ISDIR(status.st_mode) else f"{status.st_size} bytes")
        synchronize(file)

    def note_replaced(path: Path, target: Path) -> Path:
        done.append("name")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", note_synchronized)
    monkeypatch.setattr(Path, "replace", note_replaced)
    write_text(tmp_path / "file", "new")
    assert done == ["3 bytes", "name", "directory"]


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no room"), KeyError("x"), KeyboardInterrupt()])
def test_nothing_is_left_after_an_error(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def write_half() -> None:
        with atomic_path(path) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises((InputError, KeyError, KeyboardInterrupt)):
        write_half()
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["file"]


def test_a_kill_leaves_the_old_file_whole(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    program = (
        "import os, pathlib\n"
        "from nocbench.support.atomic_files import atomic_path\n"
        "with atomic_path(pathlib.Path('file')) as temporary:\n"
        "    temporary.write_text('half')\n"
        f"    os.kill(os.getpid(), {signal.SIGKILL.value})\n"
    )
    completed = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert completed.returncode == -signal.SIGKILL
    assert (tmp_path / "file").read_text() == "old"


def test_pipes_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        write_text(pipe, "through")
        assert reader.stdout is not None
        assert reader.stdout.read() == "through"
    assert names_in(tmp_path) == ["pipe"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("where", ["link", "/proc/self/fd/1", "/dev/fd/1"])
def test_standard_output_by_name(tmp_path: Path, where: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    if where == "link":  # as /dev/stdout is one, which root would lose if this failed
        where = str(folder / "link")
        Path(where).symlink_to("/proc/self/fd/1")
    program = (
        "import pathlib\n"
        "from nocbench.support.atomic_files import write_text\n"
        f"write_text(pathlib.Path('{where}'), 'text')\n"
    )
    command = [sys.executable, "-c", program]
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    assert subprocess.run(command, check=True, stdout=subprocess.PIPE, env=variables).stdout == b"text"
    with (tmp_path / "output").open("w+b") as output:
        subprocess.run(command, check=True, stdout=output, env=variables)
        assert output.read() == b"text"  # the opened file, not its replacement of equal name
    assert names_in(tmp_path) == ["folder", "output"]
    assert names_in(folder) == (["link"] if "link" in where else [])


def test_a_very_long_name(tmp_path: Path) -> None:
    path = tmp_path / ("ü" * 127)  # 254 bytes
    write_text(path, "new")
    assert path.read_text() == "new"


def test_the_reason_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "directory").mkdir()
    (tmp_path / "file").write_text("old")
    (tmp_path / "loop").symlink_to("loop")
    for path, reason in {
        tmp_path / "none" / "file": "No such file or directory",
        tmp_path / "file" / "file": "Not a directory",
        tmp_path / "directory": "Is a directory",
        tmp_path / ("x" * 300): "File name too long",
        tmp_path / "loop": "Too many levels of symbolic links",
    }.items():
        assert failure(path) == f"{path}: cannot be written: {reason}"
        with pytest.raises(InputError) as error:
            require_replaceable(path)
        assert str(error.value) == f"{path}: cannot be written: {reason}"
    assert failure(Path("/dev/full")) == "/dev/full: cannot be written: No space left on device"
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # noqa: ARG005 - root may write everywhere
    path = tmp_path / "file"
    assert failure(path) == f"{path}: cannot be written: Permission denied"
    for number in (errno.EACCES, errno.EROFS):

        def refuse(number: int = number, **_: object) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
        with pytest.raises(InputError, match=f"other: cannot be written: {os.strerror(number)}"):
            require_replaceable(tmp_path / "other")
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["directory", "file", "loop"]
