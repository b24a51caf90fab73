// YAML files as Python values with positions.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace nocbench::bindings {

/// Returns the document of a file as nodes: dicts with `line` and `column` (from 1), `kind` and `value`. The value of
/// "text" is a str as written, of "list" a list of nodes, of "mapping" a list of pairs of nodes in file order, possibly
/// with duplicate keys, and of "nothing" None. `what` names the expected kind of file in error messages.
pybind11::dict read_yaml(const std::string& path, const std::string& what);

}  // namespace nocbench::bindings
