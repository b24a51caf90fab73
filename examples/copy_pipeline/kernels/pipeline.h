// SPDX-License-Identifier: Apache-2.0
// Constants shared by both ends of the pipeline.
#pragma once

#include <cstdint>

constexpr uint32_t PIPELINE_BUFFER = 0;
