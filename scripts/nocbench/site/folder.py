"""The folder of a site, which a later run may write again."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from nocbench.support.atomic_files import make_directory, write_text
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_LIST = "assets/files.txt"
"""List of all files of the site, by which a later run recognises them."""


def files_of(path: Path) -> dict[str, Path]:
    """Returns the files of a site by name. Raises InputError for another folder."""
    if not (path / _LIST).is_file():
        raise InputError(f"{path}: expected a folder that 'nocbench site' made, found no {_LIST} in it")
    names = (path / _LIST).read_text(encoding="utf-8").splitlines()
    paths = {name: (path / name).resolve() for name in names}
    return {name: found for name, found in paths.items() if found.is_relative_to(path.resolve())}


class SiteFolder:
    """The folder of a site. Files of an earlier run that are not written again are removed at the end."""

    def __init__(self, path: Path) -> None:
        """Chooses the folder, which the first file makes. Raises InputError if it has other files than a site's."""
        self.path = path
        self._written: set[str] = set()
        if path.is_dir() and any(path.iterdir()) and not (path / _LIST).is_file():
            raise InputError(f"{path}: expected an empty folder, or one with a site; it has other files")
        self._earlier = files_of(path) if (path / _LIST).is_file() else {}

    def write(self, name: str, text: str) -> None:
        """Writes a file of the site. Raises InputError on failure."""
        make_directory((self.path / name).parent)
        write_text(self.path / name, text, synchronize=False)
        self._written.add(name)

    def copy(self, source: Path, name: str) -> None:
        """Copies a file to the site. Raises InputError on failure."""
        make_directory((self.path / name).parent)
        try:
            shutil.copyfile(source, self.path / name)
        except OSError as error:
            raise InputError(f"{self.path / name}: cannot be written: {error.strerror}") from error
        self._written.add(name)

    def add(self, path: Path) -> str:
        """Adds a file that was written to the folder. Returns its name in the site."""
        name = path.relative_to(self.path).as_posix()
        self._written.add(name)
        return name

    def finish(self) -> None:
        """Removes files of an earlier run that were not written again, and writes the list of all files."""
        for name in self._earlier.keys() - self._written - {_LIST}:
            self._earlier[name].unlink(missing_ok=True)
        self.write(_LIST, "".join(f"{name}\n" for name in sorted(self._written)))
