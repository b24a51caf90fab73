"""Fetches and unpacks the default compiler of kernels; see :mod:`nocbench.compiling.pinned_toolchain`.

Needs no permission to install packages. Packages come from the archives that apt of this machine uses, else from
Debian's own.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling.pinned_toolchain import (
    CONTENT,
    PackageFile,
    folder_to_fill,
    identity,
    machine,
    packages,
    pinned_folder,
)
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nocbench.compiling.pinned_toolchain import Package

_ARCHIVE = "http://deb.debian.org/debian"
# Archive of all old files, by hash.
_OLD_FILES = "http://snapshot.debian.org/file"
_APT_HELPER = Path("/usr/lib/apt/apt-helper")
_TIMEOUT_S = 600
_AT_ONCE = 3
_MEGABYTE = 10**6
# A Debian package is an ar(1) archive.
_AR_MAGIC = b"!<arch>\n"
_AR_HEADER_BYTES = 60
_AR_SIZE = slice(48, 58)


def fetch_toolchain() -> Path:
    """Returns the folder of the pinned toolchain, after filling it if needed. The folder appears only when complete.

    Raises:
        InputError: no toolchain exists for this machine, or it cannot be fetched or written.
    """
    found = pinned_folder()
    if found is not None:
        return found
    chosen = [(package, package.file_for(machine())) for package in packages()]
    files = [(package, file) for package, file in chosen if file is not None]
    if len(files) < len(chosen):
        raise InputError(f"the pinned compiler: expected a machine as amd64 or arm64, found {machine()}")
    folder = folder_to_fill()
    megabytes = sum(file.bytes for _, file in files) // _MEGABYTE
    _say(f"fetching {len(files)} packages of Debian 12, {megabytes} MB, into {folder}")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder.parent) as temporary:
            place = Path(temporary)
            (place / "packages").mkdir()
            (place / "content").mkdir()
            archives = _archives()
            with ThreadPoolExecutor(_AT_ONCE) as threads:
                tasks = [threads.submit(_fetch_and_unpack, package, file, archives, place) for package, file in files]
            for task in tasks:
                task.result()
            content = {"identity": identity(), "packages": {package.name: package.version for package in packages()}}
            (place / "content" / CONTENT).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
            try:
                (place / "content").rename(folder)
            except OSError:
                if pinned_folder() is None:  # another process has not filled the folder first
                    raise
    except OSError as error:
        raise InputError(f"{folder}: cannot be filled: {error.strerror or error}") from None
    return folder


def _say(words: str) -> None:
    print(f"toolchain: {words}", file=sys.stderr, flush=True)  # noqa: T201 - progress


def _fetch_and_unpack(package: Package, file: PackageFile, archives: Iterable[str], place: Path) -> None:
    downloaded = place / "packages" / f"{package.name}.deb"
    _fetch(package, file, archives, downloaded)
    _unpack(downloaded, package.keep, place / "content")
    downloaded.unlink()


def _archives() -> list[str]:
    """Returns the archives of packages: those that apt of this machine uses, then Debian's own."""
    found = []
    if (apt_get := shutil.which("apt-get")) is not None:
        listed = subprocess.run(  # noqa: S603 - prints what apt would fetch, without fetching
            [apt_get, "update", "--print-uris"], capture_output=True, text=True, check=False
        ).stdout
        found = re.findall(r"^'([a-z+]+://[^']*?/debian)/dists/[^']*'", listed, re.MULTILINE)
    return list(dict.fromkeys([*found, _ARCHIVE]))


def _fetch(package: Package, file: PackageFile, archives: Iterable[str], target: Path) -> None:
    complaints = []
    for uri in (*(f"{archive}/{file.path}" for archive in archives), f"{_OLD_FILES}/{file.sha1}"):
        complaint = _download(uri, target)
        if not complaint:
            found = hashlib.sha256(target.read_bytes()).hexdigest()
            if found == file.sha256:
                return
            complaint = f"expected a file with the SHA-256 {file.sha256}, found {found}"
        complaints.append(f"    {uri}: {complaint}")
    raise InputError("\n".join([f"{package.name} {package.version}: cannot be fetched:", *complaints]))


def _download(uri: str, target: Path) -> str:
    """Downloads a file by apt, whose settings may name a proxy, else directly.

    Returns a complaint, or an empty text.
    """
    target.unlink(missing_ok=True)
    if _APT_HELPER.exists():
        completed = subprocess.run(  # noqa: S603 - a program of apt, with fixed arguments
            [str(_APT_HELPER), "download-file", uri, str(target)],
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
        if completed.returncode == 0 and target.is_file():
            return ""
        errors = [line for line in completed.stderr.splitlines() if line.startswith("E:")]
        return errors[0] if errors else "apt-helper failed"
    try:
        with urllib.request.urlopen(uri, timeout=_TIMEOUT_S) as response, target.open("wb") as file:  # noqa: S310
            shutil.copyfileobj(response, file)
    except (OSError, urllib.error.URLError) as error:
        return str(error)
    return ""


def _unpack(package: Path, keep: Sequence[str], place: Path) -> None:
    wanted = re.compile("|".join(map(fnmatch.translate, keep)))
    with package.open("rb") as file:
        _seek_data(file)
        with tarfile.open(fileobj=file, mode="r|*") as archive:
            # Extract without checks: the package's hash is known. (Some versions of Python ignore this attribute.)
            archive.extraction_filter = lambda member, _: member
            for member in archive:
                if wanted.match(member.name.removeprefix("./")):
                    archive.extract(member, place)


def _seek_data(file: io.BufferedReader) -> None:
    """Moves to the data archive in a package."""
    if file.read(len(_AR_MAGIC)) != _AR_MAGIC:
        raise InputError(f"{file.name}: expected a package of Debian, found another file")
    while len(header := file.read(_AR_HEADER_BYTES)) == _AR_HEADER_BYTES:
        if header.startswith(b"data.tar"):
            return
        size = int(header[_AR_SIZE])
        file.seek(size + size % 2, io.SEEK_CUR)
    raise InputError(f"{file.name}: expected files in a package of Debian, found none")


def main() -> int:
    """Fetches the toolchain and prints its folder."""
    argparse.ArgumentParser(
        prog="python -m nocbench.compiling.fetch_toolchain",
        description="Fetches the compiler that kernels have by default, and prints the folder that it is in. A second"
        " time it does nothing.",
    ).parse_args()
    try:
        folder = fetch_toolchain()
    except InputError as error:
        _say(str(error))
        return 2
    print(folder)  # noqa: T201 - the result
    return 0


if __name__ == "__main__":
    sys.exit(main())
