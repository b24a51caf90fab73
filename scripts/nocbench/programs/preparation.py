"""Conversion of programs for the simulator: argument words, data, and addresses."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.compiling.request import MAX_ARGUMENTS
from nocbench.programs import expressions
from nocbench.programs.own_files import short_chains
from nocbench.programs.program import WORD_BYTES, Semaphore
from nocbench.support.errors import InputError, Mistakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from nocbench.compiling.compiler import CompiledKernel
    from nocbench.programs.expressions import Names
    from nocbench.programs.layout import Layout
    from nocbench.programs.program import CompilerOptions, Contents, Core, Kernel, ProgramDescription, Word

CORE_PARAMETERS = ("core_x", "core_y", "core_index", "num_cores")
"""Names of values of a core that run-time arguments can use besides the program's parameters."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The words of a kernel's arguments."""

    compile_time: tuple[int, ...]
    named_compile_time: Mapping[str, int]
    runtime: Mapping[Core, tuple[int, ...]]
    common: tuple[int, ...]


def placed_arguments(program: ProgramDescription, layout: Layout) -> list[Arguments]:
    """Returns the words of all arguments, with the addresses of a layout.

    Raises:
        InputError: mistakes in the arguments; the message lists all.
    """
    return evaluate(program, layout.names(program))


def evaluate(program: ProgramDescription, names: Names) -> list[Arguments]:
    """Returns the words of all arguments, evaluated with the given names. Raises InputError with all mistakes."""
    mistakes = Mistakes()
    max_arguments = _max_arguments(program.options)
    arguments = [_arguments(kernel, names, max_arguments, mistakes) for kernel in program.kernels]
    mistakes.complain()
    return arguments


def _max_arguments(options: CompilerOptions) -> int:
    """Returns the maximum number of run-time arguments. Raises InputError if the tree of headers does not exist."""
    if options.tt_metal is None:
        return MAX_ARGUMENTS
    from nocbench.compiling.tt_metal import find_tt_metal

    return find_tt_metal(options.tt_metal).max_arguments


def _arguments(kernel: Kernel, names: Names, max_arguments: int, mistakes: Mistakes) -> Arguments:
    names = names.on_noc(kernel.noc)
    named = {}
    for name, word in kernel.named_compile_time_args.items():
        with mistakes.noted():
            named[name] = expressions.one_word(word, names)
    common = _words(kernel.common_args, names, mistakes)
    addresses = names.of_names["address"]
    arguments = Arguments(
        compile_time=_words(kernel.compile_time_args, names, mistakes),
        named_compile_time=named,
        runtime=_runtime(kernel, names, mistakes),
        common=(*common, *(addresses[name] for name in (*kernel.tensors, *kernel.scratchpads) if name in addresses)),
    )
    core, most = max(arguments.runtime.items(), key=lambda item: len(item[1]), default=((0, 0), ()))
    count = len(most) + len(arguments.common)
    if count > max_arguments:
        mistakes.note(
            f"{kernel.where}: expected at most {max_arguments} run-time arguments on a core, common ones included,"
            f" found {count} on core {core}"
        )
    return arguments


def _words(some: Iterable[Word], names: Names, mistakes: Mistakes) -> tuple[int, ...]:
    values: list[int] = []
    for word in some:
        with mistakes.noted():
            values += expressions.words(word, names)
    return tuple(values)


def _runtime(kernel: Kernel, names: Names, mistakes: Mistakes) -> dict[Core, tuple[int, ...]]:
    arguments = {}
    same: tuple[int, ...] | None = None
    depends = any("$" in word.text for word in kernel.runtime_args)
    for index, core in enumerate(kernel.cores):
        own = names
        if depends or kernel.each_core:
            values = (core[0], core[1], index, len(kernel.cores))
            own = names.with_parameters(dict(zip(CORE_PARAMETERS, values, strict=True)))
        if same is None or depends:
            same = _words(kernel.runtime_args, own, mistakes)
        more = kernel.each_core[index] if kernel.each_core else ()
        arguments[core] = (*same, *_words(more, own, mistakes))
    return arguments


def simulator_program(
    program: ProgramDescription,
    layout: Layout,
    arguments: list[Arguments],
    compiled: Mapping[str, CompiledKernel],
    *,
    with_zeros: bool = False,
) -> dict[str, Any]:
    """Returns the input of nocbench._core.run_compiled_program, without the ranges to read back.

    `with_zeros`: True to write the zeros that the program gives, too, so that they count as given.
    """
    kernels = []
    used: dict[Core, None] = {}
    for kernel, words in zip(program.kernels, arguments, strict=True):
        used.update(dict.fromkeys(kernel.cores))
        kernels.append(
            {
                "name": kernel.name,
                "elf": compiled[kernel.name].elf,
                "source_map": short_chains(compiled[kernel.name].source_map),
                "cores": list(kernel.cores),
                "riscv": kernel.riscv,
                "noc": kernel.noc,
                "runtime_args": words.runtime,
                "common_runtime_args": words.common,
                "zone": kernel.zone,
                "firmware": compiled[kernel.name].firmware,
            }
        )
    return {
        "name": program.name,
        "kernels": kernels,
        "semaphores": _semaphores(program, layout.memories.cores),
        "circular_buffers": [
            {
                "cores": list(used),
                "id": buffer.id,
                "address": layout.buffers[buffer.id],
                "page_bytes": buffer.page_bytes,
                "num_pages": buffer.pages,
            }
            for buffer in program.buffers
        ],
        "initial_data": _initial_data(program, layout, with_zeros=with_zeros),
        "checks": [],
        "named_ranges": list(layout.l1_ranges(program)),
        "kept_words": list(layout.semaphore_ranges(program)) if program.launched_again else [],
        "seed": None,
        "only_delays": None,
        "takes_fingerprints": False,
    }


def _semaphores(program: ProgramDescription, cores: Sequence[Core]) -> list[dict[str, Any]]:
    """Returns the semaphores from id 0 on, each once for all cores with the same value."""
    given = {semaphore.id: semaphore for semaphore in program.semaphores}
    semaphores: list[dict[str, Any]] = []
    for id_ in range(max(given, default=-1) + 1):
        semaphore = given.get(id_, Semaphore(id_))
        values = dict.fromkeys(cores, semaphore.initial) | dict(semaphore.initial_on)
        semaphores += [
            {"cores": [core for core in cores if values[core] == value], "initial_value": value}
            for value in dict.fromkeys(values.values())
        ]
    return semaphores


def check_contents(program: ProgramDescription, names: Names) -> None:
    """Raises InputError with all mistakes in expressions of contents."""
    mistakes = Mistakes()
    contents: list[tuple[Contents, Core | None]] = [(tensor.initial, None) for tensor in program.tensors]
    contents += [(part.contents, (part.cores or [(0, 0)])[0]) for thing in program.in_l1 for part in thing.initial]
    contents += [(e.equals, e.place.core) for e in program.expect]
    for content, of in contents:
        own = names if of is None else names_on_core(names, of)
        with mistakes.noted():
            if content.first is not None:
                expressions.one_word(content.first, own)
        _words(content.words, own, mistakes)
    mistakes.complain()


def names_on_core(names: Names, core: Core) -> Names:
    """Returns the names that contents on a core can use."""
    return names.with_parameters(dict(zip(CORE_PARAMETERS, core, strict=False)))


def make_contents(contents: Contents, size: int, names: Names) -> bytes:
    """Returns a content as `size` bytes.

    Raises:
        InputError: a mistake in an expression, or more than `size` bytes.
    """
    if contents.first is not None:
        first = expressions.one_word(contents.first, names)
        num_words = -(-size // WORD_BYTES)
        return array("I", [(first + index) & 0xFFFF_FFFF for index in range(num_words)]).tobytes()[:size]
    values = [value for word in contents.words for value in expressions.words(word, names)]
    contents.require_room(size, len(values))
    return (contents.data + array("I", values).tobytes()).ljust(size, b"\0")


def _initial_data(
    program: ProgramDescription, layout: Layout, *, with_zeros: bool
) -> list[tuple[tuple[Any, ...], bytes]]:
    """Returns the data to write before the run. All other memory is zero."""
    data: list[tuple[tuple[Any, ...], bytes]] = []
    names = layout.names(program)
    for thing in program.in_l1:
        address = layout.address_in_l1(thing)
        for part in thing.initial:
            if part.contents.are_zero and not with_zeros:
                continue
            content = None
            depends = any("$core" in word.text for word in part.contents.expressions)
            for core in part.cores or layout.memories.cores:
                if content is None or depends:
                    content = make_contents(part.contents, thing.size, names_on_core(names, core))
                data.append(((core, 0, address, len(content)), content))
    for tensor in program.tensors:
        if tensor.initial.are_zero and not (with_zeros and tensor.initial.where):
            continue
        content = make_contents(tensor.initial, tensor.size, names)
        for bank, pages in zip(layout.banks_of(tensor), layout.split(tensor, content), strict=True):
            data.append(((bank.core, bank.bank, bank.address, len(pages)), pages))
    return data


def with_values(text: str | None, names: Names, where: str) -> str | None:
    """Returns the value of a macro with parameters replaced: "$pages * 2" becomes "64 * 2"."""
    if text is None or "$" not in text:
        return text
    import re

    def value(match: re.Match[str]) -> str:
        try:
            return str(expressions.number(match[0], names))
        except InputError as error:
            raise InputError(f"{where}: {error}") from None

    return re.sub(r"\$[A-Za-z_]\w*", value, text)
