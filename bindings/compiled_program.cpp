#include "bindings/compiled_program.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/findings.h"
#include "bindings/from_python.h"
#include "device_model/arch/architecture.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/l1_banks.h"
#include "kernels/frame/compiled_program.h"
#include "kernels/frame/flows/flow_table.h"
#include "kernels/frame/tensix/cores_next_to_banks.h"
#include "kernels/tensix/card_kernel.h"
#include "kernels/tensix/firmware_data.h"
#include "kernels/tensix/program.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

using Pair = std::pair<int, int>;

LogicalCoordinate core_of(const py::handle& value) {
    const auto [x, y] = value.cast<Pair>();
    return {x, y};
}

std::vector<LogicalCoordinate> cores_of(const py::handle& value) {
    std::vector<LogicalCoordinate> cores;
    for (const py::handle core : value) {
        cores.push_back(core_of(core));
    }
    return cores;
}

/// Converts (name, ELF file).
KernelFirmware firmware_of(const py::handle& value) {
    const auto parts = value.cast<py::tuple>();
    return {parts[0].cast<std::string>(), bytes_of(parts[1])};
}

CompiledProgram::Kernel kernel_of(const py::handle& value) {
    CompiledProgram::Kernel kernel;
    kernel.name = value["name"].cast<std::string>();
    kernel.elf = bytes_of(value["elf"]);
    kernel.source_map = source_map_of(value["source_map"]);
    if (const py::object firmware = value["firmware"]; !firmware.is_none()) {
        kernel.firmware = firmware_of(firmware);
    }
    kernel.cores = cores_of(value["cores"]);
    kernel.riscv = value["riscv"].cast<int>();
    kernel.noc = value["noc"].cast<int>();
    for (const auto& [core, args] : value["runtime_args"].cast<std::map<Pair, std::vector<std::uint32_t>>>()) {
        kernel.runtime_args[{core.first, core.second}] = args;
    }
    kernel.common_runtime_args = value["common_runtime_args"].cast<std::vector<std::uint32_t>>();
    kernel.zones = {value["zone"].cast<std::string>()};
    return kernel;
}

/// Converts (core or None, bank, address, bytes).
CompiledProgram::Range range_of(const py::handle& value) {
    const auto parts = value.cast<py::tuple>();
    CompiledProgram::Range range;
    if (!parts[0].is_none()) {
        range.core = core_of(parts[0]);
    }
    range.bank = parts[1].cast<std::size_t>();
    range.address = parts[2].cast<std::uint64_t>();
    range.bytes = parts[3].cast<std::size_t>();
    return range;
}

std::vector<NamedRange> named_ranges_of(const py::handle& values) {
    std::vector<NamedRange> ranges;
    for (const py::handle value : values) {
        const auto [name, begin, end] = value.cast<std::tuple<std::string, std::uint64_t, std::uint64_t>>();
        ranges.push_back({name, begin, end});
    }
    return ranges;
}

CompiledProgram program_of(const py::dict& value) {
    CompiledProgram program;
    program.name = value["name"].cast<std::string>();
    for (const py::handle kernel : value["kernels"]) {
        program.kernels.push_back(kernel_of(kernel));
    }
    for (const py::handle semaphore : value["semaphores"]) {
        program.semaphores.push_back(
            {cores_of(semaphore["cores"]), semaphore["initial_value"].cast<std::uint32_t>(), std::nullopt});
    }
    for (const py::handle buffer : value["circular_buffers"]) {
        program.circular_buffers.push_back(
            {cores_of(buffer["cores"]), buffer["id"].cast<std::uint32_t>(), buffer["address"].cast<std::uint32_t>(),
             buffer["page_bytes"].cast<std::uint32_t>(), buffer["num_pages"].cast<std::uint32_t>(), false});
    }
    for (const py::handle data : value["initial_data"]) {
        const auto parts = data.cast<py::tuple>();
        program.initial_data.push_back({range_of(parts[0]), bytes_of(parts[1])});
    }
    for (const py::handle range : value["read_back"]) {
        program.read_back.push_back(range_of(range));
    }
    program.cycles_max = value["cycles_max"].cast<Cycle>();
    program.checks = checks_of(value["checks"]);
    program.named_ranges = named_ranges_of(value["named_ranges"]);
    program.kept_words = named_ranges_of(value["kept_words"]);
    if (const py::object seed = value["seed"]; !seed.is_none()) {
        program.perturbation.emplace().seed = seed.cast<std::uint64_t>();
        program.perturbation->only = value["only_delays"].cast<std::optional<std::set<std::uint64_t>>>();
    }
    program.takes_fingerprints = value["takes_fingerprints"].cast<bool>();
    if (value.contains("sleeps")) {
        program.sleeps = value["sleeps"].cast<bool>();
    }
    return program;
}

py::list zones_of(const KernelResult& kernel) {
    py::list zones;
    for (const Zone& zone : kernel.zones) {
        py::dict entry;
        entry["name"] = zone.name;
        entry["begin"] = cycles_from_ticks(zone.start);
        entry["end"] = cycles_from_ticks(zone.end);
        entry["parent"] = zone.parent;
        entry["waits"] = describe_waits(zone.ledger);
        zones.append(entry);
    }
    return zones;
}

