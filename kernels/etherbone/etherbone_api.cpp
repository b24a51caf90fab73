#include "kernels/etherbone/etherbone_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench::etherbone {

namespace {

using wishbone::Bytes;
using wishbone::ByteView;
using wishbone::Record;
using wishbone::WireFormat;

// Return addresses in the program's own configuration space, two for each cycle.
constexpr std::uint64_t kFirstReturnAddress = 0x8000;
constexpr std::uint64_t kLastReturnAddress = 0xfffe;

// Address in the slave's configuration space.
constexpr Address kTableOfDevices = 8;

// Layout of the device table. Source: the specification of the self-describing bus.
constexpr std::uint64_t kDescriptorBytes = 64;
constexpr std::uint64_t kFirstAddressOffset = 8;
constexpr std::uint64_t kVendorOffset = 24;
constexpr std::uint64_t kProductOffset = 32;
constexpr std::uint64_t kWord = 4;
constexpr int kHalfWordBits = 16;
constexpr int kWordBits = 32;

/// Returns the address of the lowest word of the error status, for this port width.
Address status_address(const WireFormat& format) { return static_cast<Address>(8 - format.port_bytes); }

std::uint8_t all_lanes(const WireFormat& format) { return static_cast<std::uint8_t>((1U << format.port_bytes) - 1); }

int first_bit(std::uint8_t select) { return 8 * std::countr_zero(select); }

Value mask_of(int size_bytes) { return size_bytes == 8 ? ~Value{0} : (Value{1} << (8 * size_bytes)) - 1; }

/// Converts operations into records.
class Packer {
public:
    Packer(const WireFormat& format, std::uint64_t return_address) : format_(format), return_address_(return_address) {}

    void write(const Operation& operation, std::uint8_t select) {
        const auto port = static_cast<std::uint64_t>(format_.port_bytes);
        const std::size_t count = record_.writes.size();
        const std::uint64_t last =
            record_.writes_to_one_address ? record_.write_address : record_.write_address + (count - 1) * port;
        const bool fits = count > 0 && count < wishbone::kRecordOperationsMax && record_.read_addresses.empty() &&
                          record_.select == select && record_.writes_configuration == operation.is_configuration;
        const bool goes_on = fits && (!record_.writes_to_one_address || count == 1) && operation.address == last + port;
        const bool repeats = fits && (record_.writes_to_one_address || count == 1) && operation.address == last;
        if (!goes_on && !repeats) {
            begin(select);
            record_.write_address = operation.address;
            record_.writes_configuration = operation.is_configuration;
        }
        record_.writes_to_one_address = repeats;
        record_.writes.push_back(operation.value << first_bit(select));
    }

    void read(Address address, bool is_configuration, std::uint8_t select, std::uint64_t return_address) {
        const bool fits = record_.read_addresses.empty()
                              ? !record_.writes.empty()
                              : record_.reads_configuration == is_configuration &&
                                    record_.return_address == return_address &&
                                    record_.read_addresses.size() < wishbone::kRecordOperationsMax;
        if (!fits || record_.select != select) {
            begin(select);
        }
        record_.reads_configuration = is_configuration;
        record_.return_address = return_address;
        record_.read_addresses.push_back(address);
        encoded_.has_reads = true;
        ++(return_address == return_address_ ? encoded_.num_results : encoded_.num_statuses);
    }

    void read_status() { read(status_address(format_), true, all_lanes(format_), return_address_ + 1); }

    EncodedCycle finish() {
        if (is_begun_) {
            record_.ends_cycle = true;
            append_record(encoded_.records, record_, format_);
        }
        return std::move(encoded_);
    }

private:
    void begin(std::uint8_t select) {
        if (is_begun_) {
            append_record(encoded_.records, record_, format_);
        }
        is_begun_ = true;
        record_ = Record{.returns_to_configuration = true, .returns_to_one_address = true, .select = select};
    }

    WireFormat format_;
    std::uint64_t return_address_;
    Record record_;
    bool is_begun_ = false;
    EncodedCycle encoded_;
};

}  // namespace

bool CycleResult::is_ok() const { return std::ranges::find(errors, true) == errors.end(); }

