"""Parts of pages kept between runs, by all their inputs.

Sections, texts and pictures are made again if their rows, the code or the libraries have changed. Sections and texts
also depend on the model and on the templates.
"""

from __future__ import annotations

import functools
import importlib.metadata
import os
import pickle
from typing import TYPE_CHECKING, TypeVar

from nocbench.architectures.files import architecture_files, architecture_names
from nocbench.extension import extension_file
from nocbench.points.catalogue import BUILT_IN, in_use
from nocbench.running.kept_points import NO_CACHE
from nocbench.support.kept_files import KeptFiles, digest, digest_of_parts
from nocbench.support.package import PACKAGE
from nocbench.support.python_code import digest_of_code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from nocbench.drawing.pictures import Picture

_LIBRARIES = ("jinja2", "matplotlib", "numpy", "pandas", "seaborn")
_FILES = KeptFiles("page", 1, 2**28)

Value = TypeVar("Value")


def kept_value(function: Callable[..., Value], *arguments: object, files: Sequence[Path] = ()) -> Value:
    """Returns the value of a function, from an earlier run if possible.

    Args:
        function: a function of a module, whose value depends on its arguments, code, templates and the model. Values
            of suites are not kept.
        arguments: its arguments; they and the value can be pickled.
        files: files that it reads. Nothing is kept if one of them is not a regular file.
    """
    if not keeps_parts() or in_use() is not BUILT_IN or not all(file.is_file() for file in files):
        return function(*arguments)
    contents = [digest(file.read_bytes()) for file in files]
    code = _digest_of_code(function.__module__)
    key = digest_of_parts(code, _digest_of_model(), function.__qualname__, _digest_of(arguments), *contents)
    kept = _FILES.take(key)
    if kept is not None:
        content = kept[1]
    else:
        content = pickle.dumps(function(*arguments))
        _FILES.store(key, {}, content)
    # Values of both kinds are unpickled, so that keys made of them are equal, too.
    value: Value = pickle.loads(content)  # noqa: S301 - pickled by us, in a folder of the user
    return value


def keeps_parts() -> bool:
    """Returns True unless the user wants everything to be made again."""
    return not os.environ.get(NO_CACHE)


def picture_key(picture: Picture) -> str:
    """Returns a key that depends on the data of a picture, and on the code and libraries that draw it."""
    draw = picture.draw
    function = draw.func if isinstance(draw, functools.partial) else draw
    return digest_of_parts(_digest_of_code("nocbench.drawing.pictures", function.__module__), _digest_of(draw))


def kept_picture(key: str) -> bytes | None:
    """Returns a kept picture as SVG; None if there is none."""
    kept = _FILES.take(key)
    return None if kept is None else kept[1]


def keep_picture(key: str, svg: bytes) -> None:
    """Keeps a picture."""
    _FILES.store(key, {}, svg)


def _digest_of(value: object) -> str:
    return digest(pickle.dumps(value, protocol=5))


@functools.cache
def _digest_of_code(*modules: str) -> str:
    versions = (f"{name} {importlib.metadata.version(name)}" for name in _LIBRARIES)
    return digest_of_parts(digest_of_code([module.partition(".")[2] for module in modules]), *versions)


@functools.cache
def _digest_of_model() -> str:
    """Returns a digest of the simulator, its architectures, and the templates of pages."""
    constants = {file for arch in architecture_names() for file in architecture_files(arch)}
    files = [extension_file(), *sorted(constants), *sorted((PACKAGE / "templates").glob("*.j2"))]
    return digest_of_parts(*(digest(file.read_bytes()) for file in files))
