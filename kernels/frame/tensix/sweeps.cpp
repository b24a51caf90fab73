#include "kernels/frame/tensix/sweeps.h"

#include <vector>

#include "device_model/tenstorrent/arch/constants.h"

namespace nocbench {

namespace {

constexpr std::int64_t kMostTransactions = 256;
constexpr std::int64_t kQuickTransactions = 16;

Sweep ideal_sweep(std::int64_t call_bytes, Tier tier) {
    return {{tier == Tier::quick ? kQuickTransactions : kMostTransactions}, {call_bytes}};
}

}  // namespace

std::size_t num_dram_banks(const Architecture& architecture, const Board& board) {
    return Grid(torus_of(architecture), torus_of(board)).dram_banks().size();
}

std::vector<std::int64_t> powers_of_two(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> values;
    for (std::int64_t value = first; value <= last; value *= 2) {
        values.push_back(value);
    }
    return values;
}

std::int64_t packet_bytes_max(const TorusArchitecture& architecture) {
    return architecture.router.flit_bytes * architecture.router.max_packet_data_flits;
}

std::int64_t l1_call_bytes_max(const TorusArchitecture& architecture) {
    const std::int64_t bytes = architecture.l1.size_bytes - kL1BufferAddress;
    return bytes - bytes % architecture.router.flit_bytes;
}

Sweep compiled_packet_size_sweep(const Architecture& architecture, Tier tier) {
    return tier == Tier::quick ? Sweep{{1, kQuickTransactions}, {torus_of(architecture).router.flit_bytes, 2048}}
                               : packet_size_sweep(architecture, tier);
}

Sweep directed_ideal_sweep(const Architecture& architecture, Tier tier) {
    return ideal_sweep(l1_call_bytes_max(torus_of(architecture)), tier);
}

Sweep one_packet_sweep(const Architecture& architecture, Tier tier) {
    const std::int64_t packet_bytes = packet_bytes_max(torus_of(architecture));
    if (tier == Tier::quick) {
        return {{1, kQuickTransactions}, {torus_of(architecture).router.flit_bytes, packet_bytes}};
    }
    return {{1, 4, 16, 64, kMostTransactions}, powers_of_two(torus_of(architecture).router.flit_bytes, packet_bytes)};
}

Sweep one_packet_ideal_sweep(const Architecture& architecture, Tier tier) {
    return ideal_sweep(packet_bytes_max(torus_of(architecture)), tier);
}

Sweep virtual_channel_sweep(const Architecture& architecture, Tier tier) {
    const std::int64_t flit_bytes = torus_of(architecture).router.flit_bytes;
    if (tier == Tier::quick) {
        return {{kQuickTransactions}, {flit_bytes, 64 * flit_bytes}, {{"noc", {"0", "1"}}, {"vcs", {"1", "4"}}}};
    }
    return {{kMostTransactions},
            powers_of_two(flit_bytes, 4096 * flit_bytes),
            {{"noc", {"0", "1"}}, {"vcs", {"1", "2", "3", "4"}}}};
}

Sweep virtual_channel_custom_sweep(const Architecture& architecture, Tier tier) {
    return {{tier == Tier::quick ? kQuickTransactions : kMostTransactions},
            {torus_of(architecture).router.flit_bytes},
            {{"noc", {"0"}}, {"vcs", {"4"}}}};
}

Sweep grid_sweep(const Architecture& architecture, Tier tier) {
    const std::int64_t flit_bytes = torus_of(architecture).router.flit_bytes;
    if (tier == Tier::quick) {
        return {{1}, {flit_bytes, 2048}, {{"master_grid", {"2x2", "4x4"}}}};
    }
    return {{1, 16, 256}, powers_of_two(flit_bytes, 64 * 1024), {{"master_grid", {"2x2", "4x4", "all"}}}};
}

Sweep half_l1_sweep(const Architecture& architecture, Tier tier) {
    if (tier == Tier::quick) {
        return {{1}, {packet_bytes_max(torus_of(architecture))}};
    }
    const std::int64_t half = l1_call_bytes_max(torus_of(architecture)) / 2;
    return {{1}, {half - half % torus_of(architecture).router.flit_bytes}};
}

}  // namespace nocbench
