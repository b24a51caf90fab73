// PE: OpenSHMEM routines executed by one core. They act through the Epiphany API, and take its time and that of
// LibraryCosts.
//
// Addresses are in the core's own memory, or contain a core's id, as those from ptr() do. Misuse throws KernelError
// that begins with the routine's name and states the expected and the found value.
//
// Each core's memory holds data that other cores write, from kLibraryData to kLibraryDataEnd. The symmetric heap begins
// at the end of the program; private blocks grow downward from below the stack's reserve, and may differ between PEs.
//
// A synchronization array is used bytewise. It begins with two flags for each round of a barrier, used alternately, so
// that a PE that is a whole barrier ahead does not set an unread flag. Flags of broadcasts follow; flags of collects
// and reductions begin at kFurtherFlagsOffset. All flags are 0 again when a routine returns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/sim/simulated_time.h"
#include "kernels/shmem/guest.h"
#include "kernels/shmem/heap.h"
#include "kernels/shmem/job.h"

namespace nocbench::shmem {

inline constexpr Address kLibraryData = 0x40;
inline constexpr Address kLibraryDataEnd = 0x100;

/// Types of atomic operations; each has its own lock.
enum class AtomicType : std::uint8_t { integer, long_integer, long_long, single_float, double_float };

/// Comparisons of wait_until(), numbered as in shmem.h.
enum class Comparison : std::uint8_t { equal, not_equal, greater, greater_equal, less, less_equal };

struct Transfer {
    Address destination = 0;
    Address source = 0;
    std::uint32_t count = 0;  // of elements
    int pe = 0;
};

struct StridedTransfer {
    Address destination = 0;
    Address source = 0;
    std::int32_t destination_stride = 0;  // in elements
    std::int32_t source_stride = 0;
    std::uint32_t count = 0;
    int pe = 0;
};

/// Arguments of a collective routine that moves blocks.
struct BlockCall {
    Address destination = 0;
    Address source = 0;
    std::uint32_t count = 0;  // elements per block
    ActiveSet set;
    Address sync = 0;
};

struct BroadcastCall {
    Address destination = 0;
    Address source = 0;
    std::uint32_t count = 0;
    int root = 0;  // index in the active set
    ActiveSet set;
    Address sync = 0;
};

struct StridedBlockCall {
    Address destination = 0;
    Address source = 0;
    std::int32_t destination_stride = 0;
    std::int32_t source_stride = 0;
    std::uint32_t count = 0;
    ActiveSet set;
    Address sync = 0;
};

/// Element-wise operation of reductions on arrays.
struct Combination {
    std::uint32_t element_bytes = 0;
    std::uint32_t alignment = 0;  // of elements; at most a dword, the widest access of a core
    int instructions = 0;         // per element
    void (*combine)(std::span<std::byte> into, std::span<const std::byte> with) = nullptr;
};

struct ReductionCall {
    Address destination = 0;
    Address source = 0;
    std::int32_t count = 0;
    ActiveSet set;
    Address work = 0;
    Address sync = 0;
};

class Pe {
public:
    Pe(Job& job, Guest& guest);
    Pe(const Pe&) = delete;
    Pe& operator=(const Pe&) = delete;

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] Job& job() { return job_; }
    [[nodiscard]] Guest& guest() { return guest_; }

    /// Begins the routine `name`; must be called before each routine below. Throws KernelError if the library is not
    /// set up. After shmem_finalize, only queries are allowed, since many programs still make them.
    void begin(std::string_view name, bool is_query = false);
    /// Begins a routine that may be called before shmem_init.
    void begin_before_init(std::string_view name);

    /// Ends a routine: the PE computes, up to the next one.
    void rest();
    /// Sleeps, until the end of the whole program at the latest.
    void sleep(Cycle cycles);

    /// Ends the program after serving outstanding requests of other PEs.
    void end();

    /// Returns the last routine called.
    [[nodiscard]] std::string_view routine() const { return routine_; }

    /// Throws KernelError if `number` is no comparison of wait_until() and test().
    void require_comparison(std::int32_t number) const;

    /// Returns the lower bound of the stack.
    [[nodiscard]] Address stack_limit() const;

    // Set-up and queries

