// Multicasts deliver the right data to exactly the receivers, for any source and rectangle, on either NoC; semaphores,
// barriers and flushes count them correctly. Times are in test_multicast_laws.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/machine.h"
#include "tests/support/multicast_geometry.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::Chip;
using test::first_difference;
using test::kBuffer;
using test::Machine;
using test::multicast_address;
using test::MulticastGeometry;
using test::MulticastMap;
using test::random_bytes;

constexpr std::uint32_t kFarBuffer = 0x90000;
constexpr std::uint32_t kOtherBuffer = 0xd0000;

void set_word(Machine& machine, LogicalCoordinate core, std::uint32_t address, std::uint32_t value) {
    machine.device().write_l1(core, address, std::as_bytes(std::span(&value, 1)));
}

std::vector<LogicalCoordinate> compute_cores(const Grid& grid) {
    return cores_of({{0, 0}, {grid.compute_columns() - 1, grid.compute_rows() - 1}});
}

/// Deliveries to one tile, in order of arrival.
struct Delivered {
    std::uint64_t first_address = 0;
    std::vector<std::byte> bytes;
    std::vector<std::size_t> packet_sizes;
};

/// All data delivered by a device, by tile.
class Deliveries {
public:
    explicit Deliveries(Machine& machine) {
        machine.device().observers().delivered = [this, &grid = machine.device().grid()](const Delivery& delivery) {
            Delivered& tile = by_tile_[grid.place_of_node(delivery.destination)];
            if (tile.packet_sizes.empty()) {
                tile.first_address = delivery.destination_address;
            }
            tile.packet_sizes.push_back(delivery.bytes.size());
            tile.bytes.insert(tile.bytes.end(), delivery.bytes.begin(), delivery.bytes.end());
        };
    }
    Deliveries(const Deliveries&) = delete;
    Deliveries& operator=(const Deliveries&) = delete;

    [[nodiscard]] std::vector<PhysicalCoordinate> tiles() const {
        std::vector<PhysicalCoordinate> tiles;
        tiles.reserve(by_tile_.size());
        for (const auto& [tile, delivered] : by_tile_) {
            tiles.push_back(tile);
        }
        return tiles;
    }
    [[nodiscard]] const Delivered& at(PhysicalCoordinate tile) const { return by_tile_.at(tile); }

private:
    std::map<PhysicalCoordinate, Delivered> by_tile_;
};

/// Multicast from the third core of the second row to a rectangle of four columns and three rows.
const MulticastGeometry kUsual{"", {3, 2}, {{1, 1}, {4, 3}}};
constexpr std::uint32_t kUsualReceivers = 11;

class Multicast : public testing::TestWithParam<Chip> {
protected:
    [[nodiscard]] static Machine machine() { return Machine(GetParam().board, GetParam().settings); }

    [[nodiscard]] static std::vector<MulticastGeometry> geometries() {
        return test::geometries(machine().device().grid());
    }

    [[nodiscard]] static MulticastMap map(const MulticastGeometry& geometry, bool includes_source) {
        return {machine().device().grid(), GetParam().noc, geometry, includes_source};
    }
};

INSTANTIATE_TEST_SUITE_P(Chips, Multicast, testing::ValuesIn(test::chips()),
                         [](const auto& chip) { return chip.param.name; });

template <class Call>
void expect_data_arrive(Machine& machine, const MulticastGeometry& geometry, const MulticastMap& map, int noc,
                        std::uint32_t size, const Call& call) {
    SCOPED_TRACE(testing::PrintToString(geometry));
    const std::vector<std::byte> source = random_bytes(size, size);
    machine.device().write_l1(geometry.source, kBuffer, source);
    const Deliveries deliveries(machine);
    machine.add_kernel({geometry.source, 0, noc}, [&] {
        call(multicast_address(machine, geometry.rectangle, kFarBuffer));
        noc_async_write_barrier();
    });
    machine.run();
    std::vector<PhysicalCoordinate> receivers = map.receivers();
    std::ranges::sort(receivers);
    ASSERT_EQ(deliveries.tiles(), receivers);
    for (const PhysicalCoordinate receiver : receivers) {
        ASSERT_EQ(first_difference(deliveries.at(receiver).bytes, source), "");
        ASSERT_EQ(deliveries.at(receiver).first_address, kFarBuffer);
        if (const auto core = machine.device().grid().logical(receiver)) {
            ASSERT_EQ(first_difference(machine.device().read_l1(*core, kFarBuffer, size), source), "");
        }
    }
}

