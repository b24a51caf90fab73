#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of RISC-V instructions that the decoder's tests compare with: tests/riscv/instructions.txt.

What is in it comes of the GNU assembler and disassembler (Debian: binutils-riscv64-unknown-elf), and not of this
repository. Lines are `WORD EXTENSION ASSEMBLY` as if the instruction stood at 0x10000. At the end there are many more
words, as their number and a digest of their assembly, which tests compute as well:

    every_half         all patterns of 16 bits but those that begin an instruction of 32
    random_words       words of splitmix64 whose opcode is one of RV32IMAF

Aliases, bits aq and rl, and operands of fences are left out; reserved encodings are "illegal".

Exit status: 0; 1 the assembler or disassembler failed or is missing.

Examples:
    scripts/studies/tabulate_riscv_instructions.py tests/riscv/instructions.txt
    scripts/studies/tabulate_riscv_instructions.py --list random_words    # the assembly behind a digest
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

PREFIX = "riscv64-unknown-elf-"
ARCHITECTURE = "rv32imafc_zba_zbb_zicsr_zifencei"
ADDRESS = 0x10000
MASK_64 = (1 << 64) - 1

INTEGER_TRIPLES = ("a0,a1,a2", "t6,zero,s11", "zero,ra,sp", "s0,tp,zero")
PAIRS = ("a0,a1", "t6,zero", "zero,s11", "gp,t0")
IMMEDIATES = ("a0,a1,5", "t6,s11,-2048", "zero,sp,2047", "ra,zero,-1")
SHIFTS = ("a0,a1,0", "t6,s11,31", "s1,zero,16", "zero,a7,1")
LOADS = ("a0,8(sp)", "t6,-2048(s11)", "zero,2047(zero)", "gp,-1(t2)")
BRANCHES = ("a0,a1,.+16", "zero,t6,.-4096", "s11,zero,.+4094", "sp,sp,.")
FLOAT_TRIPLES = ("fa0,fa1,fa2", "ft11,ft0,fs11", "ft0,fs1,ft8")
ROUNDING_MODES = ("", ",rne", ",rtz", ",rdn", ",rup", ",rmm")
CONTROL = ("a0,fcsr,a1", "zero,fflags,t6", "t0,0x7c0,zero", "s2,cycle,zero", "a1,instreth,zero", "a2,0xfff,zero")
CONTROL_BITS = ("a0,frm,31", "zero,timeh,0", "t6,0x7c0,1", "a0,0x001,16")

# Operands of 32-bit instructions, by extension.
WHOLE: dict[str, dict[str, tuple[str, ...]]] = {
    "I": {
        **dict.fromkeys(("lui", "auipc"), ("a0,0x12345", "t6,0xfffff", "zero,0x80000", "sp,0")),
        "jal": ("ra,.+2048", "zero,.-1048576", "t0,.+1048574", "a0,."),
        "jalr": LOADS,
        **dict.fromkeys(("beq", "bne", "blt", "bge", "bltu", "bgeu"), BRANCHES),
        **dict.fromkeys(("lb", "lh", "lw", "lbu", "lhu", "sb", "sh", "sw"), LOADS),
        **dict.fromkeys(("addi", "slti", "sltiu", "xori", "ori", "andi"), IMMEDIATES),
        **dict.fromkeys(("slli", "srli", "srai"), SHIFTS),
        **dict.fromkeys(("add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and"), INTEGER_TRIPLES),
        "fence": ("", "r,rw", "iorw,iorw"),
        **dict.fromkeys(("fence.i", "fence.tso", "ecall", "ebreak"), ("",)),
    },
    "M": dict.fromkeys(("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"), INTEGER_TRIPLES),
    "Zicsr": {
        **dict.fromkeys(("csrrw", "csrrs", "csrrc"), CONTROL),
        **dict.fromkeys(("csrrwi", "csrrsi", "csrrci"), CONTROL_BITS),
    },
    "Zalrsc": {
        **dict.fromkeys(("lr.w", "lr.w.aq", "lr.w.aqrl"), ("a0,(a1)", "t6,(zero)", "zero,(s11)")),
        **dict.fromkeys(("sc.w", "sc.w.rl"), ("a0,a1,(a2)", "t6,zero,(s11)", "zero,sp,(ra)")),
    },
    "Zaamo": {
        f"amo{name}.w{order}": ("a0,a1,(a2)", "t6,zero,(s11)", "zero,sp,(ra)")
        for name, order in product(
            ("swap", "add", "xor", "and", "or", "min", "max", "minu", "maxu"), ("", ".aq", ".rl", ".aqrl")
        )
    },
    "Zba": dict.fromkeys(("sh1add", "sh2add", "sh3add"), INTEGER_TRIPLES),
    "Zbb": {
        **dict.fromkeys(("andn", "orn", "xnor", "max", "maxu", "min", "minu", "rol", "ror"), INTEGER_TRIPLES),
        **dict.fromkeys(("clz", "ctz", "cpop", "sext.b", "sext.h", "zext.h", "orc.b", "rev8"), PAIRS),
        "rori": SHIFTS,
    },
    "F": {
        **dict.fromkeys(("flw", "fsw"), ("fa0,8(sp)", "ft11,-2048(s11)", "ft0,2047(zero)", "fs0,-1(t2)")),
        **{
            name: tuple(f"{operands}{mode}" for operands, mode in product(quads, ROUNDING_MODES))
            for name, quads in (
                *(
                    (f"f{name}.s", ("fa0,fa1,fa2,fa3", "ft11,ft0,fs11,ft1"))
                    for name in ("madd", "msub", "nmsub", "nmadd")
                ),
                *((f"f{name}.s", FLOAT_TRIPLES) for name in ("add", "sub", "mul", "div")),
                ("fsqrt.s", ("fa0,fa1", "ft11,ft0")),
                *((f"fcvt.{name}.s", ("a0,fa1", "t6,ft0", "zero,ft11")) for name in ("w", "wu")),
                *((f"fcvt.s.{name}", ("fa0,a1", "ft11,zero", "ft0,t6")) for name in ("w", "wu")),
            )
        },
        **dict.fromkeys(("fsgnj.s", "fsgnjn.s", "fsgnjx.s", "fmin.s", "fmax.s"), FLOAT_TRIPLES),
        **dict.fromkeys(("feq.s", "flt.s", "fle.s"), ("a0,fa1,fa2", "t6,ft0,ft11", "zero,fs0,fs11")),
        **dict.fromkeys(("fmv.x.w", "fclass.s"), ("a0,fa1", "t6,ft0", "zero,ft11")),
        "fmv.w.x": ("fa0,a1", "ft11,zero", "ft0,t6"),
    },
}

