"""The errors that nocbench raises intentionally, with their exit statuses."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, ClassVar

from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator


_MAX_MISTAKES_SHOWN = 20
_WITHOUT_WILDCARDS = str.maketrans("", "", "*?[]")
_FEWEST_LETTERS_OF_A_PART = 3
_LEAST_LIKENESS_OF_A_PART = 0.75


class NocbenchError(Exception):
    """Base of all errors whose message is for the user, without a traceback."""

    exit_status: ClassVar[ExitStatus] = ExitStatus.INCOMPLETE


class InputError(NocbenchError, ValueError):
    """Wrong name, value or file. The message gives the found and the expected one."""

    exit_status = ExitStatus.BAD_INPUT


class PointRejectedError(InputError):
    """Point that the simulator refuses."""


class NotComparableError(NocbenchError):
    """Results that do not belong together, such as those of different revisions."""

    exit_status = ExitStatus.NOT_COMPARABLE


class NothingMatchedError(NocbenchError):
    """Valid selection that selects nothing."""


class WorkerStartError(NocbenchError):
    """Worker processes that die before their first point, which means a broken installation."""


class ClusterLostError(NocbenchError):
    """Loss of the scheduler of a cluster, or of all its workers, during a run."""


class WrongDataWarning(UserWarning):
    """Wrong data at a point. The result row has `data_ok` False; the message has the first wrong byte."""


class LeftOutWarning(UserWarning):
    """Selection by primitive or glob that leaves out tests without a parameter, or values that a test refuses."""


class PictureError(NocbenchError):
    """Picture that could not be drawn, although the results are valid."""


class Mistakes:
    """Collection of complaints about input, to report all of them together.

    >>> mistakes = Mistakes()
    >>> for assignment in ("noc", "=1"):
    ...     with mistakes.noted(): ...         parse_assignment(assignment)
    >>> mistakes.complain()  # raises InputError with a line for each
    """

    def __init__(self) -> None:
        """Starts without complaints."""
        self._lines: dict[str, str] = {}

    def __bool__(self) -> bool:
        """Returns True if there are complaints."""
        return bool(self._lines)

    def note(self, complaint: str, *, about: str = "") -> None:
        """Adds complaints, one per line; keeps only the first one with the same `about`."""
        for line in complaint.splitlines():
            self._lines.setdefault(about or line, line)

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Adds the complaints of an InputError raised in the block, which ends there."""
        try:
            yield
        except InputError as error:
            self.note(str(error))

    def complain(self) -> None:
        """Raises InputError with all complaints, if any."""
        if not self._lines:
            return
        lines = list(self._lines.values())
        shown = lines[:_MAX_MISTAKES_SHOWN]
        if len(lines) > len(shown):
            shown.append(f"... and {len(lines) - len(shown)} more mistakes")
        raise InputError("\n".join(shown))


def all_names(known: Collection[str]) -> str:
    """Returns "; there are: a, b", for complaints about a name that resembles none of them."""
    return f"; there are: {', '.join(known)}" if known else "; there is none"


def did_you_mean(wrong: str, known: Iterable[str], limit: int = 3) -> str:
    """Returns "; did you mean 'a' or 'b'?" for the names of `known` that resemble `wrong`, or an empty string.

    Ignores wildcards. If no complete name is similar, compares with the beginnings and ends of names.
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
