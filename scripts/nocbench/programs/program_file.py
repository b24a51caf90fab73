"""Reading of program files; docs/kernels.md describes the format."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nocbench.architectures.files import architecture_names
from nocbench.points.yaml_files import YamlFile, found
from nocbench.programs import kernel_entries
from nocbench.programs.entries import Entries, defines, path_from
from nocbench.programs.layout import names_of
from nocbench.programs.memory_entries import read_buffer, read_expectation, read_region, read_semaphore, read_tensor
from nocbench.programs.preparation import CORE_PARAMETERS, check_contents, evaluate
from nocbench.programs.program import CompilerOptions, ProgramDescription
from nocbench.support.errors import InputError, Mistakes, did_you_mean
from nocbench.support.names import require_name

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from nocbench.architectures.memories import Memories
    from nocbench.points.yaml_files import Node
    from nocbench.programs.execution import Machine

_TOP = (
    *("name", "about", "arch", "board", "parameters", "include_directories", "defines", "optimization", "kernels"),
    *("tt_metal", "page_bytes_in_layouts", "l1_data_cache", "launched_again", "buffers", "semaphores", "tensors"),
    *("regions", "expect"),
)
ENDINGS = (".yaml", ".yml")


def is_program_file(text: str) -> bool:
    """Returns True if a word of the command line names a program file."""
    return text.lower().endswith(ENDINGS)


def read_machines(path: Path) -> tuple[list[str], str]:
    """Returns the architectures and the board that a program file names; empty if it names none.

    Raises:
        InputError: no such file, or mistakes in these entries.
    """
    return machines_in(YamlFile(path, "a program"))


def machines_in(file: YamlFile) -> tuple[list[str], str]:
    """Returns the architectures and the board of the program in a file, or in a part of a file."""
    top = file.mapping(file.root, "", _TOP)
    node = top.get("arch")
    nodes = [node] if node is not None and node["kind"] == "text" else file.items(node, "arch")
    names = architecture_names()
    architectures = []
    for item in nodes:
        name = file.text(item, "arch")
        if name and name not in names:
            file.complain(item, "arch", f"one of {', '.join(names)}", f"{found(item)}{did_you_mean(name, names)}")
        architectures.append(name)
    board = file.text(top.get("board"), "board")
    file.require_no_mistakes()
    return architectures, board


def read_program(
    path: Path, machine: Machine, assignments: Mapping[str, str], *, is_confined: bool = False
) -> ProgramDescription:
    """Returns the program in a file, for a machine, with assigned parameters.

    Args:
        path: the file.
        machine: the machine.
        assignments: values of parameters.
        is_confined: True if the program may name only files in and below the folder of its file.

    Raises:
        InputError: no such file, an unknown parameter, or mistakes in the file; the message lists all.
    """
    return program_in(YamlFile(path, "a program"), machine, assignments, is_confined=is_confined)


def program_in(
    file: YamlFile, machine: Machine, assignments: Mapping[str, str], *, is_confined: bool = False
) -> ProgramDescription:
    """Returns the program in a file, or in a part of a file.

    Raises:
        InputError: see :func:`read_program`.
    """
    path = file.path
    memories = machine.memories()
    top = file.mapping(file.root, "", _TOP, required=("kernels",))
    of_machine = machine_parameters(memories)
    defaults = _read_parameters(file, top.get("parameters"), of_machine)
    changed = _assigned(path, defaults, assignments)
    parameters = {**of_machine, **defaults, **changed}
    reader = Entries(file, path.parent, parameters, memories, is_confined=is_confined)
    name = file.name(top.get("name"), "name") or path.stem
    require_name(path.stem, f"{path}: name of the file")
    tensors = tuple(read_tensor(reader, *entry) for entry in reader.by_name(top.get("tensors"), "tensors"))
    reader.tensor_names = tuple(tensor.name for tensor in tensors)
    program = ProgramDescription(
        name=name,
        about=file.text(top.get("about"), "about"),
        buffers=tuple(
            read_buffer(reader, *entry, tensors) for entry in reader.by_number(top.get("buffers"), "buffers")
        ),
        semaphores=tuple(
            read_semaphore(reader, *entry) for entry in reader.by_number(top.get("semaphores"), "semaphores")
        ),
        tensors=tensors,
        regions=tuple(read_region(reader, *entry) for entry in reader.by_name(top.get("regions"), "regions")),
        kernels=tuple(kernel_entries.read_kernels(reader, top.get("kernels"))),
        parameters=parameters,
        own_parameters=tuple(defaults),
        changed={key: value for key, value in changed.items() if value != defaults[key]},
        l1_data_cache=file.yes_or_no(top.get("l1_data_cache"), "l1_data_cache"),
        launched_again=file.yes_or_no(top.get("launched_again"), "launched_again") or False,
        options=CompilerOptions(
            include_directories=tuple(
                path_from(reader, item, "include_directories")
                for item in file.items(top.get("include_directories"), "include_directories")
            ),
            defines=defines(reader, top.get("defines"), "defines"),
            optimization=optimization(file.text(top.get("optimization"), "optimization") or "-O2"),
            tt_metal=path_from(reader, top["tt_metal"], "tt_metal") if "tt_metal" in top else None,
            page_bytes_in_layouts=file.yes_or_no(top.get("page_bytes_in_layouts"), "page_bytes_in_layouts"),
        ),
    )
    reader.require_names(program)
    expect = tuple(read_expectation(reader, node, program) for node in file.items(top.get("expect"), "expect"))
    file.require_no_mistakes()
    program = _with_expectations(program, expect)
    _check_words(program, memories)
    return program


def with_options(program: ProgramDescription, options: CompilerOptions) -> ProgramDescription:
    """Returns a program with compiler options from the command line, which extend or override the program's own."""
    own = program.options
    return replace(
        program,
        options=CompilerOptions(
            include_directories=(*options.include_directories, *own.include_directories),
            defines={**own.defines, **options.defines},
            optimization=options.optimization or own.optimization,
            compiler=options.compiler or own.compiler,
            tt_metal=options.tt_metal or own.tt_metal,
            page_bytes_in_layouts=own.page_bytes_in_layouts
            if options.page_bytes_in_layouts is None
            else options.page_bytes_in_layouts,
        ),
    )


