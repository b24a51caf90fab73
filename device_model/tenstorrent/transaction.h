// A transaction: what one command of a network interface causes, from the RISC's register write to the response.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/noc/packet.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/ledger.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"

namespace nocbench {

/// When things happened to a transaction, and what it waited for: what the ledger is made from. A later time is valid
/// only once it has come.
struct TransactionTimes {
    TransactionKind kind = TransactionKind::read;
    MemoryKind memory = MemoryKind::l1;  // of the responder
    std::uint16_t data_flits = 0;
    std::uint16_t num_receivers = 0;  // of a multicast; 0: a unicast
    std::uint16_t request_hops = 0;
    std::uint16_t response_hops = 0;
    std::uint8_t noc = 0;
    Cause start_cause = Cause::link;  // what the command waited for between `accepted` and `started`
    Cycle accepted = 0;               // the command is in the queue of initiators
    Cycle started = 0;                // it has a virtual channel
    Cycle path_requested = 0;         // a multicast asks for its tree
    Cycle path_reserved = 0;          // and has it; 0: it did not have to ask
    Cycle request_head = 0;           // first flit of the request at the responder's router port
    Cycle request_arrived = 0;        // last one
    Cycle service_expected = 0;       // when the response would have started had nothing else been at the responder
    Cycle response_started = 0;
    Cycle response_head = 0;
    Cycle response_arrived = 0;
    Cycle backlog_until = 0;           // until when the responder turned requests away
    Cycle responder_stall_cycles = 0;  // cycles in which the responder took no data although some was there
    // Of a read, between `started` and `request_head`:
    Tick responder_busy_ticks = 0;  // how long the responder was busy with responses
    Tick requestor_busy_ticks = 0;  // how long the requestor was busy with responses to itself
};

struct Transaction : TransactionTimes {
    [[nodiscard]] const TransactionTimes& times() const { return *this; }

    bool posted = false;  // no response
    std::uint8_t software_virtual_channel = 1;
    bool is_dynamic = false;           // the request may change its virtual channel at each hop
    std::uint8_t request_channel = 0;  // on which it reached the responder, of the virtual channels of links
    std::uint8_t command_buffer = 0;
    std::uint8_t id = 0;           // that kernels gave it, to wait for some transactions and not for others
    bool has_inline_data = false;  // a write of the word `operand`, which came with the command
    bool names_tile = true;        // its coordinates were written anew; they were not left from the one before
    NodeIndex requestor = 0;
    std::uint32_t issuer = 0;       // RISC, by index
    std::uint32_t issued_from = 0;  // where in its program, if that is known
    NodeIndex responder = 0;
    std::uint32_t bytes = 0;
    std::uint64_t requestor_address = 0;
    std::uint64_t responder_address = 0;
    std::uint32_t operand = 0;              // of an atomic, or inline data
    std::uint16_t data_flits_received = 0;  // of a write to a memory with a controller, so far

    // Of a multicast. What happens at a receiver is kept in a transaction of its own; the times of the one whose
    // acknowledgement came last become those of the multicast.
    TreeIndex tree = kNoTree;
    bool linked = false;                       // to the next one
    std::uint16_t receivers_missing = 0;       // have not acknowledged yet
    std::uint16_t ejections_missing = 0;       // receivers that the last flit has not reached yet
    TransactionId multicast = kNoTransaction;  // what this is a receiver's part of

    std::vector<std::byte> payload;  // bytes on their way
    std::vector<DeferredWait> deferred_waits;
};

/// Transactions whose buffers are used again, too.
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
