// Registers of a NIU, one by one, as loaded and stored by a tile's software. Addresses and bits are those of tt-metal's
// noc_parameters.h of both chips.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/niu_registers.h"
#include "device_model/tenstorrent/tile/tile_bus.h"
#include "tests/support/machine.h"
#include "tests/support/watched_machine.h"

namespace nocbench {

namespace {

using test::Machine;

constexpr LogicalCoordinate kOwn{3, 1};
constexpr LogicalCoordinate kOther{4, 3};
constexpr Cycle kLong = 2000;  // long enough for all commands to complete
constexpr std::uint32_t kL1Address = test::kBuffer;
constexpr std::uint32_t kElsewhere = kL1Address + 0x1000;

// Command buffers by use.
constexpr std::uint32_t kWriteBuffer = 0;
constexpr std::uint32_t kReadBuffer = 1;
constexpr std::uint32_t kSmallWriteBuffer = 2;
constexpr std::uint32_t kAtomicBuffer = 3;

// Values of NOC_CTRL, with static virtual channel 1.
constexpr std::uint32_t kStatic = 1 << 7 | 1 << 13;
constexpr std::uint32_t kRead = 0x10 | kStatic;
constexpr std::uint32_t kWrite = 2 | 0x10 | kStatic;
constexpr std::uint32_t kPostedWrite = 2 | kStatic;
constexpr std::uint32_t kInlineWrite = kWrite | 1 << 3;
constexpr std::uint32_t kAtomic = 1 | 0x10 | kStatic;
constexpr std::uint32_t kIncrementOf32Bits = 1 << 12 | 31 << 2;
constexpr std::uint32_t kMulticastBit = 1 << 5;
constexpr std::uint32_t kLinkedBit = 1 << 6;
constexpr std::uint32_t kIncludesSource = 1 << 17;

constexpr std::uint32_t on_channel(std::uint32_t control, std::uint32_t channel) {
    return (control & ~(7U << 13)) | channel << 13;
}

// Indices of counters.
constexpr std::uint32_t kAtomicsCompleted = 0;
constexpr std::uint32_t kWritesAcknowledged = 1;
constexpr std::uint32_t kReadsCompleted = 2;
constexpr std::uint32_t kReadsSent = 5;
constexpr std::uint32_t kWritesSent = 10;
constexpr std::uint32_t kPostedWritesSent = 11;
constexpr std::uint32_t kOutstanding = 16;
constexpr std::uint32_t kOutgoing = 32;
constexpr std::uint32_t kIds = 16;

struct Map {
    std::uint32_t stride;
    std::uint32_t coordinates;  // register of the coordinates, behind the lower address bits
    unsigned coordinate_bit;
    std::uint32_t data;
    std::uint32_t go;
    std::uint32_t node_id;
    std::uint32_t clear;
};

Map map_of(const std::string& board) {
    return board.front() == 'n' ? Map{0x400, 4, 4, 0x24, 0x28, 0x2C, 0x50} : Map{0x800, 8, 0, 0x28, 0x40, 0x44, 0x60};
}

/// Registers of one NIU, through the bus of the running kernel's RISC.
class Registers {
public:
    Registers(const Machine& machine, const Map& map, int noc)
        : machine_(machine),
          map_(map),
          noc_(static_cast<std::size_t>(noc)),
          bus_(Risc::current(), [](std::uint32_t) { return std::string(); }) {}

    std::uint32_t load(std::uint32_t offset) {
        std::uint32_t value = 0;
        cycle_ = bus_.load(region(), region().begin + offset, std::as_writable_bytes(std::span(&value, 1)), cycle_ + 1);
        return value;
    }
    void store(std::uint32_t offset, std::uint32_t value) {
        go_on(1);
        bus_.store(region(), region().begin + offset, std::as_bytes(std::span(&value, 1)), cycle_);
    }
    void go_on(Cycle cycles) { cycle_ = std::max(cycle_ + cycles, bus_.met_until()); }
    void wait() {
        go_on(kLong);
        bus_.meet(cycle_);
    }
    void finish() { bus_.finish(cycle_ + kLong); }

    std::uint32_t of_buffer(std::uint32_t buffer, std::uint32_t offset) { return load(buffer * map_.stride + offset); }
    std::uint32_t counter(std::uint32_t index) { return load(0x200 + 4 * index); }
    std::uint32_t is_busy(std::uint32_t buffer) { return of_buffer(buffer, map_.go); }

    /// Returns counters 0, 1, 2, 5, 10 and 11.
    std::vector<std::uint32_t> counters() {
        std::vector<std::uint32_t> values;
        for (const std::uint32_t index :
             {kAtomicsCompleted, kWritesAcknowledged, kReadsCompleted, kReadsSent, kWritesSent, kPostedWritesSent}) {
            values.push_back(counter(index));
        }
        return values;
    }
    /// Returns the counters of all transaction ids.
    std::vector<std::uint32_t> by_id(std::uint32_t first) {
        std::vector<std::uint32_t> values(kIds);
        for (std::uint32_t id = 0; id < kIds; ++id) {
            values[id] = counter(first + id);
        }
        return values;
    }

