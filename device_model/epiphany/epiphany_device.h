// A modeled Epiphany chip with its off-chip link and external memory: put data into its memories, add kernels, run, and
// look at what came out.
//
// Addresses are as the chip has them: 12 bits of core id (6 of row, 6 of column) above 20 bits of offset. With a core
// id of 0 they mean the core's own memory; a window of addresses that belongs to no core is external memory.
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
#include <vector>

#include "device_model/arch/epiphany_constants.h"
#include "device_model/epiphany/dma_descriptor.h"
#include "device_model/epiphany/elink.h"
#include "device_model/epiphany/epiphany_core.h"
#include "device_model/epiphany/mesh_plane.h"
#include "device_model/sim/coordinate.h"
#include "device_model/sim/memory.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/simulation.h"

namespace nocbench {

/// The cores of a board.
struct EpiphanyShape {
    int columns = 0;
    int rows = 0;
    int first_core_row = 0;  // of the core ids
    int first_core_column = 0;
    std::int64_t clock_hz = 0;
};

/// Bytes of a register file that other cores and the core itself reach by address.
/// Source: Epiphany Architecture Reference, memory-mapped registers.
inline constexpr std::uint64_t kRegisterOffset = 0xf0000;
inline constexpr std::uint64_t kDmaRegisterOffset = 0xf0500;
inline constexpr std::uint64_t kDmaRegisterStride = 0x20;  // from channel 0 to channel 1
inline constexpr std::uint64_t kDmaStatusOffset = 0x1c;    // within a channel's registers
inline constexpr std::uint64_t kDmaIdle = 0;               // its status: bits 0 to 3 tell the state
inline constexpr std::uint64_t kDmaActive = 5;

/// Where the window of external memory begins. Source: Parallella; facts of the EBSP authors.
inline constexpr std::uint64_t kExternalMemoryAddress = 0x8e000000;

class EpiphanyDevice final : public MeshClient, public Simulation {
public:
    EpiphanyDevice(const EpiphanyConstants& constants, const EpiphanyShape& shape);
    ~EpiphanyDevice() override;
    EpiphanyDevice(const EpiphanyDevice&) = delete;
    EpiphanyDevice& operator=(const EpiphanyDevice&) = delete;

    [[nodiscard]] const EpiphanyConstants& constants() const { return constants_; }
    [[nodiscard]] const EpiphanyShape& shape() const { return shape_; }
    [[nodiscard]] int num_cores() const { return shape_.columns * shape_.rows; }

    /// Cores are numbered row by row.
    [[nodiscard]] LogicalCoordinate core_at(int number) const {
        return {.x = number % shape_.columns, .y = number / shape_.columns};
    }
    [[nodiscard]] int core_number(LogicalCoordinate core) const { return core.y * shape_.columns + core.x; }
    /// The address by which all cores reach `offset` of a core's memory.
    [[nodiscard]] std::uint32_t global_address(LogicalCoordinate core, std::uint32_t offset) const;
    /// Links from router to router between two cores.
    [[nodiscard]] static int hops(LogicalCoordinate from, LogicalCoordinate to);

    // The host's view of memory; takes no simulated time. Ranges outside of a memory throw InputError.

