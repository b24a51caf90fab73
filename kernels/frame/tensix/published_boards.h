// Boards of published tables that differ from the architecture's default board.
#pragma once

#include <map>
#include <string>

namespace nocbench {

/// Returns TestDefinition::boards for DRAM tests with tables of August 2026, whose memory firmware is newer than that
/// of the default board.
inline std::map<std::string, std::string> boards_of_memory_2026() { return {{"blackhole", "p100a"}}; }

}  // namespace nocbench
