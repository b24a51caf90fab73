// Plane of the mesh, one rule at a time: times of transactions, priorities, and a blocked target. Times are those of
// the architecture file, in half cycles, the mesh's unit.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/mesh/mesh_plane.h"
#include "device_model/noc/topology.h"
#include "tests/epiphany/epiphany_machine.h"

namespace nocbench {

namespace {

/// Callback of the mesh to its client: a transaction and its time.
struct Seen {
    TransactionId transaction = kNoTransaction;
    Tick tick = 0;

    bool operator==(const Seen&) const = default;
};

void PrintTo(const Seen& seen, std::ostream* stream) {
    *stream << "transaction " << seen.transaction << " in tick " << seen.tick;
}

constexpr Tick kHalf = MeshPlane::kTicksPerNetworkCycle;
constexpr int kColumns = 6;

/// Plane of a single row of cores.
class MeshPlaneTest : public testing::Test, public MeshClient {
protected:
    void use(Plane plane) {
        left.clear();
        arrived.clear();
        times.clear();
        mesh_ = std::make_unique<MeshPlane>(plane, constants, topology_, *this);
        mesh_->begin_cycle(0);
    }
    void send(NodeIndex from, NodeIndex to, TransactionId transaction, Tick ready = 0, MeshPort port = MeshPort::core) {
        mesh_->send(from, port, to, transaction, ready);
    }
    void run() {
        for (Cycle cycle = mesh_->next_cycle(); cycle != kNever; cycle = mesh_->next_cycle()) {
            mesh_->begin_cycle(cycle);
            mesh_->run_cycle();
        }
    }

    /// Return the time that a transaction of a plane occupies a link, and the time from its injection to its arrival.
    [[nodiscard]] Tick length(Plane plane) const {
        switch (plane) {
            case Plane::on_chip_write:
                return ticks_from_cycles(constants.on_chip_write_cycles);
            case Plane::off_chip_write:
                return ticks_from_cycles(constants.off_chip_write_cycles);
            case Plane::read_request:
                break;
        }
        return ticks_from_cycles(constants.read_request_cycles);
    }
    [[nodiscard]] Tick way(Plane plane, int hops) const {
        return constants.injection_ticks + hops * constants.hop_ticks + length(plane) + constants.ejection_ticks;
    }

    void transaction_left(Plane /*plane*/, NodeIndex /*node*/, MeshPort /*port*/, TransactionId transaction,
                          Tick tick) override {
        left.push_back({transaction, tick});
    }
    void transaction_arrived(Plane /*plane*/, NodeIndex node, TransactionId transaction, Tick tick) override {
        arrived.push_back({transaction, tick});
        if (closes) {
            mesh_->block_arrivals(node, true);
            mesh_->call_at(node, tick + closed_ticks);
        }
    }
    void time_reached(Plane /*plane*/, NodeIndex node, Tick tick) override {
        times.push_back(tick);
        mesh_->block_arrivals(node, false);
    }

