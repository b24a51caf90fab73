// A transaction: all effects of one command of a network interface, from the RISC's register write to the response.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/ledger.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"

namespace nocbench {

/// Times and waits of a transaction, from which the ledger is computed. A time is valid only once it has passed.
struct TransactionTimes {
    TransactionKind kind = TransactionKind::read;
    MemoryKind memory = MemoryKind::l1;  // of the responder
    std::uint16_t data_flits = 0;
    std::uint16_t num_receivers = 0;  // of a multicast; 0: a unicast
    std::uint16_t request_hops = 0;
    std::uint16_t response_hops = 0;
    std::uint8_t noc = 0;
    Cause start_cause = Cause::link;  // cause of waits between `accepted` and `started`
    Cycle accepted = 0;               // command enters the initiator queue
    Cycle started = 0;                // first virtual channel granted
    Cycle path_requested = 0;         // a multicast requests its tree
    Cycle path_reserved = 0;          // tree reserved; 0: no request was needed
    Cycle request_head = 0;           // first request flit at the responder's router port
    Cycle request_arrived = 0;        // last request flit
    Cycle service_expected = 0;       // response start at an otherwise idle responder
    Cycle response_started = 0;
    Cycle response_head = 0;
    Cycle response_arrived = 0;
    Cycle backlog_until = 0;           // end of the time in which the responder refused requests
    Cycle responder_stall_cycles = 0;  // cycles in which the responder took none of the waiting data
    // For a read, between `started` and `request_head`:
    Tick responder_busy_ticks = 0;  // responder busy with responses
    Tick requestor_busy_ticks = 0;  // requestor busy with responses to itself
};

/// Packet that carries the data of a transaction out of L1.
struct DataPacket {
    PacketId id = 0;
    std::uint8_t stream = 0;
    std::uint8_t header_flits = 0;  // 0: not given to the network yet
    FlitsRead read;                 // once all flits have been read
};

struct Transaction : TransactionTimes {
    [[nodiscard]] const TransactionTimes& times() const { return *this; }

    bool posted = false;  // no response
    std::uint8_t software_virtual_channel = 1;
    bool is_dynamic = false;           // request may change its virtual channel at each hop
    std::uint8_t request_channel = 0;  // virtual channel of the last link to the responder
    std::uint8_t command_buffer = 0;
    std::uint8_t id = 0;           // transaction id set by the kernel, for selective barriers
    bool has_inline_data = false;  // write of `operand`, which came with the command
    bool names_tile = true;        // coordinates rewritten for this command
    NodeIndex requestor = 0;
    std::uint32_t issuer = 0;       // RISC, by index
    std::uint32_t issued_from = 0;  // program counter, if known
    NodeIndex responder = 0;
    std::uint32_t bytes = 0;
    std::uint64_t requestor_address = 0;
    std::uint64_t responder_address = 0;
    std::uint32_t operand = 0;              // of an atomic, or inline data
    std::uint16_t data_flits_received = 0;  // of a write to a memory with a controller, so far

    // For multicasts. Each receiver has its own transaction; the multicast takes the times of the receiver acknowledged
    // last.
    TreeIndex tree = kNoTree;
    bool linked = false;                       // to the next multicast
    std::uint16_t receivers_missing = 0;       // receivers without acknowledgement
    std::uint16_t ejections_missing = 0;       // receivers that still miss the last flit
    TransactionId multicast = kNoTransaction;  // multicast that this receiver's transaction is part of

    bool is_leaving = false;       // data that LeavingData looks after
    std::uint32_t checked_as = 0;  // by RaceCheck
    DataPacket data_packet;
    std::vector<std::byte> payload;  // bytes in flight
    std::vector<DeferredWait> deferred_waits;
};

/// Pool of transactions that also reuses their buffers.
class TransactionPool : private Pool<Transaction> {
public:
    using Pool::for_each_in_use;
    using Pool::release;
    using Pool::operator[];

    TransactionId allocate() {
        const TransactionId id = Pool::allocate();
        Transaction& transaction = (*this)[id];
        std::vector<std::byte> payload = std::move(transaction.payload);
        std::vector<DeferredWait> deferred_waits = std::move(transaction.deferred_waits);
        deferred_waits.clear();
        transaction = Transaction{};
        transaction.payload = std::move(payload);
        transaction.deferred_waits = std::move(deferred_waits);
        return id;
    }
};

}  // namespace nocbench