def machine_parameters(memories: Memories) -> dict[str, int]:
    """Returns the parameters of a machine, for arguments."""
    last = max(memories.cores)
    return {
        "compute_columns": last[0] + 1,
        "compute_rows": last[1] + 1,
        "dram_banks": memories.dram_banks,
        "l1_banks": len(memories.l1_banks),
    }


def optimization(text: str) -> str:
    """Returns an optimization level as a flag: "-O2" for "2" and "O2"."""
    return f"-O{text.removeprefix('-').removeprefix('O')}"


def _with_expectations(program: ProgramDescription, expect: tuple[object, ...]) -> ProgramDescription:
    return replace(program, expect=tuple(e for e in expect if e is not None))  # type: ignore[misc]


def _check_words(program: ProgramDescription, memories: Memories) -> None:
    """Raises InputError with all mistakes in arguments and contents, before data are placed, which may fail."""
    nowhere = dict.fromkeys([thing.name for thing in program.things], 0)
    names = names_of(program, memories, nowhere)
    mistakes = Mistakes()
    for check in (evaluate, check_contents):
        with mistakes.noted():
            check(program, names)
    mistakes.complain()


def _read_parameters(file: YamlFile, node: Node | None, taken: Mapping[str, int]) -> dict[str, int]:
    parameters: dict[str, int] = {}
    if node is None:
        return parameters
    if node["kind"] != "mapping":
        file.complain(node, "parameters", "a mapping of names to numbers", found(node))
        return parameters
    reserved = (*taken, *CORE_PARAMETERS)
    for key, value in node["value"]:
        name = str(key["value"])
        if key["kind"] != "text" or not name.isidentifier():
            file.complain(key, "parameters", "a name", found(key))
        elif name in reserved:
            file.complain(key, f"parameters.{name}", "another name", "that of something of the machine")
        elif name in parameters:
            file.complain(key, f"parameters.{name}", "each name once", "it again")
        else:
            number = file.value(value, f"parameters.{name}", "a whole number", _parse)
            parameters[name] = number or 0
    return parameters


def _parse(text: str) -> int:
    from nocbench.programs.expressions import Names, number

    return number(text, Names({}))  # an InputError is a ValueError


def _assigned(path: Path, known: Collection[str], assignments: Mapping[str, str]) -> dict[str, int]:
    mistakes = Mistakes()
    values = {}
    for name, text in assignments.items():
        if name not in known:
            there_are = f"; there are: {', '.join(known)}" if known else "; it has none"
            mistakes.note(
                f"-a {name}: expected a parameter of {path}, found '{name}'{did_you_mean(name, known) or there_are}"
            )
            continue
        try:
            values[name] = _parse(text)
        except InputError:
            mistakes.note(f"-a {name}: expected a whole number, found '{text}'")
    mistakes.complain()
    return values
