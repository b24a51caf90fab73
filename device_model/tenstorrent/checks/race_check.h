// Checks of accesses to memory. Races: accesses to the same bytes of which at least one writes and which nothing
// orders, whether or not this run was lucky; docs/checks.md lists what orders accesses, with sources. Initialization:
// bytes that are read and that nobody has written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "device_model/riscv/code.h"
#include "device_model/riscv/data_cache.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/checks/finding.h"
#include "device_model/tenstorrent/checks/polling_loads.h"
#include "device_model/tenstorrent/checks/shadow_memory.h"
#include "device_model/tenstorrent/checks/vector_clock.h"
#include "device_model/tenstorrent/niu/niu_counters.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class Risc;
struct DeviceState;

class RaceCheck {
public:
    RaceCheck(DeviceState& state, bool finds_races, bool finds_uninitialized)
        : state_(state), finds_races_(finds_races), finds_uninitialized_(finds_uninitialized) {}

    /// Reports bytes that the host has written.
    void given(NodeIndex node, std::uint64_t address, std::size_t bytes);

    using Where = std::function<std::string(std::uint32_t)>;

    /// Reports that a RISC runs a compiled program, whose code must outlive the check; `where` finds source lines.
    /// Native kernels are not checked.
    void runs(const Risc& risc, const riscv::Code& code, Where where);
    /// Reports that this program has ended.
    void ends(const Risc& risc) { agent(risc).has_ended = true; }

    // Instructions of a RISC that runs a program, once the machine has caught up with them.

    void loaded(const Risc& risc, std::uint64_t address, std::size_t bytes);
    /// Reports that the line of the RISC's cache at `address` has been filled, by a load that was reported before.
    void filled_line(const Risc& risc, std::uint64_t address);
    /// Reports a load that found `value` in the cache.
    void loaded_from_cache(const Risc& risc, std::uint64_t address, std::span<const std::byte> value);
    /// Reports a store, before it changes memory.
    void stored(const Risc& risc, std::uint64_t address, std::span<const std::byte> bytes);
    void loaded_stream(const Risc& risc, std::uint32_t offset);
    void stored_stream(const Risc& risc, std::uint32_t offset);
    /// Reports that a RISC hands something on. Returns what it knows.
    [[nodiscard]] Moment hands_on(const Risc& risc);
    /// Reports that a RISC takes what another one has handed on.
    void takes(const Risc& risc, const Moment& handed_on);
    void loaded_counter(const Risc& risc, int noc, std::uint32_t index, std::uint32_t value);

    // Transactions.

    void began(const Risc& risc, Transaction& transaction);
    /// Reports that data of a transaction, or its atomic, are about to change the memory of `node`.
    void changes_memory(const Transaction& transaction, NodeIndex node);
    /// Reports that the source of a write or of a response to a read was changed while it was leaving, after some bytes
    /// had left or before some had.
    void source_changed(const Transaction& transaction, bool after_some, bool before_some);
    /// Reports that all of it has left.
    void source_left(const Transaction& transaction);

    /// Returns all findings, in order of their first pairs.
    [[nodiscard]] std::vector<Finding> findings() const;

private:
    /// Transactions of a NIU that kernels can wait for together. Each kind and transaction id is a strand.
    enum class Wait : std::uint8_t { read, acknowledged, left, posted_left, atomic };
    static constexpr std::size_t kNumWaits = 5;

    static constexpr AccessIndex kOfHost = 1;

    struct Niu {
        std::uint32_t reads = 0;
        std::uint32_t writes = 0;
        std::uint32_t posted_writes = 0;
        std::uint32_t acknowledgements = 0;  // expected
        std::uint32_t atomics = 0;           // answers expected
        std::array<std::array<StrandTime, kNumTransactionIds>, kNumWaits> waits{};
    };

    /// A line of a RISC's cache, and what the RISC knew when it was filled.
    struct FilledLine {
        std::uint64_t address = 0;
        Moment moment;
    };

    /// A RISC's knowledge, and the accesses that it made last.
    struct Agent {
        Moment now;
        const PollingLoads* polling_loads = nullptr;  // null: not checked
        Where where;
        bool has_ended = false;
        AccessIndex last_load = 0;
        AccessIndex last_store = 0;
        std::array<FilledLine, riscv::DataCache::kLinesMax> filled;  // the last ones, from the newest on
    };

    /// Source of a transaction's bytes. Two writes of the same bytes may come in any order.
    struct Origin {
        std::uint32_t memory = 0;
        std::uint64_t displacement = 0;  // from the destination to the source
        std::uint64_t version = 0;       // of the bytes; of an inline write, its data

        bool operator==(const Origin&) const = default;
    };

    struct Pair {
        Finding finding;
        std::vector<std::uint32_t> overwritten;  // transactions whose source was changed
    };

    /// Accesses that nothing orders.
    struct Clash {
        AccessIndex before = 0;
        NodeIndex node = 0;
        Pair* pair = nullptr;
    };

    struct Begun {
        Moment moment;    // of its call
        StrandTime path;  // time 0: keeps no order with others
        AccessIndex destination = 0;
        bool carried_changed_bytes = false;
        std::vector<Clash> sources;      // bytes that it takes although others may not have written them yet
        std::optional<Origin> origin;    // of an atomic, and of a read of a signal: none
        std::vector<NodeIndex> changed;  // memories
    };

