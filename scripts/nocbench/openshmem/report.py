"""Reports on a run of an OpenSHMEM program, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.programs.report import line_table
from nocbench.support.wording import cycles as in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nocbench.openshmem.result import ShmemResult


def describe(result: ShmemResult, *, lines: bool = False) -> Iterator[str]:
    """Yields lines on run time, exit status, the slowest PE with its waits, and memory.

    Args:
        result: result of the program.
        lines: True to add the cycles of the slowest PE by source line.
    """
    pes = "1 PE" if result.num_pes == 1 else f"{result.num_pes} PEs"
    ended = "did not end" if result.exit_status is None else f"exit status {result.exit_status}"
    yield (
        f"{result.name} on {result.request.machine.arch} ({result.machine.board}), {pes}: {result.cycles:,} cycles, "
        f"{result.microseconds:,.3f} us, {ended}"
    )
    slowest = max(result.pes, key=lambda pe: (pe.cycles, -pe.pe), default=None)
    if slowest is not None:
        yield (
            f"  slowest: PE {slowest.pe} on core {slowest.core}, {in_words(slowest.cycles)} cycles, "
            f"{slowest.instructions:,} instructions"
        )
        yield f"  its cycles by cause: {_shares(slowest.waits)}"
    yield f"  memory: {_memory(result.memory)}"
    if lines and slowest is not None:
        yield f"  cycles of PE {slowest.pe} by source line, and of these its waits by cause:"
        yield from line_table(result.source_lines(slowest.pe))


def _shares(waits: Mapping[str, float]) -> str:
    total = sum(waits.values()) or 1.0
    return ", ".join(f"{cause} {in_words(spent)} ({spent / total:.0%})" for cause, spent in waits.items() if spent)


def _memory(memory: Mapping[str, int]) -> str:
    taken = (
        ("in front of the program", "code_begin"),
        ("program", "image_bytes"),
        ("routines of the library", "routine_bytes"),
        ("heap at most", "heap_bytes_max"),
        ("arguments", "argument_bytes"),
    )
    free = memory["memory_bytes"] - sum(memory[name] for _, name in taken)
    parts = [f"{what} {memory[name]:,}" for what, name in taken if memory[name]]
    return f"{', '.join(parts)}, left for the stack {free:,} of {memory['memory_bytes']:,} B of each core"


def to_json(result: ShmemResult) -> dict[str, Any]:
    """Returns the result as JSON values."""
    return {
        "program": result.name,
        "sources": [str(source) for source in result.request.program.sources],
        "arguments": list(result.request.arguments),
        "arch": result.request.machine.arch,
        "board": result.machine.board,
        "num_pes": result.num_pes,
        "exit_status": result.exit_status,
        "error": result.error,
        "warnings": result.warnings,
        "cycles": result.cycles,
        "microseconds": result.microseconds,
        "clock_hz": result.clock_hz,
        "rows": result.rows,
        "printed": [{**each._asdict(), "text": each.text.decode(errors="replace")} for each in result.printed],
        "pes": [{**pe._asdict(), "lines": [line.values() for line in result.source_lines(pe.pe)]} for pe in result.pes],
        "lines": [line.values() for line in result.source_lines()],
        "memory": result.memory,
        "section_bytes": result.section_bytes,
        "routines": list(result.routines),
    }
