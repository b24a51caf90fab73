// Machine that host programs find, the compiler of their kernels, and the receiver of their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "kernels/frame/compiled_program.h"

namespace nocbench::host {

/// Way in which programs are started: all cores at once, or one after the other by the host itself.
enum class Dispatch { fast, slow };

/// A kernel to compile.
struct KernelSource {
    std::string file;  // as the program names it, or empty
    std::string text;  // of a kernel without a file
    int riscv = 0;
    int noc = 0;
    int noc_mode = 0;  // number of a NOC_MODE
    std::vector<std::uint32_t> compile_time_args;
    std::map<std::string, std::uint32_t> named_compile_time_args;
    // Names of the first arguments, of buffers and of semaphores, as kernels know them.
    std::vector<std::string> runtime_arg_names;
    std::vector<std::string> common_arg_names;
    std::map<std::string, std::uint32_t> buffer_names;
    std::map<std::string, std::uint32_t> semaphore_names;
    std::map<std::string, std::string> defines;
    std::string optimization;  // option of the compiler

    struct Buffer {
        std::uint32_t page_bytes = 0;
        std::optional<int> format;  // number of a data format; none: a tile is a page
        std::uint32_t tile_rows = 32;

        auto operator<=>(const Buffer&) const = default;
    };
    std::map<std::uint32_t, Buffer> buffers;  // by id

    /// Options of a compute kernel.
    struct Compute {
        int fidelity_phases = 4;
        bool has_wide_dst = false;        // 32 bits for each value
        bool has_whole_dst = false;       // not in halves
        bool approximates = false;        // functions of the vector unit
        std::uint32_t exact_buffers = 0;  // bits by id: unpacked to Dst in full precision

        auto operator<=>(const Compute&) const = default;
    };
    std::optional<Compute> compute;

    auto operator<=>(const KernelSource&) const = default;
};

struct KernelImage {
    std::size_t number = 0;  // of the compiler
    std::vector<std::byte> elf;
    riscv::SourceMap source_map;
};

/// A program that has ended, or failed: see CompiledProgramResult::failure.
struct EndedProgram {
    std::uint64_t runtime_id = 0;  // as the program was named, or its number
    const CompiledProgram* asked = nullptr;
    const CompiledProgramResult* result = nullptr;
    std::map<std::string, std::size_t> images;  // numbers of its kernels' images, by name
    std::vector<NamedRange> l1_ranges;          // of semaphores and circular buffers
};

struct Session {
    std::string arch;
    std::string board;
    std::vector<Setting> settings;
    std::set<Check> checks;
    Dispatch dispatch = Dispatch::fast;
    Cycle cycles_max = kDefaultCyclesMax;
    std::vector<std::string> timed_zones;  // the first that a kernel has is timed, or the whole kernel
    /// Files that take the place of kernels, by the end of the path that the program names.
    std::map<std::string, std::string> replacements;
    std::function<KernelImage(const KernelSource& source, const Device& device)> compile;
    std::function<void(const EndedProgram& ended)> on_end;
    /// Called before a program runs, with its number or name; see run_compiled_program().
    std::function<MachineWatcher(std::uint64_t runtime_id)> watcher;
};

/// While it exists, host programs of this process use a session.
class SessionScope {
public:
    /// Throws InputError while there is another one.
    explicit SessionScope(const Session& session);
    ~SessionScope();
    SessionScope(const SessionScope&) = delete;
    SessionScope& operator=(const SessionScope&) = delete;
};

/// Returns the session. Throws InputError without one.
const Session& session();

/// Values that live as long as the session, by type.
std::map<std::type_index, std::shared_ptr<void>>& values_of_session();

/// Returns the session's only value of a type, which is made when first asked for.
template <typename T>
T& in_session() {
    std::shared_ptr<void>& value = values_of_session()[typeid(T)];
    if (value == nullptr) {
        value = std::make_shared<T>();
    }
    return *static_cast<T*>(value.get());
}

}  // namespace nocbench::host
