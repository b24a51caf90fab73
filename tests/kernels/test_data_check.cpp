// Data check of every test: accepted transfers, and every kind of failure.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/primitive.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/machine.h"

namespace nocbench::test {

namespace {

using namespace nocbench::dataflow;

constexpr LogicalCoordinate kSource{0, 0};
constexpr LogicalCoordinate kDestination{2, 1};
constexpr std::uint32_t kTarget = kL1BufferAddress + 0x10000;

/// Fixture that runs a kernel on core kSource and checks its transactions: three writes of a buffer to address kTarget
/// of core kDestination.
class DataCheckTest : public testing::Test {
protected:
    /// Returns the fault after running `kernel` on core kSource and applying `afterwards` to the device.
    std::string fault(std::uint32_t call_size_bytes, std::function<void()> kernel,
                      const std::function<void(Device&)>& afterwards = {}) {
        machine_ = std::make_unique<Machine>("n150");
        const Point point(machine_->device(), {},
                          {{"num_transactions", "3"}, {"call_size", std::to_string(call_size_bytes)}});
        const Grid& grid = machine_->device().grid();
        const MemoryPlace source = l1_place(grid, kSource, kL1BufferAddress);
        DataCheck check(point);
        check.expect(
            {"kernel", TransactionKind::write, source, l1_place(grid, kDestination, kTarget), check.fill(source)});
        size_ = call_size_bytes;
        machine_->add_kernel({kSource, 0, 0}, std::move(kernel));
        machine_->run();
        if (afterwards) {
            afterwards(machine_->device());
        }
        return check.fault("kernel");
    }

    /// Writes `size` bytes at `offset` of the buffer to the same offset of the target.
    void write(std::uint32_t offset, std::uint32_t size, std::uint32_t target = kTarget) {
        noc_async_write(kL1BufferAddress + offset, address(kDestination, target + offset), size);
    }
    void write_all() { write(0, size_); }

    std::uint64_t address(LogicalCoordinate core, std::uint32_t in_l1) {
        return get_noc_addr(machine_->x(core), machine_->y(core), in_l1);
    }

