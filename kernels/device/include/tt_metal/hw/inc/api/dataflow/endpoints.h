// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/dataflow/noc.h"
#include "nocbench/objects/endpoints.h"