# Compressed instructions with their expansions for the assembler.
COMPRESSED: dict[str, tuple[tuple[str, str], ...]] = {
    "C": (
        *((f"c.addi4spn {rd},sp,{n}", f"addi {rd},sp,{n}") for rd in ("s0", "a5") for n in (4, 8, 16, 64, 512, 1020)),
        *((f"c.lw {rd},{n}(a3)", f"lw {rd},{n}(a3)") for rd in ("s1", "a5") for n in (0, 4, 8, 64, 124)),
        *((f"c.sw {rd},{n}(s0)", f"sw {rd},{n}(s0)") for rd in ("s1", "a5") for n in (0, 4, 8, 64, 124)),
        ("c.nop", "addi zero,zero,0"),
        *((f"c.addi {rd},{n}", f"addi {rd},{rd},{n}") for rd in ("ra", "sp", "t6") for n in (-32, -1, 1, 31)),
        *((f"c.jal .{n:+d}", f"jal ra,.{n:+d}") for n in (-2048, -2, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2046)),
        *((f"c.j .{n:+d}", f"jal zero,.{n:+d}") for n in (-2048, -2, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2046)),
        *((f"c.li {rd},{n}", f"addi {rd},zero,{n}") for rd in ("ra", "sp", "t6") for n in (-32, -1, 0, 31)),
        *((f"c.addi16sp sp,{n}", f"addi sp,sp,{n}") for n in (-512, -16, 16, 32, 64, 128, 256, 496)),
        *((f"c.lui {rd},{n}", f"lui {rd},{n}") for rd in ("ra", "t6") for n in (1, 31, 0xFFFFF, 0xFFFE0)),
        *(
            (f"c.{op} {rd},{n}", f"{op} {rd},{rd},{n}")
            for op in ("srli", "srai")
            for rd in ("s0", "a5")
            for n in (1, 31)
        ),
        *((f"c.andi {rd},{n}", f"andi {rd},{rd},{n}") for rd in ("s0", "a5") for n in (-32, -1, 0, 31)),
        *((f"c.{op} s1,a4", f"{op} s1,s1,a4") for op in ("sub", "xor", "or", "and")),
        *(
            (f"c.b{op}z {rs},.{n:+d}", f"b{op} {rs},zero,.{n:+d}")
            for op in ("eq", "ne")
            for rs in ("s0", "a5")
            for n in (-256, -2, 2, 4, 8, 16, 32, 64, 128, 254)
        ),
        *((f"c.slli {rd},{n}", f"slli {rd},{rd},{n}") for rd in ("ra", "t6") for n in (1, 16, 31)),
        *((f"c.lwsp {rd},{n}(sp)", f"lw {rd},{n}(sp)") for rd in ("ra", "t6") for n in (0, 4, 16, 32, 64, 252)),
        *((f"c.jr {rs}", f"jalr zero,0({rs})") for rs in ("ra", "t6")),
        *((f"c.mv {rd},{rs}", f"add {rd},zero,{rs}") for rd in ("ra", "t6") for rs in ("sp", "t5")),
        ("c.ebreak", "ebreak"),
        *((f"c.jalr {rs}", f"jalr ra,0({rs})") for rs in ("ra", "t6")),
        *((f"c.add {rd},{rs}", f"add {rd},{rd},{rs}") for rd in ("ra", "t6") for rs in ("sp", "t5")),
        *((f"c.swsp {rs},{n}(sp)", f"sw {rs},{n}(sp)") for rs in ("zero", "t6") for n in (0, 4, 16, 32, 64, 252)),
    ),
    "CF": tuple(
        (f"c.f{op}{form} {register},{n}({base})", f"f{op} {register},{n}({base})")
        for form, base, most, registers in (("", "s0", 124, ("fs0", "fa5")), ("sp", "sp", 252, ("ft0", "ft11")))
        for op in ("lw", "sw")
        for register in registers
        for n in (0, most)
    ),
}

