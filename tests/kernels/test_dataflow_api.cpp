// Every function of the kernel API, with real data. Errors are in test_kernel_errors.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/tensix/dataflow_api.h"
#include "tests/support/error_message.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::first_difference;
using test::kBuffer;
using test::Machine;
using test::Place;
using test::random_bytes;

constexpr LogicalCoordinate kHere{0, 0};
constexpr LogicalCoordinate kThere{3, 2};
constexpr std::uint32_t kFarBuffer = 0x90000;

void fill(Machine& machine, LogicalCoordinate core, std::uint32_t address, std::size_t size, std::byte value) {
    machine.device().write_l1(core, address, std::vector<std::byte>(size, value));
}

void set_word(Machine& machine, LogicalCoordinate core, std::uint32_t address, std::uint32_t value) {
    machine.device().write_l1(core, address, std::as_bytes(std::span(&value, 1)));
}

class DataflowApi : public testing::TestWithParam<std::string> {
protected:
    Machine machine{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(All, DataflowApi, testing::ValuesIn(test::all_boards()),
                         [](const auto& test) { return test.param; });

// Transfer of any length between separate buffers, which leaves adjacent bytes unchanged.

struct Transfer {
    std::uint32_t offset = 0;  // from the start of source and destination buffer
    std::uint32_t size = 0;
};

/// Returns transfers around a byte, a flit and a packet, with equal odd remainders at both ends.
std::vector<Transfer> transfers(const Machine& machine, bool one_packet) {
    const std::uint32_t flit = machine.flit_bytes();
    const std::uint32_t packet = machine.packet_bytes();
    std::vector<std::uint32_t> sizes{1, 2, 15, flit - 1, flit, flit + 1, 3 * flit + 5, packet - 1, packet};
    if (!one_packet) {
        sizes.insert(sizes.end(), {packet + 1, 2 * packet, 3 * packet + 2 * flit + 7});
    }
    std::vector<Transfer> all;
    std::uint32_t offset = 0;
    for (const std::uint32_t size : sizes) {
        for (const std::uint32_t remainder : {0U, 5U}) {
            all.push_back({offset + remainder, size});
            offset += (size + remainder + 2 * 64) / 64 * 64;
        }
    }
    return all;
}

/// Expects at `address` of `core` the bytes of `source` within transfers and `background` elsewhere.
void expect_transferred(Machine& machine, LogicalCoordinate core, std::uint32_t address,
                        const std::vector<std::byte>& source, std::byte background,
                        const std::vector<Transfer>& moved) {
    std::vector<std::byte> expected(source.size(), background);
    for (const Transfer& transfer : moved) {
        std::copy_n(source.begin() + transfer.offset, transfer.size, expected.begin() + transfer.offset);
    }
    const std::vector<std::byte> found = machine.device().read_l1(core, address, source.size());
    for (std::size_t index = 0; index < expected.size(); ++index) {
        ASSERT_EQ(found[index], expected[index]) << "byte " << index;
    }
}

constexpr std::byte kBackground{0xa5};

/// Returns the size of a buffer for the transfers, with some space behind them.
std::size_t room_for(const std::vector<Transfer>& moved) { return moved.back().offset + moved.back().size + 64; }

TEST_P(DataflowApi, ReadsAreOfAnyLength) {
    const std::vector<Transfer> moved = transfers(machine, false);
    const std::vector<std::byte> source = random_bytes(room_for(moved), 1);
    machine.device().write_l1(kThere, kFarBuffer, source);
    fill(machine, kHere, kBuffer, source.size(), kBackground);
    machine.run_kernel([&] {
        for (const Transfer& transfer : moved) {
            noc_async_read(get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer + transfer.offset),
                           kBuffer + transfer.offset, transfer.size);
        }
        noc_async_read_barrier();
    });
    expect_transferred(machine, kHere, kBuffer, source, kBackground, moved);
}

TEST_P(DataflowApi, ReadsOfOnePacket) {
    const std::vector<Transfer> moved = transfers(machine, true);
    const std::vector<std::byte> source = random_bytes(room_for(moved), 2);
    machine.device().write_l1(kThere, kFarBuffer, source);
    fill(machine, kHere, kBuffer, source.size(), kBackground);
    machine.run_kernel([&] {
        for (const Transfer& transfer : moved) {
            noc_async_read_one_packet(get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer + transfer.offset),
                                      kBuffer + transfer.offset, transfer.size);
        }
        noc_async_read_barrier();
    });
    expect_transferred(machine, kHere, kBuffer, source, kBackground, moved);
}

