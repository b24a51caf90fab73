"""Common parts of entries in program files: numbers with parameters, coordinates of cores, contents, names."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.points.yaml_files import found, keys_of
from nocbench.programs import expressions
from nocbench.programs.program import Contents, CoreContents, Word, rectangle
from nocbench.support.errors import InputError
from nocbench.support.extras import require_extra
from nocbench.support.input_files import require_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nocbench.architectures.memories import Memories
    from nocbench.points.yaml_files import Node, YamlFile
    from nocbench.programs.program import Core, ProgramDescription

_NAME = re.compile(r"[A-Za-z_]\w*")
_NUM_COORDINATES = 2
_NEXT_TO_BANKS = "next_to_banks"
_ZEROS = "zeros"
_KINDS = ("words", "counting", "from_file")
CONTENTS = "zeros, {words: [...]}, {counting: N} or {from_file: PATH}"


class Entries:
    """Reader of entries in a program file. Records mistakes in `file`.

    Attributes:
        file: program file.
        directory: base of relative paths in the file.
        memories: memories of the machine for the program.
        tensor_names: names of all tensors; empty until they have been read.
        is_confined: True if the file may name only files in and below its directory.
    """

    def __init__(
        self,
        file: YamlFile,
        directory: Path,
        parameters: Mapping[str, int],
        memories: Memories,
        *,
        is_confined: bool = False,
    ) -> None:
        """Prepares reading of a file with the given values of parameters."""
        self.is_confined = is_confined
        self.file = file
        self.directory = directory
        self.memories = memories
        self.names = expressions.Names(parameters)
        self.tensor_names: tuple[str, ...] = ()

    def where(self, node: Node, key: str) -> str:
        """Returns the beginning of complaints about a node: "FILE:LINE:COLUMN: KEY"."""
        return f"{self.file.path}:{node['line']}:{node['column']}: {key}"

    def number(self, node: Node | None, key: str, *, default: int = 0, least: int = 0, most: int = sys.maxsize) -> int:
        """Returns a whole number or the value of an expression with parameters; the default if missing or invalid."""
        if node is None:
            return default
        between = f"{least} to {most:,}" if most != sys.maxsize else f"{least} or more"
        expected = f"a whole number of {between}" if least > -sys.maxsize else "a whole number"
        if node["kind"] != "text":
            self.file.complain(node, key, expected, found(node))
            return default
        try:
            value = expressions.number(str(node["value"]), self.names)
        except InputError as error:
            self.complain_of(node, key, error)
            return default
        if not least <= value <= most:
            self.file.complain(node, key, expected, found(node) if str(node["value"]) == str(value) else str(value))
            return default
        return value

    def complain_of(self, node: Node, key: str, error: InputError) -> None:
        """Records an error whose message reads "expected ..., found ..."."""
        expected, _, what = str(error).removeprefix("expected ").partition(", found ")
        self.file.complain(node, key, expected, what or found(node))

    def words(self, node: Node | None, key: str) -> tuple[Word, ...]:
        """Returns the texts of arguments, which are evaluated later, when all addresses are known."""
        return tuple(self.word(item, f"{key}[{index}]") for index, item in enumerate(self.file.items(node, key)))

    def word(self, node: Node, key: str) -> Word:
        """Returns the text of an argument."""
        if node["kind"] != "text":
            self.file.complain(node, key, "a number, or a text such as 'address NAME'", found(node))
            return Word("0", "")
        return Word(str(node["value"]), self.where(node, key))

    def core(self, node: Node, key: str) -> Core | None:
        """Returns a logical coordinate, [x, y]; None if it is invalid."""
        if node["kind"] != "list" or len(node["value"]) != _NUM_COORDINATES:
            what = f"a list of {len(node['value'])}" if node["kind"] == "list" else found(node)
            self.file.complain(node, key, "a core, [x, y]", what)
            return None
        x, y = (self.number(item, key) for item in node["value"])
        return x, y

    def cores(self, node: Node | None, key: str, noc: int = 0) -> tuple[Core, ...]:
        """Returns cores, given as a list, as `all`, as a rectangle with `from` and `to`, or as those next to banks.

        Cores next to banks are those of `noc` if the entry names no NoC.
        """
        if node is None:
            return ()
        if node["kind"] == "text" and node["value"] == "all":
            return self.memories.cores
        if _NEXT_TO_BANKS in keys_of(node):
            return self._next_to_banks(node, key, noc)
        if node["kind"] == "mapping":
            corners = self.file.mapping(node, key, ("from", "to"), required=("from", "to"))
            ends = [self.core(corner, f"{key}.{name}") for name, corner in sorted(corners.items())]
            if len(ends) < _NUM_COORDINATES or None in ends:
                return ()
            cores_between = rectangle(*ends)  # type: ignore[arg-type]
            if not cores_between:
                self.file.complain(node, key, "from a core to one on its right and below", f"{ends[0]} to {ends[1]}")
            return cores_between
        if node["kind"] != "list":
            self.file.complain(
                node, key, "a list of cores, [[x, y], ...], a rectangle, cores next to banks, or all", found(node)
            )
            return ()
        if not node["value"]:
            self.file.complain(node, key, "at least one core", "none")
        cores: dict[Core, None] = {}
        for item in node["value"]:
            core = self.core(item, key)
            if core in cores:
                self.file.complain(item, key, "each core once", f"{core} again")
            if core is not None:
                cores[core] = None
        return tuple(cores)

    def _next_to_banks(self, node: Node, key: str, noc: int) -> tuple[Core, ...]:
        entries = self.file.mapping(node, key, (_NEXT_TO_BANKS, "noc"))
        places = self.memories.next_to_banks[self.number(entries.get("noc"), f"{key}.noc", default=noc, most=1)]
        banks = entries[_NEXT_TO_BANKS]
        key = f"{key}.{_NEXT_TO_BANKS}"
        if banks["kind"] == "text" and banks["value"] == "all":
            return tuple(dict.fromkeys(places))
        cores: dict[Core, None] = {}
        for item in self.file.items(banks, key):
            core = places[self.number(item, key, most=len(places) - 1)]
            if core in cores:
                self.file.complain(item, key, "each core once", f"{core} again")
            cores[core] = None
        if not cores:
            self.file.complain(banks, key, "at least one bank", "none")
        return tuple(cores)

    def core_contents(self, node: Node | None, key: str) -> tuple[CoreContents, ...]:
        """Returns the content of a part of L1: of all cores, or a list with contents of some of them."""
        if node is None:
            return ()
        if node["kind"] != "list":
            return (CoreContents(self.contents(node, key)),)
        contents = []
        for item, of, entries, cores in self.by_cores(node, key, _KINDS):
            if len(entries) != 1:
                what = " and ".join(entries) or "none of these"
                self.file.complain(item, of, f"one of {', '.join(_KINDS)} beside cores", what)
            else:
                contents.append(CoreContents(self._contents(item, entries, of), cores))
        return tuple(contents)

    def by_cores(
        self, node: Node, key: str, known: Sequence[str], required: Sequence[str] = ()
    ) -> Iterator[tuple[Node, str, dict[str, Node], tuple[Core, ...]]]:
        """Yields the items of a list for some cores each: the item, its key, its other entries, and the cores.

        Args:
            node: a list of mappings with the entry `cores`.
            key: key of the list.
            known: names of the other entries.
            required: those that every item must have.
        """
        taken: set[Core] = set()
        for index, item in enumerate(node["value"]):
            of = f"{key}[{index}]"
            entries = self.file.mapping(item, of, ("cores", *known), required=("cores", *required))
            cores = self.cores(entries.pop("cores", None), f"{of}.cores")
            if twice := next((core for core in cores if core in taken), None):
                self.file.complain(item, f"{of}.cores", "each core once", f"{twice} again")
            taken.update(cores)
            yield item, of, entries, cores

    def contents(self, node: Node | None, key: str) -> Contents:
        """Returns the content of memory; zeros if it is missing."""
        if node is None:
            return Contents()
        if node["kind"] == "text" and node["value"] == _ZEROS:
            return Contents(where=self.where(node, key))
        if node["kind"] != "mapping" or len(node["value"]) != 1:
            self.file.complain(node, key, CONTENTS, found(node))
            return Contents()
        return self._contents(node, self.file.mapping(node, key, _KINDS), key)

    def _contents(self, node: Node, entries: Mapping[str, Node], key: str) -> Contents:
        where = self.where(node, key)
        if "words" in entries:
            return Contents(words=self.words(entries["words"], f"{key}.words"), where=where)
        if "counting" in entries:
            return Contents(first=self.word(entries["counting"], f"{key}.counting"), where=where)
        return self._from_file(entries.get("from_file"), f"{key}.from_file")

    def _from_file(self, node: Node | None, key: str) -> Contents:
        if node is None:
            return Contents()
        path = path_from(self, node, key)
        try:
            return Contents(data=file_contents(path), where=self.where(node, key))
        except InputError as error:
            self.complain_of(node, key, error)
            return Contents()

    def by_name(self, node: Node | None, key: str) -> list[tuple[str, Node]]:
        """Returns the entries of a mapping with names as keys."""
        entries: dict[str, Node] = {}
        for name, value in self._pairs(node, key, "names"):
            text = str(name["value"])
            if name["kind"] != "text" or not _NAME.fullmatch(text):
                self.file.complain(name, key, "a name as in C++", found(name))
            elif text in entries:
                self.file.complain(name, f"{key}.{text}", "each name once", "it again")
            else:
                entries[text] = value
        return list(entries.items())

    def by_number(self, node: Node | None, key: str) -> list[tuple[int, Node]]:
        """Returns the entries of a mapping with whole numbers as keys."""
        entries: dict[int, Node] = {}
        for name, value in self._pairs(node, key, "numbers"):
            text = str(name["value"])
            if name["kind"] != "text" or not text.isdecimal():
                self.file.complain(name, key, "a number", found(name))
            elif int(text) in entries:
                self.file.complain(name, f"{key}.{text}", "each number once", "it again")
            else:
                entries[int(text)] = value
        return list(entries.items())

    def _pairs(self, node: Node | None, key: str, keys: str) -> list[tuple[Node, Node]]:
        if node is None or node["kind"] == "nothing":
            return []
        if node["kind"] != "mapping":
            self.file.complain(node, key, f"a mapping with {keys} as keys", found(node))
            return []
        return list(node["value"])

    def require_names(self, program: ProgramDescription) -> None:
        """Records a mistake for each name that several tensors or regions have."""
        taken: dict[str, str] = {}
        for kind, things in (("tensor", program.tensors), ("region", program.regions)):
            for thing in things:
                if thing.name in taken:
                    self.file.complain(
                        self.file.root, f"{kind}s.{thing.name}", "another name", f"that of a {taken[thing.name]}"
                    )
                taken[thing.name] = kind


def path_from(reader: Entries, node: Node, key: str) -> Path:
    """Returns a path, relative to the folder of the file.

    Raises:
        InputError: a confined file leads elsewhere.
    """
    text = reader.file.text(node, key)
    path = reader.directory / Path(text).expanduser() if text else reader.directory
    if reader.is_confined and not path.resolve().is_relative_to(reader.directory.resolve()):
        raise InputError(f"{reader.where(node, key)}: expected a file beside this one, found {text}")
    return path


def defines(reader: Entries, node: Node | None, key: str) -> dict[str, str | None]:
    """Returns macros by name."""
    macros: dict[str, str | None] = {}
    for name, value in reader.by_name(node, key):
        if value["kind"] == "nothing":
            macros[name] = None
        elif value["kind"] == "text":
            macros[name] = str(value["value"])
        else:
            reader.file.complain(value, f"{key}.{name}", "a text or nothing", found(value))
    return macros


def file_contents(path: Path) -> bytes:
    """Returns the values of the array in a .npy file, or the bytes of any other file.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        require_file(path)
    except InputError as error:
        raise InputError(f"expected a file that can be read, found {error}") from None
    try:
        if path.suffix.lower() == ".npy":
            require_extra("pandas", str(path))
            import numpy

            return bytes(numpy.ascontiguousarray(numpy.load(path, allow_pickle=False)).tobytes())
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"expected a file that can be read, found {path}: {error.strerror}") from None
    except ValueError:
        raise InputError(f"expected an array of numbers, found another file: {path}") from None