    [[nodiscard]] std::uint32_t coordinates(LogicalCoordinate core) const {
        return machine_.y(core) << 6 | machine_.x(core);
    }

    void set_target(std::uint32_t buffer, std::uint32_t coordinates, std::uint32_t address) {
        set_address(buffer, 0, coordinates, address);
    }
    void set_return(std::uint32_t buffer, std::uint32_t coordinates, std::uint32_t address) {
        set_address(buffer, 0xC, coordinates, address);
    }
    void set_id(std::uint32_t buffer, std::uint32_t id) { store(buffer * map_.stride + 0x18, id << 10); }
    void set_length(std::uint32_t buffer, std::uint32_t length) { store(buffer * map_.stride + 0x20, length); }
    void set_data(std::uint32_t buffer, std::uint32_t data) { store(buffer * map_.stride + map_.data, data); }
    void go(std::uint32_t buffer, std::uint32_t control) {
        store(buffer * map_.stride + 0x1C, control);
        store(buffer * map_.stride + map_.go, 1);
    }

    void read(std::uint32_t from, std::uint32_t to, std::uint32_t bytes, std::uint32_t control = kRead) {
        set_target(kReadBuffer, coordinates(kOther), from);
        set_return(kReadBuffer, coordinates(kOwn), to);
        set_length(kReadBuffer, bytes);
        go(kReadBuffer, control);
    }
    void write(std::uint32_t from, std::uint32_t to, std::uint32_t bytes, std::uint32_t control = kWrite) {
        set_target(kWriteBuffer, coordinates(kOwn), from);
        set_return(kWriteBuffer, coordinates(kOther), to);
        set_length(kWriteBuffer, bytes);
        go(kWriteBuffer, control);
    }
    /// Multicasts to the rectangle from `first` to `last`, in the order of NoC 0.
    void write_to(LogicalCoordinate first, LogicalCoordinate last, std::uint32_t control) {
        set_target(kWriteBuffer, coordinates(kOwn), kL1Address);
        set_return(kWriteBuffer, coordinates(first) << 12 | coordinates(last), kElsewhere);
        set_length(kWriteBuffer, 64);
        go(kWriteBuffer, control | kMulticastBit);
    }
    void increment(std::uint32_t address, std::uint32_t by, std::uint32_t operation = kIncrementOf32Bits) {
        set_target(kAtomicBuffer, coordinates(kOther), address);
        set_length(kAtomicBuffer, operation);
        set_data(kAtomicBuffer, by);
        go(kAtomicBuffer, kAtomic);
    }

    /// Returns the error of an invalid command, which the NIU does not receive.
    std::string complaint(const std::function<void()>& act) {
        try {
            act();
        } catch (const std::exception& error) {
            return error.what();
        }
        wait();
        return "";
    }

private:
    [[nodiscard]] const riscv::Region& region() const { return bus_.regions()[1 + noc_]; }

    void set_address(std::uint32_t buffer, std::uint32_t offset, std::uint32_t coordinates, std::uint32_t address) {
        const std::uint32_t first = buffer * map_.stride + offset;
        store(first, address);
        store(first + map_.coordinates, coordinates << map_.coordinate_bit);
    }

    const Machine& machine_;
    Map map_;
    std::size_t noc_;
    TileBus bus_;
    Cycle cycle_ = 0;
};

class NiuRegisterMap : public testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] static Map map() { return map_of(GetParam()); }
    [[nodiscard]] static bool is_blackhole() { return GetParam().front() == 'p'; }

    static void on_noc(Machine& machine, int noc, const std::function<void(Registers&)>& act) {
        machine.add_kernel({kOwn, 0, noc}, [&machine, noc, act, map = map()] {
            Registers registers(machine, map, noc);
            act(registers);
            registers.finish();
        });
        machine.run();
    }
    /// Calls `act` for each NoC of a new machine.
    static void on_each_noc(const std::function<void(Registers&)>& act) {
        for (const int noc : {0, 1}) {
            SCOPED_TRACE(fmt::format("NoC {}", noc));
            Machine machine(GetParam());
            on_noc(machine, noc, act);
        }
    }
};

INSTANTIATE_TEST_SUITE_P(All, NiuRegisterMap, testing::Values("n150", "p150"),
                         [](const auto& test) { return test.param; });