    std::unique_ptr<Machine> machine_;
    std::uint32_t size_ = 0;
};

TEST_F(DataCheckTest, AcceptsEveryByteAsOftenAsThereAreTransactions) {
    for (const std::uint32_t size : {1U, 64U, 8192U, 8193U, 50000U}) {
        EXPECT_EQ(fault(size,
                        [&] {
                            for (int i = 0; i < 3; ++i) {
                                write_all();
                            }
                            noc_async_write_barrier();
                        }),
                  "");
    }
}

TEST_F(DataCheckTest, AcceptsPacketsOfOtherLengths) {
    EXPECT_EQ(fault(4096,
                    [&] {
                        for (int i = 0; i < 3; ++i) {
                            write(1024, 3072);
                            write(0, 1024);
                        }
                        noc_async_write_barrier();
                    }),
              "");
}

TEST_F(DataCheckTest, MissesATransaction) {
    EXPECT_EQ(fault(64,
                    [&] {
                        write_all();
                        write_all();
                    }),
              "packet 1 of 1 from core (0, 0) to core (2, 1): expected 192 bytes in all transactions, found 128");
    EXPECT_EQ(fault(64, [] {}),
              "packet 1 of 1 from core (0, 0) to core (2, 1): expected 192 bytes in all transactions, found 0");
}

TEST_F(DataCheckTest, NoticesATransactionTooMany) {
    EXPECT_EQ(fault(64,
                    [&] {
                        for (int i = 0; i < 4; ++i) {
                            write_all();
                        }
                    }),
              "packet 1 of 1 from core (0, 0) to core (2, 1): expected 192 bytes in all transactions, found 256");
}

/// The number of bytes and the final contents are right.
TEST_F(DataCheckTest, NoticesOnePacketInPlaceOfAnother) {
    EXPECT_EQ(fault(16384,
                    [&] {
                        write_all();
                        write_all();
                        write(0, 8192);
                        write(0, 8192);
                    }),
              "packet 1 of 2 from core (0, 0) to core (2, 1): expected 24576 bytes in all transactions, found 32768");
}

TEST_F(DataCheckTest, NoticesAWrongPlaceAtTheDestination) {
    EXPECT_EQ(fault(64, [&] { write(0, 64, kTarget + 16); }),
              "64 bytes from 0x40000 to 0x50010 from core (0, 0) to core (2, 1): expected the part of a buffer from "
              "0x40000 to 0x50000");
    EXPECT_NE(fault(64, [&] { noc_async_write(kL1BufferAddress + 16, address(kDestination, kTarget), 48); }), "");
    EXPECT_NE(fault(64, [&] { noc_async_write(kL1BufferAddress - 16, address(kDestination, kTarget - 16), 64); }), "");
    EXPECT_NE(fault(64, [&] { write(0, 80); }), "");
}

TEST_F(DataCheckTest, NoticesStrangers) {
    const auto three = [&] {
        for (int i = 0; i < 3; ++i) {
            write_all();
        }
    };
    EXPECT_EQ(fault(64,
                    [&] {
                        three();
                        noc_async_write(kL1BufferAddress, address({3, 3}, kTarget), 32);
                    }),
              "32 bytes from core (0, 0) to core (3, 3): expected none");
    EXPECT_EQ(fault(64,
                    [&] {
                        three();
                        noc_async_read(address(kDestination, kTarget), kL1BufferAddress, 64);
                        noc_async_read_barrier();
                    }),
              "64 bytes from core (2, 1) to core (0, 0): expected none");
    EXPECT_EQ(fault(64,
                    [&] {
                        three();
                        noc_async_write(kL1BufferAddress, get_noc_addr_from_bank_id<true>(0, 0), 32);
                    }),
              "32 bytes from core (0, 0) to DRAM tile at (0, 11): expected none");
}

/// The source has changed in the device, so an exact copy is wrong.
TEST_F(DataCheckTest, KnowsTheDataByItself) {
    EXPECT_EQ(fault(64,
                    [&] {
                        store_l1_word(kL1BufferAddress + 8, ~load_l1_word(kL1BufferAddress + 8));
                        write_all();
                    })
                  .substr(0, 95),
              "transaction 1 of 3, packet 1 of 1 at 0x50000 from core (0, 0) to core (2, 1): byte 8: expected ");
}

TEST_F(DataCheckTest, LooksAtTheMemoryInTheEnd) {
    for (const std::uint32_t offset : {0U, 9000U, 19999U}) {
        EXPECT_EQ(fault(
                      20000,
                      [&] {
                          for (int i = 0; i < 3; ++i) {
                              write_all();
                          }
                      },
                      [&](Device& device) {
                          std::vector<std::byte> byte = device.read_l1(kDestination, kTarget + offset, 1);
                          byte.front() = ~byte.front();
                          device.write_l1(kDestination, kTarget + offset, byte);
                      })
                      .substr(0, 51),
                  fmt::format("memory of core (2, 1) at 0x{:x} in the end: byte {}", kTarget + offset / 8192 * 8192,
                              offset % 8192)
                      .substr(0, 51));
    }
}

/// Buffers between one pair of tiles: two consecutive buffers moved different numbers of times, and a longer buffer
/// that begins with the first.
class SeveralCopies : public testing::Test {
protected:
    static constexpr std::uint32_t kSecond = 0x4000;  // offset, at source and destination

    std::string fault(std::function<void()> kernel) {
        const Point point(machine_.device(), {}, {{"num_transactions", "1"}, {"call_size", "64"}});
        DataCheck check(point);
        EXPECT_THROW(check_overlap(point, 0, 64, 48), std::logic_error);
        EXPECT_THROW(check_overlap(point, 1024, 64, 1008), std::logic_error);
        EXPECT_NO_THROW(check_overlap(point, 0, 64, 64));
        check.expect(copy(check, 0, 64, 2));
        check.expect(copy(check, 0, 10000, 1));
        check.expect(copy(check, kSecond, 64, 1));
        machine_.add_kernel({kSource, 0, 0}, std::move(kernel));
        machine_.run();
        return check.fault("kernel");
    }

