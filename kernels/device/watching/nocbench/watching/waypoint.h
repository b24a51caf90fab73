// SPDX-License-Identifier: Apache-2.0
// Marks for device debuggers. They cost nothing here: observers of a kernel see every instruction.

#pragma once

#define WAYPOINT(name)
#define DEBUG_STATUS(name)
#define PAUSE()
#define WATCHER_RING_BUFFER_PUSH(value) ((void)(value))
