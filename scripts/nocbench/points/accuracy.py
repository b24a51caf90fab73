"""Accuracy of NoC simulation: flit by flit or packet by packet, and the choice by `--accuracy auto`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from nocbench.architectures.description import TENSIX_TORUS, describe_architecture
from nocbench.support.columns import ACCURACY, FAST
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

EXACT = "exact"
AUTO = "auto"
CHOICES = (EXACT, FAST, AUTO)

EXACT_FLIT_HOPS_PER_SECOND = 25e6
"""Speed of exact simulation on one core."""
_FEWEST_FLITS = 4
"""Minimum flits of a packet for fast simulation, which is least accurate for many short packets in lock step."""
_FEWEST_TRANSFERS = 48


class Work(NamedTuple):
    """Amount of work to simulate.

    Attributes:
        flit_hops: flits times routers on their paths, roughly.
        num_packets: number of packets with data.
        num_short_packets: number of packets with fewer than four flits.
        num_transfers: number of calls of all cores.
    """

    flit_hops: float
    num_packets: float
    num_short_packets: float
    num_transfers: float


class Decision(NamedTuple):
    """Choice of accuracy, with the reason in words."""

    is_fast: bool
    reason: str

    @property
    def word(self) -> str:
        """Word for the chosen accuracy."""
        return FAST if self.is_fast else EXACT

    def sentence(self, what: str) -> str:
        """Returns a sentence on the choice for `what`, a single point or table, with the reason."""
        return f"accuracy: {self.word} for {what}, because of {self.reason}"


def accuracy_named(choice: str) -> Accuracy:
    """Returns an accuracy. Raises InputError for another word than those of CHOICES."""
    if choice not in CHOICES:
        raise InputError(f"accuracy: expected one of {', '.join(CHOICES)}, found '{choice}'")
    return Accuracy(choice)


def _tell_nobody(_line: str) -> None:
    pass


class Accuracy(NamedTuple):
    """Value of `--accuracy`.

    Attributes:
        choice: one of CHOICES.
        say: function that receives a sentence on the choice by "auto".
    """

    choice: str = EXACT
    say: Callable[[str], None] = _tell_nobody


EXACTLY = Accuracy()
"""The default accuracy."""


def decide(choice: str, arch: str, work: Callable[[], Work | None]) -> Decision:
    """Returns the accuracy for a point, table or program.

    Args:
        choice: one of CHOICES.
        arch: architecture to simulate.
        work: function that estimates the work, called for `auto` only; it returns None if the work is unknown before
            the run.

    Raises:
        InputError: `fast` on an architecture that only has exact simulation.
    """
    if choice == EXACT:
        return Decision(is_fast=False, reason="the choice")
    kind = describe_architecture(arch).kind
    if kind != TENSIX_TORUS:
        if choice == FAST:
            raise InputError(
                f"--accuracy {FAST}: expected an architecture of kind {TENSIX_TORUS}, found {arch}, of kind "
                f"{kind}, which is always simulated exactly; choose another one with --arch, or --accuracy {AUTO}"
            )
        return Decision(is_fast=False, reason=f"an architecture of kind {kind}")
    if choice == FAST:
        return Decision(is_fast=True, reason="the choice")
    estimated = work()
    if estimated is None:
        return Decision(is_fast=False, reason="work that is not known before it runs")
    return _for_work(estimated)


def _for_work(work: Work) -> Decision:
    if work.flit_hops < EXACT_FLIT_HOPS_PER_SECOND:
        return Decision(is_fast=False, reason="less than a second of exact work")
    if 2 * work.num_short_packets > work.num_packets:
        return Decision(is_fast=False, reason=f"packets of fewer than {_FEWEST_FLITS} flits")
    if work.num_transfers < _FEWEST_TRANSFERS:
        return Decision(is_fast=False, reason=f"fewer than {_FEWEST_TRANSFERS} transfers")
    return Decision(is_fast=True, reason="more than a second of exact work")


def is_short(call_bytes: int, flit_bytes: int) -> bool:
    """Returns True if packets of a call, with the header, are too short for fast simulation."""
    return 1 + math.ceil(call_bytes / flit_bytes) < _FEWEST_FLITS


def with_fast(settings: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Returns settings for packet-by-packet simulation. Settings without this addition mean exact simulation."""
    return (*settings, (ACCURACY, FAST))


def refuse_accuracy(setting: tuple[str, str]) -> None:
    """Raises InputError for `--set accuracy=...`, which would add an entry to `params` of exact results."""
    if setting[0] == ACCURACY:
        raise InputError(
            f"--set {ACCURACY}={setting[1]}: expected a field of the board or architecture; --accuracy {EXACT}, {FAST} "
            f"or {AUTO} chooses the accuracy"
        )
