"""The errors that nocbench raises on purpose. Each knows the exit status that it means on the command line."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, ClassVar

from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_MAX_MISTAKES_SHOWN = 20
_WITHOUT_WILDCARDS = str.maketrans("", "", "*?[]")
_FEWEST_LETTERS_OF_A_PART = 3
_LEAST_LIKENESS_OF_A_PART = 0.75


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


class WrongDataWarning(UserWarning):
    """Wrong data arrived at a point: its row is there, and says so; the message has the first that was wrong."""


class LeftOutWarning(UserWarning):
    """A selection by primitive or glob leaves out tests without a parameter, or values that a test refuses."""


class PictureError(NocbenchError):
    """A picture could not be drawn, for no fault of the results: the message says why."""


class Mistakes:
    """Collects complaints about input, so that all of them are told at once.

    >>> mistakes = Mistakes()
    >>> for assignment in ("noc", "=1"):
    ...     with mistakes.noted():
    ...         parse_assignment(assignment)
    >>> mistakes.complain()  # raises InputError with a line for each
    """

    def __init__(self) -> None:
        """Begins without any."""
        self._lines: dict[str, str] = {}

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._lines)

    def note(self, complaint: str, *, about: str = "") -> None:
        """Adds complaints, one a line; of several about the same thing, the first one counts."""
        for line in complaint.splitlines():
            self._lines.setdefault(about or line, line)

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Adds the complaints of an InputError that is raised inside."""
        try:
            yield
        except InputError as error:
            self.note(str(error))

    def complain(self) -> None:
        """Raises InputError with all of them, if there are any."""
        if not self._lines:
            return
        lines = list(self._lines.values())
        shown = lines[:_MAX_MISTAKES_SHOWN]
        if len(lines) > len(shown):
            shown.append(f"... and {len(lines) - len(shown)} more mistakes")
        raise InputError("\n".join(shown))


def did_you_mean(wrong: str, known: Iterable[str], limit: int = 3) -> str:
    """Returns "; did you mean 'a' or 'b'?" for the names of `known` that resemble `wrong`, or an empty string.

    Of a glob, the letters count. Where no name resembles it as a whole, names count that begin or end like it.
    """
    from difflib import SequenceMatcher, get_close_matches

    letters = wrong.casefold().translate(_WITHOUT_WILDCARDS).strip()
    names = {name.casefold(): name for name in known}
    close = [names[match] for match in get_close_matches(letters, list(names), n=limit, cutoff=0.6)]
    if not close and len(letters) >= _FEWEST_LETTERS_OF_A_PART:

        def likeness(name: str) -> float:
            parts = (name[: len(letters)], name[-len(letters) :])
            return max(SequenceMatcher(None, part, letters).ratio() for part in parts)

        by_likeness = sorted(((likeness(name), name) for name in names), key=lambda item: -item[0])
        close = [names[name] for ratio, name in by_likeness[:limit] if ratio >= _LEAST_LIKENESS_OF_A_PART]
    if not close:
        return ""
    return "; did you mean " + " or ".join(f"'{name}'" for name in close) + "?"
