"""The pinned compiler is downloaded and unpacked completely, and checked by its hashes."""

from __future__ import annotations

import functools
import hashlib
import io
import json
import tarfile
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling import fetch_toolchain, pinned_toolchain
from nocbench.compiling.fetch_toolchain import main
from nocbench.compiling.pinned_toolchain import Package, PackageFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {"usr/bin/tool": b"tool", "usr/share/doc/tool": b"words", "usr/lib/a/libtool.so.1": b"library"}


def package(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("./usr/bin/same-tool")
        link.type, link.linkname = tarfile.LNKTYPE, "./usr/bin/tool"
        archive.addfile(link)
    members = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": data.getvalue()}
    headers = {name: f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(text):<10}`\n" for name, text in members.items()}
    padded = [headers[name].encode() + text + b"\n" * (len(text) % 2) for name, text in members.items()]
    return b"!<arch>\n" + b"".join(padded)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the folder to unpack to. Downloads come from a folder next to it."""
    filled = tmp_path / "toolchain" / "pinned"
    for module in (pinned_toolchain, fetch_toolchain):
        monkeypatch.setattr(module, "folder_to_fill", lambda: filled)
    monkeypatch.delenv(pinned_toolchain.VARIABLE, raising=False)
    monkeypatch.setattr(fetch_toolchain, "_APT_HELPER", tmp_path / "none")
    monkeypatch.setattr(
        fetch_toolchain, "_archives", lambda: [f"file://{tmp_path}/first", f"file://{tmp_path}/archive"]
    )
    monkeypatch.setattr(fetch_toolchain, "_OLD_FILES", f"file://{tmp_path}/old")
    monkeypatch.setattr("sys.argv", ["fetch_toolchain"])
    return filled


@pytest.fixture
def offer(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Pins a package and offers it for download."""

    def put(place: str = "archive/pool/tool.deb", machine: str = "all", pinned: bytes | None = None) -> Path:
        content = package(FILES)
        pinned = content if pinned is None else pinned
        sha1 = hashlib.sha1(pinned, usedforsecurity=False).hexdigest()
        file = PackageFile("pool/tool.deb", len(content), hashlib.sha256(pinned).hexdigest(), sha1)
        tool = Package("tool", "1.0", ("usr/bin/*", "usr/lib/*.so.*"), {machine: file})
        for module in (pinned_toolchain, fetch_toolchain):
            monkeypatch.setattr(module, "packages", lambda: (tool,))
        monkeypatch.setattr(pinned_toolchain, "identity", functools.cache(pinned_toolchain.identity.__wrapped__))
        monkeypatch.setattr(fetch_toolchain, "identity", pinned_toolchain.identity)
        offered = tmp_path / place.replace("HASH", sha1)
        offered.parent.mkdir(parents=True)
        offered.write_bytes(content)
        return folder

    return put


def unpacked(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != pinned_toolchain.CONTENT)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.mark.parametrize("place", ["first/pool/tool.deb", "archive/pool/tool.deb", "old/HASH"])
def test_it_is_unpacked_from_whichever_archive_has_it(
    place: str, offer: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = offer(place)
    assert main() == 0
    assert capsys.readouterr().out == f"{folder}\n"
    assert unpacked(folder) == {
        "usr/bin/tool": b"tool",
        "usr/bin/same-tool": b"tool",
        "usr/lib/a/libtool.so.1": b"library",
    }
    assert json.loads((folder / pinned_toolchain.CONTENT).read_text())["packages"] == {"tool": "1.0"}
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert pinned_toolchain.pinned_folder() == folder


def test_a_second_time_nothing_is_fetched(offer: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    offer()
    assert main() == 0
    monkeypatch.setattr(fetch_toolchain, "_fetch", None)
    assert main() == 0


def test_another_content_is_refused(offer: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    folder = offer(pinned=b"another content")
    assert main() == 2
    assert "tool 1.0: cannot be fetched:" in (said := capsys.readouterr().err)
    assert "pool/tool.deb: expected a file with the SHA-256 " in said
    assert list(folder.parent.iterdir()) == []
    assert pinned_toolchain.pinned_folder() is None


def test_another_machine(offer: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    offer(machine="vax")
    assert main() == 2
    assert "expected a machine as amd64 or arm64, found " in capsys.readouterr().err


def test_all_that_is_pinned_is_whole() -> None:
    """Each package has a file for each of the two machines, with hashes of the right length."""
    for one in pinned_toolchain.packages():
        for machine in ("amd64", "arm64"):
            file = one.file_for(machine)
            assert file is not None
            assert "all" in one.files or file.path.endswith(f"_{machine}.deb")
            assert (len(file.sha256), len(file.sha1)) == (64, 40)
