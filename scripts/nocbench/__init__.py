"""Performance tests of data movement on modeled tile-based processors.

>>> import nocbench
>>> nocbench.run("One to One Packet Sizes", arch="wormhole_b0", num_transactions=[1, 16])

Importing this is cheap: the simulator, pandas and the plotting libraries are loaded by what needs them.
"""

from nocbench.api import accuracy, list_tests, read_results, run
from nocbench.running.outcomes import IncompleteResultsError
from nocbench.support.errors import (
    InputError,
    NocbenchError,
    NothingMatchedError,
    WorkerStartError,
    WrongDataWarning,
)

__all__ = [
    "IncompleteResultsError",
    "InputError",
    "NocbenchError",
    "NothingMatchedError",
    "WorkerStartError",
    "WrongDataWarning",
    "accuracy",
    "list_tests",
    "read_results",
    "run",
]