/// Runs a kernel that writes each transfer with `write(source address, NoC address, size)`.
template <class Write>
void expect_writes(Machine& machine, bool one_packet, const Write& write, const std::function<void()>& finish) {
    const std::vector<Transfer> moved = transfers(machine, one_packet);
    const std::vector<std::byte> source = random_bytes(room_for(moved), 3);
    machine.device().write_l1(kHere, kBuffer, source);
    fill(machine, kThere, kFarBuffer, source.size(), kBackground);
    machine.run_kernel([&] {
        for (const Transfer& transfer : moved) {
            write(kBuffer + transfer.offset,
                  get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer + transfer.offset), transfer.size);
        }
        finish();
    });
    expect_transferred(machine, kThere, kFarBuffer, source, kBackground, moved);
}

TEST_P(DataflowApi, WritesAreOfAnyLength) {
    expect_writes(
        machine, false, [](auto... arguments) { noc_async_write(arguments...); }, [] { noc_async_write_barrier(); });
}

TEST_P(DataflowApi, WritesOfOnePacket) {
    expect_writes(
        machine, true, [](auto... arguments) { noc_async_write_one_packet(arguments...); },
        [] { noc_async_write_barrier(); });
}

TEST_P(DataflowApi, PostedWritesAreOfAnyLength) {
    expect_writes(
        machine, false, [](auto... arguments) { noc_async_write<true>(arguments...); },
        [] { noc_async_posted_writes_flushed(); });
}

TEST_P(DataflowApi, PostedWritesOfOnePacket) {
    expect_writes(
        machine, true, [](auto... arguments) { noc_async_write_one_packet<true>(arguments...); },
        [] { noc_async_posted_writes_flushed(); });
}

TEST_P(DataflowApi, DynamicTransfersArrive) {
    constexpr std::uint32_t kSize = 20000;
    const std::vector<std::byte> source = random_bytes(kSize, 5);
    machine.device().write_l1(kHere, kBuffer, source);
    machine.run_kernel([&] {
        for (std::uint8_t vc = 0; vc < 4; ++vc) {
            noc_async_write(kBuffer, get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer), kSize,
                            kNocOfKernel, NOC_DYNAMIC_VC | vc);
        }
        noc_async_write_barrier();
        noc_async_read(get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer), kFarBuffer, kSize, kNocOfKernel,
                       NOC_DYNAMIC_VC | 2);
        noc_async_read_barrier();
    });
    EXPECT_EQ(first_difference(machine.device().read_l1(kThere, kFarBuffer, kSize), source), "");
    EXPECT_EQ(first_difference(machine.device().read_l1(kHere, kFarBuffer, kSize), source), "");
}

TEST_P(DataflowApi, TransfersGoOverEachVirtualChannelOfEitherNoc) {
    constexpr std::uint32_t kSize = 1000;
    constexpr std::uint32_t kStride = 1024;
    const std::vector<std::byte> source = random_bytes(std::size_t{8} * kStride, 4);
    machine.device().write_l1(kHere, kBuffer, source);
    machine.run_kernel([&] {
        for (std::uint8_t noc = 0; noc < kNumNocs; ++noc) {
            for (std::uint8_t vc = 0; vc < 4; ++vc) {
                const std::uint32_t offset = (noc * 4U + vc) * kStride;
                noc_async_write(kBuffer + offset,
                                get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer + offset, noc), kSize,
                                noc, vc);
            }
        }
        noc_async_write_barrier(0);
        noc_async_write_barrier(1);
        for (std::uint8_t noc = 0; noc < kNumNocs; ++noc) {
            for (std::uint8_t vc = 0; vc < 4; ++vc) {
                const std::uint32_t offset = (noc * 4U + vc) * kStride;
                noc_async_read(get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer + offset, noc),
                               kFarBuffer + offset, kSize, noc, vc);
            }
        }
        noc_async_read_barrier(0);
        noc_async_read_barrier(1);
    });
    for (std::uint32_t offset = 0; offset < source.size(); offset += kStride) {
        const std::vector<std::byte> sent(source.begin() + offset, source.begin() + offset + kSize);
        EXPECT_EQ(first_difference(machine.device().read_l1(kThere, kFarBuffer + offset, kSize), sent), "");
        EXPECT_EQ(first_difference(machine.device().read_l1(kHere, kFarBuffer + offset, kSize), sent), "");
    }
}

// Guarantees of barriers and flushes, and results without them.

TEST_P(DataflowApi, DataOfAReadAreThereAfterTheBarrierAndNotBefore) {
    set_word(machine, kThere, kFarBuffer, 1234);
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    machine.run_kernel([&] {
        const L1Pointer destination(kBuffer);
        noc_async_read(get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer), kBuffer, 64);
        before = *destination;
        noc_async_read_barrier();
        after = *destination;
    });
    EXPECT_EQ(before, 0U);
    EXPECT_EQ(after, 1234U);
}

