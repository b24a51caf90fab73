// The inside of an Epiphany machine: what EpiphanyDevice has, and what the kernel API acts on.
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

#include "device_model/arch/epiphany_constants.h"
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

/// Place of the id of a core in an address.
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
    /// The address by which all cores reach `offset` of a core's memory.
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
    /// Simulates a cycle of the networks, and what happens outside of them until it is over.
    void step(Tick begin);

    // For a guest: see EpiphanyGuest.

    /// Gives a core's memory to the guest that keeps it from now on.
    [[nodiscard]] std::vector<std::byte> take_memory(NodeIndex index) const;
    /// Null: there is none any more.
    void set_guest(NodeIndex index, EpiphanyGuest* guest) { nodes_[index].guest = guest; }
    /// The core and the offset in its memory that an address of a core means. Throws KernelError where there is none.
    [[nodiscard]] std::pair<LogicalCoordinate, std::uint64_t> core_memory_at(NodeIndex index, std::uint64_t address,
                                                                             std::size_t bytes) const;
    /// When what is being handled takes place.
    [[nodiscard]] Tick event_tick() const { return event_tick_; }

    // For the host.

    /// The node whose memory it is about.
    [[nodiscard]] NodeIndex node_of(const HostTarget& target) const;
    /// Puts bytes into memory, and shows them to the observers.
    void write_from_outside(const HostTarget& target, std::span<const std::byte> bytes, Tick tick);

    // For the kernel API only. `call` is the function that a complaint names. Sizes are 1, 2, 4 or 8 bytes.

    /// load_ahead: a load whose value is used so much later that none from the core's own memory is waited for.
    enum class ReadKind : std::uint8_t { load, load_ahead, testset };

    /// Loads; the core has stalled as long as the machine makes it. With `instructions_meanwhile`, so many instructions
    /// that do not use the value are done while it is on its way.
    std::uint64_t load(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size,
                       int instructions_meanwhile = 0, ReadKind kind = ReadKind::load, std::optional<Cause> cause = {});
    void store(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size, std::uint64_t value);
    /// Spins on a word of the core's own memory until `is_met(value)`, an iteration every `period`.
    std::uint32_t spin(EpiphanyCore& core, std::string_view call, std::uint64_t address, Tick period,
                       const std::function<bool(std::uint32_t)>& is_met,
                       std::string_view waiting_for = "another core to write there");
    /// Waits until all that the core, itself or by DMA, has written elsewhere has landed.
    void wait_for_writes(EpiphanyCore& core, std::string_view call);
    /// Loads and stores `count` elements in turn, as load() and store() would. The core stands still meanwhile, and the
    /// machine does it in its place.
    void copy(EpiphanyCore& core, std::string_view call, std::uint64_t destination, std::uint64_t source,
              std::uint32_t count, std::size_t size, ReadKind kind);
    /// Starts a DMA channel with the descriptor at `address` of the core's own memory.
    void start_dma(EpiphanyCore& core, std::string_view call, int channel, std::uint64_t address);
    /// Whether a DMA channel of the core is at work: reads its status register, by its global address, over the mesh.
    bool poll_dma(EpiphanyCore& core, std::string_view call, int channel);
    /// After a poll that began at `poll_begin`: leaves out those of the polls to come, one right after the other, that
    /// could meet nothing on the mesh and would find the channel at work. What follows is the same as with them.
    /// Returns whether the channel still is at work: if not, the poll that finds so is over.
    bool skip_polls(EpiphanyCore& core, std::string_view call, int channel, Tick poll_begin);
    /// Signals that the core has reached a wired-AND barrier, and waits for the interrupt that ends it.
    void wired_and(EpiphanyCore& core, std::string_view call);
    /// Lets those go on that wait there, after the time that the end of the barrier takes.
    void release_wired_and(EpiphanyCore& core);
    /// Where a store requests the user interrupt of a core.
    [[nodiscard]] std::uint32_t interrupt_address(LogicalCoordinate core) const;
    /// Lets time pass while the core computes, with what it does meanwhile for interrupts.
    void compute(EpiphanyCore& core, Tick ticks);
    /// From now on, the core calls `handler` when its user interrupt is requested: after the instruction that it is at,
    /// or when it is through with an access or a copy. Empty: interrupts are left to idle().
    void set_interrupt_handler(EpiphanyCore& core, std::function<void()> handler);
    [[nodiscard]] bool has_interrupt(const EpiphanyCore& core) const;
    /// Between two things that the core does: calls the handler if it is to be called.
    void take_interrupts(EpiphanyCore& core);
    /// Waits for an interrupt, unless one is pending already; returns after the time that it takes to be taken.
    void idle(EpiphanyCore& core, std::string_view call);

