#include "bindings/host/session.h"

#include <pybind11/stl.h>

#include <utility>

#include "bindings/compiled_program.h"
#include "bindings/findings.h"
#include "bindings/from_python.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/grid.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

py::dict describe(const host::KernelSource& source, const Device& device) {
    const Grid& grid = device.grid();
    py::dict buffers;
    for (const auto& [id, buffer] : source.buffers) {
        buffers[py::int_(id)] = py::make_tuple(buffer.page_bytes, buffer.format, buffer.tile_rows);
    }
    py::dict described;
    described["file"] = source.file;
    described["text"] = source.text;
    described["riscv"] = source.riscv;
    described["noc"] = source.noc;
    described["noc_mode"] = source.noc_mode;
    described["compile_time_args"] = source.compile_time_args;
    described["named_compile_time_args"] = source.named_compile_time_args;
    described["runtime_arg_names"] = source.runtime_arg_names;
    described["common_arg_names"] = source.common_arg_names;
    described["buffer_names"] = source.buffer_names;
    described["semaphore_names"] = source.semaphore_names;
    described["defines"] = source.defines;
    described["optimization"] = source.optimization;
    described["buffers"] = buffers;
    described["compute"] = py::none();
    if (source.compute.has_value()) {
        const host::KernelSource::Compute& compute = *source.compute;
        described["compute"] = py::make_tuple(compute.fidelity_phases, compute.has_wide_dst, compute.has_whole_dst,
                                              compute.approximates, compute.exact_buffers);
    }
    described["dram_banks"] = grid.dram_banks().size();
    described["l1_banks"] =
        static_cast<std::size_t>(grid.compute_columns()) * static_cast<std::size_t>(grid.compute_rows());
    described["pcie_noc"] = pcie_noc(grid);
    return described;
}

}  // namespace

host::Session session_of(PythonPart& python, const std::string& arch, const std::string& board,
                         const Settings& settings, const py::dict& options) {
    host::Session session;
    session.arch = arch;
    session.board = board;
    session.settings = settings;
    session.checks = checks_of(options["checks"]);
    session.dispatch = options["slow_dispatch"].cast<bool>() ? host::Dispatch::slow : host::Dispatch::fast;
    session.timed_zones = options["timed_zones"].cast<std::vector<std::string>>();
    session.replacements = options["replacements"].cast<std::map<std::string, std::string>>();
    session.cycles_max = options["cycles_max"].cast<Cycle>();
    session.compile = [&python](const host::KernelSource& source, const Device& device) {
        return python.call([&] {
            const auto compiled = python.compile(describe(source, device)).cast<py::tuple>();
            return host::KernelImage{compiled[0].cast<std::size_t>(), bytes_of(compiled[1]),
                                     source_map_of(compiled[2])};
        });
    };
    // The first program, or the first of a name, is recorded.
    if (const auto max_records = options["max_records"].cast<std::size_t>(); max_records != 0) {
        python.recorder = record_run(max_records);
    }
    const auto recorded = options["recorded_program"].cast<std::optional<std::uint64_t>>();
    session.watcher = [&python, recorded](std::uint64_t runtime_id) -> MachineWatcher {
        if (!python.recorder.has_value() || python.is_recorded || recorded.value_or(runtime_id) != runtime_id) {
            return {};
        }
        python.is_recorded = true;
        return python.recorder->watch;
    };
    session.on_end = [&python](const host::EndedProgram& ended) {
        python.call([&] {
            const py::dict described = describe_run(*ended.asked, *ended.result);
            described["images"] = ended.images;
            described["starts_skewed"] = ended.asked->launch_skew != 0;
            py::list ranges;
            for (const NamedRange& range : ended.l1_ranges) {
                ranges.append(py::make_tuple(range.name, range.begin, range.end));
            }
            described["l1_ranges"] = ranges;
            if (std::exchange(python.is_recorded, false)) {
                python.recorder->add_to(described);
                python.recorder.reset();
            }
            python.on_end(ended.runtime_id, described);
        });
    };
    return session;
}

}  // namespace nocbench::bindings