    void write_memory(LogicalCoordinate core, std::uint64_t offset, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_memory(LogicalCoordinate core, std::uint64_t offset,
                                                     std::size_t size) const;
    void write_external(std::uint64_t offset, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> read_external(std::uint64_t offset, std::size_t size) const;

    /// Puts a kernel on a core, to start at `start`. Throws InputError if the core does not exist or runs one.
    void add_kernel(LogicalCoordinate core, const std::string& name, std::function<void()> kernel, Tick start = 0);

    /// Who watches; set before run().
    [[nodiscard]] Observers& watchers() { return observers; }

    /// Runs until all kernels have finished and nothing is on its way; see Device::run.
    void run(Cycle cycles_max = kDefaultCyclesMax);

    [[nodiscard]] std::vector<KernelResult> kernel_results() const { return results_of(cores_); }
    [[nodiscard]] std::vector<TileDeliveries> deliveries() const;
    [[nodiscard]] std::uint64_t flit_hops() const;
    [[nodiscard]] Cycle elapsed_cycles() const { return elapsed_cycles_; }

    // For the kernel API only. `call` is the function that a complaint names. Sizes are 1, 2, 4 or 8 bytes.

    enum class ReadKind : std::uint8_t { load, testset };

    /// Loads; the core has stalled as long as the machine makes it. With `instructions_meanwhile`, so many instructions
    /// that do not use the value are done while it is on its way.
    std::uint64_t load(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size,
                       int instructions_meanwhile = 0, ReadKind kind = ReadKind::load, std::optional<Cause> cause = {});
    void store(EpiphanyCore& core, std::string_view call, std::uint64_t address, std::size_t size, std::uint64_t value);
    /// Spins on a word of the core's own memory until `is_met(value)`, an iteration every `period`.
    std::uint32_t spin(EpiphanyCore& core, std::string_view call, std::uint64_t address, Tick period,
                       const std::function<bool(std::uint32_t)>& is_met);
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
    /// Where a store requests the user interrupt of a core.
    [[nodiscard]] std::uint32_t interrupt_address(LogicalCoordinate core) const;
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

    static constexpr std::size_t kNumDmaChannels = 2;

    /// What belongs to a core besides its processor.
    struct Node {
        Memory memory;
        std::vector<Tick> bank_busy_until;
        std::array<DmaChannel, kNumDmaChannels> dma;
        int core = -1;                                // of cores_; -1: runs no kernel
        TransactionId unsent_store = kNoTransaction;  // in the store buffer
        bool store_stalls = false;                    // the core waits for the store buffer
        bool load_has_value = false;
        std::uint64_t load_value = 0;
        bool load_stalls = false;
        std::uint64_t bytes_delivered = 0;
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
        bool interrupt_is_pending = false;
        bool is_idle = false;
        bool has_reached_barrier = false;
    };

    /// What an event is about; in the upper bits of Event::subject.
    enum class Action : std::uint32_t { serve_read, commit, dma_step };

    void transaction_left(Plane plane, NodeIndex index, MeshPort port, TransactionId id, Tick tick) override;
    void transaction_arrived(Plane plane, NodeIndex index, TransactionId id, Tick tick) override;
    void time_reached(Plane plane, NodeIndex index, Tick tick) override;

    void send(Plane which, NodeIndex from, MeshPort port, NodeIndex to, TransactionId id, Tick ready) {
        planes_[static_cast<std::size_t>(which)]->send(from, port, to, id, ready);
    }
    void push_event(Tick tick, EventKind kind, NodeIndex index, Action action, std::uint32_t subject);
    void handle_events();
    void serve_read(TransactionId id, Tick tick);
    void commit(TransactionId id, Tick tick);
    void notify_memory(NodeIndex index, Tick tick);
    void request_interrupt(NodeIndex index, Tick tick);
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
    /// "kernel 'copy' on core (0, 1): store"
    [[nodiscard]] std::string caller(NodeIndex index, std::string_view call) const;
    /// Takes a cycle of the bank at `offset`; returns when it is free for it, at `tick` or later.
    Tick take_bank(NodeIndex index, std::uint64_t offset, Tick tick);
    [[nodiscard]] std::uint64_t read_word(const Place& place, std::size_t size) const;
    /// The core of a node that runs a kernel.
    [[nodiscard]] EpiphanyCore& core_of(const Node& node) { return *cores_[static_cast<std::size_t>(node.core)]; }
    [[nodiscard]] Writes& writes(NodeIndex from, NodeIndex to) { return writes_[from * nodes_.size() + to]; }
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
    Memory external_;
    std::vector<Node> nodes_;
    std::vector<Writes> writes_;  // [requester * nodes + target]
    Pool<MeshTransaction> transactions_;
    std::vector<std::unique_ptr<EpiphanyCore>> cores_;
    Cycle elapsed_cycles_ = 0;
};

}  // namespace nocbench
