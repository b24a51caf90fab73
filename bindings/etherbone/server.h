// Etherbone server for Python, and description of the devices of a board's FPGA.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "bindings/point_result.h"

namespace nocbench::bindings {

/// Returns the devices of a board's FPGA by address: dicts with name, first_address, last_address and is_listed.
pybind11::list describe_bus_devices(const std::string& board, const Settings& settings);

/// Adds the class EtherboneServer, described in scripts/nocbench/_core.pyi.
void define_etherbone_server(const pybind11::module_& module);

}  // namespace nocbench::bindings