    struct Access {
        AccessSite site;
        StrandTime done;          // known once the access is surely over; time 0: nobody can know
        std::uint32_t begun = 0;  // transaction; 0: none
        Moment moment;            // of a store that others may wait for
    };

    Agent& agent(const Risc& risc);
    Strand new_strand() { return num_strands_++; }
    StrandTime next(Niu& niu, Wait wait, std::uint8_t id);
    StrandTime next_on_path(const Transaction& transaction);
    static void learn(Agent& agent, const Niu& niu, Wait wait, std::optional<std::uint8_t> id);
    /// Begins a new step of a RISC: others who learn of it know all that came before.
    static void release(Agent& agent) { ++agent.now.own.time; }

    std::uint32_t memory_of(NodeIndex node) const;
    [[nodiscard]] bool is_signal(std::uint32_t memory, std::uint64_t address) const;
    void mark_signal(std::uint32_t memory, std::uint64_t address);
    /// Returns what surely came before the value of a signal.
    VectorClock::Pointer clock_of_signal(NodeIndex node, std::uint64_t address);

    AccessIndex access_of(const Risc& risc, AccessKind kind, AccessIndex& last);
    AccessIndex add(Access access);
    /// Takes back accesses and transactions that no later access can clash with, once there are many.
    void forget();
    /// Returns the call that a kernel must make before its end for an access to be over; null: there is none.
    static const char* call_at_end(const Access& access);
    /// Returns those accesses that need such a call and of which `is_over(access)` is false, of each strand, line and
    /// path the last: once it is over, so are the others.
    template <class IsOver>
    [[nodiscard]] std::vector<AccessIndex> last_open(const IsOver& is_over) const;
    /// Notes a read. Returns the version of the bytes: it changes with each write to them.
    std::uint64_t read(NodeIndex node, std::uint64_t address, std::size_t bytes, AccessIndex access,
                       const Moment& moment);
    void write(NodeIndex node, std::uint64_t address, std::size_t bytes, AccessIndex access, const Moment& moment);
    [[nodiscard]] bool is_ordered(const Access& before, const Access& after, const Moment& moment) const;
    void check(AccessIndex before, AccessIndex after, const Moment& moment, NodeIndex node, std::uint64_t begin,
               std::uint64_t end);
    Pair& pair_of(const AccessSite& first, const AccessSite& second);
    /// Finds bytes that somebody reads, or adds to, and nobody has written.
    void require_written(AccessIndex access, NodeIndex node, std::uint64_t address, std::size_t bytes);
    void require_written(const ShadowMemory::Cell& cell, AccessIndex access, NodeIndex node, std::uint64_t begin,
                         std::uint64_t end);
    /// Finds transactions that may still be under way when the host goes on after the last kernel's end.
    [[nodiscard]] std::vector<Finding> open_ends() const;
    /// Returns what a RISC knew when it filled the line of an address; null: it has not filled it.
    static const Moment* filled_at(const Agent& agent, std::uint64_t address);
    /// Calls `act(index)` for the changes that the bytes of a cell have seen, which has the word at `address`.
    template <class Act>
    void for_each_change(const ShadowMemory::Cell& cell, NodeIndex node, std::uint64_t address, const Act& act) const;
    [[nodiscard]] bool has_changed(const Access& access, NodeIndex node) const;
    [[nodiscard]] bool same_bytes(NodeIndex node, std::uint64_t address, std::span<const std::byte> bytes) const;

    DeviceState& state_;
    bool finds_races_;
    bool finds_uninitialized_;
    std::uint32_t num_strands_ = 0;
    std::vector<Agent> agents_;  // by RISC
    std::map<std::pair<NodeIndex, int>, Niu> nius_;
    std::unordered_map<std::uint64_t, StrandTime> paths_;
    std::vector<Begun> begun_{1};                // [Transaction::checked_as]
    std::vector<Access> accesses_{kOfHost + 1};  // [AccessIndex]
    std::vector<std::uint32_t> free_begun_;
    std::vector<AccessIndex> free_accesses_;
    std::size_t num_accesses_max_ = 1 << 14;  // before the next search for those to take back
    std::unordered_map<std::uint32_t, ShadowMemory> memories_;
    std::unordered_map<std::uint32_t, std::unordered_set<std::uint64_t>> signals_;         // words, by memory
    std::map<std::pair<std::uint32_t, std::uint64_t>, VectorClock::Pointer> incremented_;  // since the last write
    std::map<std::pair<std::uint32_t, std::uint64_t>, VectorClock::Pointer> copied_;       // signals that reads brought
    std::map<std::pair<NodeIndex, std::uint32_t>, Moment> streams_;                        // by offset
    std::map<const riscv::Code*, PollingLoads> polling_loads_;
    /// By kind, program counter and kernel of both accesses.
    std::map<std::tuple<AccessKind, std::uint32_t, std::string, AccessKind, std::uint32_t, std::string>, Pair> pairs_;
    std::vector<const Pair*> order_;
};

}  // namespace nocbench
