// Slave with a bus of memories, for tests of its answers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "device_model/wishbone/bus.h"
#include "device_model/wishbone/devices/memory_devices.h"
#include "device_model/wishbone/etherbone_slave.h"

namespace nocbench::wishbone::test {

inline constexpr WidthSet kAllWidths = 0xf;
inline constexpr auto kWidths = std::to_array<int>({1, 2, 4, 8});

/// Pacing that counts its calls. Time is constant, or advances by a step with each operation.
class CountingPacing final : public Pacing {
public:
    void pass(std::size_t passed) override {
        bytes += passed;
        is_in_cycle = true;
    }
    std::int64_t begin_operation(bool is_read, std::size_t slot_bytes) override {
        bytes += slot_bytes;
        ++(is_read ? reads : writes);
        ++open_operations;
        return std::exchange(now_ns, now_ns + step_ns);
    }
    void end_operation(Cycle duration) override {
        --open_operations;
        acknowledge_cycles = duration;
    }
    void end_cycle() override {
        ++cycles;
        is_in_cycle = false;
    }

    std::int64_t now_ns = 0;
    std::int64_t step_ns = 0;
    std::size_t bytes = 0;  // total
    int reads = 0;
    int writes = 0;
    int cycles = 0;
    int open_operations = 0;       // begun, not ended
    Cycle acknowledge_cycles = 0;  // of the last operation
    bool is_in_cycle = false;
};

struct MemoryRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool is_read_only = false;
};

/// Memories whose boundaries are within words of a 64-bit port, with holes and read-only ranges, at 8-bit addresses and
/// at the end of the bus.
inline constexpr auto kMemories = std::to_array<MemoryRange>({{0x00, 0x7b},
                                                              {0x7c, 0x9b, true},
                                                              {0x9c, 0xdb},
                                                              {0xdc, 0xdf},
                                                              {0xe8, 0x1fb},
                                                              {0x204, 0x20b},
                                                              {0xffff'fff0, 0xffff'ffff}});

/// Returns the initial contents of an address.
constexpr std::uint8_t first_contents(std::uint64_t address) { return static_cast<std::uint8_t>(address * 37 + 11); }

inline void add_memories(Bus& bus) {
    for (const MemoryRange& range : kMemories) {
        std::vector<std::byte> contents(range.last - range.first + 1);
        for (std::uint64_t index = 0; index < contents.size(); ++index) {
            contents[index] = std::byte{first_contents(range.first + index)};
        }
        bus.add(std::make_unique<MemoryDevice>(
            DeviceIdentity{.name = "memory", .first_address = range.first, .last_address = range.last},
            std::move(contents), range.is_read_only));
    }
}

/// Options with a distinct value for each configuration register.
inline constexpr EtherboneSlave::Options kRigOptions{.address_widths = kAllWidths,
                                                     .port_widths = kAllWidths,
                                                     .table_address = 0x0123'4567'89ab'cdef,
                                                     .mac_address = 0x0200'1122'3344,
                                                     .internet_address = 0xc0a8'0102,
                                                     .udp_port = 60368};

struct SlaveRig {
    explicit SlaveRig(const EtherboneSlave::Options& options = kRigOptions) : slave(bus, options) {}

    Bytes answer(ByteView datagram) { return slave.answer_datagram(datagram, pacing); }

    Bus bus;
    EtherboneSlave slave;
    CountingPacing pacing;
};

}  // namespace nocbench::wishbone::test
