// YAML files as Python values, each with its place in the file.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace nocbench::bindings {

/// The document of a file as nodes: dicts with `line` and `column` (from 1), `kind` and `value`. The value of "text" is
/// a str as it is written, of "list" a list of nodes, of "mapping" a list of pairs of nodes in the order of the file,
/// which may have a key twice, and of "nothing" None. `what` says in complaints what kind of file was expected.
pybind11::dict read_yaml(const std::string& path, const std::string& what);

}  // namespace nocbench::bindings
