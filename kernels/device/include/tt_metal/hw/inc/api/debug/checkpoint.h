// SPDX-License-Identifier: Apache-2.0
// Checkpoints of all RISCs of a core are off, as by default on the device.

#pragma once

#define DEBUG_CHECKPOINT(name)
#define DEBUG_CHECKPOINT_EX(...)
#define DEBUG_CHECKPOINT_GLOBAL(...)
