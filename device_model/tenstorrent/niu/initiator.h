// The initiator of a NIU: command buffers, the queue of their commands, and requests until their responses have come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "device_model/noc/packet.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/niu/niu_counters.h"
#include "device_model/tenstorrent/niu/niu_environment.h"
#include "device_model/tenstorrent/niu/read_window.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

inline constexpr int kNumCommandBuffers = 4;  // of a set of registers; Tenstorrent ISA documentation, NoC memory map

/// A chain of linked multicasts that software has begun and not ended.
struct OpenChain {
    TreeIndex tree = kNoTree;  // kNoTree: no open chain
    std::uint8_t software_virtual_channel = 0;
    std::uint32_t risc = 0;
};

class Initiator {
public:
    Initiator(NiuEnvironment& environment, NodeIndex node);

    // For kernels.

    /// Writes a command to its buffer at `tick`. The buffer must be free; it is busy until the command has a VC for its
    /// first hop.
    void submit(TransactionId id, Tick tick);
    [[nodiscard]] bool buffer_is_busy(int buffer, int processor = 0) const {
        return registers(processor).buffers[at(buffer)].is_busy;
    }
    /// Looks at a recent `cycle`, for kernels, which routers run a few cycles ahead of.
    [[nodiscard]] bool buffer_was_busy(int buffer, Cycle cycle) const {
        return buffer_is_busy(buffer) || registers(0).buffers[at(buffer)].freed > cycle;
    }
    /// Registers `risc` of this tile as waiting for `buffer` since `since`; an event resumes it. Several may wait.
    void wait_for_buffer(int buffer, const Risc& risc, Tick since);
    /// Ends the wait of `risc`.
    void forget_waiter(int buffer, const Risc& risc) { waiter(buffer, risc).present = false; }

    [[nodiscard]] const NiuCounters& counters(int processor = 0) const { return registers(processor).counters; }
    [[nodiscard]] const SentWrites& sent_writes(int processor = 0) const { return registers(processor).sent_writes; }
    /// Clears the counters of the transaction ids in bit mask `ids`.
    void clear_outstanding(std::uint32_t ids);

    [[nodiscard]] const OpenChain& open_chain() const { return open_chain_; }
    void set_open_chain(const OpenChain& chain) { open_chain_ = chain; }

    // For the network.

    /// Starts commands. Returns the next cycle to be called at.
    Cycle start_commands(Cycle cycle);
    [[nodiscard]] bool has_commands() const { return !commands_.empty(); }
    /// Tells if a command waits for nothing but a stream at `cycle`.
    [[nodiscard]] bool has_commands_at(Cycle cycle) const;
    void write_sent(const Transaction& write, Cycle cycle);
    void path_reserved(const Packet& packet, Cycle requested, Cycle cycle);
    void response_head_arrived(Transaction& transaction, Cycle cycle);
    void response_arrived(TransactionId id, Cycle cycle);

    /// Handles EventKind::complete_transaction.
    void complete(TransactionId id, Tick tick);
    /// Ends a transaction that needs no response, or has been completed.
    void finish(TransactionId id);

private:
    struct Waiter {
        bool present = false;
        std::uint32_t risc = 0;
        Tick since = 0;
    };
    struct CommandBuffer {
        bool is_busy = false;
        Cycle freed = 0;                          // last time
        std::array<Waiter, kRiscsMax> waiters{};  // by RISC of the tile
    };
    /// Registers that one RISC has to itself, or that all RISCs of the tile share.
    struct Registers {
        NiuCounters counters;
        SentWrites sent_writes;
        std::array<CommandBuffer, kNumCommandBuffers> buffers{};
    };

    static std::size_t at(int buffer) { return static_cast<std::size_t>(buffer); }
    [[nodiscard]] const Registers& registers(int processor) const {
        return registers_[registers_.size() == 1 ? 0 : at(processor)];
    }
    Registers& registers(int processor) { return registers_[registers_.size() == 1 ? 0 : at(processor)]; }
    /// Returns the registers of the RISC that issued `command`.
    Registers& registers(const Transaction& command);
    Waiter& waiter(int buffer, const Risc& risc);
    void resume_waiters(const Transaction& command, Cycle cycle);
    /// Returns `cycle` if the front command can start. Otherwise notes the cause and returns the cycle to retry, kNever
    /// if it is not known.
    Cycle front_command_start(Cycle cycle);
    void start_front_command(Cycle cycle);
    /// Returns the earliest time of a read that follows others of its responder.
    [[nodiscard]] Tick earliest_start(const Transaction& read) const;
    void start_read(Transaction& read, Cycle cycle);
    /// Returns the cycle from which a write that starts at `cycle` leaves. Takes inline data.
    Cycle first_data_flit(Transaction& write, Cycle cycle) const;
    void send_request(TransactionId id, Cycle start);
    void finish_part(TransactionId id);

    NiuEnvironment& environment_;
    NodeIndex node_;
    std::vector<Registers> registers_;    // by RISC, or one for all
    std::deque<TransactionId> commands_;  // in order of Transaction::accepted
    std::array<TransactionId, kVirtualChannelsMax> last_on_channel_{};
    ReadWindow reads_;
    NodeIndex last_read_responder_ = kOutside;  // kOutside: no read yet
    Tick last_read_tick_ = 0;
    OpenChain open_chain_;
    Cycle last_accepted_ = 0;   // of perturbed commands, which keep their order
    bool holds_path_ = false;   // by the last multicast, which was linked to the next
    bool awaits_path_ = false;  // has requested the tree of a chain
};

}  // namespace nocbench