TEST_P(Multicast, DataArriveAtEveryReceiverAndNowhereElse) {
    for (const MulticastGeometry& geometry : geometries()) {
        const MulticastMap others = map(geometry, false);
        Machine machine(GetParam().board, GetParam().settings);
        expect_data_arrive(machine, geometry, others, GetParam().noc, 300, [&](std::uint64_t there) {
            noc_async_write_multicast(kBuffer, there, 300, others.num_receivers());
        });
        if (others.source_is_inside()) {
            const MulticastMap all = map(geometry, true);
            ASSERT_EQ(all.num_receivers(), others.num_receivers() + 1);
            Machine loopback(GetParam().board, GetParam().settings);
            expect_data_arrive(loopback, geometry, all, GetParam().noc, 300, [&](std::uint64_t there) {
                noc_async_write_multicast_loopback_src(kBuffer, there, 300, all.num_receivers());
            });
        }
    }
}

TEST_P(Multicast, DataAreOfAnyLength) {
    Machine measure = machine();
    const std::uint32_t flit = measure.flit_bytes();
    const std::uint32_t packet = measure.packet_bytes();
    for (const std::uint32_t size :
         {1U, flit - 1, flit, flit + 1, packet - 1, packet, packet + 1, 2 * packet, 3 * packet + 2 * flit + 7}) {
        for (const bool includes_source : {false, true}) {
            const std::uint32_t receivers = kUsualReceivers + (includes_source ? 1 : 0);
            Machine machine(GetParam().board, GetParam().settings);
            expect_data_arrive(machine, kUsual, map(kUsual, includes_source), GetParam().noc, size,
                               [&](std::uint64_t there) {
                                   if (includes_source) {
                                       noc_async_write_multicast_loopback_src(kBuffer, there, size, receivers);
                                   } else {
                                       noc_async_write_multicast(kBuffer, there, size, receivers);
                                   }
                               });
        }
    }
}

TEST_P(Multicast, LargeTransfersAreSplitIntoPackets) {
    Machine machine(GetParam().board, GetParam().settings);
    const std::uint32_t packet = machine.packet_bytes();
    const Deliveries deliveries(machine);
    machine.add_kernel({kUsual.source, 0, GetParam().noc}, [&] {
        noc_async_write_multicast(kBuffer, multicast_address(machine, kUsual.rectangle, kFarBuffer), 2 * packet + 100,
                                  kUsualReceivers);
        noc_async_write_barrier();
    });
    machine.run();
    const MulticastMap on_map = map(kUsual, false);
    for (const PhysicalCoordinate receiver : on_map.receivers()) {
        EXPECT_EQ(deliveries.at(receiver).packet_sizes, (std::vector<std::size_t>{packet, packet, 100}));
    }
}

TEST_P(Multicast, OnePacketAtATimeOnEitherVirtualChannel) {
    for (const std::uint8_t channel : {std::uint8_t{4}, std::uint8_t{5}}) {
        Machine machine(GetParam().board, GetParam().settings);
        const std::uint32_t size = machine.packet_bytes();
        expect_data_arrive(machine, kUsual, map(kUsual, false), GetParam().noc, size, [&](std::uint64_t there) {
            noc_async_write_multicast_one_packet(kBuffer, there, size, kUsualReceivers, false, kNocOfKernel, channel);
        });
    }
}

TEST_P(Multicast, ChainsOfLinkedPackets) {
    // Several sizes, in one packet and in several: a chain that ends with the third call, and a chain that begins after
    // it.
    Machine machine(GetParam().board, GetParam().settings);
    const std::uint32_t packet = machine.packet_bytes();
    const std::vector<std::uint32_t> sizes{64, packet, 2 * packet + 64, 4, 1024};
    std::uint32_t total = 0;
    for (const std::uint32_t size : sizes) {
        total += (size + 63) / 64 * 64;
    }
    expect_data_arrive(machine, kUsual, map(kUsual, false), GetParam().noc, total, [&](std::uint64_t there) {
        std::uint32_t offset = 0;
        for (std::size_t index = 0; index < sizes.size(); ++index) {
            const std::uint32_t size = (sizes[index] + 63) / 64 * 64;
            noc_async_write_multicast(kBuffer + offset, there + offset, size, kUsualReceivers,
                                      index + 1 < sizes.size() && index != 2);
            offset += size;
        }
    });
}

