"""Performance tests of data movement on modeled tile-based processors.

>>> import nocbench
>>> nocbench.run("One to One Packet Sizes", arch="wormhole_b0", num_transactions=[1, 16])

:class:`nocbench.Program` runs kernels of your own, :func:`nocbench.run_shmem` programs for OpenSHMEM. Importing this is
cheap: the simulator, pandas and the plotting libraries are loaded by what needs them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from nocbench.api import accuracy, list_tests, read_results, run, run_shmem
from nocbench.running.outcomes import IncompleteResultsError
from nocbench.support.errors import (
    InputError,
    LeftOutWarning,
    NocbenchError,
    NothingMatchedError,
    WorkerStartError,
    WrongDataWarning,
)

if TYPE_CHECKING:
    from nocbench.openshmem.result import ShmemResult
    from nocbench.programs.builder import Program
    from nocbench.programs.program_result import ProgramResult

__all__ = [
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
    "list_tests",
    "read_results",
    "run",
    "run_shmem",
]


_MODULES = {
    "Program": "nocbench.programs.builder",
    "ProgramResult": "nocbench.programs.program_result",
    "ShmemResult": "nocbench.openshmem.result",
}


def __getattr__(name: str) -> object:
    """Loads the compiler of kernels and programs only for those who use it."""
    if name not in _MODULES:
        raise AttributeError(f"module 'nocbench' has no attribute '{name}'")
    return getattr(import_module(_MODULES[name]), name)