TEST_P(NiuRegisterMap, WhatTheFirmwareLeaves) {
    on_each_noc([&](Registers& registers) {
        const std::uint32_t own = registers.coordinates(kOwn);
        const std::uint32_t place = own << map().coordinate_bit;
        const std::uint32_t target = map().coordinates;
        const std::uint32_t returned = 0xC + map().coordinates;
        EXPECT_EQ(registers.of_buffer(kWriteBuffer, target), place);
        EXPECT_EQ(registers.of_buffer(kSmallWriteBuffer, target), place);
        EXPECT_EQ(registers.of_buffer(kReadBuffer, returned), place);
        EXPECT_EQ(registers.of_buffer(kAtomicBuffer, returned), place);
        EXPECT_EQ(registers.of_buffer(kReadBuffer, target), 0U);
        EXPECT_EQ(registers.of_buffer(kWriteBuffer, returned), 0U);
        EXPECT_EQ(registers.of_buffer(kReadBuffer, 0x1C), kRead);
        EXPECT_EQ(registers.of_buffer(kAtomicBuffer, 0xC), 4U);
        EXPECT_EQ(registers.load(0x100 + 4 * 0x12), own) << "NOC_ID_LOGICAL";
    });
}

TEST_P(NiuRegisterMap, NodeIdsCountFromTheCornerOfTheNoc) {
    Machine machine(GetParam());
    const Grid& grid = machine.device().grid();
    const PhysicalCoordinate place = grid.physical(kOwn);
    ASSERT_NE(place.x, place.y);
    const auto x = static_cast<std::uint32_t>(place.x);
    const auto y = static_cast<std::uint32_t>(place.y);
    const auto columns = static_cast<std::uint32_t>(grid.columns());
    const auto rows = static_cast<std::uint32_t>(grid.rows());
    machine.add_kernel({kOwn, 0, 0}, [&] {
        EXPECT_EQ(Registers(machine, map(), 0).load(map().node_id), y << 6 | x);
        EXPECT_EQ(Registers(machine, map(), 1).load(map().node_id), (rows - 1 - y) << 6 | (columns - 1 - x));
    });
    machine.run();
}

TEST_P(NiuRegisterMap, RegistersOfCommandsKeepWhatIsStored) {
    on_each_noc([&](Registers& registers) {
        for (std::uint32_t buffer = 0; buffer < 4; ++buffer) {
            for (std::uint32_t offset = 0; offset <= 0x20; offset += 4) {
                registers.store(buffer * map().stride + offset, 0x1000 * buffer + offset + 1);
            }
        }
        for (std::uint32_t buffer = 0; buffer < 4; ++buffer) {
            for (std::uint32_t offset = 0; offset <= 0x20; offset += 4) {
                EXPECT_EQ(registers.of_buffer(buffer, offset), 0x1000 * buffer + offset + 1);
            }
        }
        registers.store(0x100 + 4 * 0x12, 77);
        EXPECT_EQ(registers.load(0x100 + 4 * 0x12), 77U);
        EXPECT_EQ(registers.load(0x100 + 4 * 0x11), 0U);
    });
}

TEST_P(NiuRegisterMap, EachKindOfCommandHasCountersOfItsOwn) {
    using Counts = std::vector<std::uint32_t>;
    on_each_noc([&](Registers& registers) {
        EXPECT_EQ(registers.counters(), (Counts{0, 0, 0, 0, 0, 0}));
        registers.read(kL1Address, kL1Address, 64);
        EXPECT_EQ(registers.counters(), (Counts{0, 0, 0, 1, 0, 0})) << "a read that is under way";
        registers.wait();
        EXPECT_EQ(registers.counters(), (Counts{0, 0, 1, 1, 0, 0})) << "a read";
        registers.write(kL1Address, kElsewhere, 64, kPostedWrite);
        registers.wait();
        EXPECT_EQ(registers.counters(), (Counts{0, 0, 1, 1, 0, 1})) << "a posted write";
        registers.write(kL1Address, kElsewhere, 64);
        EXPECT_EQ(registers.counter(kWritesSent), 0U) << "a write that has not left the tile";
        registers.wait();
        EXPECT_EQ(registers.counters(), (Counts{0, 1, 1, 1, 1, 1})) << "a write";
        registers.increment(kElsewhere, 1);
        registers.wait();
        EXPECT_EQ(registers.counters(), (Counts{1, 1, 1, 1, 1, 1})) << "an atomic";
    });
}