TEST_P(DataflowApi, DataOfAWriteAreThereAfterTheBarrier) {
    set_word(machine, kHere, kBuffer, 1234);
    std::uint32_t read_back = 0;
    machine.run_kernel([&] {
        const std::uint64_t there = get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer);
        noc_async_write(kBuffer, there, 64);
        noc_async_write_barrier();
        noc_async_read(there, kFarBuffer, 64);
        noc_async_read_barrier();
        read_back = *L1Pointer(kFarBuffer);
    });
    EXPECT_EQ(read_back, 1234U);
}

/// A flush ends when the data have left the tile, long before the acknowledgement.
template <bool posted>
void expect_source_can_be_used_again(Machine& machine) {
    constexpr std::uint32_t kSize = 4096;
    const std::vector<std::byte> source = random_bytes(kSize, 5);
    machine.device().write_l1(kHere, kBuffer, source);
    machine.run_kernel([&] {
        noc_async_write<posted>(kBuffer, get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer), kSize);
        {
            DeviceZoneScopedN("flush");
            posted ? noc_async_posted_writes_flushed() : noc_async_writes_flushed();
        }
        const L1Pointer words(kBuffer);
        for (std::uint32_t word = 0; word < kSize / 4; ++word) {
            words[word] = 0;
        }
        {
            DeviceZoneScopedN("barrier");
            noc_async_write_barrier();
        }
    });
    EXPECT_EQ(first_difference(machine.device().read_l1(kThere, kFarBuffer, kSize), source), "");
    EXPECT_EQ(first_difference(machine.device().read_l1(kHere, kBuffer, kSize), std::vector<std::byte>(kSize)), "");
}

TEST_P(DataflowApi, AfterAFlushTheSourceCanBeUsedAgain) { expect_source_can_be_used_again<false>(machine); }

TEST_P(DataflowApi, AfterAFlushOfPostedWritesTheSourceCanBeUsedAgain) {
    expect_source_can_be_used_again<true>(machine);
}

TEST_P(DataflowApi, AFlushEndsBeforeTheBarrierWould) {
    machine.run_kernel([&] {
        const std::uint64_t there = get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer);
        // The first calls of a kernel take longer.
        noc_async_write(kBuffer, there, 64);
        noc_async_write(kBuffer, there, 64);
        noc_async_full_barrier();
        {
            DeviceZoneScopedN("barrier");
            noc_async_write(kBuffer, there, 64);
            noc_async_write_barrier();
        }
        {
            DeviceZoneScopedN("flush");
            noc_async_write(kBuffer, there, 64);
            noc_async_writes_flushed();
        }
        noc_async_full_barrier();
        {
            DeviceZoneScopedN("posted");
            noc_async_write<true>(kBuffer, there, 64);
            noc_async_posted_writes_flushed();
        }
    });
    const KernelResult result = machine.result();
    const Cycle round_trip = machine.architecture().router.hop_cycles * machine.device().grid().rows();
    EXPECT_LT(test::cycles(result.zone("flush")) + static_cast<double>(round_trip),
              test::cycles(result.zone("barrier")));
    EXPECT_EQ(test::cycles(result.zone("flush")), test::cycles(result.zone("posted")));
}

TEST_P(DataflowApi, BarriersWithNothingToWaitForEndAtOnce) {
    machine.run_kernel([] {
        DeviceZoneScopedN("barriers");
        noc_async_full_barrier(0);
        noc_async_full_barrier(1);
    });
    const Zone zone = machine.result().zone("barriers");
    EXPECT_EQ(zone.ledger.ticks(Cause::issue), zone.end - zone.start);
}

TEST_P(DataflowApi, TheFullBarrierWaitsForEverything) {
    const std::uint32_t semaphore = machine.program().add_semaphore({kHere, kThere}, 0);
    set_word(machine, kHere, kBuffer, 11);
    set_word(machine, kThere, kFarBuffer + 64, 22);
    std::array<std::uint32_t, 3> found{};
    machine.run_kernel([&] {
        const auto there = [&](std::uint32_t address) {
            return get_noc_addr(machine.x(kThere), machine.y(kThere), address);
        };
        noc_async_write(kBuffer, there(kFarBuffer), 64);
        noc_async_read(there(kFarBuffer + 64), kBuffer + 64, 64);
        noc_semaphore_inc(there(get_semaphore(semaphore)), 33);
        noc_async_full_barrier();
        found[0] = *L1Pointer(kBuffer + 64);
        noc_async_read(there(kFarBuffer), kBuffer + 128, 64);
        noc_async_read(there(get_semaphore(semaphore)), kBuffer + 192, 16);
        noc_async_read_barrier();
        found[1] = *L1Pointer(kBuffer + 128);
        found[2] = *L1Pointer(kBuffer + 192);
    });
    EXPECT_EQ(found, (std::array<std::uint32_t, 3>{22, 11, 33}));
}

