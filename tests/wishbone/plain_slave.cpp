#include "tests/wishbone/plain_slave.h"

#include <algorithm>

namespace nocbench::wishbone::test {

namespace {

std::uint8_t at(ByteView bytes, std::size_t index) { return std::to_integer<std::uint8_t>(bytes[index]); }

/// Returns the number in the last `width` bytes of a slot.
std::uint64_t number(ByteView bytes, std::size_t slot, std::size_t slot_bytes, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t index = slot + slot_bytes - width; index < slot + slot_bytes; ++index) {
        value = value * 256 + at(bytes, index);
    }
    return value;
}

template <std::size_t size>
void put(std::array<std::byte, size>& bytes, std::size_t begin, std::size_t width, std::uint64_t value) {
    for (std::size_t index = begin + width; index-- > begin; value /= 256) {
        bytes[index] = static_cast<std::byte>(value % 256);
    }
}

bool is_width(unsigned widths) { return widths == 1 || widths == 2 || widths == 4 || widths == 8; }

unsigned largest(unsigned widths) { return widths >= 8 ? 8 : widths >= 4 ? 4 : widths >= 2 ? 2 : 1; }

bool is_valid_select(std::uint8_t select, std::size_t port_bytes) {
    constexpr auto kValid = std::to_array<std::uint8_t>(
        {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x03, 0x0c, 0x30, 0xc0, 0x0f, 0xf0, 0xff});
    return std::ranges::find(kValid, select) != kValid.end() && select < 1U << port_bytes;
}

}  // namespace

PlainMemory::PlainMemory() {
    for (std::size_t range = 0; range < kMemories.size(); ++range) {
        for (std::uint64_t address = kMemories[range].first; address <= kMemories[range].last; ++address) {
            bytes_[range].push_back(std::byte{first_contents(address)});
        }
    }
}

bool PlainMemory::access(bool is_write, std::uint64_t address, std::uint8_t select, std::span<std::byte> value) {
    const std::uint64_t base = address - address % value.size();
    bool succeeds = is_valid_select(select, value.size());
    // Accesses bytes in address order; the first failure ends the operation.
    for (std::size_t index = 0; index < value.size(); ++index) {
        const bool is_selected = (select >> (value.size() - 1 - index) & 1U) != 0;
        if (succeeds && is_selected) {
            const auto* const range = std::ranges::find_if(kMemories, [&](const MemoryRange& memory) {
                return base + index >= memory.first && base + index <= memory.last;
            });
            succeeds = range != kMemories.end() && !(is_write && range->is_read_only);
            if (succeeds) {
                std::byte& byte =
                    bytes_[static_cast<std::size_t>(range - kMemories.begin())][base + index - range->first];
                (is_write ? byte : value[index]) = is_write ? value[index] : byte;
            }
        } else if (!is_write) {
            value[index] = std::byte{0};
        }
    }
    if (!succeeds && !is_write) {
        std::ranges::fill(value, std::byte{0});
    }
    return succeeds;
}

PlainSlave::Format PlainSlave::format_of(std::size_t address_bytes, std::size_t port_bytes) {
    const std::size_t wider = std::max(address_bytes, port_bytes);
    const std::size_t slot = wider == 1 ? 2 : wider;
    return {address_bytes, port_bytes, slot, wider == 8 ? std::size_t{8} : std::size_t{4}};
}

Bytes PlainSlave::answer_datagram(ByteView request) {
    if (request.size() < 4 || at(request, 0) != 0x4e || at(request, 1) != 0x6f) {
        return {};
    }
    const unsigned address_widths = at(request, 3) / 16;
    const unsigned port_widths = at(request, 3) % 16;
    Bytes message(request.begin(), request.end());
    if (at(request, 2) % 2 == 1) {
        message.resize(request.size() < 8 ? 0 : 8);
        if (!message.empty()) {
            message[2] = std::byte{0x16};
            message[3] = static_cast<std::byte>(options_.address_widths * 16 + options_.port_widths);
        }
        return message;
    }
    if (at(request, 2) / 16 != 1 || !is_width(address_widths) || !is_width(port_widths) ||
        (address_widths & options_.address_widths) == 0 || (port_widths & options_.port_widths) == 0) {
        return {};
    }
    const Format format = format_of(address_widths, port_widths);
    const std::size_t header_bytes = format.record_header_bytes;
    if (request.size() < header_bytes) {
        return {};
    }
    message[2] = std::byte{0x14};
    std::fill(message.begin() + 4, message.begin() + static_cast<std::ptrdiff_t>(header_bytes), std::byte{0});
    error_status_ = 0;
    const Outcome outcome = answer_records(message, header_bytes, format);
    message.resize(outcome.is_cut || !outcome.has_reads ? 0 : outcome.end);
    return message;
}

