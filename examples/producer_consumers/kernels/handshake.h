// SPDX-License-Identifier: Apache-2.0
// The semaphores that a producer and its consumers share.
#pragma once

#include <cstdint>

constexpr uint32_t READY = 0;      // at the producer: how many consumers have room for a block
constexpr uint32_t DELIVERED = 1;  // at each consumer: whether a block is there