TEST_P(DataflowApi, ABarrierWaitsForReadsThatWereIssuedOtherwise) {
    machine.add_kernel({kHere, 0, 0}, [&] {
        noc_async_read(get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer), kBuffer, 64);
        noc_async_read_inc_num_issued(1);
        noc_async_read_barrier();
    });
    EXPECT_NE(test::error_message([&] { machine.run(); }).find("for 2 reads to complete (1 have)"), std::string::npos);
}

TEST_P(DataflowApi, ANetworkInterfaceBelongsToOneRisc) {
    machine.add_kernel({kHere, 1, 1}, [&] {
        noc_async_read(get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer), kBuffer, 64, 0);
    });
    machine.add_kernel({kHere, 0, 0}, [] {});
    const std::string message = test::error_message([&] { machine.run(); });
    EXPECT_NE(message.find("noc_async_read: expected a NoC that no other RISC of the tile uses, found NoC 0, which "
                           "kernel"),
              std::string::npos)
        << message;
}

TEST_P(DataflowApi, SemaphoresHaveAWordOfTheirOwnAndAnInitialValue) {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t value = 100; value < 100 + kNumSemaphores; ++value) {
        ids.push_back(machine.program().add_semaphore({kHere, kThere}, value));
    }
    std::vector<std::uint32_t> addresses;
    std::vector<std::uint32_t> values;
    machine.run_kernel([&] {
        for (const std::uint32_t id : ids) {
            addresses.push_back(get_semaphore(id));
            values.push_back(*L1Pointer(get_semaphore(id)));
        }
    });
    for (std::uint32_t index = 0; index < kNumSemaphores; ++index) {
        EXPECT_EQ(ids[index], index);
        EXPECT_EQ(values[index], 100 + index);
        EXPECT_EQ(test::word_at(machine, kThere, addresses[index]), 100 + index);
        EXPECT_EQ(addresses[index] % 16, 0U);
        if (index > 0) {
            EXPECT_EQ(addresses[index], addresses[index - 1] + kSemaphoreBytes);
        }
    }
}

TEST_P(DataflowApi, NoIncrementOfASemaphoreIsLost) {
    constexpr std::uint32_t kIncrements = 20;
    const std::vector<LogicalCoordinate> cores{{0, 0}, {1, 0}, {0, 1}, {2, 3}, {4, 4}};
    std::vector<LogicalCoordinate> all = cores;
    all.push_back(kThere);
    const std::uint32_t semaphore = machine.program().add_semaphore(all, 0);
    std::uint32_t total = 0;
    for (std::uint32_t index = 0; index < cores.size(); ++index) {
        for (const int riscv : {0, 1}) {
            total += kIncrements * (index + 1);
            machine.add_kernel({cores[index], riscv, riscv}, [&, index] {
                for (std::uint32_t i = 0; i < kIncrements; ++i) {
                    noc_semaphore_inc(get_noc_addr(machine.x(kThere), machine.y(kThere), get_semaphore(semaphore)),
                                      index + 1);
                }
                noc_async_atomic_barrier();
            });
        }
    }
    std::uint32_t seen = 0;
    machine.add_kernel({kThere, 0, 0}, [&] {
        noc_semaphore_wait(L1Pointer(get_semaphore(semaphore)), total);
        seen = *L1Pointer(get_semaphore(semaphore));
    });
    machine.run();
    EXPECT_EQ(seen, total);
}

TEST_P(DataflowApi, IncrementsWrapLikeWords) {
    const std::uint32_t semaphore = machine.program().add_semaphore({kHere}, 5);
    machine.run_kernel([&] {
        noc_semaphore_inc(get_noc_addr(get_semaphore(semaphore)), static_cast<std::uint32_t>(-3));
        noc_async_atomic_barrier();
        noc_semaphore_wait(L1Pointer(get_semaphore(semaphore)), 2);
    });
}

TEST_P(DataflowApi, WaitMinEndsAtTheValueOrAbove) {
    const std::uint32_t semaphore = machine.program().add_semaphore({kHere, kThere}, 0);
    std::uint32_t seen = 0;
    machine.add_kernel({kHere, 0, 0}, [&] {
        noc_semaphore_inc(get_noc_addr(machine.x(kThere), machine.y(kThere), get_semaphore(semaphore)), 7);
        noc_async_atomic_barrier();
    });
    machine.add_kernel({kThere, 0, 0}, [&] {
        noc_semaphore_wait_min(L1Pointer(get_semaphore(semaphore)), 0);
        noc_semaphore_wait_min(L1Pointer(get_semaphore(semaphore)), 6);
        seen = *L1Pointer(get_semaphore(semaphore));
    });
    machine.run();
    EXPECT_EQ(seen, 7U);
}

