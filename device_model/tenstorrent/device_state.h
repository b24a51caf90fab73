// What the parts of a device share while it runs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/sim/memory.h"
#include "device_model/sim/simulation.h"
#include "device_model/tenstorrent/endpoints/dram_controller.h"
#include "device_model/tenstorrent/endpoints/host_link.h"
#include "device_model/tenstorrent/endpoints/memory_endpoint.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/noc_parameters.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class Risc;
class NetworkInterfaces;
struct TileRegisters;

/// Something that reaches the controller of a memory.
struct EndpointArrival {
    Cycle cycle = 0;
    NodeIndex node = 0;
    std::uint8_t noc = 0;
    TransactionId transaction = kNoTransaction;
    std::uint32_t controller = 0;
    std::uint64_t address = 0;
    bool is_read = false;
    bool is_partial_burst = false;
    bool is_last = false;  // flit of its write
};

/// Serves the requests to a memory. Not a base class: each flit of a write comes here.
using MemoryController = std::variant<DramController, HostLink>;

struct DeviceState : Simulation {
    DeviceState(Architecture architecture_, Board board_, Cycle window_cycles_max);

    Architecture architecture;
    Board board;
    Grid grid;
    WindowSchedule schedule;
    std::vector<Tick> skew_of_tile;  // by node

    TransactionPool transactions;
    std::array<MemoryEndpoint, kNumMemoryKinds> endpoints;
    std::vector<MemoryKind> memory_kind_of_node;
    std::vector<Memory> tile_memory;                 // by node: L1, or of the PCIe tile that of the host
    std::vector<Memory> dram_memory;                 // by group of tiles that reach the same DRAM
    std::vector<int> dram_group_of_node;             // -1: no DRAM tile
    std::vector<MemoryController> controllers;       // by bank of DRAM, and then that of the host
    std::vector<EndpointArrival> endpoint_arrivals;  // that have not been served

    std::vector<std::uint64_t> bytes_delivered;  // by node: data of reads and writes that entered its memory

    std::vector<std::unique_ptr<Risc>> riscs;
    std::vector<std::array<int, kNumRiscs>> riscs_of_node;       // -1: runs no kernel
    std::vector<std::unique_ptr<NetworkInterfaces>> interfaces;  // by NoC

    std::map<NodeIndex, std::shared_ptr<TileRegisters>> tile_registers;  // of tiles that run compiled kernels

    [[nodiscard]] Memory& memory(NodeIndex node);
    [[nodiscard]] Memory& memory(const DramBank& bank);

    /// Puts what a packet brought into memory, and shows it to the observers.
    void deliver(const Delivery& delivery);

    [[nodiscard]] const MemoryEndpoint& endpoint(MemoryKind kind) const {
        return endpoints[static_cast<std::size_t>(kind)];
    }

    /// The controller behind `address` of the tile at `node`, which has one.
    [[nodiscard]] std::uint32_t controller(NodeIndex node, std::uint64_t address) const;

    void book(const ZoneReference& zone, Cause cause, Tick ticks);

    /// Books [from, to) of a wait that ended because `transaction` completed: each part to what the transaction itself
    /// was waiting for at that time; time on the way goes to `transit`.
    void book_wait(const ZoneReference& zone, const TransactionTimes& times, Tick from, Tick to, Cause transit);

    /// When the first flit of a request would have reached the responder, had nothing been in its way.
    [[nodiscard]] Cycle unhindered_request_head(const TransactionTimes& times) const;

    /// The part of `ticks`, waited behind a multicast, in which it waited for its tree and not for its data.
    [[nodiscard]] static Tick reservation_share(const TransactionTimes& times, Tick ticks);

    /// By how much acknowledgements of a multicast, on links that it uses itself, delayed it.
    [[nodiscard]] Cycle own_acknowledgement_delay(const TransactionTimes& times) const;

    /// What a read of L1 waited for at a responder that had others to serve: for responses that filled
    /// the port of the responder or that of the requestor, or for what was in their way.
    [[nodiscard]] Cause read_queue_cause(const TransactionTimes& times) const;

    /// What kept the stream of a request from being faster.
    [[nodiscard]] Cause request_stream_cause(const TransactionTimes& times) const;

    /// Books what waited behind `transaction`, which has finished.
    void resolve_deferred_waits(Transaction& transaction);

    /// Tells the RISCs of a tile that its memory or counters changed at `tick` because of `times` (null: because of a
    /// RISC).
    void notify_tile(NodeIndex node, Tick tick, const TransactionTimes* times);
};

}  // namespace nocbench
