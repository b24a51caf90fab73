// Issue cost of calls: a core issues calls without waiting for their completion.
#include <fmt/format.h>

#include "device_model/sim/error.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/multicast_transfers.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/frame/unicast_transfers.h"

namespace nocbench::api_latency {

namespace {

/// Zone from the first call to the end of the barrier after the timed zone.
constexpr const char* kDataZone = "MOVE";

enum class Call : std::uint8_t { unicast_write, unicast_read, stateful_write, stateful_read };

constexpr bool is_read(Call call) { return call == Call::unicast_read || call == Call::stateful_read; }

constexpr bool is_stateful(Call call) { return call == Call::stateful_write || call == Call::stateful_read; }

const char* device_source(Call call) {
    switch (call) {
        case Call::unicast_write:
            return "api_latency/kernels/device/unicast_writer.cpp";
        case Call::unicast_read:
            return "api_latency/kernels/device/unicast_reader.cpp";
        case Call::stateful_write:
            return "api_latency/kernels/device/stateful_writer.cpp";
        case Call::stateful_read:
            break;
    }
    return "api_latency/kernels/device/stateful_reader.cpp";
}

template <Call call>
std::vector<KernelReport> run_unicasts(const Point& point) {
    const std::int64_t packet_bytes = packet_bytes_max(point.device().architecture());
    if (is_stateful(call) && point.call_size_bytes() > packet_bytes) {
        throw InputError(fmt::format(
            "parameter call_size: expected at most one packet of {} bytes, whose length stateful calls set, found {} "
            "bytes",
            packet_bytes, point.call_size_bytes()));
    }
    const LogicalCoordinate core = point.core("source");
    // By default, the last core of the column.
    const LogicalCoordinate other = point.is_given("destination")
                                        ? point.core("destination")
                                        : LogicalCoordinate{core.x, point.device().grid().compute_rows() - 1};
    Program program(point.device());
    return run_unicast(point, program,
                       {.device_source = device_source(call),
                        .kind = is_read(call) ? TransactionKind::read : TransactionKind::write,
                        .initiators = {{core, {other}}},
                        .source_address = point.first_l1_buffer(),
                        .destination_address = point.second_l1_buffer(),
                        .coordinates = UnicastPlan::Coordinates::x_then_y,
                        .data_zone = kDataZone});
}

std::vector<KernelReport> run_multicasts(const Point& point) {
    return run_multicast(point, {.device_source = "api_latency/kernels/device/multicaster.cpp",
                                 .senders = {{point.core("source"), point.rectangle()}},
                                 .source_address = point.first_l1_buffer(),
                                 .destination_address = point.second_l1_buffer(),
                                 .loopback = point.flag("loopback"),
                                 .linked = point.flag("linked"),
                                 .data_zone = kDataZone});
}

/// 1 to 256 calls of 32 bytes to 4 KiB, as upstream.
Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    if (tier == Tier::quick) {
        return {{1, 16}, {32, 2048}};
    }
    return {powers_of_two(1, 256), powers_of_two(32, 4096)};
}

using RunPoint = std::vector<KernelReport> (*)(const Point&);

TestDefinition definition(int id, const std::string& what, const std::string& description, bool reads,
                          const std::vector<ParameterDefinition>& parameters, RunPoint run_point) {
    return {.id = id,
            .name = fmt::format("NOC API Latency {}", what),
            .primitive = "api_latency",
            .description = description + " Only the issue of the calls is timed.",
            .headings = {"NOC API Latency", what},
            .kernels = {reads ? "Receiver" : "Sender"},
            .parameters = parameters,
            .sweep = &sweep,
            .run = run_point,
            .kernels_are_compiled = true};
}

template <Call call>
TestDefinition unicasts(int id, const std::string& what) {
    const bool reads = is_read(call);
    const char* verb = reads ? "reads from" : "writes to";
    return definition(
        id, what, fmt::format("One core {} another one{}.", verb, is_stateful(call) ? ", by stateful calls" : ""),
        reads,
        joined({{core_parameter("source", "0,0", "logical core that makes the calls"),
                 core_parameter("destination", "",
                                fmt::format("logical core that it {}; none: the last one of its column", verb))},
                issuer_parameters(reads ? TransactionKind::read : TransactionKind::write)}),
        &run_unicasts<call>);
}

TestDefinition multicasts(int id, const std::string& what, const std::string& grid) {
    return definition(id, fmt::format("Multicast {}", what),
                      fmt::format("One core multicasts to the other cores of {}.",
                                  grid == "all" ? "the compute grid" : fmt::format("a {} grid", grid)),
                      false,
                      joined({{core_parameter("source", "0,0", "logical core that makes the calls"),
                               {"loopback", "0", "1: the source is one of the receivers; 0: it is left out"}},
                              area_parameters(grid, ""),
                              {{"linked", "0", "1: all calls but the last are linked, and reserve their way once"}},
                              multicast_parameters()}),
                      &run_multicasts);
}

/// The published ids, 700 to 706, belong to other tests here.
const RegisterTests registration{{
    unicasts<Call::unicast_write>(1700, "Unicast Write"),
    unicasts<Call::unicast_read>(1701, "Unicast Read"),
    unicasts<Call::stateful_write>(1702, "Stateful Write"),
    unicasts<Call::stateful_read>(1703, "Stateful Read"),
    multicasts(1704, "2x2", "2x2"),
    multicasts(1705, "5x5", "5x5"),
    multicasts(1706, "All", "all"),
}};

}  // namespace

}  // namespace nocbench::api_latency
