"""Places where a compiler looked for files: a file that appears there later may be read instead."""

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
# Such names are known to the compiler only.
_BY_MACRO = re.compile(r"__has_include(?:_next)?\s*\(\s*[^<\"\s]")


@dataclass(frozen=True)
class Lookups:
    """Places where files were looked for.

    Attributes:
        folders: folders in which all names were looked for.
        names: paths below them.
        others: paths of files that were looked for in one place only.
    """

    folders: tuple[str, ...]
    names: tuple[str, ...]
    others: tuple[str, ...] = ()

    def found(self) -> list[str]:
        """Returns the paths that exist now."""
        parents: dict[str, bool] = {}
        found = []
        for path in (*(f"{folder}/{name}" for folder in self.folders for name in self.names), *self.others):
            parent = path.rpartition("/")[0]
            if (there := parents.get(parent)) is None:
                there = parents[parent] = os.path.isdir(parent)  # noqa: PTH112 - many, in a millisecond
            if there and os.path.exists(path):  # noqa: PTH110 - likewise
                found.append(path)
        return found

    def pack(self) -> dict[str, Any]:
        """Returns the lookups as JSON values, with the existing paths."""
        return {"folders": self.folders, "names": self.names, "others": self.others, "found": self.found()}


NO_LOOKUPS = Lookups((), ())


def are_as_before(packed: Any) -> bool:  # noqa: ANN401 - as a file has it
    """True if the same paths exist as when the lookups were packed."""
    try:
        lookups = Lookups(tuple(packed["folders"]), tuple(packed["names"]), tuple(packed["others"]))
        return bool(lookups.found() == packed["found"])
    except (KeyError, TypeError):
        return False


def names_below(folders: Iterable[Path], files: Iterable[Path]) -> set[str]:
    """Returns the names by which files can be found below folders of headers."""
    places = [f"{folder}/" for folder in folders]
    return {str(file)[len(place) :] for file in files for place in places if str(file).startswith(place)}


def lookups_of(files: Iterable[Path], folders: Sequence[Path], ours: Path, installed: Sequence[Path]) -> Lookups | None:
    """Returns the lookups of a compilation; None if they cannot be told.

    Args:
        files: all files that were read.
        folders: folders of headers, each searched for all names.
        ours: folder of files that include only headers which always exist.
        installed: folders of the compiler's own files, where none appear.
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
