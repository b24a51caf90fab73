// SPDX-License-Identifier: Apache-2.0
// Location of these names in 2025, when a sender's pointer was an address.
#pragma once

#define NOCBENCH_SOCKETS_OF_2025
#include "api/socket_api.h"