private:
    /// Where an address leads to.
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
        NodeIndex reply_node = 0;  // of a read: where the data go
        std::uint64_t reply_offset = 0;
        Place target;
        std::uint64_t data = 0;
        std::uint64_t writes_before = 0;  // of a read: of its requester to the same place
    };

    struct DmaChannel {
        bool is_active = false;
        bool reads = false;        // from elsewhere
        bool is_sending = false;   // a transaction waits for the mesh
        bool step_is_due = false;  // at an event
        DmaDescriptor descriptor;
        std::uint32_t source = 0;
        std::uint32_t destination = 0;
        std::uint32_t inner_left = 0;
        std::uint32_t outer_left = 0;
        std::int64_t outstanding_reads = 0;
        Tick next_step = 0;               // spacing of elements
        std::set<std::uint32_t> visited;  // descriptors of this chain
    };

    /// Writes from one place to another: a read that is not to overtake them waits for those issued before it.
    struct Writes {
        std::uint64_t issued = 0;
        std::uint64_t landed = 0;
    };

    /// A copy under way, and how far it has come.
    struct CopyLoop {
        enum class Stage : std::uint8_t {
            begin_load,
            load,         // from the own memory
            await_value,  // from elsewhere
            stall_for_value,
            take_value,
            begin_store,
            store,  // to the own memory
            await_room,
            stall_for_room,
            send,
            next
        };

        std::string_view call;
        std::uint32_t left = 0;  // elements; 0: it copies nothing
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

    /// When things happened to a transaction; kept only while somebody watches.
    struct TransactionTimes {
        Tick accepted = 0;
        Tick left = 0;
        Tick arrived = 0;
        Tick reply_ready = 0;
        Tick reply_left = 0;
    };

    static constexpr std::size_t kNumDmaChannels = 2;

    /// What belongs to a core besides its processor.
    // NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what belongs together stands together
    struct Node {
        Memory memory;
        EpiphanyGuest* guest = nullptr;  // keeps the memory while it runs
        std::vector<Tick> bank_busy_until;
        std::array<DmaChannel, kNumDmaChannels> dma;
        Tick dma_writes_from = 0;                     // its engine, of both channels, can write again
        int core = -1;                                // of cores_; -1: runs no kernel
        TransactionId unsent_store = kNoTransaction;  // in the store buffer
        bool store_stalls = false;                    // the core waits for the store buffer
        bool load_has_value = false;
        bool load_stalls = false;
        std::uint64_t load_value = 0;
        std::uint64_t bytes_delivered = 0;
        std::function<void()> interrupt_handler;
        // A core that spins on its own memory.
        const std::function<bool(std::uint32_t)>* spins_until = nullptr;
        std::uint64_t spin_offset = 0;
        Tick spin_since = 0;
        Tick spin_period = 0;
        // A core that polls one of its DMA channels.
        int polled_channel = -1;
        Tick polls_since = 0;
        Tick poll_period = 0;
        Tick status_delay = 0;  // from the begin of a poll to the look at the register
        Tick status_tick = 0;
        std::uint64_t reads_of_others = 0;  // read requests at this node that are not polls of its own
        std::uint64_t reads_of_others_before = 0;
        CopyLoop copy;
        bool stands_still = false;  // until it has copied
        bool interrupt_is_pending = false;
        bool is_in_handler = false;
        bool waits_interruptibly = false;  // the core stalls, until an interrupt at the latest
        bool was_interrupted = false;      // in that
        bool computes = false;             // until the core's time, or an interrupt
        bool is_idle = false;
        bool has_reached_barrier = false;
        bool awaits_landing = false;  // of all its writes
    };

    /// What an event is about; in the upper bits of Event::subject.
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
    /// Says what a transaction waits for before it leaves, as the ledgers of kernels have it.
    static Cause start_cause_of(const MeshTransaction& transaction);
    /// Tells the observers of a transaction whose last part reached its memory or its requester at `tick`.
    void report(const MeshTransaction& transaction, const TransactionTimes& times, Tick tick);
    void serve_read(TransactionId id, Tick tick);
    void commit(TransactionId id, Tick tick);
    void notify_memory(NodeIndex index, Tick tick);
    void request_interrupt(NodeIndex index, Tick tick);
    void stall_interruptibly(EpiphanyCore& core, const Stall& stall);
    /// Lets a core that left out polls go on `after` the begin of the first one that begins at `tick` or later.
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

    /// Where an access of a node goes. Throws KernelError that names its kernel and `call` if it may not go there.
    [[nodiscard]] Place place_of(NodeIndex index, std::uint64_t address, std::size_t size, std::string_view call) const;
    /// The same of one that writes.
    [[nodiscard]] Place writable_place_of(NodeIndex index, std::uint64_t address, std::size_t size,
                                          std::string_view call) const;
    /// "kernel 'copy' on core (0, 1): store"
    [[nodiscard]] std::string caller(NodeIndex index, std::string_view call) const;
    /// Bytes of a core's memory, as they are now.
    static void read_bytes(const Node& node, std::uint64_t offset, std::span<std::byte> out);
    /// Somebody is about to read at `tick`: a guest may have to go back.
    void announce_read(const Place& place, std::size_t size, Tick tick);
    /// Takes a cycle of the bank at `offset`; returns when it is free for it, at `tick` or later.
    Tick take_bank(NodeIndex index, std::uint64_t offset, Tick tick);
    [[nodiscard]] std::uint64_t read_word(const Place& place, std::size_t size) const;
    /// The core of a node that runs a kernel.
    [[nodiscard]] EpiphanyCore& core_of(const Node& node) { return *cores_[static_cast<std::size_t>(node.core)]; }
    [[nodiscard]] Writes& writes(NodeIndex from, NodeIndex to) { return writes_[from * nodes_.size() + to]; }
    /// Goes on with the copy of a core, which is to be resumed at its own time; returns whether it is done.
    bool go_on_copying(NodeIndex index);
    /// A step of it, at the core's time; false: it has to wait.
    bool copy_step(EpiphanyCore& core, Node& node);
    void send_read(NodeIndex index, const Place& place, std::size_t size, ReadKind kind, Tick tick);
    void send_store(NodeIndex index, const Place& place, std::size_t size, std::uint64_t value, Tick tick);
    [[nodiscard]] bool has_writes_under_way(NodeIndex from);
    /// One of its writes has landed.
    void note_landing(NodeIndex from, Tick tick);
    /// A write has come to where it goes: to memory, or to the register that requests interrupts.
    void land(NodeIndex source, const Place& place, std::size_t size, std::uint64_t value, Tick tick);
    /// Puts what a transaction brought into memory.
    void deliver(TransactionKind kind, NodeIndex source, const Place& place, std::size_t size, std::uint64_t value,
                 Tick tick);
    void require_core(LogicalCoordinate core) const;
    void require_range(LogicalCoordinate core, std::uint64_t offset, std::size_t size) const;

    EpiphanyConstants constants_;
    EpiphanyShape shape_;
    MeshWithEdgeLink mesh_;
    std::array<std::unique_ptr<MeshPlane>, kNumPlanes> planes_;
    Elink elink_;
    Tick event_tick_ = 0;  // of what is being handled
    Memory external_;
    std::vector<Node> nodes_;
    std::vector<Writes> writes_;  // [requester * nodes + target]
    Pool<MeshTransaction> transactions_;
    std::vector<TransactionTimes> times_;  // by TransactionId, as far as somebody watches
    std::vector<std::unique_ptr<EpiphanyCore>> cores_;
    std::vector<std::unique_ptr<EpiphanyHost>> hosts_;
};

}  // namespace nocbench
