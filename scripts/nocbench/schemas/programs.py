"""The schema of program files; docs/kernels.md describes the format."""

from __future__ import annotations

from nocbench.architectures.files import architecture_names
from nocbench.compiling.request import DATA_FORMATS, FIDELITIES, NOC_MODES, TILE_ROWS
from nocbench.programs.kernel_entries import COMPUTE
from nocbench.schemas.parts import (
    NUMBER_OR_TEXT,
    PATH,
    TEXT,
    WHOLE_OR_TEXT,
    Schema,
    by_key,
    described,
    either,
    items,
    keys,
    mapping,
    one_or_more,
    part,
)

_NAMES: Schema = {"pattern": r"^[A-Za-z_]\w*$"}
_IDS: Schema = {"pattern": "^[0-9]+$"}
_KINDS_OF_CONTENTS = {
    "words": part("words"),
    "counting": part("word", "The first of words that count up."),
    "from_file": described(PATH, "File with the bytes; of a .npy file, the values of its array."),
}
_PLACE = {
    "tensor": part("text", "Name of a tensor."),
    "region": part("text", "Name of a region."),
    "buffer": part("text", "Id or name of a circular buffer."),
    "core": part("core", "Core of the region or buffer."),
    "offset_bytes": part("number", "First byte; 0 by default."),
    "bytes": part("number", "Number of bytes; the rest by default."),
}
_ONE_PLACE = keys(["tensor"], ["region"], ["buffer"])


def program_parts() -> dict[str, Schema]:
    """Returns the parts of the schema."""
    return {
        "text": TEXT,
        "texts": items(part("text")),
        "number": described(WHOLE_OR_TEXT, "A whole number, or an expression of numbers, sizes and $parameters."),
        "word": described(NUMBER_OR_TEXT, "A number, or an expression such as 'address NAME' or 'x 3 2'."),
        "words": items(part("word")),
        "core": described(items(part("number"), 2, 2), "Logical coordinate, [x, y]."),
        "cores": described(_cores(), "A list of cores, a rectangle, cores next to DRAM banks, or all."),
        "contents": either({"const": "zeros"}, mapping(_KINDS_OF_CONTENTS, minProperties=1, maxProperties=1)),
        "core_contents": described(_core_contents(), "Content of all cores, or a list of contents of some of them."),
        "defines": described(by_key({"type": ["string", "number", "boolean", "null"]}), "Macros, also without value."),
        "yes_or_no": {"enum": ["yes", "no", True, False]},
        "pages": described(one_or_more(part("number")), "Number of pages, in each dimension if there are several."),
        "architecture": {"enum": architecture_names()},
        "kernel": _kernel(),
        "buffer": _buffer(),
        "semaphore": either({"type": "null"}, _semaphore()),
        "tensor": _tensor(),
        "region": mapping({"bytes": part("number"), "initial": part("core_contents")}, required=["bytes"]),
        "place": mapping(_PLACE, oneOf=_ONE_PLACE),
        "expectation": mapping(
            _PLACE
            | {
                "equals": either(part("contents"), part("place")),
                "correlation": described(NUMBER_OR_TEXT, "Least correlation (PCC) of the values of tiles, up to 1."),
                "format": part("text", "Data format of the tiles; that of the buffer by default."),
            },
            required=["equals"],
            oneOf=_ONE_PLACE,
        ),
    }


def program() -> Schema:
    """Returns the schema of a program, without its parts."""
    return mapping(
        {
            "name": part("text", "Name of the program; that of the file by default."),
            "about": part("text", "What the program does, in a sentence."),
            "arch": described(one_or_more(part("architecture")), "Architectures on which the program runs."),
            "board": part("text", "Board; the architecture's default board otherwise."),
            "parameters": described(by_key(part("number"), _NAMES), "Numbers that -a changes."),
            "include_directories": described(items(PATH), "Folders of headers, relative to this file."),
            "defines": part("defines"),
            "optimization": part("text", "Optimization of the compiler, such as 0, 3, s or -Os; 2 by default."),
            "kernels": items(part("kernel"), least=1),
            "tt_metal": described(PATH, "Checkout or installation of tt-metal whose headers are used."),
            "page_bytes_in_layouts": part("yes_or_no", "Layouts of tensors have the size of pages after one word."),
            "l1_data_cache": part("yes_or_no", "State of Blackhole's cache in front of L1 at the beginning."),
            "launched_again": part("yes_or_no", "Launched again, with semaphores as they are at the end."),
            "buffers": described(by_key(part("buffer"), _IDS), "Circular buffers by id."),
            "semaphores": described(by_key(part("semaphore"), _IDS), "Semaphores by id."),
            "tensors": described(by_key(part("tensor"), _NAMES), "Tensors by name."),
            "regions": described(by_key(part("region"), _NAMES), "Regions of L1 by name."),
            "expect": described(items(part("expectation")), "What must be in memory after the run."),
        },
        required=["kernels"],
    )


