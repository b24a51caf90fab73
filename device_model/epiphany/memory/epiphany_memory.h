// The memories of an Epiphany machine: those of the cores, each in banks, and the external one. A core's guest holds
// the core's memory while it runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/epiphany_shape.h"
#include "device_model/epiphany/memory/epiphany_addresses.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/memory.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class EpiphanyGuest;

class EpiphanyMemory {
public:
    EpiphanyMemory(const EpiphanyCoreConstants& constants, std::size_t num_nodes);

    // In no time and unseen by guests.

    void read(const EpiphanyPlace& place, std::span<std::byte> out) const;
    void write(const EpiphanyPlace& place, std::span<const std::byte> bytes);
    /// Reads 1, 2, 4 or 8 bytes, or a register.
    [[nodiscard]] std::uint64_t read_word(const EpiphanyPlace& place, std::size_t size) const;

    // Accesses by others than the core's guest, at `tick`: the guest may have to roll back.

    void announce_read(const EpiphanyPlace& place, std::size_t size, Tick tick) const;
    void write_at(const EpiphanyPlace& place, std::span<const std::byte> bytes, Tick tick);

    /// Occupies a core's bank for a cycle. Returns when that begins, at `tick` or later; other places have no banks.
    Tick take_bank(const EpiphanyPlace& place, Tick tick);

    [[nodiscard]] EpiphanyGuest* guest(NodeIndex node) const { return nodes_[node].guest; }
    /// Sets the guest; null: none any more.
    void set_guest(NodeIndex node, EpiphanyGuest* guest) { nodes_[node].guest = guest; }

    /// True if the status register of a core's DMA channel says that it is active.
    [[nodiscard]] bool dma_is_active(NodeIndex node, int channel) const {
        return nodes_[node].dma_is_active[static_cast<std::size_t>(channel)];
    }
    void set_dma_active(NodeIndex node, int channel, bool is_active) {
        nodes_[node].dma_is_active[static_cast<std::size_t>(channel)] = is_active;
    }

private:
    struct Node {
        Memory memory;
        EpiphanyGuest* guest = nullptr;  // holds the memory
        std::vector<Tick> bank_busy_until;
        std::array<bool, kNumDmaChannels> dma_is_active{};
    };

    const EpiphanyCoreConstants& constants_;
    Memory external_;
    std::vector<Node> nodes_;
};

}  // namespace nocbench
