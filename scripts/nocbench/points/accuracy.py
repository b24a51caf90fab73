"""How accurately NoCs are simulated: flit by flit, or packet by packet; and which of these `--accuracy auto` takes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from nocbench.points import simulator
from nocbench.support.columns import ACCURACY, FAST
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

EXACT = "exact"
AUTO = "auto"
CHOICES = (EXACT, FAST, AUTO)

EXACT_FLIT_HOPS_PER_SECOND = 25e6
"""What one core simulates flit by flit."""
_FEWEST_FLITS = 4
"""Packets of fewer, many of which move in lock step, are where packet by packet is least accurate."""
_FEWEST_TRANSFERS = 48


class Work(NamedTuple):
    """What there is to simulate.

    Attributes:
        flit_hops: flits times routers that each of them goes through, about.
        num_packets: that carry data.
        num_short_packets: of them, those of fewer than four flits.
        num_transfers: calls of all cores.
    """

    flit_hops: float
    num_packets: float
    num_short_packets: float
    num_transfers: float


class Decision(NamedTuple):
    """Whether something is simulated packet by packet, and because of what, in words."""

    is_fast: bool
    reason: str

    @property
    def word(self) -> str:
        """The accuracy."""
        return FAST if self.is_fast else EXACT

    def sentence(self, what: str) -> str:
        """What is taken for a single thing to simulate, and why."""
        return f"accuracy: {self.word} for {what}, because of {self.reason}"


def _tell_nobody(_line: str) -> None:
    pass


class Accuracy(NamedTuple):
    """What `--accuracy` says.

    Attributes:
        choice: one of CHOICES.
        say: is told what "auto" takes, and why.
    """

    choice: str = EXACT
    say: Callable[[str], None] = _tell_nobody


EXACTLY = Accuracy()
"""What is not asked for otherwise."""


def decide(choice: str, arch: str, work: Callable[[], Work | None]) -> Decision:
    """What `--accuracy` means for one thing to simulate.

    Args:
        choice: one of CHOICES.
        arch: the architecture that it runs on.
        work: estimates it; None: nobody knows before it runs. Is only called for `auto`.

    Raises:
        InputError: `fast` on an architecture that can be simulated exactly only.
    """
    if choice == EXACT:
        return Decision(is_fast=False, reason="the choice")
    kind = simulator.kind_of(arch)
    if kind != simulator.TENSIX_TORUS:
        if choice == FAST:
            raise InputError(
                f"--accuracy {FAST}: expected an architecture of kind {simulator.TENSIX_TORUS}, found {arch}, of kind "
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
    """Whether the packets of calls have so few flits, the header included, that exact is the better choice."""
    return 1 + math.ceil(call_bytes / flit_bytes) < _FEWEST_FLITS


def with_fast(settings: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The settings of a machine that is simulated packet by packet. Without them, it is exact."""
    return (*settings, (ACCURACY, FAST))


def refuse_accuracy(setting: tuple[str, str]) -> None:
    """Raises InputError for `--set accuracy=...`: exact results would not look like those without it."""
    if setting[0] == ACCURACY:
        raise InputError(
            f"--set {ACCURACY}={setting[1]}: expected a field of the board or architecture; --accuracy {EXACT}, {FAST} "
            f"or {AUTO} chooses the accuracy"
        )