def _cores() -> Schema:
    banks = either({"const": "all"}, items(part("number"), least=1))
    return either(
        {"const": "all"},
        items(part("core"), least=1),
        mapping({"from": part("core"), "to": part("core")}, required=["from", "to"]),
        mapping({"next_to_banks": banks, "noc": part("number")}, required=["next_to_banks"]),
    )


def _core_contents() -> Schema:
    of_cores = {"cores": part("cores")} | _KINDS_OF_CONTENTS
    return either(part("contents"), items(mapping(of_cores, required=["cores"], minProperties=2, maxProperties=2)))


def _kernel() -> Schema:
    return mapping(
        {
            "file": described(PATH, "Source, relative to this file."),
            "elf": described(PATH, "Kernel that was compiled for the card, instead of a source."),
            "firmware": described(PATH, "File with the symbols of the firmware, beside elf."),
            "name": part("text", "Name of the kernel; that of the file by default."),
            "riscv": either({"const": COMPUTE}, part("number", "Processor: 0 or 1.")),
            "compute": _compute(),
            "noc": part("number", "NoC: 0 or 1; the number of the processor by default."),
            "noc_mode": described(
                {"enum": list(NOC_MODES)}, "Who uses a NoC of a core: one processor (default), or both."
            ),
            "cores": part("cores"),
            "compile_time_args": part("words"),
            "named_compile_time_args": by_key(part("word")),
            "runtime_args": part("words"),
            "runtime_arg_names": part("texts"),
            "each_core": described(items(part("words")), "Further run-time arguments of each core."),
            "common_args": part("words"),
            "common_arg_names": part("texts"),
            "tensors": part("texts", "Tensors that the kernel uses by name."),
            "scratchpads": part("texts", "Regions that the kernel uses by name."),
            "defines": part("defines"),
            "timed": part("text", "Name of the timed zone; the whole kernel by default."),
        },
        required=["cores"],
        anyOf=keys(["elf"], ["file", "riscv"]),
    )


def _compute() -> Schema:
    return mapping(
        {
            "math_fidelity": {"enum": list(FIDELITIES)},
            "fp32_dest_acc_en": part("yes_or_no", "Values of 32 bits in Dst."),
            "dst_full_sync_en": part("yes_or_no", "Dst as a whole, not in halves."),
            "math_approx_mode": part("yes_or_no", "Functions of the vector unit may approximate."),
            "unpack_to_dest_fp32": described(items(part("number")), "Buffers unpacked in full precision."),
        }
    )


def _buffer() -> Schema:
    return mapping(
        {
            "pages": part("number"),
            "page_bytes": part("number"),
            "format": {"enum": list(DATA_FORMATS)},
            "tile_rows": described({"enum": list(TILE_ROWS)}, "Rows of a tile."),
            "name": part("text"),
            "initial": part("core_contents"),
            "tensor": part("text", "Tensor in L1 on whose shards the buffer lies."),
        },
        anyOf=keys(["tensor"], ["pages", "page_bytes"]),
    )


def _semaphore() -> Schema:
    of_cores = mapping({"cores": part("cores"), "value": part("number")}, required=["cores", "value"])
    return mapping({"initial": either(part("number"), items(of_cores)), "name": part("text")})


def _tensor() -> Schema:
    return mapping(
        {
            "memory": {"enum": ["dram", "l1"]},
            "pages": part("pages"),
            "page_bytes": part("number"),
            "initial": part("contents"),
            "shards": part("pages", "Number of pages in each shard."),
            "shard_cores": described(
                either(part("cores"), items(part("number"))), "Cores (L1) or numbers of banks (DRAM) of the shards."
            ),
        },
        required=["memory", "pages", "page_bytes"],
        dependentRequired={"shards": ["shard_cores"], "shard_cores": ["shards"]},
    )
