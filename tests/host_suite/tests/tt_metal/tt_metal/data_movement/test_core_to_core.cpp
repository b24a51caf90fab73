// Blocks between cores: one to one, one to all, all to all and their reverses, both ways at once, and neighbors.
#include "dm_common.hpp"

namespace tt::tt_metal {

using dm::cores_of, dm::move_between, dm::Sizes, dm::Trial, dm::Way, dm::Words;

namespace {

const std::vector<CoreCoord> kFirst{{0, 0}};

void sweep(const dm::Mesh& mesh, uint32_t test_id, Way way, const std::vector<CoreCoord>& cores,
           const std::vector<CoreCoord>& peers, const std::vector<Sizes>& points) {
    for (const Sizes sizes : points) {
        move_between(mesh, test_id, sizes, way, cores, peers);
    }
}

const std::vector<Sizes> kSmallAndLarge{{1, 64}, {16, 2048}};
const std::vector<Sizes> kSmall{{1, 64}, {4, 1024}};
const std::vector<Sizes> kLongest{{1, 64}, {16, 2048}, {4, 65536}};

/// Runs with and without the core itself among the others.
void sweep_with_and_without_loopback(const dm::Mesh& mesh, uint32_t test_id, uint32_t columns, uint32_t rows) {
    std::vector<CoreCoord> peers = cores_of(mesh, columns, rows);
    sweep(mesh, test_id, Way::write, kFirst, peers, {{4, 1024}});
    peers.erase(peers.begin());
    sweep(mesh, test_id, Way::write, kFirst, peers, kSmall);
}

/// Two cores exchange blocks: core (0, 0) writes block 0 to block 2 of the other, and reads its block 1 into block 3.
void exchange(const dm::Mesh& mesh, uint32_t test_id, Sizes sizes, bool same_kernel) {
    const std::vector<CoreCoord> other{{1, 1}};
    Trial trial(mesh, test_id, sizes);
    trial.fill(kFirst[0], trial.block(0), trial.data(0));
    trial.fill(other[0], trial.block(1), trial.data(1));
    if (same_kernel) {
        trial.kernel("exchange_blocks.cpp", kFirst, Way::write, {}, [&](uint32_t) {
            return trial.with_coordinates({trial.block(0), trial.block(3), trial.block(2), trial.block(1)}, other);
        });
    } else {
        trial.move_blocks(kFirst, Way::write, other,
                          [&](uint32_t) { return Words{trial.block(0), trial.block(2), 0, 0}; });
        trial.move_blocks(kFirst, Way::read, other,
                          [&](uint32_t) { return Words{trial.block(3), trial.block(1), 0, 0}; });
    }
    trial.launch();
    trial.expect(other[0], trial.block(2), trial.data(0));
    trial.expect(kFirst[0], trial.block(3), trial.data(1));
}

}  // namespace

TEST_F(GenericMeshDeviceFixture, OneToOnePacketSizes) {
    sweep(get_mesh_device(), 4, Way::write, kFirst, {{1, 1}}, kLongest);
}

TEST_F(GenericMeshDeviceFixture, OneToOneVirtualChannels) {
    for (const uint32_t channels : {2, 4}) {
        move_between(get_mesh_device(), 150, {16, 2048}, Way::write, kFirst, {{0, 1}}, channels);
    }
}

TEST_F(GenericMeshDeviceFixture, OneFromOnePacketSizes) {
    sweep(get_mesh_device(), 5, Way::read, kFirst, {{1, 1}}, kLongest);
}

TEST_F(GenericMeshDeviceFixture, LoopbackPacketSizes) {
    sweep(get_mesh_device(), 16, Way::write, kFirst, kFirst, kLongest);
}

TEST_F(GenericMeshDeviceFixture, OneToAllUnicast2x2PacketSizes) {
    sweep_with_and_without_loopback(get_mesh_device(), 6, 2, 2);
}

TEST_F(GenericMeshDeviceFixture, OneToAllUnicast5x5PacketSizes) {
    sweep_with_and_without_loopback(get_mesh_device(), 7, 5, 5);
}

TEST_F(GenericMeshDeviceFixture, OneToAllUnicastAllPacketSizes) {
    sweep_with_and_without_loopback(get_mesh_device(), 8, 0, 0);
}

TEST_F(GenericMeshDeviceFixture, OneFromAll2x2) {
    sweep(get_mesh_device(), 314, Way::read, kFirst, cores_of(get_mesh_device(), 2, 2, {1, 1}), kSmallAndLarge);
}

TEST_F(GenericMeshDeviceFixture, OneFromAllPacketSizes) {
    sweep(get_mesh_device(), 15, Way::read, kFirst, cores_of(get_mesh_device(), 4, 4), kSmall);
}

TEST_F(GenericMeshDeviceFixture, OneFromAllDirectedIdeal) {
    sweep(get_mesh_device(), 30, Way::read, kFirst, cores_of(get_mesh_device()), {{1, 4096}});
}

TEST_F(GenericMeshDeviceFixture, AllToAll2x2To2x2) {
    sweep(get_mesh_device(), 306, Way::write, cores_of(get_mesh_device(), 2, 2),
          cores_of(get_mesh_device(), 2, 2, {4, 4}), kSmallAndLarge);
}

TEST_F(GenericMeshDeviceFixture, AllToAll4x4To1x1) {
    sweep(get_mesh_device(), 303, Way::write, cores_of(get_mesh_device(), 4, 4), {{5, 5}}, kSmall);
}

TEST_F(GenericMeshDeviceFixture, AllToAllPacketSizes) {
    const auto all = cores_of(get_mesh_device());
    sweep(get_mesh_device(), 301, Way::write, all, all, {{1, 64}, {2, 256}});
}

TEST_F(GenericMeshDeviceFixture, AllFromAll2x2From2x2) {
    sweep(get_mesh_device(), 316, Way::read, cores_of(get_mesh_device(), 2, 2),
          cores_of(get_mesh_device(), 2, 2, {4, 4}), kSmallAndLarge);
}

TEST_F(GenericMeshDeviceFixture, AllFromAllPacketSizes) {
    const auto all = cores_of(get_mesh_device());
    sweep(get_mesh_device(), 311, Way::read, all, all, {{1, 64}, {2, 256}});
}

TEST_F(GenericMeshDeviceFixture, CoreBidirectionalSameKernel) {
    for (const Sizes sizes : kSmallAndLarge) {
        exchange(get_mesh_device(), 146, sizes, true);
    }
}

TEST_F(GenericMeshDeviceFixture, CoreBidirectionalDifferentKernels) {
    for (const Sizes sizes : kSmallAndLarge) {
        exchange(get_mesh_device(), 147, sizes, false);
    }
}

// Each core of a row has a block between two borders. It reads the end of its left neighbor's block into its left
// border and the beginning of its right neighbor's into its right one; the row is closed to a ring.
TEST_F(GenericMeshDeviceFixture, ConvHalo) {
    constexpr uint32_t block = 1;  // at twice its size; borders are blocks 0 and 3
    for (const Sizes sizes : kSmallAndLarge) {
        Trial trial(get_mesh_device(), 22, sizes);
        const auto cores = cores_of(get_mesh_device(), 6, 1);
        const auto neighbor = [&](uint32_t core, uint32_t steps) { return (core + steps) % uint32_t(cores.size()); };
        for (uint32_t core = 0; core < cores.size(); ++core) {
            trial.fill(cores[core], trial.block(block), trial.data(core, 2));
        }
        trial.kernel("move_blocks.cpp", cores, Way::read,
                     {true, uint32_t(dm::Turn::alone), uint32_t(dm::Place::core), 1}, [&](uint32_t core) {
                         const uint32_t border = trial.block_bytes();
                         return trial.with_coordinates(
                             {0, 2, trial.block(0), trial.block(2), 3 * border, 0U - border},
                             {cores[neighbor(core, cores.size() - 1)], cores[neighbor(core, 1)]});
                     });
        trial.launch();
        for (uint32_t core = 0; core < cores.size(); ++core) {
            const Words left = trial.data(neighbor(core, cores.size() - 1), 2);
            const Words right = trial.data(neighbor(core, 1), 2);
            trial.expect(cores[core], trial.block(0), {left.begin() + left.size() / 2, left.end()});
            trial.expect(cores[core], trial.block(3), {right.begin(), right.begin() + right.size() / 2});
        }
    }
}

}  // namespace tt::tt_metal