py::dict describe(const CompiledKernelResult& result) {
    py::list recorded;
    for (const TimestampedValue& value : result.kernel.timestamped_values) {
        recorded.append(py::make_tuple(value.name, value.value, cycles_from_ticks(value.tick)));
    }
    py::list cycles;  // only executed instructions
    const riscv::Code& code = result.run.kernel->code();
    for (std::size_t place = 0; place < result.run.cycles_by_place.size(); ++place) {
        if (result.run.cycles_by_place[place] != 0) {
            cycles.append(
                py::make_tuple(code.address(static_cast<std::uint32_t>(place)), result.run.cycles_by_place[place]));
        }
    }
    py::dict entry;
    entry["name"] = result.kernel.identity.kernel;
    add_identity(entry, result.kernel.identity);
    entry["riscv"] = result.kernel.identity.processor;
    entry["zones"] = zones_of(result.kernel);
    entry["recorded"] = recorded;
    entry["instructions"] = result.run.num_instructions;
    entry["commands"] = result.run.num_commands;
    entry["bytes_moved"] = result.run.bytes_moved;
    entry["operations"] = result.run.num_operations;
    entry["cycles_by_address"] = cycles;
    entry["printed"] = result.run.printed;
    entry["warnings"] = result.run.warnings;
    return entry;
}

py::list describe(const std::vector<CompiledProgramResult::PlacedDelay>& delays) {
    py::list described;
    for (const auto& [delay, tile] : delays) {
        const char* const kind = delay.kind == Perturbation::Kind::start     ? "start"
                                 : delay.kind == Perturbation::Kind::command ? "command"
                                 : delay.kind == Perturbation::Kind::arrival ? "arrival"
                                                                             : "response";
        described.append(py::make_tuple(delay.place, kind, core_of_address(tile), tile.bank, delay.noc, delay.cycles));
    }
    return described;
}

/// Returns the coordinates by which kernels address a tile.
py::tuple coordinates_in_kernels(const Grid& grid, PhysicalCoordinate tile) {
    const TranslatedCoordinate place = grid.translated(tile);
    return py::make_tuple(place.x, place.y);
}

py::list describe(const std::vector<LogicalCoordinate>& cores) {
    py::list coordinates;
    for (const LogicalCoordinate core : cores) {
        coordinates.append(py::make_tuple(core.x, core.y));
    }
    return coordinates;
}

}  // namespace

py::object pcie_noc(const Grid& grid) {
    const std::optional<PhysicalCoordinate> tile = grid.host_tile();
    return tile ? py::object(coordinates_in_kernels(grid, *tile)) : py::none();
}

KernelCompiler kernel_compiler(const py::function& compile) {
    // The leaked reference keeps the compiler until Python has ended.
    const py::handle callable = py::object(compile).release();
    return [callable](const Device& device, const KernelSource& source, const Program::Kernel& kernel) {
        const py::gil_scoped_acquire lock;
        const Grid& grid = device.grid();
        const TorusBoard& board = device.board();
        const auto compiled =
            callable(device.architecture().root, grid.dram_banks().size(), board.compute_columns * board.compute_rows,
                     pcie_noc(grid), source.file, source.name, kernel.riscv, kernel.noc, kernel.compile_time_args)
                .cast<py::tuple>();
        return std::make_shared<const CompiledKernel>(bytes_of(compiled[0]), kernel.name, device.architecture(),
                                                      source_map_of(compiled[1]));
    };
}

