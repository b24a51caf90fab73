"""Paths that a compiler tried in its search for headers: a file that appears at one of them may be read instead."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_INCLUDES = re.compile(
    r"""(?: (?:\#|%:) [ \t]* (?:include|include_next|import) [ \t]* | __has_include(?:_next)? [ \t]* \( [ \t]*
        | \.(?:include|incbin) [ \t]* \\?
        ) (?: < (?P<searched>[^>\n]+) > | " (?P<beside>[^"\\\n]+) )""",
    re.VERBOSE,
)
# A macro names the header: only the compiler can expand it.
_BY_MACRO = re.compile(r"__has_include(?:_next)?\s*\(\s*[^<\"\s]")


@dataclass(frozen=True)
class Lookups:
    """Paths where the compiler looked for files.

    Attributes:
        folders: folders in which the compiler looked for all names.
        names: paths below `folders`.
        others: further paths, for files that were looked for in one folder only.
    """

    folders: tuple[str, ...]
    names: tuple[str, ...]
    others: tuple[str, ...] = ()

    def found(self) -> list[str]:
        """Returns the paths that exist now."""
        contents: dict[str, frozenset[str] | None] = {}
        found = []
        for path in (*(f"{folder}/{name}" for folder in self.folders for name in self.names), *self.others):
            parent, _, name = path.rpartition("/")
            if parent not in contents:
                contents[parent] = _names_in(parent)
            names = contents[parent]
            if (names is None or name in names) and os.path.exists(path):  # noqa: PTH110 - faster than pathlib
                found.append(path)
        return found

    def pack(self) -> dict[str, Any]:
        """Returns the lookups as JSON values, with the paths that exist now."""
        return {"folders": self.folders, "names": self.names, "others": self.others, "found": self.found()}


def _names_in(folder: str) -> frozenset[str] | None:
    """Returns the names in a folder; None if it cannot be read. One list is faster than a look for each name."""
    try:
        return frozenset(os.listdir(folder))  # noqa: PTH208 - faster than pathlib
    except PermissionError:
        return None
    except OSError:
        return frozenset()


NO_LOOKUPS = Lookups((), ())


def are_as_before(packed: Any) -> bool:  # noqa: ANN401 - read from a file
    """Returns True if the same paths exist as when the lookups were packed."""
    try:
        lookups = Lookups(tuple(packed["folders"]), tuple(packed["names"]), tuple(packed["others"]))
        return bool(lookups.found() == packed["found"])
    except (KeyError, TypeError):
        return False


def names_below(folders: Iterable[Path], files: Iterable[Path]) -> set[str]:
    """Returns the paths of files relative to the folders of headers that contain them."""
    places = [f"{folder}/" for folder in folders]
    return {str(file)[len(place) :] for file in files for place in places if str(file).startswith(place)}


def lookups_of(files: Iterable[Path], folders: Sequence[Path], ours: Path, installed: Sequence[Path]) -> Lookups | None:
    """Returns the lookups of a compilation; None if they cannot be determined.

    Args:
        files: all files that the compiler read.
        folders: folders of headers, each searched for all names.
        ours: nocbench's own folder, whose files include only headers that exist.
        installed: folders of the compiler's own files, where no new files appear.
    """
    users = {file for file in files if not any(file.is_relative_to(place) for place in (ours, *installed))}
    names = names_below(folders, files)
    others = set()
    for source in users:
        try:
            text = source.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
        if _BY_MACRO.search(text):
            return None
        for include in _INCLUDES.finditer(text):
            name = include["searched"] or include["beside"]
            names.add(name)
            if include["beside"]:
                others.add(os.path.normpath(source.parent / name))
    searched = {folder for folder in folders if not any(folder.is_relative_to(place) for place in installed)}
    changing = {*searched, *(source.parent for source in users)}
    return Lookups(tuple(sorted(map(str, changing))), tuple(sorted(names)), tuple(sorted(others)))
