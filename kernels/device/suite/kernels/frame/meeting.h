// SPDX-License-Identifier: Apache-2.0
// Function meet() of the suite's own kernels (kernels/frame/meeting.h) for kernels compiled for RISCs.
#pragma once

#include "kernels/frame/device/meeting.h"
#include "kernels/tensix/dataflow_api.h"
