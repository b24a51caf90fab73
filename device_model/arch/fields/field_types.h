// Types of field values, besides numbers and text.
#pragma once

#include <array>
#include <cstdint>

#include "device_model/sim/coordinate.h"

namespace nocbench {

inline constexpr int kNumNocs = 2;

/// Location of a DRAM bank, by the number that programs use.
struct DramBank {
    std::int64_t channel = 0;
    std::array<PhysicalCoordinate, kNumNocs> endpoint{};  // tile used on each NoC
    std::int64_t offset_bytes = 0;                        // added to addresses within the bank
};

}  // namespace nocbench
