// nocbench._core: what Python sees of the simulator. Only translation between C++ and Python values lives here.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/architecture.h"
#include "device_model/error.h"
#include "device_model/topology.h"
#include "kernels/primitive.h"

namespace py = pybind11;

namespace {

using nocbench::Architecture;
using nocbench::Board;
using nocbench::Setting;

using Parameters = std::map<std::string, std::string>;
using Settings = std::vector<Setting>;

py::dict describe_board(const Board& board) {
    py::dict result;
    result["name"] = board.name;
    result["description"] = board.description;
    result["clock_hz"] = board.clock_hz;
    result["compute_columns"] = board.compute_columns;
    result["compute_rows"] = board.compute_rows;
    return result;
}

py::dict describe_architecture(const std::string& arch, const std::string& board_name, const Settings& settings) {
    const Architecture architecture =
        nocbench::load_architecture(nocbench::find_architecture(arch), board_name, settings);
    const Board& board = architecture.board(board_name);
    py::list boards;
    for (const auto& [name, other] : architecture.boards) {
        boards.append(describe_board(other));
    }
    py::dict result;
    result["name"] = architecture.name;
    result["description"] = architecture.description;
    result["default_board"] = architecture.default_board;
    result["board"] = board.name;
    result["clock_hz"] = board.clock_hz;
    result["flit_bytes"] = architecture.router.flit_bytes;
    result["boards"] = boards;
    return result;
}

py::dict describe_sweep(const nocbench::Sweep& sweep) {
    py::dict result;
    result["num_transactions"] = sweep.num_transactions;
    result["call_size"] = sweep.call_size_bytes;
    return result;
}

py::list list_tests(const std::string& arch) {
    const Architecture architecture = nocbench::load_architecture(nocbench::find_architecture(arch));
    py::list result;
    for (const nocbench::TestDefinition& test : nocbench::all_tests()) {
        py::list parameters;
        for (const nocbench::ParameterDefinition& parameter : test.parameters) {
            py::dict entry;
            entry["name"] = parameter.name;
            entry["default"] = parameter.default_value;
            entry["meaning"] = parameter.meaning;
            parameters.append(entry);
        }
        py::dict axes;
        axes["full"] = describe_sweep(test.sweep(architecture, nocbench::Tier::full));
        axes["quick"] = describe_sweep(test.sweep(architecture, nocbench::Tier::quick));
        py::dict entry;
        entry["test_id"] = test.id;
        entry["test"] = test.name;
        entry["primitive"] = test.primitive;
        entry["description"] = test.description;
        entry["kernels"] = test.kernels;
        entry["axes"] = axes;
        entry["parameters"] = parameters;
        entry["theoretical_bytes_per_cycle"] = static_cast<double>(architecture.router.flit_bytes);
        result.append(entry);
    }
    return result;
}

double cycles(nocbench::Tick tick) { return static_cast<double>(tick) / static_cast<double>(nocbench::kTicksPerCycle); }

py::list rows(const nocbench::TestDefinition& test, const nocbench::PointResult& point) {
    py::list result;
    for (const nocbench::ResultRow& row : point.rows) {
        py::dict entry;
        entry["arch"] = point.arch;
        entry["test"] = test.name;
        entry["kernel"] = row.kernel;
        entry["num_transactions"] = point.num_transactions;
        entry["transaction_size_bytes"] = row.transaction_size_bytes;
        entry["latency_cycles"] = row.latency_cycles;
        entry["bandwidth_bytes_per_cycle"] = row.bandwidth_bytes_per_cycle;
        entry["call_size_bytes"] = point.call_size_bytes;
        entry["primitive"] = test.primitive;
        entry["test_id"] = test.id;
        entry["board"] = point.board;
        entry["noc"] = row.noc;
        entry["riscv"] = row.riscv;
        entry["num_cores"] = row.num_cores;
        entry["clock_hz"] = point.clock_hz;
        entry["data_ok"] = row.data_ok;
        entry["limiter"] = std::string(nocbench::to_string(row.limiter));
        entry["params"] = point.params;
        result.append(entry);
    }
    return result;
}

py::list cores(const nocbench::PointResult& point) {
    py::list result;
    for (const nocbench::CoreResult& core : point.cores) {
        py::dict waits;
        for (std::size_t index = 0; index < nocbench::kNumCauses; ++index) {
            const auto cause = static_cast<nocbench::Cause>(index);
            if (core.ledger.ticks(cause) != 0) {
                waits[py::str(std::string(nocbench::to_string(cause)))] = cycles(core.ledger.ticks(cause));
            }
        }
        py::dict entry;
        entry["kernel"] = core.kernel;
        entry["x"] = core.identity.core.x;
        entry["y"] = core.identity.core.y;
        entry["physical_x"] = core.identity.physical.x;
        entry["physical_y"] = core.identity.physical.y;
        entry["noc"] = core.noc;
        entry["riscv"] = core.identity.processor;
        entry["latency_cycles"] = cycles(core.latency);
        entry["waits"] = waits;
        result.append(entry);
    }
    return result;
}

std::string_view link_direction(int port) {
    switch (port) {
        case nocbench::kXPort:
            return "x";
        case nocbench::kYPort:
            return "y";
        default:
            return "niu_out";
    }
}

py::list links(const nocbench::PointResult& point) {
    py::list result;
    for (const nocbench::LinkUse& link : point.links) {
        py::dict entry;
        entry["noc"] = link.noc;
        entry["x"] = link.router.x;
        entry["y"] = link.router.y;
        entry["direction"] = std::string(link_direction(link.port));
        entry["flits"] = link.flits;
        result.append(entry);
    }
    return result;
}

py::dict run_point(const std::string& test_name, const std::string& arch, const std::string& board,
                   const Parameters& parameters, const Settings& settings) {
    const nocbench::TestDefinition& test = nocbench::find_test(test_name);
    nocbench::PointResult point;
    {
        // A point takes no Python objects along.
        const py::gil_scoped_release release;
        point = nocbench::run_point(test, arch, board, parameters, settings);
    }
    py::dict result;
    result["rows"] = rows(test, point);
    result["cores"] = cores(point);
    result["links"] = links(point);
    return result;
}

}  // namespace

PYBIND11_MODULE(_core, module) {
    module.doc() = "The device model, the kernels and the primitives of nocbench.";

    const auto input_error = py::register_exception<nocbench::InputError>(module, "InputError", PyExc_ValueError);
    py::register_exception<nocbench::KernelError>(module, "KernelError", input_error.ptr());

    module.def("architecture_names", &nocbench::architecture_names, "Names of the modeled architectures, sorted.");
    module.def(
        "set_architecture_directory", [](const std::string& path) { nocbench::set_architecture_directory(path); },
        py::arg("path"), "Reads architecture files from another directory.");
    module.def("architecture_json_schema", &nocbench::architecture_json_schema,
               "The JSON Schema of an architecture file.");
    module.def("describe_architecture", &describe_architecture, py::arg("arch"), py::arg("board") = "",
               py::arg("settings") = Settings{}, "An architecture and its boards.");
    module.def("list_tests", &list_tests, py::arg("arch"), "All tests, by id, with their sweeps and parameters.");
    module.def("run_point", &run_point, py::arg("test"), py::arg("arch"), py::arg("board"), py::arg("parameters"),
               py::arg("settings") = Settings{}, "Runs one point of a test on a fresh device.");
}
