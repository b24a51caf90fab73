// Synthetic traffic: packets of a pattern at a given rate, on the NoCs of the modeled chips and on plain networks.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "device_model/sim/error.h"
#include "kernels/frame/primitive.h"
#include "synthetic/network_plan.h"
#include "synthetic/open_loop.h"
#include "synthetic/pattern.h"
#include "synthetic/saturation.h"
#include "synthetic/traffic_parameters.h"

namespace nocbench::synthetic {

namespace {

constexpr const char* kLabel = "Source";

Tick ticks(double cycles) { return static_cast<Tick>(std::llround(cycles * static_cast<double>(kTicksPerCycle))); }

/// A latency that would be `unhindered_cycles` if nothing were in the way.
Ledger ledger_of(double latency_cycles, double unhindered_cycles) {
    Ledger ledger;
    ledger.book(Cause::round_trip, ticks(unhindered_cycles));
    ledger.book(Cause::contention, ticks(latency_cycles) - ticks(unhindered_cycles));
    return ledger;
}

/// What a floor plan shows: the sources, and the flits that went over the links.
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

Measurement measure(const PointParameters& point, const Architecture& architecture, const Board& board,
                    const MachineWatcher& watcher) {
    const Grid grid(architecture, board);
    const NetworkPlan network = network_of(point, architecture, grid);
    const Load load = load_of(point, architecture, network);
    const double bytes_per_flit = static_cast<double>(point.call_size_bytes()) / load.packet_flits;
    Saturation run;
    if (asks_for_saturation(point)) {
        run = find_saturation(network, load);
        if (watcher) {  // only the run that is shown
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
    const auto noc = static_cast<int>(point.number("noc", 0, kNumNocs - 1));

    Measurement measurement;
    ResultRow row;
    row.kernel = kLabel;
    row.transaction_size_bytes = point.call_size_bytes();
    row.latency_cycles = outcome.mean_latency_cycles;
    row.bandwidth_bytes_per_cycle = outcome.accepted_flits_per_source_and_cycle * bytes_per_flit;
    row.noc = noc;
    row.num_cores = network.nodes.size();
    row.data_ok = outcome.fault.empty();
    row.data_fault = outcome.fault;
    row.limiter = ledger_of(outcome.mean_latency_cycles, outcome.mean_unhindered_cycles).limiter();
    measurement.rows.push_back(row);
    measurement.statistics = {
        {"injection_rate_flits_per_node_and_cycle", run.flits_per_source_and_cycle},
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
    if (!is_modeled_network(point)) {
        measurement.floor_plan = network.floor_plan;
        measurement.floor_plan->flit_bytes = architecture.flit_bytes();
    }
    return measurement;
}

Sweep sweep_of(const Architecture& architecture, Tier tier, std::vector<std::string> injection_rates) {
    const std::int64_t flit_bytes = architecture.router.flit_bytes;
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

/// Where links run one way only, ways are longer, and the network is full sooner.
Sweep sweep_of_one_way_links(const Architecture& architecture, Tier tier) {
    return sweep_of(architecture, tier,
                    {"0.01", "0.025", "0.05", "0.075", "0.1", "0.125", "0.15", "0.175", "0.2", "0.225"});
}

struct Network {
    std::string topology;  // value of the parameter
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
