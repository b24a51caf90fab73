"""Programs around a compute kernel: a reader fills circular buffers 0, 1, ..., and a writer empties buffer 16."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from nocbench import Program, tilize, untilize
from nocbench.compiling.request import TILE_ROWS, BufferFormat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench import ComputeOptions, ProgramResult

READER = """
#include "api/dataflow/dataflow_api.h"
template <uint32_t buffer, uint32_t layout>
void read(uint32_t tile) {
    constexpr auto args = TensorAccessorArgs<layout>();
    const auto source = TensorAccessor(args, get_arg_val<uint32_t>(1 + buffer), get_tile_size(buffer));
    cb_reserve_back(buffer, 1);
    noc_async_read_page(tile, source, get_write_ptr(buffer));
    noc_async_read_barrier();
    cb_push_back(buffer, 1);
}
void kernel_main() {
    constexpr uint32_t num_buffers = get_compile_time_arg_val(0);
    constexpr uint32_t tiles[] = {get_compile_time_arg_val(1), get_compile_time_arg_val(2)};
    for (uint32_t tile = 0; tile < tiles[0] || (num_buffers > 1 && tile < tiles[1]); ++tile) {
        if (tile < tiles[0]) {
            read<0, 3>(tile);
        }
        if constexpr (num_buffers > 1) {
            if (tile < tiles[1]) {
                read<1, 4>(tile);
            }
        }
    }
}
"""

WRITER = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    constexpr auto args = TensorAccessorArgs<1>();
    const auto target = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(16));
    for (uint32_t tile = 0; tile < get_compile_time_arg_val(0); ++tile) {
        riscv_wait(get_arg_val<uint32_t>(1));
        cb_wait_front(16, 1);
        noc_async_write_page(tile, target, get_read_ptr(16));
        noc_async_writes_flushed();
        cb_pop_front(16, 1);
    }
    noc_async_write_barrier();
}
"""

HEADERS = """
#include "compute_kernel_api.h"
#include "compute_kernel_api/matmul.h"
#include "compute_kernel_api/reduce.h"
#include "api/compute/eltwise_unary/exp.h"
"""


def operation(
    body: str,
    inputs: Sequence[numpy.ndarray],
    result_shape: tuple[int, int],
    *,
    arch: str = "blackhole",
    formats: Sequence[str] = ("Float16_b", "Float16_b"),
    result_format: str = "Float16_b",
    options: ComputeOptions | None = None,
    row_major: Sequence[str] = (),
    tile_rows: Sequence[int] = (32, 32, 32),
    depth: int = 16,
    wait_cycles: int = 0,
    settings: Mapping[str, object] | None = None,
    is_right: bool = True,
) -> tuple[numpy.ndarray, ProgramResult]:
    """Runs a compute kernel, given by its body or as a whole, on matrices; returns its matrix and the run.

    A body follows the set-up of the formats. `is_right`: False for a kernel that warnings are expected of.
    `row_major`: "in" or "out" for matrices that are not tiles. `tile_rows`: of both inputs and the result; a matrix of
    tiles with fewer than 32 rows is one tile wide. `wait_cycles`: of the writer before each page.
    """
    program = Program(arch, settings=settings)
    counts = [matrix.size // (32 * rows) for matrix, rows in zip(inputs, tile_rows, strict=False)]
    of_result = result_shape[0] * result_shape[1] // (32 * tile_rows[2])
    reader: list[Any] = [len(inputs), counts[0], counts[1] if len(inputs) > 1 else 0]
    for buffer, (matrix, data_format) in enumerate(zip(inputs, formats, strict=False)):
        rows = tile_rows[buffer]
        page = BufferFormat(0, data_format, rows).tile_bytes
        if "in" in row_major:
            content = _rows(matrix, data_format)
        elif rows < TILE_ROWS[-1]:
            content = _rows(matrix.reshape(-1, rows, 2, 16).swapaxes(1, 2), data_format)
        else:
            content = tilize(matrix, data_format)
        program.tensor(f"input{buffer}", pages=counts[buffer], page_bytes=page, initial=content)
        program.buffer(
            buffer, pages=max(depth, counts[buffer]), page_bytes=page, data_format=data_format, tile_rows=rows
        )
        reader.append(f"layout input{buffer}")
    page = BufferFormat(0, result_format, tile_rows[2]).tile_bytes
    program.tensor("result", pages=of_result, page_bytes=page)
    program.buffer(16, pages=depth, page_bytes=page, data_format=result_format, tile_rows=tile_rows[2])
    names = [f"address input{buffer}" for buffer in range(len(inputs))]
    program.kernel(READER, name="reader", riscv=1, compile_time_args=reader, runtime_args=["0", *names])
    start = f"compute_kernel_hw_startup(0, {len(inputs) - 1}, 16);"
    entry = body if "kernel_main" in body or "MAIN" in body else f"void kernel_main() {{\n{start}\n{body}\n}}\n"
    program.kernel(f"{HEADERS}{entry}", name="compute", riscv="compute", compute=options)
    program.kernel(
        WRITER,
        name="writer",
        riscv=0,
        compile_time_args=[of_result, "layout result"],
        runtime_args=["address result", wait_cycles],
    )
    result = program.run()
    assert not (is_right and result.warnings), result.warnings
    data = result.memory("result", dtype="uint8").tobytes()
    if "out" in row_major:
        return _from_rows(data, result_shape, result_format), result
    if tile_rows[2] < TILE_ROWS[-1]:
        faces = _from_rows(data, (of_result, 2, tile_rows[2], 16), result_format)
        return faces.swapaxes(1, 2).reshape(result_shape), result
    return untilize(data, result_shape[1], result_format), result


def _rows(matrix: numpy.ndarray, data_format: str) -> bytes:
    if data_format == "Float32":
        return matrix.astype("<f4").tobytes()
    return (matrix.astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()


def _from_rows(data: bytes, shape: tuple[int, ...], data_format: str) -> numpy.ndarray:
    if data_format == "Float32":
        return numpy.frombuffer(data, "<f4").reshape(shape)
    return (numpy.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4").reshape(shape)


def random_matrix(rows: int, columns: int, seed: int = 1) -> numpy.ndarray:
    """Returns a matrix of numbers from -1 to 1 that bfloat16 can hold."""
    values = numpy.random.default_rng(seed).uniform(-1, 1, (rows, columns)).astype("<f4")
    return (values.view("<u4") & 0xFFFF0000).view("<f4")
