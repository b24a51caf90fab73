// Encoding and decoding of Etherbone messages: headers, probes and records. Covers only the wire format;
// etherbone_slave.h executes records.
//
// A message is a header and records, all big-endian. Everything behind the header's first eight bytes is in slots. A
// slot has 2 bytes if addresses and data port have at most 16 bits, 4 bytes if the wider of them has 32, and 8 bytes if
// it has 64. Narrower values are right-aligned in their slot and zero-padded.
//
// Source of the format: the Etherbone specification of the Open Hardware Repository, and its implementations where they
// differ from the text (address growth of writes, the return address).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocbench::wishbone {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

/// Sets of widths: bit 0 stands for 8 bits, bit 1 for 16, bit 2 for 32, bit 3 for 64. A set of one width equals that
/// width in bytes.
using WidthSet = std::uint8_t;

inline constexpr std::size_t kShortHeaderBytes = 4;
inline constexpr std::size_t kProbeBytes = 8;
inline constexpr int kVersion = 1;
/// Limit of the 8-bit counts of writes and of reads in a record.
inline constexpr std::size_t kRecordOperationsMax = 255;

/// Widths agreed on by both sides.
struct WireFormat {
    int address_bytes = 4;  // 1, 2, 4 or 8
    int port_bytes = 4;     // 1, 2, 4 or 8

    /// Returns the size of a slot behind the header: 2, 4 or 8.
    [[nodiscard]] std::size_t slot_bytes() const;
    /// Returns the size of a header without probe: 4, or 8 with 64-bit slots.
    [[nodiscard]] std::size_t header_bytes() const;
    /// Returns the size of a record before its addresses and values.
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

    /// Returns the format of the following records, if the header has exactly one width of each kind.
    [[nodiscard]] std::optional<WireFormat> format() const;
};

/// Decodes the header at the beginning of `bytes`. Returns nothing for fewer than four bytes or a different magic
/// number.
std::optional<Header> decode_header(ByteView bytes);

/// Returns the identifier of a probe, from its second four bytes. Requires at least eight bytes.
std::uint32_t decode_probe_identifier(ByteView bytes);

/// Appends a header without probe, padded as `format` requires.
void append_header(Bytes& bytes, const WireFormat& format, bool has_no_reads);

/// Appends a probe, or the answer to one.
void append_probe(Bytes& bytes, const Header& header, std::uint32_t identifier);

struct Record {
    bool returns_to_configuration = false;        // BCA: the return address is in the client's configuration space
    bool reads_configuration = false;             // RCA
    bool returns_to_one_address = false;          // RFF: all results go to one address of the client
    bool ends_cycle = false;                      // CYC
    bool writes_configuration = false;            // WCA
    bool writes_to_one_address = false;           // WFF: otherwise the address grows by the port's width
    std::uint8_t select = 0;                      // byte enables of every operation
    std::uint64_t write_address = 0;              // of the first write; none without writes
    std::vector<std::uint64_t> writes{};          // values, 255 at most; NOLINT(readability-redundant-member-init)
    std::uint64_t return_address = 0;             // none without reads
    std::vector<std::uint64_t> read_addresses{};  // 255 at most; NOLINT(readability-redundant-member-init)

    bool operator==(const Record&) const = default;
};

std::size_t record_bytes(const Record& record, const WireFormat& format);

/// Returns the size of a record with the given numbers of operations.
std::size_t record_bytes(std::size_t num_writes, std::size_t num_reads, const WireFormat& format);

/// Returns the length of the record at the beginning of `bytes`, or nothing if its counts are incomplete.
std::optional<std::size_t> length_of_record(ByteView bytes, const WireFormat& format);

/// Decodes the record at the beginning of `bytes`, or returns nothing if it is incomplete. Ignores reserved flags.
std::optional<Record> decode_record(ByteView bytes, const WireFormat& format);

/// Appends a record. Throws InputError if it has more operations than its counts can hold.
void append_record(Bytes& bytes, const Record& record, const WireFormat& format);

void append_zero_slots(Bytes& bytes, std::size_t count, const WireFormat& format);

/// Lanes enabled by a valid select: a contiguous run of 1, 2, 4 or 8 ones, aligned to its length, within the port.
struct Lanes {
    int first = 0;  // lane 0 is the least significant byte
    int count = 0;
};

/// Returns the lanes of a select, or nothing if it is invalid.
std::optional<Lanes> lanes_of(std::uint8_t select, int port_bytes);

/// Returns the select for `size` bytes (1, 2, 4 or 8, at most the port's width) at `address`, a multiple of `size`.
std::uint8_t select_of(std::uint64_t address, int size, int port_bytes, bool is_little_endian = false);

}  // namespace nocbench::wishbone