/// Both counts are those of the cycle in which they are loaded, although the network is simulated ahead of that cycle.
TEST_P(NiuRegisterMap, AWriteIsNoLongerOutgoingWhenItIsSent) {
    const std::uint32_t packet = Machine(GetParam()).packet_bytes();
    for (const bool is_posted : {false, true}) {
        on_each_noc([&](Registers& registers) {
            registers.write(kL1Address, kElsewhere, packet, is_posted ? kPostedWrite : kWrite);
            int loads = 0;
            int sent_from = 0;
            int gone_from = 0;
            for (; (sent_from == 0 || gone_from == 0) && loads < kLong; ++loads) {
                const bool is_sent = registers.counter(is_posted ? kPostedWritesSent : kWritesSent) != 0;
                const bool is_gone = registers.counter(kOutgoing) == 0;
                sent_from = sent_from == 0 && is_sent ? loads : sent_from;
                gone_from = gone_from == 0 && is_gone ? loads : gone_from;
            }
            EXPECT_GT(sent_from, 10);
            EXPECT_LE(sent_from - gone_from, 1);
            EXPECT_GE(sent_from, gone_from);
            EXPECT_EQ(registers.counter(kWritesAcknowledged), 0U);
        });
    }
}

/// Another tile's packet occupies the virtual channel of the last link for some time.
TEST_P(NiuRegisterMap, ADynamicCommandLeavesATakenVirtualChannel) {
    constexpr LogicalCoordinate kAhead{0, 3};
    constexpr LogicalCoordinate kBehind{1, 3};
    static constexpr LogicalCoordinate kCommonReceiver{5, 3};
    for (const bool is_dynamic : {false, true}) {
        test::WatchedMachine machine(GetParam());
        const auto write = [&](LogicalCoordinate from, std::uint32_t bytes, Cycle start, std::uint32_t control) {
            machine.add_kernel({from, 0, 0}, [&machine, from, bytes, start, control] {
                Registers registers(machine, map(), 0);
                registers.go_on(start);
                registers.set_target(kWriteBuffer, registers.coordinates(from), kL1Address);
                registers.set_return(kWriteBuffer, registers.coordinates(kCommonReceiver), kL1Address);
                registers.set_length(kWriteBuffer, bytes);
                registers.go(kWriteBuffer, control);
                registers.finish();
            });
        };
        write(kAhead, machine.packet_bytes(), 0, kWrite);
        write(kBehind, 16, 100, is_dynamic ? kWrite & ~(1U << 7) : kWrite);
        machine.run();
        EXPECT_EQ(
            machine.record_of(kBehind).moment("request arrived") < machine.record_of(kAhead).moment("request arrived"),
            is_dynamic);
    }
}

/// Blackhole spaces reads of one responder on NoC 1 if their kernel stores the responder's coordinates each time.
TEST_P(NiuRegisterMap, AStoreToTheCoordinatesOfTheTargetNamesItAnew) {
    for (const bool names_target : {false, true}) {
        test::WatchedMachine machine(GetParam());
        on_noc(machine, 1, [&](Registers& registers) {
            registers.read(kL1Address, kL1Address, 64);
            while (registers.is_busy(kReadBuffer) != 0) {
            }
            if (names_target) {
                registers.set_target(kReadBuffer, registers.coordinates(kOther), kL1Address);
            }
            registers.set_return(kReadBuffer, registers.coordinates(kOwn), kL1Address);
            registers.set_length(kReadBuffer, 64);
            registers.go(kReadBuffer, kRead);
        });
        const std::vector<TransactionRecord> reads = machine.records_of(kOwn);
        ASSERT_EQ(reads.size(), 2U);
        const Tick interval = machine.architecture().niu.same_responder_read_interval_ticks[1];
        ASSERT_EQ(interval > ticks_from_cycles(30), is_blackhole());
        EXPECT_EQ(reads[1].started() - reads[0].started() >= ticks_from_cycles(30), names_target && is_blackhole());
    }
}

TEST_P(NiuRegisterMap, APacketHasAsManyFlitsAsHoldItsBytes) {
    const auto flit_hops = [&](std::uint32_t bytes) {
        Machine machine(GetParam());
        on_noc(machine, 0, [&](Registers& registers) { registers.write(kL1Address, kElsewhere, bytes); });
        return machine.device().flit_hops();
    };
    const std::uint32_t flit = Machine(GetParam()).flit_bytes();
    EXPECT_EQ(flit_hops(1), flit_hops(flit));
    EXPECT_EQ(flit_hops(flit + 1), flit_hops(2 * flit));
    EXPECT_GT(flit_hops(flit + 1), flit_hops(flit));
}

TEST_P(NiuRegisterMap, IdsAreCountedApart) {
    on_each_noc([&](Registers& registers) {
        for (std::uint32_t id = 0; id < kIds; ++id) {
            SCOPED_TRACE(id);
            std::vector<std::uint32_t> one(kIds);
            one[id] = 1;
            registers.set_id(kReadBuffer, id);
            registers.read(kL1Address, kL1Address, 64);
            EXPECT_EQ(registers.counter(kOutstanding + id), 1U);
            EXPECT_EQ(registers.counter(kOutstanding + (id + 1) % kIds), 0U);
            EXPECT_EQ(registers.counter(kOutgoing + id), 0U);
            registers.wait();
            EXPECT_EQ(registers.by_id(kOutstanding), std::vector<std::uint32_t>(kIds));

            registers.set_id(kWriteBuffer, id);
            registers.write(kL1Address, kElsewhere, 4096);
            EXPECT_EQ(registers.counter(kOutgoing + id), 1U);
            EXPECT_EQ(registers.counter(kOutgoing + (id + 1) % kIds), 0U);
            EXPECT_EQ(registers.counter(kOutstanding + id), 1U);
            registers.wait();
            EXPECT_EQ(registers.by_id(kOutgoing), std::vector<std::uint32_t>(kIds));
            EXPECT_EQ(registers.by_id(kOutstanding), std::vector<std::uint32_t>(kIds));
        }
    });
}