EncodedCycle encode_cycle(const std::vector<Operation>& operations, bool is_checked, std::uint64_t return_address,
                          const WireFormat& format) {
    Packer packer(format, return_address);
    const int status_bits = 8 * format.port_bytes;
    int unchecked = 0;
    for (const Operation& operation : operations) {
        const std::uint8_t select = wishbone::select_of(operation.address, operation.size_bytes, format.port_bytes);
        if (operation.is_write) {
            packer.write(operation, select);
        } else {
            packer.read(operation.address, operation.is_configuration, select, return_address);
        }
        unchecked += operation.is_configuration ? 0 : 1;
        if (is_checked && unchecked == status_bits) {
            packer.read_status();
            unchecked = 0;
        }
    }
    if (is_checked && unchecked > 0) {
        packer.read_status();
    }
    return packer.finish();
}

void Socket::run() {
    if (device_ == nullptr) {
        return;
    }
    device_->flush();
    while (!device_->sent_.empty()) {
        device_->handle_answer();
        device_->flush();
    }
}

Device::Device(Socket& socket, wishbone::WidthSet address_widths, wishbone::WidthSet port_widths)
    : socket_(socket), next_return_address_(kFirstReturnAddress) {
    WishboneHost& host = socket.host_;
    if (socket.device_ != nullptr) {
        throw KernelError(fmt::format("{}: open: expected a socket without a device, found one with", host.name()));
    }
    Bytes probe;
    constexpr std::uint32_t kIdentifier = 0x86;
    wishbone::append_probe(probe, {.is_probe = true, .address_widths = address_widths, .port_widths = port_widths},
                           kIdentifier);
    host.write(probe);
    const Bytes answer = host.read();
    const std::optional<wishbone::Header> header = wishbone::decode_header(answer);
    const auto common_addresses = static_cast<std::uint8_t>(header ? header->address_widths & address_widths : 0);
    const auto common_ports = static_cast<std::uint8_t>(header ? header->port_widths & port_widths : 0);
    if (common_addresses == 0 || common_ports == 0) {
        throw KernelError(
            fmt::format("{}: open: expected widths that the FPGA has, found addresses 0x{:x}, data 0x{:x}", host.name(),
                        address_widths, port_widths));
    }
    format_ = {.address_bytes = std::bit_floor(common_addresses), .port_bytes = std::bit_floor(common_ports)};
    socket.device_ = this;
}

Device::~Device() { socket_.device_ = nullptr; }

Value Device::read(Address address, int size_bytes) {
    Value value = 0;
    Cycle cycle(*this);
    cycle.read(address, &value, size_bytes);
    if (!cycle.close().is_ok()) {
        throw KernelError(fmt::format("{}: read: the bus refuses address 0x{:x}", socket_.host_.name(), address));
    }
    return value;
}

void Device::write(Address address, Value value, int size_bytes) {
    Cycle cycle(*this);
    cycle.write(address, value, size_bytes);
    if (!cycle.close().is_ok()) {
        throw KernelError(fmt::format("{}: write: the bus refuses address 0x{:x}", socket_.host_.name(), address));
    }
}

Address Device::find(std::uint64_t vendor, std::uint32_t product) {
    Value table = 0;
    {
        Cycle cycle(*this);
        cycle.read_configuration(kTableOfDevices + 8 - static_cast<Address>(format_.port_bytes), &table);
        cycle.close_silently();
    }
    const auto descriptor = [&](Address address) {
        std::vector<Value> words(kDescriptorBytes / kWord);
        Cycle cycle(*this);
        for (std::size_t word = 0; word < words.size(); ++word) {
            cycle.read(address + word * kWord, &words[word]);
        }
        cycle.close();
        return words;
    };
    const auto double_word = [](const std::vector<Value>& words, std::uint64_t offset) {
        return words[offset / kWord] << kWordBits | words[offset / kWord + 1];
    };
    const std::uint64_t num_records = descriptor(table)[1] >> kHalfWordBits;
    for (std::uint64_t record = 1; record < num_records; ++record) {
        const std::vector<Value> words = descriptor(table + record * kDescriptorBytes);
        if (double_word(words, kVendorOffset) == vendor && words[kProductOffset / kWord] == product) {
            return double_word(words, kFirstAddressOffset);
        }
    }
    throw KernelError(fmt::format("{}: find: no device of vendor 0x{:x} and product 0x{:x} is on the bus",
                                  socket_.host_.name(), vendor, product));
}

