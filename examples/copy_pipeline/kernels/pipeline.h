// SPDX-License-Identifier: Apache-2.0
// What both ends of the pipeline agree about.
#pragma once

#include <cstdint>

constexpr uint32_t PIPELINE_BUFFER = 0;