TEST_P(NiuRegisterMap, PostedWritesAreOutgoingAndNotOutstanding) {
    on_each_noc([&](Registers& registers) {
        registers.set_id(kWriteBuffer, 9);
        registers.write(kL1Address, kElsewhere, 4096, kPostedWrite);
        EXPECT_EQ(registers.counter(kOutgoing + 9), 1U);
        EXPECT_EQ(registers.counter(kOutstanding + 9), 0U);
        registers.wait();
        EXPECT_EQ(registers.counter(kOutgoing + 9), 0U);
        EXPECT_EQ(registers.counter(kWritesAcknowledged), 0U);
    });
}

TEST_P(NiuRegisterMap, ClearingTakesTheIdsOfAMask) {
    on_each_noc([&](Registers& registers) {
        for (const std::uint32_t id : {0U, 7U, 15U}) {
            for (int times = 0; times < 2; ++times) {
                registers.set_id(kReadBuffer, id);
                registers.read(kL1Address, kL1Address, 64);
                while (registers.is_busy(kReadBuffer) != 0) {
                }
            }
        }
        registers.store(map().clear, 1U << 15 | 1U << 3);
        EXPECT_EQ(registers.counter(kOutstanding + 15), 0U);
        EXPECT_GT(registers.counter(kOutstanding + 7), 0U);
        registers.store(map().clear, 1U << 7);
        EXPECT_EQ(registers.counter(kOutstanding + 7), 0U);
    });
}

TEST_P(NiuRegisterMap, ABufferIsBusyUntilItsCommandHasLeftIt) {
    const std::uint32_t packet = Machine(GetParam()).packet_bytes();
    on_each_noc([&](Registers& registers) {
        EXPECT_EQ(registers.is_busy(kWriteBuffer), 0U);
        // The second packet waits until most of the first one has left the tile.
        registers.write(kL1Address, kElsewhere, packet);
        while (registers.is_busy(kWriteBuffer) != 0) {
        }
        registers.write(kL1Address, kElsewhere, packet);
        EXPECT_EQ(registers.is_busy(kWriteBuffer), 1U);
        EXPECT_EQ(registers.is_busy(kReadBuffer), 0U);
        EXPECT_NE(registers.complaint([&] { registers.set_length(kWriteBuffer, 32); }).find("command buffer 0 of NoC"),
                  std::string::npos);
        registers.read(kL1Address, kL1Address, 64);
        registers.wait();
        EXPECT_EQ(registers.is_busy(kWriteBuffer), 0U);
        registers.set_length(kWriteBuffer, 32);
        // Only bit 0 starts a command.
        registers.store(kReadBuffer * map().stride + map().go, 2);
        EXPECT_EQ(registers.counter(kReadsSent), 1U);
    });
}

TEST_P(NiuRegisterMap, CommandsMoveWhatTheySay) {
    for (const int noc : {0, 1}) {
        Machine machine(GetParam());
        const std::vector<std::byte> data = test::random_bytes(64, 3);
        machine.device().write_l1(kOther, kL1Address, data);
        on_noc(machine, noc, [&](Registers& registers) {
            registers.read(kL1Address, kL1Address + 16, 64);
            registers.wait();
            registers.write(kL1Address + 16, kElsewhere, 48);
            registers.wait();
            registers.increment(kElsewhere + 0x100, 5);
            registers.wait();
            registers.increment(kElsewhere + 0x100, 37);
            registers.wait();
            registers.set_target(kSmallWriteBuffer, registers.coordinates(kOther), kElsewhere + 0x200);
            registers.set_data(kSmallWriteBuffer, 0x12345678);
            registers.go(kSmallWriteBuffer, kInlineWrite);
        });
        EXPECT_EQ(test::first_difference(machine.device().read_l1(kOwn, kL1Address + 16, 64), data), "");
        std::vector<std::byte> first(data.begin(), data.begin() + 48);
        first.resize(64);
        EXPECT_EQ(test::first_difference(machine.device().read_l1(kOther, kElsewhere, 64), first), "");
        EXPECT_EQ(test::word_at(machine, kOther, kElsewhere + 0x100), 42U);
        EXPECT_EQ(test::word_at(machine, kOther, kElsewhere + 0x200), 0x12345678U);
    }
}

