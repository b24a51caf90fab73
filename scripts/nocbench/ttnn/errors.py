"""Mistakes in programs that use ttnn."""

from nocbench.support.errors import InputError


class TtnnError(InputError, RuntimeError):
    """Mistake of a program: also a RuntimeError, as which ttnn reports them."""
