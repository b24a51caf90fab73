// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nocbench/addresses.h"
#include "risc_common.h"
