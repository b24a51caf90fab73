// Multicasts, of data and of increments.
#pragma once

#include <cstdint>

#include "kernels/tensix/dataflow/commands.h"
#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

/// Arguments common to all data multicasts.
struct Multicast {
    std::uint64_t destinations = 0;
    std::uint32_t num_dests = 0;
    bool linked = false;
    bool includes_source = false;
    std::uint8_t noc = kNocOfKernel;
    std::uint8_t vc = NOC_MULTICAST_WRITE_VC;
};

void write_multicast(const char* call, std::uint32_t source, std::uint32_t size, const Multicast& multicast,
                     bool one_packet, std::uint8_t buffer);

/// Returns the tiles of a multicast, which must be as many as the barrier will count.
CommandTarget decode_multicast(const Caller& caller, std::uint64_t noc_address, int noc, bool includes_source,
                               std::uint32_t num_dests, bool linked);

}  // namespace nocbench::dataflow
