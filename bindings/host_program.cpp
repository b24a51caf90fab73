#include "bindings/host_program.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "bindings/compiled_program.h"
#include "bindings/findings.h"
#include "bindings/from_python.h"
#include "bindings/trace.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/grid.h"
#include "kernels/host/session.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

/// An error of Python in a call from the host program, kept until the program has ended.
struct PythonPart {
    py::object compile;
    py::object on_end;
    std::optional<py::error_already_set> error;
    std::optional<RunRecorder> recorder;  // of a program that is still to be recorded
    bool is_recorded = false;             // if the running program is

    /// Calls `act` with Python's lock. Throws InputError after an error of Python, which ends the host program.
    template <typename Act>
    auto call(const Act& act) -> decltype(act()) {
        const py::gil_scoped_acquire lock;
        try {
            return act();
        } catch (py::error_already_set& raised) {
            const std::string text = py::str(raised.value());
            error.emplace(std::move(raised));
            throw InputError(text);
        }
    }
};

py::dict describe(const host::KernelSource& source, const Device& device) {
    const Grid& grid = device.grid();
    py::dict buffers;
    for (const auto& [id, buffer] : source.buffers) {
        buffers[py::int_(id)] = py::make_tuple(buffer.page_bytes, buffer.format);
    }
    py::dict described;
    described["file"] = source.file;
    described["text"] = source.text;
    described["riscv"] = source.riscv;
    described["noc"] = source.noc;
    described["compile_time_args"] = source.compile_time_args;
    described["named_compile_time_args"] = source.named_compile_time_args;
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

host::Session session_of(PythonPart& python, const std::string& arch, const std::string& board,
                         const Settings& settings, const py::dict& options) {
    host::Session session;
    session.arch = arch;
    session.board = board;
    session.settings = settings;
    session.checks = checks_of(options["checks"]);
    session.timed_zones = options["timed_zones"].cast<std::vector<std::string>>();
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
            py::list ranges;
            for (const NamedRange& range : ended.l1_ranges) {
                ranges.append(py::make_tuple(range.name, range.begin, range.end));
            }
            described["l1_ranges"] = ranges;
            if (std::exchange(python.is_recorded, false)) {
                python.recorder->add_to(described);
                python.recorder.reset();
            }
            python.on_end(ended.runtime_id, ended.test, described);
        });
    };
    return session;
}

/// Returns an error of dlopen() in words.
std::string in_words(const std::string& error) {
    constexpr std::string_view kUndefined = "undefined symbol: ";
    const std::size_t at = error.find(kUndefined);
    if (at == std::string::npos) {
        return error;
    }
    const std::string symbol = error.substr(at + kUndefined.size());
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    return fmt::format("'{}' is used, but defined nowhere", name == nullptr ? symbol.c_str() : name.get());
}

/// Makes the symbols of this extension known to libraries that are loaded later.
void offer_own_symbols() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&offer_own_symbols), &info) == 0 ||
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) == nullptr) {
        throw InputError("the extension cannot be found by the host program");
    }
}

/// The run in progress, for programs that call exit().
struct Run {
    const py::object* on_exit = nullptr;
};
Run& current_run() {
    static Run run;
    return run;
}

/// Lets Python say what has run so far, and ends the process with the status of the program.
void end_with_program(int status, void*) {
    const py::object* const on_exit = std::exchange(current_run().on_exit, nullptr);
    if (on_exit == nullptr) {
        return;
    }
    std::cout.flush();
    static_cast<void>(std::fflush(nullptr));
    const py::gil_scoped_acquire lock;
    try {
        status = (*on_exit)(status).cast<int>();
    } catch (const py::error_already_set&) {
        status = 2;
    }
    std::_Exit(status);
}

}  // namespace

py::tuple run_host_program(const std::string& library, const std::vector<std::string>& arguments,
                           const std::string& arch, const std::string& board, const Settings& settings,
                           const py::dict& options) {
    offer_own_symbols();
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        throw InputError(fmt::format("{}: {}", arguments.front(), in_words(dlerror())));
    }
    void* const symbol = dlsym(handle, "main");
    if (symbol == nullptr) {
        throw InputError(fmt::format("{}: expected a function main(), found none", arguments.front()));
    }
    PythonPart python{
        .compile = options["compile"], .on_end = options["on_end"], .error = {}, .recorder = {}, .is_recorded = false};
    const host::Session session = session_of(python, arch, board, settings, options);
    const host::SessionScope scope(session);
    const py::object on_exit = options["on_exit"];
    static const int registered = ::on_exit(end_with_program, nullptr);
    static_cast<void>(registered);
    current_run().on_exit = &on_exit;

    std::vector<std::string> texts = arguments;
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    int status = 0;
    std::string failure;
    {
        const py::gil_scoped_release release;
        try {
            status =
                reinterpret_cast<int (*)(int, char**)>(symbol)(static_cast<int>(arguments.size()), pointers.data());
        } catch (const std::exception& error) {
            failure = error.what();
        } catch (...) {
            failure = "main() ended with an exception that is not a std::exception";
        }
        std::cout.flush();
        static_cast<void>(std::fflush(nullptr));
    }
    current_run().on_exit = nullptr;
    if (python.error.has_value() &&
        PyErr_GivenExceptionMatches(python.error->type().ptr(), PyExc_KeyboardInterrupt) != 0) {
        throw std::move(*python.error);
    }
    return py::make_tuple(status, failure);
}

}  // namespace nocbench::bindings
