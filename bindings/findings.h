// Findings of checks for Python.
#pragma once

#include <pybind11/pybind11.h>

#include <set>
#include <vector>

#include "kernels/frame/tensix/located_findings.h"

namespace nocbench::bindings {

/// Returns the checks that have these names, which must exist.
std::set<Check> checks_of(const pybind11::handle& names);

/// Returns the core of an address, or None.
pybind11::object core_of_address(const KnownAddress& address);

/// Returns findings as dictionaries; scripts/nocbench/_core.pyi describes them.
pybind11::list describe_findings(const std::vector<LocatedFinding>& findings);

}  // namespace nocbench::bindings
