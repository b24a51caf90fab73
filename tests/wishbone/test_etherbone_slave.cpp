// Answers of a slave: to observed messages, to malformed ones, and by the rules of the format.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device_model/wishbone/devices/memory_devices.h"
#include "device_model/wishbone/etherbone_slave.h"
#include "tests/wishbone/hex.h"
#include "tests/wishbone/slave_rig.h"

namespace nocbench::wishbone::test {

namespace {

constexpr EtherboneSlave::Options kOneWidth{.table_address = 0x30000};

/// Slave with memories of 64 bytes at 0 and at 0x10000, and cafebabe in the word at 0x10010.
struct Wire : SlaveRig {
    explicit Wire(const EtherboneSlave::Options& options = kOneWidth) : SlaveRig(options) {
        for (const std::uint64_t first : {0x0U, 0x10000U}) {
            bus.add(std::make_unique<MemoryDevice>(
                DeviceIdentity{.name = "memory", .first_address = first, .last_address = first + 0x3f}));
        }
        write(0x10010, 0xcafebabe);
    }

    /// Returns hexadecimal digits without spaces.
    std::string answer(const std::string& request) {
        std::string digits = to_hex(SlaveRig::answer(from_hex(request)));
        std::erase(digits, ' ');
        return digits;
    }
    void write(std::uint64_t address, std::uint32_t value) {
        EXPECT_TRUE(
            bus.access({.is_write = true, .address = address, .select = kAllLanes, .value = value}).is_acknowledged);
    }
    std::uint64_t read(std::uint64_t address) { return bus.access({.address = address, .select = kAllLanes}).value; }
};

std::string without_spaces(std::string digits) {
    std::erase(digits, ' ');
    return digits;
}

struct Vector {
    const char* name;
    const char* request;
    const char* answer;                                            // as long as the request, or empty for no answer
    std::vector<std::pair<std::uint64_t, std::uint32_t>> words{};  // NOLINT(readability-redundant-member-init)
    bool is_encoded_alike = true;                                  // re-encoding the decoded message gives equal bytes
};

/// Returns messages of 32 bits. Source: observed between clients and slaves.
std::vector<Vector> vectors() {
    return {
        {"configuration read", "4e6f1044 e80f0002 00008000 00000008 0000000c",
         "4e6f1444 0e0f0200 00008000 00000000 00030000"},
        {"checked read", "4e6f1044 a00f0001 00008000 00010010 e80f0001 00008001 00000004",
         "4e6f1444 060f0100 00008000 cafebabe 0e0f0100 00008001 00000000"},
        {"unchecked read", "4e6f1044 a80f0001 00008000 00010010", "4e6f1444 0e0f0100 00008000 cafebabe"},
        {"checked writes",
         "4e6f1044 e80f0301 00010010 00000001 00000002 00000003 00008001 00000004",
         "4e6f1444 00000000 00000000 00000000 00000000 0e0f0100 00008001 00000000",
         {{0x10010, 1}, {0x10014, 2}, {0x10018, 3}}},
        {"writes to one address",
         "4e6f1044 ea0f0301 00010010 00000001 00000002 00000003 00008003 00000004",
         "4e6f1444 00000000 00000000 00000000 00000000 0e0f0100 00008003 00000000",
         {{0x10010, 3}, {0x10014, 0}}},
        {"two writes apart",
         "4e6f1044 a00f0100 00010010 00000001 e80f0101 00010030 00000002 00008005 00000004",
         "4e6f1444 00000000 00000000 060f0000 00000000 00000000 0e0f0100 00008005 00000000",
         {{0x10010, 1}, {0x10030, 2}}},
        {"write and reads",
         "4e6f1044 a00f0102 00010010 aabbccdd 00008006 00010010 00010014 e80f0001 00008007 00000004",
         "4e6f1444 00000000 00000000 060f0200 00008006 aabbccdd 00000000 0e0f0100 00008007 00000000",
         {{0x10010, 0xaabbccdd}}},
        {"unchecked write", "4e6f1444 a80f0100 00010010 00000007", "", {{0x10010, 7}}},
        {"read of what is not there in the middle",
         "4e6f1044 a00f0003 00008000 00000000 20000000 00000004 e80f0001 00008001 00000004",
         "4e6f1444 060f0300 00008000 00000000 00000000 00000000 0e0f0100 00008001 00000002"},
        // Messages of clients with one record per message and a header of eight bytes.
        {"other dialect, a word",
         "4e6f1044 00000000 000f0001 00000007 00010010",
         "4e6f1444 00000000 000f0100 00000007 cafebabe",
         {},
         false},
        {"other dialect, two words",
         "4e6f1044 00000000 000f0002 00000000 00010010 00010014",
         "4e6f1444 00000000 000f0200 00000000 cafebabe 00000000",
         {},
         false},
        {"other dialect, writes",
         "4e6f1044 00000000 000f0200 00010010 00000001 00000002",
         "",
         {{0x10010, 1}, {0x10014, 2}},
         false},
    };
}

TEST(EtherboneSlave, AnswersWhatWasSeenOnTheWire) {
    for (const Vector& vector : vectors()) {
        SCOPED_TRACE(vector.name);
        Wire wire;
        EXPECT_EQ(wire.answer(vector.request), without_spaces(vector.answer));
        for (const auto& [address, value] : vector.words) {
            EXPECT_EQ(wire.read(address), value) << fmt::format("{:x}", address);
        }
        EXPECT_FALSE(wire.pacing.is_in_cycle);
        EXPECT_EQ(wire.slave.statistics().messages, 1);
        EXPECT_EQ(wire.slave.statistics().ignored, 0);
    }
}

TEST(EtherboneSlave, RequestsAreEncodedAsClientsEncodeThem) {
    for (const Vector& vector : vectors()) {
        const Bytes request = from_hex(vector.request);
        Bytes again;
        const std::optional<Header> header = decode_header(request);
        ASSERT_TRUE(header);
        append_header(again, {}, header->has_no_reads);
        for (ByteView rest = ByteView(request).subspan(again.size()); !rest.empty();) {
            const std::optional<Record> record = decode_record(rest, {});
            ASSERT_TRUE(record) << vector.name;
            append_record(again, *record, {});
            rest = rest.subspan(record_bytes(*record, {}));
        }
        EXPECT_EQ(to_hex(again), to_hex(request)) << vector.name;
    }
}

TEST(EtherboneSlave, Probes) {
    struct Probe {
        const char* request;
        const char* answer;
        EtherboneSlave::Options options = kOneWidth;
    };
    for (const auto& [request, answer, options] : std::vector<Probe>{
             {"4e6f11ff 00000086", "4e6f164400000086"},
             {"4e6f1144 deadbeef", "4e6f1644deadbeef"},
             {"4e6f11ff 00000086", "4e6f16cf00000086", {.address_widths = 0xc, .port_widths = 0xf}},
             {"4e6f1111 00000001", "4e6f164400000001"},           // no common width: the client chooses
             {"4e6f21ff 00000001", "4e6f164400000001"},           // any version
             {"4e6f1144 00000000 00000000", "4e6f164400000000"},  // 12 bytes, as in another dialect
             {"4e6f11ff 00000086 ffffffff ffffffff", "4e6f164400000086"},
             {"4e6f11ff 000000", ""},
             {"4e6f11ff", ""},
             {"4e6f1644 00000086", ""},  // answers are not answered
         }) {
        Wire wire(options);
        EXPECT_EQ(wire.answer(request), answer) << request;
        EXPECT_EQ(wire.slave.statistics().probes, *answer != '\0' ? 1 : 0) << request;
        EXPECT_EQ(wire.pacing.reads + wire.pacing.writes, 0) << request;
    }
}

TEST(EtherboneSlave, MalformedMessages) {
    struct Malformed {
        const char* name;
        std::string request;
        std::string answer;
        std::uint32_t word_after = 0xcafebabe;  // final word at 0x10010
    };
    const std::string read = "a80f0001 00008000 00010010";
    const std::string answer = "0e0f0100 00008000 cafebabe";
    // Record appended to an operation to read its error status.
    const std::string status = " 480f0001 00008001 00000004";
    const std::string failed = " 080f0100 00008001 00000001";
    std::vector<Malformed> carried_out = {
        {"header only", "4e6f1044", ""},
        {"empty record only", "4e6f1044 00000000", ""},
        {"read that is cut", "4e6f1044 a80f0001 00008000 000100", ""},
        {"record of counts alone behind a read", "4e6f1044" + read + "a80f0001", ""},
        {"write that is cut", "4e6f1044 a80f0200 00010010 00000001", ""},
        {"write before a record that is cut", "4e6f1044 a80f0100 00010010 00000007 a80f0001 00008000", "", 7},
        {"a byte left over", "4e6f1044" + read + "a8", "4e6f1444" + answer},
        {"three bytes left over", "4e6f1044" + read + "a80f01", "4e6f1444" + answer},
        {"no end of the cycle", "4e6f1044 a00f0001 00008000 00010010", "4e6f1444 060f0100 00008000 cafebabe"},
        {"read of what is not there", "4e6f1044 a00f0001 00008000 20000000" + status,
         "4e6f1444 060f0100 00008000 00000000" + failed},
        {"write to what is not there", "4e6f1044 a00f0100 20000000 00000001" + status,
         "4e6f1444 00000000 00000000 060f0000" + failed},
        {"flags that are reserved", "4e6f1044 b90f0001 00008000 00010010", "4e6f1444" + answer},
        {"bit of the header that is reserved", "4e6f1844" + read, "4e6f1444" + answer},
        {"no reads, it says", "4e6f1444" + read, "4e6f1444" + answer},
    };
    // No byte, with a gap, three bytes, unaligned, and beyond the port.
    for (const char* select : {"00", "05", "0b", "07", "0e", "06", "10", "f0", "ff"}) {
        carried_out.push_back({"read with a select that is not valid",
                               fmt::format("4e6f1044 a0{}0001 00008000 00010010", select) + status,
                               fmt::format("4e6f1444 06{}0100 00008000 00000000", select) + failed});
        carried_out.push_back({"write with a select that is not valid",
                               fmt::format("4e6f1044 a0{}0100 00010010 12345678", select) + status,
                               fmt::format("4e6f1444 00000000 00000000 06{}0000", select) + failed});
    }
    const std::vector<Malformed> ignored = {
        {"nothing", "", ""},
        {"shorter than a header", "4e6f10", ""},
        {"another magic number", "4e6e1044" + read, ""},
        {"version 0", "4e6f0044" + read, ""},
        {"version 2", "4e6f2044" + read, ""},
        {"no width of addresses", "4e6f1004" + read, ""},
        {"no width of the port", "4e6f1040" + read, ""},
        {"several widths of addresses", "4e6f10c4" + read, ""},
        {"several widths of the port", "4e6f104f" + read, ""},
        {"a port that the slave does not have", "4e6f1048" + read, ""},
        {"addresses that the slave does not have", "4e6f1024" + read, ""},
    };
    for (const auto& [messages, num_ignored] : {std::pair{carried_out, 0}, {ignored, 1}}) {
        for (const Malformed& malformed : messages) {
            SCOPED_TRACE(fmt::format("{}: {}", malformed.name, malformed.request));
            Wire wire;
            EXPECT_EQ(wire.answer(malformed.request), without_spaces(malformed.answer));
            EXPECT_EQ(wire.read(0x10010), malformed.word_after);
            EXPECT_EQ(wire.slave.statistics().ignored, num_ignored);
            // A cycle ends with its message, even a malformed one.
            EXPECT_FALSE(wire.pacing.is_in_cycle);
            EXPECT_EQ(wire.pacing.open_operations, 0);
        }
    }
}

TEST(EtherboneSlave, AHeaderOf64BitsHasPadding) {
    SlaveRig rig;
    EXPECT_TRUE(rig.answer(from_hex("4e6f1088")).empty());
    EXPECT_EQ(rig.slave.statistics().ignored, 1);
    EXPECT_TRUE(rig.answer(from_hex("4e6f1088 00000000")).empty());
    EXPECT_EQ(rig.slave.statistics().messages, 1);
}

TEST(EtherboneSlave, ACycleEndsWhereItSaysAndWithTheMessage) {
    Wire wire;
    const Bytes none = from_hex("4e6f1044 a00f0001 00008000 00000000");
    wire.SlaveRig::answer(none);
    EXPECT_EQ(wire.pacing.cycles, 1);
    wire.answer("4e6f1044 a80f0001 00008000 00000000 a80f0001 00008001 00000000 a00f0001 00008002 00000000");
    EXPECT_EQ(wire.pacing.cycles, 1 + 3);
}

/// A value stays in its byte lanes, at each offset and size, for all ports.
TEST(EtherboneSlave, SubWordAccessesStayInTheirLanes) {
    for (const int port : kWidths) {
        for (int size = 1; size <= port; size *= 2) {
            for (int offset = 0; offset < port; offset += size) {
                SCOPED_TRACE(fmt::format("port of {} bytes, {} bytes at {}", port, size, offset));
                SlaveRig rig;
                rig.bus.add(std::make_unique<MemoryDevice>(DeviceIdentity{.name = "memory", .last_address = 0xf},
                                                           Bytes(16, std::byte{0xee})));
                const auto address = 8 + static_cast<std::uint64_t>(offset);
                const int shift = 8 * (port - offset - size);
                const std::uint64_t ones = ~std::uint64_t{0} >> (64 - 8 * size);
                const std::uint64_t value = (0x5a5b'5c5d'5e5f'6061 & ones) << shift;
                const std::uint8_t select = select_of(address, size, port);
                const WireFormat format{.address_bytes = 4, .port_bytes = port};
                Bytes request;
                append_header(request, format, false);
                append_record(
                    request,
                    {.select = select, .write_address = address, .writes = {value}, .read_addresses = {address}},
                    format);
                const Bytes answer = rig.answer(request);
                ASSERT_EQ(answer.size(), request.size());
                // The written value is in the last slot; other byte lanes are zero.
                const auto slot = static_cast<std::ptrdiff_t>(format.slot_bytes());
                Bytes expected(format.slot_bytes());
                for (std::size_t lane = 0; lane < expected.size(); ++lane) {
                    expected[expected.size() - 1 - lane] = static_cast<std::byte>(value >> (8 * lane));
                }
                EXPECT_EQ(to_hex(Bytes(answer.end() - slot, answer.end())), to_hex(expected));
                const auto& memory = dynamic_cast<const MemoryDevice&>(*rig.bus.devices()[0]);
                for (std::uint64_t byte = 0; byte < 16; ++byte) {
                    const bool is_written = byte >= address && byte < address + static_cast<std::uint64_t>(size);
                    const std::uint64_t left = address + static_cast<std::uint64_t>(size) - 1 - byte;
                    EXPECT_EQ(memory.bytes()[byte],
                              is_written ? static_cast<std::byte>(value >> shift >> (8 * left)) : std::byte{0xee})
                        << byte;
                }
            }
        }
    }
}

TEST(EtherboneSlave, LowAddressBitsCountForNothing) {
    Wire wire;
    EXPECT_EQ(wire.answer("4e6f1044 a8040003 00008000 00010010 00010011 00010013"),
              without_spaces("4e6f1444 0e040300 00008000 00fe0000 00fe0000 00fe0000"));
}

/// Returns the configuration space from 0 to 63, by consecutive reads.
std::string configuration(SlaveRig& rig, int port) {
    const WireFormat format{.address_bytes = 4, .port_bytes = port};
    Record record{.reads_configuration = true, .select = static_cast<std::uint8_t>((1U << port) - 1)};
    for (std::uint64_t address = 0; address < 64; address += static_cast<std::uint64_t>(port)) {
        record.read_addresses.push_back(address);
    }
    Bytes answer;
    rig.slave.answer_record(record, format, answer, rig.pacing);
    std::string digits;
    if (const std::optional<Record> reply = decode_record(answer, format)) {
        for (const std::uint64_t value : reply->writes) {
            digits += fmt::format("{:0{}x}", value, 2 * port);
        }
    }
    return digits;
}

TEST(EtherboneSlave, ConfigurationSpaceIsTheSameBytesForAllPorts) {
    for (const int port : kWidths) {
        SCOPED_TRACE(fmt::format("port of {} bytes", port));
        SlaveRig rig;
        add_memories(rig.bus);
        const WireFormat format{.address_bytes = 4, .port_bytes = port};
        const auto full = static_cast<std::uint8_t>((1U << port) - 1);
        Bytes ignored;
        // Success, failure, success, failure, failure: each bus access shifts in a status bit; register accesses do
        // not.
        rig.slave.answer_record({.select = full, .read_addresses = {0, 0xe0, 8, 0xe0, 0xe0}}, format, ignored,
                                rig.pacing);
        EXPECT_EQ(rig.slave.statistics().bus_errors, 3);
        const auto expected = [](const char* status, const char* granted) {
            return without_spaces(
                fmt::format("{} 0123456789abcdef 0000020011223344 c0a801020000ebd0 0000000000000000 {} "
                            "0000000000000000 0000000000000000",
                            status, granted));
        };
        EXPECT_EQ(configuration(rig, port), expected("000000000000000b", "0000000000000000"));
        // Requests interrupts, which the slave does not support.
        const auto last = 40 - static_cast<std::uint64_t>(port);
        rig.slave.answer_record({.writes_configuration = true, .select = full, .write_address = last, .writes = {1}},
                                format, ignored, rig.pacing);
        EXPECT_EQ(configuration(rig, port), expected("000000000000000b", "0000000000000002"));
        EXPECT_EQ(rig.slave.statistics().bus_errors, 3);
    }
}

TEST(EtherboneSlave, TheLowestErrorBitsStandWhereClientsReadThem) {
    // With 32-bit addresses, three status bits are read by a separate message.
    for (const auto& [port, address, expected] :
         {std::tuple{1, 7, "00000005"}, {2, 6, "00000005"}, {4, 4, "00000005"}, {8, 0, "0000000000000005"}}) {
        SlaveRig rig;
        add_memories(rig.bus);
        const WireFormat format{.address_bytes = 4, .port_bytes = port};
        const auto full = static_cast<std::uint8_t>((1U << port) - 1);
        Bytes request;
        append_header(request, format, false);
        append_record(request, {.select = full, .read_addresses = {0xe0, 0, 0xe0}}, format);
        append_record(request,
                      {.reads_configuration = true,
                       .ends_cycle = true,
                       .select = full,
                       .read_addresses = {static_cast<std::uint64_t>(address)}},
                      format);
        const std::string answer = without_spaces(to_hex(rig.answer(request)));
        EXPECT_TRUE(answer.ends_with(expected)) << port << ": " << answer;
        // The status is 0 again in the next message.
        Bytes next;
        append_header(next, format, false);
        append_record(
            next,
            {.reads_configuration = true, .select = full, .read_addresses = {static_cast<std::uint64_t>(address)}},
            format);
        EXPECT_TRUE(without_spaces(to_hex(rig.answer(next))).ends_with("00000000"));
    }
}

TEST(EtherboneSlave, ErrorStatusHasTheLast64Operations) {
    SlaveRig rig;
    add_memories(rig.bus);
    Record record{.select = kAllLanes, .read_addresses = {0xe0, 0, 0, 0xe0}};
    record.read_addresses.resize(4 + 62);  // another 62 reads of address 0
    Bytes ignored;
    rig.slave.answer_record(record, {}, ignored, rig.pacing);
    EXPECT_EQ(configuration(rig, 8).substr(0, 16), "4000000000000000");
}

TEST(EtherboneSlave, ConfigurationSpaceTakesTheFullPortOnly) {
    SlaveRig rig;
    add_memories(rig.bus);
    const auto answer = [&](const char* request) { return to_hex(rig.answer(from_hex(request))); };
    // Partial reads return 0, partial writes have no effect, and neither is a bus operation.
    EXPECT_EQ(answer("4e6f1044 48030001 00008000 0000000c"), "4e6f1444 08030100 00008000 00000000");
    EXPECT_EQ(answer("4e6f1044 4c010101 00000024 00000001 00008000 0000002c"),
              "4e6f1444 00000000 00000000 08010100 00008000 00000000");
    EXPECT_EQ(answer("4e6f1044 480f0002 00008000 0000002c 00000004"), "4e6f1444 080f0200 00008000 00000000 00000000");
    // Undefined registers read as 0 and ignore writes.
    EXPECT_EQ(answer("4e6f1044 4c0f0103 00000100 ffffffff 00008000 00000100 00007ffc fffffffc"),
              "4e6f1444 00000000 00000000 080f0300 00008000 00000000 00000000 00000000");
    EXPECT_EQ(rig.slave.statistics().reads + rig.slave.statistics().writes, 0);
    EXPECT_EQ(rig.pacing.reads + rig.pacing.writes, 1 + 2 + 2 + 4);
}

TEST(EtherboneSlave, InterruptsAreAskedForByAValueInOneRegister) {
    const auto granted_after = [](std::uint64_t address, std::uint64_t value) {
        SlaveRig rig;
        Bytes ignored;
        rig.slave.answer_record(
            {.writes_configuration = true, .select = kAllLanes, .write_address = address, .writes = {value}}, {},
            ignored, rig.pacing);
        return configuration(rig, 4).substr(80, 16);
    };
    EXPECT_EQ(granted_after(36, 1), "0000000000000002");
    EXPECT_EQ(granted_after(32, 0x8000'0000), "0000000000000002");
    EXPECT_EQ(granted_after(36, 0), "0000000000000000");
    EXPECT_EQ(granted_after(28, 1), "0000000000000000");
    EXPECT_EQ(granted_after(40, 1), "0000000000000000");
}

/// Writes of a record precede its reads, and records are in order; each operation has a separate time.
TEST(EtherboneSlave, OperationsComeInTheOrderOfTheRequest) {
    SlaveRig rig;
    add_memories(rig.bus);
    rig.pacing.step_ns = 10;
    std::string told;
    rig.slave.refused = [&told](const BusAccess& access, bool /*is_owned*/) {
        told += fmt::format("{} {:x} at {}; ", access.is_write ? "write" : "read", access.address, access.now_ns);
    };
    rig.answer(
        from_hex("4e6f1044 000f0202 00000080 00000001 00000002 00000000 000000e0 00000010"
                 "080f0201 00000090 00000001 00000002 00000000 000000e4"));
    EXPECT_EQ(told,
              "write 80 at 0; write 84 at 10; read e0 at 20; "  // includes a read that does not fail
              "write 90 at 40; write 94 at 50; read e4 at 60; ");
}

TEST(EtherboneSlave, EachByteOfARequestTakesItsTimeOnce) {
    for (const Vector& vector : vectors()) {
        Wire wire;
        const Bytes request = from_hex(vector.request);
        wire.SlaveRig::answer(request);
        EXPECT_EQ(wire.pacing.bytes, request.size()) << vector.name;
    }
}

TEST(EtherboneSlave, AnAnswerGoesWhereTheRequestSays) {
    for (const bool to_configuration : {false, true}) {
        for (const bool to_one_address : {false, true}) {
            for (const bool ends_cycle : {false, true}) {
                SlaveRig rig;
                Bytes answer;
                rig.slave.answer_record({.returns_to_configuration = to_configuration,
                                         .returns_to_one_address = to_one_address,
                                         .ends_cycle = ends_cycle,
                                         .select = 0x3,
                                         .return_address = 0x8004,
                                         .read_addresses = {0, 4}},
                                        {}, answer, rig.pacing);
                const std::optional<Record> reply = decode_record(answer, {});
                ASSERT_TRUE(reply);
                EXPECT_EQ(reply->writes_configuration, to_configuration);
                EXPECT_EQ(reply->writes_to_one_address, to_one_address);
                EXPECT_EQ(reply->ends_cycle, ends_cycle);
                EXPECT_EQ(reply->select, 0x3);
                EXPECT_EQ(reply->write_address, 0x8004U);
                EXPECT_EQ(reply->writes.size(), 2U);
                EXPECT_FALSE(reply->reads_configuration || reply->returns_to_configuration ||
                             reply->returns_to_one_address);
                EXPECT_EQ(rig.pacing.cycles, ends_cycle ? 1 : 0);
            }
        }
    }
}

/// Bursts of maximum length in the other dialect.
TEST(EtherboneSlave, BurstsOf255Words) {
    SlaveRig rig;
    rig.bus.add(std::make_unique<MemoryDevice>(DeviceIdentity{.name = "memory", .last_address = 0xfff}));
    Bytes writes = from_hex("4e6f1044 00000000 000fff00 00000004");
    Bytes reads = from_hex("4e6f1044 00000000 000f00ff 00000042");
    Bytes expected = from_hex("4e6f1444 00000000 000fff00 00000042");
    for (int word = 0; word < 255; ++word) {
        const Bytes value = from_hex(fmt::format("{:08x}", 0x01010101U * static_cast<unsigned>(word)));
        const Bytes address = from_hex(fmt::format("{:08x}", 4 + 4 * word));
        writes.insert(writes.end(), value.begin(), value.end());
        reads.insert(reads.end(), address.begin(), address.end());
        expected.insert(expected.end(), value.begin(), value.end());
    }
    EXPECT_TRUE(rig.answer(writes).empty());
    EXPECT_EQ(reads.size(), 8 + 4 + 4 + 4 * 255);
    EXPECT_EQ(to_hex(rig.answer(reads)), to_hex(expected));
}

TEST(EtherboneSlave, TellsOfOperationsThatFail) {
    SlaveRig rig;
    add_memories(rig.bus);
    std::string told;
    rig.slave.refused = [&told](const BusAccess& access, bool is_owned) {
        told += fmt::format("{} {:x} {:x} {:d}; ", access.is_write ? "write" : "read", access.address, access.select,
                            is_owned);
    };
    rig.answer(from_hex("4e6f1044 000f0102 00000080 00000001 00000000 000000e0 00000000 000500010000000000000004"));
    EXPECT_EQ(told, "write 80 f 1; read e0 f 0; read 4 5 1; ");
    EXPECT_EQ(rig.slave.statistics().bus_errors, 3);
    EXPECT_EQ(rig.slave.statistics().writes, 1);
    EXPECT_EQ(rig.slave.statistics().reads, 3);
}

TEST(EtherboneSlave, ADeviceSaysHowLongItTakes) {
    SlaveRig rig({.configuration_cycles = 5});
    rig.bus.add(
        std::make_unique<MemoryDevice>(DeviceIdentity{.name = "slow", .last_address = 0xf, .acknowledge_cycles = 3}));
    for (const auto& [request, cycles] : {std::pair{"4e6f1044 000f0001 00000000 00000004", Cycle{3}},
                                          {"4e6f1044 000f0001 00000000 00000010", Cycle{1}},
                                          {"4e6f1044 400f0001 00000000 00000004", Cycle{5}}}) {
        rig.answer(from_hex(request));
        EXPECT_EQ(rig.pacing.acknowledge_cycles, cycles) << request;
    }
}

TEST(EtherboneStream, MayBeCutAnywhere) {
    // A probe, or a header alone, followed by records.
    const std::string records =
        "a00f0102 00000010 aabbccdd 00008006 00000010 00000014 e80f0001 00008007 00000004"
        "a00f0001 00008000 000000e0 e80f0001 00008001 00000004 00000000 a80f0100 00000020 00000001";
    const std::string answers =
        "00000000 00000000 060f0200 00008006 aabbccdd ef14395e"
        "0e0f0100 00008007 00000000 060f0100 00008000 00000000 0e0f0100 00008001 00000001 00000000"
        "00000000 00000000 0e0f0000";
    for (const auto& [begin, first_answer] : std::vector<std::pair<std::string, std::string>>{
             {"4e6f1144 12345678", "4e6f16ff 12345678"}, {"4e6f1044", ""}}) {
        const Bytes request = from_hex(begin + records);
        const std::string expected = to_hex(from_hex(first_answer + answers));
        for (std::size_t cut = 0; cut <= request.size(); ++cut) {
            SlaveRig rig;
            add_memories(rig.bus);
            EtherboneStream stream(rig.slave);
            Bytes answer;
            EXPECT_TRUE(stream.take(ByteView(request).first(cut), answer, rig.pacing));
            EXPECT_LE(answer.size() + stream.waiting_bytes(), cut);
            EXPECT_TRUE(stream.take(ByteView(request).subspan(cut), answer, rig.pacing));
            ASSERT_EQ(to_hex(answer), expected) << cut;
            EXPECT_EQ(stream.waiting_bytes(), 0);
        }
        SlaveRig rig;
        add_memories(rig.bus);
        EtherboneStream stream(rig.slave);
        Bytes answer;
        for (const std::byte& byte : request) {
            EXPECT_TRUE(stream.take({&byte, 1}, answer, rig.pacing));
        }
        EXPECT_EQ(to_hex(answer), expected);
        EXPECT_FALSE(rig.pacing.is_in_cycle);
    }
}

/// A host's cycle lasts until the host ends it, while other hosts wait. A record without operations does not begin a
/// cycle.
TEST(EtherboneStream, IsInACycleUntilThatEnds) {
    SlaveRig rig;
    add_memories(rig.bus);
    EtherboneStream stream(rig.slave);
    Bytes answer;
    const auto is_in_cycle_after = [&](const char* request) {
        EXPECT_TRUE(stream.take(from_hex(request), answer, rig.pacing));
        return stream.is_in_cycle();
    };
    EXPECT_FALSE(is_in_cycle_after("4e6f1044"));
    EXPECT_FALSE(is_in_cycle_after("000f0000")) << "nothing is asked for";
    EXPECT_TRUE(is_in_cycle_after("000f0100 00000010 aabbccdd"));
    EXPECT_TRUE(is_in_cycle_after("000f0000")) << "nothing ends it";
    EXPECT_FALSE(is_in_cycle_after("080f0000"));
    EXPECT_TRUE(is_in_cycle_after("a00f0001 00008000 00000010"));
    EXPECT_FALSE(is_in_cycle_after("a80f0001 00008000 00000010"));
}

TEST(EtherboneStream, TheLargestWidthsOfBothAreTaken) {
    struct Connection {
        WidthSet address_widths;
        WidthSet port_widths;
        std::string request;
        std::string answer;
    };
    for (const auto& [address_widths, port_widths, request, answer] : std::vector<Connection>{
             {4, 4, "4e6f11ff 00000001 a80f0001 00008000 00000000", "4e6f1644 00000001 0e0f0100 00008000 0b30557a"},
             {0xf, 3, "4e6f1167 00000001 a8030001 00008000 00000000", "4e6f16f3 00000001 0e030100 00008000 00000b30"},
             {0xf, 0xf, "4e6f1123 00000001 a8030001 80000000", "4e6f16ff 00000001 0e030100 80000b30"},
             {8, 8, "4e6f11ff 00000001 a8ff0001 00000000 00000000 00008000 00000000 00000000",
              "4e6f1688 00000001 0eff0100 00000000 00000000 00008000 0b30557a 9fc4e90e"},
             // After unsupported widths, the answer lists the supported ones, and the client begins again.
             {4, 4, "4e6f1122 00000001", "4e6f1644 00000001"},
             {4, 4, "4e6f1100 00000001 4e6f1144 00000002 a80f0001 00008000 00000000",
              "4e6f1644 00000001 4e6f1644 00000002 0e0f0100 00008000 0b30557a"},
             {8, 8, "4e6f1088 00000000 a8ff0001 00000000 00000000 00008000 00000000 00000000",
              "0eff0100 00000000 00000000 00008000 0b30557a 9fc4e90e"},
         }) {
        SlaveRig rig({.address_widths = address_widths, .port_widths = port_widths});
        add_memories(rig.bus);
        EtherboneStream stream(rig.slave);
        Bytes found;
        EXPECT_TRUE(stream.take(from_hex(request), found, rig.pacing));
        EXPECT_EQ(to_hex(found), answer) << request;
    }
}

TEST(EtherboneStream, WhatIsNoEtherboneIsNeverAnswered) {
    for (const char* begin :
         {"4e6e1144 00000000", "47455420 2f204854", "4e6f2044", "4e6f10ff", "4e6f1004", "4e6f1022", "4e6f1040"}) {
        SlaveRig rig(kOneWidth);
        EtherboneStream stream(rig.slave);
        Bytes answer;
        EXPECT_FALSE(stream.take(from_hex(begin), answer, rig.pacing)) << begin;
        EXPECT_FALSE(stream.take(from_hex("4e6f1144 00000000"), answer, rig.pacing)) << begin;
        EXPECT_TRUE(answer.empty()) << begin;
        EXPECT_EQ(stream.waiting_bytes(), 0) << begin;
        EXPECT_EQ(rig.slave.statistics().ignored, 1) << begin;
    }
}

TEST(EtherboneStream, ErrorStatusLivesOn) {
    SlaveRig rig(kOneWidth);
    EtherboneStream stream(rig.slave);
    Bytes answer;
    EXPECT_TRUE(stream.take(from_hex("4e6f1044 a80f0001 00008000 00000000"), answer, rig.pacing));
    answer.clear();
    EXPECT_TRUE(stream.take(from_hex("e80f0001 00008000 00000004"), answer, rig.pacing));
    EXPECT_EQ(to_hex(answer), "0e0f0100 00008000 00000001");
    // The status of another connection begins at 0.
    EtherboneStream another(rig.slave);
    answer.clear();
    EXPECT_TRUE(another.take(from_hex("4e6f1044 e80f0001 00008000 00000004"), answer, rig.pacing));
    EXPECT_EQ(to_hex(answer), "0e0f0100 00008000 00000000");
}

TEST(EtherboneStream, EachRecordIsAMessage) {
    SlaveRig rig(kOneWidth);
    EtherboneStream one(rig.slave);
    EtherboneStream other(rig.slave);
    Bytes answer;
    EXPECT_TRUE(one.take(from_hex("4e6f1144 00000001 000f0001 00008000 00000000"), answer, rig.pacing));
    EXPECT_TRUE(other.take(from_hex("4e6f1044 080f0001 00008000 00000000 000f0100 00000000"), answer, rig.pacing));
    EXPECT_EQ(rig.slave.statistics().probes, 1);
    EXPECT_EQ(rig.slave.statistics().messages, 2);
    // Each connection has separate cycles and incomplete bytes.
    EXPECT_TRUE(one.is_in_cycle());
    EXPECT_FALSE(other.is_in_cycle());
    EXPECT_EQ(one.waiting_bytes(), 0);
    EXPECT_EQ(other.waiting_bytes(), 8);
}

TEST(EtherboneStream, KeepsLessThanTheLongestRecord) {
    SlaveRig rig;
    EtherboneStream stream(rig.slave);
    Bytes request = from_hex("4e6f1088 00000000 00ffffff 00000000");
    request.resize(8 + 4104 - 1);
    Bytes answer;
    EXPECT_TRUE(stream.take(request, answer, rig.pacing));
    EXPECT_EQ(stream.waiting_bytes(), 4103);
    EXPECT_TRUE(answer.empty());
    EXPECT_TRUE(stream.take(Bytes(1), answer, rig.pacing));
    EXPECT_EQ(stream.waiting_bytes(), 0);
    EXPECT_EQ(answer.size(), 4104);
}

}  // namespace

}  // namespace nocbench::wishbone::test
