// Boards of published tables that differ from the architecture's default board.
#pragma once

#include <map>
#include <string>

namespace nocbench {

/// Returns TestDefinition::boards for tests with tables of August 2026, if they depend on the firmware of DRAM or on
/// which row of Wormhole is harvested.
inline std::map<std::string, std::string> boards_of_2026() {
    return {{"blackhole", "p100a"}, {"wormhole_b0", "n150_row_5"}};
}

}  // namespace nocbench
