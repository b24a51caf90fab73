"""Entries of program files for kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nocbench.compiling.request import COMPUTE_RISCS, FIDELITIES, NOC_MODES, NUM_BUFFERS, ComputeOptions
from nocbench.points.yaml_files import found, keys_of
from nocbench.programs.card_kernels import OF_SOURCES, riscv_of
from nocbench.programs.entries import defines, path_from
from nocbench.programs.program import CardImage, Kernel, Word
from nocbench.support.errors import InputError, all_names, did_you_mean
from nocbench.support.names import require_name

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from nocbench.points.yaml_files import Node
    from nocbench.programs.entries import Entries

COMPUTE: Final = "compute"
"""RISC of a compute kernel in program files: all three of them."""

_KEYS = (
    *(
        "file",
        "elf",
        "firmware",
        "name",
        "riscv",
        "noc",
        "noc_mode",
        "cores",
        "compile_time_args",
        "named_compile_time_args",
        "runtime_args",
    ),
    *(
        "runtime_arg_names",
        "each_core",
        "common_args",
        "common_arg_names",
        "tensors",
        "scratchpads",
        "defines",
        "timed",
        "compute",
    ),
)
_COMPUTE_KEYS = ("math_fidelity", "fp32_dest_acc_en", "dst_full_sync_en", "math_approx_mode", "unpack_to_dest_fp32")


def read_kernels(reader: Entries, node: Node | None) -> list[Kernel]:
    """Returns all kernels of a program."""
    items = reader.file.items(node, "kernels")
    if node is not None and node["kind"] == "list" and not items:
        reader.file.complain(node, "kernels", "at least one kernel", "none")
    kernels: list[Kernel] = []
    places: dict[tuple[tuple[int, int], int], str] = {}
    for item in items:
        kernel = _read_kernel(reader, item, [kernel.name for kernel in kernels])
        kernels.append(kernel)
        for core in kernel.cores:
            if (core, kernel.riscv) in places:
                other = places[core, kernel.riscv]
                expected = f"one kernel on riscv_{kernel.riscv} of core {core}"
                reader.file.complain(item, f"kernels ({kernel.name})", expected, f"another one, '{other}'")
                break
            places[core, kernel.riscv] = kernel.name
    return [thread for kernel in kernels for thread in kernel.threads]


def _read_kernel(reader: Entries, node: Node, taken: Collection[str]) -> Kernel:
    file = reader.file
    is_image = "elf" in keys_of(node)
    required = ("elf", "cores") if is_image else ("file", "riscv", "cores")
    entries = file.mapping(node, "kernels", _KEYS, required=required)
    source = _file_of(reader, entries, "elf" if is_image else "file")
    image = _read_image(reader, entries) if is_image else None
    if not is_image and "firmware" in entries:
        file.complain(entries["firmware"], "kernels.firmware", "it beside elf", "it beside a source")
    name = file.name(entries.get("name"), "kernels.name")
    if name in taken:
        file.complain(entries["name"], "kernels.name", "a name of its own", f"'{name}' again")
    compute = _read_compute(reader, entries, is_image=is_image)
    riscv = COMPUTE_RISCS[0] if compute else reader.number(entries.get("riscv"), "kernels.riscv", most=1)
    if is_image:
        riscv = _riscv_of_image(reader, entries, source, riscv)
    noc = reader.number(entries.get("noc"), "kernels.noc", default=0 if compute else riscv, most=1)
    cores = reader.cores(entries.get("cores"), "kernels.cores", noc)
    runtime_args = reader.words(entries.get("runtime_args"), "kernels.runtime_args")
    common_args = reader.words(entries.get("common_args"), "kernels.common_args")
    require_name(name or source.stem, f"{file.path}:{node['line']}:{node['column']}: kernels.name")
    kernel = Kernel(
        name=name or own_name(source.stem, taken),
        source=source,
        riscv=riscv,
        noc=noc,
        noc_mode=_noc_mode(reader, entries.get("noc_mode")),
        cores=cores,
        compile_time_args=reader.words(entries.get("compile_time_args"), "kernels.compile_time_args"),
        named_compile_time_args=_named(reader, entries.get("named_compile_time_args")),
        runtime_args=runtime_args,
        each_core=_each_core(reader, entries.get("each_core"), len(cores)),
        common_args=common_args,
        runtime_arg_names=_texts(reader, entries.get("runtime_arg_names"), "kernels.runtime_arg_names"),
        common_arg_names=_texts(reader, entries.get("common_arg_names"), "kernels.common_arg_names"),
        tensors=_texts(reader, entries.get("tensors"), "kernels.tensors"),
        scratchpads=_texts(reader, entries.get("scratchpads"), "kernels.scratchpads"),
        defines=defines(reader, entries.get("defines"), "kernels.defines"),
        zone=file.text(entries.get("timed"), "kernels.timed"),
        image=image,
        compute=compute,
        where=f"{file.path}:{node['line']}:{node['column']}: kernel '{name or source.stem}'",
    )
    _check_names(reader, entries, kernel)
    return kernel


def _read_compute(reader: Entries, entries: dict[str, Node], *, is_image: bool) -> ComputeOptions | None:
    """Returns the options of a kernel with `riscv: compute`; None for other kernels."""
    file = reader.file
    node = entries.get("compute")
    if is_image or "riscv" not in entries or entries["riscv"]["value"] != COMPUTE:
        if node is not None:
            file.complain(node, "kernels.compute", "it beside riscv: compute", "it beside another RISC")
        return None
    if "noc" in entries:
        file.complain(entries["noc"], "kernels.noc", "none beside riscv: compute", "one")
    if node is None:
        return ComputeOptions()
    options = file.mapping(node, "kernels.compute", _COMPUTE_KEYS)
    fidelity = file.value(
        options.get("math_fidelity"), "kernels.compute.math_fidelity", " or ".join(FIDELITIES), _phases_of
    )
    exact = 0
    for item in file.items(options.get("unpack_to_dest_fp32"), "kernels.compute.unpack_to_dest_fp32"):
        exact |= 1 << reader.number(item, "kernels.compute.unpack_to_dest_fp32", most=NUM_BUFFERS - 1)
    flags = {
        key: file.yes_or_no(options.get(key), f"kernels.compute.{key}") or False
        for key in ("fp32_dest_acc_en", "dst_full_sync_en", "math_approx_mode")
    }
    return ComputeOptions(
        fidelity_phases=fidelity or max(FIDELITIES.values()),
        has_wide_dst=flags["fp32_dest_acc_en"],
        has_whole_dst=flags["dst_full_sync_en"],
        approximates=flags["math_approx_mode"],
        exact_buffers=exact,
    )


def _phases_of(fidelity: str) -> int:
    if fidelity not in FIDELITIES:
        raise ValueError(fidelity)
    return FIDELITIES[fidelity]


def _file_of(reader: Entries, entries: dict[str, Node], key: str) -> Path:
    """Returns the path of a kernel's file. Records a mistake if the file does not exist."""
    if key not in entries:
        return reader.directory
    path = path_from(reader, entries[key], f"kernels.{key}")
    if not path.is_file():
        what = "the source of a kernel" if key == "file" else "an ELF file"
        reader.file.complain(entries[key], f"kernels.{key}", what, f"no such file, {path}")
    return path


