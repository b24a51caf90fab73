// State that the PEs of a run share: their number, the library's options, the blocks of the symmetric heap, and the
// collective routines that they have entered. None of it takes time.
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

/// Public versions of the library, as far as they differ.
enum class Algorithms : std::uint8_t {
    paper,  // the first one, of 2016
    later   // since 2017: a barrier before a broadcast, and fcollect sends every block to everybody
};

struct Options {
    Algorithms algorithms = Algorithms::paper;
    bool wand_barrier = false;                  // barrier_all by the wired AND of the chip
    bool ipi_get = false;                       // the owner of data is interrupted, and puts them
    std::uint32_t ipi_get_turnover_bytes = 64;  // gets of more bytes than these do that
    bool bump_heap = false;                     // the paper's: a free moves the end of the heap to the block
    bool unlocked_set =
        false;  // the paper's: an atomic set is a store, and may get lost between another's load and store
    Address program_start = 0x100;
    Address heap_start = 0;            // 0: where the program ends
    std::uint32_t stack_bytes = 1024;  // heaps leave so many below the stack pointer, and at the end of memory
    LibraryCosts costs;
};

/// PEs that take part in a collective routine: `size` of them, from `start` on, every 2^log_stride-th.
struct ActiveSet {
    int start = 0;
    int log_stride = 0;
    int size = 0;

    [[nodiscard]] int pe(int index) const { return start + (index << log_stride); }
    /// Place of a PE among them; -1: it is none of them.
    [[nodiscard]] int index_of(int pe) const {
        const int distance = pe - start;
        const int index = distance >> log_stride;
        return distance >= 0 && this->pe(index) == pe && index < size ? index : -1;
    }
    auto operator<=>(const ActiveSet&) const = default;
};

/// The arguments with which a PE enters a collective routine.
struct CollectiveCall {
    /// A value that all members of the active set have to pass.
    struct Agreed {
        std::string_view name;
        std::uint64_t value = 0;
    };

    std::string_view routine;
    bool is_barrier_of_all = false;  // barrier_all, malloc and others like them: one may meet another
    bool waits_for_all = true;       // nobody leaves before all have entered
    std::vector<Agreed> agreed;
};

/// A collective routine that a PE is in.
class Collective {
public:
    /// The number of collective routines of this active set before.
    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }

private:
    friend class Job;
    ActiveSet set_;
    std::uint64_t sequence_ = 0;
    std::string_view routine_;
};

class Job {
public:
    explicit Job(int num_pes, Options options = {});

    [[nodiscard]] int num_pes() const { return static_cast<int>(pes_.size()); }
    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] ActiveSet all() const { return {0, 0, num_pes()}; }
    /// Warnings for the user although the program ran: a line each.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
    /// The exit status of the whole program, once a PE has ended it.
    [[nodiscard]] std::optional<int> exit_status() const { return exit_status_; }
    void end(int status) { exit_status_ = status; }

    void add(int number, Pe& pe);
    /// Its program has ended.
    void remove(int number) { pes_[static_cast<std::size_t>(number)] = nullptr; }
    [[nodiscard]] bool has_ended(int number) const { return pes_[static_cast<std::size_t>(number)] == nullptr; }
    /// The heap begins where the program of the first PE ends, unless an option says where.
    void set_heap_start(Address program_end);

    // Collective routines

    /// Throws KernelError if the others have entered a different one, or with different values.
    Collective enter(int pe, const ActiveSet& set, const CollectiveCall& call);
    void leave(int pe, const Collective& collective);
    /// Whether a member has left what `collective` was `before` collectives ago.
    [[nodiscard]] bool has_left(const Collective& collective, int index, std::uint64_t before) const;

    // The symmetric heap, when all PEs have entered the routine: the first one that asks changes it, for all.

    std::optional<Address> allocate(const Collective& collective, std::uint32_t bytes, std::uint32_t alignment);
    void free(const Collective& collective, Address block);
    bool resize(const Collective& collective, Address block, std::uint32_t bytes);
    [[nodiscard]] const Heap& heap() const { return heap_; }
    /// Behind the symmetric heap.
    [[nodiscard]] Address heap_end() const { return heap_.high().value_or(heap_start_); }
    /// The end up to which it may grow, given the stacks and private heaps of all PEs.
    [[nodiscard]] Address heap_limit() const;

    // Locks

    /// Which PE holds the lock at an address of PE 0.
    [[nodiscard]] std::map<Address, int>& lock_holders() { return lock_holders_; }
    /// Says which lock a PE waits for; 0: none.
    void wait_for_lock(int pe, Address lock) { awaited_locks_[static_cast<std::size_t>(pe)] = lock; }
    /// Why the PE that holds the lock which `pe` waits for cannot clear it; nothing if it can.
    [[nodiscard]] std::optional<std::string> obstacle(int pe) const;

private:
    /// One call of a collective routine. The first PE that comes sets what the others have to do.
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
        std::vector<Kind> kinds;  // by routine: several only of barriers of all
    };
    struct SetState {
        std::vector<std::uint64_t> entered;  // by index: how many collectives of this set
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
    /// Whether `other` has been in fewer collective routines of a set than `waiting`.
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
    Address bump_ = 0;                         // the end of a heap that is a pointer only
    std::optional<Block> freed_out_of_order_;  // of such a heap, and nothing was allocated since
    std::map<Address, int> lock_holders_;
    std::vector<Address> awaited_locks_;  // by PE
    std::optional<int> exit_status_;
    std::vector<std::string> warnings_;
};

}  // namespace nocbench::shmem
