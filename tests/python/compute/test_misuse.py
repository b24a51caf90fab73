"""Calls against the contract of the compute API: messages with the line of the kernel, what was expected and found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from compute_programs import operation, random_matrix

from nocbench import ComputeOptions, NocbenchError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

MATRIX = random_matrix(32, 32)

RIGHT = """
    copy_tile_init(0);
    cb_wait_front(0, 1);
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
"""


def changed(old: str, new: str) -> str:
    """Returns the right kernel with another call in place of one of its calls."""
    assert RIGHT.count(old) == 1
    return RIGHT.replace(old, new)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        # Dst
        (
            changed("    tile_regs_acquire();\n", ""),
            "copy_tile: math does not have Dst: expected tile_regs_acquire before",
        ),
        ("tile_regs_commit();", "tile_regs_commit: math does not have Dst: expected tile_regs_acquire before"),
        (changed("tile_regs_wait();", ""), "pack_tile: pack does not have Dst: expected tile_regs_wait before"),
        ("tile_regs_release();", "tile_regs_release: pack does not have Dst: expected tile_regs_wait before"),
        (
            changed("copy_tile(0, 0, 0)", "copy_tile(0, 0, 16)"),
            "copy_tile: expected a tile of Dst from 0 to 7, found 16",
        ),
        (changed("pack_tile(0, 16)", "pack_tile(8, 16)"), "pack_tile: expected a tile of Dst from 0 to 7, found 8"),
        (
            changed("tile_regs_wait();", "silu_tile_pack(0); tile_regs_wait();"),
            "silu_tile_pack: pack does not have Dst: expected tile_regs_wait before",
        ),
        (
            "tile_regs_acquire(); topk_local_sort(5, 0, 5);",
            "topk_local_sort: expected a tile of Dst from 0 to 7, found 8",
        ),
        (
            "tile_regs_acquire(); topk_local_sort(0, 0, 6);",
            "topk_local_sort: expected runs of at most 64 values, which a column of two tiles has, found 128",
        ),
        ("tile_regs_acquire(); where_tile(0, 1, 2, 9);", "where_tile: expected a tile of Dst from 0 to 7, found 9"),
        (
            "tile_regs_acquire(); matmul_block(0, 0, 0, 0, 0, 0, 3, 3, 1);",
            "matmul_block: expected a block of at most 8 tiles, which Dst holds, found 9 from tile 0 on",
        ),
        (
            "tile_regs_acquire(); tile_regs_commit(); tile_regs_wait(); pack_untilize_dest<9>(16);",
            "pack_untilize: expected a tile of Dst from 0 to 7, found 8",
        ),
        # circular buffers
        ("cb_wait_front(0, 17);", "cb_wait_front: expected at most 16 pages, which circular buffer 0 holds, found 17"),
        (
            "cb_reserve_back(16, 17);",
            "cb_reserve_back: expected at most 16 pages, which circular buffer 16 holds, found 17",
        ),
        ("cb_wait_front(5, 1);", "cb_wait_front: expected a circular buffer that the program gives .* found 5"),
        ("cb_reserve_back(5, 1);", "cb_reserve_back: expected a circular buffer that the program gives .* found 5"),
        (
            changed("copy_tile(0, 0, 0)", "copy_tile(5, 0, 0)"),
            "copy_tile: expected a circular buffer with a data format of tiles, found format 255 of buffer 5",
        ),
    ],
)
def test_a_call_that_cannot_be_executed_ends_the_run(body: str, message: str) -> None:
    with pytest.raises(NocbenchError, match=rf"compute.*:\d+.*{message}|{message}.*compute.*"):
        operation(body, [MATRIX], (32, 32))


def test_a_wait_for_dst_that_nobody_commits_is_a_deadlock() -> None:
    with pytest.raises(NocbenchError, match="deadlock"):
        operation("tile_regs_wait();", [MATRIX], (32, 32))


def test_wide_values_leave_half_as_many_tiles() -> None:
    with pytest.raises(NocbenchError, match=r"copy_tile: expected a tile of Dst from 0 to 3, found 4"):
        operation(
            changed("copy_tile(0, 0, 0)", "copy_tile(0, 0, 4)"),
            [MATRIX],
            (32, 32),
            options=ComputeOptions(has_wide_dst=True),
        )


@pytest.mark.parametrize(
    ("init", "message"),
    [
        ("pack_untilize_init<9>(0, 16)", "expected no more tiles in a block than Dst holds"),
        ("pack_untilize_dest_init<4, 6>(16)", "expected a row of whole blocks"),
        ("pack_untilize_dest<1, 1, false, true, 16>(16)", "only rows of whole tiles are modeled"),
        ("MATH((llk_math_eltwise_unary_sfpu_init()))", "llk_math_eltwise_unary_sfpu_init"),
        ("unknown_tile(0)", "unknown_tile"),
    ],
)
def test_the_compiler_names_calls_that_no_kernel_can_make(init: str, message: str) -> None:
    with pytest.raises(NocbenchError, match=message):
        operation(f"{init};", [MATRIX], (32, 32))


def test_rows_have_no_common_exponents() -> None:
    with pytest.raises(NocbenchError, match=r"tilize_block.* a format without common exponents, found Bfp8_b"):
        operation("cb_wait_front(0, 1); tilize_block(0, 1, 16);", [MATRIX], (32, 32), formats=["Bfp8_b"])


def test_exponents_have_one_width() -> None:
    message = (
        r"copy_tile: .* exponents of 5 bits, as circular buffer 16 has \(Float16\), "
        "found Float16_b of circular buffer 0"
    )
    with pytest.raises(NocbenchError, match=message):
        operation(RIGHT, [MATRIX], (32, 32), result_format="Float16")


TWICE = f"for (uint32_t tile = 0; tile < 2; ++tile) {{ {RIGHT} }}"
OF_TWO_TILES: dict[str, Any] = {"inputs": [random_matrix(64, 32)], "result_shape": (64, 32), "depth": 1}
OF_OTHER_FORMAT: dict[str, Any] = {"formats": ("Float16_b", "Bfp8_b")}


@pytest.mark.parametrize(
    ("body", "message", "options"),
    [
        # Dst
        (
            changed("tile_regs_acquire();", "tile_regs_acquire(); tile_regs_acquire();"),
            "tile_regs_acquire: math has Dst already: expected tile_regs_commit before",
            {},
        ),
        (
            changed("tile_regs_acquire();", "tile_regs_acquire(); acquire_dst();").replace("tile_regs_wait();", ""),
            "tile_regs_acquire: math has Dst already: expected tile_regs_commit before",
            {},
        ),
        # circular buffers
        (
            changed("cb_wait_front(0, 1);", ""),
            "copy_tile: expected cb_wait_front of 1 page of circular buffer 0 before, found none",
            {},
        ),
        (
            changed("copy_tile(0, 0, 0)", "copy_tile(0, 1, 0)"),
            "copy_tile: expected cb_wait_front of 2 pages of circular buffer 0 before, found one of 1",
            {},
        ),
        (
            changed("cb_reserve_back(16, 1);", "cb_reserve_back(16, 1); cb_push_back(16, 1); cb_reserve_back(16, 2);")
            .replace("pack_tile(0, 16);", "pack_tile(0, 16); pack_tile(0, 16);")
            .replace("    cb_push_back(16, 1);\n", ""),
            "pack_tile: expected a tile before the end of circular buffer 16, found one that ends 2048 bytes behind it",
            {"depth": 2},
        ),
        (
            changed("cb_pop_front(0, 1)", "cb_pop_front(0, 2)"),
            "cb_pop_front: expected at most 1 page, as many as cb_wait_front was called for, found 2",
            {},
        ),
        (
            TWICE.replace("cb_reserve_back(16, 1);", ""),
            "pack_tile: expected cb_reserve_back of 1 page of circular buffer 16 before, found none",
            OF_TWO_TILES,
        ),
        (
            changed("pack_tile(0, 16)", "pack_tile(0, 16); pack_tile(0, 16)"),
            "pack_tile: expected cb_reserve_back of 2 pages of circular buffer 16 before, found one of 1",
            {"depth": 1},
        ),
        (
            TWICE.replace("cb_reserve_back(16, 1);", ""),
            "cb_push_back: expected at most 0 pages, as many as cb_reserve_back was called for, found 1",
            OF_TWO_TILES,
        ),
        (
            changed("copy_tile_init(0);", "reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 16);")
            .replace("copy_tile(0, 0, 0)", "reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 0, 0, 0)")
            .replace("cb_push_back(16, 1);", "cb_push_back(16, 1); cb_wait_front(1, 1); cb_pop_front(1, 1);"),
            "reduce_tile: expected cb_wait_front of 1 page of circular buffer 1 before, found none",
            {"inputs": [MATRIX, MATRIX]},
        ),
        # initialisations
        (
            f"void kernel_main() {{ {RIGHT} }}",
            r"copy_tile: expected compute_kernel_hw_startup\(\), or another call that sets data formats, before",
            {},
        ),
        (
            changed("copy_tile_init(0);", ""),
            r"copy_tile: expected copy_tile_to_dst_init_short\(\) before, found none",
            {},
        ),
        (
            changed("copy_tile_init(0);", "").replace("copy_tile(0, 0, 0)", "matmul_tiles(0, 0, 0, 0, 0)"),
            r"matmul_tiles: expected mm_init\(\) before, found none",
            {},
        ),
        (
            changed("copy_tile_init(0);", "add_tiles_init(0, 0);").replace(
                "copy_tile(0, 0, 0)", "mul_tiles(0, 0, 0, 0, 0)"
            ),
            r"mul_tiles: expected mul_tiles_init\(\) before, found add_tiles_init\(\)",
            {},
        ),
        (
            changed("copy_tile(0, 0, 0);", "copy_tile(0, 0, 0); transpose_wh_dest(0);"),
            r"transpose_wh_dest: expected transpose_wh_dest_init_short\(\) before, found none",
            {},
        ),
        (
            changed("copy_tile(0, 0, 0);", "copy_tile(0, 0, 0); square_tile(0);"),
            r"square_tile: expected square_tile_init\(\) before, found none",
            {},
        ),
        (
            changed("copy_tile(0, 0, 0);", "copy_tile(0, 0, 0); square_tile_init(); exp_tile(0);"),
            r"exp_tile: expected exp_tile_init\(\) before, found those of other functions",
            {},
        ),
        (
            changed("tile_regs_wait();", "tile_regs_wait(); silu_tile_pack(0);"),
            r"silu_tile_pack: expected silu_tile_init_pack\(\) before, found none",
            {},
        ),
        (
            changed("tile_regs_wait();", "tile_regs_wait(); exp_packthread_tile(0);"),
            r"exp_packthread_tile: expected exp_packthread_tile_init\(\) before, found none",
            {},
        ),
        (
            changed("copy_tile(0, 0, 0);", "copy_tile(0, 0, 0); topk_merge(0, 0, 32);"),
            r"topk_merge: expected topk_tile_init\(\) before, found none",
            {},
        ),
        (
            changed("tile_regs_wait();", "tile_regs_wait(); pack_untilize_dest_init<1>(16);"),
            r"pack_tile: expected pack_untilize_uninit\(\) before",
            {},
        ),
        (
            changed("pack_tile(0, 16)", "pack_untilize_dest<1>(16)"),
            r"pack_untilize: expected pack_untilize_init\(\) or pack_untilize_dest_init\(\) before",
            {},
        ),
        # data formats
        (
            changed("copy_tile(0, 0, 0)", "cb_wait_front(1, 1); copy_tile(1, 0, 0); cb_pop_front(1, 1)"),
            r"copy_tile: expected reconfig_data_format_srca\(\) before, since .* 1 has Bfp8_b, found Float16_b",
            {"inputs": [MATRIX, MATRIX], **OF_OTHER_FORMAT},
        ),
        (
            changed("copy_tile_init(0);", "mm_init_short(0, 1); cb_wait_front(1, 1);").replace(
                "copy_tile(0, 0, 0)", "matmul_tiles(0, 1, 0, 0, 0); cb_pop_front(1, 1)"
            ),  # formats are those of SrcA and SrcB, and a product takes them the other way round
            r"matmul_tiles: expected reconfig_data_format_srcb\(\) before, since circular buffer 0 has Float16_b",
            {"inputs": [MATRIX, MATRIX], **OF_OTHER_FORMAT},
        ),
        (
            changed("copy_tile_init(0);", "copy_tile_init(0); pack_reconfig_data_format(0);"),
            r"pack_tile: expected pack_reconfig_data_format\(\) before, since .* 16 has Float32, found Float16_b",
            {"result_format": "Float32"},
        ),
    ],
)
def test_a_call_that_a_card_executes_all_the_same_is_a_warning(
    body: str, message: str, options: dict[str, Any]
) -> None:
    given = dict(options)
    inputs = given.pop("inputs", [MATRIX])
    shape = given.pop("result_shape", (32, 32))
    _, result = operation(body, inputs, shape, is_right=False, **given)
    assert [warning for warning in result.warnings if re.search(rf"compute.*:\d+.*: {message}", warning)]


@pytest.mark.parametrize("body", [RIGHT, changed("tile_regs_wait();", "tile_regs_wait(); tile_regs_wait();")])
def test_a_right_kernel_has_no_warning(body: str) -> None:
    result, _ = operation(body, [MATRIX], (32, 32))
    assert (result == MATRIX).all()


def test_pages_that_nobody_has_filled_yet_need_no_reservation() -> None:
    result, _ = operation(changed("cb_reserve_back(16, 1);", ""), [MATRIX], (32, 32), depth=1)
    assert (result == MATRIX).all()


PROGRAM = """
kernels:
  - {file: reader.cpp, riscv: 1, cores: [[0, 0]]}
  - {file: copies.cpp, riscv: compute, cores: [[0, 0]]}