void Device::queue(std::vector<Operation> operations, bool is_checked, Callback callback) {
    WishboneHost& host = socket_.host_;
    PendingCycle cycle;
    cycle.encoded = encode_cycle(operations, is_checked, next_return_address_, format_);
    const std::size_t length = cycle.encoded.records.size() + format_.header_bytes();
    if (host.sends_datagrams() && length > host.message_bytes_max()) {
        throw KernelError(fmt::format(
            "{}: close: cycle length overflow: expected a cycle that fits into a datagram of {} bytes, found {} bytes",
            host.name(), host.message_bytes_max(), length));
    }
    const BridgeHostConstants& constants = host.board().wishbone.host;
    const std::size_t num_operations = operations.size() + cycle.encoded.num_statuses;
    host.compute_ns(constants.library_cycle_ns +
                    static_cast<std::int64_t>(num_operations) * constants.library_operation_ns);
    cycle.return_address = next_return_address_;
    if (cycle.encoded.has_reads) {
        next_return_address_ =
            next_return_address_ == kLastReturnAddress ? kFirstReturnAddress : next_return_address_ + 2;
    }
    cycle.operations = std::move(operations);
    cycle.callback = std::move(callback);
    cycle.is_checked = is_checked;
    queued_.push_back(std::move(cycle));
}

/// Sends queued cycles: as many per datagram as fit, or a stream in pieces.
void Device::flush() {
    WishboneHost& host = socket_.host_;
    const std::size_t message_bytes_max = host.message_bytes_max();
    Bytes message;
    bool has_reads = false;
    std::vector<PendingCycle> done;
    const auto send = [&] {
        if (message.empty()) {
            return;
        }
        if (host.sends_datagrams()) {
            Bytes datagram;
            append_header(datagram, format_, !has_reads);
            datagram.insert(datagram.end(), message.begin(), message.end());
            message = std::move(datagram);
        }
        for (ByteView rest = message; !rest.empty(); rest = rest.subspan(std::min(message_bytes_max, rest.size()))) {
            host.write(rest.first(std::min(message_bytes_max, rest.size())));
        }
        message.clear();
        has_reads = false;
    };
    const std::size_t room = host.sends_datagrams() ? message_bytes_max - format_.header_bytes() : SIZE_MAX;
    while (!queued_.empty()) {
        PendingCycle cycle = std::move(queued_.front());
        queued_.pop_front();
        if (message.size() + cycle.encoded.records.size() > room) {
            send();
        }
        message.insert(message.end(), cycle.encoded.records.begin(), cycle.encoded.records.end());
        has_reads = has_reads || cycle.encoded.has_reads;
        if (cycle.encoded.has_reads) {
            sent_.push_back(std::move(cycle));
        } else {
            done.push_back(std::move(cycle));
        }
    }
    send();
    for (PendingCycle& cycle : done) {
        finish(std::move(cycle));
    }
}

void Device::handle_answer() {
    WishboneHost& host = socket_.host_;
    Bytes bytes = host.read();
    ByteView rest = bytes;
    if (host.sends_datagrams()) {
        rest = rest.subspan(format_.header_bytes());
    } else {
        received_.insert(received_.end(), bytes.begin(), bytes.end());
        bytes = std::move(received_);
        rest = bytes;
    }
    while (const std::optional<Record> record = wishbone::decode_record(rest, format_)) {
        rest = rest.subspan(record_bytes(*record, format_));
        take_answer(*record);
    }
    received_.assign(rest.begin(), rest.end());
}