TEST_P(Multicast, BothNocsHaveAChainAtTheSameTime) {
    Machine machine(GetParam().board, GetParam().settings);
    const std::vector<std::byte> source = random_bytes(8192, 1);
    machine.device().write_l1(kUsual.source, kBuffer, source);
    for (const int riscv : {0, 1}) {
        machine.add_kernel({kUsual.source, riscv, riscv}, [&, riscv] {
            const std::uint64_t there =
                multicast_address(machine, kUsual.rectangle, riscv == 0 ? kFarBuffer : kOtherBuffer);
            for (std::uint32_t offset = 0; offset < 8192; offset += 1024) {
                noc_async_write_multicast(kBuffer + offset, there + offset, 1024, kUsualReceivers,
                                          offset + 1024 < 8192);
            }
            noc_async_write_barrier();
        });
    }
    machine.run();
    for (const LogicalCoordinate core : cores_of(kUsual.rectangle)) {
        if (core != kUsual.source) {
            EXPECT_EQ(first_difference(machine.device().read_l1(core, kFarBuffer, 8192), source), "");
            EXPECT_EQ(first_difference(machine.device().read_l1(core, kOtherBuffer, 8192), source), "");
        }
    }
}

TEST_P(Multicast, TheBarrierWaitsForAllReceivers) {
    Machine machine(GetParam().board, GetParam().settings);
    set_word(machine, kUsual.source, kBuffer, 1234);
    std::vector<std::uint32_t> read_back;
    machine.add_kernel({kUsual.source, 0, GetParam().noc}, [&] {
        noc_async_write_multicast(kBuffer, multicast_address(machine, kUsual.rectangle, kFarBuffer), 64,
                                  kUsualReceivers);
        noc_async_write_barrier();
        for (const LogicalCoordinate core : cores_of(kUsual.rectangle)) {
            // Reads all data that have arrived by the end of the barrier.
            read_back.push_back(test::word_at(machine, core, kFarBuffer));
        }
    });
    machine.run();
    ASSERT_EQ(read_back.size(), kUsualReceivers + 1);
    EXPECT_EQ(std::ranges::count(read_back, 1234U), kUsualReceivers);
}

TEST_P(Multicast, CountersGoUpByPacketsAndReceivers) {
    Machine machine(GetParam().board, GetParam().settings);
    const std::uint32_t semaphore = machine.program().add_semaphore(cores_of(kUsual.rectangle), 0);
    const std::uint32_t packet = machine.packet_bytes();
    machine.add_kernel({kUsual.source, 0, GetParam().noc}, [&] {
        const std::uint64_t there = multicast_address(machine, kUsual.rectangle, kFarBuffer);
        noc_async_write_multicast(kBuffer, there, 64, kUsualReceivers);
        noc_async_write_multicast(kBuffer, there, 2 * packet + 1, kUsualReceivers, true);
        noc_async_write_multicast(kBuffer, there, 64, kUsualReceivers);
        noc_async_write_multicast_loopback_src(kBuffer, there, 64, kUsualReceivers + 1);
        noc_semaphore_set_multicast(kBuffer, there, kUsualReceivers);
        noc_semaphore_inc_multicast(multicast_address(machine, kUsual.rectangle, get_semaphore(semaphore)), 1,
                                    kUsualReceivers);
        noc_async_write(kBuffer, get_noc_addr(machine.x({0, 0}), machine.y({0, 0}), kFarBuffer), 64);
        noc_async_full_barrier();
    });
    machine.run();
    const auto node =
        static_cast<NodeIndex>(machine.device().grid().node_index(machine.device().grid().physical(kUsual.source)));
    const NiuCounters& counters =
        machine.device().state().interfaces[static_cast<std::size_t>(GetParam().noc)]->initiator(node).counters();
    EXPECT_EQ(counters.writes_sent, 8U);
    EXPECT_EQ(counters.writes_acknowledged, 6 * kUsualReceivers + (kUsualReceivers + 1) + 1);
    EXPECT_EQ(counters.atomics_completed, kUsualReceivers);
    EXPECT_EQ(counters.posted_writes_sent, 0U);
}

