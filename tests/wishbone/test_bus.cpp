// Bus, its devices, and the device table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "device_model/wishbone/bus.h"
#include "device_model/wishbone/devices/memory_devices.h"
#include "device_model/wishbone/devices/timing_devices.h"
#include "device_model/wishbone/self_describing_bus.h"
#include "tests/support/error_message.h"
#include "tests/support/thinning.h"
#include "tests/wishbone/hex.h"
#include "tests/wishbone/plain_slave.h"
#include "tests/wishbone/slave_rig.h"

namespace nocbench::wishbone::test {

namespace {

using nocbench::test::error_message;

std::unique_ptr<BusDevice> memory(const std::string& name, std::uint64_t first, std::uint64_t last) {
    return std::make_unique<MemoryDevice>(DeviceIdentity{.name = name, .first_address = first, .last_address = last});
}

TEST(Bus, TakesDevicesWhoseRangesAreWholeWordsAndFree) {
    const auto error = [](std::uint64_t first, std::uint64_t last) {
        Bus bus;
        bus.add(memory("low", 0x100, 0x1ff));
        bus.add(memory("high", 0x300, 0x3ff));
        return error_message([&] { bus.add(memory("new", first, last)); });
    };
    const auto overlaps = [](std::uint64_t first, std::uint64_t last, const char* with) {
        return fmt::format(
            "bus device: expected a range that is free, found new at 0x{:x} to 0x{:x}, which overlaps {}", first, last,
            with);
    };
    const auto no_range = [](std::uint64_t first, std::uint64_t last) {
        return fmt::format(
            "bus device: expected a range of whole words of 4 bytes within 0x0 to 0xffffffff, "
            "found new at 0x{:x} to 0x{:x}",
            first, last);
    };
    constexpr auto kLow = "low at 0x100 to 0x1ff";
    constexpr auto kHigh = "high at 0x300 to 0x3ff";
    for (const auto& [first, last] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
             {0x0, 0xff}, {0x200, 0x2ff}, {0x204, 0x207}, {0x400, 0x4ff}, {0xffff'fffc, 0xffff'ffff}}) {
        EXPECT_EQ(error(first, last), "no error");
    }
    for (const auto& [first, last, with] : std::vector<std::tuple<std::uint64_t, std::uint64_t, const char*>>{
             {0x0, 0x103, kLow},
             {0xfc, 0x103, kLow},
             {0x100, 0x1ff, kLow},
             {0x110, 0x113, kLow},
             {0x1fc, 0x203, kLow},
             {0x200, 0x303, kHigh},
             {0x3fc, 0x403, kHigh},
             {0x0, 0xfff, kLow},
         }) {
        EXPECT_EQ(error(first, last), overlaps(first, last, with));
    }
    // A memory allocates its whole range, so long ranges use another device here.
    const auto error_of_counter = [](std::uint64_t first, std::uint64_t last) {
        Bus bus;
        return error_message([&] {
            bus.add(std::make_unique<CounterDevice>(
                DeviceIdentity{.name = "new", .first_address = first, .last_address = last}));
        });
    };
    EXPECT_EQ(error_of_counter(0, 0xffff'ffff), "no error");
    for (const auto& [first, last] :
         std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0x1, 0x4},
                                                              {0x2, 0x7},
                                                              {0x0, 0x2},
                                                              {0x0, 0x4},
                                                              {0x8, 0x3},
                                                              {0x8, 0x7},
                                                              {0x0, 0x1'0000'0003},
                                                              {0x1'0000'0000, 0x1'0000'0003},
                                                              {0x0, ~std::uint64_t{0}}}) {
        EXPECT_EQ(error_of_counter(first, last), no_range(first, last));
    }
}

/// Accesses with all selects of all ports around the ends of devices, and some random ones, against bytes by address.
TEST(Bus, AccessesAreBytesAtAddresses) {
    Bus bus;
    add_memories(bus);
    PlainMemory plain;
    std::mt19937 random(4);  // NOLINT(bugprone-random-generator-seed): the same in every run
    std::vector<std::uint64_t> addresses = {0x1'0000'0000, 0x1'0000'0004, 0x8000'0000, ~std::uint64_t{0}};
    for (const MemoryRange& range : kMemories) {
        for (std::uint64_t distance = 0; distance < 24; ++distance) {
            addresses.push_back(range.first - 12 + distance);
            addresses.push_back(range.last - 12 + distance);
        }
    }
    for (const std::uint64_t address : addresses) {
        for (const int port : kWidths) {
            for (unsigned select = 0; select < 0x100; ++select) {
                for (const bool is_write : {true, false}) {
                    const std::uint64_t value = std::uint64_t{random()} << 32 | random();
                    std::array<std::byte, 8> bytes{};
                    const std::span lanes(bytes.data(), static_cast<std::size_t>(port));
                    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
                        lanes[lanes.size() - 1 - lane] =
                            is_write ? static_cast<std::byte>(value >> (8 * lane)) : std::byte{0};
                    }
                    const bool expected = plain.access(is_write, address, static_cast<std::uint8_t>(select), lanes);
                    const BusReply reply = bus.access({.is_write = is_write,
                                                       .address = address,
                                                       .select = static_cast<std::uint8_t>(select),
                                                       .port_bytes = port,
                                                       .value = value});
                    std::uint64_t expected_value = 0;
                    for (const std::byte byte : lanes) {
                        expected_value = expected_value << 8 | std::to_integer<std::uint64_t>(byte);
                    }
                    ASSERT_EQ(reply.is_acknowledged, expected)
                        << fmt::format("write {} {:x} select {:x} port {}", is_write, address, select, port);
                    ASSERT_EQ(reply.value, is_write ? 0 : expected_value)
                        << fmt::format("{:x} select {:x} port {}", address, select, port);
                }
            }
        }
    }
    for (std::size_t index = 0; index < kMemories.size(); ++index) {
        EXPECT_EQ(to_hex(dynamic_cast<const MemoryDevice&>(*bus.devices()[index]).bytes()), to_hex(plain.bytes(index)));
    }
}

TEST(Bus, SaysWhoOwnsAnAddress) {
    Bus bus;
    bus.add(memory("second", 0x100, 0x1ff));
    bus.add(memory("first", 0x0, 0xff));
    EXPECT_EQ(bus.devices()[0]->identity().name, "first");
    EXPECT_EQ(bus.access({.address = 0xfc, .select = kAllLanes}).device, 0U);
    EXPECT_EQ(bus.access({.address = 0x100, .select = kAllLanes}).device, 1U);
    EXPECT_EQ(bus.access({.address = 0x100, .select = 0x5}).device, 1U);  // even if the select permits no operation
    EXPECT_EQ(bus.access({.address = 0x1ff, .select = 0x5}).device, 1U);
    EXPECT_EQ(bus.access({.address = 0x200, .select = kAllLanes}).device, std::nullopt);
}

TEST(BusDevices, AMemoryKeepsItsContents) {
    MemoryDevice device({.name = "memory", .first_address = 0x40, .last_address = 0x47}, from_hex("0102030405"));
    EXPECT_EQ(to_hex(device.bytes()), "01020304 05000000");
    EXPECT_EQ(device.read(0, kAllLanes, 0).value, 0x01020304);
    EXPECT_TRUE(device.write(4, 0xa1a2a3a4, 0x6, 0).is_acknowledged);
    EXPECT_EQ(to_hex(device.bytes()), "01020304 05a2a300");
    const MemoryDevice shorter({.name = "memory", .last_address = 3}, from_hex("010203040506"));
    EXPECT_EQ(to_hex(shorter.bytes()), "01020304");
}

TEST(BusDevices, AReadOnlyMemoryRefusesWrites) {
    MemoryDevice device({.name = "memory", .last_address = 3}, from_hex("01020304"), true);
    EXPECT_FALSE(device.write(0, 0, kAllLanes, 0).is_acknowledged);
    EXPECT_EQ(device.read(0, kAllLanes, 0).value, 0x01020304);
}

TEST(BusDevices, ACounterCounts) {
    CounterDevice device({.name = "counter", .last_address = 0xff});
    EXPECT_EQ(device.read(0, kAllLanes, 0).value, 0);
    EXPECT_EQ(device.read(8, kAllLanes, 0).value, 1);
    device.write(4, 0xffff'ffff, kAllLanes, 0);
    EXPECT_EQ(device.read(0, kAllLanes, 0).value, 0xffff'ffff);
    EXPECT_EQ(device.read(0, kAllLanes, 0).value, 0);
}

constexpr std::int64_t kStart_ns = kStartSeconds * kNanosecondsPerSecond;

/// Returns the nanoseconds from the start until the low word of the time first wraps, in steps of `step_ns`.
constexpr std::int64_t first_carry_ns(std::int64_t step_ns) {
    return ((kStart_ns / step_ns / 0x1'0000'0000 + 1) * 0x1'0000'0000) * step_ns - kStart_ns;
}

TEST(EventUnit, APairOfWordsIsOneTime) {
    constexpr std::int64_t kCarry_ns = first_carry_ns(1);
    constexpr auto kHigh = static_cast<std::uint32_t>(kStart_ns >> 32);
    EventUnit unit({.name = "event unit", .last_address = 0x7f});
    const auto high = [&](std::int64_t now_ns) { return unit.read(0x18, kAllLanes, now_ns).value; };
    const auto low = [&](std::int64_t now_ns) { return unit.read(0x1c, kAllLanes, now_ns).value; };
    EXPECT_EQ(high(0), kHigh);
    EXPECT_EQ(low(0), static_cast<std::uint32_t>(kStart_ns));
    EXPECT_EQ(low(100), static_cast<std::uint32_t>(kStart_ns + 100));
    // On both sides of a wrap, the last value before the wrap is returned once.
    EXPECT_EQ(high(kCarry_ns - 1), kHigh);
    EXPECT_EQ(low(kCarry_ns + 5), 0xffff'ffff);
    EXPECT_EQ(low(kCarry_ns + 6), 6);
    EXPECT_EQ(high(kCarry_ns - 1), kHigh);
    EXPECT_EQ(low(kCarry_ns - 1), 0xffff'ffff);
    EXPECT_EQ(high(kCarry_ns), kHigh + 1);
    EXPECT_EQ(low(kCarry_ns + 7), 7);
    // The last read of the high word determines the low word.
    EXPECT_EQ(high(kCarry_ns - 1), kHigh);
    EXPECT_EQ(high(kCarry_ns + 1), kHigh + 1);
    EXPECT_EQ(low(kCarry_ns + 2), 2);
    EXPECT_EQ(unit.read(0, kAllLanes, 0).value, 0);
    EXPECT_TRUE(unit.write(0x18, 1, kAllLanes, 0).is_acknowledged);
    EXPECT_EQ(high(0), kHigh);
}

class LatchUnitTest : public testing::Test {
protected:
    std::uint32_t read(std::uint64_t offset, std::int64_t now_ns) {
        return unit_.read(offset, kAllLanes, now_ns).value;
    }
    bool write(std::uint64_t offset, std::uint32_t value, std::int64_t now_ns) {
        return unit_.write(offset, value, kAllLanes, now_ns).is_acknowledged;
    }
    std::uint64_t latched(std::int64_t now_ns) { return std::uint64_t{read(0x68, now_ns)} << 32 | read(0x6c, now_ns); }
    static std::uint64_t steps(std::int64_t second) {
        return static_cast<std::uint64_t>(kStartSeconds + second) * 125'000'000;
    }

    LatchUnit unit_{{.name = "latch unit", .last_address = 0x7f}};
};

constexpr std::int64_t kSecond = kNanosecondsPerSecond;

TEST_F(LatchUnitTest, AnArmedChannelLatchesEachSecond) {
    EXPECT_EQ(read(0x34, 0), 8);
    EXPECT_EQ(read(0x38, 0), 256);
    EXPECT_FALSE(write(0x5c, 0, 0));        // an empty FIFO
    EXPECT_EQ(read(0x00, 5 * kSecond), 0);  // no channel is armed
    EXPECT_TRUE(write(0x10, 0x84, 5 * kSecond + 1));
    EXPECT_EQ(read(0x00, 6 * kSecond - 1), 0);
    EXPECT_EQ(read(0x00, 6 * kSecond), 0x84);
    EXPECT_EQ(read(0x64, 6 * kSecond), 0);  // FIFO of channel 0
    EXPECT_TRUE(write(0x58, 7, 6 * kSecond));
    EXPECT_EQ(read(0x58, 6 * kSecond), 7);
    EXPECT_EQ(read(0x64, 6 * kSecond), 1);
    EXPECT_TRUE(write(0x10, 0x80, 7 * kSecond));  // repeated, without effect
    EXPECT_EQ(read(0x64, 8 * kSecond), 3);
    for (int second = 6; second <= 8; ++second) {
        EXPECT_EQ(latched(8 * kSecond), steps(second));
        EXPECT_EQ(read(0x70, 8 * kSecond), 0);
        EXPECT_TRUE(write(0x5c, 0, 8 * kSecond));
    }
    EXPECT_EQ(latched(8 * kSecond), 0);
    EXPECT_FALSE(write(0x5c, 0, 8 * kSecond));
    EXPECT_EQ(read(0x00, 8 * kSecond), 0x04);
    EXPECT_TRUE(write(0x04, 0x04, 8 * kSecond));
    EXPECT_EQ(read(0x00, 8 * kSecond), 0);
    EXPECT_EQ(read(0x00, 9 * kSecond), 0x84);
    EXPECT_TRUE(write(0x58, 10, 9 * kSecond));
    EXPECT_EQ(read(0x58, 9 * kSecond), 2);  // only channels 0 to 7 exist
}

TEST_F(LatchUnitTest, PulsesHaveComeBeforeAWrite) {
    write(0x10, 1, 0);
    EXPECT_TRUE(write(0x5c, 0, kSecond));
    EXPECT_FALSE(write(0x5c, 0, 2 * kSecond - 1));
    EXPECT_TRUE(write(0x04, 1, 2 * kSecond));
    EXPECT_FALSE(write(0x5c, 0, 2 * kSecond));
}

TEST_F(LatchUnitTest, AFullFifoTakesNoMore) {
    write(0x10, 1, 0);
    EXPECT_EQ(read(0x64, 255 * kSecond), 255);
    EXPECT_EQ(read(0x64, 1'000'000 * kSecond), 256);
    EXPECT_EQ(latched(1'000'000 * kSecond), steps(1));
    EXPECT_TRUE(write(0x5c, 0, 1'000'000 * kSecond));
    EXPECT_EQ(read(0x64, 1'000'001 * kSecond - 1), 255);  // pulses during a full FIFO are lost
    EXPECT_EQ(read(0x64, 1'000'001 * kSecond), 256);
    for (int left = 255; left > 0; --left) {
        EXPECT_TRUE(write(0x5c, 0, 1'000'001 * kSecond));
    }
    EXPECT_EQ(latched(1'000'001 * kSecond), steps(1'000'001));
}

TEST_F(LatchUnitTest, TheLowWordOfTheTimeIsHeld) {
    constexpr std::int64_t kCarry_ns = first_carry_ns(8);
    constexpr auto kHigh = static_cast<std::uint32_t>(kStart_ns / 8 >> 32);
    EXPECT_EQ(read(0x50, kCarry_ns - 1), kHigh);
    EXPECT_EQ(read(0x54, kCarry_ns + 100), 0xffff'ffff);
    EXPECT_EQ(read(0x54, kCarry_ns + 200), 0xffff'ffff);
    EXPECT_EQ(read(0x50, kCarry_ns + 17), kHigh + 1);
    EXPECT_EQ(read(0x54, kCarry_ns + 100), 2);
}

TEST(BusDevices, APulseGeneratorHasSeconds) {
    PulseGenerator device({.name = "pulses", .last_address = 0xff});
    const std::int64_t now_ns = 3 * kSecond + 7;
    EXPECT_EQ(device.read(0x04, kAllLanes, now_ns).value, 7);
    EXPECT_EQ(device.read(0x08, kAllLanes, now_ns).value, kStartSeconds + 3);
    EXPECT_EQ(device.read(0x0c, kAllLanes, now_ns).value, 0);
    EXPECT_EQ(device.read(0x00, kAllLanes, now_ns).value, 0);
    EXPECT_TRUE(device.write(0x08, 1, kAllLanes, now_ns).is_acknowledged);
}

TEST(BusDevices, AnEndpointHasItsAddress) {
    Endpoint device({.name = "endpoint", .last_address = 0xff}, 0x0200'1122'3344);
    EXPECT_EQ(device.read(0x24, kAllLanes, 0).value, 0x0200);
    EXPECT_EQ(device.read(0x28, kAllLanes, 0).value, 0x1122'3344);
    EXPECT_EQ(device.read(0x2c, kAllLanes, 0).value, 0);
}

TEST(TableOfDevices, HasTheFieldsThatToolsRead) {
    Bus bus;
    bus.add(std::make_unique<EventUnit>(DeviceIdentity{.name = "19 characters, yes.",
                                                       .first_address = 0x40000,
                                                       .last_address = 0x4007f,
                                                       .vendor = 0x651,
                                                       .device = 0xb2af'c251,
                                                       .version = 3,
                                                       .date = 0x20171231,
                                                       .interface_major = 2,
                                                       .interface_minor = 5,
                                                       .access_widths = 0x7}));
    bus.add(std::make_unique<MemoryDevice>(DeviceIdentity{
        .name = "memory", .first_address = 0x100, .last_address = 0x1ff, .vendor = 0xce42, .device = 0x66cf'eb52}));
    bus.add(std::make_unique<MemoryDevice>(DeviceIdentity{.name = "a name that is too long, but not listed",
                                                          .first_address = 0x200,
                                                          .last_address = 0x203,
                                                          .is_listed = false}));
    add_device_table(bus, 0x30000, 2);
    const std::string interconnect =
        "5344422d 0003 01 00 00000000 00000000 00000000 ffffffff 00000000 00000651 e2d13d04 00000001 20120511"
        "5742342d 43726f73 73626172 2d475349 202020 00";
    const std::string block_memory =
        "0001 01 00 00000004 00000000 00000100 00000000 000001ff 00000000 0000ce42 66cfeb52 00000001 20180206"
        "6d656d6f 72792020 20202020 20202020 202020 01";
    const std::string event_unit =
        "0001 02 05 00000007 00000000 00040000 00000000 0004007f 00000000 00000651 b2afc251 00000003 20171231"
        "31392063 68617261 63746572 732c2079 65732e 01";
    const std::string expected = to_hex(from_hex(interconnect + block_memory + event_unit));
    EXPECT_EQ(to_hex(device_table(bus)), expected);  // the table does not list itself
    // Reads the table from the bus as a read-only memory.
    std::string read;
    for (std::uint64_t address = 0x30000; address < 0x30000 + 3 * kTableRecordBytes; address += kWordBytes) {
        const BusReply reply = bus.access({.address = address, .select = kAllLanes});
        EXPECT_TRUE(reply.is_acknowledged);
        read += fmt::format("{:08x}", reply.value);
    }
    EXPECT_EQ(to_hex(from_hex(read)), expected);
    EXPECT_FALSE(bus.access({.is_write = true, .address = 0x30000, .select = kAllLanes}).is_acknowledged);
    EXPECT_FALSE(bus.access({.address = 0x30000 + 3 * kTableRecordBytes, .select = kAllLanes}).is_acknowledged);
}

TEST(TableOfDevices, HasRoomFor255Devices) {
    Bus bus;
    for (std::uint64_t index = 0; index < 255; ++index) {
        bus.add(memory("memory", 4 * index, 4 * index + 3));
    }
    EXPECT_EQ(device_table(bus).size(), 256 * kTableRecordBytes);
    EXPECT_EQ(to_hex(ByteView(device_table(bus)).subspan(4, 2)), "0100");
    bus.add(memory("memory", 4 * 255, 4 * 255 + 3));
    EXPECT_EQ(error_message([&] { device_table(bus); }),
              "table of bus devices: expected at most 255 devices, found 256");
    EXPECT_EQ(error_message([&] { add_device_table(bus, 0x10000, 1); }),
              "table of bus devices: expected at most 255 devices, found 256");
}

TEST(TableOfDevices, IsRefused) {
    const auto error = [](const std::string& name, std::uint64_t address) {
        Bus bus;
        bus.add(memory(name, 0x0, 0xff));
        return error_message([&] { add_device_table(bus, address, 1); });
    };
    EXPECT_EQ(error("19 characters, yes.", 0x100), "no error");
    EXPECT_EQ(error("20 characters, as is", 0x100),
              "bus device: expected a name of at most 19 characters, found 20 characters, as is");
    EXPECT_EQ(error("memory", 0xc0),
              "bus device: expected a range that is free, found table of devices at 0xc0 to 0x13f, which overlaps "
              "memory at 0x0 to 0xff");
    EXPECT_EQ(error("memory", 0x102),
              "bus device: expected a range of whole words of 4 bytes within 0x0 to 0xffffffff, found table of devices "
              "at 0x102 to 0x181");
}

}  // namespace

}  // namespace nocbench::wishbone::test
