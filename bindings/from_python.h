// Values that Python gives for programs.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <vector>

#include "device_model/riscv/source_map.h"

namespace nocbench::bindings {

std::vector<std::byte> bytes_of(const pybind11::handle& value);

/// A list of (address, [(function, file, line)]), as nocbench.compiling.source_map makes it.
riscv::SourceMap source_map_of(const pybind11::handle& value);

}  // namespace nocbench::bindings
