// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nocbench/address_generators.h"
#include "risc_common.h"
