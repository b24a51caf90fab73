"""Runs of a program with seeded delays: memory and results must be those of the run without."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.checks.choice import RACECHECK
from nocbench.checks.findings import Finding, findings_of
from nocbench.programs.execution import CYCLES_MAX, Watch, WatchedRunError, run_program

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from nocbench.programs.execution import CheckedProgram, Delay, Machine
    from nocbench.programs.program import ProgramDescription

_NUMBER_MASK = (1 << 36) - 1
"""Bits of a delay's place that number the delays of its tile."""
_Page = tuple[tuple[int, int] | None, int | None, int, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """A run that came out otherwise than the run without delays.

    Attributes:
        seed: seed of its delays.
        what: what differs: "memory of core (1, 1) from 0x20000 on", "it fails: deadlock ...".
        delays: the fewest delays found with which it still does, in words.
        findings: races of that run.
    """

    seed: int
    what: str
    delays: tuple[str, ...]
    findings: tuple[Finding, ...]

    def lines(self) -> Iterator[str]:
        """Yields the lines of a message."""
        yield f"perturb: seed {self.seed}: {self.what}"
        yield f"  with {len(self.delays)} delay{'s' if len(self.delays) != 1 else ''}:"
        yield from (f"    {delay}" for delay in self.delays)
        for finding in self.findings:
            yield from (f"  {line}" for line in finding.lines())

    def values(self) -> dict[str, Any]:
        """Returns the difference as JSON values."""
        findings = [finding.values() for finding in self.findings]
        return {"seed": self.seed, "what": self.what, "delays": list(self.delays), "findings": findings}


@dataclass(frozen=True, slots=True)
class _Outcome:
    failure: str
    pages: dict[_Page, int]
    fault: str
    delays: list[Delay]
    checked: CheckedProgram | None

    def differs_from(self, other: _Outcome) -> str:
        """Returns what differs, in words; empty if nothing does."""
        if self.failure and not other.failure:
            return f"it fails: {self.failure.partition(chr(10))[0]}"
        if self.fault != other.fault:
            return f"wrong data: {self.fault}"
        for page in sorted(self.pages.keys() | other.pages.keys(), key=str):
            if self.pages.get(page) != other.pages.get(page):
                core, bank, address, size = page
                memory = f"L1 of core {core}" if core else f"DRAM bank {bank}"
                return f"other bytes in the {size:,} bytes from {address:#x} on of {memory}"
        return ""


def perturb(
    program: ProgramDescription, machine: Machine, num_runs: int, first_seed: int, cycles_max: int = CYCLES_MAX
) -> Difference | None:
    """Runs a program with delays of `num_runs` seeds. Returns the first run that comes out otherwise, shrunk, or None.

    Each run takes at most `cycles_max` cycles.

    Raises:
        InputError: the run without delays fails.
    """

    def outcome(watch: Watch) -> _Outcome:
        try:
            run = run_program(program, machine, cycles_max=cycles_max, watch=watch)
        except WatchedRunError as fault:
            return _Outcome(str(fault), {}, "", fault.checked.delays, fault.checked)
        pages = {tuple(place): fingerprint for *place, fingerprint in run.result["pages"]}
        return _Outcome("", pages, run.fault, run.checked.delays, run.checked)

    usual = outcome(Watch(takes_fingerprints=True))
    for seed in range(first_seed, first_seed + num_runs):
        found = outcome(Watch(seed=seed, takes_fingerprints=True))
        if found.differs_from(usual):

            def still_differs(places: Collection[int], seed: int = seed) -> bool:
                watch = Watch(seed=seed, only_delays=places, takes_fingerprints=True)
                return bool(outcome(watch).differs_from(usual))

            places = _shrunk([delay[0] for delay in found.delays], still_differs)
            last = outcome(Watch({RACECHECK}, seed, places, takes_fingerprints=True))
            # A race that happens in the run without delays may be the only one of both.
            findings = _findings(last) or _findings(outcome(Watch({RACECHECK})))
            return Difference(
                seed=seed,
                what=last.differs_from(usual),
                delays=tuple(_in_words(delay) for delay in last.delays),
                findings=findings,
            )
    return None


def _findings(outcome: _Outcome) -> tuple[Finding, ...]:
    return tuple(findings_of(outcome.checked)) if outcome.checked else ()


def _shrunk(places: list[int], still_differs: Callable[[Collection[int]], bool]) -> list[int]:
    """Returns few places with which a run still differs: takes parts away, larger ones first."""
    size = len(places)
    while size:
        begin = 0
        while begin < len(places):
            fewer = places[:begin] + places[begin + size :]
            if still_differs(fewer):
                places = fewer
            else:
                begin += size
        size //= 2
    return places


def _in_words(delay: Delay) -> str:
    place, kind, core, bank, noc, cycles = delay
    tile = f"core {core}" if core else f"DRAM bank {bank}"
    if kind == "start":
        return f"riscv_{noc} of {tile} starts {cycles:,} cycles later"
    return f"{kind} {(place & _NUMBER_MASK) + 1:,} of {tile} on NoC {noc} comes {cycles:,} cycles later"