TEST_P(DataflowApi, ASemaphoreOfAnotherCoreIsSet) {
    const std::uint32_t semaphore = machine.program().add_semaphore({kHere, kThere}, 3);
    machine.add_kernel({kHere, 0, 0}, [&] {
        const L1Pointer own(get_semaphore(semaphore));
        noc_semaphore_set(own, 42);
        noc_semaphore_set_remote(own.address(), get_noc_addr(machine.x(kThere), machine.y(kThere), own.address()));
        noc_async_write_barrier();
    });
    machine.add_kernel({kThere, 1, 1}, [&] { noc_semaphore_wait(L1Pointer(get_semaphore(semaphore)), 42); });
    machine.run();
    EXPECT_EQ(test::word_at(machine, kThere, semaphore_address(machine.architecture(), semaphore)), 42U);
    // Only one word was written: the next semaphore is still zero.
    EXPECT_EQ(test::word_at(machine, kThere, semaphore_address(machine.architecture(), semaphore) + 4), 0U);
}

TEST_P(DataflowApi, RiscsOfATileTakeTurnsBySemaphores) {
    constexpr std::uint32_t kRounds = 10;
    const std::uint32_t turn = machine.program().add_semaphore({kHere}, 0);
    std::vector<int> order;
    for (const int riscv : {0, 1}) {
        machine.add_kernel({kHere, riscv, riscv}, [&, riscv] {
            const L1Pointer semaphore(get_semaphore(turn));
            for (std::uint32_t round = 0; round < kRounds; ++round) {
                noc_semaphore_wait(semaphore, static_cast<std::uint32_t>(riscv));
                order.push_back(riscv);
                noc_semaphore_set(semaphore, static_cast<std::uint32_t>(1 - riscv));
            }
        });
    }
    machine.run();
    ASSERT_EQ(order.size(), 2 * kRounds);
    for (std::size_t index = 0; index < order.size(); ++index) {
        EXPECT_EQ(order[index], static_cast<int>(index % 2));
    }
}

TEST_P(DataflowApi, DataAreThereWhenTheSemaphoreSaysSo) {
    constexpr std::uint32_t kRounds = 5;
    constexpr std::uint32_t kSize = 2048;
    const std::uint32_t full = machine.program().add_semaphore({kHere, kThere}, 0);
    const std::uint32_t empty = machine.program().add_semaphore({kHere, kThere}, 0);
    machine.add_kernel({kHere, 0, 0}, [&] {
        const auto there = [&](std::uint32_t address) {
            return get_noc_addr(machine.x(kThere), machine.y(kThere), address);
        };
        const L1Pointer words(kBuffer);
        for (std::uint32_t round = 1; round <= kRounds; ++round) {
            words[kSize / 4 - 1] = 1000 + round;
            noc_async_write(kBuffer, there(kFarBuffer), kSize);
            noc_async_write_barrier();
            noc_semaphore_inc(there(get_semaphore(full)), 1);
            noc_semaphore_wait_min(L1Pointer(get_semaphore(empty)), round);
        }
        noc_async_atomic_barrier();
    });
    std::vector<std::uint32_t> seen;
    machine.add_kernel({kThere, 1, 1}, [&] {
        for (std::uint32_t round = 1; round <= kRounds; ++round) {
            noc_semaphore_wait_min(L1Pointer(get_semaphore(full)), round);
            seen.push_back(L1Pointer(kFarBuffer)[kSize / 4 - 1]);
            noc_semaphore_inc(get_noc_addr(machine.x(kHere), machine.y(kHere), get_semaphore(empty)), 1);
        }
        noc_async_atomic_barrier();
    });
    machine.run();
    EXPECT_EQ(seen, (std::vector<std::uint32_t>{1001, 1002, 1003, 1004, 1005}));
}

/// Reads pages from one core into a circular buffer and writes them from the buffer to another core.
void expect_pages_pass(Machine& machine, std::uint32_t page_bytes, std::uint32_t num_pages, std::uint32_t at_once,
                       std::uint32_t total) {
    constexpr std::uint32_t kId = 7;
    constexpr LogicalCoordinate kSink{1, 1};
    const std::vector<std::byte> source = random_bytes(std::size_t{page_bytes} * total, 6);
    machine.device().write_l1(kThere, kFarBuffer, source);
    machine.program().add_circular_buffer(kHere, kId, kBuffer, page_bytes, num_pages);
    std::vector<std::uint32_t> write_pointers;
    std::vector<std::uint32_t> read_pointers;
    machine.add_kernel({kHere, 1, 1}, [&] {
        for (std::uint32_t page = 0; page < total; page += at_once) {
            cb_reserve_back(kId, at_once);
            write_pointers.push_back(get_write_ptr(kId));
            noc_async_read(get_noc_addr(machine.x(kThere), machine.y(kThere), kFarBuffer + page * page_bytes),
                           get_write_ptr(kId), at_once * page_bytes);
            noc_async_read_barrier();
            cb_push_back(kId, at_once);
        }
    });
    machine.add_kernel({kHere, 0, 0}, [&] {
        for (std::uint32_t page = 0; page < total; page += at_once) {
            cb_wait_front(kId, at_once);
            read_pointers.push_back(get_read_ptr(kId));
            noc_async_write(get_read_ptr(kId),
                            get_noc_addr(machine.x(kSink), machine.y(kSink), kFarBuffer + page * page_bytes),
                            at_once * page_bytes);
            noc_async_write_barrier();
            cb_pop_front(kId, at_once);
        }
    });
    machine.run();
    EXPECT_EQ(first_difference(machine.device().read_l1(kSink, kFarBuffer, source.size()), source), "");
    EXPECT_EQ(write_pointers, read_pointers);
    for (std::uint32_t visit = 0; visit < write_pointers.size(); ++visit) {
        EXPECT_EQ(write_pointers[visit], kBuffer + visit * at_once % num_pages * page_bytes);
    }
}