    const Architecture& architecture = test::epiphany();
    const MeshConstants& constants = epiphany_of(architecture).mesh;
    std::vector<Seen> left;
    std::vector<Seen> arrived;
    std::vector<Tick> times;
    bool closes = false;
    Tick closed_ticks = 0;

private:
    const Topology topology_ = mesh(kColumns, 1);
    std::unique_ptr<MeshPlane> mesh_;
};

constexpr Plane kPlanes[] = {Plane::on_chip_write, Plane::off_chip_write,
                             Plane::read_request};  // NOLINT(*-avoid-c-arrays)

TEST_F(MeshPlaneTest, ATransactionTakesItsHopsAndItsLength) {
    // With equal times, a test could not distinguish planes.
    ASSERT_NE(constants.on_chip_write_cycles, constants.off_chip_write_cycles);
    ASSERT_NE(constants.on_chip_write_cycles, constants.read_request_cycles);
    for (const Plane plane : kPlanes) {
        for (const int hops : {0, 1, 5}) {
            use(plane);
            send(0, static_cast<NodeIndex>(hops), 7);
            run();
            EXPECT_EQ(left, (std::vector<Seen>{{7, 0}}));
            EXPECT_EQ(arrived, (std::vector<Seen>{{7, way(plane, hops)}})) << hops;
        }
    }
}

TEST_F(MeshPlaneTest, ATransactionLeavesWhenItIsReady) {
    use(Plane::on_chip_write);
    send(0, 1, 1, 10 * kHalf);
    send(2, 1, 2, 20 * kHalf + 1);
    run();
    EXPECT_EQ(left, (std::vector<Seen>{{1, 10 * kHalf}, {2, 21 * kHalf}})) << "with the next half cycle";
    // A transaction does not leave early if the tile is examined for the end of another one.
    use(Plane::on_chip_write);
    send(0, 1, 1);
    send(0, 1, 2, length(Plane::on_chip_write) + kHalf);
    run();
    EXPECT_EQ(left, (std::vector<Seen>{{1, 0}, {2, length(Plane::on_chip_write) + kHalf}}));
}

/// Source: Epiphany Architecture Reference, priorities of the network interface.
TEST_F(MeshPlaneTest, RepliesGoFirstThenTheCoreThenItsEngine) {
    for (const Plane plane : kPlanes) {
        use(plane);
        send(0, 3, 1, 0, MeshPort::dma);
        send(0, 3, 2, 0, MeshPort::dma);
        send(0, 3, 3, 0, MeshPort::core);
        send(0, 3, 4, 0, MeshPort::reply);
        run();
        // Each leaves once the tile has sent the previous transaction.
        EXPECT_EQ(left,
                  (std::vector<Seen>{{4, 0}, {3, length(plane)}, {1, 2 * length(plane)}, {2, 3 * length(plane)}}));
        const Tick first = way(plane, 3);
        EXPECT_EQ(arrived, (std::vector<Seen>{{4, first},
                                              {3, first + length(plane)},
                                              {1, first + 2 * length(plane)},
                                              {2, first + 3 * length(plane)}}));
    }
}

/// Transactions of two cores contend for a link. They alternate once both cores have some at the link, which is always
/// busy.
TEST_F(MeshPlaneTest, TransactionsThatMeetTakeTurns) {
    const Plane plane = Plane::on_chip_write;
    ASSERT_GT(constants.hop_ticks, length(plane)) << "the nearer core's second one is there first";
    ASSERT_LT(constants.hop_ticks, 2 * length(plane));
    use(plane);
    for (TransactionId count = 0; count < 4; ++count) {
        send(0, 5, 10 + count);
        send(1, 5, 20 + count);
    }
    run();
    std::vector<Seen> expected;
    for (const TransactionId transaction : {20U, 21U, 10U, 22U, 11U, 23U, 12U, 13U}) {
        expected.push_back({transaction, way(plane, 4) + static_cast<Tick>(expected.size()) * length(plane)});
    }
    EXPECT_EQ(arrived, expected);
}

TEST_F(MeshPlaneTest, ATargetThatIsClosedTakesNothing) {
    closes = true;
    closed_ticks = 40 * kHalf;
    const Plane plane = Plane::read_request;
    use(plane);
    send(0, 1, 1);
    send(0, 1, 2);
    run();
    ASSERT_EQ(arrived.size(), 2U);
    EXPECT_EQ(arrived[0], (Seen{1, way(plane, 1)}));
    // The end of a transaction is reported after it has passed the router. The next transaction has not entered the
    // router yet.
    const Tick opened = arrived[0].tick + closed_ticks;
    EXPECT_EQ(times.front(), opened);
    EXPECT_EQ(arrived[1], (Seen{2, opened + length(plane) + constants.ejection_ticks}));
}

}  // namespace

}  // namespace nocbench
