#include "device_model/wishbone/etherbone_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "device_model/sim/error.h"

namespace nocbench::wishbone {

namespace {

constexpr std::uint8_t kMagicHigh = 0x4e;
constexpr std::uint8_t kMagicLow = 0x6f;

// Flags in the third byte of a header, below the version.
constexpr std::uint8_t kNoReads = 0x04;
constexpr std::uint8_t kProbeResponse = 0x02;
constexpr std::uint8_t kProbe = 0x01;

// Flags in the first byte of a record.
constexpr std::uint8_t kReturnsToConfiguration = 0x80;
constexpr std::uint8_t kReadsConfiguration = 0x40;
constexpr std::uint8_t kReturnsToOneAddress = 0x20;
constexpr std::uint8_t kEndsCycle = 0x08;
constexpr std::uint8_t kWritesConfiguration = 0x04;
constexpr std::uint8_t kWritesToOneAddress = 0x02;

// Byte offsets of a record's counts.
constexpr std::size_t kNumWritesAt = 2;
constexpr std::size_t kNumReadsAt = 3;
constexpr std::size_t kCountedBytes = 4;  // size of a record up to its counts

std::uint8_t byte_at(ByteView bytes, std::size_t index) { return std::to_integer<std::uint8_t>(bytes[index]); }

void append_number(Bytes& bytes, std::uint64_t value, std::size_t size) {
    for (std::size_t left = size; left-- > 0;) {
        bytes.push_back(static_cast<std::byte>(value >> (8 * left)));
    }
}

/// Appends the lowest `width` bytes of `value`, right-aligned in a slot.
void append_slot(Bytes& bytes, std::uint64_t value, int width, const WireFormat& format) {
    const std::uint64_t mask = width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
    append_number(bytes, value & mask, format.slot_bytes());
}

/// Returns the bytes of an address: at least 2 in configuration space.
int address_width(bool is_configuration, const WireFormat& format) {
    return is_configuration ? std::max(format.address_bytes, 2) : format.address_bytes;
}

std::uint64_t decode_number(ByteView bytes) {
    std::uint64_t value = 0;
    for (const std::byte byte : bytes) {
        value = value << 8 | std::to_integer<std::uint64_t>(byte);
    }
    return value;
}

bool is_one_width(WidthSet widths) { return std::has_single_bit(widths) && widths <= 8; }

class SlotReader {
public:
    SlotReader(ByteView bytes, const WireFormat& format) : bytes_(bytes), slot_bytes_(format.slot_bytes()) {}

