// Network interfaces (NIUs) of all tiles on one NoC: command buffers and the initiator queue on the requesting side;
// request service, responses and acknowledgements on the responding side.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/multicast_tree.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

inline constexpr int kNumCommandBuffers = 4;  // per NIU; Tenstorrent ISA documentation, NoC memory map

inline constexpr std::size_t kNumTransactionIds = 16;

/// Counters of one NIU that kernels poll. Source: Tenstorrent ISA documentation, NoC counters.
struct NiuCounters {
    std::uint64_t reads_completed = 0;      // NIU_MST_RD_RESP_RECEIVED
    std::uint64_t writes_sent = 0;          // NIU_MST_NONPOSTED_WR_REQ_SENT
    std::uint64_t writes_acknowledged = 0;  // NIU_MST_WR_ACK_RECEIVED
    std::uint64_t posted_writes_sent = 0;   // NIU_MST_POSTED_WR_REQ_SENT
    std::uint64_t atomics_completed = 0;    // NIU_MST_ATOMIC_RESP_RECEIVED
    std::uint64_t reads_sent = 0;           // NIU_MST_RD_REQ_SENT
    // Indexed by transaction id:
    std::array<std::uint32_t, kNumTransactionIds> outstanding{};      // NIU_MST_REQS_OUTSTANDING_ID
    std::array<std::uint32_t, kNumTransactionIds> writes_outgoing{};  // NIU_MST_WRITE_REQS_OUTGOING_ID
};

class NetworkInterfaces final : public NetworkClient {
public:
    NetworkInterfaces(DeviceState& state, int noc);

    [[nodiscard]] Network& network() { return *network_; }
    [[nodiscard]] const Network& network() const { return *network_; }

    [[nodiscard]] const NiuCounters& counters(NodeIndex node) const { return interfaces_[node].counters; }

    [[nodiscard]] bool command_buffer_is_busy(NodeIndex node, int buffer) const;

    // State at a recent `cycle`, for kernels, which routers run a few cycles ahead of.

    [[nodiscard]] bool command_buffer_was_busy(NodeIndex node, int buffer, Cycle cycle) const;
    /// Counts writes sent after `cycle`: posted or non-posted ones, or those of one transaction id.
    [[nodiscard]] std::uint32_t writes_sent_after(NodeIndex node, Cycle cycle, bool posted) const;
    [[nodiscard]] std::uint32_t writes_sent_after(NodeIndex node, Cycle cycle, std::uint8_t id) const;

    /// Polls interfaces every cycle instead of waking them. Slower, with the same results, which tests verify.
    void set_polls(bool polls) { polls_ = polls; }

    /// Writes a command to its buffer at `tick`. The buffer must be free; it is busy until the command has a VC for its
    /// first hop.
    void submit(TransactionId id, Tick tick);

    /// Clears the counters of the transaction ids in bit mask `ids`.
    void clear_outstanding(NodeIndex node, std::uint32_t ids);

    /// Returns the multicast tree from `node` to a rectangle, building it on first use.
    TreeIndex find_tree(NodeIndex node, const MulticastRectangle& rectangle, bool includes_source);
    [[nodiscard]] const MulticastTree& tree(TreeIndex index) const { return *trees_[index]; }

    /// A chain of linked multicasts that software has begun and not ended.
    struct OpenChain {
        TreeIndex tree = kNoTree;  // kNoTree: no open chain
        std::uint8_t software_virtual_channel = 0;
        std::uint32_t risc = 0;
    };
    [[nodiscard]] const OpenChain& open_chain(NodeIndex node) const { return interfaces_[node].open_chain; }
    void set_open_chain(NodeIndex node, const OpenChain& chain) { interfaces_[node].open_chain = chain; }

    /// Registers `risc` as waiting for `buffer` of its tile since `since`; an event resumes it. Both RISCs may wait.
    void wait_for_command_buffer(int buffer, const Risc& risc, Tick since);
    /// Ends the wait of `risc`.
    void forget_waiter(int buffer, const Risc& risc) { waiter(buffer, risc).present = false; }

