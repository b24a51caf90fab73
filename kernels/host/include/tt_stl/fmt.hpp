// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>  // IWYU pragma: export

#include "nocbench/host/formatting.h"  // IWYU pragma: export