void Device::take_answer(const Record& record) {
    if (!record.writes_configuration || record.writes.empty()) {
        return;
    }
    const std::uint64_t to = record.write_address;
    const auto cycle =
        std::ranges::find(sent_, to & ~std::uint64_t{1}, [](const PendingCycle& sent) { return sent.return_address; });
    if (cycle == sent_.end()) {
        return;
    }
    std::vector<Value>& values = to == cycle->return_address ? cycle->results : cycle->statuses;
    values.insert(values.end(), record.writes.begin(), record.writes.end());
    if (cycle->is_answered()) {
        PendingCycle answered = std::move(*cycle);
        sent_.erase(cycle);
        finish(std::move(answered));
    }
}

void Device::finish(PendingCycle cycle) {
    auto value = cycle.results.begin();
    for (const Operation& operation : cycle.operations) {
        if (!operation.is_write) {
            const std::uint8_t select =
                wishbone::select_of(operation.address, operation.size_bytes, format_.port_bytes);
            if (operation.result != nullptr) {
                *operation.result = *value >> first_bit(select) & mask_of(operation.size_bytes);
            }
            ++value;
        }
    }
    if (cycle.callback) {
        cycle.callback(result_of(cycle));
    }
}

CycleResult Device::result_of(const PendingCycle& cycle) const {
    CycleResult result;
    if (!cycle.is_checked) {
        return result;
    }
    // The status has the last bus operation's bit on the right.
    const auto status_bits = static_cast<std::size_t>(8 * format_.port_bytes);
    const auto num_operations =
        static_cast<std::size_t>(std::ranges::count(cycle.operations, false, &Operation::is_configuration));
    for (std::size_t operation = 0; operation < num_operations; ++operation) {
        const std::size_t status = operation / status_bits;
        const std::size_t last = std::min(num_operations, (status + 1) * status_bits) - 1;
        result.errors.push_back((cycle.statuses[status] >> (last - operation) & 1) != 0);
    }
    return result;
}

void Cycle::add(std::string_view call, const Operation& operation) {
    const std::string name = device_.socket().host().name();
    const int port_bytes = device_.format().port_bytes;
    if (is_closed_) {
        throw KernelError(fmt::format("{}: {}: the cycle is closed", name, call));
    }
    if (!std::has_single_bit(static_cast<unsigned>(operation.size_bytes)) || operation.size_bytes > port_bytes) {
        throw KernelError(fmt::format("{}: {}: expected 1, 2, 4 or 8 bytes, {} at most, found {}", name, call,
                                      port_bytes, operation.size_bytes));
    }
    if (operation.address % static_cast<Address>(operation.size_bytes) != 0) {
        throw KernelError(fmt::format("{}: {}: expected an address that is a multiple of {} bytes, found 0x{:x}", name,
                                      call, operation.size_bytes, operation.address));
    }
    if ((operation.value & ~mask_of(operation.size_bytes)) != 0) {
        throw KernelError(fmt::format("{}: {}: expected a value of {} bits, found 0x{:x}", name, call,
                                      8 * operation.size_bytes, operation.value));
    }
    operations_.push_back(operation);
}

void Cycle::read(Address address, Value* result, int size_bytes) {
    add("read", {.address = address, .size_bytes = size_bytes, .result = result});
}

void Cycle::write(Address address, Value value, int size_bytes) {
    add("write", {.is_write = true, .address = address, .size_bytes = size_bytes, .value = value});
}

void Cycle::read_configuration(Address address, Value* result) {
    add("read_configuration",
        {.is_configuration = true, .address = address, .size_bytes = device_.format().port_bytes, .result = result});
}

void Cycle::write_configuration(Address address, Value value) {
    add("write_configuration", {.is_write = true,
                                .is_configuration = true,
                                .address = address,
                                .size_bytes = device_.format().port_bytes,
                                .value = value});
}

CycleResult Cycle::close(bool is_checked) {
    if (std::exchange(is_closed_, true)) {
        throw KernelError(fmt::format("{}: close: the cycle is closed already", device_.socket().host().name()));
    }
    if (callback_) {
        device_.queue(std::move(operations_), is_checked, std::move(callback_));
        return {};
    }
    CycleResult result;
    bool is_answered = false;
    device_.queue(std::move(operations_), is_checked, [&](const CycleResult& answer) {
        result = answer;
        is_answered = true;
    });
    device_.flush();
    while (!is_answered) {
        device_.handle_answer();
    }
    return result;
}

}  // namespace nocbench::etherbone
