// Commands that calls give to the NIU: their targets, their checks and their time.
#pragma once

#include <cstdint>

#include "device_model/sim/ids.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/tile/niu_command.h"
#include "kernels/tensix/dataflow/caller.h"

namespace nocbench::dataflow {

// Command buffers by use. Source: tt-metal, noc_nonblocking_api.h, dedicated mode.
inline constexpr std::uint8_t kWriteBuffer = 0;
inline constexpr std::uint8_t kReadBuffer = 1;
inline constexpr std::uint8_t kSmallWriteBuffer = 2;
inline constexpr std::uint8_t kAtomicBuffer = 3;

struct Command {
    TransactionKind kind = TransactionKind::read;
    std::uint8_t buffer = 0;
    std::uint8_t vc = 0;
    int noc = 0;
    bool posted = false;
    std::uint32_t operand = 0;
    bool is_stateful = false;
    bool has_inline_data = false;
};

/// Returns the tile of a unicast.
CommandTarget decode(const Caller& caller, std::uint64_t noc_address);

std::uint32_t max_packet_bytes(const DeviceState& state);

void check_target(const Caller& caller, const char* what, const CommandTarget& target, std::uint64_t size);
void check_transfer(const Caller& caller, const CommandTarget& target, std::uint32_t own_address, std::uint32_t size,
                    bool is_read);
void check_is_one_packet(const Caller& caller, std::uint32_t size);

/// Waits for the command buffer, writes the NIU's registers and submits the command.
void issue(const Caller& caller, const Command& command, const CommandTarget& target, std::uint64_t own_address,
           std::uint32_t bytes, Tick call_ticks);

}  // namespace nocbench::dataflow
