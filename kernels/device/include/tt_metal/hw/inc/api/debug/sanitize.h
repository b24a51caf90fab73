// SPDX-License-Identifier: Apache-2.0
// Checks of addresses are off, as by default on the device: the model checks each access itself.

#pragma once

#define DEBUG_SANITIZE_NOC_ADDR(...)
#define DEBUG_SANITIZE_NOC_READ_TRANSACTION(...)
#define DEBUG_SANITIZE_NOC_WRITE_TRANSACTION(...)
#define DEBUG_SANITIZE_NOC_MULTI_WRITE_TRANSACTION(...)
#define DEBUG_SANITIZE_WORKER_ADDR(...)
