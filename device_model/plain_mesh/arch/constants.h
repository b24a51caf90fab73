// Constants of a mesh of routers without any machine behind them, as read from archs/*.yaml of kind `plain_mesh`.
// fields.cpp declares the meaning of each field, its unit, its range and its key in the file.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct Architecture;
struct Board;

/// Routers and links. Flags are 0 or 1. Ports are numbered as in device_model/noc/topology.h: 0 is the tile's, and 1 to
/// 4 are those of packets that travel right, left, down and up.
struct MeshRouterConstants {
    static constexpr std::array<std::string_view, 5> kRoutings{"x_first", "y_first", "west_first", "odd_even",
                                                               "minimal_adaptive"};
    static constexpr std::int64_t kMinimalAdaptive = 4;
    static constexpr std::int64_t kVirtualChannelsMax = 32;  // kMeshVirtualChannelsMax of device_model/noc/network.h
    std::int64_t routing = 0;  // index in kRoutings, in the order of MeshRouting (device_model/noc/topology.h)
    std::int64_t flit_bytes = 0;
    std::int64_t virtual_channels = 0;
    std::int64_t buffer_flits = 0;   // of a virtual channel
    Cycle hop_cycles = 0;            // from one router's output to the next router's input buffer
    Cycle credit_return_cycles = 0;  // from a flit leaving an input buffer to its credit at the upstream router
    Cycle turn_cycles = 0;           // of an output, to a packet that does not come straight
    Cycle release_cycles = 0;        // from a tail to the next packet that the output is given to
    std::int64_t rests_at_straight_input = 0;
    static constexpr std::int64_t kNumPorts = 5;
    std::int64_t straight_input_of_tile = 0;   // input port from which packets come straight to the tile
    std::vector<std::int64_t> turns_at_links;  // input ports in the order of their turns
    std::vector<std::int64_t> turns_at_tile;
};

/// The ways between a router and its tile.
struct MeshTileConstants {
    Cycle injection_cycles = 0;  // from the creation of a packet to its header in the router
    std::int64_t injection_buffer_flits = 0;
    Cycle ejection_cycles = 0;  // from the router to the receiver
};

struct PlainMeshConstants {
    MeshRouterConstants router;
    MeshTileConstants tile;
};

/// Routers of a board.
struct PlainMeshBoard {
    std::int64_t columns = 0;
    std::int64_t rows = 0;
};

/// The constants of an architecture of this kind. Throws InputError for one of another kind.
const PlainMeshConstants& plain_mesh_of(const Architecture& architecture);
PlainMeshConstants& plain_mesh_of(Architecture& architecture);
const PlainMeshBoard& plain_mesh_of(const Board& board);
PlainMeshBoard& plain_mesh_of(Board& board);

}  // namespace nocbench
