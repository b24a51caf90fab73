// The registers of a network interface (NIU), as the software of a tile sees them.
// Source: Tenstorrent ISA documentation, NoC memory map; tt-metal, noc_parameters.h of both chips.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "device_model/sim/ids.h"
#include "device_model/tenstorrent/network_interface.h"
#include "device_model/tenstorrent/tile/niu_command.h"

namespace nocbench {

/// Where registers are; offsets in bytes.
struct NiuRegisterLayout {
    std::uint32_t buffer_stride = 0;   // from a command buffer to the next
    bool has_coordinate_word = false;  // coordinates have a word of their own, above that of the upper address bits
    std::uint32_t inline_data = 0;
    std::uint32_t go = 0;
    std::uint32_t node_id = 0;
    std::uint32_t endpoint_id = 0;
    std::uint32_t clear_outstanding = 0;

    /// Where coordinates begin in the register that has them.
    [[nodiscard]] unsigned coordinate_bit() const { return has_coordinate_word ? 0 : kNocAddressBits - 32; }

    /// That of the chip. Throws InputError for one whose registers are not known.
    static const NiuRegisterLayout& of(const std::string& architecture);
};

class NiuRegisters {
public:
    static constexpr std::uint32_t kBytes = 0x10000;

    /// As the firmware of the tile leaves them. Source: tt-metal, noc_init.
    NiuRegisters(DeviceState& state, NodeIndex node, int noc);

    /// What a load that takes its value at `cycle` gets, once all that happens until then has been simulated.
    [[nodiscard]] std::uint32_t load(std::uint32_t offset, Cycle cycle) const;
    /// Whether routers change what is there: they are ahead of kernels.
    [[nodiscard]] bool is_ahead(std::uint32_t offset) const;
    /// Stores a word at the time of `risc`; the go register gives the command to the NIU. Throws InputError when the
    /// command buffer is not ready, or the command is none that the NIU takes.
    void store(Risc& risc, std::uint32_t offset, std::uint32_t value);

    /// The command buffer whose go register is there, or -1.
    [[nodiscard]] int go_register_of(std::uint32_t offset) const;
    /// A store there sets counters of transaction ids to zero.
    [[nodiscard]] bool clears_counters(std::uint32_t offset) const { return offset == layout_.clear_outstanding; }
    /// A register that kernels wait for, in words; empty for others.
    [[nodiscard]] std::string name_of(std::uint32_t offset) const;
    [[nodiscard]] static bool is_counter(std::uint32_t offset) { return offset >= kCounters && offset < kCountersEnd; }

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
    NodeIndex node_;
    int noc_;
    const NiuRegisterLayout& layout_;
    std::array<std::array<std::uint32_t, kWordsOfBuffer>, kNumCommandBuffers> buffers_{};
    std::array<bool, kNumCommandBuffers> names_tile_{};  // the coordinates of the target were written since its command
    std::array<std::uint32_t, 64> configuration_{};
};

}  // namespace nocbench
