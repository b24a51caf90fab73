"""Kernels of tests/device_kernels/for_card, linked against a firmware as for the card."""

from __future__ import annotations

import functools
import subprocess
from typing import TYPE_CHECKING

from device_programs import DIRECTORY

from nocbench.architectures.memories import memories_of
from nocbench.compiling.toolchain import environment, find_toolchain

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = DIRECTORY / "for_card"
TOOLCHAIN = find_toolchain(None)
FIRMWARE_TEXT = (0x3AE0, 0x5840)
INSTRUCTION_RAM = 0xFFC00000
_INSTRUCTIONS = {"wormhole_b0": "rv32im", "blackhole": "rv32im_zba_zbb"}


class CardImages:
    """Compiler of these kernels that compiles each one only once."""

    def __init__(self, place: Path) -> None:
        """Takes an empty folder."""
        self._place = place
        self.firmware = functools.cache(self._firmware)
        self.kernel = functools.cache(self._kernel)

    def _firmware(self, arch: str, riscv: int, *symbols: str, more_dram_banks: int = 0) -> Path:
        """Assembles a firmware with symbols that leave out parts of it."""
        memories = memories_of(arch)
        numbers = {"NUM_DRAM_BANKS": memories.dram_banks + more_dram_banks, "NUM_L1_BANKS": len(memories.cores)}
        defined = [f"{name}={value}" for name, value in {**numbers, **dict.fromkeys(symbols, 1)}.items()]
        return self._link(
            f"firmware_{arch}_{riscv}_{'_'.join(symbols)}_{more_dram_banks}",
            *self._machine(arch),
            *("-T", str(SOURCES / "firmware.ld"), f"-Wl,--defsym=FIRMWARE_TEXT={FIRMWARE_TEXT[riscv]:#x}"),
            *(f"-Wa,--defsym,{symbol}" for symbol in defined),
            str(SOURCES / "firmware.s"),
        )

    def _kernel(
        self,
        name: str,
        arch: str,
        riscv: int,
        *,
        noc: int | None = None,
        text: int | None = None,
        firmware: Path | None = None,
        is_stripped: bool = False,
    ) -> Path:
        """Links a kernel behind its firmware, into the instruction RAM, or at another address."""
        memories = memories_of(arch)
        in_ram = arch == "wormhole_b0" and riscv == 1 and text is None
        address = hex(INSTRUCTION_RAM) if in_ram else "firmware_text_end" if text is None else hex(text)
        firmware = firmware or self.firmware(arch, riscv)
        return self._link(
            f"{name}_{arch}_{riscv}_{noc}_{address}_{firmware.stem}_{is_stripped}",
            *self._machine(arch),
            *("-O2", "-g", "-std=c++20", "-ffreestanding", "-fno-exceptions", "-fno-tree-loop-distribute-patterns"),
            f"-DNUM_DRAM_BANKS={memories.dram_banks}",
            f"-DNOC_INDEX={riscv if noc is None else noc}",
            *(["-DIN_INSTRUCTION_RAM"] if in_ram else []),
            *("-T", str(SOURCES / "kernel.ld"), f"-Wl,--defsym=KERNEL_TEXT={address}"),
            f"-Wl,--just-symbols={firmware}",
            *(["-s"] if is_stripped else []),
            str(SOURCES / f"{name}.cpp"),
        )

    def _machine(self, arch: str) -> tuple[str, ...]:
        flags = (f"-march={_INSTRUCTIONS[arch]}", "-mabi=ilp32", "-nostdlib", "-nostartfiles", "-static")
        return (*flags, "-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments")

    def _link(self, name: str, *arguments: str) -> Path:
        image = self._place / f"{name}.elf"
        command = [str(TOOLCHAIN.compiler), *arguments, "-o", str(image)]
        subprocess.run(command, check=True, env=environment(TOOLCHAIN))
        return image
