// A PE: the routines of OpenSHMEM as one core runs them. They act through the Epiphany API and take the time that it
// and LibraryCosts tell.
//
// Addresses are those of the core's own memory, or have the core's id in them, as those have that ptr() returns. Misuse
// throws KernelError that begins with the name of the routine and says what was expected and found.
//
// In the memory of each core, between kLibraryData and kLibraryDataEnd, is what other cores write to. The heap begins
// where the program ends; private blocks are taken from the other end of the same memory, downward from below what is
// kept for the stack, so that they may differ from PE to PE.
//
// A synchronization array is used byte by byte: two for each round of a barrier, used in turn, so that a PE which is
// ahead by a whole barrier does not set a flag that has not been seen; then those of broadcasts; from
// kFurtherFlagsOffset on those of collect and of reductions. All of them are 0 again when a routine returns.
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

#include "kernels/shmem/guest.h"
#include "kernels/shmem/heap.h"
#include "kernels/shmem/job.h"

namespace nocbench::shmem {

inline constexpr Address kLibraryData = 0x40;
inline constexpr Address kLibraryDataEnd = 0x100;

/// Types whose atomic operations have a lock each.
enum class AtomicType : std::uint8_t { integer, long_integer, long_long, single_float, double_float };

/// Comparisons of wait_until(), as shmem.h numbers them.
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

/// The arguments of a collective routine that moves blocks.
struct BlockCall {
    Address destination = 0;
    Address source = 0;
    std::uint32_t count = 0;  // of elements of a block
    ActiveSet set;
    Address sync = 0;
};

struct BroadcastCall {
    Address destination = 0;
    Address source = 0;
    std::uint32_t count = 0;
    int root = 0;  // its place in the active set
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

/// An operation on arrays, as reductions do it.
struct Combination {
    std::uint32_t element_bytes = 0;
    std::uint32_t alignment = 0;  // of elements; double words are the widest that the core has
    int instructions = 0;         // for an element
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

    /// The program has called the routine `name`: to be said before each of what follows. Throws unless the library is
    /// set up; many programs still ask after shmem_finalize who they are.
    void begin(std::string_view name, bool is_query = false);
    /// The same of a routine that may be called before.
    void begin_before_init(std::string_view name);

    /// The program has ended. What others ask of this PE is done before it goes.
    void end();

    /// The routine that was called last.
    [[nodiscard]] std::string_view routine() const { return routine_; }

    /// Throws KernelError if wait_until() and test() have no comparison of this number.
    void require_comparison(std::int32_t number) const;

    /// The stack must not come below.
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
    /// For routines of caches: the cores have none.
    static void do_nothing();

    // Memory; 0: there is none.

    Address allocate(std::uint32_t bytes, std::uint32_t alignment = Heap::kAlignment);
    Address allocate_zeroed(std::uint32_t count, std::uint32_t bytes);
    void free(Address block);
    Address reallocate(Address block, std::uint32_t bytes);

    // Routines of the C library

    Address allocate_private(std::uint32_t bytes, std::uint32_t alignment = Heap::kAlignment);
    Address allocate_private_zeroed(std::uint32_t count, std::uint32_t bytes);
    void free_private(Address block);
    Address reallocate_private(Address block, std::uint32_t bytes);
    /// The lowest address of the stack and the private heap: the symmetric heap may grow up to it.
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

    // Atomic operations on 4 or 8 bytes; the result is what was there before.

    using Change = std::function<std::optional<std::uint64_t>(std::uint64_t)>;
    std::uint64_t change_atomically(AtomicType type, Address target, std::uint32_t bytes, int pe, const Change& change);
    std::uint64_t fetch_atomically(Address target, std::uint32_t bytes, int pe);
    void set_atomically(AtomicType type, Address target, std::uint32_t bytes, std::uint64_t value, int pe);

    // Order and waiting

    void fence();
    void quiet();
    /// Until `is_met(bits)` of an integer of the own memory.
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
    /// A place in an active set, and the collective routine that it is about.
    struct Member {
        ActiveSet set;
        Collective collective;
        int index = 0;
        Address sync = 0;
    };

    /// Destination and source of a transfer, as addresses of this core.
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
    /// The offset of something that has the same address on all PEs.
    [[nodiscard]] Address symmetric(std::string_view name, Address address, std::uint64_t bytes,
                                    std::uint32_t alignment) const;
    /// The address of something of this PE.
    [[nodiscard]] Address local(std::string_view name, Address address, std::uint64_t bytes,
                                std::uint32_t alignment) const;
    void require_usable(std::string_view name, Address address, std::uint32_t alignment) const;
    void require_power_of_two(std::uint32_t alignment) const;
    void require_within_block(std::string_view name, const Block& block, Address address, std::uint64_t bytes) const;
    [[nodiscard]] Address without_own_id(Address address) const;
    [[nodiscard]] const Block& allocated(const Heap& heap, Address block) const;

    // Parts of routines

    [[nodiscard]] static Address on(int pe, Address offset);
    /// Checks both ends of a transfer, of which each takes so many bytes, and takes the time that their addresses take.
    [[nodiscard]] Ends ends_of_put(const Transfer& transfer, std::uint64_t destination_bytes,
                                   std::uint64_t source_bytes) const;
    [[nodiscard]] Ends ends_of_get(const Transfer& transfer, std::uint64_t destination_bytes,
                                   std::uint64_t source_bytes) const;
    void copy(Address destination, Address source, std::uint32_t bytes);
    void copy_part(Address& destination, Address& source, std::uint32_t bytes, std::uint32_t element_bytes);
    void copy_strided(const StridedTransfer& transfer, Address destination, Address source,
                      std::uint32_t element_bytes);
    void get_by_interrupt(const Ends& ends, int pe);
    /// In the interrupt of the owner: puts what another PE asks for.
    void serve_get();
    void start_dma(const Ends& ends);
    void start_dma(Address destination, Address source, std::uint32_t elements, std::uint32_t element_bytes);
    void wait_for_dma();
    [[nodiscard]] std::uint64_t bits_at(Address address, std::uint32_t bytes) const;
    /// Spins until `is_met()`, which may have changed whenever something is written to the memory of this core.
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
    /// The end of a collective routine that has put data everywhere.
    void settle(const Member& member);
    /// To the member at `index`; its own block stays on this core.
    void send_block(const Member& member, int index, Address destination, Address source, std::uint32_t bytes);
    [[nodiscard]] static int rounds_of(int size);
    static void send_blocks_in_ring_order(const Member& member, const std::function<void(int index)>& send);
    void fcollect_by_doubling(const Member& member, Address destination, Address source, std::uint32_t bytes);
    void combine(Address into, Address with, std::uint32_t count, const Combination& combination);
    /// One step of a reduction by pairs: sends to the partner and receives from it, when both work arrays are free.
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
    std::uint32_t stack_reserve_bytes_ = 0;  // that private blocks leave below the stack pointer
    std::string waiting_for_;
    // Collectives that this PE has been in, by active set.
    std::map<ActiveSet, std::uint64_t> barriers_;
    std::map<ActiveSet, std::uint64_t> doublings_;
};

}  // namespace nocbench::shmem
