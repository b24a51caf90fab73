#include "kernels/tensix/dataflow/transfers.h"

#include <algorithm>

#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

namespace {

void read(const char* call, std::uint64_t source, std::uint32_t destination, std::uint32_t size, std::uint8_t noc,
          std::uint8_t vc, bool one_packet) {
    const Caller caller(call);
    const int number = caller.noc(noc);
    CommandTarget target = decode(caller, source);
    check_transfer(caller, target, destination, size, true);
    caller.show("READ", number, source, size, vc);
    if (one_packet) {
        check_is_one_packet(caller, size);
    }
    const std::uint32_t packet_bytes = max_packet_bytes(caller.state);
    const Command command{TransactionKind::read, kReadBuffer, vc, number, false, 0};
    while (size > 0) {
        const std::uint32_t bytes = std::min(size, packet_bytes);
        issue(caller, command, target, destination, bytes, caller.cost().read_call_ticks);
        ++caller.issued(number).reads;
        target.address += bytes;
        destination += bytes;
        size -= bytes;
    }
}

}  // namespace

std::uint32_t noc_max_burst_size() { return max_packet_bytes(Caller("noc_max_burst_size").state); }

void write(const Caller& caller, std::uint32_t source, CommandTarget target, std::uint32_t size, const Command& command,
           bool one_packet) {
    check_transfer(caller, target, source, size, false);
    if (one_packet) {
        check_is_one_packet(caller, size);
    }
    const std::uint32_t packet_bytes = max_packet_bytes(caller.state);
    while (size > 0) {
        const std::uint32_t bytes = std::min(size, packet_bytes);
        issue(caller, command, target, source, bytes, caller.cost().write_call_ticks);
        count_write(caller, command, target);
        target.address += bytes;
        source += bytes;
        size -= bytes;
    }
}

void write_unicast(const char* call, std::uint32_t source, std::uint64_t destination, std::uint32_t size,
                   std::uint8_t noc, std::uint8_t vc, bool posted, bool one_packet, std::uint8_t buffer) {
    const Caller caller(call);
    const Command command{TransactionKind::write, buffer, vc, caller.noc(noc), posted, 0};
    const CommandTarget target = decode(caller, destination);
    caller.show("WRITE_", command.noc, destination, size, vc, posted);
    write(caller, source, target, size, command, one_packet);
}

void noc_async_read(std::uint64_t source, std::uint32_t destination_l1, std::uint32_t size, std::uint8_t noc,
                    std::uint8_t vc) {
    read("noc_async_read", source, destination_l1, size, noc, vc, false);
}

void noc_async_read_one_packet(std::uint64_t source, std::uint32_t destination_l1, std::uint32_t size, std::uint8_t noc,
                               std::uint8_t vc) {
    read("noc_async_read_one_packet", source, destination_l1, size, noc, vc, true);
}

template <bool posted>
void noc_async_write(std::uint32_t source_l1, std::uint64_t destination, std::uint32_t size, std::uint8_t noc,
                     std::uint8_t vc) {
    write_unicast("noc_async_write", source_l1, destination, size, noc, vc, posted, false, kWriteBuffer);
}

template <bool posted>
void noc_async_write_one_packet(std::uint32_t source_l1, std::uint64_t destination, std::uint32_t size,
                                std::uint8_t noc, std::uint8_t vc) {
    write_unicast("noc_async_write_one_packet", source_l1, destination, size, noc, vc, posted, true, kWriteBuffer);
}

template void noc_async_write<false>(std::uint32_t, std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t);
template void noc_async_write<true>(std::uint32_t, std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t);
template void noc_async_write_one_packet<false>(std::uint32_t, std::uint64_t, std::uint32_t, std::uint8_t,
                                                std::uint8_t);
template void noc_async_write_one_packet<true>(std::uint32_t, std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t);

void noc_inline_dw_write(std::uint64_t address, std::uint32_t value, std::uint8_t noc, std::uint8_t vc) {
    const Caller caller("noc_inline_dw_write");
    const CommandTarget target = decode(caller, address);
    check_target(caller, "address", target, sizeof(value));
    caller.check_alignment("address", target.address, sizeof(value));
    caller.show("WRITE_INLINE", caller.noc(noc), address, sizeof(value), vc);
    Command command{TransactionKind::write, kSmallWriteBuffer, vc, caller.noc(noc), false, value};
    command.has_inline_data = true;
    issue(caller, command, target, 0, sizeof(value), caller.cost().write_call_ticks);
    count_write(caller, command, target);
}

void count_write(const Caller& caller, const Command& command, const CommandTarget& target) {
    KernelContext::IssuedCounters& issued = caller.issued(command.noc);
    if (command.posted) {
        ++issued.posted_writes;
    } else {
        ++issued.writes;
        issued.writes_to_be_acknowledged += std::max<std::uint64_t>(1, target.num_receivers);
    }
}

}  // namespace nocbench::dataflow
