"""The exit statuses of the command line."""

from enum import IntEnum


class ExitStatus(IntEnum):
    """Exit statuses of ``nocbench``. Only 0 means success; a run that measured nothing never returns 0."""

    FINE = 0
    NEGATIVE_VERDICT = 1
    """A bound is missed, wrong data arrived, or a result exceeds the bandwidth of links."""
    BAD_INPUT = 2
    """Bad usage or bad input; nothing was written. Click uses the same number for usage errors."""
    INCOMPLETE = 3
    """The evidence is incomplete: nothing matched, or a point is missing or crashed."""
    NOT_COMPARABLE = 4
    """The two sides cannot be compared."""
    INTERRUPTED = 130
    """Ctrl-C, with the number that shells use: 128 + SIGINT."""
    BROKEN_PIPE = 141
    """The reader of standard output has closed it (``nocbench list | head -1``): 128 + SIGPIPE."""
