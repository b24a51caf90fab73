"""YAML files of settings, read by the C++ parser, with the position of every mistake."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, TypeVar

from nocbench.extension import input_errors
from nocbench.support.errors import InputError, did_you_mean
from nocbench.support.input_files import require_file
from nocbench.support.names import NAME, is_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

Value = TypeVar("Value")
Node = dict[str, Any]

_FOUND = {"list": "a list", "mapping": "a mapping", "nothing": "nothing"}


def read_yaml(path: Path, what: str) -> Node:
    """Reads a YAML file as nodes that know their place: see bindings/yaml.h.

    Raises:
        InputError: no such file, or not one document; the message says that `what`, as "a policy", was expected.
    """
    if path.exists():  # otherwise the parser complains
        require_file(path)
    with input_errors() as core:
        return dict(core.read_yaml(str(path), what))


class YamlFile:
    """A YAML file that collects mistakes while it is read, to report all of them together."""

    def __init__(self, path: Path, what: str) -> None:
        """Parses the file. `what` names the expected kind of file in complaints, such as "a policy".

        Raises:
            InputError: no such file, or a file other than a single YAML document.
        """
        self.path = path
        self.root: Node = read_yaml(path, what)
        self._mistakes: list[tuple[int, int, str]] = []

    def part(self, node: Node) -> YamlFile:
        """Returns a part of the file as a separate file, with its own mistakes."""
        part = copy.copy(self)
        part.root = node
        part._mistakes = []  # noqa: SLF001 - same class
        return part

    def place(self, node: Node) -> str:
        """Returns "FILE:LINE" of a node."""
        return f"{self.path}:{node['line']}"

    def complain(self, node: Node, key: str, expected: str, found: str) -> None:
        """Records a mistake."""
        message = f"{self.path}:{node['line']}:{node['column']}: {key}: expected {expected}, found {found}"
        self._mistakes.append((node["line"], node["column"], message))

    def require_no_mistakes(self) -> None:
        """Raises InputError with all recorded mistakes, in the order of the file."""
        if self._mistakes:
            count = len(self._mistakes)
            lines = [f"{count} mistake{'s' if count > 1 else ''} in {self.path}"]
            raise InputError("\n".join([*lines, *(message for _, _, message in sorted(self._mistakes))]))

    def mapping(
        self, node: Node, key: str, known: Collection[str], *, required: Collection[str] = ()
    ) -> dict[str, Node]:
        """Returns the entries of a mapping.

        Records mistakes for keys not in `known`, and for missing `required` keys.
        """
        entries: dict[str, Node] = {}
        if node["kind"] == "nothing" and not required:
            return entries
        if node["kind"] != "mapping":
            self.complain(node, key or "file", f"a mapping with the keys {', '.join(known)}", found(node))
            return entries
        for name, value in node["value"]:
            text = name["value"] if name["kind"] == "text" else found(name)
            path = f"{key}.{text}" if key else text
            if text not in known:
                hint = did_you_mean(text, known) or f"; there are: {', '.join(known)}"
                self.complain(name, path, "a known key", f"an unknown key{hint}")
            elif text in entries:
                self.complain(name, path, "each key once", "it again")
            else:
                entries[text] = value
        for name in required:
            if name not in entries:
                self.complain(node, f"{key}.{name}" if key else name, "this key", "nothing")
        return entries

    def items(self, node: Node | None, key: str) -> list[Node]:
        """Returns the items of a list; empty if the list is missing."""
        if node is None or node["kind"] == "nothing":
            return []
        if node["kind"] != "list":
            self.complain(node, key, "a list", found(node))
            return []
        return list(node["value"])

    def text(self, node: Node | None, key: str) -> str:
        """Returns a text; empty if it is missing or invalid."""
        if node is None:
            return ""
        if node["kind"] != "text" or not node["value"].strip():
            self.complain(node, key, "text", found(node))
            return ""
        return str(node["value"]).strip()

    def name(self, node: Node | None, key: str) -> str:
        """Returns a name; empty if it is missing. Records a mistake for an invalid one."""
        text = self.text(node, key)
        if node is not None and not is_name(text):
            self.complain(node, key, NAME, repr(text))
        return text

    def yes_or_no(self, node: Node | None, key: str) -> bool | None:
        """Returns True for yes; None if it is missing."""
        if node is None:
            return None
        text = self.text(node, key).lower()
        if text not in ("yes", "no", "true", "false"):
            self.complain(node, key, "yes or no", found(node))
        return text in ("yes", "true")

    def value(self, node: Node | None, key: str, expected: str, parse: Callable[[str], Value]) -> Value | None:
        """Returns a text parsed by `parse`; None if it is missing. Records a mistake if `parse` raises ValueError."""
        if node is None:
            return None
        if node["kind"] == "text":
            try:
                return parse(node["value"].strip())
            except ValueError:
                pass
        self.complain(node, key, expected, found(node))
        return None


def keys_of(node: Node) -> set[str]:
    """Returns the keys of a mapping, right or wrong; none for other nodes."""
    return {str(key["value"]) for key, _ in node["value"]} if node["kind"] == "mapping" else set()


def found(node: Node) -> str:
    """Returns a node in words, for complaints."""
    return f"'{node['value']}'" if node["kind"] == "text" else _FOUND[node["kind"]]
