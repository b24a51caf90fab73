"""Compilation of a program's kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.compiling.compiler import CompiledKernel, compile_kernel
from nocbench.compiling.messages import KernelCompileError
from nocbench.compiling.request import BufferFormat, KernelRequest, TensorLayout
from nocbench.compiling.toolchain import find_toolchain
from nocbench.programs.card_image import read_card_image
from nocbench.programs.layout import has_page_bytes_in_layouts
from nocbench.programs.preparation import with_values
from nocbench.support.errors import InputError, Mistakes

if TYPE_CHECKING:
    from nocbench.programs.layout import Layout
    from nocbench.programs.preparation import Arguments
    from nocbench.programs.program import Kernel, ProgramDescription


def compile_kernels(
    program: ProgramDescription, layout: Layout, arguments: list[Arguments], arch: str
) -> dict[str, CompiledKernel]:
    """Returns all kernels of a program by name: compiled, from the cache, or read from files for the card.

    Raises:
        KernelCompileError: a kernel does not compile.
        InputError: mistakes in sources or options; the message lists all.
    """
    requests = {
        kernel.name: kernel_request(kernel, program, layout, words, arch)
        for kernel, words in zip(program.kernels, arguments, strict=True)
        if kernel.image is None
    }
    images = {
        kernel.name: read_card_image(kernel.source, kernel.image.firmware, program.options.compiler)
        for kernel in program.kernels
        if kernel.image is not None
    }
    mistakes = Mistakes()
    for kernel in program.kernels:
        try:
            if kernel.image is None:
                requests[kernel.name].require_sense()
        except InputError as error:
            for line in str(error).splitlines():
                mistakes.note(f"{kernel.where}: {line}")
    mistakes.complain()
    if len(requests) <= 1:
        return {**images, **{name: _compile(request) for name, request in requests.items()}}
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=4) as threads:  # each thread waits for a compiler
        return {**images, **dict(zip(requests, threads.map(_compile, requests.values()), strict=True))}


def compiler_of(program: ProgramDescription) -> str:
    """Returns name and version of the compiler of a program's kernels; empty if no kernel is compiled here.

    Raises:
        InputError: no compiler was found.
    """
    if all(kernel.image is not None for kernel in program.kernels):
        return ""
    return find_toolchain(program.options.compiler).label


def _compile(request: KernelRequest) -> CompiledKernel:
    try:
        return compile_kernel(request)
    except KernelCompileError as error:
        if str(request.source) in str(error):
            raise
        raise KernelCompileError(f"{request.source}: {error}", error.compiler_messages) from None


def kernel_request(
    kernel: Kernel, program: ProgramDescription, layout: Layout, words: Arguments, arch: str
) -> KernelRequest:
    """Returns the request to compile a kernel of a program."""
    names = layout.names(program)
    defines = {
        name: with_values(text, names, f"{kernel.where}: defines.{name}")
        for name, text in {**program.options.defines, **kernel.defines}.items()
    }
    tensors = {tensor.name: tensor for tensor in program.tensors}
    regions = {region.name: region for region in program.regions}
    return KernelRequest(
        source=kernel.source,
        architecture=arch,
        riscv=kernel.riscv,
        noc=kernel.noc,
        noc_mode=kernel.noc_mode,
        num_dram_banks=layout.memories.dram_banks,
        num_l1_banks=len(layout.memories.l1_banks),
        pcie_noc=layout.memories.pcie_noc,
        compile_time_args=words.compile_time,
        named_compile_time_args=words.named_compile_time,
        runtime_arg_names=kernel.runtime_arg_names,
        common_arg_names=kernel.common_arg_names,
        buffers={
            buffer.id: BufferFormat(buffer.page_bytes, buffer.format, buffer.tile_rows) for buffer in program.buffers
        },
        buffer_names={buffer.name: buffer.id for buffer in program.buffers if buffer.name},
        semaphore_names={semaphore.name: semaphore.id for semaphore in program.semaphores if semaphore.name},
        tensors={
            name: TensorLayout(names.layouts[name], tensors[name].page_bytes)
            for name in kernel.tensors
            if name in tensors
        },
        defines=defines,
        include_directories=program.options.include_directories,
        optimisation=program.options.optimization,
        compiler=program.options.compiler,
        scratchpads={name: regions[name].size for name in kernel.scratchpads if name in regions},
        page_bytes_in_layouts=has_page_bytes_in_layouts(program.options),
        compute=kernel.compute,
        tt_metal=program.options.tt_metal,
    )
