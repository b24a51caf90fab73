// SPDX-License-Identifier: Apache-2.0
// Marks for debuggers of the device. Whoever watches a kernel here sees every instruction, so they cost nothing.

#pragma once

#define WAYPOINT(name)
#define DEBUG_STATUS(name)
#define PAUSE()
#define WATCHER_RING_BUFFER_PUSH(value) ((void)(value))
