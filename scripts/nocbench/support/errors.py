"""The errors that nocbench raises on purpose. Each knows the exit status that it means on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Iterable


class NocbenchError(Exception):
    """Base of all errors whose message is meant for the user, without a traceback."""

    exit_status: ClassVar[ExitStatus] = ExitStatus.INCOMPLETE


class InputError(NocbenchError, ValueError):
    """A name, value or file that nocbench was given is wrong. The message says which, and what would be right."""

    exit_status = ExitStatus.BAD_INPUT


class PointRejectedError(InputError):
    """The simulator refuses a point: what it was asked to do makes no sense."""


class NotComparableError(NocbenchError):
    """Refused: results that do not belong together, such as those of different revisions."""

    exit_status = ExitStatus.NOT_COMPARABLE


class NothingMatchedError(NocbenchError):
    """A selection that is well formed selects nothing."""


class WorkerStartError(NocbenchError):
    """Worker processes die before they accept their first point: the installation is broken, not a point."""


class ClusterLostError(NocbenchError):
    """The scheduler of a cluster, or all its workers, went away in the middle of a run."""


class PictureError(NocbenchError):
    """A picture could not be drawn, for no fault of the results: the message says why."""


def did_you_mean(wrong: str, known: Iterable[str], limit: int = 3) -> str:
    """Returns "; did you mean 'a' or 'b'?" for the names of `known` that resemble `wrong`, or an empty string."""
    from difflib import get_close_matches

    names = {name.casefold(): name for name in known}
    close = [names[match] for match in get_close_matches(wrong.casefold(), list(names), n=limit, cutoff=0.6)]
    if not close:
        return ""
    return "; did you mean " + " or ".join(f"'{name}'" for name in close) + "?"
