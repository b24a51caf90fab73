#include "tests/noc/random_traffic.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "device_model/noc/stepping_order.h"
#include "device_model/noc/topology.h"

namespace nocbench::test {

NetworkParameters usual_parameters() {
    NetworkParameters parameters;
    parameters.hop_cycles = 9;
    parameters.credit_return_cycles = 6;
    parameters.private_flits_per_virtual_channel = 1;
    parameters.shared_flits_per_input_port = 48;
    parameters.shared_flits_per_virtual_channel_max = 15;
    parameters.injection_cycles = 5;
    parameters.injection_buffer_flits = 32;
    parameters.read_ahead_flits = 12;
    parameters.reservation_reply_cycles = 7;
    parameters.reservation_backoff_cycles = 32;
    parameters.reservation_backoff_doublings_max = 6;
    parameters.window_cycles = 6;
    return parameters;
}

NetworkParameters RandomPlans::parameters() {
    NetworkParameters parameters;
    parameters.hop_cycles = between(1, 12);
    parameters.credit_return_cycles = between(1, 12);
    parameters.injection_cycles = between(1, 9);
    parameters.private_flits_per_virtual_channel = between(1, 4);
    parameters.shared_flits_per_input_port = one_of({0, 1, 2, 5, 12, 48});
    parameters.shared_flits_per_virtual_channel_max = between(0, std::min(15, parameters.shared_flits_per_input_port));
    parameters.injection_buffer_flits = one_of({1, 2, 5, 16, 32});
    parameters.read_ahead_flits = between(0, 15);
    parameters.link_flits_on_end_max =
        between(0, 1) == 0 ? one_of({1, 2, 5, 8, 9, 17, 50}) : NetworkParameters::kNeverIdles;
    parameters.reservation_reply_cycles = between(1, 12);
    parameters.reservation_backoff_cycles = one_of<Cycle>({8, 16, 32, 50});
    parameters.reservation_backoff_doublings_max = between(4, 8);
    return parameters;
}

TrafficPlan RandomPlans::plan() {
    TrafficPlan plan;
    plan.columns = between(2, 5);
    plan.rows = between(2, 5);
    plan.noc = between(0, 1);
    plan.parameters = parameters();
    add_tiles(plan, plan.columns * plan.rows);
    add_packets(plan, plan.columns * plan.rows);
    skew_routers(plan);
    return plan;
}

/// Adds the behaviour of tiles other than sending.
void RandomPlans::add_tiles(TrafficPlan& plan, int num_nodes) {
    for (int index = 0; index < num_nodes; ++index) {
        plan.source_ticks.push_back(one_of<Tick>({10'000, 10'205, 11'080, 15'000, 32'100}));
        plan.sink_ticks.push_back(one_of<Tick>({10'000, 10'200, 12'500, 40'000}));
    }
    if (between(0, 2) == 0) {
        plan.metered_nodes.push_back(node(num_nodes));
        plan.data_pause_cycles = one_of<std::optional<Cycle>>({std::nullopt, 0, 1, 50});
    }
    if (between(0, 2) == 0) {
        const Cycle begin = between(0, 500);
        plan.blockings.push_back({node(num_nodes), begin, begin + between(1, 1000)});
    }
}

void RandomPlans::add_packets(TrafficPlan& plan, int num_nodes) {
    const int num_packets = between(1, 60);
    const int longest = one_of({1, 4, 40, 300});
    const int latest = one_of({0, 100, 3000});
    const int num_destinations = one_of({1, 3, num_nodes});  // with few destinations, hot spots
    for (int index = 0; index < num_packets; ++index) {
        PlannedPacket packet;
        packet.source = node(num_nodes);
        packet.destination = static_cast<NodeIndex>(between(0, num_destinations - 1));
        packet.flits = static_cast<std::uint16_t>(between(1, longest));
        packet.virtual_channel = static_cast<std::uint8_t>(one_of({0, 1, 1, 1, 2, 3}));
        packet.is_static = between(0, 3) != 0;
        packet.ready = between(0, latest);
        packet.ticks_per_flit = one_of<Tick>({0, 0, 0, 14'350, 70'000});
        packet.answer_flits = one_of({0, 1, between(1, longest)});
        plan.packets.push_back(packet);
    }
}

TrafficPlan RandomPlans::plan_with_multicasts() {
    TrafficPlan plan = this->plan();
    if (between(0, 2) == 0) {
        plan.packets.clear();
    }
    add_multicasts(plan);
    return plan;
}

void RandomPlans::add_multicasts(TrafficPlan& plan) {
    const int num_trees = between(1, 5);
    for (int index = 0; index < num_trees; ++index) {
        plan.trees.push_back(plan.topology ? mesh_tree(plan) : tree(plan));
    }
    const int num_chains = between(1, 15);
    const int longest = one_of({1, 4, 40, 300});
    const int latest = one_of({0, 100, 3000});
    for (int chain = 0; chain < num_chains; ++chain) {
        const int length = one_of({1, 1, 2, 5});
        PlannedPacket packet;
        packet.tree = between(0, num_trees - 1);
        packet.source = plan.trees[static_cast<std::size_t>(packet.tree)].source;
        packet.virtual_channel = static_cast<std::uint8_t>(one_of({4, 4, 5}));
        packet.ready = between(0, latest);
        packet.ticks_per_flit = one_of<Tick>({0, 0, 0, 14'350});
        packet.answer_flits = one_of({0, 1, 1});
        for (int number = 1; number <= length; ++number) {
            packet.flits = static_cast<std::uint16_t>(between(1, longest));
            packet.linked = number < length;
            plan.packets.push_back(packet);
        }
    }
}

TrafficPlan RandomPlans::reads_and_writes(int columns, int rows) {
    TrafficPlan plan;
    plan.columns = columns;
    plan.rows = rows;
    plan.noc = between(0, 1);
    plan.parameters = between(0, 1) == 0 ? usual_parameters() : parameters();
    if (between(0, 1) == 0) {
        add_tiles(plan, plan.columns * plan.rows);
    }
    const int num_nodes = columns * rows;
    const int num_transactions = between(20, 150);
    const int num_sources = one_of({1, columns, num_nodes, num_nodes});
    const int num_destinations = one_of({1, 4, columns, num_nodes, num_nodes});
    // The data to a hot spot determine the duration of the case.
    const int longest = std::min(one_of({2, 9, 65, 257}), 40 * std::min(num_sources, num_destinations));
    const int latest = one_of({0, 200, 2000});
    const int first_source = between(0, num_nodes - num_sources);
    const int first_destination = between(0, num_nodes - num_destinations);
    const int reads_in_four = between(0, 4);
    for (int index = 0; index < num_transactions; ++index) {
        const bool is_read = between(0, 3) < reads_in_four;
        const int data_flits = between(2, longest);
        PlannedPacket packet;
        packet.source = static_cast<NodeIndex>(first_source + between(0, num_sources - 1));
        packet.destination = static_cast<NodeIndex>(first_destination + between(0, num_destinations - 1));
        packet.flits = static_cast<std::uint16_t>(is_read ? 1 : data_flits);
        packet.answer_flits = is_read ? data_flits : 1;
        packet.virtual_channel = static_cast<std::uint8_t>(one_of({0, 1, 1, 1, 2, 3}));
        packet.is_static = between(0, 3) != 0;
        packet.ready = between(0, latest);
        plan.packets.push_back(packet);
    }
    skew_routers(plan);
    return plan;
}

TrafficPlan RandomPlans::reads_and_writes_with_multicasts(int columns, int rows) {
    TrafficPlan plan = reads_and_writes(columns, rows);
    add_multicasts(plan);
    return plan;
}

TrafficPlan RandomPlans::long_packets() {
    TrafficPlan plan;
    plan.columns = between(4, 8);
    plan.rows = between(4, 6);
    plan.noc = between(0, 1);
    plan.parameters = between(0, 1) == 0 ? usual_parameters() : parameters();
    const int num_nodes = plan.columns * plan.rows;
    plan.source_ticks.assign(static_cast<std::size_t>(num_nodes), one_of<Tick>({10'000, 10'205, 11'080}));
    plan.sink_ticks.assign(static_cast<std::size_t>(num_nodes), one_of<Tick>({10'000, 10'370, 15'000}));
    const int latest = one_of({0, 3000});
    for (int unicast = between(0, 8); unicast > 0; --unicast) {
        PlannedPacket packet;
        packet.source = node(num_nodes);
        packet.destination = node(num_nodes);
        packet.flits = static_cast<std::uint16_t>(between(200, 257));
        packet.virtual_channel = static_cast<std::uint8_t>(between(0, 1));
        packet.is_static = between(0, 1) == 0;
        packet.ready = between(0, latest);
        packet.answer_flits = one_of({1, 250});
        plan.packets.push_back(packet);
    }
    for (int chain = between(0, 2); chain > 0; --chain) {
        PlannedPacket packet;
        packet.tree = static_cast<int>(plan.trees.size());
        plan.trees.push_back(plan.topology ? mesh_tree(plan) : tree(plan));
        packet.source = plan.trees.back().source;
        packet.virtual_channel = kFirstBroadcastVirtualChannel;
        packet.ready = between(0, latest);
        packet.answer_flits = between(0, 1);
        for (int left = between(0, 4); left >= 0; --left) {
            packet.flits = static_cast<std::uint16_t>(between(200, 257));
            packet.linked = left > 0;
            plan.packets.push_back(packet);
        }
    }
    skew_routers(plan);
    return plan;
}

TrafficPlan RandomPlans::two_way() {
    const bool wraps = between(0, 1) == 0;
    const int columns = between(2, 5);
    const int rows = between(2, 5);
    TrafficPlan plan;
    plan.topology = wraps ? bidirectional_torus(columns, rows) : mesh(columns, rows);
    plan.parameters = parameters();
    plan.parameters.link_flits_on_end_max = NetworkParameters::kNeverIdles;  // the only value of four-link routers
    const int num_channels = wraps ? one_of({1, 2, 4}) : one_of({1, 2, 4, 8});
    plan.parameters.software_virtual_channels = num_channels;
    plan.parameters.first_response_virtual_channel = one_of({num_channels, num_channels / 2 + 1});
    plan.parameters.dynamic_group = one_of({1, std::min(2, num_channels), num_channels});
    plan.parameters.one_flit_per_input_port = between(0, 1) == 0;
    plan.parameters.dynamic_response_group = one_of({1, std::min(2, num_channels), num_channels});
    add_tiles(plan, columns * rows);
    add_packets(plan, columns * rows);
    for (PlannedPacket& packet : plan.packets) {
        packet.virtual_channel = static_cast<std::uint8_t>(packet.virtual_channel % num_channels);
    }
    skew_routers(plan);
    return plan;
}

TrafficPlan RandomPlans::adaptive() {
    const bool is_odd_even = between(0, 1) == 0;
    const int columns = between(2, 6);
    TrafficPlan plan = two_way();
    const auto num_nodes = static_cast<int>(plan.sink_ticks.size());
    // As many nodes as before, or fewer.
    plan.topology = mesh(std::min(columns, num_nodes), std::max(1, num_nodes / columns),
                         is_odd_even ? MeshRouting::odd_even : MeshRouting::minimal_adaptive);
    plan.source_ticks.resize(static_cast<std::size_t>(plan.topology->num_nodes));
    plan.sink_ticks.resize(static_cast<std::size_t>(plan.topology->num_nodes));
    const auto within = [&](NodeIndex node) { return static_cast<NodeIndex>(node % plan.topology->num_nodes); };
    for (PlannedPacket& packet : plan.packets) {
        packet.source = within(packet.source);
        packet.destination = within(packet.destination);
    }
    for (NodeIndex& node : plan.metered_nodes) {
        node = within(node);
    }
    for (PlannedBlocking& blocking : plan.blockings) {
        blocking.node = within(blocking.node);
    }
    plan.parameters.software_virtual_channels = is_odd_even ? one_of({1, 2, 3, 8, 12}) : one_of({2, 3, 4, 8, 12});
    plan.parameters.first_response_virtual_channel = plan.parameters.software_virtual_channels;
    plan.parameters.private_flits_per_virtual_channel = between(1, 16);
    for (PlannedPacket& packet : plan.packets) {
        packet.virtual_channel =
            static_cast<std::uint8_t>(packet.virtual_channel % plan.parameters.software_virtual_channels);
    }
    skew_routers(plan);
    return plan;
}

TrafficPlan RandomPlans::wide_mesh() {
    TrafficPlan plan;
    plan.columns = between(2, 5);
    plan.rows = between(2, 5);
    plan.topology = mesh(plan.columns, plan.rows);
    plan.parameters = parameters();
    plan.parameters.link_flits_on_end_max = NetworkParameters::kNeverIdles;  // the only value of four-link routers
    plan.parameters.software_virtual_channels = 16;
    plan.parameters.first_response_virtual_channel = 12;
    plan.parameters.dynamic_group = one_of({1, 2, 4});
    plan.parameters.source_ticks_per_header = one_of<Tick>({10'000, 23'000, 41'000});
    add_tiles(plan, plan.columns * plan.rows);
    add_packets(plan, plan.columns * plan.rows);
    if (between(0, 2) == 0) {
        plan.packets.clear();
    }
    add_multicasts(plan);
    constexpr int kFirstBroadcast = 8;
    for (PlannedPacket& packet : plan.packets) {
        const bool is_multicast = packet.tree != PlannedPacket::kUnicast;
        const int more = is_multicast ? kFirstBroadcast - kFirstBroadcastVirtualChannel : between(0, 1) * 4;
        packet.virtual_channel = static_cast<std::uint8_t>(packet.virtual_channel + more);
    }
    skew_routers(plan);
    return plan;
}

TrafficPlan RandomPlans::many_channels() {
    TrafficPlan plan = two_way();
    const bool has_datelines =
        plan.topology.has_value() && std::ranges::any_of(plan.topology->links, &Topology::Link::is_dateline);
    const int num_channels = has_datelines ? one_of({5, 9, 16}) : one_of({3, 9, 12, 13, 32});
    plan.parameters.software_virtual_channels = num_channels;
    plan.parameters.first_response_virtual_channel = one_of({num_channels, num_channels - 2});
    plan.parameters.dynamic_group = one_of({1, 3, num_channels});
    plan.parameters.dynamic_response_group = one_of({1, num_channels});
    for (PlannedPacket& packet : plan.packets) {
        packet.virtual_channel = static_cast<std::uint8_t>(between(0, num_channels - 1));
        packet.is_static = between(0, 1) == 0;
    }
    return plan;
}

TrafficPlan RandomPlans::streams() {
    const bool is_two_way = between(0, 1) == 0;
    TrafficPlan plan = is_two_way ? two_way() : long_packets();
    plan.trees.clear();
    std::erase_if(plan.packets, [](const PlannedPacket& packet) { return packet.tree != PlannedPacket::kUnicast; });
    plan.packets.resize(std::min<std::size_t>(plan.packets.size(), static_cast<std::size_t>(one_of({1, 3, 8}))));
    for (PlannedPacket& packet : plan.packets) {
        packet.flits = static_cast<std::uint16_t>(between(500, 3000));
        packet.answer_flits = one_of({0, 1, 400});
    }
    const bool is_steady = between(0, 1) == 0;
    for (std::size_t node = 0; is_steady && node < plan.sink_ticks.size(); ++node) {
        plan.source_ticks[node] = plan.sink_ticks[node] = kTicksPerCycle;
    }
    return plan;
}

TrafficPlan RandomPlans::singles() {
    TrafficPlan plan = between(0, 1) == 0 ? two_way() : this->plan();
    const int latest = one_of({100, 300, 1000});
    const int longer_in_twenty = between(0, 3);
    const std::vector<PlannedPacket> few = plan.packets;
    plan.packets.clear();
    for (int left = between(100, 500); left > 0; --left) {
        PlannedPacket packet = few[static_cast<std::size_t>(between(0, static_cast<int>(few.size()) - 1))];
        packet.source = node(static_cast<int>(plan.sink_ticks.size()));
        packet.destination = node(static_cast<int>(plan.sink_ticks.size()));
        packet.flits = static_cast<std::uint16_t>(between(1, 20) <= longer_in_twenty ? 3 : 1);
        packet.answer_flits = one_of({0, 1});
        packet.ticks_per_flit = 0;
        packet.ready = between(0, latest);
        plan.packets.push_back(packet);
    }
    return plan;
}

void RandomPlans::skew_routers(TrafficPlan& plan) {
    NetworkParameters& parameters = plan.parameters;
    const Topology topology = topology_of(plan);
    const LinkLatencies latencies = link_latencies(parameters);
    const Cycle skew = between(0, static_cast<int>(std::min(latencies.along, latencies.against)));
    const bool cuts_rings = topology.num_ports == 3 && between(0, 2) != 0;
    parameters.skew_cycles =
        cuts_rings ? ring_cut_skews(plan.columns, plan.rows, skew) : checkerboard_skews(topology, skew);
    parameters.window_cycles = longest_window(topology, latencies, parameters.skew_cycles, Network::kWindowCyclesMax);
}

TrafficPlan RandomPlans::small_routers() {
    TrafficPlan plan = two_way();
    NetworkParameters& parameters = plan.parameters;
    parameters.hop_cycles = between(1, 2);
    parameters.credit_return_cycles = between(1, 3);
    parameters.injection_cycles = between(1, 2);
    parameters.private_flits_per_virtual_channel = between(1, 4);
    parameters.shared_flits_per_input_port = 0;
    parameters.shared_flits_per_virtual_channel_max = 0;
    parameters.one_flit_per_input_port = true;
    if (between(0, 1) == 0) {
        parameters.software_virtual_channels = 1;
        parameters.first_response_virtual_channel = 1;
        parameters.dynamic_group = 1;
        parameters.dynamic_response_group = 1;
    }
    const int longest = one_of({1, 2, 2, 8, 32});
    const int latest = one_of({0, 100, 300});
    const std::vector<PlannedPacket> few = plan.packets;
    plan.packets.clear();
    for (int left = between(50, 300); left > 0; --left) {
        PlannedPacket packet = few[static_cast<std::size_t>(between(0, static_cast<int>(few.size()) - 1))];
        packet.source = node(static_cast<int>(plan.sink_ticks.size()));
        packet.flits = static_cast<std::uint16_t>(between(1, longest));
        packet.virtual_channel =
            static_cast<std::uint8_t>(packet.virtual_channel % parameters.software_virtual_channels);
        packet.answer_flits = one_of({0, 0, 2});
        packet.ticks_per_flit = 0;
        packet.ready = between(0, latest);
        plan.packets.push_back(packet);
    }
    skew_routers(plan);
    return plan;
}

void RandomPlans::vary_outputs(TrafficPlan& plan) {
    const int num_ports = topology_of(plan).num_ports;
    NetworkParameters& parameters = plan.parameters;
    parameters.outputs.turn_cycles = one_of<Cycle>({0, 1, 1, 2, 7});
    parameters.outputs.release_cycles = one_of<Cycle>({0, 0, 1, 2, 7});
    parameters.outputs.rest_at_straight_input = between(0, 1) == 0;
    parameters.outputs.straight_input_of_tile = between(OutputRules::kNoInputPort, num_ports - 1);
    parameters.outputs.turns_at_links = turns(num_ports);
    parameters.outputs.turns_at_tile = turns(num_ports);
}

std::vector<int> RandomPlans::turns(int num_ports) {
    std::vector<int> ports;
    for (int port = 0; port < num_ports && between(0, num_ports) != 0; ++port) {
        ports.insert(ports.begin() + between(0, port), port);
    }
    return std::ssize(ports) == num_ports ? ports : std::vector<int>();
}

void RandomPlans::mix_channels(TrafficPlan& plan) {
    for (PlannedPacket& packet : plan.packets) {
        if (packet.tree == PlannedPacket::kUnicast && between(0, 2) == 0) {
            packet.virtual_channel = static_cast<std::uint8_t>(kFirstBroadcastVirtualChannel + between(0, 1));
            packet.stream = between(8, 15);  // another stream, so not between linked packets
        }
    }
}

void RandomPlans::vary_interfaces(TrafficPlan& plan) {
    plan.answer_streams = between(1, 4);
    plan.requests_held_per_channel_max = one_of<std::optional<int>>({std::nullopt, 1, 2, 12});
    plan.parameters.one_flit_per_input_port = between(0, 4) == 0;
    plan.parameters.dynamic_group = one_of({1, 2, 4});
    plan.parameters.dynamic_response_group = one_of({1, 2, 2});
    for (std::size_t node = 0; node < plan.sink_ticks.size(); ++node) {
        plan.multicast_sink_ticks.push_back(one_of<Tick>({10'000, 10'370, 15'000}));
    }
}

PlannedTree RandomPlans::mesh_tree(const TrafficPlan& plan) {
    const int num_nodes = plan.columns * plan.rows;
    const Topology topology = mesh(plan.columns, plan.rows);
    PlannedTree tree;
    tree.source = node(num_nodes);
    tree.grant_cycles = between(0, 6);
    for (int receiver = 0; receiver < num_nodes; ++receiver) {
        const bool is_only_one = tree.receivers.empty() && receiver == num_nodes - 1;
        if (receiver == tree.source || (!is_only_one && between(0, 2) != 0)) {
            continue;
        }
        tree.receivers.push_back(static_cast<NodeIndex>(receiver));
        std::vector<NodeIndex>& way = tree.ways.emplace_back();
        topology.follow_route(tree.source, receiver, [&](int node, int /*input*/, int /*output*/) {
            way.push_back(static_cast<NodeIndex>(node));
        });
    }
    return tree.receivers.empty() ? mesh_tree(plan) : tree;
}

PlannedTree RandomPlans::tree(const TrafficPlan& plan) {
    const NodeIndex source = node(plan.columns * plan.rows);
    const ColumnSpan columns{between(0, plan.columns - 1), between(1, plan.columns)};
    const int first_row = between(0, plan.rows - 1);
    const int num_rows = between(1, plan.rows);
    const bool includes_source = between(0, 1) == 0;
    const bool has_gaps = between(0, 1) == 0;  // as with harvested tiles
    const int step = plan.noc == 0 ? 1 : plan.columns * plan.rows - 1;
    std::vector<NodeIndex> receivers;
    for (int row = 0; row < num_rows; ++row) {
        for (int column = 0; column < columns.count; ++column) {
            const int x = (columns.first + step * column) % plan.columns;
            const int y = (first_row + step * row) % plan.rows;
            const auto receiver = static_cast<NodeIndex>(y * plan.columns + x);
            if ((receiver != source || includes_source) && (!has_gaps || between(0, 3) != 0)) {
                receivers.push_back(receiver);
            }
        }
    }
    // At least one receiver must be another node.
    if (std::ranges::count(receivers, source) == std::ssize(receivers)) {
        return tree(plan);
    }
    PlannedTree tree = plan_tree(plan, source, receivers, columns);
    tree.grant_cycles = between(0, 6);
    return tree;
}

}  // namespace nocbench::test
