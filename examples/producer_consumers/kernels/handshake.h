// SPDX-License-Identifier: Apache-2.0
// Semaphores shared by a producer and its consumers.
#pragma once

#include <cstdint>

constexpr uint32_t READY = 0;      // at the producer: number of consumers with space for a block
constexpr uint32_t DELIVERED = 1;  // at each consumer: 1 when a block has arrived
