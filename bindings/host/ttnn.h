// The part of tt-metal's host API that ttnn's Python has: cores, enumerations, a device, buffers, and programs as
// values.
#pragma once

#include <pybind11/pybind11.h>

namespace nocbench::bindings {

/// Adds the classes to the module; scripts/nocbench/_core.pyi describes them, scripts/nocbench/ttnn uses them.
void define_ttnn(pybind11::module_& module);

}  // namespace nocbench::bindings
