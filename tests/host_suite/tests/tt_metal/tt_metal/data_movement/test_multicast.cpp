// Multicasts: to rectangles of several sizes, unlinked and linked, with and without the source.
#include "dm_common.hpp"

namespace tt::tt_metal {

namespace {

/// Multicasts from core (0, 0) to the rectangle that begins there; without sizes, to all.
void sweep(const dm::Mesh& mesh, uint32_t test_id, uint32_t columns, uint32_t rows, bool linked) {
    const CoreRange targets({0, 0}, dm::cores_of(mesh, columns, rows).back());
    for (const dm::Sizes sizes : {dm::Sizes{1, 64}, dm::Sizes{16, 2048}}) {
        for (const bool with_source : {true, false}) {
            dm::multicast(mesh, test_id, sizes, {0, 0}, targets, linked, with_source);
        }
    }
}

}  // namespace

TEST_F(GenericMeshDeviceFixture, OneToAllMulticast2x2PacketSizes) { sweep(get_mesh_device(), 9, 2, 2, false); }

TEST_F(GenericMeshDeviceFixture, OneToAllMulticast5x5PacketSizes) { sweep(get_mesh_device(), 10, 5, 5, false); }

TEST_F(GenericMeshDeviceFixture, OneToAllMulticastAllPacketSizes) { sweep(get_mesh_device(), 11, 0, 0, false); }

TEST_F(GenericMeshDeviceFixture, OneToAllMulticastLinked2x2PacketSizes) { sweep(get_mesh_device(), 12, 2, 2, true); }

TEST_F(GenericMeshDeviceFixture, OneToAllMulticastLinked5x5PacketSizes) { sweep(get_mesh_device(), 13, 5, 5, true); }

TEST_F(GenericMeshDeviceFixture, OneToAllMulticastLinkedAllPacketSizes) { sweep(get_mesh_device(), 14, 0, 0, true); }

TEST_F(GenericMeshDeviceFixture, MulticastSchemesWithoutLoopback) {
    const CoreRange targets({2, 2}, {4, 4});
    for (const CoreCoord source : {CoreCoord(0, 0), CoreCoord(5, 3), CoreCoord(3, 5)}) {
        dm::multicast(get_mesh_device(), 101, {16, 2048}, source, targets, true, false);
    }
}

}  // namespace tt::tt_metal
