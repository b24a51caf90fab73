// Internal state of an Epiphany machine, behind EpiphanyDevice and the kernel API.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/dma_descriptor.h"
#include "device_model/epiphany/elink.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/epiphany_host.h"
#include "device_model/epiphany/epiphany_shape.h"
#include "device_model/epiphany/mesh_plane.h"
#include "device_model/sim/coordinate.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/memory.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/simulation.h"

namespace nocbench {

/// Position of the core id in an address.
inline constexpr unsigned kCoreIdShift = 20;

class EpiphanyGuest;

class EpiphanyState final : public MeshClient, public Simulation {
public:
    EpiphanyState(const EpiphanyConstants& constants, const EpiphanyShape& shape);
    ~EpiphanyState() override;
    EpiphanyState(const EpiphanyState&) = delete;
    EpiphanyState& operator=(const EpiphanyState&) = delete;

    [[nodiscard]] const EpiphanyConstants& constants() const { return constants_; }
    [[nodiscard]] const EpiphanyShape& shape() const { return shape_; }
    /// Returns the address by which all cores reach `offset` of a core's memory.
    [[nodiscard]] std::uint32_t global_address(LogicalCoordinate core, std::uint32_t offset) const;

    // See EpiphanyDevice.

    void write_memory(LogicalCoordinate core, std::uint64_t offset, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_memory(LogicalCoordinate core, std::uint64_t offset,
                                                     std::size_t size) const;
    void write_external(std::uint64_t offset, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_external(std::uint64_t offset, std::size_t size) const;

    void add_kernel(LogicalCoordinate core, const std::string& name, std::function<void()> kernel, Tick start);
    void add_host_kernel(const std::string& name, std::function<void(EpiphanyHost&)> kernel, Tick start);

    [[nodiscard]] FloorPlan floor_plan() const;
    [[nodiscard]] PhysicalCoordinate place_of_node(NodeIndex node) const;
    [[nodiscard]] std::vector<LinkUse> link_use() const;
    [[nodiscard]] std::vector<LinkUse> injection_use() const;
    [[nodiscard]] std::vector<TileDeliveries> deliveries() const;
    [[nodiscard]] std::uint64_t flit_hops() const;

    [[nodiscard]] Tick next_step() const;
    /// Simulates one network cycle, and all events until its end.
    void step(Tick begin);

    // For guests; see EpiphanyGuest.

    /// Returns a core's memory for its guest to keep from now on.
    [[nodiscard]] std::vector<std::byte> take_memory(NodeIndex index) const;
    /// Sets the guest; null: none any more.
    void set_guest(NodeIndex index, EpiphanyGuest* guest) { nodes_[index].guest = guest; }
    /// Returns the core and offset that a core's address refers to. Throws KernelError for an invalid one.
    [[nodiscard]] std::pair<LogicalCoordinate, std::uint64_t> core_memory_at(NodeIndex index, std::uint64_t address,
                                                                             std::size_t bytes) const;
    /// Returns the time of the event being handled.
    [[nodiscard]] Tick event_tick() const { return event_tick_; }

    // For the host.

    /// Returns the node that holds the target memory.
    [[nodiscard]] NodeIndex node_of(const HostTarget& target) const;
    /// Writes memory and notifies observers.
    void write_from_outside(const HostTarget& target, std::span<const std::byte> bytes, Tick tick);

    // For the kernel API only. `call` is the function named in errors. Sizes are 1, 2, 4 or 8 bytes.

    /// load_ahead: a load whose value is used late enough to hide the latency of the core's own memory.
    enum class ReadKind : std::uint8_t { load, load_ahead, testset };

    /// Loads a value, stalling the core as the machine does. `instructions_meanwhile`: independent instructions that
    /// overlap with the load.
    std::uint64_t load(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size,
                       int instructions_meanwhile = 0, ReadKind kind = ReadKind::load, std::optional<Cause> cause = {});
    void store(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size, std::uint64_t value);
    /// Spins on a word of the core's own memory until `is_met(value)`, one iteration every `period`.
    std::uint32_t spin(EpiphanyCore& core, std::string_view call, std::uint64_t address, Tick period,
                       const std::function<bool(std::uint32_t)>& is_met,
                       std::string_view waiting_for = "another core to write there");
    /// Waits until all writes of the core and its DMA channels to other memory have landed.
    void wait_for_writes(EpiphanyCore& core, std::string_view call);
    /// Copies `count` elements as alternating load() and store() would, simulated by the machine while the core is
    /// suspended.
    void copy(EpiphanyCore& core, std::string_view call, std::uint64_t destination, std::uint64_t source,
              std::uint32_t count, std::size_t size, ReadKind kind);
    /// Starts a DMA channel with the descriptor at `address` of the core's own memory.
    void start_dma(EpiphanyCore& core, std::string_view call, int channel, std::uint64_t address);
    /// Reads the status register of the core's DMA channel over the mesh, by global address. True if the channel is
    /// active.
    bool poll_dma(EpiphanyCore& core, std::string_view call, int channel);
    /// After a poll begun at `poll_begin`, skips further back-to-back polls that would meet no traffic and find the
    /// channel active. The results are the same. Returns false once a poll has found the channel idle.
    bool skip_polls(EpiphanyCore& core, std::string_view call, int channel, Tick poll_begin);
    /// Signals arrival at a wired-AND barrier, and waits for the interrupt that ends it.
    void wired_and(EpiphanyCore& core, std::string_view call);
    /// Releases the cores that wait at the barrier, after its completion time.
    void release_wired_and(EpiphanyCore& core);
    /// Returns the address at which a store requests a core's user interrupt.
    [[nodiscard]] std::uint32_t interrupt_address(LogicalCoordinate core) const;
    /// Spends computing time, taking interrupts meanwhile.
    void compute(EpiphanyCore& core, Tick ticks);
    /// Sets the user interrupt handler, called after the current instruction, access or copy. Empty: only idle() takes
    /// interrupts.
    void set_interrupt_handler(EpiphanyCore& core, std::function<void()> handler);
    [[nodiscard]] bool has_interrupt(const EpiphanyCore& core) const;
    /// Calls the handler between two actions of the core if an interrupt is pending.
    void take_interrupts(EpiphanyCore& core);
    /// Waits until an interrupt is pending, then for the time to take it.
    void idle(EpiphanyCore& core, std::string_view call);

private:
    /// Location that an address refers to.
    struct Place {
        bool is_external = false;
        NodeIndex node = 0;
        std::uint64_t offset = 0;
    };

    struct MeshTransaction {
        enum class Kind : std::uint8_t { write, read, testset } kind = Kind::write;
        bool is_dma = false;
        bool is_reply = false;
        std::uint8_t channel = 0;
        std::uint8_t size = 0;
        NodeIndex requester = 0;
        NodeIndex reply_node = 0;  // of a read: destination of the data
        std::uint64_t reply_offset = 0;
        Place target;
        std::uint64_t data = 0;
        std::uint64_t writes_before = 0;  // of a read: writes of its requester to the same memory
    };

    struct DmaChannel {
        bool is_active = false;
        bool reads = false;        // reads from other memory
        bool is_sending = false;   // a transaction waits for the mesh
        bool step_is_due = false;  // as an event
        DmaDescriptor descriptor;
        std::uint32_t source = 0;
        std::uint32_t destination = 0;
        std::uint32_t inner_left = 0;
        std::uint32_t outer_left = 0;
        std::int64_t outstanding_reads = 0;
        Tick next_step = 0;               // earliest next element
        std::set<std::uint32_t> visited;  // descriptors of this chain
    };

    /// Writes from one node to another. An ordered read waits for those issued before it.
    struct Writes {
        std::uint64_t issued = 0;
        std::uint64_t landed = 0;
    };

    /// A copy under way, and its progress.
    struct CopyLoop {
        enum class Stage : std::uint8_t {
            begin_load,
            load,         // from own memory
            await_value,  // from other memory
            stall_for_value,
            take_value,
            begin_store,
            store,  // to own memory
            await_room,
            stall_for_room,
            send,
            next
        };

        std::string_view call;
        std::uint32_t left = 0;  // remaining elements; 0: no copy
        std::size_t size = 0;
        ReadKind kind = ReadKind::load;
        bool reads_elsewhere = false;
        Stage stage = Stage::begin_load;
        std::uint64_t source_address = 0;
        std::uint64_t destination_address = 0;
        Place source;
        Place destination;
        std::uint64_t value = 0;
    };

    /// Times of a transaction, kept only for observers.
    struct TransactionTimes {
        Tick accepted = 0;
        Tick left = 0;
        Tick arrived = 0;
        Tick reply_ready = 0;
        Tick reply_left = 0;
    };

    static constexpr std::size_t kNumDmaChannels = 2;

    /// State of a core apart from its processor.
    // NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what belongs together stands together
    struct Node {
        Memory memory;
        EpiphanyGuest* guest = nullptr;  // holds the memory while it runs
        std::vector<Tick> bank_busy_until;
        std::array<DmaChannel, kNumDmaChannels> dma;
        Tick dma_writes_from = 0;                     // when the DMA engine, for both channels, can write again
        int core = -1;                                // index in cores_; -1: runs no kernel
        TransactionId unsent_store = kNoTransaction;  // in the store buffer
        bool store_stalls = false;                    // core waits for the store buffer
        bool load_has_value = false;
        bool load_stalls = false;
        std::uint64_t load_value = 0;
        std::uint64_t bytes_delivered = 0;
        std::function<void()> interrupt_handler;
        // For a core that spins on its own memory.
        const std::function<bool(std::uint32_t)>* spins_until = nullptr;
        std::uint64_t spin_offset = 0;
        Tick spin_since = 0;
        Tick spin_period = 0;
        // For a core that polls one of its DMA channels.
        int polled_channel = -1;
        Tick polls_since = 0;
        Tick poll_period = 0;
        Tick status_delay = 0;  // from the start of a poll to the read of the register
        Tick status_tick = 0;
        std::uint64_t reads_of_others = 0;  // read requests at this node, other than its own polls
        std::uint64_t reads_of_others_before = 0;
        CopyLoop copy;
        bool stands_still = false;  // suspended until its copy ends
        bool interrupt_is_pending = false;
        bool is_in_handler = false;
        bool waits_interruptibly = false;  // stalls, at the latest until an interrupt
        bool was_interrupted = false;      // during such a stall
        bool computes = false;             // until its own time, or an interrupt
        bool is_idle = false;
        bool has_reached_barrier = false;
        bool awaits_landing = false;  // waits until all its writes have landed
    };

    /// Kind of event, in the upper bits of Event::subject.
    enum class Action : std::uint32_t { serve_read, commit, dma_step };

    void transaction_left(Plane plane, NodeIndex index, MeshPort port, TransactionId id, Tick tick) override;
    void transaction_arrived(Plane plane, NodeIndex index, TransactionId id, Tick tick) override;
    void time_reached(Plane plane, NodeIndex index, Tick tick) override;

    void send(Plane which, NodeIndex from, MeshPort port, NodeIndex to, TransactionId id, Tick ready) {
        if (observers.finished) {
            (port == MeshPort::reply ? times(id).reply_ready : times(id).accepted) = ready;
        }
        planes_[static_cast<std::size_t>(which)]->send(from, port, to, id, ready);
    }
    void push_event(Tick tick, EventKind kind, NodeIndex index, Action action, std::uint32_t subject);
    void handle_events();
    [[nodiscard]] TransactionTimes& times(TransactionId id);
    /// Returns the cause to which ledgers charge the time that a transaction waits before it leaves its port.
    static Cause start_cause_of(const MeshTransaction& transaction);
    /// Reports to observers a transaction that completed at `tick`, in memory or at its requester.
    void report(const MeshTransaction& transaction, const TransactionTimes& times, Tick tick);
    void serve_read(TransactionId id, Tick tick);
    void commit(TransactionId id, Tick tick);
    void notify_memory(NodeIndex index, Tick tick);
    void request_interrupt(NodeIndex index, Tick tick);
    void stall_interruptibly(EpiphanyCore& core, const Stall& stall);
    /// Resumes a core that skips polls, `after` the start of its first poll at `tick` or later.
    void resume_polls(NodeIndex index, Tick tick, Tick after);
    [[nodiscard]] Cause cause_of_dma(NodeIndex index, int channel) const;

    void begin_descriptor(NodeIndex index, int channel, std::uint64_t address, Tick tick);
    void check_extent(NodeIndex index, std::string_view call, std::uint32_t address, int inner_stride, int outer_stride,
                      const DmaDescriptor& descriptor) const;
    void schedule_dma_step(NodeIndex index, int channel, Tick tick);
    void dma_step(NodeIndex index, int channel, Tick tick);
    void dma_transaction_left(NodeIndex index, int channel, Tick tick);
    void dma_reply_arrived(NodeIndex index, int channel, Tick tick);
    void finish_descriptor(NodeIndex index, int channel, Tick tick);
    static bool is_own(NodeIndex index, const Place& place);

    /// Returns the location of an access by a node. Throws KernelError that names kernel and `call` if it is not
    /// allowed.
    [[nodiscard]] Place place_of(NodeIndex index, std::uint64_t address, std::size_t size, std::string_view call) const;
    /// Same for a write.
    [[nodiscard]] Place writable_place_of(NodeIndex index, std::uint64_t address, std::size_t size,
                                          std::string_view call) const;
    /// Returns "kernel 'copy' on core (0, 1): store".
    [[nodiscard]] std::string caller(NodeIndex index, std::string_view call) const;
    static void read_bytes(const Node& node, std::uint64_t offset, std::span<std::byte> out);
    /// Announces a read at `tick`: a guest may have to roll back.
    void announce_read(const Place& place, std::size_t size, Tick tick);
    /// Occupies the bank at `offset` for a cycle. Returns when that begins, at `tick` or later.
    Tick take_bank(NodeIndex index, std::uint64_t offset, Tick tick);
    [[nodiscard]] std::uint64_t read_word(const Place& place, std::size_t size) const;
    /// Returns the core of a node that runs a kernel.
    [[nodiscard]] EpiphanyCore& core_of(const Node& node) { return *cores_[static_cast<std::size_t>(node.core)]; }
    [[nodiscard]] Writes& writes(NodeIndex from, NodeIndex to) { return writes_[from * nodes_.size() + to]; }
    /// Continues a core's copy until it needs events; the core must be resumed at its own time. True if the copy is
    /// done.
    bool go_on_copying(NodeIndex index);
    /// Makes a step of the copy, at the core's time. False if it has to wait.
    bool copy_step(EpiphanyCore& core, Node& node);
    void send_read(NodeIndex index, const Place& place, std::size_t size, ReadKind kind, Tick tick);
    void send_store(NodeIndex index, const Place& place, std::size_t size, std::uint64_t value, Tick tick);
    [[nodiscard]] bool has_writes_under_way(NodeIndex from);
    /// Notes that a write of the core has landed.
    void note_landing(NodeIndex from, Tick tick);
    /// Completes a write at its target: memory, or the interrupt request register.
    void land(NodeIndex source, const Place& place, std::size_t size, std::uint64_t value, Tick tick);
    void deliver(TransactionKind kind, NodeIndex source, const Place& place, std::size_t size, std::uint64_t value,
                 Tick tick);
    void require_core(LogicalCoordinate core) const;
    void require_range(LogicalCoordinate core, std::uint64_t offset, std::size_t size) const;

    EpiphanyConstants constants_;
    EpiphanyShape shape_;
    MeshWithEdgeLink mesh_;
    std::array<std::unique_ptr<MeshPlane>, kNumPlanes> planes_;
    Elink elink_;
    Tick event_tick_ = 0;  // of the event being handled
    Memory external_;
    std::vector<Node> nodes_;
    std::vector<Writes> writes_;  // [requester * nodes + target]
    Pool<MeshTransaction> transactions_;
    std::vector<TransactionTimes> times_;  // by TransactionId, only with observers
    std::vector<std::unique_ptr<EpiphanyCore>> cores_;
    std::vector<std::unique_ptr<EpiphanyHost>> hosts_;
};

}  // namespace nocbench
