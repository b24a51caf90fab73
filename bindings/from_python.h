// Conversion of Python values for programs, and of bytes to Python.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>
#include <vector>

#include "device_model/riscv/program/source_map.h"

namespace nocbench::bindings {

std::vector<std::byte> bytes_of(const pybind11::handle& value);

pybind11::bytes to_python(std::span<const std::byte> bytes);

/// Converts a list of (address, [(function, file, line)]) made by nocbench.compiling.source_map.
riscv::SourceMap source_map_of(const pybind11::handle& value);

}  // namespace nocbench::bindings