# Privileged instructions, which the disassembler accepts.
PRIVILEGED = {"mret", "sret", "uret", "dret", "wfi", "sfence.vma", "sfence.vm", "hret"}
SHIFTS_BY_CONSTANTS = ("slli", "srli", "srai", "rori")
NAMED_CONTROL_REGISTERS = {
    0x001: "fflags",
    0x002: "frm",
    0x003: "fcsr",
    0xC00: "cycle",
    0xC01: "time",
    0xC02: "instret",
    0xC80: "cycleh",
    0xC81: "timeh",
    0xC82: "instreth",
}
OPCODES = (0x03, 0x07, 0x13, 0x17, 0x23, 0x27, 0x2F, 0x33, 0x37, 0x43, 0x47, 0x4B, 0x4F, 0x53, 0x63, 0x67, 0x6F, 0x73)
NUM_RANDOM_WORDS = 100_000


def tool(name: str, *arguments: str) -> str:
    """Runs a tool of the GNU binutils and returns its output.

    Raises:
        SystemExit: the tool is missing, or failed.
    """
    try:
        done = subprocess.run([PREFIX + name, *arguments], capture_output=True, text=True, check=False)  # noqa: S603
    except FileNotFoundError:
        sys.exit(f"tabulate_riscv_instructions: {PREFIX}{name}: expected a tool on the PATH, found none")
    if done.returncode != 0:
        sys.exit(f"tabulate_riscv_instructions: {PREFIX}{name} failed: {done.stderr.strip()}")
    return done.stdout


def assembly_of(source: list[str]) -> list[tuple[int, int, str]]:
    """Returns address, word and disassembly of each instruction in an assembler source."""
    with tempfile.TemporaryDirectory() as folder:
        text, binary = Path(folder) / "source.s", Path(folder) / "source.o"
        text.write_text("\n".join([".option norelax", *source, ""]))
        tool("as", f"-march={ARCHITECTURE}", "-mabi=ilp32f", "-o", str(binary), str(text))
        printed = tool("objdump", "-d", "-z", "-M", "no-aliases", f"--adjust-vma={ADDRESS}", str(binary))
    lines = re.findall(r"^ +([0-9a-f]+):\t([0-9a-f]+) +\t(.*)$", printed, re.MULTILINE)
    return [(int(address, 16), int(word, 16), text.strip()) for address, word, text in lines]


def expand(name: str, operands: list[str]) -> tuple[str, list[str]]:
    """Returns name and operands of the expansion of a compressed instruction."""
    first = operands[0] if operands else ""
    name = name.removesuffix("64")
    if name in ("c.lw", "c.sw", "c.flw", "c.fsw", "c.lui"):
        return name[2:], operands
    if name in ("c.lwsp", "c.swsp", "c.flwsp", "c.fswsp"):
        return name[2:-2], operands
    if name in ("c.addi4spn", "c.addi16sp"):
        return "addi", ["sp", *operands] if len(operands) == 1 else [first, "sp", operands[-1]]
    known = {
        "c.unimp": ("illegal", []),
        "c.nop": ("addi", ["zero", "zero", first or "0"]),
        "c.jal": ("jal", ["ra", first]),
        "c.j": ("jal", ["zero", first]),
        "c.li": ("addi", [first, "zero", operands[-1] if operands else ""]),
        "c.mv": ("add", [first, "zero", operands[-1] if operands else ""]),
        "c.beqz": ("beq", [first, "zero", operands[-1] if operands else ""]),
        "c.bnez": ("bne", [first, "zero", operands[-1] if operands else ""]),
        "c.jr": ("jalr", ["zero", f"0({first})"]),
        "c.jalr": ("jalr", ["ra", f"0({first})"]),
        "c.ebreak": ("ebreak", []),
    }
    if name in known:
        return known[name]
    return name[2:], [first, first, operands[1] if len(operands) > 1 else "0"]


