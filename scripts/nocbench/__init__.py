"""Performance tests of data movement on modeled tile-based processors.

>>> import nocbench
>>> nocbench.run("One to One Packet Sizes", arch="wormhole_b0", num_transactions=[1, 16])

:class:`nocbench.Program` runs kernels of your own, :func:`nocbench.run_shmem` OpenSHMEM programs. The simulator, pandas
and the plotting libraries are loaded on first use: the command line imports this package, and must answer to Ctrl-C
before all modules are loaded.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nocbench.api import accuracy, list_tests, read_results, run, run_shmem
    from nocbench.compiling.request import ComputeOptions
    from nocbench.estimating.estimate import Estimate, estimate
    from nocbench.functions.points import explain, heatmap, trace
    from nocbench.functions.results import compare, gate, plot, roofline
    from nocbench.functions.tables import flows, optimise, replay
    from nocbench.openshmem.result import ShmemResult
    from nocbench.points.tiles import correlation, tilize, untilize
    from nocbench.programs.builder import Program
    from nocbench.programs.program_result import ProgramResult
    from nocbench.running.outcomes import IncompleteResultsError
    from nocbench.support.errors import (
        InputError,
        LeftOutWarning,
        NocbenchError,
        NothingMatchedError,
        WorkerStartError,
        WrongDataWarning,
    )

__all__ = [
    "ComputeOptions",
    "Estimate",
    "IncompleteResultsError",
    "InputError",
    "LeftOutWarning",
    "NocbenchError",
    "NothingMatchedError",
    "Program",
    "ProgramResult",
    "ShmemResult",
    "WorkerStartError",
    "WrongDataWarning",
    "accuracy",
    "compare",
    "correlation",
    "estimate",
    "explain",
    "flows",
    "gate",
    "heatmap",
    "list_tests",
    "optimise",
    "plot",
    "read_results",
    "replay",
    "roofline",
    "run",
    "run_shmem",
    "tilize",
    "trace",
    "untilize",
]

_MODULES = {
    "nocbench.api": ("accuracy", "list_tests", "read_results", "run", "run_shmem"),
    "nocbench.compiling.request": ("ComputeOptions",),
    "nocbench.estimating.estimate": ("Estimate", "estimate"),
    "nocbench.functions.points": ("explain", "heatmap", "trace"),
    "nocbench.functions.results": ("compare", "gate", "plot", "roofline"),
    "nocbench.functions.tables": ("flows", "optimise", "replay"),
    "nocbench.openshmem.result": ("ShmemResult",),
    "nocbench.points.tiles": ("correlation", "tilize", "untilize"),
    "nocbench.programs.builder": ("Program",),
    "nocbench.programs.program_result": ("ProgramResult",),
    "nocbench.running.outcomes": ("IncompleteResultsError",),
    "nocbench.support.errors": (
        "InputError",
        "LeftOutWarning",
        "NocbenchError",
        "NothingMatchedError",
        "WorkerStartError",
        "WrongDataWarning",
    ),
}


def __getattr__(name: str) -> object:
    """Loads an attribute on first use."""
    for module, names in _MODULES.items():
        if name in names:
            globals()[name] = found = getattr(import_module(module), name)
            return found
    raise AttributeError(f"module 'nocbench' has no attribute '{name}'")


def __dir__() -> list[str]:
    """Returns all public names, loaded or not."""
    return sorted({*globals(), *__all__})