    void init();
    void finalize();
    void global_exit(int status);
    int query(int value);
    [[nodiscard]] int num_pes() const { return job_.num_pes(); }
    void give_text(Address destination, std::string_view text);
    Address ptr(Address address, int pe);
    bool pe_is_accessible(int pe);
    bool address_is_accessible(Address address, int pe);
    /// Does nothing, for cache routines: the cores have no caches.
    static void do_nothing();

    // Memory. The result 0 means that none is available.

    Address allocate(std::uint32_t bytes, std::uint32_t alignment = Heap::kAlignment);
    Address allocate_zeroed(std::uint32_t count, std::uint32_t bytes);
    void free(Address block);
    Address reallocate(Address block, std::uint32_t bytes);

    // Routines of the C library

    Address allocate_private(std::uint32_t bytes, std::uint32_t alignment = Heap::kAlignment);
    Address allocate_private_zeroed(std::uint32_t count, std::uint32_t bytes);
    void free_private(Address block);
    Address reallocate_private(Address block, std::uint32_t bytes);
    /// Returns the lowest address of stack and private heap: the limit of the symmetric heap.
    [[nodiscard]] Address private_low() const;

    // Transfers of elements of `element_bytes`

    void put(const Transfer& transfer, std::uint32_t element_bytes);
    void get(const Transfer& transfer, std::uint32_t element_bytes);
    void put_nbi(const Transfer& transfer, std::uint32_t element_bytes);
    void get_nbi(const Transfer& transfer, std::uint32_t element_bytes);
    void put_strided(const StridedTransfer& transfer, std::uint32_t element_bytes);
    void get_strided(const StridedTransfer& transfer, std::uint32_t element_bytes);
    void put_value(Address destination, std::span<const std::byte> value, int pe);
    void get_value(std::span<std::byte> value, Address source, int pe);

    // Atomic operations on 4 or 8 bytes. Return the old value.

    using Change = std::function<std::optional<std::uint64_t>(std::uint64_t)>;
    std::uint64_t change_atomically(AtomicType type, Address target, std::uint32_t bytes, int pe, const Change& change);
    std::uint64_t fetch_atomically(Address target, std::uint32_t bytes, int pe);
    void set_atomically(AtomicType type, Address target, std::uint32_t bytes, std::uint64_t value, int pe);

    // Order and waiting

    void fence();
    void quiet();
    /// Waits until `is_met(bits)` for an integer in this core's memory.
    void wait_until(Address address, std::uint32_t bytes, const std::function<bool(std::uint64_t)>& is_met);
    bool test(Address address, std::uint32_t bytes, const std::function<bool(std::uint64_t)>& is_met);

    void set_lock(Address lock);
    bool test_lock(Address lock);
    void clear_lock(Address lock);

    // Collective routines

    void barrier_all();
    void barrier(const ActiveSet& set, Address sync);
    void sync_all();
    void sync(const ActiveSet& set, Address sync);
    void broadcast(const BroadcastCall& call, std::uint32_t element_bytes);
    void collect(const BlockCall& call, std::uint32_t element_bytes);
    void fcollect(const BlockCall& call, std::uint32_t element_bytes);
    void alltoall(const BlockCall& call, std::uint32_t element_bytes);
    void alltoalls(const StridedBlockCall& call, std::uint32_t element_bytes);
    void reduce(const ReductionCall& call, const Combination& combination);

private:
    /// Index in an active set, and the current collective routine.
    struct Member {
        ActiveSet set;
        Collective collective;
        int index = 0;
        Address sync = 0;
    };

    /// Destination and source of a transfer, as addresses for this core.
    struct Ends {
        Address destination = 0;
        Address source = 0;
        std::uint32_t bytes = 0;  // at the source
    };

    [[nodiscard]] const LibraryCosts& costs() const { return job_.options().costs; }

    // Complaints