def plain(address: int, word: int, raw: str) -> str:
    """Returns the disassembler's assembly in the form of the decoder's tests."""
    name, _, rest = re.sub(r" *(<.*>|#.*)$", "", raw).partition("\t")
    operands = rest.split(",") if rest else []
    if name.startswith("c."):
        name, operands = expand(name, operands)
    if name.startswith((".", "0x")) or name in PRIVILEGED or name == "illegal" or operands[-1:] == ["unknown"]:
        return "illegal"
    # The disassembler shows these encodings, although the manual reserves them on 32-bit cores.
    if (name in SHIFTS_BY_CONSTANTS and int(operands[-1], 0) >= 32) or raw == "c.addi16sp\tsp,0":
        return "illegal"
    if name.startswith("fence") and name != "fence.i":
        return "fence"
    if name.startswith(("amo", "lr.w", "sc.w")):
        name = re.sub(r"\.(aq|rl|aqrl)$", "", name)
    if name == "jal" or (name.startswith("b") and len(operands) == 3):
        target = int(operands[-1], 16) - address + ADDRESS
        operands[-1] = f"0x{target & 0xFFFFFFFF:x}"
    elif name.startswith("csrr"):
        number = word >> 20
        operands[1] = NAMED_CONTROL_REGISTERS.get(number, f"0x{number:x}")
    elif name in SHIFTS_BY_CONSTANTS:
        operands[-1] = str(int(operands[-1], 0))
    return f"{name} {', '.join(operands)}".strip()


def disassemble(words: list[int], num_bytes: int) -> list[str]:
    """Returns the assembly of words, which need not be instructions."""
    lines = assembly_of([f".insn {num_bytes}, 0x{word:x}" for word in words])
    assert [word for _, word, _ in lines] == words
    return [plain(*line) for line in lines]


def every_half() -> list[str]:
    """Returns the assembly of all compressed instructions, in the order of words."""
    return disassemble([half for half in range(1 << 16) if half % 4 != 3], 2)


def random_words() -> list[str]:
    """Returns the assembly of random words."""
    words, state = [], 0
    for _ in range(NUM_RANDOM_WORDS):
        state = (state + 0x9E3779B97F4A7C15) & MASK_64
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK_64
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK_64
        mixed ^= mixed >> 31
        words.append((mixed & 0xFFFFFF80) | OPCODES[(mixed >> 32) % len(OPCODES)])
    return disassemble(words, 4)


def digest(lines: list[str]) -> str:
    """Returns a 64-bit hash of all lines (FNV-1a)."""
    value = 0xCBF29CE484222325
    for byte in "".join(f"{line}\n" for line in lines).encode():
        value = ((value ^ byte) * 0x100000001B3) & MASK_64
    return f"{value:016x}"


def whole_table() -> list[str]:
    """Returns the lines of the 32-bit instructions."""
    extensions, source = [], []
    for extension, instructions in WHOLE.items():
        for name, variants in instructions.items():
            source += [f"{name} {operands}".strip() for operands in variants]
            extensions += [extension] * len(variants)
    # Without this line, the assembler would replace branches beyond their reach by two instructions.
    lines = assembly_of([".option norvc", *source])
    assert len(lines) == len(source)
    return [
        f"{word:08x} {extension} {plain(address, word, text)}"
        for extension, (address, word, text) in zip(extensions, lines, strict=True)
    ]


def compressed_table() -> list[str]:
    """Returns the lines of the 16-bit instructions, with the assembly of their expansions."""
    table = []
    for extension, pairs in COMPRESSED.items():
        halves = assembly_of([short for short, _ in pairs])
        wholes = assembly_of([".option norvc", *(long for _, long in pairs)])
        assert len(halves) == len(wholes) == len(pairs)
        table += [f"{half:04x} {extension} {plain(*whole)}" for (_, half, _), whole in zip(halves, wholes, strict=True)]
    return table


def main() -> int:
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", help="where to write the table (default: to standard output)")
    parser.add_argument("--list", choices=("every_half", "random_words"), help="print these words' assembly instead")
    arguments = parser.parse_args()
    many = {"every_half": every_half, "random_words": random_words}
    if arguments.list:
        lines = many[arguments.list]()
    else:
        lines = [
            "# Made by scripts/studies/tabulate_riscv_instructions.py from the GNU assembler and disassembler.",
            *whole_table(),
            *compressed_table(),
        ]
        for name, listed in many.items():
            texts = listed()
            lines.append(f"{name} {len(texts)} {digest(texts)}")
    text = "".join(f"{line}\n" for line in lines)
    if arguments.file:
        arguments.file.write_text(text)
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
