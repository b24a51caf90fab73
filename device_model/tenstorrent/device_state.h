// State shared by the parts of a running device.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "device_model/sim/memory.h"
#include "device_model/sim/simulation.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/endpoints/dram_controller.h"
#include "device_model/tenstorrent/endpoints/host_link.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/leaving_data.h"
#include "device_model/tenstorrent/noc_parameters.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class BoundsCheck;
class Perturbation;
class RaceCheck;
class Risc;
class SyncCheck;
class NetworkInterfaces;
struct TileRegisters;

/// A request or write flit that reaches a memory controller.
struct EndpointArrival {
    Cycle cycle = 0;
    NodeIndex node = 0;
    std::uint8_t noc = 0;
    TransactionId transaction = kNoTransaction;
    std::uint32_t controller = 0;
    std::uint64_t address = 0;
    bool is_read = false;
    BurstPart part = kWholeBursts;  // of the last burst of a write, with its last flit
    bool is_last = false;           // last flit of its write
};

/// Controller of a memory. A variant, not a base class: avoids a virtual call per written flit.
using MemoryController = std::variant<DramController, HostLink>;

struct DeviceState : Simulation {
    DeviceState(TorusArchitecture architecture_, TorusBoard board_, Cycle window_cycles_max);

    TorusArchitecture architecture;
    TorusBoard board;
    Grid grid;
    WindowSchedule schedule;
    std::vector<Tick> skew_of_tile;  // by node

    TransactionPool transactions;
    std::array<MemoryEndpoint, kNumMemoryKinds> endpoints;
    std::vector<MemoryKind> memory_kind_of_node;
    std::vector<Memory> tile_memory;                 // by node: L1, or host memory for a PCIe tile
    std::vector<Memory> dram_memory;                 // by group of tiles that reach the same DRAM
    std::vector<int> dram_group_of_node;             // -1: no DRAM tile
    std::vector<MemoryController> controllers;       // by DRAM bank, then the host's
    std::vector<EndpointArrival> endpoint_arrivals;  // not served yet

    LeavingData leaving_data;
    std::unique_ptr<RaceCheck> race_check;  // these if asked for
    std::unique_ptr<SyncCheck> sync_check;
    std::unique_ptr<BoundsCheck> bounds_check;
    std::unique_ptr<Perturbation> perturbation;

    std::vector<std::uint64_t> bytes_delivered;  // by node: data of reads and writes that entered its memory

    std::vector<std::unique_ptr<Risc>> riscs;
    std::vector<int> riscs_of_nodes;                             // [node * RISCs of a tile + RISC]; -1: no kernel
    std::vector<std::unique_ptr<NetworkInterfaces>> interfaces;  // by NoC

    std::map<NodeIndex, std::shared_ptr<TileRegisters>> tile_registers;  // of tiles that run compiled kernels

    [[nodiscard]] Memory& memory(NodeIndex node);
    [[nodiscard]] Memory& memory(const DramBank& bank);

    /// Writes to the memory of a tile at `tick`. Writes to a tile come in order of time.
    void write_memory(NodeIndex node, std::uint64_t address, std::span<const std::byte> bytes, Tick tick);

    /// Writes a packet's data into memory and notifies observers.
    void deliver(const Delivery& delivery);

    [[nodiscard]] const MemoryEndpoint& endpoint(MemoryKind kind) const {
        return endpoints[static_cast<std::size_t>(kind)];
    }

    /// Returns the index of the controller behind `address` of the tile at `node`. The tile must have one.
    [[nodiscard]] std::uint32_t controller(NodeIndex node, std::uint64_t address) const;

    /// Returns the kernels of a tile by RISC; -1: none.
    [[nodiscard]] std::span<int> riscs_of_node(NodeIndex node) {
        const auto riscs_per_tile = static_cast<std::size_t>(architecture.num_all_riscs());
        return std::span(riscs_of_nodes).subspan(node * riscs_per_tile, riscs_per_tile);
    }
    [[nodiscard]] std::span<const int> riscs_of_node(NodeIndex node) const {
        const auto riscs_per_tile = static_cast<std::size_t>(architecture.num_all_riscs());
        return std::span(riscs_of_nodes).subspan(node * riscs_per_tile, riscs_per_tile);
    }

    void book(const ZoneReference& zone, Cause cause, Tick ticks);

    /// Books a wait over [from, to) that ended when `transaction` completed, following the phases of the transaction;
    /// time in flight is booked to `transit`.
    void book_wait(const ZoneReference& zone, const TransactionTimes& times, Tick from, Tick to, Cause transit);

    /// Returns the cycle at which the first request flit would reach an idle responder through an idle network.
    [[nodiscard]] Cycle unhindered_request_head(const TransactionTimes& times) const;

    /// Returns the share of `ticks`, waited behind a multicast, that it spent reserving its tree.
    [[nodiscard]] static Tick reservation_share(const TransactionTimes& times, Tick ticks);

    /// Returns the delay of a multicast by its own acknowledgements on links that it uses.
    [[nodiscard]] Cycle own_acknowledgement_delay(const TransactionTimes& times) const;

    /// Returns the bottleneck of a read queued at L1: the responder's injection port, the requestor's ejection port, or
    /// contention on the path.
    [[nodiscard]] Cause read_queue_cause(const TransactionTimes& times) const;

    /// Returns the bottleneck of a request's data stream.
    [[nodiscard]] Cause request_stream_cause(const TransactionTimes& times) const;

    /// Books the waits deferred behind `transaction`, which has finished.
    void resolve_deferred_waits(Transaction& transaction);

    /// Returns the share of the time of a tile's L1 that its RISCs take at `tick`, by polling it. Ticks per cycle.
    [[nodiscard]] Tick polled_share(NodeIndex node, Tick tick) const;

    /// Notifies the RISCs of a tile that its memory or counters changed at `tick` because of `times` (null: because of
    /// a RISC).
    void notify_tile(NodeIndex node, Tick tick, const TransactionTimes* times);
};

}  // namespace nocbench
