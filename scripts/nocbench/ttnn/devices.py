"""Devices, and the operations that run on them."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from nocbench.architectures.files import name_of
from nocbench.extension import input_errors
from nocbench.host.building import HostRequest
from nocbench.host.running import HostOptions, HostSession
from nocbench.points.settings import settings_to_text
from nocbench.programs.targets import machines_for
from nocbench.support.errors import did_you_mean
from nocbench.ttnn.errors import TtnnError
from nocbench.ttnn.results import OpRun

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from nocbench._core import Arch, BufferType, CoreCoord, CoreRangeSet, HostBuffer, HostSemaphore
    from nocbench.programs.execution import Machine
    from nocbench.ttnn.specs import TensorSpec

_DEFAULT_ARCH = "wormhole_b0"
_ARCH_NAME = "ARCH_NAME"
"""Variable of the environment with the name of the chip, as in tt-metal."""

_OWN_ARGUMENTS = ("device_id", "arch", "board", "settings", "checks")
_OF_CARDS = ("l1_small_size", "trace_region_size", "worker_l1_size", "num_command_queues", "dispatch_core_config")

_last_runs: list[OpRun] = []


@dataclass(frozen=True)
class CoreGrid:
    """Columns and rows of cores."""

    x: int
    y: int

    @property
    def num_cores(self) -> int:
        """The number of cores."""
        return self.x * self.y


class Device:
    """A modeled chip. Its memory stays from operation to operation.

    Attributes:
        runs: the operations that it has run, in order.
    """

    def __init__(self, device_id: int, machine: Machine, options: HostOptions) -> None:
        """Opens a chip; :func:`open_device` describes it."""
        self.runs: list[OpRun] = []
        self._id = device_id
        self._options = options
        self._folder = TemporaryDirectory(prefix="nocbench-ttnn-")
        self._session = HostSession(HostRequest(()), machine, options, Path(self._folder.name))
        try:
            with input_errors() as core:
                self._chip = core.HostDevice(
                    device_id, machine.arch, machine.board, list(machine.settings), self._session.asked()
                )
        except Exception:
            self._folder.cleanup()
            raise

    def close(self) -> None:
        """Ends the use of the chip and of its tensors."""
        self._chip.close()
        self._folder.cleanup()

    def id(self) -> int:
        """Returns the number of the device."""
        return self._id

    def get_num_devices(self) -> int:
        """Returns 1: the number of chips."""
        return 1

    def arch(self) -> Arch:
        """Returns the kind of chip."""
        return self._chip.arch()  # type: ignore[no-any-return] # of the extension

    def compute_with_storage_grid_size(self) -> CoreCoord:
        """Returns the columns and rows of cores for programs."""
        return self._chip.compute_with_storage_grid_size()  # type: ignore[no-any-return]

    @property
    def core_grid(self) -> CoreGrid:
        """The columns and rows of cores for programs."""
        size = self.compute_with_storage_grid_size()
        return CoreGrid(size.x, size.y)

    def dram_grid_size(self) -> CoreCoord:
        """Returns the columns and rows of banks of DRAM."""
        return self._chip.dram_grid_size()  # type: ignore[no-any-return]

    def worker_core_from_logical_core(self, core: CoreCoord) -> CoreCoord:
        """Returns the coordinates by which kernels address a core."""
        return self._chip.worker_core_from_logical_core(core)  # type: ignore[no-any-return]

    def alignment(self, memory: BufferType) -> int:
        """Returns what pages of a memory are multiples of, in bytes."""
        return self._chip.alignment(memory)  # type: ignore[no-any-return]

    def enable_program_cache(self) -> None:
        """Does nothing: compiled kernels are always kept."""

    def disable_and_clear_program_cache(self) -> None:
        """Does nothing: compiled kernels are always kept."""

    def num_program_cache_entries(self) -> int:
        """Returns 0."""
        return 0

    def allocate(self, spec: TensorSpec) -> HostBuffer:
        """Returns memory for a tensor. Raises HostError if there is no room."""
        pages = spec.pages
        memory = spec.memory_config
        size = pages[0] * pages[1] * spec.page_bytes
        return self._chip.allocate(  # type: ignore[no-any-return]
            size,
            spec.page_bytes,
            memory.buffer_type,
            memory.memory_layout,
            memory.shard_spec,
            spec.page_shape,
            pages,
        )

    def semaphore(self, cores: CoreRangeSet, value: int) -> HostSemaphore:
        """Returns a semaphore at one address of these cores, which stays from operation to operation."""
        return self._chip.semaphore(cores, value)  # type: ignore[no-any-return]

    def run(self, program: object, request: HostRequest) -> None:
        """Runs a program, a ProgramDescriptor; `request` has the file of its host code, and folders of headers.

        Raises:
            HostError: the program, or one of its kernels, is wrong.
        """
        self._session.request = request
        with input_errors():
            self._chip.run(program)
        done = self._session.run
        self.runs.append(OpRun(done.programs[-1], done.checked[-1], self._options.checks))
        _last_runs[:] = self.runs[-1:]


def open_device(
    device_id: int = 0,
    *,
    arch: str | Path = "",
    board: str = "",
    settings: Mapping[str, object] | None = None,
    checks: Collection[str] = (),
    **ignored: object,
) -> Device:
    """Opens a modeled chip. A process has one at a time.

    Args:
        device_id: its number, 0.
        arch: architecture, or the path of its file; by default that of the board, else of $ARCH_NAME, else
            "wormhole_b0".
        board: board of the architecture; empty: the default board.
        settings: fields of the board or architecture to change, by path: ``{"router.hop_cycles": 10}``.
        checks: names of checks, whose findings :func:`last_run` gives: "racecheck", "memcheck", "initcheck",
            "synccheck".
        **ignored: what only a card has: l1_small_size, trace_region_size, worker_l1_size, num_command_queues and
            dispatch_core_config.

    Raises:
        InputError: no such argument, machine or check, or another device is open.
    """
    from nocbench.checks.choice import parse_checks

    for argument in ignored:
        if argument not in _OF_CARDS:
            known = (*_OWN_ARGUMENTS, *_OF_CARDS)
            raise TtnnError(f"open_device: it has no argument '{argument}'{did_you_mean(argument, known)}")
    name = name_of(arch) if arch else ("" if board else os.environ.get(_ARCH_NAME) or _DEFAULT_ARCH)
    machine = machines_for(None, name, board, settings_to_text(settings))[0]
    asked = parse_checks(",".join(checks)) if checks else frozenset()
    return Device(device_id, machine, HostOptions(checks=asked))


def close_device(device: Device) -> None:
    """Closes a device. Its results stay."""
    device.close()


@contextmanager
def manage_device(device_id: int = 0, **named: object) -> Iterator[Device]:
    """Gives a device for the time of a `with`; the arguments are those of :func:`open_device`."""
    device = open_device(device_id, **named)  # type: ignore[arg-type] # as open_device() takes them
    try:
        yield device
    finally:
        device.close()


def synchronize_device(device: Device, *_: object, **__: object) -> None:
    """Does nothing: an operation has ended when its call returns."""


def get_arch_name() -> str:
    """Returns the name of the chip that :func:`open_device` opens by default."""
    return os.environ.get(_ARCH_NAME) or _DEFAULT_ARCH


def last_run() -> OpRun:
    """Returns the result of the last operation: its cycles, result rows and limiter.

    Raises:
        TtnnError: none has run yet.
    """
    if not _last_runs:
        raise TtnnError("last_run: expected an operation before, found none")
    return _last_runs[0]


def create_global_semaphore(device: Device, cores: CoreRangeSet, initial_value: int) -> HostSemaphore:
    """Returns a semaphore at one address of these cores, which stays from operation to operation."""
    return device.semaphore(cores, initial_value)


def get_global_semaphore_address(semaphore: HostSemaphore) -> int:
    """Returns the address of a semaphore."""
    return semaphore.address


def reset_global_semaphore_value(semaphore: HostSemaphore, value: int) -> None:
    """Gives a semaphore a value on all of its cores."""
    semaphore.reset(value)
