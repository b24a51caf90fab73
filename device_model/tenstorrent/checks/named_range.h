// A part of L1 of every core that has a name.
#pragma once

#include <cstdint>
#include <string>

namespace nocbench {

struct NamedRange {
    std::string name;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

}  // namespace nocbench
