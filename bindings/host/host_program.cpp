#include "bindings/host/host_program.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string_view>
#include <utility>

#include "bindings/host/session.h"
#include "device_model/sim/error.h"
#include "kernels/host/session.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

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
    PythonPart python(options);
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
