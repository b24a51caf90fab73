// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nocbench/objects/local_memory.h"