    /// Handles EventKind::commit_write and EventKind::complete_transaction.
    void commit_write(TransactionId id, Tick tick);
    void complete(TransactionId id, Tick tick);

    /// Takes a request or write flit that a memory controller has served.
    void add_endpoint_read(TransactionId id, Cycle arrival);
    void add_endpoint_write(const EndpointArrival& arrival, const WriteService& service);

    Cycle interface_cycle(NodeIndex node, Cycle cycle) override;
    void stream_can_start(NodeIndex node, int stream, Cycle cycle) override;
    void stream_finished(NodeIndex node, int stream, PacketId packet, Cycle cycle) override;
    void head_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) override;
    void data_flit_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) override;
    void packet_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) override;
    void path_reserved(NodeIndex node, PacketId packet, Cycle requested, Cycle cycle) override;

private:
    struct PendingResponse {
        Cycle ready = 0;
        TransactionId transaction = kNoTransaction;
        Tick ticks_per_flit = 0;
        bool holds_request = false;       // a read that blocks the next request of its virtual channel
        Cycle request_released = kNever;  // when it unblocks, unless something else delays the response
    };

    /// A virtual channel for incoming requests, which wait in the network while it is blocked.
    struct RequestChannel {
        std::int64_t reads_in_service = 0;  // responses not begun
        Cycle blocked_since = 0;
        Cycle blocked_cycles = 0;
        Cycle unblocked_at = 0;
    };

    /// Time an interface would be busy with responses, served one at a time and otherwise undelayed.
    class BusyTime {
    public:
        /// Adds work from `cycle`, or from the end of earlier work.
        void add(Cycle cycle, Tick ticks) {
            until_ = std::max(until_, ticks_from_cycles(cycle)) + ticks;
            ticks_ += ticks;
        }
        [[nodiscard]] Tick before(Cycle cycle) const {
            return ticks_ - std::max<Tick>(0, until_ - ticks_from_cycles(cycle));
        }

    private:
        Tick until_ = 0;
        Tick ticks_ = 0;
    };

    /// A read whose response has arrived and is being written into memory.
    struct EndingRead {
        Cycle cycle = 0;
        TransactionTimes times;
    };

    /// A write whose last flit has left.
    struct SentWrite {
        Cycle cycle = -1;
        bool posted = false;
        std::uint8_t id = 0;
    };
    static constexpr std::size_t kSentWritesKept = 16;  // at least the writes sent in the cycles that routers run ahead

    struct BufferWaiter {
        bool present = false;
        std::uint32_t risc = 0;
        Tick since = 0;
    };
    using BufferWaiters = std::array<BufferWaiter, kNumRiscs>;  // by RISC of the tile

    struct Interface {
        NiuCounters counters;
        std::deque<TransactionId> commands;  // the queue of initiators, in order of Transaction::accepted
        std::array<bool, kNumCommandBuffers> buffer_busy{};
        std::array<Cycle, kNumCommandBuffers> buffer_freed{};  // last time
        std::array<SentWrite, kSentWritesKept> sent_writes{};  // most recent ones
        std::size_t next_sent_write = 0;
        std::array<BufferWaiters, kNumCommandBuffers> waiters{};
        std::array<TransactionId, kNumSoftwareVirtualChannels>
            last_on_channel{};  // predecessor of the front command on its virtual channel
        std::int64_t outstanding_reads = 0;
        std::deque<EndingRead> reads_ending;  // in order; each is outstanding until its `cycle`
        TransactionTimes window_opener;       // last read that completed while the window was full
        OpenChain open_chain;
        bool holds_path = false;                    // by the last multicast, which was linked to the next
        bool awaits_path = false;                   // has requested the tree of a chain
        std::vector<TransactionId> arriving_parts;  // multicasts whose last flit is still to come
        bool has_read = false;
        NodeIndex last_read_responder = 0;
        Tick last_read_tick = 0;

        std::deque<PendingResponse> responses;  // in order of `ready`
        std::array<RequestChannel, kTorusVirtualChannels> request_channels;
        BusyTime serving_reads;    // to other tiles
        BusyTime receiving_reads;  // to this tile
        const MemoryEndpoint* endpoint = nullptr;
        std::uint32_t channels_in_service = 0;  // bit mask of channels with requests in service
        std::uint32_t blocked_channels = 0;
        std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> endpoint_commits;
        std::int64_t endpoint_flits_held = 0;  // posted writes still in the tile's buffer
        // For memories with a controller:
        Tick next_endpoint_read = 0;        // earliest forwarding of the next read request to the controller
        int write_channel = kEveryChannel;  // channel it accepts data from; a single one during a write
        int last_write_channel = kNoChannel;
        Cycle last_write_end = -1'000'000;  // long ago
        int last_write_flits = 0;           // data flits
        Cycle writes_resume = kNever;       // after a switch of the virtual channel
    };

    /// Starts the front command if possible. Otherwise returns false, notes the cause and, if known, the cycle to retry
    /// in `next`.
    bool start_front_command(NodeIndex node, Interface& interface, Cycle cycle, Cycle& next);
    /// Admits data of one write at a time to the bridge of a memory with a controller; other writes wait in the
    /// routers, and VCs take turns. A write on another VC than the last one waits after its first flit until the bridge
    /// has switched, which takes longer after more data. `data_flits`: size of the write at its last flit; 0 before.
    void keep_write_together(NodeIndex node, Interface& interface, int channel, int data_flits, Cycle cycle);
    BufferWaiter& waiter(int buffer, const Risc& risc);
    RequestChannel& request_channel(NodeIndex node, int channel) {
        return interfaces_[node].request_channels[static_cast<std::size_t>(channel)];
    }
    void start_response(NodeIndex node, Interface& interface, int stream, Cycle cycle);
    void add_response(NodeIndex node, const PendingResponse& response);
    void release_request(NodeIndex node, Interface& interface, PendingResponse& response, Cycle cycle);
    /// Returns a stream on which a response can start now, if any.
    [[nodiscard]] std::optional<int> free_response_stream(NodeIndex node) const;
    /// Completes a write: bytes visible in memory at `visible`, acknowledgement sent at `acknowledged`.
    void finish_write(NodeIndex node, TransactionId id, Cycle visible, Cycle acknowledged);
    void finish_transaction(TransactionId id);
    Packet make_request(NodeIndex node, TransactionId id);
    /// Begins a transaction for one receiver of a multicast.
    TransactionId begin_part(NodeIndex node, TransactionId multicast);
    TransactionId end_part_arrival(NodeIndex node, TransactionId multicast);
    void finish_part(TransactionId id);
    /// Frees the buffer space of written flits that the controller has taken by `cycle`.
    static void release_endpoint_flits(Interface& interface, Cycle cycle);
    /// Retires outstanding reads whose data are in memory by `cycle`.
    void end_reads(Interface& interface, Cycle cycle) const;
    void update_blocking(NodeIndex node, Interface& interface, Cycle cycle);
    void resume_buffer_waiters(Interface& interface, const Transaction& command, Cycle cycle);
    [[nodiscard]] int data_flits(std::uint32_t bytes) const;

    DeviceState& state_;
    int noc_;
    PacketPool packets_;
    std::unique_ptr<Network> network_;
    std::vector<Interface> interfaces_;
    using TreeKey = std::tuple<NodeIndex, MulticastRectangle, bool>;
    std::map<TreeKey, TreeIndex> tree_indices_;
    std::vector<std::unique_ptr<MulticastTree>> trees_;  // [TreeIndex]
    int num_response_streams_ = 0;
    bool polls_ = false;
    Tick source_ticks_per_data_flit_ = 0;
    Tick sink_ticks_per_data_flit_ = 0;
};

}  // namespace nocbench