TEST_P(Multicast, AfterAFlushTheSourceCanBeUsedAgain) {
    Machine machine(GetParam().board, GetParam().settings);
    constexpr std::uint32_t kSize = 4096;
    const std::vector<std::byte> source = random_bytes(kSize, 5);
    machine.device().write_l1(kUsual.source, kBuffer, source);
    machine.add_kernel({kUsual.source, 0, GetParam().noc}, [&] {
        // The second multicast waits for its tree until the first has passed.
        const std::uint64_t there = multicast_address(machine, kUsual.rectangle, kFarBuffer);
        noc_async_write_multicast(kBuffer, there, kSize, kUsualReceivers);
        noc_async_write_multicast(kBuffer, there + kSize, kSize, kUsualReceivers);
        {
            DeviceZoneScopedN("flush");
            noc_async_writes_flushed();
        }
        const L1Pointer words(kBuffer);
        for (std::uint32_t word = 0; word < kSize / 4; ++word) {
            words[word] = 0;
        }
        noc_async_write_barrier();
    });
    machine.run();
    for (const LogicalCoordinate core : cores_of(kUsual.rectangle)) {
        if (core != kUsual.source) {
            EXPECT_EQ(first_difference(machine.device().read_l1(core, kFarBuffer, kSize), source), "");
            EXPECT_EQ(first_difference(machine.device().read_l1(core, kFarBuffer + kSize, kSize), source), "");
        }
    }
}

TEST_P(Multicast, SemaphoresOfARectangleAreSet) {
    for (const bool includes_source : {false, true}) {
        Machine machine(GetParam().board, GetParam().settings);
        const std::vector<LogicalCoordinate> all = compute_cores(machine.device().grid());
        const std::uint32_t semaphore = machine.program().add_semaphore(all, 7);
        set_word(machine, kUsual.source, kBuffer, 42);
        machine.add_kernel({kUsual.source, 0, GetParam().noc}, [&] {
            const std::uint64_t there = multicast_address(machine, kUsual.rectangle, get_semaphore(semaphore));
            if (includes_source) {
                noc_semaphore_set_multicast_loopback_src(kBuffer, there, kUsualReceivers + 1);
            } else {
                noc_semaphore_set_multicast(kBuffer, there, kUsualReceivers);
            }
            noc_async_write_barrier();
        });
        machine.run();
        const std::vector<LogicalCoordinate> inside = cores_of(kUsual.rectangle);
        const std::uint32_t address = semaphore_address(machine.architecture(), semaphore);
        for (const LogicalCoordinate core : all) {
            const bool is_receiver =
                std::ranges::count(inside, core) != 0 && (core != kUsual.source || includes_source);
            EXPECT_EQ(test::word_at(machine, core, address), is_receiver ? 42U : 7U) << to_string(core);
            EXPECT_EQ(test::word_at(machine, core, address + 4), 0U) << to_string(core);
        }
    }
}

TEST_P(Multicast, NoIncrementIsLostWhateverTheNumberOfSources) {
    Machine machine(GetParam().board, GetParam().settings);
    const std::vector<LogicalCoordinate> all = compute_cores(machine.device().grid());
    const std::uint32_t semaphore = machine.program().add_semaphore(all, 0);
    const std::vector<LogicalCoordinate> sources{{1, 1}, {4, 3}, {3, 2}, {0, 0}, {6, 5}};
    constexpr std::uint32_t kCount = 6;
    for (const LogicalCoordinate source : sources) {
        const bool is_inside = source.x >= 1 && source.x <= 4 && source.y >= 1 && source.y <= 3;
        machine.add_kernel({source, 0, GetParam().noc}, [&, is_inside] {
            const std::uint64_t there = multicast_address(machine, kUsual.rectangle, get_semaphore(semaphore));
            for (std::uint32_t count = 0; count < kCount; ++count) {
                noc_semaphore_inc_multicast(there, 3, 12U - (is_inside ? 1 : 0), kNocOfKernel,
                                            count % 2 == 0 ? std::uint8_t{4} : std::uint8_t{5});
            }
            noc_async_atomic_barrier();
        });
    }
    machine.run();
    const std::uint32_t address = semaphore_address(machine.architecture(), semaphore);
    for (const LogicalCoordinate core : cores_of(kUsual.rectangle)) {
        const bool is_source = std::ranges::count(sources, core) != 0;
        EXPECT_EQ(test::word_at(machine, core, address), (sources.size() - (is_source ? 1 : 0)) * kCount * 3)
            << to_string(core);
    }
}

