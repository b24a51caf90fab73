"""Creation of a suite from a working example."""

from __future__ import annotations

import json
import os
from pathlib import Path

from nocbench.gating.git import find_repository
from nocbench.suites.origin import Origin
from nocbench.suites.suite_file import SUITE_FILE
from nocbench.support.atomic_files import make_directory, write_text
from nocbench.support.errors import InputError
from nocbench.support.package import PACKAGE

_KERNELS, _HOST_PROGRAMS = "copy_pipeline", "host"
_WORKFLOWS = ".github/workflows"
_FILES = ("*.yaml", "*.md", "*.cpp", ".gitignore", "kernels/*", "flows/*")
NOWHERE = Origin("OWNER/nocbench", "main")
"""Origin of nocbench in the workflows of the example."""


def begin_suite(directory: Path, origin: Origin = NOWHERE, *, of_host_programs: bool = False) -> list[Path]:
    """Writes an example suite to a folder, and workflows that gate the suite to the top of its repository.

    Args:
        directory: the folder.
        origin: the nocbench that the workflows use.
        of_host_programs: True for an example with host programs of tt-metal, instead of kernels and their programs.

    Returns:
        Paths of the written files.

    Raises:
        InputError: some of the files exist, or cannot be written; no file is written.
    """
    name_of_example = _HOST_PROGRAMS if of_host_programs else _KERNELS
    example = _example_directory(name_of_example)
    top = _top_of(directory)
    name = directory.resolve().name
    contents: dict[Path, str] = {}
    suite = Path(os.path.relpath(directory.resolve(), top.resolve())).as_posix()
    for file in sorted((_example_directory(_KERNELS) / _WORKFLOWS).iterdir()):
        text = file.read_text(encoding="utf-8").replace("suite: .\n", f"suite: {json.dumps(suite)}\n")
        text = text.replace(f"{NOWHERE.repository}/", f"{origin.repository}/")
        contents[top / _WORKFLOWS / file.name] = text.replace(f"@{NOWHERE.revision}\n", f"@{origin.revision}\n")
    for file in sorted(path for pattern in _FILES for path in example.glob(pattern)):
        place = file.relative_to(example)
        text = file.read_text(encoding="utf-8")
        if place.name == SUITE_FILE:
            contents[directory / place] = text.replace(f"name: {name_of_example}\n", f"name: {json.dumps(name)}\n")
        elif place.name == "README.md":
            contents[directory / place] = text.replace("demo", name)
        else:
            contents[directory / place] = text
    there = [str(path) for path in contents if path.exists() or path.is_symlink()]
    if there:
        raise InputError(f"{directory}: expected none of the files of a new suite, found {', '.join(there)}")
    for path, text in contents.items():
        make_directory(path.parent)
        write_text(path, text)
    return list(contents)


def _example_directory(name: str) -> Path:
    """Returns the folder of an example; in a wheel, it is beside the modules."""
    packaged = PACKAGE / "examples" / name
    return packaged if packaged.is_dir() else PACKAGE.parents[1] / "examples" / name


def _top_of(directory: Path) -> Path:
    """Returns the top of the repository around a folder, even a missing one; without repository, the folder."""
    existing = next(parent for parent in (directory, *directory.absolute().parents) if parent.is_dir())
    try:
        top = find_repository(existing)
    except InputError:
        return directory
    return Path(os.path.relpath(top)) if Path.cwd().resolve().is_relative_to(top.resolve()) else top
