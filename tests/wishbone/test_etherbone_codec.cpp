// Encoding and decoding of headers and records.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "device_model/wishbone/etherbone_codec.h"
#include "tests/support/error_message.h"
#include "tests/support/thinning.h"
#include "tests/wishbone/hex.h"
#include "tests/wishbone/random_messages.h"
#include "tests/wishbone/slave_rig.h"

namespace nocbench::wishbone::test {

namespace {

/// Returns the number of random cycles to encode and decode. The environment may request more than a normal test run.
long num_random_cycles() {
    const char* asked = std::getenv("NOCBENCH_ETHERBONE_CYCLES");  // NOLINT(concurrency-mt-unsafe)
    return asked != nullptr ? std::strtol(asked, nullptr, 10) : nocbench::test::thinned(200'000L, 10L);
}

TEST(EtherboneCodec, FormatsHaveSlotsOfTheWiderWidth) {
    for (const int address : kWidths) {
        for (const int port : kWidths) {
            SCOPED_TRACE(fmt::format("addresses of {} bytes, port of {}", address, port));
            const WireFormat format{.address_bytes = address, .port_bytes = port};
            const bool has_64_bits = address == 8 || port == 8;
            const bool has_32_bits = address == 4 || port == 4;
            EXPECT_EQ(format.header_bytes(), has_64_bits ? 8 : 4);
            EXPECT_EQ(format.record_header_bytes(), has_64_bits ? 8 : 4);
            EXPECT_EQ(format.slot_bytes(), has_64_bits ? 8 : has_32_bits ? 4 : 2);
            Bytes header;
            append_header(header, format, true);
            EXPECT_EQ(to_hex(header), fmt::format("4e6f14{}{}{}", address, port, has_64_bits ? " 00000000" : ""));
            const std::optional<Header> decoded = decode_header(header);
            ASSERT_TRUE(decoded);
            EXPECT_EQ(decoded->format(), format);
        }
    }
}

TEST(EtherboneCodec, Headers) {
    // Fields: no reads, probe response, probe, version, widths of addresses and port; "none" for other bytes.
    const auto decoded = [](const char* bytes) -> std::string {
        const std::optional<Header> header = decode_header(from_hex(bytes));
        return !header ? "none"
                       : fmt::format("{:d} {:d} {:d} {} {:x} {:x}{}", header->has_no_reads, header->is_probe_response,
                                     header->is_probe, header->version, header->address_widths, header->port_widths,
                                     header->format() ? " one of each" : "");
    };
    for (const auto& [bytes, expected] : std::vector<std::pair<const char*, std::string>>{
             {"", "none"},
             {"4e6f10", "none"},
             {"4e6e1044", "none"},
             {"4f6f1044", "none"},
             {"6f4e1044", "none"},
             {"4e6f1044", "0 0 0 1 4 4 one of each"},
             {"4e6f1844", "0 0 0 1 4 4 one of each"},  // the reserved bit is set
             {"4e6f1444", "1 0 0 1 4 4 one of each"},
             {"4e6f1644", "1 1 0 1 4 4 one of each"},
             {"4e6f1244", "0 1 0 1 4 4 one of each"},
             {"4e6f11ff", "0 0 1 1 f f"},
             {"4e6f2044", "0 0 0 2 4 4 one of each"},
             {"4e6ff044", "0 0 0 15 4 4 one of each"},
             {"4e6f1018", "0 0 0 1 1 8 one of each"},
             {"4e6f1004", "0 0 0 1 0 4"},
             {"4e6f1040", "0 0 0 1 4 0"},
             {"4e6f1064", "0 0 0 1 6 4"},
             {"4e6f104c", "0 0 0 1 4 c"},
         }) {
        EXPECT_EQ(decoded(bytes), expected) << bytes;
    }
}

TEST(EtherboneCodec, FlagsOfARecord) {
    // Bits 4 and 0 are reserved.
    for (unsigned flags = 0; flags < 0x100; ++flags) {
        const std::optional<Record> record = decode_record(from_hex(fmt::format("{:02x}0f0000", flags)), {});
        ASSERT_TRUE(record);
        EXPECT_EQ(record->returns_to_configuration, (flags & 0x80) != 0);
        EXPECT_EQ(record->reads_configuration, (flags & 0x40) != 0);
        EXPECT_EQ(record->returns_to_one_address, (flags & 0x20) != 0);
        EXPECT_EQ(record->ends_cycle, (flags & 0x08) != 0);
        EXPECT_EQ(record->writes_configuration, (flags & 0x04) != 0);
        EXPECT_EQ(record->writes_to_one_address, (flags & 0x02) != 0);
        Bytes again;
        append_record(again, *record, {});
        EXPECT_EQ(to_hex(again), fmt::format("{:02x}0f0000", flags & ~0x11U));
    }
}

TEST(EtherboneCodec, NumbersAreRightAlignedInTheirSlots) {
    const Record record{.select = 1,
                        .write_address = 0xa1a2a3a4a5a6a7a8,
                        .writes = {0xb1b2b3b4b5b6b7b8},
                        .return_address = 0xc1c2c3c4c5c6c7c8,
                        .read_addresses = {0xd1d2d3d4d5d6d7d8}};
    for (const auto& [format, expected] : std::vector<std::pair<WireFormat, std::string>>{
             {{1, 1}, "00010101 00a800b8 00c800d8"},
             {{2, 1}, "00010101 a7a800b8 c7c8d7d8"},
             {{1, 2}, "00010101 00a8b7b8 00c800d8"},
             {{4, 1}, "00010101 a5a6a7a8 000000b8 c5c6c7c8 d5d6d7d8"},
             {{2, 4}, "00010101 0000a7a8 b5b6b7b8 0000c7c8 0000d7d8"},
             {{4, 8}, "00010101 00000000 00000000 a5a6a7a8 b1b2b3b4 b5b6b7b8 00000000 c5c6c7c8 00000000 d5d6d7d8"},
             {{8, 2}, "00010101 00000000 a1a2a3a4 a5a6a7a8 00000000 0000b7b8 c1c2c3c4 c5c6c7c8 d1d2d3d4 d5d6d7d8"},
         }) {
        Bytes bytes;
        append_record(bytes, record, format);
        EXPECT_EQ(to_hex(bytes), expected);
        // Padding before a number in its slot must be ignored.
        Bytes noisy = bytes;
        const std::size_t first = format.record_header_bytes();
        const auto padding = format.slot_bytes() - static_cast<std::size_t>(format.port_bytes);
        std::fill_n(noisy.begin() + static_cast<std::ptrdiff_t>(first + format.slot_bytes()), padding, std::byte{0xff});
        EXPECT_EQ(decode_record(noisy, format), decode_record(bytes, format));
    }
}

TEST(EtherboneCodec, RecordsThatAreNotThereInFull) {
    std::mt19937 random(2);  // NOLINT(bugprone-random-generator-seed): the same in every run
    for (int attempt = 0; attempt < 200; ++attempt) {
        const WireFormat format = random_format(random);
        Bytes bytes;
        append_record(bytes, random_record(random, format), format);
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            const ByteView part = ByteView(bytes).first(size);
            EXPECT_FALSE(decode_record(part, format));
            EXPECT_EQ(length_of_record(part, format), size < 4 ? std::nullopt : std::optional(bytes.size()));
        }
    }
}

TEST(EtherboneCodec, TooManyOperations) {
    const auto error = [](std::size_t num_writes, std::size_t num_reads) {
        return nocbench::test::error_message([&] {
            Bytes bytes;
            Record record;
            record.writes.resize(num_writes);
            record.read_addresses.resize(num_reads);
            append_record(bytes, record, {});
            EXPECT_EQ(bytes.size(), record_bytes(record, {}));
        });
    };
    EXPECT_EQ(error(255, 255), "no error");
    EXPECT_EQ(error(256, 0), "Etherbone record: expected at most 255 writes and as many reads, found 256 and 0");
    EXPECT_EQ(error(3, 300), "Etherbone record: expected at most 255 writes and as many reads, found 3 and 300");
}

/// Random round trips of cycles with one to three records in any format.
TEST(EtherboneCodec, CyclesAtRandomThereAndBack) {
    std::mt19937 random(3);  // NOLINT(bugprone-random-generator-seed): the same in every run
    std::vector<Record> cycle;
    Bytes bytes;
    const long num_cycles = num_random_cycles();
    for (long done = 0; done < num_cycles; ++done) {
        const WireFormat format = random_format(random);
        cycle.resize(1 + random() % 3);
        bytes.clear();
        std::size_t length = 0;
        for (Record& record : cycle) {
            record = random_record(random, format);
            record.ends_cycle = &record == &cycle.back();
            const std::size_t num_writes = record.writes.size();
            const std::size_t num_reads = record.read_addresses.size();
            length += record_bytes(record, format);
            ASSERT_EQ(record_bytes(num_writes, num_reads, format), record_bytes(record, format));
            append_record(bytes, record, format);
            ASSERT_EQ(bytes.size(), length) << num_writes << " writes, " << num_reads << " reads";
        }
        ByteView rest = bytes;
        for (const Record& record : cycle) {
            ASSERT_EQ(length_of_record(rest, format), record_bytes(record, format));
            const std::optional<Record> decoded = decode_record(rest, format);
            ASSERT_TRUE(decoded == record) << done << ": " << to_hex(rest);
            rest = rest.subspan(record_bytes(record, format));
        }
        ASSERT_TRUE(rest.empty());
    }
    RecordProperty("cycles", static_cast<int>(num_cycles));
}

TEST(SelectLines, AnUnbrokenAlignedRunIsValid) {
    struct Valid {
        unsigned select;
        int first;
        int count;
    };
    constexpr auto kValid = std::to_array<Valid>({{0x01, 0, 1},
                                                  {0x02, 1, 1},
                                                  {0x04, 2, 1},
                                                  {0x08, 3, 1},
                                                  {0x10, 4, 1},
                                                  {0x20, 5, 1},
                                                  {0x40, 6, 1},
                                                  {0x80, 7, 1},
                                                  {0x03, 0, 2},
                                                  {0x0c, 2, 2},
                                                  {0x30, 4, 2},
                                                  {0xc0, 6, 2},
                                                  {0x0f, 0, 4},
                                                  {0xf0, 4, 4},
                                                  {0xff, 0, 8}});
    for (const int port : kWidths) {
        for (unsigned select = 0; select < 0x100; ++select) {
            SCOPED_TRACE(fmt::format("select {:02x}, port of {} bytes", select, port));
            const auto* const valid = std::ranges::find(kValid, select, &Valid::select);
            const bool is_valid = valid != kValid.end() && select < 1U << port;
            const std::optional<Lanes> lanes = lanes_of(static_cast<std::uint8_t>(select), port);
            ASSERT_EQ(lanes.has_value(), is_valid);
            if (lanes) {
                EXPECT_EQ(lanes->first, valid->first);
                EXPECT_EQ(lanes->count, valid->count);
            }
        }
    }
}

TEST(SelectLines, OfAnAccess) {
    // Two bytes at offset 2.
    EXPECT_EQ(select_of(0x10012, 2, 4), 0x03);
    EXPECT_EQ(select_of(0x10012, 2, 4, true), 0x0c);
    // By byte: the lowest address is the most or the least significant byte.
    for (const int port : kWidths) {
        for (int size = 1; size <= port; size *= 2) {
            for (int offset = 0; offset < port; offset += size) {
                unsigned big = 0;
                unsigned little = 0;
                for (int byte = offset; byte < offset + size; ++byte) {
                    big |= 1U << (port - 1 - byte);
                    little |= 1U << byte;
                }
                const auto address = 0x1000 + static_cast<std::uint64_t>(offset);
                EXPECT_EQ(select_of(address, size, port), big) << size << " bytes at " << offset;
                EXPECT_EQ(select_of(address, size, port, true), little) << size << " bytes at " << offset;
            }
        }
    }
}

}  // namespace

}  // namespace nocbench::wishbone::test