    [[noreturn]] void fail(const std::string& complaint) const;
    void require_pe(int pe) const;
    void require_strides(std::int32_t destination_stride, std::int32_t source_stride) const;
    /// Returns the offset of an object whose address is equal on all PEs.
    [[nodiscard]] Address symmetric(std::string_view name, Address address, std::uint64_t bytes,
                                    std::uint32_t alignment) const;
    /// Returns the address of an object of this PE.
    [[nodiscard]] Address local(std::string_view name, Address address, std::uint64_t bytes,
                                std::uint32_t alignment) const;
    void require_usable(std::string_view name, Address address, std::uint32_t alignment) const;
    void require_power_of_two(std::uint32_t alignment) const;
    /// Requires that a range at `address` within an object ends in it. A block of the heap has no name.
    void require_within(std::string_view name, const Variable& object, Address address, std::uint64_t bytes) const;
    void require_within_variable(std::string_view name, Address address, std::uint64_t bytes) const;
    /// Requires the initial value of a synchronization array if no other member can have changed it.
    void require_initial_sync(const Member& member, std::uint32_t sync_bytes) const;
    [[nodiscard]] Address without_own_id(Address address) const;
    [[nodiscard]] const Block& allocated(const Heap& heap, Address block) const;

    // Parts of routines

    [[nodiscard]] static Address on(int pe, Address offset);
    /// Check both ends of a transfer, and take the time for their addresses.
    [[nodiscard]] Ends ends_of_put(const Transfer& transfer, std::uint64_t destination_bytes,
                                   std::uint64_t source_bytes) const;
    [[nodiscard]] Ends ends_of_get(const Transfer& transfer, std::uint64_t destination_bytes,
                                   std::uint64_t source_bytes) const;
    void copy(Address destination, Address source, std::uint32_t bytes);
    void copy_part(Address& destination, Address& source, std::uint32_t bytes, std::uint32_t element_bytes);
    void copy_strided(const StridedTransfer& transfer, Address destination, Address source,
                      std::uint32_t element_bytes);
    void get_by_interrupt(const Ends& ends, int pe);
    /// Puts data requested by another PE, in an interrupt of the data's owner.
    void serve_get();
    void start_dma(const Ends& ends);
    void start_dma(Address destination, Address source, std::uint32_t elements, std::uint32_t element_bytes);
    void wait_for_dma();
    [[nodiscard]] std::uint64_t bits_at(Address address, std::uint32_t bytes) const;
    /// Spins until `is_met()`, which is checked at every write to this core's memory.
    void spin(Address address, const std::function<bool()>& is_met, const std::string& waiting_for);
    void end_with_the_program();
    void signal(int pe, Address flag);
    void await_signal(Address flag, int from);
    void lock_on(int pe, Address lock);

    [[nodiscard]] Collective enter_all(std::initializer_list<CollectiveCall::Agreed> agreed, bool is_barrier = true);
    [[nodiscard]] Member enter(const ActiveSet& set, Address sync, std::uint32_t sync_bytes, bool waits_for_all,
                               std::vector<CollectiveCall::Agreed> agreed);
    void leave(const Member& member);
    void synchronize(const ActiveSet& set, const Collective& collective, Address flags);
    void synchronize_all(const Collective& collective);
    /// Ends a collective routine after all its puts.
    void settle(const Member& member);
    /// Sends a block to the member at `index`. This core's own block is copied locally.
    void send_block(const Member& member, int index, Address destination, Address source, std::uint32_t bytes);
    [[nodiscard]] static int rounds_of(int size);
    static void send_blocks_in_ring_order(const Member& member, const std::function<void(int index)>& send);
    void fcollect_by_doubling(const Member& member, Address destination, Address source, std::uint32_t bytes);
    void combine(Address into, Address with, std::uint32_t count, const Combination& combination);
    /// Exchanges data with the partner of a pairwise reduction when both work arrays are free.
    void exchange(const Member& member, int round, Address outgoing, Address work, std::uint32_t bytes);
    void reduce_by_dissemination(const Member& member, const ReductionCall& call, const Combination& combination);
    void reduce_in_ring(const Member& member, const ReductionCall& call, const Combination& combination);

    Job& job_;
    Guest& guest_;
    int number_ = 0;
    std::string_view routine_;
    bool is_set_up_ = false;
    bool is_finalized_ = false;
    bool allocation_failed_ = false;
    int next_channel_ = 0;
    std::array<bool, 2> channel_was_used_{};
    Heap private_heap_{Heap::Growth::down};
    std::uint32_t stack_reserve_bytes_ = 0;  // space between private blocks and the stack pointer
    std::string waiting_for_;
    // Earlier collectives of this PE, by active set.
    std::map<ActiveSet, std::uint64_t> barriers_;
    std::map<ActiveSet, std::uint64_t> doublings_;
};

}  // namespace nocbench::shmem
