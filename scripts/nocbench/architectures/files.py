"""Modeled architectures and their files: those of nocbench, and the user's own, named by the path of the file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.extension import forget_answers, input_errors
from nocbench.support.errors import InputError, did_you_mean
from nocbench.support.kept_files import digest, digest_of_parts

if TYPE_CHECKING:
    from collections.abc import Callable

_SUFFIX = ".yaml"

_digests_of_added: dict[str, str] = {}
"""Digests of the user's own architecture files with their bases, by name of the architecture."""


class _NameInFile(str):
    """Name of an architecture in a file; a process that unpickles it reads the file.

    Attributes:
        path: path of the file.
    """

    path: Path

    def __reduce__(self) -> tuple[Callable[[str], str], tuple[Any, ...]]:
        return name_of, (str(self.path),)


def architecture_names() -> list[str]:
    """Returns the names of all modeled architectures, sorted."""
    with input_errors() as core:
        return sorted(core.architecture_names())


def _is_known(arch: str) -> bool:
    return arch in architecture_names() or arch in _digests_of_added


def require_architecture(arch: str) -> None:
    """Raises InputError, with the names that exist, unless `arch` is a modeled architecture."""
    if not _is_known(arch):
        names = architecture_names()
        raise InputError(
            f"no architecture is called '{arch}'{did_you_mean(arch, names) or '; there are: ' + ', '.join(names)}"
        )


def is_path(architecture: str | Path) -> bool:
    """True if an architecture is given by the path of its file, and not by its name."""
    return isinstance(architecture, Path) or architecture.endswith(_SUFFIX) or os.sep in architecture


def name_of(architecture: str | Path) -> str:
    """Returns the name of an architecture, which may be given by the path of its file, as it is now.

    Raises:
        InputError: mistakes in the file, or another architecture of this name.
    """
    if isinstance(architecture, str) and not is_path(architecture):
        return architecture
    path = Path(architecture).absolute()
    if path.suffix != _SUFFIX:
        raise InputError(f"architecture: expected a name or the path of a file *{_SUFFIX}, found {architecture}")
    with input_errors() as core:
        name = _NameInFile(core.add_architecture(str(path)))
    name.path = path
    if name not in architecture_names():
        content = digest_of_files(name)
        if _digests_of_added.get(name) != content:
            _digests_of_added[str(name)] = content
            forget_answers()
    return name


def as_given(architecture: str) -> str:
    """Returns the name of an architecture, or the path of its file, for the command line of another process."""
    return str(architecture.path) if isinstance(architecture, _NameInFile) else architecture


def architecture_file(arch: str) -> Path:
    """Returns the path of an architecture's file. Raises InputError if there is none."""
    with input_errors() as core:
        return Path(core.architecture_file(arch))


def architecture_files(arch: str) -> list[Path]:
    """Returns the paths of an architecture's file, of its base, of the base of that, and so on."""
    with input_errors() as core:
        return [Path(file) for file in core.architecture_files(arch)]


def root_of(arch: str) -> str:
    """Returns what an architecture is based on in the end: kernels are compiled for it. Unknown ones have no base."""
    return architecture_files(arch)[-1].stem if _is_known(arch) else arch


def digest_of_added(arch: str) -> str:
    """Returns the digest of the user's own file of an architecture, with its bases; empty for all others."""
    return _digests_of_added.get(arch, "")


def has_changed(arch: str, content: str) -> bool:
    """True if the user's own file of an architecture, or a base, is not the one with the digest `content`."""
    return content != "" and digest_of_files(arch) != content


def digest_of_files(arch: str) -> str:
    """Returns the digest of an architecture's file and its bases."""
    return digest_of_parts(*(digest(file.read_bytes()) for file in architecture_files(arch)))
