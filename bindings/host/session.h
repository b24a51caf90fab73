// Sessions of host programs whose kernels are compiled, and whose results are received, by Python.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <utility>

#include "bindings/point_result.h"
#include "bindings/trace.h"
#include "device_model/sim/error.h"
#include "kernels/host/session.h"

namespace nocbench::bindings {

/// An error of Python in a call from the host program, kept until the program has ended.
struct PythonPart {
    /// `options` has "compile" and "on_end"; scripts/nocbench/_core.pyi describes them.
    explicit PythonPart(const pybind11::dict& options) : compile(options["compile"]), on_end(options["on_end"]) {}

    pybind11::object compile;
    pybind11::object on_end;
    std::optional<pybind11::error_already_set> error;
    std::optional<RunRecorder> recorder;  // of a program that is still to be recorded
    bool is_recorded = false;             // if the running program is

    /// Calls `act` with Python's lock. Throws InputError after an error of Python, which ends the host program.
    template <typename Act>
    auto call(const Act& act) -> decltype(act()) {
        const pybind11::gil_scoped_acquire lock;
        try {
            return act();
        } catch (pybind11::error_already_set& raised) {
            const std::string text = pybind11::str(raised.value());
            error.emplace(std::move(raised));
            throw InputError(text);
        }
    }
};

/// Returns a session of one of nocbench's machines. `python` must live as long as it.
host::Session session_of(PythonPart& python, const std::string& arch, const std::string& board,
                         const Settings& settings, const pybind11::dict& options);

}  // namespace nocbench::bindings
