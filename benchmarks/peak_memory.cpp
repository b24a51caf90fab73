#include "benchmarks/peak_memory.h"

#include <fstream>
#include <string>

namespace nocbench {

void forget_peak_memory() {
    // proc(5): 5 resets the peak resident set size to the current size.
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::optional<std::uint64_t> peak_memory_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string field; status >> field;) {
        if (std::uint64_t kibibytes = 0; field == "VmHWM:" && status >> kibibytes) {
            return kibibytes * 1024;
        }
    }
    return std::nullopt;
}

}  // namespace nocbench