PlainSlave::StreamAnswer PlainSlave::answer_stream(ByteView request) {
    if (request.size() < 4) {
        return {.bytes = {}, .waiting_bytes = request.size()};
    }
    const unsigned asked_address_widths = at(request, 3) / 16;
    const unsigned asked_port_widths = at(request, 3) % 16;
    const unsigned address_widths = asked_address_widths & options_.address_widths;
    const unsigned port_widths = asked_port_widths & options_.port_widths;
    const bool is_probe = at(request, 2) % 2 == 1;
    const bool is_agreed = address_widths != 0 && port_widths != 0;
    if (at(request, 0) != 0x4e || at(request, 1) != 0x6f ||
        (!is_probe &&
         (!is_agreed || at(request, 2) / 16 != 1 || !is_width(asked_address_widths) || !is_width(asked_port_widths)))) {
        return {.bytes = {}, .waiting_bytes = 0, .is_etherbone = false};
    }
    if (!is_agreed && request.size() >= 8) {
        StreamAnswer answer = answer_stream(request.subspan(8));
        const Bytes probe_answer = answer_datagram(request.first(8));
        answer.bytes.insert(answer.bytes.begin(), probe_answer.begin(), probe_answer.end());
        return answer;
    }
    if (!is_agreed) {
        return {.bytes = {}, .waiting_bytes = request.size()};
    }
    const Format format = format_of(largest(address_widths), largest(port_widths));
    const std::size_t header_bytes = is_probe ? 8 : format.record_header_bytes;
    if (request.size() < header_bytes) {
        return {.bytes = {}, .waiting_bytes = request.size()};
    }
    Bytes message(request.begin(), request.end());
    if (is_probe) {
        message[2] = std::byte{0x16};
        message[3] = static_cast<std::byte>(options_.address_widths * 16 + options_.port_widths);
    }
    error_status_ = 0;
    const Outcome outcome = answer_records(message, header_bytes, format);
    message.resize(outcome.end);
    if (!is_probe) {
        message.erase(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(header_bytes));
    }
    return {.bytes = std::move(message), .waiting_bytes = request.size() - outcome.end};
}

PlainSlave::Outcome PlainSlave::answer_records(Bytes& message, std::size_t begin, const Format& format) {
    Outcome outcome{.end = begin};
    while (message.size() - outcome.end >= format.record_header_bytes) {
        const auto place = message.begin() + static_cast<std::ptrdiff_t>(outcome.end);
        const auto flags = std::to_integer<unsigned>(place[0]);
        const auto select = std::to_integer<std::uint8_t>(place[1]);
        const auto num_writes = std::to_integer<std::size_t>(place[2]);
        const auto num_reads = std::to_integer<std::size_t>(place[3]);
        std::size_t length = format.record_header_bytes;
        length += num_writes > 0 ? (1 + num_writes) * format.slot_bytes : 0;
        length += num_reads > 0 ? (1 + num_reads) * format.slot_bytes : 0;
        if (message.size() - outcome.end < length) {
            outcome.is_cut = true;
            break;
        }
        const Bytes record(place, place + static_cast<std::ptrdiff_t>(length));
        Bytes answer(length);
        std::array<std::byte, 8> port{};
        const std::span value(port.data(), format.port_bytes);
        const auto address_bytes = [&](unsigned space) {
            return (flags & space) != 0 ? std::max<std::size_t>(2, format.address_bytes) : format.address_bytes;
        };
        std::size_t from = format.record_header_bytes;
        std::size_t to = 0;
        if (num_writes > 0) {
            std::uint64_t address = number(record, from, format.slot_bytes, address_bytes(0x04));
            for (std::size_t write = 0; write < num_writes; ++write) {
                from += format.slot_bytes;
                std::copy_n(record.begin() + static_cast<std::ptrdiff_t>(from + format.slot_bytes - value.size()),
                            value.size(), value.begin());
                operate(true, (flags & 0x04) != 0, address, select, value);
                address += (flags & 0x02) != 0 ? 0 : format.port_bytes;
            }
            from += format.slot_bytes;
            to = (1 + num_writes) * format.slot_bytes;
        }
        answer[to] = static_cast<std::byte>((flags & 0x08) | ((flags & 0x80) != 0 ? 0x04U : 0U) |
                                            ((flags & 0x20) != 0 ? 0x02U : 0U));
        answer[to + 1] = std::byte{select};
        answer[to + 2] = static_cast<std::byte>(num_reads);
        to += format.record_header_bytes;
        const auto place_number = [&](std::size_t width, ByteView source) {
            std::ranges::copy(source, answer.begin() + static_cast<std::ptrdiff_t>(to + format.slot_bytes - width));
            from += format.slot_bytes;
            to += format.slot_bytes;
        };
        if (num_reads > 0) {
            outcome.has_reads = true;
            const std::size_t width = address_bytes(0x80);
            place_number(width, ByteView(record).subspan(from + format.slot_bytes - width, width));
            for (std::size_t read = 0; read < num_reads; ++read) {
                const std::uint64_t address = number(record, from, format.slot_bytes, address_bytes(0x40));
                operate(false, (flags & 0x40) != 0, address, select, value);
                place_number(format.port_bytes, value);
            }
        }
        std::ranges::copy(answer, place);
        outcome.end += length;
    }
    return outcome;
}

void PlainSlave::operate(bool is_write, bool is_configuration, std::uint64_t address, std::uint8_t select,
                         std::span<std::byte> value) {
    if (!is_configuration) {
        error_status_ = error_status_ * 2 + (memory_.access(is_write, address, select, value) ? 0 : 1);
        return;
    }
    const bool is_full = select == (1U << value.size()) - 1;
    if (is_write) {
        const bool is_request = address >= 32 && address < 40;
        wants_interrupts_ =
            wants_interrupts_ ||
            (is_full && is_request && std::ranges::any_of(value, [](std::byte byte) { return byte != std::byte{0}; }));
        return;
    }
    std::array<std::byte, 64> registers{};
    put(registers, 0, 8, error_status_);
    put(registers, 8, 8, options_.table_address);
    put(registers, 16, 8, options_.mac_address);
    put(registers, 24, 4, options_.internet_address);
    put(registers, 28, 4, options_.udp_port);
    put(registers, 40, 8, wants_interrupts_ ? 2 : 0);
    const std::uint64_t base = address - address % value.size();
    for (std::size_t index = 0; index < value.size(); ++index) {
        value[index] = is_full && base < registers.size() ? registers[base + index] : std::byte{0};
    }
}

}  // namespace nocbench::wishbone::test
