#include "device_model/wishbone/etherbone_slave.h"

#include <algorithm>
#include <bit>

namespace nocbench::wishbone {

namespace {

// Configuration space: 64-bit registers.
constexpr std::uint64_t kErrorStatus = 0;
constexpr std::uint64_t kTableAddress = 8;
constexpr std::uint64_t kMacAddressRegister = 16;
constexpr std::uint64_t kNetworkAddress = 24;  // IPv4 above, UDP port below
constexpr std::uint64_t kInterruptRequest = 32;
constexpr std::uint64_t kInterruptGrant = 40;
constexpr std::uint64_t kRegisterBytes = 8;

// Values of the register for message-signalled interrupts.
constexpr std::uint64_t kNotRequested = 0;
constexpr std::uint64_t kNotSupported = 2;

}  // namespace

Bytes EtherboneSlave::answer_probe(std::uint32_t identifier) {
    ++statistics_.probes;
    Bytes answer;
    append_probe(answer,
                 {.has_no_reads = true,
                  .is_probe_response = true,
                  .address_widths = options_.address_widths,
                  .port_widths = options_.port_widths},
                 identifier);
    return answer;
}

std::optional<WireFormat> EtherboneSlave::format_of(ByteView datagram) const {
    const std::optional<Header> header = decode_header(datagram);
    std::optional<WireFormat> format = header ? header->format() : std::nullopt;
    if (!format || header->is_probe || header->version != kVersion ||
        (header->address_widths & options_.address_widths) == 0 || (header->port_widths & options_.port_widths) == 0 ||
        datagram.size() < format->header_bytes()) {
        format.reset();
    }
    return format;
}

Bytes EtherboneSlave::answer_datagram(ByteView datagram, Pacing& pacing) {
    const std::optional<Header> header = decode_header(datagram);
    if (header && header->is_probe && datagram.size() >= kProbeBytes) {
        return answer_probe(decode_probe_identifier(datagram));
    }
    const std::optional<WireFormat> format = format_of(datagram);
    if (!format) {
        ++statistics_.ignored;
        return {};
    }
    ++statistics_.messages;
    clear_error_status();
    Bytes answer;
    append_header(answer, *format, true);
    pacing.pass(answer.size());
    bool has_reads = false;
    ByteView rest = datagram.subspan(format->header_bytes());
    while (rest.size() >= format->record_header_bytes()) {
        const std::optional<Record> record = decode_record(rest, *format);
        if (!record) {
            // Truncated record: earlier records have been executed, but are not answered.
            has_reads = false;
            break;
        }
        answer_record(*record, *format, answer, pacing);
        has_reads = has_reads || !record->read_addresses.empty();
        rest = rest.subspan(record_bytes(*record, *format));
    }
    pacing.end_cycle();
    return has_reads ? answer : Bytes{};
}

void EtherboneSlave::answer_record(const Record& record, const WireFormat& format, Bytes& answer, Pacing& pacing) {
    pacing.pass(format.record_header_bytes());
    if (!record.writes.empty()) {
        pacing.pass(format.slot_bytes());
        append_zero_slots(answer, 1 + record.writes.size(), format);
        std::uint64_t address = record.write_address;
        for (const std::uint64_t value : record.writes) {
            operate({.is_write = true, .address = address, .select = record.select, .value = value},
                    record.writes_configuration, format, pacing);
            if (!record.writes_to_one_address) {
                address += static_cast<std::uint64_t>(format.port_bytes);
            }
        }
    }
    Record reply{.ends_cycle = record.ends_cycle,
                 .writes_configuration = record.returns_to_configuration,
                 .writes_to_one_address = record.returns_to_one_address,
                 .select = record.select,
                 .write_address = record.return_address};
    if (!record.read_addresses.empty()) {
        pacing.pass(format.slot_bytes());
        reply.writes.reserve(record.read_addresses.size());
        for (const std::uint64_t address : record.read_addresses) {
            reply.writes.push_back(operate({.is_write = false, .address = address, .select = record.select},
                                           record.reads_configuration, format, pacing));
        }
    }
    append_record(answer, reply, format);
    if (record.ends_cycle) {
        pacing.end_cycle();
    }
}

std::uint64_t EtherboneSlave::operate(BusAccess access, bool is_configuration, const WireFormat& format,
                                      Pacing& pacing) {
    access.port_bytes = format.port_bytes;
    access.now_ns = pacing.begin_operation(!access.is_write, format.slot_bytes());
    if (is_configuration) {
        pacing.end_operation(options_.configuration_cycles);
        const bool is_full = access.select == (1U << format.port_bytes) - 1;
        if (access.is_write && is_full) {
            write_configuration(access.address, access.value);
        }
        return access.is_write || !is_full ? 0 : read_configuration(access.address, format);
    }
    ++(access.is_write ? statistics_.writes : statistics_.reads);
    const BusReply reply = bus_.access(access);
    pacing.end_operation(reply.device ? bus_.devices()[*reply.device]->identity().acknowledge_cycles : 1);
    error_status_ = error_status_ << 1 | (reply.is_acknowledged ? 0 : 1);
    if (!reply.is_acknowledged) {
        ++statistics_.bus_errors;
        if (refused) {
            refused(access, reply.device.has_value());
        }
    }
    return reply.value;
}

std::uint64_t EtherboneSlave::read_configuration(std::uint64_t address, const WireFormat& format) const {
    const auto port = static_cast<std::uint64_t>(format.port_bytes);
    std::uint64_t value = 0;
    switch (address / kRegisterBytes * kRegisterBytes) {
        case kErrorStatus:
            value = error_status_;
            break;
        case kTableAddress:
            value = options_.table_address;
            break;
        case kMacAddressRegister:
            value = options_.mac_address;
            break;
        case kNetworkAddress:
            value = std::uint64_t{options_.internet_address} << 32 | options_.udp_port;
            break;
        case kInterruptGrant:
            value = wants_interrupts_ ? kNotSupported : kNotRequested;
            break;
        default:
            break;
    }
    // Returns the part of the register that fits the port; upper parts have lower addresses.
    const std::uint64_t offset = address % kRegisterBytes / port * port;
    const std::uint64_t part = value >> (8 * (kRegisterBytes - port - offset));
    return port == kRegisterBytes ? part : part & ((std::uint64_t{1} << (8 * port)) - 1);
}

void EtherboneSlave::write_configuration(std::uint64_t address, std::uint64_t value) {
    if (address / kRegisterBytes * kRegisterBytes == kInterruptRequest && value != 0) {
        wants_interrupts_ = true;
    }
}

bool EtherboneStream::take(ByteView bytes, Bytes& answer, Pacing& pacing) {
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
    ByteView rest = pending_;
    is_broken_ = is_broken_ || !header_.take(rest, answer);
    while (const std::optional<WireFormat>& format = header_.format()) {
        const std::optional<Record> record = decode_record(rest, *format);
        if (!record) {
            break;
        }
        ++slave_.statistics().messages;
        slave_.answer_record(*record, *format, answer, pacing);
        const bool is_empty = record->writes.empty() && record->read_addresses.empty();
        is_in_cycle_ = !record->ends_cycle && (is_in_cycle_ || !is_empty);
        rest = rest.subspan(record_bytes(*record, *format));
    }
    pending_ = is_broken_ ? Bytes{} : Bytes(rest.begin(), rest.end());
    return !is_broken_;
}

bool StreamHeader::take(ByteView& bytes, Bytes& answer) {
    while (!format_ && bytes.size() >= kShortHeaderBytes) {
        const std::optional<Header> header = decode_header(bytes);
        const EtherboneSlave::Options& own = slave_.options();
        Header common = header.value_or(Header{});
        common.address_widths &= own.address_widths;
        common.port_widths &= own.port_widths;
        const bool is_agreed = common.address_widths != 0 && common.port_widths != 0;
        const bool has_one_format = header && header->format();
        if (!header || (!header->is_probe && (!is_agreed || header->version != kVersion || !has_one_format))) {
            ++slave_.statistics().ignored;
            return false;
        }
        const WireFormat format{.address_bytes = std::bit_floor(common.address_widths),
                                .port_bytes = std::bit_floor(common.port_widths)};
        const std::size_t length = header->is_probe ? kProbeBytes : format.header_bytes();
        if (bytes.size() < length) {
            return true;
        }
        if (header->is_probe) {
            const Bytes reply = slave_.answer_probe(decode_probe_identifier(bytes));
            answer.insert(answer.end(), reply.begin(), reply.end());
        }
        bytes = bytes.subspan(length);
        if (is_agreed) {  // otherwise the answer lists the supported widths, and the client may begin again
            slave_.clear_error_status();
            format_ = format;
        }
    }
    return true;
}

}  // namespace nocbench::wishbone
