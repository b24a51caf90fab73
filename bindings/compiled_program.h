// Programs of compiled kernels, from Python values and to them.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "bindings/point_result.h"
#include "kernels/tensix/kernel_sources.h"

namespace nocbench::bindings {

/// Compiles kernels of the suite by calling `compile(file, function, riscv, noc, compile_time_args)`, which returns an
/// image and a source map.
KernelCompiler kernel_compiler(const pybind11::function& compile, const std::string& arch, const std::string& board,
                               const Settings& settings);

/// Runs a program; scripts/nocbench/_core.pyi has the shape of `program` and of the result.
pybind11::dict run_compiled_program(const pybind11::dict& program, const std::string& arch, const std::string& board,
                                    const Settings& settings);

}  // namespace nocbench::bindings
