// Registers of a network interface (NIU), as seen by software on the tile.
// Source: Tenstorrent ISA documentation, NoC memory map; tt-metal, noc_parameters.h of both chips.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "device_model/sim/ids.h"
#include "device_model/tenstorrent/niu/initiator.h"
#include "device_model/tenstorrent/tile/niu_command.h"

namespace nocbench {

/// Register offsets in bytes.
struct NiuRegisterLayout {
    std::uint32_t buffer_stride = 0;   // from one command buffer to the next
    bool has_coordinate_word = false;  // a separate word holds coordinates, after the upper address bits
    std::uint32_t inline_data = 0;
    std::uint32_t go = 0;
    std::uint32_t node_id = 0;
    std::uint32_t endpoint_id = 0;
    std::uint32_t clear_outstanding = 0;

    /// Returns the lowest coordinate bit within its register.
    [[nodiscard]] unsigned coordinate_bit() const { return has_coordinate_word ? 0 : kNocAddressBits - 32; }

    /// Returns the layout of a chip. Throws InputError for an unknown one.
    static const NiuRegisterLayout& of(const std::string& architecture);
};

class NiuRegisters {
public:
    static constexpr std::uint32_t kBytes = 0x10000;

    /// Initializes registers as the tile's firmware does. Source: tt-metal, noc_init.
    NiuRegisters(DeviceState& state, NodeIndex node, int noc);

    /// Returns the value loaded at `cycle`. All events up to then must have been simulated.
    [[nodiscard]] std::uint32_t load(std::uint32_t offset, Cycle cycle) const;
    /// True if routers, which run ahead of kernels, change the register.
    [[nodiscard]] bool is_ahead(std::uint32_t offset) const;
    /// Stores a word at the time of `risc`; a store to the go register submits the command. Throws InputError if the
    /// command buffer is busy or the NIU does not support the command.
    void store(Risc& risc, std::uint32_t offset, std::uint32_t value);

    /// Returns the command buffer whose go register is at `offset`, or -1.
    [[nodiscard]] int go_register_of(std::uint32_t offset) const;
    /// True if a store to `offset` clears counters of transaction ids.
    [[nodiscard]] bool clears_counters(std::uint32_t offset) const { return offset == layout_.clear_outstanding; }
    /// Returns the name of a register that kernels poll; empty for others.
    [[nodiscard]] std::string name_of(std::uint32_t offset) const;
    [[nodiscard]] static bool is_counter(std::uint32_t offset) { return offset >= kCounters && offset < kCountersEnd; }
    /// Returns the index of a counter's register.
    [[nodiscard]] static std::uint32_t counter_index(std::uint32_t offset) { return (offset - kCounters) / 4; }

private:
    static constexpr std::uint32_t kConfiguration = 0x100;
    static constexpr std::uint32_t kCounters = 0x200;
    static constexpr std::uint32_t kCountersEnd = 0x300;
    static constexpr std::uint32_t kWordsOfBuffer = 17;  // 0x00 to 0x40

    [[nodiscard]] std::uint32_t counter(std::uint32_t index, Cycle cycle) const;
    void go(Risc& risc, int buffer);
    [[nodiscard]] NiuCommand command(int buffer) const;
    void set_target(NiuCommand& command, std::uint64_t noc_address) const;
    [[nodiscard]] std::uint32_t word(int buffer, std::uint32_t offset) const {
        return buffers_[static_cast<std::size_t>(buffer)][offset / 4];
    }
    [[nodiscard]] std::uint64_t noc_address(int buffer, std::uint32_t offset) const;
    void require_own(std::uint64_t noc_address, const char* what) const;

    DeviceState& state_;
    Initiator& initiator_;
    NodeIndex node_;
    int noc_;
    const NiuRegisterLayout& layout_;
    std::array<std::array<std::uint32_t, kWordsOfBuffer>, kNumCommandBuffers> buffers_{};
    std::array<bool, kNumCommandBuffers> names_tile_{};  // target coordinates written since the buffer's last command
    std::array<std::uint32_t, 64> configuration_{};
};

}  // namespace nocbench
