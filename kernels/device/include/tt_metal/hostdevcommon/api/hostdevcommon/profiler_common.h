// SPDX-License-Identifier: Apache-2.0
// Layout of the profiler's buffers on the device: zones go to the observers of a run instead.

#pragma once
