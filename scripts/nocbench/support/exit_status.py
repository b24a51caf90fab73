"""The exit statuses of the command line."""

from enum import IntEnum


class ExitStatus(IntEnum):
    """Exit statuses of ``nocbench``. Only 0 is green, and "nothing was measured" is never 0."""

    FINE = 0
    NEGATIVE_VERDICT = 1
    """A bound is missed, wrong data arrived, or a result is faster than links carry."""
    BAD_INPUT = 2
    """Bad usage or bad input; nothing was written. The same number as click's usage errors."""
    INCOMPLETE = 3
    """The evidence is incomplete: nothing matched, or a point is missing or crashed."""
    NOT_COMPARABLE = 4
    """Refused: the two sides cannot be compared."""
    INTERRUPTED = 130
    """Ctrl-C, as shells number it: 128 + SIGINT."""
    BROKEN_PIPE = 141
    """The reader of standard output went away (``nocbench list | head -1``): 128 + SIGPIPE."""
