#include "device_model/noc/topology.h"

#include <cstddef>
#include <utility>

namespace nocbench {

namespace {

/// Position of a router or of a packet's destination.
struct Place {
    int x = 0;
    int y = 0;
};

/// Builder of the links between routers in columns and rows.
class Wiring {
public:
    Wiring(int columns, int rows, int num_ports) : columns_(columns), rows_(rows) {
        topology_.num_nodes = columns * rows;
        topology_.num_ports = num_ports;
        topology_.links.resize(static_cast<std::size_t>(topology_.num_nodes * num_ports));
    }

    /// Adds a link from each router over `port` to the router `step` away. Links over an edge wrap around and are
    /// datelines.
    void add_rings(int port, Place step) {
        for_each_place([&](Place place) {
            const Place next{.x = place.x + step.x, .y = place.y + step.y};
            link(place, port) = {node_at(next), static_cast<std::uint8_t>(port), !contains(next), true};
        });
    }

    /// Adds a link from each router over `port` to the router `step` away, except over edges.
    void add_lines(int port, Place step) {
        for_each_place([&](Place place) {
            const Place next{.x = place.x + step.x, .y = place.y + step.y};
            if (contains(next)) {
                link(place, port) = {node_at(next), static_cast<std::uint8_t>(port), false, true};
            }
        });
    }

    /// Returns the finished topology. `along_x(from, x)` is the output port at `from` of a packet to column `x`,
    /// `along_y(from, y)` that of a packet to row `y`, and `is_x_first(from, x)` tells which of the two a packet takes
    /// first.
    template <class AlongX, class AlongY, class IsXFirst>
    Topology route(const AlongX& along_x, const AlongY& along_y, const IsXFirst& is_x_first) {
        topology_.columns = columns_;
        topology_.num_lines = columns_ + rows_;
        for_each_place([&](Place from) {
            topology_.positions.push_back(
                {static_cast<std::uint16_t>(from.x), static_cast<std::uint16_t>(columns_ + from.y)});
            for (int x = 0; x < columns_; ++x) {
                const int taken = is_x_first(from, x) ? Topology::kTakenFirst : 0;
                topology_.towards.push_back(
                    static_cast<std::uint8_t>(x == from.x ? kNiuPort : taken + along_x(from, x)));
            }
            for (int y = 0; y < rows_; ++y) {
                topology_.towards.push_back(
                    static_cast<std::uint8_t>(y == from.y ? kNiuPort : Topology::kTakenSecond + along_y(from, y)));
            }
        });
        return std::move(topology_);
    }

private:
    template <class Action>
    void for_each_place(const Action& action) const {
        for (int y = 0; y < rows_; ++y) {
            for (int x = 0; x < columns_; ++x) {
                action(Place{.x = x, .y = y});
            }
        }
    }

    [[nodiscard]] bool contains(Place place) const {
        return place.x >= 0 && place.x < columns_ && place.y >= 0 && place.y < rows_;
    }

    [[nodiscard]] NodeIndex node_at(Place place) const {
        return static_cast<NodeIndex>((place.y + rows_) % rows_ * columns_ + (place.x + columns_) % columns_);
    }

    Topology::Link& link(Place place, int port) {
        return topology_.links[static_cast<std::size_t>(node_at(place) * topology_.num_ports + port)];
    }

