// State shared by the PEs of a run: number of PEs, library options, blocks of the symmetric heap, and entered
// collective routines. Access takes no simulated time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/shmem/guest.h"
#include "kernels/shmem/heap.h"
#include "kernels/shmem/library_costs.h"

namespace nocbench::shmem {

class Pe;

/// Releases of the library with different algorithms.
enum class Algorithms : std::uint8_t {
    paper,  // first release, of 2016
    later   // since 2017: a barrier before a broadcast; fcollect sends every block to all PEs
};

struct Options {
    Algorithms algorithms = Algorithms::paper;
    bool wand_barrier = false;                  // barrier_all uses the chip's wired-AND
    bool ipi_get = false;                       // gets interrupt the owner of the data, which puts them
    std::uint32_t ipi_get_turnover_bytes = 64;  // gets above this size interrupt the owner
    bool bump_heap = false;                     // as in the paper: free moves the heap's end to the freed block
    bool unlocked_set =
        false;  // as in the paper: an atomic set is a store, and may be lost between load and store of another PE
    Address program_start = 0x100;
    Address heap_start = 0;            // 0: end of the program
    std::uint32_t stack_bytes = 1024;  // distance of the heap from the stack pointer, and from the end of memory
    bool warns_of_overruns = false;    // of blocks and variables, instead of ending the program
    bool skips_lock_polls = true;      // for tests; affects speed, and contention by polls: see docs/openshmem.md
    LibraryCosts costs;
};

/// PEs of a collective routine: `size` PEs from `start` on, with stride 2^log_stride.
struct ActiveSet {
    int start = 0;
    int log_stride = 0;
    int size = 0;

    [[nodiscard]] int pe(int index) const { return start + (index << log_stride); }
    /// Returns the index of a PE in the set, or -1 if it is not a member.
    [[nodiscard]] int index_of(int pe) const {
        const int distance = pe - start;
        const int index = distance >> log_stride;
        return distance >= 0 && this->pe(index) == pe && index < size ? index : -1;
    }
    auto operator<=>(const ActiveSet&) const = default;
};

/// Arguments with which a PE enters a collective routine.
struct CollectiveCall {
    /// Value that must be equal on all members.
    struct Agreed {
        std::string_view name;
        std::uint64_t value = 0;
    };

    std::string_view routine;
    bool is_barrier_of_all = false;  // barrier_all, malloc and similar routines, which may match each other
    bool waits_for_all = true;       // no member leaves before all have entered
    std::vector<Agreed> agreed;
};

/// A PE's current collective routine.
class Collective {
public:
    /// Returns the number of earlier collective routines of this active set.
    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
    /// Returns whether no other member has entered this one before.
    [[nodiscard]] bool is_first() const { return is_first_; }

private:
    friend class Job;
    ActiveSet set_;
    std::uint64_t sequence_ = 0;
    std::string_view routine_;
    bool is_first_ = false;
};

class Job {
public:
    explicit Job(int num_pes, Options options = {});

    [[nodiscard]] int num_pes() const { return static_cast<int>(pes_.size()); }
    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] ActiveSet all() const { return {0, 0, num_pes()}; }
    /// Returns warnings of a successful run, one line each.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
    /// Adds a warning, once.
    void warn(const std::string& warning);
    /// Returns the exit status of the whole program, if a PE has ended it.
    [[nodiscard]] std::optional<int> exit_status() const { return exit_status_; }
    void end(int status) { exit_status_ = status; }

    void add(int number, Pe& pe);
    /// Removes a PE whose program has ended.
    void remove(int number) { pes_[static_cast<std::size_t>(number)] = nullptr; }
    [[nodiscard]] bool has_ended(int number) const { return pes_[static_cast<std::size_t>(number)] == nullptr; }
    /// Sets the heap's start to the end of the first PE's program, unless an option sets it.
    void set_heap_start(Address program_end);

    // Collective routines