    std::uint64_t next(int width) {
        const std::size_t padding = slot_bytes_ - static_cast<std::size_t>(width);
        const std::uint64_t value = decode_number(bytes_.subspan(padding, static_cast<std::size_t>(width)));
        bytes_ = bytes_.subspan(slot_bytes_);
        return value;
    }

private:
    ByteView bytes_;
    std::size_t slot_bytes_;
};

}  // namespace

std::size_t WireFormat::slot_bytes() const {
    return static_cast<std::size_t>(std::max({2, address_bytes, port_bytes}));
}

std::size_t WireFormat::header_bytes() const { return std::max(kShortHeaderBytes, slot_bytes()); }

std::size_t WireFormat::record_header_bytes() const { return std::max(kCountedBytes, slot_bytes()); }

std::optional<WireFormat> Header::format() const {
    if (!is_one_width(address_widths) || !is_one_width(port_widths)) {
        return std::nullopt;
    }
    return WireFormat{.address_bytes = address_widths, .port_bytes = port_widths};
}

std::optional<Header> decode_header(ByteView bytes) {
    if (bytes.size() < kShortHeaderBytes || byte_at(bytes, 0) != kMagicHigh || byte_at(bytes, 1) != kMagicLow) {
        return std::nullopt;
    }
    const std::uint8_t flags = byte_at(bytes, 2);
    const std::uint8_t widths = byte_at(bytes, 3);
    return Header{.has_no_reads = (flags & kNoReads) != 0,
                  .is_probe_response = (flags & kProbeResponse) != 0,
                  .is_probe = (flags & kProbe) != 0,
                  .address_widths = static_cast<WidthSet>(widths >> 4),
                  .port_widths = static_cast<WidthSet>(widths & 0xf),
                  .version = flags >> 4};
}

std::uint32_t decode_probe_identifier(ByteView bytes) {
    return static_cast<std::uint32_t>(decode_number(bytes.subspan(kShortHeaderBytes, kProbeBytes - kShortHeaderBytes)));
}

namespace {

void append_short_header(Bytes& bytes, const Header& header) {
    bytes.push_back(std::byte{kMagicHigh});
    bytes.push_back(std::byte{kMagicLow});
    bytes.push_back(static_cast<std::byte>(header.version << 4 | (header.has_no_reads ? kNoReads : 0) |
                                           (header.is_probe_response ? kProbeResponse : 0) |
                                           (header.is_probe ? kProbe : 0)));
    bytes.push_back(static_cast<std::byte>(header.address_widths << 4 | header.port_widths));
}

}  // namespace

void append_header(Bytes& bytes, const WireFormat& format, bool has_no_reads) {
    append_short_header(bytes, {.has_no_reads = has_no_reads,
                                .address_widths = static_cast<WidthSet>(format.address_bytes),
                                .port_widths = static_cast<WidthSet>(format.port_bytes)});
    append_number(bytes, 0, format.header_bytes() - kShortHeaderBytes);
}

void append_probe(Bytes& bytes, const Header& header, std::uint32_t identifier) {
    append_short_header(bytes, header);
    append_number(bytes, identifier, kProbeBytes - kShortHeaderBytes);
}

std::size_t record_bytes(std::size_t num_writes, std::size_t num_reads, const WireFormat& format) {
    const std::size_t slots = (num_writes > 0 ? 1 + num_writes : 0) + (num_reads > 0 ? 1 + num_reads : 0);
    return format.record_header_bytes() + slots * format.slot_bytes();
}

std::size_t record_bytes(const Record& record, const WireFormat& format) {
    return record_bytes(record.writes.size(), record.read_addresses.size(), format);
}

std::optional<std::size_t> length_of_record(ByteView bytes, const WireFormat& format) {
    if (bytes.size() < kCountedBytes) {
        return std::nullopt;
    }
    return record_bytes(byte_at(bytes, kNumWritesAt), byte_at(bytes, kNumReadsAt), format);
}

std::optional<Record> decode_record(ByteView bytes, const WireFormat& format) {
    const std::optional<std::size_t> length = length_of_record(bytes, format);
    if (!length || bytes.size() < *length) {
        return std::nullopt;
    }
    const std::uint8_t flags = byte_at(bytes, 0);
    Record record{.returns_to_configuration = (flags & kReturnsToConfiguration) != 0,
                  .reads_configuration = (flags & kReadsConfiguration) != 0,
                  .returns_to_one_address = (flags & kReturnsToOneAddress) != 0,
                  .ends_cycle = (flags & kEndsCycle) != 0,
                  .writes_configuration = (flags & kWritesConfiguration) != 0,
                  .writes_to_one_address = (flags & kWritesToOneAddress) != 0,
                  .select = byte_at(bytes, 1)};
    SlotReader slots(bytes.subspan(format.record_header_bytes()), format);
    if (const std::size_t count = byte_at(bytes, kNumWritesAt); count > 0) {
        record.write_address = slots.next(address_width(record.writes_configuration, format));
        record.writes.resize(count);
        std::ranges::generate(record.writes, [&] { return slots.next(format.port_bytes); });
    }
    if (const std::size_t count = byte_at(bytes, kNumReadsAt); count > 0) {
        record.return_address = slots.next(address_width(record.returns_to_configuration, format));
        record.read_addresses.resize(count);
        const int width = address_width(record.reads_configuration, format);
        std::ranges::generate(record.read_addresses, [&] { return slots.next(width); });
    }
    return record;
}

void append_record(Bytes& bytes, const Record& record, const WireFormat& format) {
    if (std::max(record.writes.size(), record.read_addresses.size()) > kRecordOperationsMax) {
        throw InputError(fmt::format("Etherbone record: expected at most {} writes and as many reads, found {} and {}",
                                     kRecordOperationsMax, record.writes.size(), record.read_addresses.size()));
    }
    bytes.push_back(static_cast<std::byte>((record.returns_to_configuration ? kReturnsToConfiguration : 0) |
                                           (record.reads_configuration ? kReadsConfiguration : 0) |
                                           (record.returns_to_one_address ? kReturnsToOneAddress : 0) |
                                           (record.ends_cycle ? kEndsCycle : 0) |
                                           (record.writes_configuration ? kWritesConfiguration : 0) |
                                           (record.writes_to_one_address ? kWritesToOneAddress : 0)));
    bytes.push_back(static_cast<std::byte>(record.select));
    bytes.push_back(static_cast<std::byte>(record.writes.size()));
    bytes.push_back(static_cast<std::byte>(record.read_addresses.size()));
    append_number(bytes, 0, format.record_header_bytes() - kCountedBytes);
    if (!record.writes.empty()) {
        append_slot(bytes, record.write_address, address_width(record.writes_configuration, format), format);
        for (const std::uint64_t value : record.writes) {
            append_slot(bytes, value, format.port_bytes, format);
        }
    }
    if (!record.read_addresses.empty()) {
        append_slot(bytes, record.return_address, address_width(record.returns_to_configuration, format), format);
        for (const std::uint64_t address : record.read_addresses) {
            append_slot(bytes, address, address_width(record.reads_configuration, format), format);
        }
    }
}

void append_zero_slots(Bytes& bytes, std::size_t count, const WireFormat& format) {
    bytes.resize(bytes.size() + count * format.slot_bytes());
}

std::optional<Lanes> lanes_of(std::uint8_t select, int port_bytes) {
    const int first = std::countr_zero(select);
    const int count = std::popcount(select);
    if (select == 0 || select >> first != (1 << count) - 1 || !std::has_single_bit(static_cast<unsigned>(count)) ||
        first % count != 0 || first + count > port_bytes) {
        return std::nullopt;
    }
    return Lanes{.first = first, .count = count};
}

std::uint8_t select_of(std::uint64_t address, int size, int port_bytes, bool is_little_endian) {
    const int offset = static_cast<int>(address % static_cast<std::uint64_t>(port_bytes));
    const int first = is_little_endian ? offset : port_bytes - (offset + size);
    return static_cast<std::uint8_t>(((1 << size) - 1) << first);
}

}  // namespace nocbench::wishbone
