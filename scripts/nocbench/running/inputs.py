"""Keys that depend on all inputs of a point's result.

The requesting process computes the first key before the run, and the running process computes both keys after it: if
the keys are equal, no input has changed in between. Files that a process loads only once (the simulator, modules) are
also hashed once.
"""

from __future__ import annotations

import functools
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.architectures.files import architecture_file, architecture_files
from nocbench.compiling.choice import chosen_compiler
from nocbench.extension import extension_file
from nocbench.points.yaml_files import read_yaml
from nocbench.support.device_files import device_files
from nocbench.support.errors import InputError
from nocbench.support.kept_files import digest, digest_of_parts
from nocbench.support.package import BEGIN_NS, PACKAGE
from nocbench.support.python_code import digest_of_code
from nocbench.support.sources import without_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nocbench.points.point import Point
    from nocbench.points.yaml_files import Node

_ROOTS = ("running.execution", "running.engines.worker", "suites.suite", "compiling.suite_kernels")
"""Modules that run points, and thereby import all others."""
_WORDS_OF_CONSTANTS = ("source", "status", "fitted_rows")
_LIBRARIES = ("libboost_context", "libfmt", "libyaml-cpp", "libstdc++", "libm.", "libgcc_s", "libc.")
"""Shared libraries of the extension module."""


@dataclass(frozen=True)
class KernelFiles:
    """Sources of kernels.

    Attributes:
        digest: digest of all known sources.
        digests: digest of each file by path, as from :func:`nocbench.compiling.cache.noted_files`.
        folders: folders of the compiler.
    """

    digest: str = ""
    digests: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()

    def cover(self, noted: Mapping[str, str]) -> bool:
        """Returns True if all files in `noted` are known, with equal content."""
        return all(
            self.digests.get(name) == content_digest or os.path.realpath(name).startswith(self.folders)
            for name, content_digest in noted.items()
        )


class Keys:
    """Keys that depend on all inputs of points' results, except the sources of kernels.

    Files are read when a key for their architecture is first requested.
    """

    def __init__(self, *, shorten_from_flit_hops: float | None, with_details: bool) -> None:
        """Stores the options for running points, and a digest of the modules that run them."""
        self._of_all = (_simulator_digest(), _code_digest(len(sys.modules)), str(shorten_from_flit_hops))
        self._with_details = str(with_details)
        self._constants: dict[str, str] = {}

    def of(self, point: Point) -> str:
        """Returns the key of a point."""
        constants = self._constants.get(point.arch)
        if constants is None:
            constants = self._constants[point.arch] = _constants_digest(point.arch)
        return digest_of_parts(*self._of_all, self._with_details, constants, point.catalogue.name, point.digest())


def forget_kernel_files() -> None:
    """Discards the digests of headers, kernels and the compiler, so that they are computed again."""
    _known_kernel_files.cache_clear()


def kernel_files(point: Point) -> KernelFiles | None:
    """Returns the sources of a point's kernels; None if some are unknown."""
    own = point.catalogue.kernel_sources(point.test)
    if own is None:
        return None
    known = _known_kernel_files(chosen_compiler())
    return KernelFiles(known.digest, {**known.digests, **own}, known.folders)


@functools.cache
def _simulator_digest() -> str:
    """Returns a digest of the extension module, byte for byte, and of its shared libraries."""
    extension = extension_file()
    return _if_loaded([extension], digest_of_parts(digest(extension.read_bytes()), *_libraries()))


def _libraries() -> list[str]:
    """Returns name, size and time of the shared libraries that the extension module has loaded."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8")
    except OSError:
        return []
    mapped = {line.split(maxsplit=5)[5] for line in maps.splitlines() if ".so" in line}
    paths = sorted(Path(path) for path in mapped if Path(path).name.startswith(_LIBRARIES))
    return [f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in paths]


@functools.lru_cache(maxsize=1)
def _code_digest(_num_modules: int) -> str:
    """Returns a digest of the modules that run points; computed again after further imports."""
    return _if_loaded(PACKAGE.rglob("*.py"), digest_of_code(_ROOTS))


def _if_loaded(files: Iterable[Path], known: str) -> str:
    """Returns `known` if files on disk are those that the process loaded, else a unique text.

    A notebook may have loaded the files hours ago. Their ctime shows changes since then, and cannot be forged.
    """
    are_loaded = all(file.stat().st_ctime_ns < BEGIN_NS for file in files)
    return known if are_loaded else os.urandom(16).hex()


def _constants_digest(arch: str) -> str:
    """Returns a digest of the constants in an architecture file and in its bases."""
    own = architecture_file(arch)
    files = _architecture_files(arch, str(own), digest(own.read_bytes()))
    return digest_of_parts(*(_digest_of_constants(file, digest(file.read_bytes())) for file in files))


@functools.cache
def _architecture_files(arch: str, _file: str, _content_digest: str) -> list[Path]:
    return architecture_files(arch)


@functools.cache
def _digest_of_constants(file: Path, _content_digest: str) -> str:
    """Returns a digest of an architecture file without comments and sources of its constants."""
    return digest_of_parts(repr(_values(read_yaml(file, "an architecture file"))))


def _values(node: Node) -> Any:  # noqa: ANN401 - any YAML value
    if node["kind"] == "mapping":
        entries = [(_values(key), value) for key, value in node["value"]]
        is_constant = any(key[1] == "value" for key, _ in entries)
        return [(key, _values(value)) for key, value in entries if not is_constant or key[1] not in _WORDS_OF_CONSTANTS]
    if node["kind"] == "list":
        return [_values(item) for item in node["value"]]
    return node["kind"], node.get("value")


@functools.cache
def _known_kernel_files(compiler: Path | None) -> KernelFiles:
    """Returns digests of nocbench's headers and kernels for the device, without comments, and of the compiler."""
    # A late import, which takes a while: most runs compile nothing.
    from nocbench.compiling.toolchain import find_toolchain, installed_files

    try:
        toolchain = find_toolchain(compiler)
        state, folders = installed_files(toolchain)
        digests = {str(toolchain.compiler): toolchain.identity}
    except InputError:  # without a compiler, nothing is compiled
        state, folders, digests = "", (), {}
    parts = [state]
    for name, path in device_files().items():
        content = path.read_bytes()
        digests[str(path)] = digest(content)
        parts += [name, digest(without_comments(name, content))]
    return KernelFiles(digest_of_parts(*parts), digests, folders)
