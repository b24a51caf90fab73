#include "bindings/shmem_program.h"

#include <pybind11/stl.h>

#include <functional>
#include <memory>
#include <utility>

#include "bindings/from_python.h"
#include "kernels/frame/epiphany/shmem_program.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

shmem::Options options_of(const py::handle& value) {
    shmem::Options options;
    options.algorithms =
        value["algorithms"].cast<std::string>() == "later" ? shmem::Algorithms::later : shmem::Algorithms::paper;
    options.wand_barrier = value["wand_barrier"].cast<bool>();
    options.ipi_get = value["ipi_get"].cast<bool>();
    options.ipi_get_turnover_bytes = value["ipi_get_turnover_bytes"].cast<std::uint32_t>();
    options.bump_heap = value["bump_heap"].cast<bool>();
    options.warns_of_overruns = value["warns_of_overruns"].cast<bool>();
    options.heap_start = value["heap_start"].cast<shmem::Address>();
    return options;
}

py::tuple describe(const shmem::Printed& printed) {
    return py::make_tuple(cycles_from_ticks(printed.tick), printed.pe,
                          printed.stream == shmem::Stream::errors ? "stderr" : "stdout", py::bytes(printed.text));
}

/// Python's part in a run: takes the output, and notes Ctrl-C. The program that owns it outlives the run, so that it is
/// destroyed by a thread that holds Python's lock.
class Listener {
public:
    /// `print` is called with the pieces of output; empty: nobody wants them.
    explicit Listener(py::object print) : print_(std::move(print)) {}

    void print(const shmem::Printed& printed) {
        const py::gil_scoped_acquire acquired;
        try {
            print_(*describe(printed));
        } catch (const py::error_already_set& error) {
            note_interruption(error);
        }
    }

    /// Returns whether Ctrl-C has been pressed.
    bool is_interrupted() {
        const py::gil_scoped_acquire acquired;
        if (PyErr_CheckSignals() != 0) {
            note_interruption(py::error_already_set());
        }
        return is_interrupted_;
    }

private:
    void note_interruption(const py::error_already_set& error) {
        if (!error.matches(PyExc_KeyboardInterrupt)) {
            throw error;
        }
        is_interrupted_ = true;
    }

    py::object print_;
    bool is_interrupted_ = false;
};

shmem::Program program_of(const py::dict& value) {
    shmem::Program program;
    program.name = value["name"].cast<std::string>();
    program.elf = bytes_of(value["elf"]);
    program.source_map = source_map_of(value["source_map"]);
    program.num_pes = value["num_pes"].cast<int>();
    program.arguments = value["arguments"].cast<std::vector<std::string>>();
    program.options = options_of(value["options"]);
    program.charges_routines = value["charges_routines"].cast<bool>();
    program.cycles_max = value["cycles_max"].cast<Cycle>();
    const bool prints = value.contains("print");
    const auto listener = std::make_shared<Listener>(prints ? py::object(value["print"]) : py::object());
    program.is_interrupted = [listener] { return listener->is_interrupted(); };
    if (prints) {
        program.print = [listener](const shmem::Printed& printed) { listener->print(printed); };
    }
    if (value.contains("cycles_ahead")) {
        program.cycles_ahead = value["cycles_ahead"].cast<Cycle>();
    }
    if (value.contains("sleeps")) {
        program.sleeps = value["sleeps"].cast<bool>();
    }
    return program;
}

py::list describe_printed(const shmem::ProgramRun& run) {
    py::list printed;
    for (const shmem::Printed& each : run.printed) {
        printed.append(describe(each));
    }
    return printed;
}

py::list describe_pes(const shmem::ProgramRun& run) {
    const auto address_of = [&](std::uint32_t place) { return run.memory.code_begin + place * 2; };
    py::list pes;
    for (const shmem::PeRun& pe : run.pes) {
        py::list cycles;  // only executed instructions
        for (std::size_t place = 0; place < pe.cycles_by_place.size(); ++place) {
            if (pe.cycles_by_place[place] != 0) {
                cycles.append(py::make_tuple(address_of(static_cast<std::uint32_t>(place)), pe.cycles_by_place[place]));
            }
        }
        py::list waits;
        for (const auto& [at, ledger] : pe.waits) {
            const py::object call = at.last_call ? py::object(py::int_(address_of(*at.last_call))) : py::none();
            waits.append(py::make_tuple(address_of(at.place), call, describe_waits(ledger)));
        }
        py::dict entry;
        entry["exit_status"] = pe.exit_status;
        entry["instructions"] = pe.num_instructions;
        entry["rewinds"] = pe.num_rewinds;
        entry["cycles_by_address"] = cycles;
        entry["waits"] = waits;
        pes.append(entry);
    }
    return pes;
}

}  // namespace

py::dict describe_shmem_routines() {
    py::dict routines;
    const std::vector<std::string> names = shmem::routine_names();
    for (std::size_t number = 0; number < names.size(); ++number) {
        routines[py::str(names[number])] = static_cast<std::int32_t>(shmem::routine_address(number));
    }
    return routines;
}

py::dict run_shmem_program(const py::dict& program, const std::string& arch, const std::string& board,
                           const Settings& settings) {
    return run_shmem_watched(program, arch, board, settings, {});
}

py::dict run_shmem_watched(const py::dict& program, const std::string& arch, const std::string& board,
                           const Settings& settings, const MachineWatcher& watcher) {
    const shmem::Program asked = program_of(program);
    ShmemProgramResult result;
    {
        const py::gil_scoped_release release;
        result = nocbench::run_shmem_program(asked, arch, board, settings, watcher);
    }
    TestDefinition test;
    test.name = asked.name;
    test.primitive = "shmem";
    py::dict described = describe_result(test, result.point);
    const shmem::MemoryUse& use = result.run.memory;
    py::dict memory;
    memory["memory_bytes"] = use.memory_bytes;
    memory["code_begin"] = use.code_begin;
    memory["image_bytes"] = use.image_bytes;
    memory["routine_bytes"] = use.routine_bytes;
    memory["argument_bytes"] = use.argument_bytes;
    memory["heap_bytes_max"] = use.heap_bytes_max;
    described["printed"] = describe_printed(result.run);
    described["pes"] = describe_pes(result.run);
    described["exit_status"] = result.run.exit_status;
    described["error"] = result.run.error;
    described["was_interrupted"] = result.run.was_interrupted;
    described["warnings"] = result.run.warnings;
    described["memory"] = memory;
    described["clock_hz"] = result.point.clock_hz;
    return described;
}

}  // namespace nocbench::bindings
