// Python bindings of the simulator, nocbench._core. Contains only conversions between C++ and Python values.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/compiled_program.h"
#include "bindings/etherbone/messages.h"
#include "bindings/etherbone/server.h"
#include "bindings/findings.h"
#include "bindings/flow_table.h"
#include "bindings/host/host_program.h"
#include "bindings/host/ttnn.h"
#include "bindings/point_result.h"
#include "bindings/shmem_program.h"
#include "bindings/tiles.h"
#include "bindings/trace.h"
#include "bindings/yaml.h"
#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/epiphany_device.h"
#include "device_model/plain_mesh/arch/constants.h"
#include "device_model/sim/error.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/set_up_only.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/compute/compute_unit.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/wishbone_machine.h"
#include "kernels/frame/epiphany/measurement.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/steady_state.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/kernel_sources.h"
#include "kernels/tensix/tensor_layout.h"
#include "source_fingerprint.h"

namespace py = pybind11;

namespace {

using nocbench::Architecture;
using nocbench::ArchitectureKind;
using nocbench::Board;
using nocbench::Setting;
using nocbench::bindings::describe_result;
using nocbench::bindings::Parameters;
using nocbench::bindings::Settings;

/// Returns columns and rows of the tiles that may be used; of meshes, all tiles.
std::pair<std::int64_t, std::int64_t> usable_tiles(const Board& board, ArchitectureKind kind) {
    switch (kind) {
        case ArchitectureKind::tensix_torus:
            return {torus_of(board).compute_columns, torus_of(board).compute_rows};
        case ArchitectureKind::epiphany_mesh:
            return {epiphany_of(board).columns, epiphany_of(board).rows};
        case ArchitectureKind::plain_mesh:
            return {plain_mesh_of(board).columns, plain_mesh_of(board).rows};
        case ArchitectureKind::wishbone_bridge:
            break;
    }
    return {0, 0};
}

py::dict describe_board(const Board& board, ArchitectureKind kind) {
    py::dict result;
    result["name"] = board.name;
    result["description"] = board.description;
    result["clock_hz"] = board.clock_hz;
    const auto [columns, rows] = usable_tiles(board, kind);
    result["compute_columns"] = columns;
    result["compute_rows"] = rows;
    if (kind == ArchitectureKind::wishbone_bridge) {
        result["host"] = wishbone_of(board).host;
        result["bridge"] = wishbone_of(board).bridge;
        result["fpga"] = wishbone_of(board).fpga;
    }
    return result;
}

/// Adds the highest rates of a chip: of its DRAM, of both NoCs of a core, and of the matrix unit of a core.
void add_roofs(const py::dict& facts, const nocbench::TorusArchitecture& architecture,
               const nocbench::TorusBoard& board) {
    const nocbench::MemoryConstants& memory = board.memory_constants;
    const double cycles_per_flit = nocbench::cycles_from_ticks(
        std::min(memory.subchannel_read_ticks_per_flit, memory.subchannel_write_ticks_per_flit));
    const auto num_banks = static_cast<double>(nocbench::Grid(architecture, board).dram_banks().size());
    facts["dram_bytes_per_cycle"] = num_banks * static_cast<double>(memory.subchannels) *
                                    static_cast<double>(architecture.router.flit_bytes) / cycles_per_flit;
    facts["num_nocs"] = architecture.num_nocs();
    if (architecture.compute.has_units != 0) {
        py::list products;
        for (int phases = 1; phases <= nocbench::kFidelityPhasesMax; ++phases) {
            products.append(nocbench::product_operations_per_cycle(architecture.compute, phases));
        }
        facts["product_operations_per_cycle"] = py::tuple(products);
        facts["element_operations_per_cycle"] = nocbench::element_operations_per_cycle(architecture.compute);
    }
}

py::dict describe_architecture(const std::string& arch, const std::string& board_name, const Settings& settings) {
    const Architecture architecture =
        nocbench::load_architecture(nocbench::find_architecture(arch), board_name, settings);
    const Board& board = architecture.board(board_name);
    py::list boards;
    for (const auto& [name, other] : architecture.boards) {
        boards.append(describe_board(other, architecture.kind));
    }
    py::dict result;
    result["name"] = architecture.name;
    result["kind"] = std::string(to_string(architecture.kind));
    result["description"] = architecture.description;
    result["default_board"] = architecture.default_board;
    result["board"] = board.name;
    result["clock_hz"] = board.clock_hz;
    result["flit_bytes"] = architecture.flit_bytes();
    result["link_bytes_per_cycle"] = architecture.link_bytes_per_cycle();
    const bool is_torus = architecture.kind == ArchitectureKind::tensix_torus;
    result["launch_skew_cycles"] = is_torus ? torus_of(board).launch_skew_cycles : 0;
    result["num_dram_banks"] = is_torus ? num_dram_banks(architecture, board) : 0;
    if (is_torus) {
        add_roofs(result, torus_of(architecture), torus_of(board));
    }
    if (architecture.kind == ArchitectureKind::epiphany_mesh) {
        result["core_memory_bytes"] = epiphany_of(architecture).core.memory_bytes;
    }
    result["boards"] = boards;
    return result;
}

py::dict describe_floor_plan(const std::string& arch, const std::string& board_name, const Settings& settings) {
    const Architecture architecture =
        nocbench::load_architecture(nocbench::find_architecture(arch), board_name, settings);
    const Board& board = architecture.board(board_name);
    switch (architecture.kind) {
        case ArchitectureKind::tensix_torus:
            return nocbench::bindings::describe_floor_plan(nocbench::floor_plan_of(
                torus_of(architecture), nocbench::Grid(torus_of(architecture), torus_of(board))));
        case ArchitectureKind::epiphany_mesh: {
            const nocbench::EpiphanyDevice device(epiphany_of(architecture), nocbench::shape_of(board));
            return nocbench::bindings::describe_floor_plan(device.floor_plan());
        }
        case ArchitectureKind::wishbone_bridge:
            return nocbench::bindings::describe_floor_plan(nocbench::WishboneMachine(wishbone_of(board)).floor_plan());
        case ArchitectureKind::plain_mesh: {
            const nocbench::PlainMeshBoard& mesh = plain_mesh_of(board);
            nocbench::FloorPlan plan =
                nocbench::floor_plan_of_mesh(static_cast<int>(mesh.columns), static_cast<int>(mesh.rows));
            plan.flit_bytes = architecture.flit_bytes();
            return nocbench::bindings::describe_floor_plan(plan);
        }
    }
    return {};
}

py::dict describe_sweep(const nocbench::Sweep& sweep) {
    py::dict result;
    for (const nocbench::SweptParameter& parameter : sweep.parameters) {
        result[py::str(parameter.name)] = parameter.values;
    }
    result["num_transactions"] = sweep.num_transactions;
    result["call_size"] = sweep.call_size_bytes;
    return result;
}

py::list list_tests(const std::string& arch) {
    const Architecture architecture = nocbench::load_architecture(nocbench::find_architecture(arch));
    py::list result;
    for (const nocbench::TestDefinition* definition : nocbench::tests_of(architecture.kind)) {
        const nocbench::TestDefinition& test = *definition;
        if (!test.reason_not_on(architecture).empty()) {
            continue;
        }
        py::list parameters;
        for (const nocbench::ParameterDefinition& parameter : test.parameters_on(architecture)) {
            py::dict entry;
            entry["name"] = parameter.name;
            entry["default"] = parameter.default_value;
            entry["meaning"] = parameter.meaning;
            entry["holds_commas"] = parameter.holds_commas;
            parameters.append(entry);
        }
        py::dict axes;
        axes["full"] = describe_sweep(test.sweep_of(architecture, nocbench::Tier::full));
        axes["quick"] = describe_sweep(test.sweep_of(architecture, nocbench::Tier::quick));
        py::dict left_out;
        left_out["full"] = test.sweep_of(architecture, nocbench::Tier::full).left_out;
        left_out["quick"] = test.sweep_of(architecture, nocbench::Tier::quick).left_out;
        py::dict entry;
        entry["test_id"] = test.id;
        entry["test"] = test.name;
        entry["primitive"] = test.primitive;
        entry["kind"] = std::string(to_string(test.kind));
        entry["description"] = test.description;
        entry["headings"] = test.headings;
        entry["board"] = test.board_on(arch, "");
        entry["kernels"] = test.kernels;
        entry["picture"] = std::string(to_string(test.picture));
        entry["axes"] = axes;
        entry["left_out"] = left_out;
        entry["parameters"] = parameters;
        entry["theoretical_bytes_per_cycle"] =
            test.theoretical_bytes_per_cycle(architecture, architecture.board(test.board_on(arch, "")));
        result.append(entry);
    }
    return result;
}

py::dict tests_not_offered(const std::string& arch) {
    const Architecture architecture = nocbench::load_architecture(nocbench::find_architecture(arch));
    py::dict reasons;
    for (const nocbench::TestDefinition* test : nocbench::tests_of(architecture.kind)) {
        if (const std::string reason = test->reason_not_on(architecture); !reason.empty()) {
            reasons[py::str(test->name)] = reason;
        }
    }
    return reasons;
}

/// Returns the theoretical rate of a test; nothing if the board lacks parts that the test needs.
std::optional<double> theoretical_of(const nocbench::TestDefinition& test, const Architecture& architecture,
                                     const nocbench::Board& board) {
    try {
        return test.theoretical_bytes_per_cycle(architecture, board);
    } catch (const nocbench::InputError&) {
        return std::nullopt;
    }
}

py::dict theoretical_bytes_per_cycle(const std::string& arch, const std::string& board, const Settings& settings) {
    const Architecture architecture = nocbench::load_architecture(nocbench::find_architecture(arch), board, settings);
    py::dict result;
    for (const nocbench::TestDefinition* test : nocbench::tests_of(architecture.kind)) {
        if (const auto most = theoretical_of(*test, architecture, architecture.board(board))) {
            result[py::str(test->name)] = *most;
        }
    }
    return result;
}

py::dict run_point_compiled(const std::string& test_name, const std::string& arch, const std::string& board,
                            const Parameters& parameters, const Settings& settings) {
    const nocbench::TestDefinition& test = nocbench::find_test(test_name);
    const nocbench::CompiledKernelsScope all_compiled;
    return describe_result(test, nocbench::run_point(test, arch, board, parameters, settings));
}

py::list findings_of_point(const std::string& test_name, const std::string& arch, const std::string& board,
                           const Parameters& parameters, const Settings& settings, const py::handle& names) {
    const std::set<nocbench::Check> checks = nocbench::bindings::checks_of(names);
    const nocbench::TestDefinition& test = nocbench::find_test(test_name);
    const nocbench::CompiledKernelsScope all_compiled;
    std::optional<std::vector<nocbench::LocatedFinding>> findings;
    try {
        nocbench::run_point(test, arch, board, parameters, settings, [&](nocbench::Machine& machine) {
            if (auto* const device = dynamic_cast<nocbench::Device*>(&machine)) {
                device->check(checks);
                device->observers().ended = [&findings, device](const nocbench::Machine& /*machine*/) {
                    findings = nocbench::located_findings(*device);
                };
                device->observers().failed = device->observers().ended;
            }
        });
    } catch (const nocbench::KernelError&) {  // findings often are its cause
        if (!findings.has_value() || findings->empty()) {
            throw;
        }
    }
    if (!findings.has_value()) {
        throw nocbench::InputError(
            fmt::format("{} on {}: expected kernels of Tensix tiles to check, found none", test_name, arch));
    }
    return nocbench::bindings::describe_findings(*findings);
}

py::dict run_point(const std::string& test_name, const std::string& arch, const std::string& board,
                   const Parameters& parameters, const Settings& settings, double shorten_from_flit_hops,
                   nocbench::SharedRuns* shared_runs, bool counts_packets) {
    const nocbench::TestDefinition& test = nocbench::find_test(test_name);
    nocbench::PointResult point;
    {
        // Runs points without the interpreter lock: points hold no Python objects.
        const py::gil_scoped_release release;
        point = nocbench::run_point_shortened(
            test, arch, board, parameters, settings, {.from_flit_hops = shorten_from_flit_hops}, shared_runs,
            counts_packets ? [](nocbench::Machine& machine) { machine.count_packets(); } : nocbench::MachineWatcher{});
    }
    return describe_result(test, point);
}

/// Checks a point without running it. Throws InputError if its test rejects it.
void check_point(const std::string& test_name, const std::string& arch, const std::string& board,
                 const Parameters& parameters, const Settings& settings) {
    const nocbench::SetUpOnlyScope set_up_only;
    try {
        nocbench::run_point(nocbench::find_test(test_name), arch, board, parameters, settings);
    } catch (const nocbench::SetUpDone&) {
        return;
    }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
    module.doc() = "The device model, the kernels and the primitives of nocbench.";

    const auto input_error = py::register_exception<nocbench::InputError>(module, "InputError", PyExc_ValueError);
    py::register_exception<nocbench::KernelError>(module, "KernelError", input_error.ptr());

    module.attr("source_fingerprint") = NOCBENCH_SOURCE_FINGERPRINT;
    module.def(
        "architecture_names", [] { return nocbench::architecture_names(); },
        "Names of the modeled architectures, sorted.");
    module.def(
        "architecture_file", [](const std::string& arch) { return nocbench::find_architecture(arch).string(); },
        py::arg("arch"), "Where the file of an architecture is.");
    module.def(
        "architecture_files",
        [](const std::string& arch) {
            std::vector<std::string> files;
            for (const auto& file : nocbench::load_architecture(nocbench::find_architecture(arch)).files) {
                files.push_back(file.string());
            }
            return files;
        },
        py::arg("arch"), "The same and the files that it is based on, the nearest first.");
    module.def(
        "add_architecture", [](const std::string& path) { return nocbench::add_architecture(path); }, py::arg("path"),
        "Makes the architecture of a file known, and gives its name.");
    module.def(
        "set_architecture_directory", [](const std::string& path) { nocbench::set_architecture_directory(path); },
        py::arg("path"), "Reads architecture files from another directory.");
    module.def("architecture_json_schema", &nocbench::architecture_json_schema,
               "The JSON Schema of an architecture file.");
    module.def("read_yaml", &nocbench::bindings::read_yaml, py::arg("path"), py::arg("what"),
               "A YAML file as nodes that know their place in it.");
    module.def("describe_architecture", &describe_architecture, py::arg("arch"), py::arg("board") = "",
               py::arg("settings") = Settings{}, "An architecture and its boards.");
    module.def("describe_floor_plan", &describe_floor_plan, py::arg("arch"), py::arg("board") = "",
               py::arg("settings") = Settings{}, "What stands at each place of a board's grid, row by row.");
    module.def("list_tests", &list_tests, py::arg("arch"),
               "The tests that are offered for it, by id, with their sweeps and parameters.");
    module.def("tests_not_offered", &tests_not_offered, py::arg("arch"),
               "The other tests of its kind: why each is not offered, by name.");
    module.def("theoretical_bytes_per_cycle", &theoretical_bytes_per_cycle, py::arg("arch"), py::arg("board"),
               py::arg("settings"), "The highest bandwidth that a result row of each test can have, by name.");
    module.def(
        "can_be_shortened",
        [](const std::string& test) { return nocbench::can_be_shortened(nocbench::find_test(test)); }, py::arg("test"),
        "Whether points of a test are run with fewer transactions where they take long.");
    module.def(
        "has_compiled_kernels", [](const std::string& test) { return nocbench::find_test(test).kernels_are_compiled; },
        py::arg("test"),
        "Whether kernels of a test are compiled for the RISCs of a tile, so that results depend on the compiler.");
    py::class_<nocbench::SharedRuns>(module, "SharedRuns",
                                     "Runs of points that differ in the number of transactions only, each made once.")
        .def(py::init<>());
    module.def("run_point", &run_point, py::arg("test"), py::arg("arch"), py::arg("board"), py::arg("parameters"),
               py::arg("settings") = Settings{},
               py::arg("shorten_from_flit_hops") = std::numeric_limits<double>::infinity(),
               py::arg("shared_runs") = nullptr, py::arg("counts_packets") = false,
               "Runs one point of a test on a fresh device, with fewer transactions if it takes more flit-hops than "
               "that and they turn out to go on as they begin. Runs that shared_runs has are not made again.");
    module.def("findings_of_point", &findings_of_point, py::arg("test"), py::arg("arch"), py::arg("board"),
               py::arg("parameters"), py::arg("settings"), py::arg("checks"),
               "Runs one point with all its kernels on harts, and returns what the checks find.");
    module.def("run_point_compiled", &run_point_compiled, py::arg("test"), py::arg("arch"), py::arg("board"),
               py::arg("parameters"), py::arg("settings"), "Runs one point with all its kernels on harts.");
    module.def("check_point", &check_point, py::arg("test"), py::arg("arch"), py::arg("board"), py::arg("parameters"),
               py::arg("settings"), "Sets up one point and does not run it, to learn whether the test takes it.");
    module.def(
        "set_kernel_compiler",
        [](const py::function& compile) {
            nocbench::set_kernel_compiler(nocbench::bindings::kernel_compiler(compile));
        },
        py::arg("compiler"),
        "Kernels of the suite that run on harts are compiled by compiler(arch, dram_banks, l1_banks, pcie_noc, file, "
        "function, riscv, noc, compile_time_args), which gives an ELF image and its source map.");
    py::class_<nocbench::TensorLayout>(module, "TensorLayout", "Places of a tensor's pages.")
        .def(py::init([](std::vector<std::uint32_t> tensor, std::vector<std::uint32_t> shard, std::uint32_t num_banks) {
                 return nocbench::TensorLayout{std::move(tensor), std::move(shard), num_banks};
             }),
             py::arg("tensor"), py::arg("shard"), py::arg("num_banks"))
        .def_property_readonly("places",
                               [](const nocbench::TensorLayout& layout) {
                                   py::list places;
                                   for (const nocbench::PagePlace& place : layout.places()) {
                                       places.append(py::make_tuple(place.bank, place.row));
                                   }
                                   return places;
                               })
        .def_property_readonly("rows_per_bank", &nocbench::TensorLayout::rows_per_bank)
        .def("accessor_words", [](const nocbench::TensorLayout& layout, bool is_dram,
                                  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& banks) {
            std::vector<std::uint32_t> words;
            words.reserve(banks.size());
            for (const auto& [x, y] : banks) {
                words.push_back(nocbench::bank_word(x, y));
            }
            return layout.accessor_words(is_dram, words);
        });
    module.def("run_compiled_program", &nocbench::bindings::run_compiled_program, py::arg("program"), py::arg("arch"),
               py::arg("board") = "", py::arg("settings") = Settings{},
               "Runs a program of compiled kernels on a fresh device.");
    module.def("run_host_program", &nocbench::bindings::run_host_program, py::arg("library"), py::arg("arguments"),
               py::arg("arch"), py::arg("board"), py::arg("settings"), py::arg("options"),
               "Runs main() of a host program.");
    nocbench::bindings::define_ttnn(module);
    module.def("trace_compiled_program", &nocbench::bindings::trace_compiled_program, py::arg("program"),
               py::arg("arch"), py::arg("board"), py::arg("settings"), py::arg("max_records"),
               "Runs a program as run_compiled_program does, and records what happened when, as trace_point does.");
    module.def("run_flow_table", &nocbench::bindings::run_flow_table, py::arg("table"), py::arg("arch"),
               py::arg("board") = "", py::arg("settings") = Settings{}, "Runs a table of flows on a fresh device.");
    module.def("trace_flow_table", &nocbench::bindings::trace_flow_table, py::arg("table"), py::arg("arch"),
               py::arg("board"), py::arg("settings"), py::arg("max_records"),
               "Runs a table as run_flow_table does, and records what happened when, as trace_point does.");
    module.def("describe_shmem_routines", &nocbench::bindings::describe_shmem_routines,
               "Addresses of the routines that programs of OpenSHMEM are linked with, by name.");
    module.def("run_shmem_program", &nocbench::bindings::run_shmem_program, py::arg("program"), py::arg("arch"),
               py::arg("board") = "", py::arg("settings") = Settings{},
               "Runs a program of OpenSHMEM on a fresh machine.");
    module.def("trace_shmem_program", &nocbench::bindings::trace_shmem_program, py::arg("program"), py::arg("arch"),
               py::arg("board"), py::arg("settings"), py::arg("max_records"),
               "Runs a program as run_shmem_program does, and records what happened when, as trace_point does.");
    module.def("describe_memories", &nocbench::bindings::describe_memories, py::arg("arch"), py::arg("board") = "",
               py::arg("settings") = Settings{}, "What programs of compiled kernels lay their data out in.");
    module.def("riscv_of_image", &nocbench::bindings::riscv_of_image, py::arg("elf"), py::arg("name"),
               "Which RISC a kernel for the card was linked for, if its image says so.");
    module.def("describe_card_kernel", &nocbench::bindings::describe_card_kernel, py::arg("elf"), py::arg("name"),
               py::arg("firmware"), py::arg("arch"), py::arg("board") = "", py::arg("settings") = Settings{},
               "Whether a kernel for the card can run, what it takes of L1, and what its start waits for.");
    module.def("tilize", &nocbench::bindings::tilize, py::arg("values"), py::arg("columns"), py::arg("data_format"),
               "The tiles of a matrix of values of 32 bits.");
    module.def("untilize", &nocbench::bindings::untilize, py::arg("tiles"), py::arg("columns"), py::arg("data_format"),
               "A matrix of values of 32 bits from its tiles.");
    module.def("decode_etherbone_header", &nocbench::bindings::decode_etherbone_header, py::arg("data"),
               "The header that an Etherbone message begins with, or None.");
    module.def("decode_etherbone_records", &nocbench::bindings::decode_etherbone_records, py::arg("data"),
               py::arg("address_bytes"), py::arg("port_bytes"), py::arg("is_answer"),
               "The records behind it, and how many bytes they take.");
    module.def("length_of_etherbone_record", &nocbench::bindings::length_of_etherbone_record, py::arg("data"),
               py::arg("address_bytes"), py::arg("port_bytes"), "By its counts; None if they are not there.");
    module.def("encode_etherbone_header", &nocbench::bindings::encode_etherbone_header, py::arg("address_bytes"),
               py::arg("port_bytes"), py::arg("has_no_reads"), "The header of an Etherbone message that is no probe.");
    module.def("describe_bus_devices", &nocbench::bindings::describe_bus_devices, py::arg("board") = "",
               py::arg("settings") = Settings{}, "Devices of a board's FPGA, in the order of their addresses.");
    nocbench::bindings::define_etherbone_server(module);
    module.def("record_point", &nocbench::bindings::record_point, py::arg("test"), py::arg("arch"), py::arg("board"),
               py::arg("parameters"), py::arg("settings"),
               "Runs one point as run_point does, and records the calls of its kernels.");
    module.def("trace_point", &nocbench::bindings::trace_point, py::arg("test"), py::arg("arch"), py::arg("board"),
               py::arg("parameters"), py::arg("settings"), py::arg("max_records"),
               "Runs one point as run_point does, and records what happened when: of transactions and of stretches of "
               "kernels' time the first max_records each.");
}
