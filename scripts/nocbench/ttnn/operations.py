"""Operations on tensors: programs of the user's own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.host.building import HostRequest
from nocbench.ttnn.errors import TtnnError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.ttnn.descriptors import ProgramDescriptor
    from nocbench.ttnn.tensors import Tensor


def generic_op(io_tensors: Sequence[Tensor], program_descriptor: ProgramDescriptor) -> Tensor:
    """Runs a program on the device of its tensors, and returns the last of them, its output.

    Kernels are looked for in the current folder, in $TT_METAL_HOME, and in the folder of the calling file and those
    above it.

    Raises:
        TtnnError: no tensors, or one that is on the host.
        InputError: a field of a descriptor is wrong.
        HostError: the program, or one of its kernels, is wrong.
    """
    if not io_tensors:
        raise TtnnError("generic_op: expected at least one tensor, the output, found none")
    device = io_tensors[-1].device()
    for tensor in io_tensors:
        if device is None or tensor.device() is not device:
            raise TtnnError(f"generic_op: expected tensors on one device, found {tensor.shape} elsewhere")
        tensor.buffer()
    assert device is not None
    caller = Path(sys._getframe(1).f_code.co_filename)  # noqa: SLF001 - the program, in whose folder kernels may be
    headers = [Path(folder) for kernel in program_descriptor.kernels for folder in kernel.compiler_include_paths]
    device.run(program_descriptor, HostRequest((caller,), tuple(headers)))
    return io_tensors[-1]
