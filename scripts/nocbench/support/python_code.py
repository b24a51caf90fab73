"""Digests of Python modules that ignore comments, docstrings, and imports for annotations only."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from nocbench.support.kept_files import KeptFiles, digest, digest_of_parts
from nocbench.support.package import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def digest_of_code(roots: Sequence[str], package: Path = PACKAGE) -> str:
    """Returns a digest of the code of modules, including all modules that they import from their package.

    Args:
        roots: names of the modules, such as "running.execution".
        package: folder of the package.
    """
    contents = {path.relative_to(package).as_posix(): path.read_bytes() for path in sorted(package.rglob("*.py"))}
    version = ".".join(map(str, sys.version_info))
    key = digest_of_parts(version, *roots, *(text for name in contents for text in (name, digest(contents[name]))))
    known = KeptFiles("module", 1, 2**20)  # parsing takes a second
    if (kept := known.load(key)) is not None:
        return str(kept[0]["digest"])
    found = _digest_of(roots, contents, package.name, version)
    known.store(key, {"digest": found})
    return found


def _digest_of(roots: Sequence[str], contents: dict[str, bytes], package: str, version: str) -> str:
    left = [_file_of(root, contents) for root in roots]
    said: dict[str, str] = {}
    while left:
        name = left.pop()
        if not name or name in said:
            continue
        tree = ast.parse(contents[name])
        for node in ast.walk(tree):
            if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
                del node.body[0]
            elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
                node.body = []
        said[name] = digest(ast.dump(tree).encode())
        left += [_file_of(module, contents) for module in _imports_in(tree, package)]
    return digest_of_parts(version, *(text for name in sorted(said) for text in (name, said[name])))


def _imports_in(tree: ast.Module, package: str) -> Iterator[str]:
    """Yields the modules imported from the package, also inside functions, and imported names, which may be modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[2] for name in node.names if name.name.startswith(f"{package}."))
        elif isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{package}."):
            module = str(node.module)[len(package) + 1 :]
            yield module
            yield from (f"{module}.{name.name}".lstrip(".") for name in node.names)


def _file_of(module: str, contents: dict[str, bytes]) -> str:
    """Returns the file of a module; empty for other packages, and for the package itself, on which nothing depends."""
    path = module.replace(".", "/")
    names = (f"{path}.py", f"{path}/__init__.py") if module else ()
    return next((name for name in names if name in contents), "")
