// Synthetic traffic: packets of a traffic pattern at a given rate, on the NoCs of the modeled chips and on plain
// networks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/plain_mesh/arch/constants.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/primitive.h"
#include "synthetic/network_plan.h"
#include "synthetic/open_loop.h"
#include "synthetic/pattern.h"
#include "synthetic/planned_packets.h"
#include "synthetic/saturation.h"
#include "synthetic/traffic_parameters.h"

namespace nocbench::synthetic {

namespace {

constexpr const char* kLabel = "Source";

Tick ticks(double cycles) { return static_cast<Tick>(std::llround(cycles * static_cast<double>(kTicksPerCycle))); }

/// Splits a latency into `unhindered_cycles` and contention.
Ledger ledger_of(double latency_cycles, double unhindered_cycles) {
    Ledger ledger;
    ledger.book(Cause::round_trip, ticks(unhindered_cycles));
    ledger.book(Cause::contention, ticks(latency_cycles) - ticks(unhindered_cycles));
    return ledger;
}

/// Adds the floor plan with the sources, and with the flits on each link.
void add_floor_plan(Measurement& measurement, const Outcome& outcome, const NetworkPlan& network,
                    double bytes_per_flit) {
    const int columns = network.floor_plan.columns;
    for (std::size_t place = 0; place < network.nodes.size(); ++place) {
        const NodeIndex node = network.nodes[place];
        const PhysicalCoordinate tile{.x = node % columns, .y = node / columns};
        const auto received = static_cast<double>(outcome.flits_received[place]) * bytes_per_flit;
        measurement.deliveries.push_back({tile, static_cast<std::uint64_t>(std::llround(received))});
        const Outcome::Source& source = outcome.sources[place];
        if (source.packets == 0) {
            continue;
        }
        const auto packets = static_cast<double>(source.packets);
        const double latency_cycles = static_cast<double>(source.latency_cycles) / packets;
        Processor::Identity identity;
        identity.index = static_cast<std::uint32_t>(place);
        identity.node = node;
        identity.core = {.x = static_cast<int>(place) % network.shape.columns,
                         .y = static_cast<int>(place) / network.shape.columns};
        identity.physical = tile;
        identity.kernel = kLabel;
        measurement.cores.push_back(
            {kLabel, identity, network.noc, ticks(latency_cycles), source.accepted_flits_per_cycle * bytes_per_flit,
             ledger_of(latency_cycles, static_cast<double>(source.unhindered_cycles) / packets)});
    }
    measurement.links = outcome.links;
    measurement.injections = outcome.injections;
}

/// Returns a row with mean latency and accepted throughput, and the floor plan's sources and links.
Measurement measurement_of(const Outcome& outcome, const NetworkPlan& network, double bytes_per_flit) {
    Measurement measurement;
    ResultRow row;
    row.kernel = kLabel;
    row.latency_cycles = outcome.mean_latency_cycles;
    row.bandwidth_bytes_per_cycle = outcome.accepted_flits_per_source_and_cycle * bytes_per_flit;
    row.noc = network.noc;
    row.num_cores = network.nodes.size();
    row.data_ok = outcome.fault.empty();
    row.data_fault = outcome.fault;
    row.limiter = ledger_of(outcome.mean_latency_cycles, outcome.mean_unhindered_cycles).limiter();
    measurement.rows.push_back(row);
    measurement.statistics = {
        {"offered_flits_per_node_and_cycle", outcome.offered_flits_per_source_and_cycle},
        {"accepted_flits_per_node_and_cycle", outcome.accepted_flits_per_source_and_cycle},
        {"measured_packets", static_cast<double>(outcome.packets)},
        {"mean_latency_cycles", outcome.mean_latency_cycles},
        {"mean_unhindered_latency_cycles", outcome.mean_unhindered_cycles},
        {"p99_latency_cycles", static_cast<double>(outcome.p99_latency_cycles)},
        {"max_latency_cycles", static_cast<double>(outcome.max_latency_cycles)},
    };
    measurement.elapsed_cycles = outcome.elapsed_cycles;
    measurement.flit_hops = outcome.flit_hops;
    add_floor_plan(measurement, outcome, network, bytes_per_flit);
    return measurement;
}

Measurement measure_traffic(const PointParameters& point, const Architecture& architecture, const NetworkPlan& network,
                            const MachineWatcher& watcher) {
    const Load load = load_of(point, architecture, network);
    const double bytes_per_flit = static_cast<double>(point.call_size_bytes()) / load.packet_flits;
    Saturation run;
    if (asks_for_saturation(point)) {
        run = find_saturation(network, load);
        if (watcher) {  // only the displayed run is watched
            Load shown = load;
            shown.flits_per_source_and_cycle = run.flits_per_source_and_cycle;
            run_open_loop(network, shown, watcher, bytes_per_flit);
        }
    } else {
        run = {load.flits_per_source_and_cycle, run_open_loop(network, load, watcher, bytes_per_flit)};
    }
    const Outcome& outcome = run.outcome;
    if (outcome.packets == 0 || outcome.accepted_flits_per_source_and_cycle == 0) {
        throw InputError(
            fmt::format("parameter num_transactions: {} for each of {} nodes are too few to measure anything",
                        point.num_transactions(), network.nodes.size()));
    }
    Measurement measurement = measurement_of(outcome, network, bytes_per_flit);
    measurement.rows.front().transaction_size_bytes = point.call_size_bytes();
    measurement.statistics.insert(measurement.statistics.begin(),
                                  {"injection_rate_flits_per_node_and_cycle", run.flits_per_source_and_cycle});
    if (!is_modeled_network(point)) {
        measurement.floor_plan = network.floor_plan;
        measurement.floor_plan->flit_bytes = architecture.flit_bytes();
    }
    return measurement;
}

Measurement measure(const PointParameters& point, const Architecture& architecture, const Board& board,
                    const MachineWatcher& watcher) {
    const Grid grid(torus_of(architecture), torus_of(board));
    return measure_traffic(point, architecture, network_of(point, architecture, grid), watcher);
}

// Measures architectures that are plain networks.

Measurement measure_open_loop(const PointParameters& point, const Architecture& architecture, const Board& board,
                              const MachineWatcher& watcher) {
    return measure_traffic(point, architecture, mesh_of_architecture(architecture, board), watcher);
}

/// Measures only packets created at given times.
Measurement measure_planned(const PointParameters& point, const Architecture& architecture, const NetworkPlan& network,
                            std::vector<PlannedPacket> packets, const MachineWatcher& watcher) {
    Load load{.pattern = Pattern(PatternKind::uniform, network.shape)};
    load.packet_flits = packet_flits(point, architecture);
    load.warmup_cycles = 0;
    load.measured_phase_cycles = packets.back().created + 1;
    load.planned = std::move(packets);
    const auto bytes_per_flit = static_cast<double>(architecture.flit_bytes());
    const Outcome outcome = run_open_loop(network, load, watcher, bytes_per_flit);
    Measurement measurement = measurement_of(outcome, network, bytes_per_flit);
    Cycle last_arrival = 0;
    int flits = 0;
    std::set<int> sources;
    for (std::size_t number = 0; number < load.planned.size(); ++number) {
        const PlannedPacket& packet = load.planned[number];
        const Cycle latency = outcome.planned_latencies[number];
        last_arrival = std::max(last_arrival, packet.created + latency);
        flits += packet.flits;
        sources.insert(packet.source);
        measurement.statistics.push_back({fmt::format("latency_cycles of {}>{}x{}@{}", packet.source,
                                                      packet.destination, packet.flits, packet.created),
                                          static_cast<double>(latency)});
    }
    ResultRow& row = measurement.rows.front();
    row.transaction_size_bytes = point.call_size_bytes();
    row.bandwidth_bytes_per_cycle = flits * bytes_per_flit /
                                    static_cast<double>(last_arrival - load.planned.front().created) /
                                    static_cast<double>(sources.size());
    measurement.floor_plan = network.floor_plan;
    return measurement;
}

int place_of(const PointParameters& point, const std::string& name, Shape shape) {
    const std::string expected =
        fmt::format("column and row of one of {}x{} nodes, such as 0,0", shape.columns, shape.rows);
    const auto [x, y] = point.two_numbers(name, ',', expected);
    if (x < 0 || y < 0 || x >= shape.columns || y >= shape.rows) {
        throw InputError(fmt::format("parameter {}: expected {}, found '{},{}'", name, expected, x, y));
    }
    return y * shape.columns + x;
}

Measurement measure_lone_packets(const PointParameters& point, const Architecture& architecture, const Board& board,
                                 const MachineWatcher& watcher) {
    const NetworkPlan network = mesh_of_architecture(architecture, board);
    const int source = place_of(point, "source", network.shape);
    const int destination = place_of(point, "destination", network.shape);
    const int flits = packet_flits(point, architecture);
    std::vector<PlannedPacket> packets(point.num_transactions(),
                                       {.source = source, .destination = destination, .flits = flits});
    return measure_planned(point, architecture, network, std::move(packets), watcher);
}

Measurement measure_packets_at_once(const PointParameters& point, const Architecture& architecture, const Board& board,
                                    const MachineWatcher& watcher) {
    const NetworkPlan network = mesh_of_architecture(architecture, board);
    const std::vector<PlannedPacket> packets =
        listed_packets(point.text("packets"), network.shape, packet_flits(point, architecture), kLargestPacketFlits);
    std::vector<PlannedPacket> repeated;
    for (const PlannedPacket& packet : packets) {
        repeated.insert(repeated.end(), point.num_transactions(), packet);
    }
    return measure_planned(point, architecture, network, std::move(repeated), watcher);
}

Sweep sweep_of(const Architecture& architecture, Tier tier, std::vector<std::string> injection_rates) {
    const std::int64_t flit_bytes = torus_of(architecture).router.flit_bytes;
    if (tier == Tier::quick) {
        return {{4}, {flit_bytes}, {{"pattern", {"uniform", "transpose"}}, {"injection_rate", {"0.05", "0.1"}}}};
    }
    injection_rates.emplace_back(kSaturation);
    return {
        {200},
        {flit_bytes, 32 * flit_bytes},
        {{"pattern", {kPatternNames.begin(), kPatternNames.end()}}, {"injection_rate", std::move(injection_rates)}}};
}

Sweep sweep_of_two_way_links(const Architecture& architecture, Tier tier) {
    return sweep_of(architecture, tier, {"0.01", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3", "0.35", "0.4", "0.45"});
}

/// Unidirectional links make routes longer, so the network saturates at a lower rate.
Sweep sweep_of_one_way_links(const Architecture& architecture, Tier tier) {
    return sweep_of(architecture, tier,
                    {"0.01", "0.025", "0.05", "0.075", "0.1", "0.125", "0.15", "0.175", "0.2", "0.225"});
}

struct Network {
    std::string topology;  // value of parameter `topology`
    std::string heading;
    std::string description;
    Sweep (*sweep)(const Architecture&, Tier) = nullptr;
};

TestDefinition test(int id, const std::string& name, const Network& network) {
    return {.id = id,
            .name = name,
            .primitive = "synthetic",
            .description = network.description,
            .headings = {"Synthetic Traffic", network.heading},
            .kernels = {kLabel},
            .parameters = traffic_parameters(network.topology),
            .sweep = network.sweep,
            .measure = &measure,
            .picture = Picture::latency_against_load};
}

constexpr const char* kRouterHeading = "Traffic of Packets";

Sweep sweep_of_open_loop(const Architecture& architecture, Tier tier) {
    const std::int64_t flit_bytes = architecture.flit_bytes();
    if (tier == Tier::quick) {
        return {{1}, {2 * flit_bytes}, {{"pattern", {"uniform", "transpose"}}, {"injection_rate", {"0.1", "0.2"}}}};
    }
    return {
        {1},
        {2 * flit_bytes, 8 * flit_bytes, 32 * flit_bytes},
        {{"pattern", {"uniform", "transpose", "hotspot"}}, {"injection_rate", {"0.02", "0.1", "0.2", "0.3", "0.4"}}}};
}

std::vector<std::string> nodes_of(const Board& board) {
    std::vector<std::string> nodes;
    for (std::int64_t y = 0; y < plain_mesh_of(board).rows; ++y) {
        for (std::int64_t x = 0; x < plain_mesh_of(board).columns; ++x) {
            nodes.push_back(fmt::format("{},{}", x, y));
        }
    }
    return nodes;
}

Sweep sweep_of_lone_packets(const Architecture& architecture, Tier tier) {
    const std::int64_t flit_bytes = architecture.flit_bytes();
    const std::vector<std::string> nodes = nodes_of(architecture.board(""));
    if (tier == Tier::quick) {
        return {{1}, {2 * flit_bytes}, {{"destination", {nodes.front(), nodes.back()}}}};
    }
    return {{1},
            {2 * flit_bytes, 4 * flit_bytes, 8 * flit_bytes, 32 * flit_bytes, 128 * flit_bytes},
            {{"destination", nodes}}};
}

Sweep sweep_of_packets_at_once(const Architecture& architecture, Tier tier) {
    const std::int64_t flit_bytes = architecture.flit_bytes();
    return tier == Tier::quick ? Sweep{{1}, {2 * flit_bytes}} : Sweep{{1, 4, 16}, {2 * flit_bytes, 32 * flit_bytes}};
}

TestDefinition test_of_mesh(int id, const std::string& name, const std::string& description,
                            std::vector<ParameterDefinition> parameters, decltype(TestDefinition::sweep) sweep,
                            decltype(TestDefinition::measure) measure, Picture picture) {
    return {.id = id,
            .name = name,
            .primitive = "synthetic",
            .kind = ArchitectureKind::plain_mesh,
            .description = description,
            .headings = {kRouterHeading, name},
            .kernels = {kLabel},
            .parameters = std::move(parameters),
            .sweep = sweep,
            .measure = measure,
            .picture = picture};
}

const RegisterTests registration_of_meshes{
    {test_of_mesh(810, "Open Loop", "All nodes send packets to each other at a given rate, whatever the network takes.",
                  open_loop_parameters(), &sweep_of_open_loop, &measure_open_loop, Picture::latency_against_load),
     test_of_mesh(
         811, "Lone Packets",
         "A node sends a packet to another node, or several packets, one right behind the other. Nothing else is on "
         "its way.",
         {{"source", "0,0", "the node that sends: column,row", true},
          {"destination", "1,0", "the node that receives: column,row", true, true}},
         &sweep_of_lone_packets, &measure_lone_packets, Picture::transaction_sizes),
     test_of_mesh(
         812, "Packets at Once", "Nodes send packets to each other, all at the same time or at given times.",
         {{.name = "packets",
           .default_value = "0>3+1>3+2>3",
           .meaning = "source>destination of each packet, as numbers of nodes, row by row, joined by +; behind "
                      "a packet xflits, if it is not as long as call_size says, and @cycle of its creation, if "
                      "that is not 0. Each is sent num_transactions times"}},
         &sweep_of_packets_at_once, &measure_packets_at_once, Picture::transaction_sizes)}};

const RegisterTests registration{
    {test(800, "Synthetic Traffic",
          {"noc", "NoC of the Chip", "All live Tensix tiles send packets to each other over one NoC of the chip.",
           &sweep_of_one_way_links}),
     test(
         801, "Synthetic Traffic on a Mesh",
         {"mesh", "Mesh",
          "The nodes of a plain mesh send packets to each other. There are as many nodes as cores in the compute grid.",
          &sweep_of_two_way_links}),
     test(802, "Synthetic Traffic on a Torus",
          {"torus", "Torus",
           "The nodes of a plain torus with links in both directions send packets to each other. There are as many "
           "nodes as cores in the compute grid.",
           &sweep_of_two_way_links}),
     test(803, "Synthetic Traffic on a Unidirectional Torus",
          {"unidirectional_torus", "Unidirectional Torus",
           "The nodes of a plain torus with links only to the right and down send packets to each other. There are as "
           "many nodes as cores in the compute grid.",
           &sweep_of_one_way_links})}};

}  // namespace

}  // namespace nocbench::synthetic
