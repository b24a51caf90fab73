// A chip with one NoC, a mesh, and RISCs that have command buffers and counters of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/multicast_tree.h"
#include "device_model/tenstorrent/noc_parameters.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::first_difference;
using test::kBuffer;
using test::random_bytes;

constexpr std::uint32_t kTargetBuffer = 0x90000;

const Architecture& quasar() {
    static const Architecture architecture = load_architecture(find_architecture("quasar"));
    return architecture;
}

class MeshChip : public testing::Test {
protected:
    MeshChip() : device(quasar()), program(device) {}

    [[nodiscard]] TranslatedCoordinate place(LogicalCoordinate core) const { return device.grid().translated(core); }
    static std::string error_of(const std::function<void()>& action) {
        try {
            action();
        } catch (const std::exception& error) {
            return error.what();
        }
        return "no error";
    }

    Device device;
    Program program;
};

TEST_F(MeshChip, HopsAreThoseOfTheRoutes) {
    const Grid& grid = device.grid();
    const Topology topology = noc_topology(grid, 0);
    for (int from = 0; from < grid.num_nodes(); ++from) {
        for (int to = 0; to < grid.num_nodes(); ++to) {
            EXPECT_EQ(grid.hops(0, grid.place_of_node(from), grid.place_of_node(to)), topology.hops(from, to));
        }
    }
}

/// Follows the outputs of a tree. Each router must be reached once.
TEST_F(MeshChip, TreesReachAllReceiversOnce) {
    const Grid& grid = device.grid();
    const Topology topology = noc_topology(grid, 0);
    for (const MulticastRectangle& rectangle :
         {MulticastRectangle{{2, 2}, {9, 5}}, MulticastRectangle{{4, 3}, {6, 4}}, MulticastRectangle{{5, 2}, {5, 5}},
          MulticastRectangle{{2, 4}, {9, 4}}}) {
        for (const PhysicalCoordinate source : grid.live_tensix()) {
            const MulticastTree tree = multicast_tree(grid, 0, source, rectangle, true);
            std::set<int> reached;
            std::set<NodeIndex> receivers;
            std::size_t depth = 0;
            std::vector<int> front{grid.node_index(source)};
            for (; !front.empty(); ++depth) {
                std::vector<int> next;
                for (const int node : front) {
                    EXPECT_TRUE(reached.insert(node).second) << "router " << node << " is reached twice";
                    for (int port = 0; port < topology.num_ports; ++port) {
                        if ((tree.outputs[static_cast<std::size_t>(node)] >> port & 1U) == 0) {
                            continue;
                        }
                        if (port == kNiuPort) {
                            receivers.insert(static_cast<NodeIndex>(node));
                        } else {
                            ASSERT_TRUE(topology.link(node, port).exists);
                            next.push_back(topology.link(node, port).neighbour);
                        }
                    }
                }
                front = std::move(next);
            }
            EXPECT_EQ(tree.depth, static_cast<int>(depth) - 1);
            EXPECT_EQ(receivers, std::set<NodeIndex>(tree.receivers.begin(), tree.receivers.end()));
            EXPECT_EQ(tree.receivers.size(), static_cast<std::size_t>((rectangle.last.x - rectangle.first.x + 1) *
                                                                      (rectangle.last.y - rectangle.first.y + 1)));
        }
    }
}

TEST_F(MeshChip, MulticastsReachARectangleFromWithinAndWithout) {
    for (const LogicalCoordinate source : {LogicalCoordinate{0, 0}, LogicalCoordinate{4, 2}, LogicalCoordinate{7, 3}}) {
        Device chip(quasar());
        Program sends(chip);
        const std::vector<std::byte> data = random_bytes(20'000, 7);
        chip.write_l1(source, kBuffer, data);
        const TranslatedCoordinate first = chip.grid().translated(LogicalCoordinate{3, 1});
        const TranslatedCoordinate last = chip.grid().translated(LogicalCoordinate{5, 2});
        const bool is_inside = source == LogicalCoordinate{4, 2};
        sends.add_kernel(source, "sender", 0, 0, [&] {
            const std::uint64_t destinations = get_noc_multicast_addr(
                static_cast<std::uint32_t>(first.x), static_cast<std::uint32_t>(first.y),
                static_cast<std::uint32_t>(last.x), static_cast<std::uint32_t>(last.y), kTargetBuffer);
            noc_async_write_multicast(kBuffer, destinations, 20'000, is_inside ? 5 : 6);
            noc_async_write_barrier();
        });
        sends.run();
        for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 8; ++x) {
                const LogicalCoordinate core{x, y};
                const bool receives = x >= 3 && x <= 5 && y >= 1 && y <= 2 && core != source;
                EXPECT_EQ(first_difference(chip.read_l1(core, kTargetBuffer, data.size()), data).empty(), receives)
                    << to_string(core) << " from " << to_string(source);
            }
        }
    }
}

/// A barrier waits for the calls of its own RISC: a long write of another one does not delay it.
TEST_F(MeshChip, RiscsHaveCountersOfTheirOwn) {
    const TranslatedCoordinate to = place({1, 0});
    const auto write = [&](std::uint32_t bytes) {
        return [=] {
            const ScopedZone zone("WRITE");
            noc_async_write(
                kBuffer,
                get_noc_addr(static_cast<std::uint32_t>(to.x), static_cast<std::uint32_t>(to.y), kTargetBuffer), bytes,
                0, bytes > 256 ? 2 : 1);
            noc_async_write_barrier();
        };
    };
    program.add_kernel({0, 0}, "long", 0, 0, write(1U << 20));
    program.add_kernel({0, 0}, "short", 7, 0, write(256));
    program.run();
    const std::vector<KernelResult> results = device.kernel_results();
    const auto duration = [](const KernelResult& result) { return test::cycles(result.zone("WRITE")); };
    EXPECT_GT(duration(results[0]), 16'000);
    EXPECT_LT(duration(results[1]), 1'000);
}

TEST_F(MeshChip, RefusesWhatItDoesNotHave) {
    EXPECT_EQ(error_of([&] { program.add_kernel({0, 0}, "kernel", 0, 1, [] {}); }),
              "kernel 'kernel': expected NoC 0, the only one, found 1");
    EXPECT_EQ(error_of([&] { program.add_kernel({0, 0}, "kernel", 8, 0, [] {}); }),
              "kernel 'kernel': expected riscv 0 to 7, found 8");
    const TranslatedCoordinate first = place({5, 2});
    const TranslatedCoordinate last = place({3, 1});
    program.add_kernel({0, 0}, "sender", 0, 0, [&] {
        noc_async_write_multicast(
            kBuffer,
            get_noc_multicast_addr(static_cast<std::uint32_t>(first.x), static_cast<std::uint32_t>(first.y),
                                   static_cast<std::uint32_t>(last.x), static_cast<std::uint32_t>(last.y),
                                   kTargetBuffer),
            64, 6);
    });
    EXPECT_NE(
        error_of([&] { program.run(); })
            .find("rectangle (7, 4) to (5, 3): expected a first corner that is not beyond the last one, since links "
                  "of a mesh do not run over its edge"),
        std::string::npos);
}

}  // namespace

}  // namespace nocbench
