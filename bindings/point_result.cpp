#include "bindings/point_result.h"

#include <pybind11/stl.h>

#include <string_view>

#include "device_model/sim/machine.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

py::list rows(const TestDefinition& test, const PointResult& point) {
    py::list result;
    for (const ResultRow& row : point.rows) {
        py::dict entry;
        entry["arch"] = point.arch;
        entry["test"] = test.name;
        entry["kernel"] = row.kernel;
        entry["num_transactions"] = point.num_transactions;
        entry["transaction_size_bytes"] = row.transaction_size_bytes;
        entry["latency_cycles"] = row.latency_cycles;
        entry["bandwidth_bytes_per_cycle"] = row.bandwidth_bytes_per_cycle;
        entry["call_size_bytes"] = point.call_size_bytes;
        entry["primitive"] = test.primitive;
        entry["test_id"] = test.id;
        entry["board"] = point.board;
        entry["noc"] = row.noc;
        entry["riscv"] = row.riscv;
        entry["num_cores"] = row.num_cores;
        entry["median_core_cycles"] = row.median_core_cycles;
        entry["all_cores_cycles"] = row.all_cores_cycles;
        entry["clock_hz"] = point.clock_hz;
        entry["data_ok"] = row.data_ok;
        entry["limiter"] = std::string(to_string(row.limiter));
        entry["params"] = point.params;
        result.append(entry);
    }
    return result;
}

/// Returns data faults by row; empty for correct data.
py::list data_faults(const PointResult& point) {
    py::list result;
    for (const ResultRow& row : point.rows) {
        result.append(row.data_fault);
    }
    return result;
}

py::list cores(const PointResult& point) {
    py::list result;
    for (const CoreResult& core : point.cores) {
        py::dict entry;
        entry["kernel"] = core.kernel;
        add_identity(entry, core.identity);
        entry["noc"] = core.noc;
        entry["riscv"] = core.identity.processor;
        entry["latency_cycles"] = cycles_from_ticks(core.latency);
        entry["bandwidth_bytes_per_cycle"] = core.bandwidth_bytes_per_cycle;
        entry["waits"] = describe_waits(core.ledger);
        entry["zone"] = core.zone;
        result.append(entry);
    }
    return result;
}

/// Returns the name of an axis for unidirectional links, as those of a NoC, and of a direction otherwise.
std::string_view name_of(Direction direction, bool runs_one_way) {
    switch (direction) {
        case Direction::east:
            return runs_one_way ? "x" : "east";
        case Direction::west:
            return runs_one_way ? "x" : "west";
        case Direction::south:
            return runs_one_way ? "y" : "south";
        case Direction::north:
            return runs_one_way ? "y" : "north";
        case Direction::to_tile:
            return "niu_out";
        case Direction::from_tile:
            return "niu_in";
    }
    return "";
}

bool runs_one_way(const FloorPlan::Network& network) {
    constexpr std::size_t kAxes = 2;
    return network.directions.size() == kAxes;
}

py::dict describe(const LinkUse& link, const PointResult& point) {
    const bool one_way =
        !point.floor_plan || runs_one_way(point.floor_plan->networks[static_cast<std::size_t>(link.noc)]);
    py::dict entry;
    entry["noc"] = link.noc;
    entry["x"] = link.router.x;
    entry["y"] = link.router.y;
    entry["direction"] = std::string(name_of(link.direction, one_way));
    entry["flits"] = link.flits;
    return entry;
}

py::list links(const PointResult& point) {
    py::list result;
    for (const std::vector<LinkUse>* use : {&point.links, &point.injections}) {
        for (const LinkUse& link : *use) {
            result.append(describe(link, point));
        }
    }
    return result;
}

py::list packets(const PointResult& point) {
    py::list result;
    for (const PacketUse& use : point.packets) {
        py::dict entry = describe(use.link, point);
        entry["kind"] = use.kind;
        result.append(entry);
    }
    return result;
}

