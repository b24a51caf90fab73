"""Kernels compiled for the card run as linked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from card_images import SOURCES, CardImages

import nocbench
from nocbench.architectures.memories import memories_of
from nocbench.compiling.request import ARCHITECTURES
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

    from nocbench.programs.program_result import ProgramResult

WORDS = 9


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> CardImages:
    return CardImages(tmp_path_factory.mktemp("for_card"))


def report(
    arch: str, image: Path, *, riscv: int | None = None, noc: int | None = None, firmware: Path | None = None
) -> ProgramResult:
    program = nocbench.Program(arch)
    program.region("before", 64)
    program.region("out", 4 * WORDS)
    program.buffer(3, pages=2, page_bytes=128)
    program.semaphore(initial=11)
    program.kernel(
        elf=image,
        firmware=firmware or "",
        cores=(2, 1),
        riscv=riscv,
        noc=noc,
        runtime_args=["address out", "21"],
        common_args=["31"],
        name="report",
    )
    return program.run()


def words_of(arch: str) -> list[int]:
    """Returns the words that report.cpp finds."""
    places = memories_of(arch).translated
    own, beside = places[2, 1], places[3, 1]
    return [21, 31, 11, own[0] | own[1] << 8, beside[0] | beside[1] << 8, 128, 0, 0x1234, 0x5678]


@pytest.mark.parametrize("riscv", [0, 1])
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_what_its_firmware_has_is_filled_in(images: CardImages, arch: str, riscv: int) -> None:
    is_plain = arch == "wormhole_b0" and riscv == 1  # code in the instruction RAM belongs to riscv_1
    result = report(arch, images.kernel("report", arch, riscv), riscv=None if is_plain else riscv)
    found = result.memory("out", (2, 1)).tolist()
    expected = words_of(arch)
    dram_place = found.pop(6)
    expected.pop(6)
    assert found == expected
    assert dram_place != 0
    assert result.frame["riscv"].tolist() == [riscv]


def test_a_bank_table_is_that_of_kernels_from_source(images: CardImages) -> None:
    for arch in ARCHITECTURES:
        source = '#include "dataflow_api.h"\nvoid kernel_main() {\n'
        source += (
            "    *reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0)) = dram_bank_to_noc_xy[1][0];\n}\n"
        )
        program = nocbench.Program(arch)
        program.region("out", 4)
        program.kernel(source, runtime_args=["address out"])
        linked = report(arch, images.kernel("report", arch, 0), riscv=0).memory("out", (2, 1))
        assert program.run().memory("out", (0, 0)).tolist() == [linked[6]]


def test_it_uses_the_noc_that_it_was_compiled_for(images: CardImages) -> None:
    image = images.kernel("report", "wormhole_b0", 0, noc=1)
    assert report("wormhole_b0", image, riscv=0).frame["noc"].tolist() == [1]
    with pytest.raises(InputError, match=r"kernel 'report': noc: expected 1, which it was compiled for, found 0"):
        report("wormhole_b0", image, riscv=0, noc=0)


def test_its_cycles_are_told_by_source_line(images: CardImages) -> None:
    lines = report("blackhole", images.kernel("report", "blackhole", 0), riscv=0).lines()
    assert set(lines["file"]) >= {str(SOURCES / "report.cpp"), str(SOURCES / "start.h")}


def test_a_fault_is_told_with_its_line(images: CardImages) -> None:
    image = images.kernel("null_store", "wormhole_b0", 1)
    with pytest.raises(InputError, match=r"core \(2, 1\) riscv_1: .*null_store.cpp:6 in kernel_main.*: store at 0x0"):
        report("wormhole_b0", image)


def test_symbols_of_a_stripped_kernel_are_those_of_its_firmware(images: CardImages) -> None:
    image = images.kernel("report", "blackhole", 1, is_stripped=True)
    with pytest.raises(
        InputError, match=r"\.elf: expected the symbols of its firmware, found no __global_pointer\$, rta"
    ):
        report("blackhole", image, riscv=1)
    firmware = images.firmware("blackhole", 1)
    found = report("blackhole", image, riscv=1, firmware=firmware).memory("out", (2, 1)).tolist()
    assert found[:3] == [21, 31, 11]
    assert found[-2:] == [0x1234, 0x5678]


def test_a_firmware_that_does_not_fit(images: CardImages) -> None:
    without = images.firmware("blackhole", 1, "WITHOUT_SEMAPHORES")
    stripped = images.kernel("report", "blackhole", 1, is_stripped=True)
    with pytest.raises(
        InputError, match=r"SEMAPHORES_0\.elf: expected a firmware with the symbols .* found no sem_l1_base"
    ):
        report("blackhole", stripped, riscv=1, firmware=without)
    kernel = images.kernel("report", "blackhole", 1)
    with pytest.raises(
        InputError, match=r"SEMAPHORES_0\.elf: expected the firmware that .* was linked against, with my_x at"
    ):
        report("blackhole", kernel, riscv=1, firmware=without)


def test_a_kernel_for_the_other_chip(images: CardImages) -> None:
    with pytest.raises(InputError, match=r"expected a kernel for wormhole_b0, found one .* instructions rv32i.*zba"):
        report("wormhole_b0", images.kernel("report", "blackhole", 0), riscv=0)
    with pytest.raises(InputError, match=r"0xffc00000 to .*: expected .*; blackhole has no instruction RAM"):
        report("blackhole", images.kernel("report", "wormhole_b0", 1))
    firmware = images.firmware("wormhole_b0", 0, more_dram_banks=1)
    image = images.kernel("report", "wormhole_b0", 0, firmware=firmware)
    with pytest.raises(InputError, match=r"expected a kernel for 12 banks of DRAM, as n150 has them, found one for 13"):
        report("wormhole_b0", image, riscv=0)


def test_it_stands_beside_what_is_in_l1(images: CardImages) -> None:
    image = images.kernel("report", "wormhole_b0", 0, text=0x10100)
    with pytest.raises(
        InputError, match=r"'report': expected an image beside .*, found it at 0x10100 to .*, where region"
    ):
        report("wormhole_b0", image, riscv=0)
    elsewhere = images.kernel("report", "wormhole_b0", 0, text=0x20000)
    assert report("wormhole_b0", elsewhere, riscv=0).memory("out", (2, 1))[0] == 21
    on_arguments = images.kernel("report", "wormhole_b0", 0, text=0xDF00)
    with pytest.raises(InputError, match=r"segment 0xdf00 to 0xe\w+: expected one within 0x0 to 0xe000 or 0x10000 to"):
        report("wormhole_b0", on_arguments, riscv=0)


def test_two_images_stand_beside_each_other(images: CardImages) -> None:
    program = nocbench.Program("blackhole")
    program.region("out", 64)
    for riscv in (0, 1):
        image = images.kernel("report", "blackhole", riscv, text=0x4000 + riscv * 0x40)
        program.kernel(elf=image, riscv=riscv, runtime_args=["address out"], name=f"k{riscv}")
    with pytest.raises(
        InputError, match=r"kernel 'k1': its 0x4040 to \w+ of L1 on core \(0, 0\) overlap 0x4000 to .*'k0'"
    ):
        program.run()


def test_in_a_program_file(images: CardImages, run_program: CommandLine, tmp_path: Path) -> None:
    image = images.kernel("report", "wormhole_b0", 1)
    path = tmp_path / "program.yaml"
    entry = f"{{elf: {image}, firmware: {images.firmware('wormhole_b0', 1)}, cores: [[2, 1]], "
    entry += "runtime_args: [address out, 21], common_args: [31]}"
    rest = "\nsemaphores: {0: {initial: 11}}\nbuffers: {3: {pages: 2, page_bytes: 128}}\nregions: {out: {bytes: 36}}\n"
    rest += "expect: [{region: out, core: [2, 1], bytes: 12, equals: {words: [21, 31, 11]}}]\n"
    path.write_text(f"kernels:\n  - {entry}{rest}", encoding="utf-8")
    done = run_program("kernel", path, "--arch", "wormhole_b0", "--json")
    assert done.status == 0, done.err
    assert json.loads(done.out)[0]["data_ok"]
    done = run_program("explain", path, "--arch", "wormhole_b0")
    assert done.status == 0, done.err
    assert "report" in done.out
    for wrong, message in (
        (
            entry.replace("elf:", "file: a.cpp, elf:"),
            "kernels.file: expected none beside elf, which was compiled before",
        ),
        (entry.replace("cores", "riscv: 0, cores"), "kernels.riscv: expected 1, which "),
        (entry.replace("cores", "defines: {A: 1}, cores"), "kernels.defines: expected none beside elf"),
        (
            entry.replace(str(image), str(path)),
            "kernels.elf: expected an ELF file, which begins with 7f 45 4c 46, found 6b",
        ),
    ):
        path.write_text(f"kernels:\n  - {wrong}{rest}", encoding="utf-8")
        done = run_program("kernel", path, "--arch", "wormhole_b0")
        assert done.status == 2
        assert message in done.err


def test_what_a_program_cannot_say_of_it(images: CardImages) -> None:
    image = images.kernel("report", "wormhole_b0", 1)
    program = nocbench.Program("wormhole_b0", defines={"A": 1})
    for given, message in (
        ({"source": "a.cpp", "elf": image}, "kernel: expected a source or elf, found both"),
        ({}, "kernel: expected a source or elf, found neither"),
        ({"source": "a.cpp", "firmware": image}, "kernel: firmware: expected it beside elf"),
        ({"elf": image, "compile_time_args": [1]}, "kernel 'report_.*': compile_time_args: expected none"),
        ({"elf": image, "riscv": 0}, "expected 1, which .* was linked for, found 0"),
    ):
        with pytest.raises(InputError, match=message):
            program.kernel(**given)  # type: ignore[arg-type]
    program.kernel(elf=image)
    with pytest.raises(InputError, match="defines: expected none, since its kernels were compiled before, found some"):
        program.run()


def test_on_the_command_line(images: CardImages, run_program: CommandLine) -> None:
    image = images.kernel("report", "wormhole_b0", 1)
    words = ("--arg", "address out", "--arg", "7", "--common-arg", "8")
    arguments = ("--arch", "wormhole_b0", "--core", "2,1", "--region", "out=64", *words)
    done = run_program("kernel", "--elf", image, "--firmware", images.firmware("wormhole_b0", 1), *arguments)
    assert done.status == 0, done.err
    assert "on wormhole_b0 (n150), core (2, 1), riscv_1, NoC 1" in done.out
    assert "report.cpp:" in done.out


SOURCE = str(SOURCES / "report.cpp")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected a program file, sources of kernels, or --elf, found none of these"),
        ((SOURCE, "--elf", "IMAGE"), "--elf stands in the place of PROGRAM.yaml or FILE.cpp, found both"),
        (("--elf", "IMAGE", "--tt-metal", "."), "--tt-metal is for kernels that are compiled"),
        (("--elf", "IMAGE", "-D", "A=1"), "-D is for kernels that are compiled"),
        (("--elf", "IMAGE", "-I", "."), "-I is for kernels that are compiled"),
        (("--elf", "IMAGE", "--optimization", "s"), "--optimization is for kernels that are compiled"),
        (("--elf", "IMAGE", "--compile-time-arg", "1"), "--compile-time-arg is for kernels that are compiled"),
        ((SOURCE, "--firmware", "IMAGE"), "--firmware: expected one for each of 0 --elf, or none, found 1"),
        (("--elf", "no.elf"), "no.elf: expected an ELF file, found no such file"),
        (("--elf", SOURCE), "report.cpp: expected an ELF file, which begins with 7f 45 4c 46, found 2f 2f 20 53"),
        (("--elf", "IMAGE", "--riscv", "0"), "expected 1, which "),
        (("--elf", "/proc/self/exe"), "expected a program of 32 bits (class 1), found class 2"),
    ],
)
def test_what_makes_no_sense(
    images: CardImages, run_program: CommandLine, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    image = images.kernel("report", "wormhole_b0", 1)
    rows = tmp_path / "rows.csv"
    given = [str(image) if word == "IMAGE" else word for word in arguments]
    done = run_program("kernel", *given, "--arch", "wormhole_b0", "-o", rows)
    assert done.status == 2
    assert message in done.err
    assert not rows.exists()
