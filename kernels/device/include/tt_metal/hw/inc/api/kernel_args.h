// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nocbench/arguments.h"
#include "nocbench/tokens.h"
