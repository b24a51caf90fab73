#include "bindings/point_result.h"

#include <pybind11/stl.h>

#include <string_view>

#include "device_model/noc/topology.h"

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
        entry["clock_hz"] = point.clock_hz;
        entry["data_ok"] = row.data_ok;
        entry["limiter"] = std::string(to_string(row.limiter));
        entry["params"] = point.params;
        result.append(entry);
    }
    return result;
}

py::list cores(const PointResult& point) {
    py::list result;
    for (const CoreResult& core : point.cores) {
        py::dict waits;
        for (std::size_t index = 0; index < kNumCauses; ++index) {
            const auto cause = static_cast<Cause>(index);
            if (core.ledger.ticks(cause) != 0) {
                waits[py::str(std::string(to_string(cause)))] = cycles_from_ticks(core.ledger.ticks(cause));
            }
        }
        py::dict entry;
        entry["kernel"] = core.kernel;
        entry["x"] = core.identity.core.x;
        entry["y"] = core.identity.core.y;
        entry["physical_x"] = core.identity.physical.x;
        entry["physical_y"] = core.identity.physical.y;
        entry["noc"] = core.noc;
        entry["riscv"] = core.identity.processor;
        entry["latency_cycles"] = cycles_from_ticks(core.latency);
        entry["bandwidth_bytes_per_cycle"] = core.bandwidth_bytes_per_cycle;
        entry["waits"] = waits;
        result.append(entry);
    }
    return result;
}

std::string_view link_direction(int port) {
    switch (port) {
        case kXPort:
            return "x";
        case kYPort:
            return "y";
        default:
            return "niu_out";
    }
}

py::dict describe_link(const LinkUse& link, std::string_view direction) {
    py::dict entry;
    entry["noc"] = link.noc;
    entry["x"] = link.router.x;
    entry["y"] = link.router.y;
    entry["direction"] = std::string(direction);
    entry["flits"] = link.flits;
    return entry;
}

py::list links(const PointResult& point) {
    py::list result;
    for (const LinkUse& link : point.links) {
        result.append(describe_link(link, link_direction(link.port)));
    }
    for (const LinkUse& link : point.injections) {
        result.append(describe_link(link, "niu_in"));
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

py::dict describe_result(const TestDefinition& test, const PointResult& point) {
    py::dict result;
    result["rows"] = rows(test, point);
    result["statistics"] = statistics(point);
    result["cores"] = cores(point);
    result["links"] = links(point);
    result["deliveries"] = deliveries(point);
    result["elapsed_cycles"] = point.elapsed_cycles;
    result["flit_hops"] = point.flit_hops;
    return result;
}

}  // namespace nocbench::bindings
