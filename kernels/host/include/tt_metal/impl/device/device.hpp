// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nocbench/host/host_programs.h"

namespace tt::tt_metal {

/// Name of a chip in releases of 2024.
using Device = IDevice;

}  // namespace tt::tt_metal
