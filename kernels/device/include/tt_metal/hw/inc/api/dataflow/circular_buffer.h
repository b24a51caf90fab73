// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/dataflow/noc.h"
#include "nocbench/objects/buffer_objects.h"