TEST_P(DataflowApi, PagesPassThroughACircularBufferOfOnePage) { expect_pages_pass(machine, 64, 1, 1, 5); }

TEST_P(DataflowApi, PagesPassThroughACircularBufferThatWraps) { expect_pages_pass(machine, 1024, 3, 1, 20); }

TEST_P(DataflowApi, SeveralPagesAtOncePassThroughACircularBuffer) { expect_pages_pass(machine, 256, 6, 2, 30); }

TEST_P(DataflowApi, AFullCircularBufferHoldsUpTheProducer) {
    machine.program().add_circular_buffer(kHere, 0, kBuffer, 64, 2);
    constexpr std::uint32_t kConsumerIsLate = 200;  // delay in loads
    machine.add_kernel(
        {kHere, 1, 1},
        [] {
            DeviceZoneScopedN("producer");
            for (int page = 0; page < 3; ++page) {
                cb_reserve_back(0, 1);
                cb_push_back(0, 1);
            }
        },
        "producer");
    machine.add_kernel(
        {kHere, 0, 0},
        [] {
            for (std::uint32_t load = 0; load < kConsumerIsLate; ++load) {
                static_cast<void>(load_l1_word(kBuffer));
            }
            DeviceZoneScopedN("consumer");
            for (int page = 0; page < 3; ++page) {
                cb_wait_front(0, 1);
                cb_pop_front(0, 1);
            }
        },
        "consumer");
    machine.run();
    const Zone producer = machine.result("producer").zone("producer");
    const Zone consumer = machine.result("consumer").zone("consumer");
    EXPECT_GT(producer.end, consumer.start);
    EXPECT_GT(producer.ledger.ticks(Cause::circular_buffer), producer.ledger.ticks(Cause::issue));
}

TEST_P(DataflowApi, CircularBuffersOfACoreAreApart) {
    machine.program().add_circular_buffer(kHere, 0, kBuffer, 64, 2);
    machine.program().add_circular_buffer(kHere, 31, kBuffer + 128, 32, 4);
    std::vector<std::uint32_t> pointers;
    machine.run_kernel([&] {
        cb_reserve_back(31, 4);
        cb_push_back(31, 3);
        pointers = {get_write_ptr(0), get_read_ptr(0), get_write_ptr(31), get_read_ptr(31)};
        cb_wait_front(31, 3);
        cb_pop_front(31, 3);
        cb_reserve_back(31, 4);
    });
    EXPECT_EQ(pointers, (std::vector<std::uint32_t>{kBuffer, kBuffer, kBuffer + 128 + 96, kBuffer + 128}));
}

TEST_P(DataflowApi, ArgumentsComeAsTheyWereSet) {
    std::vector<std::uint32_t> found;
    std::int32_t negative = 0;
    machine.add_kernel({{2, 1}, 1, 0},
                       [&] {
                           found = {get_compile_time_arg_val(0), get_compile_time_arg_val(1),
                                    get_arg_val<std::uint32_t>(0), get_arg_val<std::uint32_t>(2),
                                    get_common_arg_val<std::uint32_t>(0)};
                           negative = get_arg_val<std::int32_t>(1);
                       },
                       "kernel", {10, 0xffffffff});
    machine.program().set_runtime_args({2, 1}, 1, {20, static_cast<std::uint32_t>(-21), 22});
    machine.program().set_common_runtime_args({2, 1}, 1, {30});
    machine.run();
    EXPECT_EQ(found, (std::vector<std::uint32_t>{10, 0xffffffff, 20, 22, 30}));
    EXPECT_EQ(negative, -21);
}