TEST_P(NiuRegisterMap, AddressesAgreeModuloTheAlignmentOfTheOtherSide) {
    on_each_noc([&](Registers& registers) {
        EXPECT_EQ(registers.complaint([&] { registers.read(kL1Address + 16, kL1Address, 64); }), "");
        EXPECT_EQ(registers.complaint([&] { registers.read(kL1Address + 5, kL1Address + 21, 3); }), "");
        EXPECT_EQ(registers.complaint([&] { registers.read(kL1Address + 8, kL1Address, 64); }),
                  "destination 0x40000 and source 0x40008: expected the same remainder modulo 16, found 0 and 8");
        EXPECT_EQ(registers.complaint([&] { registers.write(kL1Address + 1, kElsewhere, 64); }),
                  "source 0x40001 and destination 0x41000: expected the same remainder modulo 16, found 1 and 0");
    });
    // Source and destination must agree modulo 32 on Wormhole and 64 on Blackhole for DRAM reads, and modulo 16 for
    // DRAM writes.
    Machine machine(GetParam());
    on_noc(machine, 0, [&](Registers& registers) {
        const DeviceState& state = machine.device().state();
        const PhysicalCoordinate place = state.grid.dram_banks().front().endpoint.front();
        const TranslatedCoordinate tile = state.grid.translated(place);
        const std::uint32_t dram = static_cast<std::uint32_t>(tile.y) << 6 | static_cast<std::uint32_t>(tile.x);
        const auto read = [&](std::uint32_t from) {
            return registers.complaint([&] {
                registers.set_target(kReadBuffer, dram, from);
                registers.set_return(kReadBuffer, registers.coordinates(kOwn), kL1Address);
                registers.set_length(kReadBuffer, 64);
                registers.go(kReadBuffer, kRead);
            });
        };
        const auto write = [&](std::uint32_t to) {
            return registers.complaint([&] {
                registers.set_target(kWriteBuffer, registers.coordinates(kOwn), kL1Address);
                registers.set_return(kWriteBuffer, dram, to);
                registers.set_length(kWriteBuffer, 64);
                registers.go(kWriteBuffer, kWrite);
            });
        };
        EXPECT_EQ(read(0x1000), "");
        EXPECT_EQ(write(0x1000), "");
        EXPECT_EQ(read(0x1020).empty(), !is_blackhole());
        EXPECT_NE(read(0x1010), "");
        EXPECT_EQ(write(0x1010), "");
        EXPECT_NE(write(0x1008), "");
    });
}

TEST_P(NiuRegisterMap, UnicastsAreOnChannels0To3AndMulticastsOn4And5) {
    Machine machine(GetParam());
    on_noc(machine, 0, [&](Registers& registers) {
        for (std::uint32_t channel = 0; channel < 8; ++channel) {
            const std::string unicast =
                registers.complaint([&] { registers.write(kL1Address, kElsewhere, 64, on_channel(kWrite, channel)); });
            const std::string multicast =
                registers.complaint([&] { registers.write_to({3, 2}, {4, 3}, on_channel(kWrite, channel)); });
            EXPECT_EQ(unicast, channel < 4 ? ""
                                           : fmt::format("virtual channel of a unicast request: expected 0 to 3, found "
                                                         "{}",
                                                         channel));
            EXPECT_EQ(multicast,
                      channel == 4 || channel == 5
                          ? ""
                          : fmt::format("virtual channel of a multicast: expected 4 to 5, found {}", channel));
        }
    });
}

TEST_P(NiuRegisterMap, MulticastsReachTheirRectangle) {
    constexpr std::uint32_t kMulticast = 2 | 0x10 | 1 << 7 | 4 << 13;
    struct Rectangle {
        LogicalCoordinate first;
        LogicalCoordinate last;
        std::uint32_t further_bits;
        std::uint32_t receivers;
        bool reaches_own;
    };
    for (const Rectangle& rectangle : std::vector<Rectangle>{{{3, 2}, {4, 4}, 0, 6, false},
                                                             {{2, 1}, {3, 2}, 0, 3, false},
                                                             {{2, 1}, {3, 2}, kIncludesSource, 4, true}}) {
        Machine machine(GetParam());
        const std::vector<std::byte> data = test::random_bytes(64, 5);
        machine.device().write_l1(kOwn, kL1Address, data);
        on_noc(machine, 0, [&](Registers& registers) {
            registers.set_id(kWriteBuffer, 5);
            registers.write_to(rectangle.first, rectangle.last, kMulticast | rectangle.further_bits);
            EXPECT_EQ(registers.counter(kOutstanding + 5), rectangle.receivers);
            registers.wait();
            EXPECT_EQ(registers.counter(kOutstanding + 5), 0U);
            EXPECT_EQ(registers.counter(kWritesSent), 1U);
            EXPECT_EQ(registers.counter(kWritesAcknowledged), rectangle.receivers);
        });
        std::uint32_t reached = 0;
        for (int y = 0; y < 6; ++y) {
            for (int x = 0; x < 6; ++x) {
                reached += machine.device().read_l1({x, y}, kElsewhere, 64) == data ? 1 : 0;
            }
        }
        EXPECT_EQ(reached, rectangle.receivers);
        EXPECT_EQ(machine.device().read_l1(kOwn, kElsewhere, 64) == data, rectangle.reaches_own);
    }
}

