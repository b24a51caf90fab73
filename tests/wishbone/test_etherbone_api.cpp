// Programs on a host: messages made from their cycles, results, and errors.
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/fpga.h"
#include "device_model/wishbone/wishbone_machine.h"
#include "kernels/etherbone/etherbone_api.h"
#include "tests/support/error_message.h"
#include "tests/wishbone/hex.h"

namespace nocbench::etherbone {

namespace {

constexpr Address kMemory = 0x1'0000;  // arbitrary address in the FPGA's memory
constexpr Address kUnowned = 0x9000'0000;

const WishboneBoard& board(const std::string& name) {
    static const Architecture architecture = load_architecture(find_architecture("etherbone"));
    return wishbone_of(architecture.board(name));
}

std::vector<std::string> all_boards() {
    std::vector<std::string> names;
    for (const auto& [name, other] : load_architecture(find_architecture("etherbone")).boards) {
        names.push_back(name);
    }
    return names;
}

/// Returns the lengths of a program's requests.
std::vector<std::size_t> run(const std::string& board_name, const std::function<void(Device&)>& program) {
    WishboneMachine machine(board(board_name));
    std::vector<std::size_t> lengths;
    machine.framed = [&](const EtherboneFrame& frame) {
        if (frame.is_request) {
            lengths.push_back(frame.bytes.size());
        }
    };
    machine.add_kernel("program", [&](WishboneHost& host) {
        Socket socket(host);
        Device device(socket);
        program(device);
    });
    machine.run();
    lengths.erase(lengths.begin());  // removes the probe
    return lengths;
}

std::string records(const std::vector<Operation>& operations, bool is_checked, std::uint64_t return_address) {
    return wishbone::test::to_hex(encode_cycle(operations, is_checked, return_address, {}).records);
}

Operation read_of(Address address) { return {.address = address}; }
Operation write_to(Address address, Value value) { return {.is_write = true, .address = address, .value = value}; }

// Source: observed on the wire with the hardware's library.
TEST(EtherboneApi, PutsCyclesIntoRecordsAsTheLibraryDoes) {
    const std::vector<Operation> configuration{{.is_configuration = true, .address = 8},
                                               {.is_configuration = true, .address = 0xc}};
    EXPECT_EQ(records(configuration, false, 0x8000), "e80f0002 00008000 00000008 0000000c");
    EXPECT_EQ(records({read_of(0x10010)}, true, 0x8000), "a00f0001 00008000 00010010 e80f0001 00008001 00000004");
    EXPECT_EQ(records({read_of(0x10010)}, false, 0x8000), "a80f0001 00008000 00010010");
    EXPECT_EQ(records({write_to(0x10010, 1), write_to(0x10014, 2), write_to(0x10018, 3)}, true, 0x8000),
              "e80f0301 00010010 00000001 00000002 00000003 00008001 00000004");
    EXPECT_EQ(records({write_to(0x10010, 1), write_to(0x10010, 2), write_to(0x10010, 3)}, true, 0x8002),
              "ea0f0301 00010010 00000001 00000002 00000003 00008003 00000004");
    EXPECT_EQ(records({write_to(0x10010, 1), write_to(0x10030, 2)}, true, 0x8004),
              "a00f0100 00010010 00000001 e80f0101 00010030 00000002 00008005 00000004");
    EXPECT_EQ(records({write_to(0x10010, 0xaabbccdd), read_of(0x10010), read_of(0x10014)}, true, 0x8006),
              "a00f0102 00010010 aabbccdd 00008006 00010010 00010014 e80f0001 00008007 00000004");
    EXPECT_EQ(records({write_to(0x10010, 7)}, false, 0x8000), "a80f0100 00010010 00000007");
    // A byte in its byte lane, with its status in a separate record.
    EXPECT_EQ(records({{.is_write = true, .address = 0x10011, .size_bytes = 1, .value = 0x5a}}, true, 0x8000),
              "a0040100 00010011 005a0000 e80f0001 00008001 00000004");
}

TEST(EtherboneApi, ChecksAfterAsManyOperationsAsTheStatusHasBits) {
    const EncodedCycle cycle = encode_cycle(std::vector<Operation>(70, read_of(kMemory)), true, 0x8000, {});
    EXPECT_EQ(cycle.num_results, 70U);
    EXPECT_EQ(cycle.num_statuses, 3U);
}

// Source: messages of the published measurement, observed on the wire.
TEST(EtherboneApi, SendsMessagesOfTheLengthsOfTheLibrary) {
    const auto queue = [](int timestamps) {
        return [timestamps](Device& device) {
            std::vector<Value> values(static_cast<std::size_t>(2 * timestamps));
            for (int number = 0; number < 90; ++number) {
                Cycle cycle(device, [](const CycleResult&) {});
                for (Value& value : values) {
                    cycle.read(wishbone::kEventUnitAddress + 0x18, &value);
                }
                cycle.close();
            }
            device.socket().run();
        };
    };
    EXPECT_EQ(run("exploder_gige", queue(8)), (std::vector<std::size_t>{1432, 1432, 1432, 1432, 1432, 424}));
    EXPECT_EQ(run("exploder_gige", queue(1)), (std::vector<std::size_t>{1460, 1068}));
    EXPECT_EQ(run("scu3_pcie", queue(8)), (std::vector<std::size_t>{4104, 7560 - 4104}));
    const auto latch_cycle = [](Device& device) {
        Cycle cycle(device);
        for (const Address offset : {0x0U, 0x68U, 0x6cU}) {
            cycle.read(wishbone::kLatchUnitAddress + offset, nullptr);
        }
        cycle.write(wishbone::kLatchUnitAddress + 0x5c, 1);
        cycle.close();
    };
    EXPECT_EQ(run("exploder_gige", latch_cycle), std::vector<std::size_t>{44});
}

TEST(EtherboneApi, CycleFitsIntoADatagram) {
    const auto reads = [](int count, bool is_checked) {
        return [count, is_checked] {
            run("exploder_gige", [&](Device& device) {
                Cycle cycle(device);
                for (int number = 0; number < count; ++number) {
                    cycle.read(kMemory, nullptr);
                }
                if (is_checked) {
                    cycle.close();
                } else {
                    cycle.close_silently();
                }
            });
        };
    };
    EXPECT_NO_THROW(reads(317, true)());
    EXPECT_NO_THROW(reads(363, false)());
    EXPECT_EQ(
        test::error_message(reads(318, true)),
        "kernel 'program' on the host: close: cycle length overflow: expected a cycle that fits into a datagram of "
        "1472 bytes, found 1476 bytes");
    EXPECT_NE(test::error_message(reads(364, false)), "");
}

TEST(EtherboneApi, DataComeBackOnEveryBoard) {
    for (const std::string& name : all_boards()) {
        run(name, [&](Device& device) {
            for (std::uint32_t word = 0; word < 700; ++word) {
                Cycle cycle(device, [](const CycleResult& result) { EXPECT_TRUE(result.is_ok()); });
                cycle.write(Address{4} * word, 0x1000'0000 + word);
                cycle.close();
            }
            device.socket().run();
            std::vector<Value> values(100);
            Cycle cycle(device);
            for (std::size_t word = 0; word < values.size(); ++word) {
                cycle.read(4 * (600 + word), &values[word]);
            }
            EXPECT_TRUE(cycle.close().is_ok());
            for (std::size_t word = 0; word < values.size(); ++word) {
                EXPECT_EQ(values[word], 0x1000'0000 + 600 + word) << name;
            }
            device.write(0x41, 0xab, 1);
            device.write(0x42, 0xcdef, 2);
            EXPECT_EQ(device.read(0x40), 0x10abcdefU) << name;
            EXPECT_EQ(device.read(0x41, 1), 0xabU) << name;
        });
    }
}

TEST(EtherboneApi, TellsWhichOperationsTheBusRefused) {
    run("scu3_gige", [](Device& device) {
        Cycle cycle(device);
        cycle.read(0, nullptr);
        cycle.read(kUnowned, nullptr);
        cycle.read(4, nullptr);
        const CycleResult result = cycle.close();
        EXPECT_EQ(result.errors, (std::vector<bool>{false, true, false}));
        EXPECT_FALSE(result.is_ok());
        Cycle many(device);
        for (int number = 0; number < 70; ++number) {
            many.read(number == 40 ? kUnowned : 0, nullptr);
        }
        std::vector<bool> expected(70, false);
        expected[40] = true;
        EXPECT_EQ(many.close().errors, expected);
    });
    EXPECT_EQ(test::error_message([] { run("scu3_pcie", [](Device& device) { device.read(kUnowned); }); }),
              "kernel 'program' on the host: read: the bus refuses address 0x90000000");
}

TEST(EtherboneApi, ReturnAddressesBeginAgain) {
    run("t5810_pcie", [](Device& device) {
        constexpr int kMoreThanAddresses = 0x4000 + 10;
        device.write(0, 7);
        for (int number = 0; number < kMoreThanAddresses; ++number) {
            ASSERT_EQ(device.read(0), 7U);
        }
    });
}

TEST(EtherboneApi, WritesThatNobodyAsksAboutAreNotWaitedFor) {
    const std::vector<std::size_t> lengths = run("scu3_gige", [](Device& device) {
        for (int number = 0; number < 3; ++number) {
            Cycle cycle(device);
            cycle.write(kMemory, 1);
            cycle.close_silently();
        }
        EXPECT_EQ(device.read(kMemory), 1U);
    });
    EXPECT_EQ(lengths, (std::vector<std::size_t>{16, 16, 16, 28}));
}

TEST(EtherboneApi, FindsDevicesInTheTable) {
    run("exploder_usb", [](Device& device) {
        EXPECT_EQ(device.find(0x651, 0xb2af'c251), wishbone::kEventUnitAddress);
        EXPECT_EQ(device.find(0x651, 0x1005'1981), wishbone::kLatchUnitAddress);
    });
    EXPECT_EQ(test::error_message([] { run("exploder_usb", [](Device& device) { device.find(1, 2); }); }),
              "kernel 'program' on the host: find: no device of vendor 0x1 and product 0x2 is on the bus");
}

// Two hosts on one device: cycles are atomic, and each host is slower than alone.
TEST(EtherboneApi, TwoHostsShareADevice) {
    for (const std::string& name : all_boards()) {
        const auto elapsed = [&](int hosts) {
            WishboneMachine machine(board(name));
            for (int number = 0; number < hosts; ++number) {
                machine.add_kernel("host " + std::to_string(number), [number](WishboneHost& host) {
                    Socket socket(host);
                    Device device(socket);
                    const auto own = static_cast<Value>(number);
                    for (int turn = 0; turn < 200; ++turn) {
                        Value one = 0;
                        Value other = 0;
                        Cycle cycle(device);
                        cycle.write(0, own);
                        cycle.write(4, own);
                        cycle.read(0, &one);
                        cycle.read(4, &other);
                        cycle.close();
                        ASSERT_EQ(one, own);
                        ASSERT_EQ(other, own);
                    }
                });
            }
            machine.run();
            return machine.elapsed_cycles();
        };
        const nocbench::Cycle alone = elapsed(1);
        const nocbench::Cycle both = elapsed(2);
        EXPECT_GE(both, alone) << name;
        EXPECT_LE(both, 2 * alone) << name;
        EXPECT_EQ(both, elapsed(2)) << name;
    }
}

// The stream is split within cycles.
TEST(EtherboneApi, NobodyComesBetweenThePiecesOfACycle) {
    for (const char* const name : {"scu3_pcie", "exploder_usb"}) {
        WishboneMachine machine(board(name));
        for (int number = 0; number < 2; ++number) {
            machine.add_kernel("host " + std::to_string(number), [number](WishboneHost& host) {
                Socket socket(host);
                Device device(socket);
                constexpr std::size_t kCycles = 300;
                constexpr std::size_t kReads = 4;  // pieces of 4104 bytes end within cycles
                const auto own = static_cast<Value>(number);
                std::vector<Value> seen(kReads * kCycles);
                for (std::size_t turn = 0; turn < kCycles; ++turn) {
                    Cycle cycle(device, [](const CycleResult& result) { EXPECT_TRUE(result.is_ok()); });
                    for (std::size_t read = 0; read < kReads; ++read) {
                        cycle.write(read == 0 ? 0 : 4, own);
                        cycle.read(0, &seen[kReads * turn + read]);
                    }
                    cycle.close();
                }
                socket.run();
                EXPECT_EQ(seen, std::vector<Value>(kReads * kCycles, own));
            });
        }
        machine.run();
    }
}

TEST(EtherboneApi, MisuseIsNamed) {
    const auto message = [](const std::function<void(Device&)>& program) {
        return test::error_message([&] { run("scu3_pcie", program); });
    };
    const std::string host = "kernel 'program' on the host: ";
    EXPECT_EQ(message([](Device& device) { Cycle(device).read(2, nullptr); }),
              host + "read: expected an address that is a multiple of 4 bytes, found 0x2");
    EXPECT_EQ(message([](Device& device) { Cycle(device).read(8, nullptr, 8); }),
              host + "read: expected 1, 2, 4 or 8 bytes, 4 at most, found 8");
    EXPECT_EQ(message([](Device& device) { Cycle(device).write(0, 0x100, 1); }),
              host + "write: expected a value of 8 bits, found 0x100");
    const auto used_again = [](Device& device) {
        Cycle cycle(device);
        cycle.close();
        cycle.read(0, nullptr);
    };
    EXPECT_EQ(message(used_again), host + "read: the cycle is closed");
    const auto closed_again = [](Device& device) {
        Cycle cycle(device);
        cycle.close();
        cycle.close();
    };
    EXPECT_EQ(message(closed_again), host + "close: the cycle is closed already");
    EXPECT_EQ(message([](Device& device) { const Device second(device.socket()); }),
              host + "open: expected a socket without a device, found one with");
    EXPECT_EQ(message([](Device& device) { static_cast<void>(device.socket().host().read()); }),
              host + "read: it waits for an answer, but every message that asked for one has been answered");
    EXPECT_EQ(message([](Device& device) { device.socket().host().write(wishbone::Bytes(4105)); }),
              host + "write: expected a message of at most 4104 bytes, found 4105");
}

TEST(EtherboneApi, WidthsThatTheFpgaDoesNotHave) {
    WishboneMachine machine(board("scu3_gige"));
    machine.add_kernel("program", [](WishboneHost& host) {
        Socket socket(host);
        const Device device(socket, 0x1, 0x1);
    });
    EXPECT_EQ(test::error_message([&] { machine.run(); }),
              "kernel 'program' on the host: open: expected widths that the FPGA has, found addresses 0x1, data 0x1");
}

/// A host that waits for the answer to a message without reads.
TEST(EtherboneApi, DeadlockSaysWhatIsWaitedFor) {
    WishboneMachine machine(board("scu3_gige"));
    machine.add_kernel("program", [](WishboneHost& host) {
        host.write(wishbone::Bytes(10));
        static_cast<void>(host.read());
    });
    const std::string message = test::error_message([&] { machine.run(); });
    EXPECT_NE(message.find("deadlock"), std::string::npos) << message;
    EXPECT_NE(message.find("kernel 'program' on the host waits for an answer of the FPGA"), std::string::npos)
        << message;
}

}  // namespace

}  // namespace nocbench::etherbone
