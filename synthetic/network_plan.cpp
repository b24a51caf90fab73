#include "synthetic/network_plan.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>

#include "device_model/noc/stepping_order.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/noc_parameters.h"

namespace nocbench::synthetic {

namespace {

// A packet takes a cycle to leave its source and one on the way to the router.
constexpr Cycle kPlainInjectionCycles = 2;

Topology wiring(PlainTopology topology, Shape shape) {
    switch (topology) {
        case PlainTopology::mesh:
            return mesh(shape.columns, shape.rows);
        case PlainTopology::torus:
            return bidirectional_torus(shape.columns, shape.rows);
        case PlainTopology::unidirectional_torus:
            return unidirectional_torus(shape.columns, shape.rows, 0);
    }
    return {};
}

FloorPlan floor_plan_of(const PlainNetwork& network) {
    FloorPlan plan;
    plan.columns = network.shape.columns;
    plan.rows = network.shape.rows;
    for (int y = 0; y < plan.rows; ++y) {
        for (int x = 0; x < plan.columns; ++x) {
            plan.tiles.push_back({{.x = x, .y = y}, "node", LogicalCoordinate{.x = x, .y = y}});
        }
    }
    switch (network.topology) {
        case PlainTopology::mesh:
            plan.networks = {
                {"mesh", {Direction::east, Direction::west, Direction::south, Direction::north}, false, 1}};
            break;
        case PlainTopology::torus:
            plan.networks = {
                {"torus", {Direction::east, Direction::west, Direction::south, Direction::north}, true, 1}};
            break;
        case PlainTopology::unidirectional_torus:
            plan.networks = {{"unidirectional torus", {Direction::east, Direction::south}, true, 1}};
            break;
    }
    return plan;
}

}  // namespace

Shape tensix_shape(const Grid& grid) {
    const std::span<const PhysicalCoordinate> tiles = grid.live_tensix();
    const auto in_first_row =
        static_cast<std::size_t>(std::ranges::count(tiles, tiles.front().y, &PhysicalCoordinate::y));
    const std::size_t columns = std::max<std::size_t>(in_first_row, 1);
    return {.columns = static_cast<int>(columns), .rows = static_cast<int>(tiles.size() / columns)};
}

Cycle NetworkPlan::unhindered_cycles(int hops, int flits) const {
    const Cycle on_the_way = parameters.injection_cycles + hops * parameters.hop_cycles + ejection_cycles;
    if (flits == 1) {
        return on_the_way;
    }
    // The header takes a cycle, and each data flit as long as the slower end.
    const Tick ticks_per_data_flit = std::max(source_ticks_per_data_flit, sink_ticks_per_data_flit);
    return on_the_way + 1 + cycle_containing((flits - 2) * ticks_per_data_flit);
}

NetworkPlan plain_network(const PlainNetwork& network) {
    const bool has_datelines = network.topology != PlainTopology::mesh;
    const int software_virtual_channels = network.virtual_channels / (has_datelines ? 2 : 1);
    NetworkPlan plan;
    plan.topology = wiring(network.topology, network.shape);
    plan.parameters.hop_cycles = network.hop_cycles;
    plan.parameters.credit_return_cycles = network.credit_return_cycles;
    plan.parameters.private_flits_per_virtual_channel = network.buffer_flits;
    plan.parameters.injection_cycles = kPlainInjectionCycles;
    plan.parameters.injection_buffer_flits = network.buffer_flits;
    const Cycle shortest_cycles = std::min(network.hop_cycles, network.credit_return_cycles);
    const Cycle skew_cycles = std::min<Cycle>(shortest_cycles, Network::kWindowCyclesMax / 2);
    plan.parameters.skew_cycles = checkerboard_skews(plan.topology, skew_cycles);
    plan.parameters.window_cycles = longest_window(plan.topology, link_latencies(plan.parameters),
                                                   plan.parameters.skew_cycles, Network::kWindowCyclesMax);
    plan.parameters.software_virtual_channels = software_virtual_channels;
    plan.parameters.first_response_virtual_channel = software_virtual_channels;  // none are set apart
    plan.parameters.dynamic_group = software_virtual_channels;
    plan.parameters.one_flit_per_input_port = true;
    plan.shape = network.shape;
    plan.nodes.resize(static_cast<std::size_t>(network.shape.size()));
    std::iota(plan.nodes.begin(), plan.nodes.end(), NodeIndex{0});
    plan.num_streams = software_virtual_channels;
    plan.ejection_cycles = network.hop_cycles;
    plan.floor_plan = floor_plan_of(network);
    return plan;
}

NetworkPlan modeled_network(const Architecture& architecture, const Grid& grid, int noc, int virtual_channels) {
    NetworkPlan plan;
    plan.topology = unidirectional_torus(grid.columns(), grid.rows(), noc);
    plan.parameters = noc_parameters(architecture, window_schedule(architecture, grid));
    plan.shape = tensix_shape(grid);
    for (const PhysicalCoordinate tile : grid.live_tensix()) {
        plan.nodes.push_back(static_cast<NodeIndex>(grid.node_index(tile)));
    }
    plan.num_streams = virtual_channels;
    plan.is_static = true;
    plan.source_ticks_per_data_flit = architecture.niu.source_ticks_per_data_flit[static_cast<std::size_t>(noc)];
    plan.sink_ticks_per_data_flit = architecture.niu.sink_ticks_per_data_flit[static_cast<std::size_t>(noc)];
    plan.ejection_cycles = architecture.niu.ejection_cycles;
    plan.floor_plan = floor_plan_of(grid, architecture.flit_bytes());
    plan.noc = noc;
    return plan;
}

}  // namespace nocbench::synthetic
