// Interface of every kind of machine: add kernels, run, read the results.
//
// Each kind of machine has its own constructor, its own functions to write its memories, and its own add_kernel().
// Everything else goes through this interface:
//
//  - Set observers before run(); unset ones cost nothing, and none changes the results.
//  - Call run() once. It returns when all kernels have finished and nothing is in flight.
//  - Read the results afterwards. Each function covers the whole run.
//
// A kind of machine advances time: next_step() returns the time of the next event, and step() simulates from that time
// to an end of its choice. Processors, which run the kernels, register with the Simulation; step() calls
// Processor::run() for events that resume them. An actor outside the machine, such as a host, is also a processor, with
// node kOutside.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/processor.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct Simulation;

/// Default limit of a run.
inline constexpr Cycle kDefaultCyclesMax = 2'000'000'000;
/// Maximum limit of a run.
inline constexpr Cycle kMostCycles = std::numeric_limits<Tick>::max() / kTicksPerCycle - 1;

/// Direction of a router's link: to the next router, or to or from the tile.
enum class Direction : std::uint8_t { east, west, south, north, to_tile, from_tile };

/// Flits sent over one link of a router.
struct LinkUse {
    int noc = 0;  // index in FloorPlan::networks
    PhysicalCoordinate router;
    Direction direction = Direction::to_tile;
    std::uint64_t flits = 0;
};

/// Flits of one kind of packet sent over one link.
struct PacketUse {
    std::string kind;  // in the machine's terms: "read request"
    LinkUse link;
};

/// Work of a bank of a memory, or of one of its subchannels.
struct MemoryUse {
    std::string memory;  // "DRAM bank 3", as programs number it
    int subchannel = 0;
    std::optional<int> bank;          // of the subchannel; none: the subchannel itself
    std::uint64_t bytes_read = 0;     // of the flits transferred
    std::uint64_t bytes_written = 0;  // likewise
    Tick busy = 0;                    // time for which it cannot take another flit
};

/// Bytes of reads and writes delivered to a tile's memory.
struct TileDeliveries {
    PhysicalCoordinate tile;
    std::uint64_t bytes = 0;
};

/// Tiles of a machine with their positions, and the networks that connect them.
struct FloorPlan {
    struct Tile {
        PhysicalCoordinate place;
        std::string kind;  // "Tensix", "DRAM", "core"
        std::optional<LogicalCoordinate> logical;
    };
    struct Network {
        std::string name;                   // "NoC 0"
        std::vector<Direction> directions;  // of the links between routers, by port
        bool wraps = false;                 // links wrap around the edges
        int flits_per_cycle = 1;            // over one link
    };

    int columns = 0;
    int rows = 0;
    std::int64_t flit_bytes = 0;
    std::vector<Tile> tiles;  // row by row
    std::vector<Network> networks;
};

/// Returns the floor plan of a mesh of nodes in columns and rows.
FloorPlan floor_plan_of_mesh(int columns, int rows);

class Machine {
public:
    virtual ~Machine() = default;
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    /// Returns the observers, to set before run().
    [[nodiscard]] Observers& observers();

    /// Runs until all kernels have finished and nothing is in flight. Throws KernelError, naming unfinished kernels,
    /// when a kernel violates the machine's rules, waits forever, or runs beyond `cycles_max`.
    void run(Cycle cycles_max = kDefaultCyclesMax);

    /// Returns one result per kernel, in the order of adding.
    [[nodiscard]] std::vector<KernelResult> kernel_results() const;

    /// Returns the cycles until the last kernel has ended and nothing is in flight.
    [[nodiscard]] Cycle elapsed_cycles() const { return elapsed_cycles_; }

    [[nodiscard]] virtual FloorPlan floor_plan() const = 0;

    /// Returns the place of a tile on the floor plan; not for kOutside.
    [[nodiscard]] virtual PhysicalCoordinate place_of_node(NodeIndex node) const = 0;

    /// Returns flits over links out of routers, to other routers and into tiles, by network and router. Omits unused
    /// links.
    [[nodiscard]] virtual std::vector<LinkUse> link_use() const = 0;

    /// Returns flits from tiles into their routers, by network and tile. Omits tiles without any.
    [[nodiscard]] virtual std::vector<LinkUse> injection_use() const = 0;

    /// Asks for packet_use(). Before run(); changes no result. Machines whose networks carry packets of one kind each
    /// ignore it.
    virtual void count_packets() {}

    /// Returns the flits of link_use() and injection_use() by kind of packet; empty unless count_packets() was called.
    [[nodiscard]] virtual std::vector<PacketUse> packet_use() const { return {}; }

    /// Returns the work of memories with banks, by memory, subchannel and bank. Omits unused ones.
    [[nodiscard]] virtual std::vector<MemoryUse> memory_use() const { return {}; }

    /// Returns tiles that received data, row by row.
    [[nodiscard]] virtual std::vector<TileDeliveries> deliveries() const = 0;

    /// Returns the flits forwarded by all routers, for measurements of simulation speed.
    [[nodiscard]] virtual std::uint64_t flit_hops() const = 0;

protected:
    Machine() = default;

    /// Returns a line for each unfinished kernel with the condition that it waits for; empty if all have finished.
    [[nodiscard]] std::string unfinished() const;

    void extend_to(Cycle cycles) { elapsed_cycles_ = cycles > elapsed_cycles_ ? cycles : elapsed_cycles_; }

private:
    void run_to_end(Cycle cycles_max);
    [[nodiscard]] virtual Simulation& simulation() = 0;
    [[nodiscard]] virtual const Simulation& simulation() const = 0;

    /// Returns the start of the next step, or kNever.
    [[nodiscard]] virtual Tick next_step() const = 0;
    virtual void step(Tick begin) = 0;
    /// Returns the end of simulated time, for deadlock reports.
    [[nodiscard]] virtual Cycle simulated_cycles() const = 0;
    /// Returns further waits for deadlock reports: lines that begin with a line feed, or nothing.
    [[nodiscard]] virtual std::string further_waits() const { return {}; }

    Cycle elapsed_cycles_ = 0;
};

}  // namespace nocbench
