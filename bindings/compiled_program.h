// Conversion of compiled programs and their results between Python and C++.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>
#include <string>

#include "bindings/point_result.h"
#include "kernels/frame/compiled_program.h"
#include "kernels/tensix/kernel_sources.h"

namespace nocbench {
class Grid;
}  // namespace nocbench

namespace nocbench::bindings {

/// Returns a compiler of the suite's kernels. It calls `compile(arch, dram_banks, l1_banks, pcie_noc, file, function,
/// riscv, noc, compile_time_args)`, which returns an image and a source map. May be called without Python's lock.
KernelCompiler kernel_compiler(const pybind11::function& compile);

/// Returns the PCIe tile's coordinates in kernels, or None.
pybind11::object pcie_noc(const Grid& grid);

/// Describes the memories that programs use: L1 and its cores, DRAM and its banks.
pybind11::dict describe_memories(const std::string& arch, const std::string& board, const Settings& settings);

/// Returns the RISC that an image was made for, if known.
std::optional<int> riscv_of_image(const pybind11::bytes& elf, const std::string& name);

/// Describes a card kernel's use of L1 and its start signal. Throws InputError if the kernel cannot run on `arch`.
/// Messages begin with `name`, or with the name in `firmware`, a pair of a name and the bytes of a file.
pybind11::dict describe_card_kernel(const pybind11::bytes& elf, const std::string& name,
                                    const pybind11::object& firmware, const std::string& arch, const std::string& board,
                                    const Settings& settings);

/// Describes a run that has ended; scripts/nocbench/_core.pyi has the result of run_compiled_program.
pybind11::dict describe_run(const CompiledProgram& asked, const CompiledProgramResult& result);

/// Run a program; scripts/nocbench/_core.pyi describes `program` and the result.
pybind11::dict run_compiled_program(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                    const Settings& settings);
pybind11::dict run_watched(const pybind11::dict& program, const std::string& arch, const std::string& board,
                           const Settings& settings, const MachineWatcher& watcher);

}  // namespace nocbench::bindings