    int columns_;
    int rows_;
    Topology topology_;
};

/// Returns whether the way from `from` to `to` in a ring of `size` is shorter in the direction of growing coordinates.
bool goes_forward(int from, int to, int size, bool forward_if_equal) {
    const int forward = (to - from + size) % size;
    return 2 * forward != size ? 2 * forward < size : forward_if_equal;
}

/// Returns true if a packet in column `from` goes to column `to` before it goes along y.
bool goes_along_x_first(MeshRouting routing, int from, int to) {
    switch (routing) {
        case MeshRouting::x_first:
        case MeshRouting::minimal_adaptive:
            break;
        case MeshRouting::y_first:
            return false;
        case MeshRouting::west_first:
            return to < from;
        case MeshRouting::odd_even:
            // In the even column of its destination, a packet that travels to the right could no longer turn.
            return to != from + 1 || to % 2 != 0;
    }
    return true;
}

}  // namespace

std::vector<bool> Topology::checkerboard() const {
    enum class Square : std::uint8_t { none, white, black };
    std::vector<Square> squares(static_cast<std::size_t>(num_nodes), Square::none);
    std::vector<int> reached;
    const auto join = [&](int node, int neighbour) {
        const Square here = squares[static_cast<std::size_t>(node)];
        Square& there = squares[static_cast<std::size_t>(neighbour)];
        if (there == Square::none) {
            there = here == Square::white ? Square::black : Square::white;
            reached.push_back(neighbour);
        }
        return there != here;
    };
    // Links are bidirectional or form rings: all connected nodes are reached along links.
    for (int first = 0; first < num_nodes; ++first) {
        if (squares[static_cast<std::size_t>(first)] != Square::none) {
            continue;
        }
        squares[static_cast<std::size_t>(first)] = Square::white;
        reached.push_back(first);
        while (!reached.empty()) {
            const int node = reached.back();
            reached.pop_back();
            for (int port = 0; port < num_ports; ++port) {
                if (link(node, port).exists && !join(node, link(node, port).neighbour)) {
                    return {};
                }
            }
        }
    }
    std::vector<bool> is_black(squares.size());
    for (std::size_t node = 0; node < squares.size(); ++node) {
        is_black[node] = squares[node] == Square::black;
    }
    return is_black;
}

int Topology::hops(int source, int destination) const {
    int routers = 0;
    follow_route(source, destination, [&](int /*node*/, int /*input*/, int /*output*/) { ++routers; });
    return routers - 1;
}

Topology unidirectional_torus(int columns, int rows, int noc) {
    const int step = noc == 0 ? 1 : -1;
    const bool x_first = noc == 0;
    Wiring wiring(columns, rows, 3);
    wiring.add_rings(kXPort, {.x = step});
    wiring.add_rings(kYPort, {.y = step});
    return wiring.route([](Place, int) { return kXPort; }, [](Place, int) { return kYPort; },
                        [&](Place, int) { return x_first; });
}

Topology mesh(int columns, int rows, MeshRouting routing) {
    Wiring wiring(columns, rows, 5);
    wiring.add_lines(kRightPort, {.x = 1});
    wiring.add_lines(kLeftPort, {.x = -1});
    wiring.add_lines(kDownPort, {.y = 1});
    wiring.add_lines(kUpPort, {.y = -1});
    Topology topology = wiring.route([](Place from, int x) { return from.x < x ? kRightPort : kLeftPort; },
                                     [](Place from, int y) { return from.y < y ? kDownPort : kUpPort; },
                                     [&](Place from, int x) { return goes_along_x_first(routing, from.x, x); });
    topology.adaptive = routing == MeshRouting::odd_even           ? AdaptiveRouting::odd_even
                        : routing == MeshRouting::minimal_adaptive ? AdaptiveRouting::minimal
                                                                   : AdaptiveRouting::none;
    return topology;
}

unsigned Topology::permitted_ports(int node, int destination, int input_port) const {
    const Place here{.x = node % columns, .y = node / columns};
    const Place there{.x = destination % columns, .y = destination / columns};
    const unsigned along_x = here.x < there.x ? 1U << kRightPort : here.x > there.x ? 1U << kLeftPort : 0;
    const unsigned along_y = here.y < there.y ? 1U << kDownPort : here.y > there.y ? 1U << kUpPort : 0;
    if (along_x == 0 || along_y == 0 || adaptive != AdaptiveRouting::odd_even) {
        return (along_x | along_y) != 0 ? along_x | along_y : 1U << kNiuPort;
    }
    const bool is_odd = here.x % 2 != 0;
    if (here.x > there.x) {
        return is_odd ? along_x : along_x | along_y;  // along y, it could no longer turn to the left
    }
    const bool can_turn = is_odd || input_port != kRightPort;
    const bool can_turn_later = there.x % 2 != 0 || there.x - here.x != 1;
    return (can_turn ? along_y : 0) | (can_turn_later ? along_x : 0);
}

MeshWithEdgeLink mesh_with_edge_link(int columns, int rows) {
    constexpr int kPorts = 5;
    constexpr std::size_t kFanInMax = 4;   // inputs of the last join, whose fifth port leads off the chip
    constexpr std::size_t kJoinInMax = 3;  // inputs of the other joins, which need a port for the way on
    const Topology inner = mesh(columns, rows);

    /// Joined set of rows, with its last node and that node's ports.
    struct Arm {
        int node = 0;
        int output_port = 0;
        int input_port = 0;
        std::vector<int> rows;
    };
    std::vector<Arm> arms;
    arms.reserve(static_cast<std::size_t>(rows));
    for (int row = 0; row < rows; ++row) {
        arms.push_back({row * columns + columns - 1, kRightPort, kLeftPort, {row}});
    }
    std::vector<std::vector<Arm>> joins;
    const auto join = [&](std::vector<Arm> joined) {
        const int port = static_cast<int>(joined.size()) + 1;
        Arm arm{inner.num_nodes + static_cast<int>(joins.size()), port, port, {}};
        for (const Arm& part : joined) {
            arm.rows.insert(arm.rows.end(), part.rows.begin(), part.rows.end());
        }
        joins.push_back(std::move(joined));
        return arm;
    };
    while (arms.size() > kFanInMax) {
        // As few groups as possible, but of equal size: rows of a smaller group would have larger shares.
        const std::size_t size = arms.size() % kJoinInMax == 0 || arms.size() % 2 != 0 ? kJoinInMax : 2;
        const std::size_t groups = (arms.size() + size - 1) / size;
        std::vector<Arm> joined;
        for (std::size_t group = 0; group < groups; ++group) {
            const auto begin = static_cast<std::ptrdiff_t>(arms.size() * group / groups);
            const auto end = static_cast<std::ptrdiff_t>(arms.size() * (group + 1) / groups);
            joined.push_back(join({arms.begin() + begin, arms.begin() + end}));
        }
        arms = std::move(joined);
    }
    join(std::move(arms));

    MeshWithEdgeLink result;
    Topology& topology = result.topology;
    topology.num_nodes = inner.num_nodes + static_cast<int>(joins.size());
    topology.num_ports = kPorts;
    topology.links = inner.links;
    topology.links.resize(static_cast<std::size_t>(topology.num_nodes * kPorts));
    result.edge_node = static_cast<NodeIndex>(topology.num_nodes - 1);
    const auto active_vc = [&](int from, int from_port, int to, int to_port) {
        topology.links[static_cast<std::size_t>(from * kPorts + from_port)] = {
            static_cast<NodeIndex>(to), static_cast<std::uint8_t>(to_port), false, true};
    };
    // Port towards the outside, and port towards each row, by node.
    std::vector<int> port_out(static_cast<std::size_t>(topology.num_nodes), kNiuPort);
    std::vector<std::vector<int>> port_of_row(static_cast<std::size_t>(topology.num_nodes));
    for (std::size_t number = 0; number < joins.size(); ++number) {
        const int node = inner.num_nodes + static_cast<int>(number);
        std::vector<int>& ports = port_of_row[static_cast<std::size_t>(node)];
        ports.resize(static_cast<std::size_t>(rows), -1);
        int port = 0;
        for (const Arm& arm : joins[number]) {
            ++port;
            active_vc(arm.node, arm.output_port, node, port);
            active_vc(node, port, arm.node, arm.input_port);
            port_out[static_cast<std::size_t>(arm.node)] = arm.output_port;
            for (const int row : arm.rows) {
                ports[static_cast<std::size_t>(row)] = port;
            }
        }
    }
    // Nodes off the mesh have a line of their own.
    const auto off_mesh = static_cast<std::uint16_t>(inner.num_lines);
    topology.num_lines = inner.num_lines + 1;
    topology.positions = inner.positions;
    topology.positions.resize(static_cast<std::size_t>(topology.num_nodes), {off_mesh, off_mesh});
    std::vector<std::uint8_t>& towards = topology.towards;
    for (int from = 0; from < topology.num_nodes; ++from) {
        int out = kRightPort;
        if (from < inner.num_nodes) {
            const auto ports = inner.towards.begin() + std::ptrdiff_t{from} * inner.num_lines;
            towards.insert(towards.end(), ports, ports + inner.num_lines);
        } else {
            out = port_out[static_cast<std::size_t>(from)];
            towards.resize(towards.size() + static_cast<std::size_t>(columns), kNiuPort);
            for (const int port : port_of_row[static_cast<std::size_t>(from)]) {
                towards.push_back(static_cast<std::uint8_t>(Topology::kTakenSecond + (port >= 0 ? port : out)));
            }
        }
        towards.push_back(static_cast<std::uint8_t>(Topology::kTakenFirst + out));
    }
    return result;
}

Topology bidirectional_torus(int columns, int rows) {
    Wiring wiring(columns, rows, 5);
    wiring.add_rings(kRightPort, {.x = 1});
    wiring.add_rings(kLeftPort, {.x = -1});
    wiring.add_rings(kDownPort, {.y = 1});
    wiring.add_rings(kUpPort, {.y = -1});
    const auto is_even = [](Place place) { return (place.x + place.y) % 2 == 0; };
    return wiring.route(
        [&](Place from, int x) { return goes_forward(from.x, x, columns, is_even(from)) ? kRightPort : kLeftPort; },
        [&](Place from, int y) { return goes_forward(from.y, y, rows, is_even(from)) ? kDownPort : kUpPort; },
        [](Place, int) { return true; });
}

Topology without_datelines(Topology topology) {
    for (Topology::Link& link : topology.links) {
        link.is_dateline = false;
    }
    return topology;
}

}  // namespace nocbench
