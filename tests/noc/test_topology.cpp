// Wiring of networks and routes through them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "device_model/noc/topology.h"

namespace nocbench {

namespace {

struct Shape {
    int columns = 0;
    int rows = 0;

    [[nodiscard]] int node(int x, int y) const { return y * columns + x; }
    [[nodiscard]] int x(int node) const { return node % columns; }
    [[nodiscard]] int y(int node) const { return node / columns; }
};

/// Returns the output ports on the route from `source` to `destination`.
std::vector<int> ports_on_way(const Topology& topology, int source, int destination) {
    std::vector<int> ports;
    for (int node = source; node != destination; node = topology.link(node, ports.back()).neighbour) {
        ports.push_back(topology.route(node, destination));
        if (ports.size() > static_cast<std::size_t>(topology.num_nodes)) {
            ADD_FAILURE() << "the way from " << source << " to " << destination << " goes round for ever";
            break;
        }
    }
    EXPECT_EQ(topology.route(destination, destination), kNiuPort);
    return ports;
}

/// Expects a route along one axis and then along the other, in a single direction of each.
void expect_dimension_order(const std::vector<int>& ports) {
    std::vector<int> round_robin = ports;
    const auto repeated = std::ranges::unique(round_robin);
    round_robin.erase(repeated.begin(), repeated.end());
    ASSERT_LE(round_robin.size(), 2U);
    for (const int port : round_robin) {
        ASSERT_NE(port, kNiuPort);
    }
    if (round_robin.size() == 2) {
        ASSERT_TRUE(round_robin[0] == kRightPort || round_robin[0] == kLeftPort);
        ASSERT_TRUE(round_robin[1] == kDownPort || round_robin[1] == kUpPort);
    }
}

int ring_distance(int from, int to, int size) {
    const int distance = std::abs(from - to);
    return std::min(distance, size - distance);
}

class TopologyOfShape : public testing::TestWithParam<std::tuple<int, int>> {
protected:
    [[nodiscard]] static Shape shape() { return {std::get<0>(GetParam()), std::get<1>(GetParam())}; }
};

INSTANTIATE_TEST_SUITE_P(Shape, TopologyOfShape,
                         testing::Values(std::tuple(8, 8), std::tuple(10, 10), std::tuple(5, 4), std::tuple(3, 7),
                                         std::tuple(2, 2), std::tuple(1, 6), std::tuple(6, 1), std::tuple(1, 1)),
                         [](const auto& test) {
                             return std::to_string(std::get<0>(test.param)) + "x" +
                                    std::to_string(std::get<1>(test.param));
                         });

TEST_P(TopologyOfShape, AMeshTakesTheShortestWayAlongXFirst) {
    const Shape shape = TopologyOfShape::shape();
    const Topology topology = mesh(shape.columns, shape.rows);
    ASSERT_EQ(topology.num_ports, 5);
    for (int from = 0; from < topology.num_nodes; ++from) {
        for (int to = 0; to < topology.num_nodes; ++to) {
            const std::vector<int> ports = ports_on_way(topology, from, to);
            expect_dimension_order(ports);
            const int distance = std::abs(shape.x(from) - shape.x(to)) + std::abs(shape.y(from) - shape.y(to));
            ASSERT_EQ(ports.size(), static_cast<std::size_t>(distance));
            ASSERT_EQ(topology.hops(from, to), distance);
        }
    }
}

/// Returns the route as letters: right, left, down and up.
std::string way(const Topology& topology, int source, int destination) {
    std::string letters;
    for (const int port : ports_on_way(topology, source, destination)) {
        letters += " rldu"[port];
    }
    return letters;
}

TEST(MeshRouting, EachFunctionHasItsOwnWayToEachSide) {
    constexpr Shape kShape{.columns = 4, .rows = 3};
    struct Ways {
        MeshRouting routing;
        std::string right_and_down;
        std::string right_and_up;
        std::string left_and_down;
        std::string left_and_up;
    };
    for (const Ways& ways : {Ways{MeshRouting::x_first, "rrrdd", "rrruu", "llldd", "llluu"},
                             Ways{MeshRouting::y_first, "ddrrr", "uurrr", "ddlll", "uulll"},
                             Ways{MeshRouting::west_first, "ddrrr", "uurrr", "llldd", "llluu"}}) {
        const Topology topology = mesh(kShape.columns, kShape.rows, ways.routing);
        EXPECT_EQ(way(topology, kShape.node(0, 0), kShape.node(3, 2)), ways.right_and_down);
        EXPECT_EQ(way(topology, kShape.node(0, 2), kShape.node(3, 0)), ways.right_and_up);
        EXPECT_EQ(way(topology, kShape.node(3, 0), kShape.node(0, 2)), ways.left_and_down);
        EXPECT_EQ(way(topology, kShape.node(3, 2), kShape.node(0, 0)), ways.left_and_up);
        EXPECT_EQ(way(topology, kShape.node(1, 1), kShape.node(3, 1)), "rr");
        EXPECT_EQ(way(topology, kShape.node(2, 1), kShape.node(0, 1)), "ll");
        EXPECT_EQ(way(topology, kShape.node(1, 0), kShape.node(1, 2)), "dd");
        EXPECT_EQ(way(topology, kShape.node(1, 1), kShape.node(1, 1)), "");
    }
}

TEST_P(TopologyOfShape, EachRoutingFunctionOfAMeshTakesTheShortestWay) {
    const Shape shape = TopologyOfShape::shape();
    for (const MeshRouting routing : {MeshRouting::y_first, MeshRouting::west_first}) {
        const Topology topology = mesh(shape.columns, shape.rows, routing);
        for (int from = 0; from < topology.num_nodes; ++from) {
            for (int to = 0; to < topology.num_nodes; ++to) {
                const int distance = std::abs(shape.x(from) - shape.x(to)) + std::abs(shape.y(from) - shape.y(to));
                ASSERT_EQ(ports_on_way(topology, from, to).size(), static_cast<std::size_t>(distance));
            }
        }
    }
}

TEST_P(TopologyOfShape, AMeshHasNoLinksOverItsEdges) {
    const Shape shape = TopologyOfShape::shape();
    const Topology topology = mesh(shape.columns, shape.rows);
    for (int node = 0; node < topology.num_nodes; ++node) {
        const int x = shape.x(node);
        const int y = shape.y(node);
        EXPECT_EQ(topology.link(node, kRightPort).exists, x + 1 < shape.columns);
        EXPECT_EQ(topology.link(node, kLeftPort).exists, x > 0);
        EXPECT_EQ(topology.link(node, kDownPort).exists, y + 1 < shape.rows);
        EXPECT_EQ(topology.link(node, kUpPort).exists, y > 0);
        for (int port = 0; port < topology.num_ports; ++port) {
            EXPECT_FALSE(topology.link(node, port).is_dateline);
        }
    }
}

TEST_P(TopologyOfShape, ATorusTakesTheShortestWayAlongXFirst) {
    const Shape shape = TopologyOfShape::shape();
    const Topology topology = bidirectional_torus(shape.columns, shape.rows);
    ASSERT_EQ(topology.num_ports, 5);
    for (int from = 0; from < topology.num_nodes; ++from) {
        for (int to = 0; to < topology.num_nodes; ++to) {
            const std::vector<int> ports = ports_on_way(topology, from, to);
            expect_dimension_order(ports);
            const int distance = ring_distance(shape.x(from), shape.x(to), shape.columns) +
                                 ring_distance(shape.y(from), shape.y(to), shape.rows);
            ASSERT_EQ(ports.size(), static_cast<std::size_t>(distance));
            ASSERT_EQ(topology.hops(from, to), distance);
        }
    }
}

TEST_P(TopologyOfShape, TheDatelinesOfATorusAreItsWrapLinks) {
    const Shape shape = TopologyOfShape::shape();
    const Topology topology = bidirectional_torus(shape.columns, shape.rows);
    for (int node = 0; node < topology.num_nodes; ++node) {
        EXPECT_EQ(topology.link(node, kRightPort).is_dateline, shape.x(node) == shape.columns - 1);
        EXPECT_EQ(topology.link(node, kLeftPort).is_dateline, shape.x(node) == 0);
        EXPECT_EQ(topology.link(node, kDownPort).is_dateline, shape.y(node) == shape.rows - 1);
        EXPECT_EQ(topology.link(node, kUpPort).is_dateline, shape.y(node) == 0);
    }
}

TEST_P(TopologyOfShape, APacketThatGoesStraightOnKeepsItsPortNumber) {
    const Shape shape = TopologyOfShape::shape();
    for (const Topology& topology :
         {mesh(shape.columns, shape.rows), bidirectional_torus(shape.columns, shape.rows),
          unidirectional_torus(shape.columns, shape.rows, 0), unidirectional_torus(shape.columns, shape.rows, 1)}) {
        for (int node = 0; node < topology.num_nodes; ++node) {
            EXPECT_FALSE(topology.link(node, kNiuPort).exists);
            for (int port = 1; port < topology.num_ports; ++port) {
                const Topology::Link& link = topology.link(node, port);
                EXPECT_TRUE(!link.exists || link.neighbour_port == port);
            }
        }
    }
}

TEST(TopologyTest, PortsLeadWhereTheirNamesSay) {
    const Shape shape{4, 3};
    for (const Topology& topology : {mesh(4, 3), bidirectional_torus(4, 3)}) {
        const int middle = shape.node(1, 1);
        EXPECT_EQ(topology.link(middle, kRightPort).neighbour, shape.node(2, 1));
        EXPECT_EQ(topology.link(middle, kLeftPort).neighbour, shape.node(0, 1));
        EXPECT_EQ(topology.link(middle, kDownPort).neighbour, shape.node(1, 2));
        EXPECT_EQ(topology.link(middle, kUpPort).neighbour, shape.node(1, 0));
    }
    const Topology torus = bidirectional_torus(4, 3);
    EXPECT_EQ(torus.link(shape.node(3, 2), kRightPort).neighbour, shape.node(0, 2));
    EXPECT_EQ(torus.link(shape.node(0, 2), kLeftPort).neighbour, shape.node(3, 2));
    EXPECT_EQ(torus.link(shape.node(3, 2), kDownPort).neighbour, shape.node(3, 0));
    EXPECT_EQ(torus.link(shape.node(3, 0), kUpPort).neighbour, shape.node(3, 2));
}

/// Returns the number of packets over each link, by port, if every node sends one packet to every node.
std::vector<int> sent_over_ports(const Topology& topology) {
    std::vector<int> sent(static_cast<std::size_t>(topology.num_ports));
    for (int from = 0; from < topology.num_nodes; ++from) {
        for (int to = 0; to < topology.num_nodes; ++to) {
            for (const int port : ports_on_way(topology, from, to)) {
                ++sent[static_cast<std::size_t>(port)];
            }
        }
    }
    return sent;
}

TEST(TopologyTest, EquallyLongWaysRoundATorusShareTheLoad) {
    for (const int size : {4, 8, 10}) {
        const std::vector<int> sent = sent_over_ports(bidirectional_torus(size, size));
        EXPECT_EQ(sent[kRightPort], sent[kLeftPort]);
        EXPECT_EQ(sent[kDownPort], sent[kUpPort]);
        EXPECT_EQ(sent[kRightPort], sent[kDownPort]);
    }
}

TEST_P(TopologyOfShape, ACheckerboardHasNoLinksBetweenItsLikes) {
    const auto [columns, rows] = GetParam();
    const auto is_even_or_open = [](int length) { return length % 2 == 0 || length == 1; };
    const bool rings_are_even = is_even_or_open(columns) && is_even_or_open(rows);
    for (const Topology& topology :
         {mesh(columns, rows), bidirectional_torus(columns, rows), unidirectional_torus(columns, rows, 0)}) {
        const std::vector<bool> squares = topology.checkerboard();
        for (int node = 0; node < topology.num_nodes && !squares.empty(); ++node) {
            for (int port = 1; port < topology.num_ports; ++port) {
                if (const Topology::Link& link = topology.link(node, port); link.exists) {
                    EXPECT_NE(squares[static_cast<std::size_t>(node)], squares[link.neighbour]);
                }
            }
        }
    }
    EXPECT_EQ(mesh(columns, rows).checkerboard().size(), static_cast<std::size_t>(columns * rows));
    if (columns > 1 && rows > 1) {
        EXPECT_EQ(bidirectional_torus(columns, rows).checkerboard().empty(), !rings_are_even);
        EXPECT_EQ(unidirectional_torus(columns, rows, 0).checkerboard().empty(), !rings_are_even);
    }
}

TEST(TopologyTest, AUnidirectionalTorusGoesOneWayRound) {
    const Shape shape{5, 4};
    for (const int noc : {0, 1}) {
        const Topology topology = unidirectional_torus(shape.columns, shape.rows, noc);
        for (int from = 0; from < topology.num_nodes; ++from) {
            for (int to = 0; to < topology.num_nodes; ++to) {
                const int along_x = shape.x(to) - shape.x(from);
                const int along_y = shape.y(to) - shape.y(from);
                const int expected =
                    noc == 0 ? (along_x + shape.columns) % shape.columns + (along_y + shape.rows) % shape.rows
                             : (-along_x + shape.columns) % shape.columns + (-along_y + shape.rows) % shape.rows;
                EXPECT_EQ(topology.hops(from, to), expected);
                const std::vector<int> ports = ports_on_way(topology, from, to);
                EXPECT_TRUE(noc == 0 ? std::ranges::is_sorted(ports) : std::ranges::is_sorted(ports, std::greater<>()));
            }
        }
    }
}

TEST_P(TopologyOfShape, EveryRowLeavesTheChipOverItsRightEdge) {
    const auto [columns, rows] = GetParam();
    const MeshWithEdgeLink mesh = mesh_with_edge_link(columns, rows);
    const Topology& topology = mesh.topology;
    for (int node = 0; node < columns * rows; ++node) {
        const std::vector<int> out = ports_on_way(topology, node, mesh.edge_node);
        const auto within = static_cast<std::ptrdiff_t>(columns - 1 - node % columns);
        EXPECT_TRUE(std::all_of(out.begin(), out.begin() + within, [](int port) { return port == kRightPort; }));
        EXPECT_EQ(ports_on_way(topology, mesh.edge_node, node).size(),
                  static_cast<std::size_t>(topology.hops(mesh.edge_node, node)));
        for (int other = 0; other < columns * rows; ++other) {
            EXPECT_EQ(ports_on_way(topology, node, other), ports_on_way(nocbench::mesh(columns, rows), node, other));
        }
    }
    // No input port of a router has two incoming links.
    std::vector<int> arriving(static_cast<std::size_t>(topology.num_nodes * topology.num_ports));
    for (int node = 0; node < topology.num_nodes; ++node) {
        for (int port = 1; port < topology.num_ports; ++port) {
            const Topology::Link& link = topology.link(node, port);
            if (link.exists) {
                EXPECT_EQ(
                    ++arriving[static_cast<std::size_t>(link.neighbour * topology.num_ports + link.neighbour_port)], 1);
            }
        }
    }
}

/// Returns a row's share of the link to the outside, if each router divides bandwidth equally between joining routes.
double share_of_row(const Topology& topology, int edge_node, int columns, int row) {
    std::vector<int> num_joined(static_cast<std::size_t>(topology.num_nodes));
    for (int node = 0; node < topology.num_nodes; ++node) {
        if (node != edge_node) {
            const Topology::Link& link = topology.link(node, topology.route(node, edge_node));
            ++num_joined[static_cast<std::size_t>(link.neighbour)];
        }
    }
    double share = 1;
    int node = row * columns + columns - 1;
    while (node != edge_node) {
        node = topology.link(node, topology.route(node, edge_node)).neighbour;
        share /= num_joined[static_cast<std::size_t>(node)];
    }
    return share;
}

TEST(TopologyTest, RowsHaveEqualSharesOfTheLinkToTheOutside) {
    constexpr int kColumns = 2;
    for (const int rows : {2, 4, 6, 8, 12, 16}) {
        const MeshWithEdgeLink mesh = mesh_with_edge_link(kColumns, rows);
        for (int row = 0; row < rows; ++row) {
            EXPECT_NEAR(share_of_row(mesh.topology, mesh.edge_node, kColumns, row), 1.0 / rows, 1e-12)
                << "row " << row << " of " << rows;
        }
    }
}

}  // namespace

}  // namespace nocbench