py::dict describe_memories(const std::string& arch, const std::string& board, const Settings& settings) {
    const Architecture loaded = load_architecture(find_architecture(arch), board, settings);
    if (loaded.kind != ArchitectureKind::tensix_torus) {
        throw InputError(fmt::format("{}: kernels cannot be compiled for it", loaded.name));
    }
    const TorusArchitecture& architecture = torus_of(loaded);
    const Grid grid(architecture, torus_of(loaded.board(board)));
    py::list cores;
    for (const PhysicalCoordinate place : grid.live_tensix()) {
        if (const std::optional<LogicalCoordinate> core = grid.logical(place); core.has_value()) {
            const TranslatedCoordinate translated = grid.translated(place);
            cores.append(py::make_tuple(core->x, core->y, translated.x, translated.y));
        }
    }
    py::dict memories;
    memories["arch"] = architecture.name;
    memories["board"] = grid.board_name();
    memories["cores"] = cores;
    memories["l1_banks"] = describe(cores_of_l1_banks(grid));
    py::list bank_tiles;
    py::list next_to_banks;
    for (int noc = 0; noc < architecture.num_nocs(); ++noc) {
        py::list tiles;
        for (const DramBank& bank : grid.dram_banks()) {
            tiles.append(coordinates_in_kernels(grid, bank.endpoint[static_cast<std::size_t>(noc)]));
        }
        bank_tiles.append(tiles);
        next_to_banks.append(describe(cores_next_to_banks(grid, noc)));
    }
    memories["bank_tiles"] = bank_tiles;
    memories["next_to_banks"] = next_to_banks;
    py::list bank_offsets;
    for (const DramBank& bank : grid.dram_banks()) {
        bank_offsets.append(bank.offset_bytes);
    }
    memories["bank_offsets"] = bank_offsets;
    memories["l1_bytes"] = architecture.l1.size_bytes;
    memories["l1_begin"] = architecture.l1.reserved_bytes;
    memories["l1_alignment"] = architecture.l1.alignment_bytes;
    py::list semaphores;
    for (std::uint32_t id = 0; id < kNumSemaphores; ++id) {
        semaphores.append(semaphore_address(architecture, id));
    }
    memories["semaphores"] = semaphores;
    memories["dram_banks"] = grid.dram_banks().size();
    memories["dram_bank_bytes"] = architecture.dram.bank_size_bytes;
    memories["dram_begin"] = architecture.dram.unreserved_base_bytes;
    memories["dram_alignment"] = architecture.dram.read_alignment_bytes;
    memories["pcie_noc"] = pcie_noc(grid);
    py::list dram_tiles;
    for (const std::vector<PhysicalCoordinate>& tiles : architecture.dram.channel_tiles) {
        for (const PhysicalCoordinate tile : tiles) {
            if (const std::optional<std::uint32_t> bank = bank_of_tile(architecture, grid, tile); bank.has_value()) {
                dram_tiles.append(py::make_tuple(tile.x, tile.y, *bank));
            }
        }
    }
    memories["dram_tiles"] = dram_tiles;
    memories["packet_bytes"] = architecture.router.flit_bytes * architecture.router.max_packet_data_flits;
    return memories;
}

std::optional<int> riscv_of_image(const py::bytes& elf, const std::string& name) {
    return nocbench::riscv_of_image(bytes_of(elf), name);
}

py::dict describe_card_kernel(const py::bytes& elf, const std::string& name, const py::object& firmware,
                              const std::string& arch, const std::string& board, const Settings& settings) {
    const Architecture architecture = load_architecture(find_architecture(arch), board, settings);
    const CompiledKernel kernel(bytes_of(elf), name, torus_of(architecture), {}, firmware_of(firmware));
    py::list ranges;
    for (const L1Range& range : kernel.l1_ranges()) {
        ranges.append(py::make_tuple(range.begin, range.end));
    }
    py::dict described;
    described["l1_ranges"] = ranges;
    described["l1_banks"] = banks_of(kernel).l1;
    described["go_byte"] = kernel.start().go_byte;
    described["noc"] = kernel.start().noc;
    return described;
}

py::dict describe_run(const CompiledProgram& asked, const CompiledProgramResult& result) {
    if (!result.failure.empty()) {
        py::dict failed;
        failed["failure"] = result.failure;
        failed["findings"] = describe_findings(result.findings);
        failed["delays"] = describe(result.delays);
        return failed;
    }
    TestDefinition test;
    test.name = asked.name;
    test.primitive = "kernel";
    py::dict described = describe_result(test, result.point);
    const py::list rows = described["rows"];
    for (std::size_t index = 0; index < rows.size(); ++index) {  // transfers differ between the kernels of a program
        rows[index]["num_transactions"] = result.num_transactions.at(index);
        rows[index]["call_size_bytes"] = result.point.rows.at(index).transaction_size_bytes;
        if (result.work.has_value()) {
            rows[index]["program_operations"] = result.work->operations;
            rows[index]["program_math_cycles"] = cycles_from_ticks(result.work->math_ticks);
            rows[index]["program_dram_bytes"] = result.work->dram_bytes;
            rows[index]["program_noc_bytes"] = result.work->noc_bytes;
            rows[index]["program_cycles"] = result.point.elapsed_cycles;
            rows[index]["program_limiter"] = std::string(to_string(result.work->limiter));
        }
    }
    py::list kernels;
    for (const CompiledKernelResult& kernel : result.kernels) {
        kernels.append(describe(kernel));
    }
    py::list read_back;
    for (const std::vector<std::byte>& bytes : result.read_back) {
        read_back.append(to_python(bytes));
    }
    described["kernels"] = kernels;
    py::list pages;
    for (const CompiledProgramResult::Page& page : result.pages) {
        pages.append(py::make_tuple(core_of_address(page.begin), page.begin.bank, page.begin.address, page.bytes,
                                    page.fingerprint));
    }
    described["pages"] = pages;
    described["delays"] = describe(result.delays);
    described["findings"] = describe_findings(result.findings);
    described["read_back"] = read_back;
    return described;
}

py::dict run_compiled_program(const py::dict& program, const std::string& arch, const std::string& board,
                              const Settings& settings) {
    return run_watched(program, arch, board, settings, {});
}

py::dict run_watched(const py::dict& program, const std::string& arch, const std::string& board,
                     const Settings& settings, const MachineWatcher& watcher) {
    const CompiledProgram asked = program_of(program);
    CompiledProgramResult result;
    {
        const py::gil_scoped_release release;
        result = nocbench::run_compiled_program(asked, arch, board, settings, watcher);
    }
    return describe_run(asked, result);
}

}  // namespace nocbench::bindings
