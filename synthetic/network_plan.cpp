#include "synthetic/network_plan.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>

#include "device_model/arch/architecture.h"
#include "device_model/noc/stepping_order.h"
#include "device_model/plain_mesh/arch/constants.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/noc_parameters.h"

namespace nocbench::synthetic {

namespace {

Topology wiring(const PlainNetwork& network) {
    const Shape shape = network.shape;
    switch (network.topology) {
        case PlainTopology::mesh:
            return mesh(shape.columns, shape.rows, network.routing);
        case PlainTopology::torus:
            return bidirectional_torus(shape.columns, shape.rows);
        case PlainTopology::unidirectional_torus:
            return unidirectional_torus(shape.columns, shape.rows, 0);
    }
    return {};
}

FloorPlan floor_plan_of(const PlainNetwork& network) {
    FloorPlan plan = floor_plan_of_mesh(network.shape.columns, network.shape.rows);
    switch (network.topology) {
        case PlainTopology::mesh:
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

auto NetworkPlan::way(NodeIndex from, NodeIndex to) const -> Way {
    Way way;
    topology.follow_route(from, to, [&](int /*node*/, int input_port, int output_port) {
        if (parameters.outputs.straight_input(output_port) != input_port) {
            ++way.turns;
        }
        if (output_port != kNiuPort) {
            ++way.hops;
        }
    });
    return way;
}

Cycle NetworkPlan::unhindered_cycles(const Way& way, int flits) const {
    const Cycle on_the_way = parameters.injection_cycles + way.hops * parameters.hop_cycles +
                             way.turns * parameters.outputs.turn_cycles + ejection_cycles;
    if (flits == 1) {
        return on_the_way;
    }
    // The header takes a time of its own, and each data flit the time of the slower of source and sink.
    const Tick ticks_per_data_flit = std::max(source_ticks_per_data_flit, sink_ticks_per_data_flit);
    return on_the_way + cycle_containing(parameters.source_ticks_per_header + (flits - 2) * ticks_per_data_flit);
}

NetworkPlan plain_network(const PlainNetwork& network) {
    const bool has_datelines = network.topology != PlainTopology::mesh;
    const int software_virtual_channels = network.virtual_channels / (has_datelines ? 2 : 1);
    NetworkPlan plan;
    plan.topology = wiring(network);
    plan.parameters.hop_cycles = network.hop_cycles;
    plan.parameters.credit_return_cycles = network.credit_return_cycles;
    plan.parameters.private_flits_per_virtual_channel = network.buffer_flits;
    plan.parameters.injection_cycles = network.injection_cycles;
    plan.parameters.injection_buffer_flits = network.injection_buffer_flits.value_or(network.buffer_flits);
    const Cycle shortest_cycles = std::min(network.hop_cycles, network.credit_return_cycles);
    const Cycle skew_cycles = std::min<Cycle>(shortest_cycles, Network::kWindowCyclesMax / 2);
    plan.parameters.skew_cycles = checkerboard_skews(plan.topology, skew_cycles);
    plan.parameters.window_cycles = longest_window(plan.topology, link_latencies(plan.parameters),
                                                   plan.parameters.skew_cycles, Network::kWindowCyclesMax);
    plan.parameters.software_virtual_channels = software_virtual_channels;
    plan.parameters.first_response_virtual_channel = software_virtual_channels;  // responses have no separate ones
    plan.parameters.dynamic_group = software_virtual_channels;
    plan.parameters.one_flit_per_input_port = true;
    plan.parameters.outputs = network.outputs;
    plan.shape = network.shape;
    plan.nodes.resize(static_cast<std::size_t>(network.shape.size()));
    std::iota(plan.nodes.begin(), plan.nodes.end(), NodeIndex{0});
    plan.num_streams = software_virtual_channels;
    plan.ejection_cycles = network.ejection_cycles.value_or(network.hop_cycles);
    plan.floor_plan = floor_plan_of(network);
    return plan;
}

NetworkPlan mesh_of_architecture(const Architecture& architecture, const Board& board) {
    const PlainMeshConstants& mesh = plain_mesh_of(architecture);
    const auto ports = [](const std::vector<std::int64_t>& turns) {
        return std::vector<int>(turns.begin(), turns.end());
    };
    PlainNetwork network;
    network.shape = {.columns = static_cast<int>(plain_mesh_of(board).columns),
                     .rows = static_cast<int>(plain_mesh_of(board).rows)};
    static_assert(MeshRouterConstants::kVirtualChannelsMax == kMeshVirtualChannelsMax);
    static_assert(static_cast<MeshRouting>(MeshRouterConstants::kMinimalAdaptive) == MeshRouting::minimal_adaptive);
    network.routing = static_cast<MeshRouting>(mesh.router.routing);
    network.virtual_channels = static_cast<int>(mesh.router.virtual_channels);
    network.buffer_flits = static_cast<int>(mesh.router.buffer_flits);
    network.hop_cycles = mesh.router.hop_cycles;
    network.credit_return_cycles = mesh.router.credit_return_cycles;
    network.injection_cycles = mesh.tile.injection_cycles;
    network.injection_buffer_flits = static_cast<int>(mesh.tile.injection_buffer_flits);
    network.ejection_cycles = mesh.tile.ejection_cycles;
    network.outputs = {.turn_cycles = mesh.router.turn_cycles,
                       .release_cycles = mesh.router.release_cycles,
                       .rest_at_straight_input = mesh.router.rests_at_straight_input != 0,
                       .straight_input_of_tile = static_cast<int>(mesh.router.straight_input_of_tile),
                       .turns_at_links = ports(mesh.router.turns_at_links),
                       .turns_at_tile = ports(mesh.router.turns_at_tile)};
    NetworkPlan plan = plain_network(network);
    plan.floor_plan.flit_bytes = architecture.flit_bytes();
    return plan;
}

NetworkPlan modeled_network(const Architecture& architecture, const Grid& grid, int noc, int virtual_channels) {
    const TorusArchitecture& torus = torus_of(architecture);
    const TorusBoard& board = torus_of(architecture.board(grid.board_name()));
    NetworkPlan plan;
    plan.topology = noc_topology(grid, noc);
    plan.parameters = noc_parameters(torus, window_schedule(torus, board, grid));
    plan.shape = tensix_shape(grid);
    for (const PhysicalCoordinate tile : grid.live_tensix()) {
        plan.nodes.push_back(static_cast<NodeIndex>(grid.node_index(tile)));
    }
    plan.num_streams = virtual_channels;
    plan.is_static = true;
    plan.source_ticks_per_data_flit = torus.niu.source_ticks_per_data_flit[static_cast<std::size_t>(noc)];
    plan.sink_ticks_per_data_flit = torus.niu.sink_ticks_per_data_flit[static_cast<std::size_t>(noc)];
    plan.ejection_cycles = torus.niu.ejection_cycles;
    plan.floor_plan = floor_plan_of(torus, grid);
    plan.noc = noc;
    return plan;
}

}  // namespace nocbench::synthetic