buffers:
  0: {pages: 2, page_bytes: 2048, format: Float16_b}
  16: {pages: 2, page_bytes: 2048, format: Float16_b}
"""
READER = """#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    cb_reserve_back(0, 1);
    cb_push_back(0, 1);
    cb_wait_front(16, 1);
    cb_pop_front(16, 1);
}
"""


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
def test_it_is_a_finding_of_synccheck(run_program: CommandLine, tmp_path: Path, arch: str) -> None:
    kernel = tmp_path / "copies.cpp"
    (tmp_path / "copies.yaml").write_text(PROGRAM)
    (tmp_path / "reader.cpp").write_text(READER)
    kernel.write_text(
        f'#include "compute_kernel_api/tile_move_copy.h"\nvoid kernel_main() {{\ninit_sfpu(0, 16);\n{RIGHT}}}\n'
    )
    right = run_program("kernel", tmp_path / "copies.yaml", "--arch", arch, "--check", "synccheck")
    assert (right.status, right.err) == (0, "")
    kernel.write_text(kernel.read_text().replace("cb_wait_front(0, 1);", ""))
    wrong = run_program("kernel", tmp_path / "copies.yaml", "--arch", arch, "--check", "synccheck")
    line = kernel.read_text().splitlines().index("    copy_tile(0, 0, 0);") + 1
    assert wrong.status == 1
    assert f"copies.cpp:{line}: synccheck: copy_tile: expected cb_wait_front of 1 page" in wrong.out + wrong.err
    assert "      copy_tile(0, 0, 0);" in wrong.out + wrong.err
    kernel.write_text(kernel.read_text().replace("copy_tile(0, 0, 0)", "copy_tile(0, 0, 8)"))
    wrong = run_program("kernel", tmp_path / "copies.yaml", "--arch", arch)
    assert wrong.status == 2
    assert f"copies.cpp:{line}" in wrong.err
    assert "copy_tile: expected a tile of Dst from 0 to 7, found 8" in wrong.err
