// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifndef COMPILE_FOR_TRISC
#include "api/dataflow/dataflow_api.h"
#endif
#include "nocbench/sockets.h"