TEST_P(NiuRegisterMap, CommandsThatTheNiuDoesNotTake) {
    Machine machine(GetParam());
    const std::uint32_t packet = machine.packet_bytes();
    on_noc(machine, 0, [&](Registers& registers) {
        const auto complaint = [&](const std::function<void()>& act) { return registers.complaint(act); };
        const auto contains = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos ? "" : text + " has no " + part;
        };
        EXPECT_EQ(complaint([&] { registers.write(kL1Address, kL1Address, 0); }),
                  fmt::format("length of a packet: expected 1 to {} bytes, found 0", packet));
        EXPECT_EQ(complaint([&] { registers.write(kL1Address, kL1Address, packet + 1); }),
                  fmt::format("length of a packet: expected 1 to {} bytes, found {}", packet, packet + 1));
        EXPECT_EQ(complaint([&] { registers.write(kL1Address, kL1Address, packet); }), "");
        EXPECT_EQ(complaint([&] { registers.write(kL1Address, kL1Address, 1); }), "");
        const auto l1_bytes = static_cast<std::uint32_t>(machine.architecture().l1.size_bytes);
        EXPECT_EQ(complaint([&] { registers.write(kL1Address, l1_bytes - 64, 64); }), "");
        EXPECT_EQ(complaint([&] { registers.write(l1_bytes - 64, kL1Address, 64); }), "");
        EXPECT_EQ(contains(complaint([&] { registers.write(kL1Address, l1_bytes - 64, 65); }),
                           "destination: expected a range within 0x0 to"),
                  "");
        EXPECT_EQ(contains(complaint([&] { registers.write(l1_bytes - 64, kL1Address, 65); }),
                           "source: expected a range within 0x0 to"),
                  "");
        EXPECT_EQ(contains(complaint([&] { registers.write(kL1Address, kL1Address, 64, kWrite | 3); }),
                           "expected a read, 0, an atomic, 1, or a write, 2, found kind 3"),
                  "");
        EXPECT_EQ(contains(complaint([&] { registers.increment(kElsewhere, 1, 2 << 12 | 31 << 2); }),
                           "atomic operation 2 with a wrap of 31 bits"),
                  "");
        EXPECT_EQ(contains(complaint([&] { registers.increment(kElsewhere, 1, 1 << 12 | 7 << 2); }),
                           "atomic operation 1 with a wrap of 7 bits"),
                  "");
        EXPECT_EQ(complaint([&] { registers.increment(kElsewhere + 2, 1); }),
                  "destination: expected a multiple of 4, found 0x41002");
        // A tile in another row and column, one in the same column, and one in the same row.
        for (const LogicalCoordinate core : {kOther, LogicalCoordinate{kOwn.x, kOwn.y + 1}, {kOwn.x + 1, kOwn.y}}) {
            EXPECT_EQ(contains(complaint([&] {
                                   registers.set_target(kReadBuffer, registers.coordinates(kOther), kL1Address);
                                   registers.set_return(kReadBuffer, registers.coordinates(core), kL1Address);
                                   registers.go(kReadBuffer, kRead);
                               }),
                               "return address of a read: expected the coordinates"),
                      "");
        }
        EXPECT_EQ(contains(complaint([&] {
                               registers.set_target(kWriteBuffer, registers.coordinates(kOther), kL1Address);
                               registers.go(kWriteBuffer, kWrite);
                           }),
                           "source of a write: expected the coordinates"),
                  "");
        EXPECT_EQ(complaint([&] { registers.write_to({3, 2}, {4, 4}, on_channel(kPostedWrite, 4)); }),
                  "multicast: expected one that is acknowledged; posted ones are not safe");
        EXPECT_EQ(complaint([&] { registers.read(kL1Address, kL1Address, 64, on_channel(kRead, 4) | kMulticastBit); }),
                  "multicast: reads have one source");
        EXPECT_EQ(
            contains(complaint([&] { registers.write_to({3, 2}, {4, 4}, on_channel(kWrite, 4) | kIncludesSource); }),
                     "expected the source in it, found it outside"),
            "");
        EXPECT_EQ(registers.counter(kReadsSent), 0U) << "nothing of it was sent";
    });
}

