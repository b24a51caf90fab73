"""Each program of examples/races: its mistake is found at both lines, and nothing is found once it is mended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nocbench.checks.allowances import judged
from nocbench.checks.choice import NAMES
from nocbench.checks.perturbation import perturb
from nocbench.programs.execution import Machine, Watch, WatchedRunError, run_program
from nocbench.programs.program_file import read_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from nocbench.checks.findings import Finding

RACES = Path(__file__).parents[3] / "examples" / "races"
ARCHITECTURES = ("wormhole_b0", "blackhole")

# The checks, a text in the line of each access, and what the advice begins with.
MISTAKES: dict[str, tuple[str, str, str, str]] = {
    "source_reused": ("racecheck", "noc_async_write(page", "page_bytes / 4 - 1] = 0", "noc_async_writes_flushed()"),
    "page_popped": ("racecheck", "noc_async_write(get_read_ptr", "noc_async_read(", "noc_async_writes_flushed()"),
    "pushed_too_early": ("racecheck", "noc_async_read(", "noc_async_write(get_read_ptr", "noc_async_read_barrier()"),
    "other_transaction_id": ("racecheck", "noc_async_read(owner, buf", "*sum =", "noc_async_read_barrier_with_trid()"),
    "flag_on_other_noc": ("racecheck", "noc_async_write(data", "words[0]", "noc_async_write_barrier()"),
    "flag_beside_multicast": ("racecheck", "noc_async_write_multicast", "words[0]", "noc_async_write_barrier()"),
    "flag_reset": (
        "racecheck",
        "noc_semaphore_set_multicast",
        "noc_semaphore_set(flag, 0)",
        "noc_async_writes_flushed",
    ),
    "lost_update": ("racecheck", "", "", "a signal of its own"),
    "posted_flush": ("racecheck", "noc_async_write(scratch", "words[0] = block + 1", "noc_async_writes_flushed()"),
    "two_writers": ("racecheck", "noc_async_write(block", "noc_async_write(block", "noc_async_write_barrier()"),
    "overwritten_while_read": ("racecheck", "words[0] = round", "noc_async_read(", "a signal after"),
    "dram_page": ("racecheck", "noc_async_write_page", "noc_async_read_page", "noc_async_write_barrier()"),
    "wrong_receivers": ("synccheck", "", "noc_async_write_multicast", ""),
    "pages_left": ("synccheck", "", "", ""),
    "over_the_end": ("memcheck", "", "noc_async_read(owner", ""),
    "never_written": ("initcheck", "", "noc_async_write(block", ""),
    "inline_flag": ("racecheck", "noc_async_write_multicast", "words[0]", "noc_async_write_barrier()"),
    "objects/queued_source": (
        "racecheck",
        "noc.async_write(page",
        "page_bytes / 4 - 1] = 0",
        "noc_async_writes_flushed()",
    ),
    "objects/page_popped": ("racecheck", "noc.async_write(buffer", "noc.async_read(", "noc_async_writes_flushed()"),
    "objects/pushed_too_early": ("racecheck", "noc.async_read(", "noc.async_write(buffer", "noc_async_read_barrier()"),
    "objects/other_transaction_id": (
        "racecheck",
        "noc.async_write<",
        "halves[half_bytes / 4] = 0",
        "noc_async_write_flushed_with_trid()",
    ),
    "objects/flag_on_other_noc": ("racecheck", "noc.async_write(data", "data[0]", "noc_async_write_barrier()"),
    "objects/flag_beside_multicast": (
        "racecheck",
        "noc.async_write_multicast(data",
        "data[0]",
        "noc_async_write_barrier()",
    ),
    "objects/inline_flag": ("racecheck", "noc.async_write(page", "noc.async_read(", "noc_async_write_barrier()"),
    "objects/flag_reset": ("racecheck", "ready.set_multicast(", "ready.set(0)", "noc_async_writes_flushed()"),
    "objects/lost_update": ("racecheck", "arrived.up(", "arrived.down(1)", "a signal of its own"),
    "objects/posted_flush": (
        "racecheck",
        "noc.async_write<",
        "scratch[0] = block + 1",
        "noc_async_posted_writes_flushed()",
    ),
    "objects/two_writers": ("racecheck", "noc.async_write(block", "noc.async_write(block", "noc_async_write_barrier()"),
    "objects/overwritten_while_read": ("racecheck", "words[0]", "noc.async_write_multicast(words", "a signal after"),
    "objects/dram_page": ("racecheck", "noc.async_write(page", "noc.async_read(", "noc_async_write_barrier()"),
    "objects/one_too_few": ("racecheck", "noc.async_write(block", "data[0]", "noc_async_write_barrier()"),
    "objects/wrong_receivers": ("synccheck", "", "ready.set_multicast(", ""),
    "objects/pages_left": ("synccheck", "", "", ""),
    "objects/over_the_end": ("memcheck", "", "noc.async_read(source", ""),
    "objects/never_written": ("initcheck", "", "noc.async_read(tensor", ""),
    "compute/not_waited_for": (
        "racecheck synccheck",
        "noc_async_read_page(",
        "copy_tile(0",
        "noc_async_read_barrier()",
    ),
    "compute/not_popped_yet": ("racecheck", "copy_tile(0", "noc_async_read_page(", "a signal after"),
    "compute/pushed_too_early": ("racecheck", "noc_async_read_page(", "copy_tile(0", "noc_async_read_barrier()"),
    "compute/not_packed_yet": ("racecheck", "noc_async_write_page(", "pack_tile(0", "noc_async_writes_flushed()"),
    "compute/set_up_for_another_call": ("synccheck", "", "mul_tiles(0", ""),
    "compute/another_format": ("synccheck", "", "copy_tile(1", ""),
}
# Mistakes that do harm in each run, or in none: delays change nothing.
UNPERTURBED = (
    *("source_reused", "flag_reset", "wrong_receivers", "pages_left", "over_the_end", "never_written"),
    *("objects/queued_source", "objects/flag_reset", "objects/lost_update", "objects/wrong_receivers"),
    *("objects/pages_left", "objects/over_the_end", "objects/never_written"),
    *("compute/set_up_for_another_call", "compute/another_format"),
)
NOT_GIVEN = "argument_not_given"
"""A program whose mistake is an error, whatever the checks."""


def _findings(name: str, arch: str, mended: int) -> list[Finding]:
    machine = Machine(arch)
    program = read_program(RACES / f"{name}.yaml", machine, {"mended": str(mended)})
    try:
        run = run_program(program, machine, watch=Watch(NAMES))
    except WatchedRunError as fault:
        return judged([fault.checked], NAMES)[0]
    return judged([run.checked], NAMES)[0]


def test_there_is_a_mistake_for_each_program() -> None:
    programs = [path.relative_to(RACES).with_suffix("").as_posix() for path in RACES.rglob("*.yaml")]
    assert sorted([*MISTAKES, NOT_GIVEN]) == sorted(programs)


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_at_its_lines(name: str, arch: str) -> None:
    check, first, second, advice = MISTAKES[name]
    findings = _findings(name, arch, 0)
    assert {finding.check for finding in findings} == set(check.split())
    found = [
        finding
        for finding in findings
        if (finding.first is None or first in finding.first.text)
        and second in finding.second.text
        and finding.advice.startswith(advice)
    ]
    assert found
    if name == "lost_update":
        texts = {found[0].second.text, found[0].first.text if found[0].first else ""}
        assert texts == {"noc_semaphore_inc(count, 1);", "*count = before + share;"}


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_an_argument_that_is_not_given_is_named(arch: str) -> None:
    with pytest.raises(
        InputError, match=r"argument_not_given\.cpp:8 .*load of run-time argument 4: the program gives 4"
    ):
        _findings(NOT_GIVEN, arch, 0)


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("name", [*MISTAKES, NOT_GIVEN])
def test_nothing_is_found_once_it_is_mended(name: str, arch: str) -> None:
    assert _findings(name, arch, 1) == []


@pytest.mark.parametrize("name", [name for name in MISTAKES if name not in UNPERTURBED])
def test_delays_show_that_it_matters(name: str) -> None:
    machine = Machine("wormhole_b0")
    program = read_program(RACES / f"{name}.yaml", machine, {})
    difference = perturb(program, machine, 50, 1)
    assert difference is not None
    assert 1 <= len(difference.delays) <= 3
    assert difference.findings
    assert perturb(program, machine, 50, 1) == difference


@pytest.mark.parametrize("name", ["page_popped", "lost_update", "objects/overwritten_while_read"])
def test_delays_change_nothing_once_it_is_mended(name: str) -> None:
    machine = Machine("blackhole")
    assert perturb(read_program(RACES / f"{name}.yaml", machine, {"mended": "1"}), machine, 15, 1) is None


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_checks_change_no_cycle(arch: str) -> None:
    machine = Machine(arch)
    for name in MISTAKES:
        program = read_program(RACES / f"{name}.yaml", machine, {"mended": "1"})
        usual = run_program(program, machine)
        checked = run_program(program, machine, watch=Watch(NAMES))
        assert checked.rows == usual.rows
        assert checked.kernels == usual.kernels
