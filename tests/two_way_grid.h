// Topologies with links in both directions, for networks whose routers have five ports.
#pragma once

#include "device_model/topology.h"

namespace nocbench::test {

/// Nodes y * columns + x; output ports 1 to 4 lead to the right, left, down and up. Packets go along x first, the
/// shorter way. A grid that wraps is a torus, with a dateline at the edges; one that does not is a mesh.
Topology two_way_grid(int columns, int rows, bool wraps);

}  // namespace nocbench::test