    /// Expects two copies of `size` bytes, at `offset` and at `other_offset`.
    void check_overlap(const Point& point, std::uint32_t offset, std::size_t size, std::uint32_t other_offset) {
        DataCheck check(point);
        check.expect(copy(check, offset, size, 1));
        check.expect(copy(check, other_offset, size, 1));
    }

    DataCheck::Copy copy(DataCheck& check, std::uint32_t offset, std::size_t size, std::uint64_t times) {
        const Grid& grid = machine_.device().grid();
        const MemoryPlace source = l1_place(grid, kSource, kL1BufferAddress + offset);
        return {"kernel",
                TransactionKind::write,
                source,
                l1_place(grid, kDestination, kTarget + offset),
                check.fill(source, static_cast<NodeIndex>(offset), size),
                times};
    }

    void write(std::uint32_t offset, std::uint32_t size) {
        noc_async_write(kL1BufferAddress + offset,
                        get_noc_addr(machine_.x(kDestination), machine_.y(kDestination), kTarget + offset), size);
    }

    Machine machine_{"n150"};
};

TEST_F(SeveralCopies, AreToldApartByTheirAddresses) {
    EXPECT_EQ(fault([&] {
                  write(0, 64);
                  write(kSecond, 64);
                  write(0, 10000);
                  write(0, 64);
              }),
              "");
}

TEST_F(SeveralCopies, AreCountedApart) {
    EXPECT_EQ(fault([&] {
                  write(0, 64);
                  write(kSecond, 64);
                  write(kSecond, 64);
                  write(0, 10000);
                  write(0, 64);
              }),
              "packet 1 of 1 from core (0, 0) to core (2, 1): expected 64 bytes in all transactions, found 128");
}

TEST_F(SeveralCopies, OfOneBeginAreCountedTogether) {
    EXPECT_EQ(fault([&] {
                  write(kSecond, 64);
                  write(0, 10000);
                  write(0, 64);
              }),
              "packet 1 of 2 from core (0, 0) to core (2, 1): expected 8320 bytes in all transactions, found 8256");
}

/// Copies from one buffer to two addresses of a tile are distinguished by the distance from source to destination.
TEST(CopiesToTwoPlaces, AreToldApartByTheirDistance) {
    constexpr std::uint32_t kOther = kTarget + 0x4000;
    const auto fault = [](const std::vector<std::uint32_t>& targets) {
        Machine machine("n150");
        const Grid& grid = machine.device().grid();
        const Point point(machine.device(), {}, {{"num_transactions", "1"}, {"call_size", "64"}});
        const MemoryPlace source = l1_place(grid, kSource, kL1BufferAddress);
        DataCheck check(point);
        const DataCheck::Data data = check.fill(source);
        for (const std::uint32_t target : {kTarget, kOther}) {
            check.expect({"kernel", TransactionKind::write, source, l1_place(grid, kDestination, target), data});
        }
        machine.add_kernel({kSource, 0, 0}, [&] {
            for (const std::uint32_t target : targets) {
                noc_async_write(kL1BufferAddress,
                                get_noc_addr(machine.x(kDestination), machine.y(kDestination), target), 64);
            }
            noc_async_write_barrier();
        });
        machine.run();
        return check.fault("kernel");
    };
    EXPECT_EQ(fault({kOther, kTarget}), "");
    EXPECT_EQ(fault({kOther, kOther}),
              "packet 1 of 1 from core (0, 0) to core (2, 1): expected 64 bytes in all transactions, found 0");
}

/// Word that a kernel writes to a semaphore: for synchronization, and in some tests as data.
class DataCheckOfSemaphores : public testing::Test {
protected:
    static std::string fault(bool is_expected, std::uint32_t times) {
        Machine machine("n150");
        const Grid& grid = machine.device().grid();
        const TorusArchitecture& architecture = machine.device().architecture();
        const Point point(machine.device(), {}, {{"num_transactions", "2"}, {"call_size", "4"}});
        const MemoryPlace word = l1_place(grid, kSource, semaphore_address(architecture, 1));
        const MemoryPlace flag = l1_place(grid, kDestination, semaphore_address(architecture, 0));
        const MemoryPlace other_flag = l1_place(grid, kDestination, semaphore_address(architecture, 2));
        DataCheck check(point);
        const DataCheck::Data data = check.fill(word);
        if (is_expected) {
            check.expect({"kernel", TransactionKind::write, word, flag, data});
        }
        machine.add_kernel({kSource, 0, 0}, [&] {
            const auto set_remote = [&](const MemoryPlace& semaphore) {
                noc_semaphore_set_remote(static_cast<std::uint32_t>(word.address),
                                         get_noc_addr(machine.x(kDestination), machine.y(kDestination),
                                                      static_cast<std::uint32_t>(semaphore.address)));
            };
            for (std::uint32_t i = 0; i < times; ++i) {
                set_remote(flag);
                set_remote(other_flag);
            }
            noc_async_write_barrier();
        });
        machine.run();
        return check.fault("kernel");
    }
};

TEST_F(DataCheckOfSemaphores, AreNoDataOfTheTest) { EXPECT_EQ(fault(false, 1), ""); }

TEST_F(DataCheckOfSemaphores, AreCountedWhereTheyAreExpected) {
    EXPECT_EQ(fault(true, 2), "");
    EXPECT_EQ(fault(true, 1),
              "packet 1 of 1 from core (0, 0) to core (2, 1): expected 8 bytes in all transactions, found 4");
}

TEST(DataCheckTogether, LeavesOtherObserversInPlace) {
    Machine machine("n150");
    int seen = 0;
    machine.device().observers().delivered = [&](const Delivery&) { ++seen; };
    const Point point(machine.device(), {}, {{"num_transactions", "1"}, {"call_size", "64"}});
    const auto copy = [&] {
        noc_async_write(kL1BufferAddress, get_noc_addr(machine.x(kDestination), machine.y(kDestination), kTarget), 64);
    };
    {
        const DataCheck check(point);
        machine.add_kernel({kSource, 0, 0}, copy);
        machine.run();
        EXPECT_EQ(seen, 1);
        EXPECT_EQ(check.fault("kernel"), "64 bytes from core (0, 0) to core (2, 1): expected none");
    }
    machine.add_kernel({{1, 1}, 0, 0}, copy);
    machine.run();
    EXPECT_EQ(seen, 2);
}

TEST(DataCheckTogether, ResultRowsSayWhatWasWrongFirst) {
    int seen = 0;
    const PointResult point =
        run_point(find_test("One to One Packet Sizes"), "wormhole_b0", "",
                  {{"num_transactions", "3"}, {"call_size", "16384"}}, {}, [&](nocbench::Machine& device) {
                      device.observers().tamper = [&](const Delivery&, std::span<std::byte> bytes) {
                          if (++seen >= 4) {
                              bytes[5] = ~bytes[5];
                          }
                      };
                  });
    ASSERT_EQ(point.rows.size(), 1U);
    EXPECT_FALSE(point.rows[0].data_ok);
    EXPECT_EQ(point.rows[0].data_fault.substr(0, 95),
              "transaction 2 of 3, packet 2 of 2 at 0x42000 from core (0, 0) to core (1, 1): byte 5: expected ");
}

TEST(DataCheckTogether, PatternsDifferFromTileToTile) {
    Machine machine("p100");
    const Point point(machine.device(), {}, {{"num_transactions", "1"}, {"call_size", "64"}});
    const int num_tiles = machine.device().grid().num_nodes();
    for (int tile = 0; tile < num_tiles; ++tile) {
        for (int other = 0; other < tile; ++other) {
            EXPECT_NE(point.pattern(64, static_cast<NodeIndex>(tile)),
                      point.pattern(64, static_cast<NodeIndex>(other)));
        }
    }
}

}  // namespace

}  // namespace nocbench::test