TEST_P(DataflowApi, AKernelKnowsWhereItIs) {
    const Grid& grid = machine.device().grid();
    const std::vector<Place> places{
        {{0, 0}, 0, 0}, {{0, 0}, 1, 1}, {{grid.compute_columns() - 1, grid.compute_rows() - 1}, 0, 1}, {{2, 4}, 1, 0}};
    for (const Place& place : places) {
        machine.add_kernel(place, [&, place] {
            EXPECT_EQ(noc_index(), place.noc);
            EXPECT_EQ(get_absolute_logical_x(), static_cast<std::uint32_t>(place.core.x));
            EXPECT_EQ(get_absolute_logical_y(), static_cast<std::uint32_t>(place.core.y));
            for (const std::uint8_t noc : {std::uint8_t{0}, std::uint8_t{1}, kNocOfKernel}) {
                EXPECT_EQ(my_x(noc), machine.x(place.core));
                EXPECT_EQ(my_y(noc), machine.y(place.core));
            }
        });
    }
    machine.run();
}

TEST_P(DataflowApi, NocAddressesHoldTheTileAboveTheAddress) {
    machine.run_kernel([&] {
        for (const std::uint8_t noc : {std::uint8_t{0}, std::uint8_t{1}, kNocOfKernel}) {
            EXPECT_EQ(get_noc_addr(19, 22, 0x12345678, noc),
                      0x12345678 + (std::uint64_t{19} << 36) + (std::uint64_t{22} << 42));
            EXPECT_EQ(get_noc_addr(0x12345678, noc), get_noc_addr(my_x(), my_y(), 0x12345678, noc));
        }
    });
}

TEST_P(DataflowApi, AnAddressOnTheOwnTileLeadsToTheOwnTile) {
    const std::vector<std::byte> data = random_bytes(300, 7);
    machine.device().write_l1({2, 2}, kBuffer, data);
    machine.add_kernel({{2, 2}, 1, 1}, [&] {
        noc_async_write(kBuffer, get_noc_addr(kFarBuffer), 300);
        noc_async_write_barrier();
        noc_async_read(get_noc_addr(kFarBuffer), kFarBuffer + 512, 300);
        noc_async_read_barrier();
    });
    machine.run();
    EXPECT_EQ(first_difference(machine.device().read_l1({2, 2}, kFarBuffer, 300), data), "");
    EXPECT_EQ(first_difference(machine.device().read_l1({2, 2}, kFarBuffer + 512, 300), data), "");
}

TEST_P(DataflowApi, EveryBankIsReachedOnBothNocs) {
    constexpr std::uint32_t kSize = 500;
    constexpr std::uint32_t kStride = 512;
    const auto num_banks = static_cast<std::uint32_t>(machine.device().grid().dram_banks().size());
    const auto last_address = static_cast<std::uint32_t>(machine.architecture().dram.bank_size_bytes - kStride);
    for (std::uint32_t bank = 0; bank < num_banks; ++bank) {
        machine.device().write_dram(bank, 0, random_bytes(kSize, 100 + bank));
        machine.device().write_dram(bank, last_address, random_bytes(kSize, 200 + bank));
    }
    for (const int noc : {0, 1}) {
        machine.add_kernel({kHere, noc, noc}, [&, noc] {
            const std::uint32_t buffer = kBuffer + static_cast<std::uint32_t>(noc) * 2 * kStride * num_banks;
            for (std::uint32_t bank = 0; bank < num_banks; ++bank) {
                noc_async_read(get_noc_addr_from_bank_id<true>(bank, 0), buffer + 2 * bank * kStride, kSize);
                noc_async_read(get_noc_addr_from_bank_id<true>(bank, last_address), buffer + (2 * bank + 1) * kStride,
                               kSize);
            }
            noc_async_read_barrier();
            for (std::uint32_t bank = 0; bank < num_banks; ++bank) {
                noc_async_write(buffer + 2 * bank * kStride,
                                get_noc_addr_from_bank_id<true>(bank, (1 + static_cast<std::uint32_t>(noc)) * kStride),
                                kSize);
            }
            noc_async_write_barrier();
        });
    }
    machine.run();
    for (std::uint32_t bank = 0; bank < num_banks; ++bank) {
        SCOPED_TRACE(bank);
        const std::vector<std::byte> first = random_bytes(kSize, 100 + bank);
        const std::vector<std::byte> last = random_bytes(kSize, 200 + bank);
        for (const std::uint32_t noc : {0U, 1U}) {
            const std::uint32_t buffer = kBuffer + noc * 2 * kStride * num_banks;
            EXPECT_EQ(first_difference(machine.device().read_l1(kHere, buffer + 2 * bank * kStride, kSize), first), "");
            EXPECT_EQ(first_difference(machine.device().read_l1(kHere, buffer + (2 * bank + 1) * kStride, kSize), last),
                      "");
            EXPECT_EQ(
                first_difference(machine.device().read_dram(bank, std::uint64_t{1 + noc} * kStride, kSize), first), "");
        }
        EXPECT_EQ(first_difference(machine.device().read_dram(bank, 0, kSize), first), "");
        EXPECT_EQ(first_difference(machine.device().read_dram(bank, std::uint64_t{3} * kStride, kSize),
                                   std::vector<std::byte>(kSize)),
                  "");
    }
}