def _noc_mode(reader: Entries, node: Node | None) -> str:
    mode = reader.file.text(node, "kernels.noc_mode") or NOC_MODES[0]
    if node is not None and mode not in NOC_MODES:
        reader.file.complain(node, "kernels.noc_mode", " or ".join(NOC_MODES), f"'{mode}'")
    return mode


def _read_image(reader: Entries, entries: dict[str, Node]) -> CardImage:
    for key in ("file", *OF_SOURCES):
        if key in entries:
            reader.file.complain(entries[key], f"kernels.{key}", "none beside elf, which was compiled before", "it")
    firmware = _file_of(reader, entries, "firmware") if "firmware" in entries else None
    return CardImage(firmware, noc_is_given="noc" in entries)


def _riscv_of_image(reader: Entries, entries: dict[str, Node], image: Path, asked: int) -> int:
    if not image.is_file():  # mistake already recorded
        return 0
    try:
        return riscv_of(image, asked if "riscv" in entries else None)
    except InputError as error:
        about_file, _, words = str(error).rpartition(f"{image}: ")
        key = "elf" if about_file == "" and words != str(error) else "riscv"
        reader.complain_of(entries.get(key, entries["elf"]), f"kernels.{key}", InputError(words))
        return 0


def own_name(stem: str, taken: Collection[str]) -> str:
    """Returns the stem, or the stem with a number if a kernel has that name."""
    name, number = stem, 2
    while name in taken:
        name, number = f"{stem} {number}", number + 1
    return name


def _check_names(reader: Entries, entries: dict[str, Node], kernel: Kernel) -> None:
    file = reader.file
    more = min((len(words) for words in kernel.each_core), default=0)
    for key, words, names in (
        ("runtime_arg", len(kernel.runtime_args) + more, kernel.runtime_arg_names),
        ("common_arg", len(kernel.common_args), kernel.common_arg_names),
    ):
        if len(names) > words:
            file.complain(
                entries[f"{key}_names"], f"kernels.{key}_names", f"at most {words} names, one for each", str(len(names))
            )
    if (kernel.tensors or kernel.scratchpads) and len(kernel.common_args) != len(kernel.common_arg_names):
        expected = "a name for each of common_args, since addresses of tensors and scratchpads follow them"
        of = entries["tensors" if kernel.tensors else "scratchpads"]
        file.complain(of, "kernels.common_arg_names", expected, str(len(kernel.common_arg_names)))


def _each_core(reader: Entries, node: Node | None, num_cores: int) -> tuple[tuple[Word, ...], ...]:
    if node is None:
        return ()
    lists = tuple(reader.words(item, "kernels.each_core") for item in reader.file.items(node, "kernels.each_core"))
    if len(lists) != num_cores:
        reader.file.complain(node, "kernels.each_core", f"a list for each of {num_cores} cores", f"{len(lists)} lists")
        return ()
    return lists


def _named(reader: Entries, node: Node | None) -> dict[str, Word]:
    """Returns arguments by name; names may be any text."""
    key = "kernels.named_compile_time_args"
    words: dict[str, Word] = {}
    if node is None or node["kind"] == "nothing":
        return words
    if node["kind"] != "mapping":
        reader.file.complain(node, key, "a mapping of names to numbers", found(node))
        return words
    for name, value in node["value"]:
        text = str(name["value"])
        if text in words:
            reader.file.complain(name, f"{key}.{text}", "each name once", "it again")
        elif value["kind"] != "text":
            reader.file.complain(value, f"{key}.{text}", "a number", found(value))
        else:
            words[text] = Word(str(value["value"]), reader.where(value, f"{key}.{text}"))
    return words


def _texts(reader: Entries, node: Node | None, key: str) -> tuple[str, ...]:
    texts = tuple(reader.file.text(item, key) for item in reader.file.items(node, key))
    if key == "kernels.tensors" and node is not None:
        known = reader.tensor_names
        for item, text in zip(node["value"] if node["kind"] == "list" else [], texts, strict=False):
            if text and text not in known:
                hint = did_you_mean(text, known) or all_names(known)
                reader.file.complain(item, key, "the name of a tensor", f"'{text}'{hint}")
    return texts
