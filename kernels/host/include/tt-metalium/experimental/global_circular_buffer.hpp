// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nocbench/host/between_cores/global_circular_buffer.h"
