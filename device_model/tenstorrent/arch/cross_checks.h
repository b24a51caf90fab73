#pragma once

#include <vector>

#include "device_model/arch/fields/cross_checks.h"

namespace nocbench {

/// Returns the conditions between fields of a tensix_torus.
std::vector<CrossCheck> torus_cross_checks();

}  // namespace nocbench
