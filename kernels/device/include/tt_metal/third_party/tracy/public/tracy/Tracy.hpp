// SPDX-License-Identifier: Apache-2.0
// Marks of a profiler of hosts, which some kernels include: nothing on the device.
#pragma once
