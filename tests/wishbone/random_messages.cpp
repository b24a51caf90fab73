#include "tests/wishbone/random_messages.h"

#include <algorithm>

#include "tests/wishbone/slave_rig.h"

namespace nocbench::wishbone::test {

namespace {

std::uint64_t random_number(std::mt19937& random, int bytes) {
    const std::uint64_t number = std::uint64_t{random()} << 32 | random();
    return number >> (64 - 8 * bytes);
}

std::uint64_t random_address(std::mt19937& random, int bytes) {
    const MemoryRange& range = kMemories[random() % kMemories.size()];
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * bytes);
    switch (random() % 16) {
        case 0:
            return random_number(random, bytes);
        case 1:
            return (0 - std::uint64_t{random() % 16}) & mask;
        case 2:
        case 3:
            return (range.last + random() % 16 - 8) & mask;
        default:
            return (range.first + random() % (range.last - range.first + 1)) & mask;
    }
}

std::uint8_t random_select(std::mt19937& random, int port_bytes) {
    switch (random() % 4) {
        case 0:
            return static_cast<std::uint8_t>(random());
        case 1: {
            const int size = 1 << random() % 4;
            return select_of(random() % 8 / static_cast<unsigned>(size) * static_cast<unsigned>(size),
                             std::min(size, port_bytes), port_bytes);
        }
        default:
            return static_cast<std::uint8_t>((1U << port_bytes) - 1);
    }
}

}  // namespace

WireFormat random_format(std::mt19937& random) {
    return {.address_bytes = 1 << random() % 4, .port_bytes = 1 << random() % 4};
}

Record random_record(std::mt19937& random, const WireFormat& format, unsigned long_one_of) {
    const auto flags = static_cast<unsigned>(random());
    const unsigned count_max = random() % long_one_of == 0 ? kRecordOperationsMax : 4U;
    Record record{.returns_to_configuration = (flags & 1) != 0,
                  .reads_configuration = (flags & 2) != 0,
                  .returns_to_one_address = (flags & 4) != 0,
                  .ends_cycle = (flags & 8) != 0,
                  .writes_configuration = (flags & 16) != 0,
                  .writes_to_one_address = (flags & 32) != 0,
                  .select = static_cast<std::uint8_t>(flags >> 8)};
    record.writes.resize(random() % (count_max + 1));
    record.read_addresses.resize(random() % (count_max + 1));
    if (!record.writes.empty()) {
        record.write_address = random_number(random, format.address_bytes);
        std::ranges::generate(record.writes, [&] { return random_number(random, format.port_bytes); });
    }
    if (!record.read_addresses.empty()) {
        record.return_address = random_number(random, format.address_bytes);
        std::ranges::generate(record.read_addresses, [&] { return random_number(random, format.address_bytes); });
    }
    return record;
}

Bytes random_message(std::mt19937& random, const WireFormat& format) {
    Bytes message;
    append_header(message, format, random() % 8 == 0);
    for (auto left = random() % 5; left > 0; --left) {
        Record record = random_record(random, format, 200);
        record.select = random_select(random, format.port_bytes);
        record.reads_configuration = random() % 8 == 0;
        record.writes_configuration = random() % 8 == 0;
        if (!record.writes.empty()) {
            record.write_address =
                record.writes_configuration ? random() % 64 : random_address(random, format.address_bytes);
        }
        for (std::uint64_t& address : record.read_addresses) {
            address = record.reads_configuration ? random() % 80 : random_address(random, format.address_bytes);
        }
        append_record(message, record, format);
    }
    return message;
}

void mutate(std::mt19937& random, Bytes& bytes) {
    for (auto left = 1 + random() % 4; left > 0 && !bytes.empty(); --left) {
        const std::size_t where = random() % bytes.size();
        const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(where);
        switch (random() % 6) {
            case 0:
                bytes.resize(where);
                break;
            case 1:
                bytes.erase(place);
                break;
            case 2:
                bytes.insert(place, static_cast<std::byte>(random()));
                break;
            case 3:
                bytes.push_back(bytes[where]);
                break;
            case 4:
                *place ^= static_cast<std::byte>(1U << random() % 8);
                break;
            default:
                *place = static_cast<std::byte>(random());
                break;
        }
    }
}

}  // namespace nocbench::wishbone::test
