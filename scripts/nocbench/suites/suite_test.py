"""One test of a suite: its program, and how that is swept."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from nocbench.compiling.request import ARCHITECTURES
from nocbench.points import simulator
from nocbench.points.axes import parse_values
from nocbench.points.selection import TIERS, axis_values
from nocbench.points.yaml_files import YamlFile, found
from nocbench.programs.execution import Machine
from nocbench.programs.program_file import machines_in, program_in
from nocbench.support.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from nocbench.points.yaml_files import Node
    from nocbench.programs.program import ProgramDescription
    from nocbench.support.errors import Mistakes

_KEYS = (
    *("name", "id", "description", "program", "architectures", "boards", "sweep", "headings", "plot"),
    "theoretical_bytes_per_cycle",
)
_PLOT = ("axis", "lines")
_MOST_ID = 2**31 - 1

Sweep = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class SuiteTest:
    """A test of a suite.

    Attributes:
        name: stable.
        test_id: stable number; 0 until it is numbered.
        description: a sentence.
        program: the file with its program, or the part of the suite's file that is one.
        boards: architecture to board, or to nothing for the default one.
        defaults: architecture to the parameters of the program and their defaults.
        kernels: names of the kernels.
        sweep: tier to parameter to values.
        theoretical: architecture to the highest bandwidth that a result row can have, where that is known.
        headings: where its results stand on the pages.
        plotted: the parameter along the axis of its picture, and that of the lines.
    """

    name: str
    test_id: int
    description: str
    program: YamlFile | None
    boards: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    kernels: tuple[str, ...] = ()
    sweep: Mapping[str, Sweep] = field(default_factory=dict)
    theoretical: Mapping[str, float] = field(default_factory=dict)
    headings: tuple[str, ...] = ()
    plotted: tuple[str, ...] = ()

    def program_for(self, machine: Machine, parameters: Mapping[str, str]) -> ProgramDescription:
        """Its program. Raises InputError with all mistakes in it."""
        assert self.program is not None
        return program_in(self.program.part(self.program.root), machine, parameters)


def read_test(file: YamlFile, node: Node, usual_plot: Mapping[str, str], mistakes: Mistakes) -> SuiteTest:
    """Reads a test, with its program for each architecture.

    Args:
        file: of the suite, which gathers mistakes.
        node: the test.
        usual_plot: what the suite says of pictures.
        mistakes: gathers those in other files.
    """
    entries = file.mapping(node, "tests", _KEYS, required=("name", "program"))
    program = _program(file, entries.get("program"), mistakes)
    boards = _boards(file, entries, program, mistakes)
    programs = _read_all(program, boards, mistakes)
    defaults = {arch: {name: read.parameters[name] for name in read.own_parameters} for arch, read in programs.items()}
    parameters = list(next(iter(defaults.values()), {}))
    # What is wrong in the program may be its parameters: then nothing is known of them.
    sweep = _sweep(file, entries.get("sweep"), parameters, is_known=bool(programs))
    first = next(iter(programs.values()), None)
    name = file.text(entries.get("name"), "tests.name")
    return SuiteTest(
        name=name,
        test_id=file.value(entries.get("id"), "tests.id", f"a number from 1 to {_MOST_ID}", _parse_id) or 0,
        description=file.text(entries.get("description"), "tests.description") or (first.about if first else ""),
        program=program,
        boards=boards,
        defaults=defaults,
        kernels=tuple(kernel.name for kernel in first.kernels) if first else (),
        sweep=sweep,
        theoretical=_theoretical(file, entries.get("theoretical_bytes_per_cycle"), boards),
        headings=tuple(
            file.text(item, "tests.headings") for item in file.items(entries.get("headings"), "tests.headings")
        )
        or (name,),
        plotted=_plotted(file, entries.get("plot"), usual_plot, list(sweep["full"])),
    )


def _program(file: YamlFile, node: Node | None, mistakes: Mistakes) -> YamlFile | None:
    if node is None:
        return None
    if node["kind"] == "mapping":
        return file.part(node)
    name = file.text(node, "tests.program")
    if not name:
        return None
    path = file.path.parent / name
    if not path.is_file():
        there = sorted(other.name for other in path.parent.glob("*.yaml") if other.name != file.path.name)
        hint = did_you_mean(path.name, there)
        file.complain(node, "tests.program", "a program file, or a program", f"no such file, {path}{hint}")
        return None
    try:
        return YamlFile(path, "a program")
    except InputError as error:
        mistakes.note(str(error))
        return None


def _boards(
    file: YamlFile, entries: Mapping[str, Node], program: YamlFile | None, mistakes: Mistakes
) -> dict[str, str]:
    """The architectures of a test, each with its board, or with nothing for the default one."""
    of_program: list[str] = []
    board_of_program = ""
    if program is not None:
        with mistakes.noted():
            of_program, board_of_program = machines_in(program.part(program.root))
    named = _texts(file, entries.get("architectures"), "tests.architectures", ARCHITECTURES)
    having = {
        arch: [str(board["name"]) for board in simulator.describe_architecture(arch)["boards"]]
        for arch in ARCHITECTURES
    }
    all_boards = [board for boards in having.values() for board in boards]
    wanted = _texts(file, entries.get("boards"), "tests.boards", all_boards)
    if not wanted and board_of_program in all_boards:
        wanted = [board_of_program]
    chosen = named or of_program or [arch for arch in ARCHITECTURES if not wanted or set(wanted) & set(having[arch])]
    boards: dict[str, str] = {}
    for arch in chosen:
        if arch not in having:  # of the program: that of the suite's file was complained about
            continue
        own = [board for board in wanted if board in having[arch]]
        if len(own) > 1:
            expected = f"one board for each architecture; another test for another board of {arch}"
            file.complain(entries["boards"], "tests.boards", expected, " and ".join(own))
        boards[arch] = own[0] if own else ""
    return boards


def _texts(file: YamlFile, node: Node | None, key: str, known: Collection[str]) -> list[str]:
    """One text, or a list of them, that are known."""
    if node is None:
        return []
    items = [node] if node["kind"] == "text" else file.items(node, key)
    texts: list[str] = []
    for item in items:
        text = file.text(item, key)
        if text and text not in known:
            hint = did_you_mean(text, known) or ""
            file.complain(item, key, f"one of {', '.join(known)}", f"{found(item)}{hint}")
        elif text in texts:
            file.complain(item, key, "each once", f"'{text}' again")
        elif text:
            texts.append(text)
    return texts


def _read_all(program: YamlFile | None, boards: Mapping[str, str], mistakes: Mistakes) -> dict[str, ProgramDescription]:
    """The program for each architecture, as far as it is right."""
    programs = {}
    for arch, board in boards.items():
        if program is not None:
            with mistakes.noted():
                programs[arch] = program_in(program.part(program.root), Machine(arch, board), {})
    return programs


def _sweep(file: YamlFile, node: Node | None, parameters: list[str], *, is_known: bool) -> dict[str, Sweep]:
    """The values of each tier; a sweep without tiers is that of all of them."""
    if node is None:
        return {tier: {} for tier in TIERS}
    names = {str(key["value"]) for key, _ in node["value"]} if node["kind"] == "mapping" else set()
    if not names & set(TIERS):
        same = _values(file, node, "tests.sweep", parameters, is_known=is_known)
        return dict.fromkeys(TIERS, same)
    of_tiers = file.mapping(node, "tests.sweep", TIERS, required=("full",))
    sweep = {
        tier: _values(file, of_tier, f"tests.sweep.{tier}", parameters, is_known=is_known)
        for tier, of_tier in of_tiers.items()
    }
    full = sweep.get("full", {})
    quick = sweep.get("quick", full)
    if "full" in of_tiers and "quick" in of_tiers and set(quick) != set(full):
        different = sorted(set(quick) ^ set(full))
        file.complain(
            of_tiers["quick"],
            "tests.sweep.quick",
            "the parameters of the full tier",
            f"a difference in {', '.join(different)}",
        )
    return {"full": full, "quick": {name: quick[name] for name in full if name in quick}}


def _values(file: YamlFile, node: Node, key: str, parameters: list[str], *, is_known: bool) -> Sweep:
    sweep: Sweep = {}
    if node["kind"] != "mapping":
        file.complain(node, key, "a mapping of parameters of the program to values", found(node))
        return sweep
    for name, value in node["value"]:
        text = str(name["value"])
        if name["kind"] != "text" or (is_known and text not in parameters):
            hint = did_you_mean(text, parameters)
            there_are = f"; there are: {', '.join(parameters)}" if parameters else "; it has none"
            file.complain(name, key, "a parameter of the program", f"{found(name)}{hint or there_are}")
            continue
        if text in sweep:
            file.complain(name, f"{key}.{text}", "each parameter once", "it again")
            continue
        values: dict[str, None] = {}
        for item in [value] if value["kind"] == "text" else file.items(value, f"{key}.{text}"):
            parsed = file.value(
                item,
                f"{key}.{text}",
                "whole numbers, sizes, or a range such as 64:4KiB:x2",
                partial(_numbers, text),
            )
            values.update(dict.fromkeys(parsed or ()))
        if not values and value["kind"] in ("list", "nothing") and not value.get("value"):
            file.complain(value, f"{key}.{text}", "at least one value", "none")
        sweep[text] = tuple(values)
    return sweep


def _numbers(name: str, text: str) -> list[str]:
    return axis_values(name, parse_values(name, text), least=0)  # an InputError is a ValueError


def _theoretical(file: YamlFile, node: Node | None, boards: Mapping[str, str]) -> dict[str, float]:
    key = "tests.theoretical_bytes_per_cycle"
    if node is None:
        return {}
    if node["kind"] == "mapping":
        of_archs = file.mapping(node, key, tuple(boards))
        values = {
            arch: file.value(one, f"{key}.{arch}", "a number above 0", _above_0) for arch, one in of_archs.items()
        }
    else:
        value = file.value(node, key, "a number above 0, or one for each architecture", _above_0)
        values = dict.fromkeys(boards, value)
    return {arch: value for arch, value in values.items() if value is not None}


def _plotted(file: YamlFile, node: Node | None, usual: Mapping[str, str], swept: list[str]) -> tuple[str, ...]:
    """The parameter along the axis of the picture, and that of its lines: of those that are swept, the last two."""
    entries = file.mapping(node, "tests.plot", _PLOT) if node is not None else {}
    chosen: dict[str, str] = {}
    for key in _PLOT:
        name = file.text(entries.get(key), f"tests.plot.{key}")
        if name and name not in swept:
            hint = did_you_mean(name, swept) or (f"; there are: {', '.join(swept)}" if swept else "; there is none")
            file.complain(entries[key], f"tests.plot.{key}", "a parameter of the sweep", f"'{name}'{hint}")
        elif name and name in chosen.values():
            file.complain(
                entries[key], f"tests.plot.{key}", "another parameter than that of the axis", f"'{name}' again"
            )
        elif name:
            chosen[key] = name
        elif usual[key] in swept and usual[key] not in chosen.values():
            chosen[key] = usual[key]
    rest = [name for name in swept if name not in chosen.values()]
    axis = chosen.get("axis") or (rest.pop() if rest else "")
    lines = chosen.get("lines") or (rest.pop() if rest else "")
    return tuple(name for name in (axis, lines) if name)


def _above_0(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def _parse_id(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= _MOST_ID:
        raise ValueError
    return int(text)