TEST_P(Multicast, DataAreThereWhenTheSemaphoreThatIsLinkedToThemSaysSo) {
    Machine machine(GetParam().board, GetParam().settings);
    const std::vector<LogicalCoordinate> inside = cores_of(kUsual.rectangle);
    const std::uint32_t ready = machine.program().add_semaphore(inside, 0);
    const std::uint32_t taken = machine.program().add_semaphore(inside, 0);
    constexpr std::uint32_t kRounds = 4;
    constexpr std::uint32_t kSize = 3000;
    machine.add_kernel({kUsual.source, 0, GetParam().noc}, [&] {
        const L1Pointer words(kBuffer);
        const L1Pointer flag(get_semaphore(ready));
        for (std::uint32_t round = 1; round <= kRounds; ++round) {
            words[kSize / 4 - 1] = 1000 + round;
            noc_semaphore_set(flag, round);
            noc_async_write_multicast(kBuffer, multicast_address(machine, kUsual.rectangle, kFarBuffer), kSize,
                                      kUsualReceivers, true);
            noc_semaphore_set_multicast(get_semaphore(ready),
                                        multicast_address(machine, kUsual.rectangle, get_semaphore(ready)),
                                        kUsualReceivers);
            noc_semaphore_wait_min(L1Pointer(get_semaphore(taken)), round * kUsualReceivers);
        }
        noc_async_write_barrier();
    });
    std::map<LogicalCoordinate, std::vector<std::uint32_t>> seen;
    for (const LogicalCoordinate core : inside) {
        if (core == kUsual.source) {
            continue;
        }
        machine.add_kernel({core, 1, 1 - GetParam().noc}, [&, core] {
            for (std::uint32_t round = 1; round <= kRounds; ++round) {
                noc_semaphore_wait_min(L1Pointer(get_semaphore(ready)), round);
                seen[core].push_back(L1Pointer(kFarBuffer)[kSize / 4 - 1]);
                noc_semaphore_inc(
                    get_noc_addr(machine.x(kUsual.source), machine.y(kUsual.source), get_semaphore(taken)), 1);
            }
            noc_async_atomic_barrier();
        });
    }
    machine.run();
    ASSERT_EQ(seen.size(), kUsualReceivers);
    for (const auto& [core, words] : seen) {
        EXPECT_EQ(words, (std::vector<std::uint32_t>{1001, 1002, 1003, 1004})) << to_string(core);
    }
}

/// The receivers follow from the map alone.
TEST_P(Multicast, TheModelKnowsTheSameReceiversAndDepthsAsTheMap) {
    const Machine machine(GetParam().board, GetParam().settings);
    const Grid& grid = machine.device().grid();
    for (const MulticastGeometry& geometry : geometries()) {
        SCOPED_TRACE(testing::PrintToString(geometry));
        NocCoordinate first = grid.noc_coordinate(GetParam().noc, grid.physical(geometry.rectangle.first));
        NocCoordinate last = grid.noc_coordinate(GetParam().noc, grid.physical(geometry.rectangle.last));
        if (GetParam().noc == 1) {
            std::swap(first, last);
        }
        for (const bool includes_source : {false, true}) {
            const MulticastMap on_map = map(geometry, includes_source);
            const MulticastTree tree =
                multicast_tree(grid, GetParam().noc, grid.physical(geometry.source), {first, last}, includes_source);
            EXPECT_EQ(tree.depth, on_map.depth());
            std::vector<PhysicalCoordinate> receivers;
            receivers.reserve(tree.receivers.size());
            for (const NodeIndex receiver : tree.receivers) {
                receivers.push_back(grid.place_of_node(receiver));
            }
            std::ranges::sort(receivers);
            std::vector<PhysicalCoordinate> expected = on_map.receivers();
            std::ranges::sort(expected);
            EXPECT_EQ(receivers, expected);
        }
    }
}

}  // namespace

}  // namespace nocbench
