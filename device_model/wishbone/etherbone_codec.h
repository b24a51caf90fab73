// Etherbone messages as bytes, and back: headers, probes and records. It knows the wire format and nothing else: what a
// record does is up to whoever holds a bus (etherbone_slave.h).
//
// A message is a header and records. All numbers are big-endian. Everything behind the header's first eight bytes
// stands in slots: of 2 bytes if addresses and data port have 16 bits at most, of 4 if the wider of them has 32, of 8
// if it has 64. A value that is narrower than its slot is right-aligned, with zeros before it.
//
// Source of the format: the Etherbone specification of the Open Hardware Repository, and where its text and the
// implementations differ (address growth of writes, the return address), the implementations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocbench::wishbone {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

/// Sets of widths: bit 0 stands for 8 bits, bit 1 for 16, bit 2 for 32, bit 3 for 64; so a set of one width is that
/// width in bytes.
using WidthSet = std::uint8_t;

inline constexpr std::size_t kShortHeaderBytes = 4;
inline constexpr std::size_t kProbeBytes = 8;
inline constexpr int kVersion = 1;
/// Writes, and reads, of a record are counted in 8 bits.
inline constexpr std::size_t kRecordOperationsMax = 255;

/// Widths that two sides have agreed on.
struct WireFormat {
    int address_bytes = 4;  // 1, 2, 4 or 8
    int port_bytes = 4;     // likewise

    /// Of everything behind the header: 2, 4 or 8.
    [[nodiscard]] std::size_t slot_bytes() const;
    /// Of a header that is no probe: 4, or 8 with 64-bit slots.
    [[nodiscard]] std::size_t header_bytes() const;
    /// Of the first part of a record, before addresses and values.
    [[nodiscard]] std::size_t record_header_bytes() const;

    bool operator==(const WireFormat&) const = default;
};

struct Header {
    bool has_no_reads = false;
    bool is_probe_response = false;
    bool is_probe = false;
    WidthSet address_widths = 0;  // several in probes, one otherwise
    WidthSet port_widths = 0;
    int version = kVersion;

    /// The format of the records that follow, if exactly one width of each is given.
    [[nodiscard]] std::optional<WireFormat> format() const;
};

/// The header at the beginning of `bytes`, or nothing if there is none: fewer than four bytes, or another magic number.
std::optional<Header> decode_header(ByteView bytes);

/// The number that a probe is known by, of its second four bytes. There are eight bytes at least.
std::uint32_t decode_probe_identifier(ByteView bytes);

/// Appends a header that is no probe, with the padding that `format` asks for.
void append_header(Bytes& bytes, const WireFormat& format, bool has_no_reads);

/// Appends a probe, or the answer to one.
void append_probe(Bytes& bytes, const Header& header, std::uint32_t identifier);

struct Record {
    bool returns_to_configuration = false;        // BCA: the return address is in the client's configuration space
    bool reads_configuration = false;             // RCA
    bool returns_to_one_address = false;          // RFF: all results go to one address of the client
    bool ends_cycle = false;                      // CYC
    bool writes_configuration = false;            // WCA
    bool writes_to_one_address = false;           // WFF: else the address grows by the port's width
    std::uint8_t select = 0;                      // byte enables of every operation
    std::uint64_t write_address = 0;              // of the first write; none if there are no writes
    std::vector<std::uint64_t> writes{};          // values, 255 at most; NOLINT(readability-redundant-member-init)
    std::uint64_t return_address = 0;             // none if there are no reads
    std::vector<std::uint64_t> read_addresses{};  // 255 at most; NOLINT(readability-redundant-member-init)

    bool operator==(const Record&) const = default;
};

/// Bytes that a record takes.
std::size_t record_bytes(const Record& record, const WireFormat& format);

/// The same of a record with so many operations.
std::size_t record_bytes(std::size_t num_writes, std::size_t num_reads, const WireFormat& format);

/// The length of the record at the beginning of `bytes`, or nothing if not even its counts are there.
std::optional<std::size_t> length_of_record(ByteView bytes, const WireFormat& format);

/// The record at the beginning of `bytes`, or nothing if it is not there in full. Reserved flags are ignored.
std::optional<Record> decode_record(ByteView bytes, const WireFormat& format);

/// Appends a record. Throws InputError if it has more operations than can be counted.
void append_record(Bytes& bytes, const Record& record, const WireFormat& format);

/// Appends `count` slots of zeros.
void append_zero_slots(Bytes& bytes, std::size_t count, const WireFormat& format);

/// Lanes that a valid select enables: an unbroken run of 1, 2, 4 or 8 ones, aligned to its length, within the port.
struct Lanes {
    int first = 0;  // lane 0 is the least significant byte
    int count = 0;
};

/// Nothing if the select is not valid.
std::optional<Lanes> lanes_of(std::uint8_t select, int port_bytes);

/// The select of an access of `size` bytes (1, 2, 4 or 8, the port's width at most) at `address`, which is a multiple
/// of it.
std::uint8_t select_of(std::uint64_t address, int size, int port_bytes, bool is_little_endian = false);

}  // namespace nocbench::wishbone
