// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dev_mem_map.h"
