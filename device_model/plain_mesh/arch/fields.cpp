#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/cross_checks.h"
#include "device_model/arch/fields/field_builders.h"
#include "device_model/arch/fields/kinds.h"
#include "device_model/plain_mesh/arch/constants.h"

namespace nocbench {

namespace {

template <auto Section, auto Member>
auto& in(Architecture& architecture, Board& /*board*/) {
    return plain_mesh_of(architecture).*Section.*Member;
}

template <auto Member>
auto& of_board(Architecture& /*architecture*/, Board& board) {
    return plain_mesh_of(board).*Member;
}

std::vector<Field> plain_mesh_fields() {
    using M = PlainMeshConstants;
    using Router = MeshRouterConstants;
    using Tile = MeshTileConstants;
    // A flit that left a router in the cycle in which it was sent would make the order of routers matter.
    const auto way = [](std::string_view key, FieldAccess access, std::string_view meaning) {
        return whole(key, "cycles", 1, 100, access, meaning);
    };
    const auto pause = [](std::string_view key, FieldAccess access, std::string_view meaning) {
        return whole(key, "cycles", 0, 1000, access, meaning);
    };
    const auto turns = [](std::string_view key, FieldAccess access, std::string_view meaning) {
        return list(key, "port", Router::kNumPorts - 1, Router::kNumPorts, access, meaning);
    };
    return {
        word(
            "router.routing", Router::kRoutings, in<&M::router, &Router::routing>,
            "way of a packet: x_first: along its row and then along a column; y_first: along its column first; "
            "west_first: to the left first if its destination lies there, otherwise as y_first; odd_even: any shortest "
            "way without turns that the odd-even turn model forbids; minimal_adaptive: any shortest way, with x first "
            "on virtual channel 0. The last two choose at each router, by free buffers downstream"),
        power_of_two("router.flit_bytes", "bytes", 4, 4096, in<&M::router, &Router::flit_bytes>,
                     "data that a link moves at once"),
        whole("router.virtual_channels", "count", 1, 1000, in<&M::router, &Router::virtual_channels>,
              "of a link; a packet takes any that is free"),
        whole("router.buffer_flits", "flits", 1, 31, in<&M::router, &Router::buffer_flits>,
              "buffer of a virtual channel, at the input port of a router"),
        way("router.hop_cycles", in<&M::router, &Router::hop_cycles>,
            "from one router's output to the next router's input buffer"),
        way("router.credit_return_cycles", in<&M::router, &Router::credit_return_cycles>,
            "from a flit leaving an input buffer to its credit at the upstream router"),
        pause("router.turn_cycles", in<&M::router, &Router::turn_cycles>,
              "from the grant of an output to the header of a packet that does not come straight to it"),
        pause("router.release_cycles", in<&M::router, &Router::release_cycles>,
              "from a tail to the next grant of its output; 0: in the same cycle, to a packet that waits already"),
        flag("router.rests_at_straight_input", in<&M::router, &Router::rests_at_straight_input>,
             "1: an output that is free goes at once to a packet that comes straight and can leave, and turns begin "
             "after its input port; 0: turns begin after the port of the last packet"),
        whole("router.straight_input_of_tile", "port", 0, Router::kNumPorts - 1,
              in<&M::router, &Router::straight_input_of_tile>,
              "input port from which packets come straight to the tile; 0: from the tile itself, 1 to 4: of packets "
              "that travel right, left, down or up"),
        turns("router.turns_at_links", in<&M::router, &Router::turns_at_links>,
              "input ports, numbered in the same way, in the order of their turns at outputs to other routers"),
        turns("router.turns_at_tile", in<&M::router, &Router::turns_at_tile>, "the same at the output to the tile"),

        way("tile.injection_cycles", in<&M::tile, &Tile::injection_cycles>,
            "from the creation of a packet to its header in the router, with nothing in its way"),
        whole("tile.injection_buffer_flits", "flits", 1, 31, in<&M::tile, &Tile::injection_buffer_flits>,
              "buffer of a virtual channel, at the input port from the tile"),
        latency("tile.ejection_cycles", in<&M::tile, &Tile::ejection_cycles>,
                "from the router's output to the receiver"),
    };
}

std::vector<Field> plain_mesh_board_fields() {
    return {
        whole("board.columns", "tiles", 1, kGridMaximum, of_board<&PlainMeshBoard::columns>, "columns of routers"),
        whole("board.rows", "tiles", 1, kGridMaximum, of_board<&PlainMeshBoard::rows>, "rows of routers"),
    };
}

std::vector<CrossCheck> cross_checks_of_mesh() {
    return {
        {{"router.virtual_channels"},
         [](const Architecture& architecture, const Board& /*board*/) {
             return at_most(plain_mesh_of(architecture).router.virtual_channels,
                            MeshRouterConstants::kVirtualChannelsMax,
                            "bits of the masks of virtual channels that routers are simulated with");
         }},
        {{"router.virtual_channels", "router.routing"},
         [](const Architecture& architecture, const Board& /*board*/) -> std::optional<Contradiction> {
             const MeshRouterConstants& router = plain_mesh_of(architecture).router;
             if (router.routing != MeshRouterConstants::kMinimalAdaptive || router.virtual_channels > 1) {
                 return std::nullopt;
             }
             return Contradiction{
                 "at least 2 (an escape channel and an adaptive one, for router.routing minimal_adaptive)",
                 std::to_string(router.virtual_channels)};
         }},
    };
}

std::vector<Field> make_fields() {
    std::vector<Field> table = plain_mesh_fields();
    std::ranges::copy(in_collection(kBoards, plain_mesh_board_fields()), std::back_inserter(table));
    return table;
}

}  // namespace

const KindDefinition& plain_mesh_kind() {
    static const KindDefinition definition{
        .name = "plain_mesh",
        .constants = PlainMeshConstants{},
        .board = PlainMeshBoard{},
        .fields = make_fields(),
        .cross_checks = cross_checks_of_mesh(),
        .flit_bytes = [](const Architecture& architecture) { return plain_mesh_of(architecture).router.flit_bytes; }};
    return definition;
}

const PlainMeshConstants& plain_mesh_of(const Architecture& architecture) {
    return constants_of<PlainMeshConstants>(architecture);
}
PlainMeshConstants& plain_mesh_of(Architecture& architecture) { return constants_of<PlainMeshConstants>(architecture); }
const PlainMeshBoard& plain_mesh_of(const Board& board) { return constants_of<PlainMeshBoard>(board); }
PlainMeshBoard& plain_mesh_of(Board& board) { return constants_of<PlainMeshBoard>(board); }

}  // namespace nocbench
