// Findings of checks: two accesses that nothing orders, or one that is wrong by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device_model/sim/ids.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// An access to memory, by an instruction or by a transaction that a RISC has begun.
enum class AccessKind : std::uint8_t {
    call,  // of the compute API; no access of its own
    load,
    cached_load,  // of bytes that a line of the RISC's cache holds
    store,
    source_of_write,       // a NIU reads the RISC's own L1
    source_of_read,        // a NIU reads another tile
    destination_of_write,  // of a unicast, multicast or inline write
    destination_of_read,   // the RISC's own L1
    atomic,
};

struct AccessSite {
    AccessKind kind = AccessKind::load;
    std::uint32_t risc = 0;  // Processor::Identity::index
    std::uint32_t program_counter = 0;
    std::uint32_t return_address = 0;  // 0: unknown
    Tick tick = 0;                     // of the instruction
    std::string where;                 // "kernel.cpp:14 in kernel_main"; of findings only
    // These for transactions:
    std::uint8_t noc = 0;
    std::uint8_t virtual_channel = 0;
    std::uint8_t id = 0;
    bool posted = false;
    bool is_multicast = false;
    bool is_inline = false;
    bool is_dynamic = false;

    [[nodiscard]] bool is_transaction() const { return kind > AccessKind::store; }
    [[nodiscard]] bool writes() const {
        return kind == AccessKind::store || kind == AccessKind::destination_of_write ||
               kind == AccessKind::destination_of_read || kind == AccessKind::atomic;
    }
};

/// Checks, named as those of compute-sanitizer.
enum class Check : std::uint8_t { races, initialization, bounds, synchronization };

struct Finding {
    Check check = Check::races;
    std::string text;                 // of a finding about one access, or about none
    std::optional<AccessSite> first;  // in the order of this run
    std::optional<AccessSite> second;
    NodeIndex node = 0;  // of the memory
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool is_signal = false;   // a word by which RISCs wait for each other
    bool happened = false;    // data of this run came out otherwise than in the program's order
    std::uint64_t count = 0;  // of such pairs
};

}  // namespace nocbench
