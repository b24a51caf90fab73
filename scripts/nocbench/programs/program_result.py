"""Results of programs, for scripts and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.programs.program import buffers_by_name
from nocbench.programs.source_lines import lines_of, median_of, to_frame
from nocbench.support.errors import InputError, did_you_mean
from nocbench.support.extras import needs
from nocbench.support.tables import html_paragraphs, html_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy
    import pandas

    from nocbench.programs.execution import ProgramRun
    from nocbench.programs.program import Core


class ProgramResult:
    """Result of a program on a modeled chip."""

    def __init__(self, run: ProgramRun) -> None:
        """Stores a run."""
        self._run = run

    @property
    @needs("pandas")
    def frame(self) -> pandas.DataFrame:
        """Result rows, one per kernel, with the columns of results files. Latencies are in cycles."""
        from nocbench.results.result_files import to_frame

        return to_frame(self._run.rows)

    @property
    def data_ok(self) -> bool:
        """True if all data are as expected."""
        return self._run.data_ok

    @property
    def fault(self) -> str:
        """The first fault of the data; empty if all data are right."""
        return self._run.fault

    @property
    def warnings(self) -> list[str]:
        """Lines of kernels that the device may run, and that are likely to be mistakes."""
        return self._run.warnings

    @property
    def cycles(self) -> int:
        """Cycles from the start of the first kernel to the last event."""
        return int(self._run.result["elapsed_cycles"])

    @needs("pandas")
    def lines(self, kernel: str = "") -> pandas.DataFrame:
        """Returns the cycles of a kernel on its median core, by source line. `kernel` may be empty for a single kernel.

        Raises:
            InputError: no such kernel.
        """
        return to_frame(lines_of(self._run, self._median(kernel)))

    def waits(self, kernel: str = "") -> dict[str, float]:
        """Returns the cycles of a kernel's timed zone on its median core, by cause. Their sum is the latency.

        Raises:
            InputError: no such kernel.
        """
        place = self._median(kernel)
        core = next(
            core
            for core in self._run.result["cores"]
            if (core["kernel"], core["x"], core["y"]) == (place["name"], place["x"], place["y"])
        )
        return dict(sorted(core["waits"].items(), key=lambda item: -item[1]))

    def printed(self, kernel: str = "", core: Core | None = None) -> str:
        """Returns the output of a kernel on a core; by default, on the median core.

        Raises:
            InputError: no such kernel, or a core that does not run it.
        """
        return str(self._on_core(kernel, core)["printed"])

    def zones(self, kernel: str = "", core: Core | None = None) -> list[dict[str, Any]]:
        """Returns a kernel's zones on a core: name, begin, end, index of the outer zone (-1: none) and waits.

        Raises:
            InputError: no such kernel, or a core that does not run it.
        """
        return list(self._on_core(kernel, core)["zones"])

    @needs("pandas")
    def memory(self, name: str | int, core: Core | None = None, dtype: str = "uint32") -> numpy.ndarray:
        """Returns the content of a tensor, or of a region or buffer on a core that runs a kernel or has an expectation.

        `name` is the name of the tensor or region, or the id or name of the buffer.

        Raises:
            InputError: no such tensor, region or buffer, or a size that is no multiple of that of `dtype`.
        """
        import numpy

        program = self._run.program
        buffer = None if program.thing(str(name)) else buffers_by_name(program.buffers).get(str(name))
        key = (buffer.key if buffer else str(name), None if core is None else (core[0], core[1]))
        if key not in self._run.contents:
            known = [one if place is None else f"{one} of core {place}" for one, place in self._run.contents]
            raise InputError(f"expected one of {', '.join(known)}, found '{name}' of core {core}")
        content = self._run.contents[key]
        if len(content) % numpy.dtype(dtype).itemsize:
            raise InputError(f"'{name}': expected whole values of {dtype}, found {len(content):,} bytes")
        return numpy.frombuffer(content, dtype=dtype)

    def _repr_html_(self) -> str:
        rows = [
            (row["kernel"], row["num_cores"], f"{row['latency_cycles']:.10g}", row["limiter"]) for row in self._run.rows
        ]
        heading = [f"{self._run.program.name}: {self.cycles:,} cycles"]
        heading += [f"wrong data: {self.fault}"] if self.fault else []
        parts = [html_paragraphs(heading), html_table(("kernel", "cores", "cycles", "limiter"), rows)]
        for kernel in self._run.program.kernels:
            shown = [line for line in lines_of(self._run, self._median(kernel.name)) if line.cycles]
            lines = [(line.line or "", f"{line.cycles:.10g}", line.text) for line in shown]
            parts.append(html_table(("line", "cycles", "source"), lines, title=f"{kernel.name}, median core"))
        return "".join(parts)

    def _name(self, kernel: str) -> str:
        names = [one.name for one in self._run.program.kernels]
        if not kernel and len(names) == 1:
            return names[0]
        if kernel not in names:
            raise InputError(
                f"expected the name of a kernel, {', '.join(names)}, found '{kernel}'{did_you_mean(kernel, names)}"
            )
        return kernel

    def _median(self, kernel: str) -> Mapping[str, Any]:
        return median_of(self._run.kernels, self._name(kernel), self._run.result["cores"])

    def _on_core(self, kernel: str, core: Core | None) -> Mapping[str, Any]:
        if core is None:
            return self._median(kernel)
        name = self._name(kernel)
        for one in self._run.kernels:
            if (one["name"], one["x"], one["y"]) == (name, *core):
                return one
        raise InputError(f"kernel '{name}': expected a core that it runs on, found {core}")