TEST_P(NiuRegisterMap, AChainOfLinkedMulticastsKeepsItsTilesAndItsChannel) {
    constexpr std::uint32_t kMulticast = 2 | 0x10 | 1 << 7 | 4 << 13;
    Machine machine(GetParam());
    on_noc(machine, 0, [&](Registers& registers) {
        EXPECT_EQ(registers.complaint([&] { registers.write_to({3, 2}, {4, 4}, kMulticast | kLinkedBit); }), "");
        EXPECT_NE(registers.complaint([&] { registers.write_to({3, 2}, {4, 4}, on_channel(kMulticast, 5)); }), "");
        EXPECT_NE(registers.complaint([&] { registers.write_to({3, 2}, {4, 3}, kMulticast); }), "");
        EXPECT_NE(registers.complaint([&] { registers.write(kL1Address, kElsewhere, 64); }), "");
        EXPECT_EQ(registers.complaint([&] { registers.write_to({3, 2}, {4, 4}, kMulticast); }), "");
        EXPECT_EQ(registers.complaint([&] { registers.write(kL1Address, kElsewhere, 64); }), "");
    });
}

TEST_P(NiuRegisterMap, WhatIsNotModeledIsNamed) {
    Machine machine(GetParam());
    on_noc(machine, 0, [&](Registers& registers) {
        for (std::uint32_t index = 0; index < 64; ++index) {
            const bool is_known = index <= 2 || index == 5 || index == 10 || index == 11 || (index >= 16 && index < 48);
            EXPECT_EQ(registers.complaint([&] { static_cast<void>(registers.counter(index)); }),
                      is_known ? ""
                               : fmt::format("counter {} of an NIU: it is not modeled; expected 0, 1, 2, 5, 10, 11, or "
                                             "16 to 47",
                                             index));
        }
        EXPECT_EQ(registers.complaint([&] { static_cast<void>(registers.load(4 * map().stride)); }),
                  fmt::format("register 0x{:x} of an NIU: it is not modeled", 4 * map().stride));
        EXPECT_EQ(registers.complaint([&] { static_cast<void>(registers.load(0x7C)); }),
                  "register 0x7c of an NIU: it is not modeled");
        EXPECT_EQ(registers.complaint([&] { registers.store(0x204, 0); }),
                  "register 0x204 of an NIU: it is not modeled, or cannot be written");
    });
}

TEST_P(NiuRegisterMap, RegistersThatKernelsWaitForHaveNames) {
    Machine machine(GetParam());
    machine.add_kernel({kOwn, 0, 0}, [&] {
        DeviceState& state = Risc::current().state();
        const NiuRegisters& niu = tile_registers(state, Risc::current().identity().node).nius[0];
        const auto of_counter = [](std::uint32_t index) { return 0x200 + 4 * index; };
        EXPECT_EQ(niu.name_of(of_counter(0)), "the count of completed atomics");
        EXPECT_EQ(niu.name_of(of_counter(1)), "the count of acknowledged writes");
        EXPECT_EQ(niu.name_of(of_counter(2)), "the count of completed reads");
        EXPECT_EQ(niu.name_of(of_counter(10)), "the count of sent writes");
        EXPECT_EQ(niu.name_of(of_counter(11)), "the count of sent posted writes");
        EXPECT_EQ(niu.name_of(of_counter(12)), "");
        EXPECT_EQ(niu.name_of(of_counter(48)), "");
        for (std::uint32_t id = 0; id < kIds; ++id) {
            EXPECT_EQ(niu.name_of(of_counter(kOutstanding + id)),
                      fmt::format("the count of outstanding transactions of id {}", id));
            EXPECT_EQ(niu.name_of(of_counter(kOutgoing + id)),
                      fmt::format("the count of outgoing writes of id {}", id));
            EXPECT_TRUE(niu.is_ahead(of_counter(kOutgoing + id)));
            EXPECT_FALSE(niu.is_ahead(of_counter(kOutstanding + id)));
        }
        for (std::uint32_t buffer = 0; buffer < 4; ++buffer) {
            EXPECT_EQ(niu.name_of(buffer * map().stride + map().go),
                      fmt::format("the go register of command buffer {}", buffer));
            EXPECT_TRUE(niu.is_ahead(buffer * map().stride + map().go));
            EXPECT_FALSE(niu.is_ahead(buffer * map().stride + 0x1C));
        }
        for (const std::uint32_t index : {kWritesSent, kPostedWritesSent}) {
            EXPECT_TRUE(niu.is_ahead(of_counter(index)));
        }
        for (const std::uint32_t index : {kAtomicsCompleted, kWritesAcknowledged, kReadsCompleted, kReadsSent, 48U}) {
            EXPECT_FALSE(niu.is_ahead(of_counter(index)));
        }
        EXPECT_EQ(niu.go_register_of(4 * map().stride + map().go), -1);
    });
    machine.run();
}

}  // namespace

}  // namespace nocbench
