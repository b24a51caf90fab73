// Which boards published tables were measured on, where that is not the default board of the architecture.
#pragma once

#include <map>
#include <string>

namespace nocbench {

/// Of tests of DRAM whose tables are of August 2026: TestDefinition::boards. The firmware of the memory is later than
/// that of the default board.
inline std::map<std::string, std::string> boards_of_memory_2026() { return {{"blackhole", "p100a"}}; }

}  // namespace nocbench