py::list memories(const PointResult& point) {
    py::list result;
    for (const MemoryUse& use : point.memories) {
        py::dict entry;
        entry["memory"] = use.memory;
        entry["subchannel"] = use.subchannel;
        entry["bank"] = use.bank;
        entry["bytes_read"] = use.bytes_read;
        entry["bytes_written"] = use.bytes_written;
        entry["busy_cycles"] = cycles_from_ticks(use.busy);
        result.append(entry);
    }
    return result;
}

py::dict statistics(const PointResult& point) {
    py::dict result;
    for (const Statistic& statistic : point.statistics) {
        result[py::str(statistic.name)] = statistic.value;
    }
    return result;
}

py::list deliveries(const PointResult& point) {
    py::list result;
    for (const TileDeliveries& delivered : point.deliveries) {
        py::dict entry;
        entry["x"] = delivered.tile.x;
        entry["y"] = delivered.tile.y;
        entry["bytes"] = delivered.bytes;
        result.append(entry);
    }
    return result;
}

}  // namespace

py::dict describe_floor_plan(const FloorPlan& plan) {
    py::list tiles;
    for (const FloorPlan::Tile& tile : plan.tiles) {
        py::dict entry;
        entry["x"] = tile.place.x;
        entry["y"] = tile.place.y;
        entry["kind"] = tile.kind;
        entry["logical"] =
            tile.logical ? py::object(py::make_tuple(tile.logical->x, tile.logical->y)) : py::object(py::none());
        tiles.append(entry);
    }
    py::list networks;
    for (const FloorPlan::Network& network : plan.networks) {
        py::dict directions;
        for (const Direction direction : network.directions) {
            const int x = direction == Direction::east ? 1 : direction == Direction::west ? -1 : 0;
            const int y = direction == Direction::south ? 1 : direction == Direction::north ? -1 : 0;
            directions[py::str(std::string(name_of(direction, runs_one_way(network))))] = py::make_tuple(x, y);
        }
        py::dict entry;
        entry["name"] = network.name;
        entry["directions"] = directions;
        entry["wraps"] = network.wraps;
        entry["flits_per_cycle"] = network.flits_per_cycle;
        networks.append(entry);
    }
    py::dict result;
    result["columns"] = plan.columns;
    result["rows"] = plan.rows;
    result["tiles"] = tiles;
    result["networks"] = networks;
    result["flit_bytes"] = plan.flit_bytes;
    return result;
}

py::dict describe_waits(const Ledger& ledger) {
    py::dict waits;
    for (std::size_t index = 0; index < kNumCauses; ++index) {
        const auto cause = static_cast<Cause>(index);
        if (ledger.ticks(cause) != 0) {
            waits[py::str(std::string(to_string(cause)))] = cycles_from_ticks(ledger.ticks(cause));
        }
    }
    return waits;
}

void add_identity(const py::dict& entry, const Processor::Identity& identity) {
    const bool is_outside = identity.is_outside();
    const auto coordinate = [&](int value) {
        return is_outside ? py::object(py::none()) : py::object(py::int_(value));
    };
    entry["x"] = coordinate(identity.core.x);
    entry["y"] = coordinate(identity.core.y);
    entry["physical_x"] = coordinate(identity.physical.x);
    entry["physical_y"] = coordinate(identity.physical.y);
}

py::dict describe_result(const TestDefinition& test, const PointResult& point) {
    py::dict result;
    result["rows"] = rows(test, point);
    result["data_faults"] = data_faults(point);
    result["statistics"] = statistics(point);
    result["cores"] = cores(point);
    result["links"] = links(point);
    result["packets"] = packets(point);
    result["memories"] = memories(point);
    result["deliveries"] = deliveries(point);
    result["elapsed_cycles"] = point.elapsed_cycles;
    result["flit_hops"] = point.flit_hops;
    result["floor_plan"] = point.floor_plan ? py::object(describe_floor_plan(*point.floor_plan)) : py::none();
    return result;
}

}  // namespace nocbench::bindings