    /// Enters a routine. Throws KernelError if other members have entered a different one, or with different values.
    Collective enter(int pe, const ActiveSet& set, const CollectiveCall& call);
    void leave(int pe, const Collective& collective);
    /// Returns whether a member has left the routine that is `before` collectives earlier than `collective`.
    [[nodiscard]] bool has_left(const Collective& collective, int index, std::uint64_t before) const;

    // Symmetric heap. Used when all PEs have entered the routine; the first caller changes the heap for all.

    std::optional<Address> allocate(const Collective& collective, std::uint32_t bytes, std::uint32_t alignment);
    void free(const Collective& collective, Address block);
    bool resize(const Collective& collective, Address block, std::uint32_t bytes);
    [[nodiscard]] const Heap& heap() const { return heap_; }
    [[nodiscard]] Address heap_end() const { return heap_.high().value_or(heap_start_); }
    /// Returns the growth limit of the symmetric heap, given the stacks and private heaps of all PEs.
    [[nodiscard]] Address heap_limit() const;

    // Locks

    /// Returns the holding PEs by their lock's address on PE 0.
    [[nodiscard]] std::map<Address, int>& lock_holders() { return lock_holders_; }
    /// Sets the lock that a PE waits for; 0: none.
    void wait_for_lock(int pe, Address lock) { awaited_locks_[static_cast<std::size_t>(pe)] = lock; }
    /// Notes that a PE begins to act on others: it is in a routine, and does not sleep. Wakes the PEs that skip polls
    /// for a lock of this PE.
    void begin_to_act(int pe);
    /// Notes that a PE computes or sleeps, from cycle `now` on.
    void rest(int pe, std::uint64_t now) { rests_since_[static_cast<std::size_t>(pe)] = now; }
    /// Returns whether `pe` needs no more polls for the lock that it waits for: the holder has been at rest for long.
    [[nodiscard]] bool may_skip_polls(int pe, std::uint64_t now) const;
    /// Returns the reason why the holder of the lock that `pe` waits for cannot clear it; nothing if it can.
    [[nodiscard]] std::optional<std::string> obstacle(int pe) const;

private:
    /// Call of a collective routine, defined by the first PE that enters.
    struct Record {
        std::string_view routine;
        int first_pe = 0;
        bool is_barrier_of_all = false;
        int members_left = 0;
        struct Kind {
            CollectiveCall call;
            int first_pe = 0;
            std::optional<std::optional<Address>> result;
        };
        std::vector<Kind> kinds;  // by routine; several only for barriers of all PEs
    };
    struct SetState {
        std::vector<std::uint64_t> entered;  // by index: number of entered collectives of this set
        std::vector<std::uint64_t> left;
        std::uint64_t first_record = 0;  // sequence of records.front()
        std::deque<Record> records;
    };
    struct Inside {
        ActiveSet set;
        std::string_view routine;
        bool waits_for_all = false;
    };

    [[nodiscard]] SetState& state_of(const ActiveSet& set);
    static void require_agreement(const CollectiveCall& call, const Record::Kind& other);
    /// Returns whether `other` has entered fewer collective routines of a set than `waiting`.
    [[nodiscard]] bool has_to_enter(const ActiveSet& set, int waiting, int other) const;
    void require_no_circle(int pe, const ActiveSet& set, const CollectiveCall& call) const;
    Record::Kind& kind_of(const Collective& collective);
    std::optional<Address> bump(std::uint32_t bytes, std::uint32_t alignment);

    Options options_;
    std::vector<Pe*> pes_;
    std::vector<std::optional<Inside>> inside_;
    std::map<ActiveSet, SetState> sets_;
    Heap heap_{Heap::Growth::up};
    Address heap_start_ = 0;
    Address bump_ = 0;                         // end of a heap that is only a pointer
    std::optional<Block> freed_out_of_order_;  // in such a heap, without allocations since
    std::map<Address, int> lock_holders_;
    std::vector<Address> awaited_locks_;                     // by PE
    std::vector<std::optional<std::uint64_t>> rests_since_;  // by PE; none: acts
    std::optional<int> exit_status_;
    std::vector<std::string> warnings_;
};

}  // namespace nocbench::shmem
