"""The paper's figures redrawn, each as a block of the page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nocbench.drawing.pictures import Picture
from nocbench.pages.epiphany.blocks import LEFT, RIGHT, Block, Table
from nocbench.pages.openshmem.drawings import Curve, Mark, draw_numbers_of_pes, draw_sizes
from nocbench.published import shmem_calls as tests
from nocbench.published.shmem_calls import straight_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.published.shmem_calls import Calls

_LINE_COLUMNS = {"": LEFT, "alpha, ns": RIGHT, "1/beta, GB/s": RIGHT, "points": RIGHT}
_NUM_PES = 16
_OF_ALL = "Bandwidth of all PEs, GB/s"
_SAME_TIME = 0.02  # relative difference of curves that are drawn as one
_OPERATIONS = ("set", "fetch", "swap", "inc", "finc", "add", "fadd", "cswap", "cswap_unequal")


def figure_blocks(calls: Calls) -> list[Block]:
    """Returns the blocks of all figures with sufficient results, in the order of the paper."""
    makers = (_figure_3, _figure_4, _figure_5, _figure_6_barriers, _figure_6_broadcast, _figure_7, _figure_8, _figure_9)
    return [block for block in (make(calls) for make in makers) if block is not None]


def _sizes_block(
    calls: Calls,
    heading: str,
    stem: str,
    text: str,
    curves: Sequence[Curve],
    *,
    bandwidth: str,
    line_bytes: float = 1,
    mark: Mark | None = None,
    counts_calls: bool = False,
) -> Block | None:
    """Returns a block with a picture of curves and a table of the straight lines fitted to them."""
    curves = [curve for curve in curves if len(curve.rows) > 1]
    if not curves:
        return None
    block = Block(heading)
    block.parts.append(text)
    draw = partial(draw_sizes, heading, curves, bandwidth, mark, counts_calls=counts_calls)
    block.parts.append(Picture(heading, calls.arch, stem, draw))
    rows = []
    for curve in curves:
        fit = straight_line(curve.rows, line_bytes)
        if fit is not None:
            rows.append([curve.label, _with_error(fit.alpha_ns), _with_error(fit.gigabytes_per_second),
                         str(len(curve.rows))])  # fmt: skip
    if rows:
        block.parts.append(
            "The table gives least-squares fits through all points. The fitted time of a call is alpha plus beta for "
            "each byte. The number after ± is the standard error. The subtitles of the paper's figures give such fits "
            "too, but the text of the paper does not contain their values."
        )
        block.parts.append(Table(_LINE_COLUMNS, rows))
    return block


def _with_error(value: tuple[float, float]) -> str:
    digits = 0 if abs(value[0]) >= 100 else 2
    return f"{value[0]:,.{digits}f} ± {value[1]:,.{max(digits, 2 if digits else 0)}f}"


def _figure_3(calls: Calls) -> Block | None:
    curves = [
        Curve("put", calls.of(tests.PUT), _NUM_PES),
        Curve("get", calls.of(tests.GET, by="loads"), _NUM_PES),
        Curve("get by interrupt", calls.of(tests.GET, by="interrupt"), _NUM_PES),
    ]
    text = (
        "All 16 PEs put blocks to the next PE at the same time, or get blocks from the next PE. The text of the paper "
        "gives the peak bandwidth of put, and the ratio of the bandwidths of put and get. It also says that gets of "
        "more than 64 bytes interrupt the owner of the data. Otherwise, only the shapes of the curves can be compared. "
        "The copy routine of the paper copies 1, 2, 4 or 8 bytes with a single access. The later library has one "
        "routine for each width, and copies 8 bytes in less time than 4 bytes."
    )
    return _sizes_block(
        calls, "Figure 3: put and get", "figure_3_put_get", text, curves, bandwidth=_OF_ALL,
        mark=Mark((_NUM_PES * 2.4,), "dashed: 2.4 GB/s of each PE, the paper's peak of put"),
    )  # fmt: skip


def _figure_4(calls: Calls) -> Block | None:
    curves = [
        Curve("put", calls.of(tests.PUT_NBI, parts="1"), _NUM_PES),
        Curve("put in two halves", calls.of(tests.PUT_NBI, parts="2"), _NUM_PES),
        Curve("get", calls.of(tests.GET_NBI, parts="1"), _NUM_PES),
        Curve("get in two halves", calls.of(tests.GET_NBI, parts="2"), _NUM_PES),
    ]
    text = (
        "The DMA engines transfer the blocks of figure 3, and each call ends with `quiet`. A block in two halves takes "
        "two calls, and each call uses its own DMA channel. A block of an odd size would move at an eighth of the "
        "speed, because the engine would move single bytes. The text of the paper gives an upper bound for the "
        "bandwidth of put. Otherwise, only the shapes of the curves can be compared."
    )
    return _sizes_block(
        calls, "Figure 4: non-blocking put and get", "figure_4_nbi", text, curves, bandwidth=_OF_ALL,
        mark=Mark((_NUM_PES * 2.4,), "dashed: half of 4.8 GB/s of each PE, below which the paper says that DMA stays"),
    )  # fmt: skip


def _figure_5(calls: Calls) -> Block | None:
    curves = [Curve(name, calls.of(tests.ATOMICS, operation=name)) for name in _OPERATIONS]
    curves = [curve for curve in curves if len(curve.rows) > 1]
    if not curves:
        return None
    heading = "Figure 5: atomic operations"
    block = Block(heading)
    block.parts.append(
        "Each of the first N PEs repeatedly changes a 32-bit integer of the next of these PEs. A single PE changes its "
        "own integer. Only the shapes of the curves can be compared. An atomic operation takes the lock of its type by "
        "a TESTSET on the other core. In the model, set also takes this lock. In the paper, set is only a store, and "
        "its value is lost between the load and the store of another atomic operation."
    )
    draw = partial(draw_numbers_of_pes, heading, _joined(curves))
    block.parts.append(Picture(heading, calls.arch, "figure_5_atomics", draw))
    return block


def _joined(curves: Sequence[Curve]) -> list[Curve]:
    """Joins curves that cannot be told apart, under the names of all of them."""
    groups: list[list[Curve]] = []
    for curve in curves:
        times = curve.rows["nanoseconds"].to_numpy()
        for group in groups:
            other = group[0].rows["nanoseconds"].to_numpy()
            if len(times) == len(other) and (abs(times / other - 1) < _SAME_TIME).all():
                group.append(curve)
                break
        else:
            groups.append([curve])
    return [Curve(", ".join(curve.label for curve in group), group[0].rows) for group in groups]


def _figure_6_barriers(calls: Calls) -> Block | None:
    rows = calls.of(tests.BARRIER)
    if len(rows) <= 1:
        return None
    heading = "Figure 6: barriers"
    block = Block(heading)
    block.parts.append(
        "The first N PEs meet at a dissemination barrier of ceil(log2 N) rounds. The paper's figure shows "
        "`shmem_barrier` with two synchronization arrays that alternate. Two other barriers of all 16 PEs stand beside "
        "the curve: that of the vendor's library, and the wired-AND of the cores (WAND)."
    )
    curves = [Curve("shmem_barrier", rows)]
    for label, barrier in (("vendor's barrier", "vendor"), ("WAND", "wand")):
        curves.append(Curve(label, calls.of(tests.BARRIER_OF_ALL, barrier=barrier).assign(pes=_NUM_PES)))
    curves = [curve for curve in curves if len(curve.rows)]
    mark = Mark((0.23,), "dashed: 0.23 µs, the paper's time above 8 PEs")
    draw = partial(draw_numbers_of_pes, heading, curves, mark)
    block.parts.append(Picture(heading, calls.arch, "figure_6_barriers", draw))
    return block


def _figure_6_broadcast(calls: Calls) -> Block | None:
    curves = [Curve(f"{number} PEs", calls.of(tests.BROADCAST, pes=str(number))) for number in (2, 4, 8, 16)]
    text = (
        "PE 0 sends a block along a tree, first to the farthest PE. The paper's figure has 16 PEs and an effective "
        "bandwidth of about 2.4 / log2 N GB/s."
    )
    return _sizes_block(
        calls, "Figure 6: broadcast", "figure_6_broadcast", text, curves, bandwidth="Effective bandwidth, GB/s",
        mark=Mark((2.4, 2.4 / 2, 2.4 / 3, 2.4 / 4), "dashed: 2.4 / log2 N GB/s for 2, 4, 8 and 16 PEs"),
    )  # fmt: skip


def _figure_7(calls: Calls) -> Block | None:
    curves = [
        Curve("collect", calls.of(tests.COLLECT), _NUM_PES * _NUM_PES),
        Curve("fcollect", calls.of(tests.FCOLLECT), _NUM_PES * _NUM_PES),
    ]
    text = (
        "Each of 16 PEs gets the blocks of all PEs. The sizes in the picture are the sizes of one block. Each PE gets "
        "16 times as many bytes, and the fits use this number of bytes. Only the shapes of the curves can be compared."
    )
    return _sizes_block(
        calls, "Figure 7: collect and fcollect", "figure_7_collect", text, curves, bandwidth=_OF_ALL,
        line_bytes=_NUM_PES,
    )  # fmt: skip


def _figure_8(calls: Calls) -> Block | None:
    text = (
        "The routine computes the sums of 32-bit integers of 16 PEs. The time rises in a step above 16 elements, "
        "because more elements do not fit into the work array. The routine then processes the n elements in two parts, "
        "and the first part has n/2 + 1 elements. If n is a multiple of 4, the second part begins in the middle of a "
        "dword, and the routine copies it byte by byte. The first public version of the library does the same. The "
        "right panel shows reductions per second, as the paper does. Only the shapes of the curves can be compared."
    )
    return _sizes_block(
        calls, "Figure 8: sum", "figure_8_sum", text, [Curve("shmem_int_sum_to_all", calls.of(tests.SUM))],
        bandwidth="Reductions per second, millions", counts_calls=True,
    )  # fmt: skip


def _figure_9(calls: Calls) -> Block | None:
    text = (
        "Each of 16 PEs sends a different block to each PE. The sizes in the picture are the sizes of one block. The "
        "routines of figure 7, which bring as many bytes to each PE, are there for comparison. Only the shapes of the "
        "curves can be compared."
    )
    curves = [
        Curve("shmem_alltoall64", calls.of(tests.ALL_TO_ALL), _NUM_PES * _NUM_PES),
        Curve("collect", calls.of(tests.COLLECT), _NUM_PES * _NUM_PES),
        Curve("fcollect", calls.of(tests.FCOLLECT), _NUM_PES * _NUM_PES),
    ]
    return _sizes_block(
        calls, "Figure 9: all to all", "figure_9_alltoall", text, curves, bandwidth=_OF_ALL, line_bytes=_NUM_PES,
    )  # fmt: skip
