#include "device_model/tenstorrent/niu/multicast_trees.h"

namespace nocbench {

TreeIndex MulticastTrees::find(NodeIndex source, const MulticastRectangle& rectangle, bool includes_source) {
    const auto [place, is_new] = indices_.try_emplace({source, rectangle, includes_source}, kNoTree);
    if (is_new) {
        const Grid& grid = environment_.state.grid;
        const RouterConstants& router = environment_.architecture().router;
        trees_.push_back(std::make_unique<MulticastTree>(
            multicast_tree(grid, environment_.noc, grid.place_of_node(source), rectangle, includes_source)));
        const MulticastTree& tree = *trees_.back();
        place->second = environment_.network->add_tree(
            tree.outputs,
            router.reservation_grant_cycles + (tree.depth % 2 == 0 ? router.reservation_even_depth_cycles : 0));
    }
    return place->second;
}

}  // namespace nocbench