TEST_P(DataflowApi, TransfersOfDramAreOfAnyLength) {
    std::vector<Transfer> moved = transfers(machine, false);
    const std::vector<std::byte> source = random_bytes(room_for(moved), 8);
    machine.device().write_dram(1, 0, source);
    machine.device().write_dram(1, 0x100000, std::vector<std::byte>(source.size(), kBackground));
    fill(machine, kHere, kBuffer, source.size(), kBackground);
    machine.run_kernel([&] {
        for (const Transfer& transfer : moved) {
            noc_async_read(get_noc_addr_from_bank_id<true>(1, transfer.offset), kBuffer + transfer.offset,
                           transfer.size);
        }
        noc_async_read_barrier();
        for (const Transfer& transfer : moved) {
            noc_async_write(kBuffer + transfer.offset, get_noc_addr_from_bank_id<true>(1, 0x100000 + transfer.offset),
                            transfer.size);
        }
        noc_async_write_barrier();
    });
    expect_transferred(machine, kHere, kBuffer, source, kBackground, moved);
    EXPECT_EQ(first_difference(machine.device().read_dram(1, 0x100000, source.size()),
                               machine.device().read_l1(kHere, kBuffer, source.size())),
              "");
}

TEST_P(DataflowApi, ZonesNest) {
    machine.run_kernel([] {
        const auto work = [](int loads) {
            for (int load = 0; load < loads; ++load) {
                static_cast<void>(load_l1_word(kBuffer));
            }
        };
        DeviceZoneScopedN("outer");
        work(1);
        {
            DeviceZoneScopedN("first");
            work(2);
            {
                DeviceZoneScopedN("innermost");
                work(3);
            }
        }
        {
            DeviceZoneScopedN("second");
            work(4);
        }
        work(5);
    });
    const KernelResult result = machine.result();
    std::vector<std::string> names;
    std::vector<std::int32_t> parents;
    for (const Zone& zone : result.zones) {
        names.push_back(zone.name);
        parents.push_back(zone.parent);
        EXPECT_TRUE(zone.is_closed());
        EXPECT_EQ(zone.ledger.total(), zone.end - zone.start) << zone.name;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"kernel", "outer", "first", "innermost", "second"}));
    EXPECT_EQ(parents, (std::vector<std::int32_t>{-1, 0, 1, 2, 1}));

    const Tick load = machine.architecture().risc.l1_load_ticks;
    const Tick zone = machine.architecture().risc.zone_ticks;
    const auto duration = [&](const char* name) { return result.zone(name).end - result.zone(name).start; };
    EXPECT_EQ(duration("innermost"), zone + 3 * load);
    EXPECT_EQ(duration("first"), 2 * zone + 5 * load);
    EXPECT_EQ(duration("second"), zone + 4 * load);
    EXPECT_EQ(duration("outer"), 4 * zone + 15 * load);
    EXPECT_EQ(duration("kernel"), duration("outer"));
    EXPECT_EQ(result.zone("first").end, result.zone("second").start);
}

TEST_P(DataflowApi, TimestampedDataComeInOrder) {
    machine.run_kernel([] {
        DeviceTimestampedData("first", 1);
        static_cast<void>(load_l1_word(kBuffer));
        DeviceTimestampedData("second", 0xffffffffffffffff);
        DeviceTimestampedData("first", 3);
    });
    const std::vector<TimestampedValue> values = machine.result().timestamped_values;
    ASSERT_EQ(values.size(), 3U);
    EXPECT_EQ(values[0].name, "first");
    EXPECT_EQ(values[0].value, 1U);
    EXPECT_EQ(values[0].tick, 0);
    EXPECT_EQ(values[1].name, "second");
    EXPECT_EQ(values[1].value, 0xffffffffffffffff);
    EXPECT_EQ(values[1].tick, machine.architecture().risc.l1_load_ticks);
    EXPECT_EQ(values[2].name, "first");
    EXPECT_EQ(values[2].tick, values[1].tick);
}

TEST_P(DataflowApi, WordsOfL1AreStoredAndLoaded) {
    std::vector<std::uint32_t> seen;
    machine.run_kernel([&] {
        const L1Pointer words(kBuffer);
        *words = 5;
        words[3] = 6;
        words[1] = words[0] + words[3];
        seen = {words[0], words[1], words[2], words[3]};
    });
    EXPECT_EQ(seen, (std::vector<std::uint32_t>{5, 11, 0, 6}));
    EXPECT_EQ(test::word_at(machine, kHere, kBuffer + 4), 11U);
}

}  // namespace

}  // namespace nocbench
