"""Trials of kernels that compute value by value."""

from __future__ import annotations

import numpy
from compute_trial import ComputeTrial, Pages, tiles, trial_of


@trial_of("operations/eltwise/ternary/device/kernels/compute/ternary_addc_ops_sfpu.cpp")
def addcmul() -> ComputeTrial:
    """A + value * B * C, tile by tile."""
    a, b, c = (tiles(4, seed) for seed in (1, 2, 3))
    value = int(numpy.float32(0.5).view(numpy.uint32))
    return ComputeTrial(
        inputs={0: Pages(a), 1: Pages(b), 2: Pages(c)},
        outputs={3: Pages(a + 0.5 * b * c, capacity=2)},
        constants=(1, value),
        runtime=(4, 0, 0, value),
        defines={
            "TERNARY_SFPU_OP_INIT": "addcmul_tile_init",
            "TERNARY_SFPU_OP_FUNC": "addcmul_tile<DataFormat::Float16_b>",
        },
    )
