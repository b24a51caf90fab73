#include "benchmarks/workload.h"

#include <map>

#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"

namespace nocbench {

const Architecture& architecture_of(const std::string& board) {
    static std::map<std::string, Architecture> cache;
    const auto found = cache.find(board);
    return found != cache.end()
               ? found->second
               : cache
                     .emplace(board,
                              load_architecture(
                                  find_architecture(board.starts_with('n') ? "wormhole_b0" : "blackhole"), board,
                                  {{std::string(kAccuracySetting), accuracy() == Accuracy::fast ? "fast" : "exact"}}))
                     .first->second;
}

Accuracy& accuracy() {
    static Accuracy chosen = Accuracy::exact;
    return chosen;
}

AcceleratorSet& accelerators() {
    static AcceleratorSet chosen = kAllAccelerators;
    return chosen;
}

void choose_accelerators(Device& device) {
    for (const auto& interfaces : device.state().interfaces) {
        set_accelerators(interfaces->network(), accelerators());
    }
}

std::vector<LogicalCoordinate> rectangle(int columns, int rows) {
    std::vector<LogicalCoordinate> cores;
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            cores.push_back({x, y});
        }
    }
    return cores;
}

std::vector<std::byte> pattern(std::size_t size) {
    std::uint32_t state = 12345;
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) {
        state = state * 1664525U + 1013904223U;
        byte = static_cast<std::byte>(state >> 24);
    }
    return bytes;
}

std::uint64_t routers(const Grid& grid, int noc, LogicalCoordinate from, LogicalCoordinate to) {
    return static_cast<std::uint64_t>(grid.hops(noc, grid.physical(from), grid.physical(to))) + 1;
}

benchmark::Counter per_second(std::uint64_t count) { return {static_cast<double>(count), benchmark::Counter::kIsRate}; }

benchmark::Counter binary_bytes(std::uint64_t bytes) {
    return {static_cast<double>(bytes), benchmark::Counter::kDefaults, benchmark::Counter::kIs1024};
}

}  // namespace nocbench
