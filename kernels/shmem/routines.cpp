// Table of OpenSHMEM routines by name: they take arguments from the registers of a call, and set results.
#include <array>
#include <bit>
#include <complex>
#include <concepts>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernels/shmem/pe.h"
#include "kernels/shmem/reductions.h"
#include "kernels/shmem/routine.h"

namespace nocbench::shmem {

namespace {

// Types by their names in routines; `long double` is 128 bits wide.
using Char = std::uint8_t;  // unsigned on RISC-V
struct LongDouble {
    std::array<std::byte, 16> bytes;
};

// Code size of routines on the chip. Sources: "listing": loops of the authors' library, assembled for the chip
// (library_costs.h); "estimate": instruction counts, of 2 or 4 bytes each.
constexpr std::uint32_t kCopyBytes = 136;       // listing, of the copy routine
constexpr std::uint32_t kDmaBytes = 120;        // estimate
constexpr std::uint32_t kStridedBytes = 72;     // estimate
constexpr std::uint32_t kValueBytes = 24;       // estimate
constexpr std::uint32_t kAtomicBytes = 80;      // estimate
constexpr std::uint32_t kBarrierBytes = 92;     // estimate
constexpr std::uint32_t kBlocksBytes = 220;     // estimate: its own loop and the copy routine
constexpr std::uint32_t kReductionBytes = 320;  // estimate: its own loops, the copy routine, a barrier
constexpr std::uint32_t kHeapBytes = 64;        // estimate
constexpr std::uint32_t kWaitBytes = 20;        // estimate
constexpr std::uint32_t kLockBytes = 48;        // estimate
constexpr std::uint32_t kInitBytes = 200;       // estimate
constexpr std::uint32_t kQueryBytes = 8;        // estimate

template <class Value>
Value argument(GuestCall& call, const Guest& guest) {
    if constexpr (std::same_as<Value, float>) {
        return std::bit_cast<float>(call.single());
    } else if constexpr (sizeof(Value) > sizeof(std::uint64_t)) {
        Value value{};
        guest.peek(call.word(), std::as_writable_bytes(std::span(&value, 1)));
        return value;
    } else if constexpr (sizeof(Value) == sizeof(std::uint64_t)) {
        return std::bit_cast<Value>(call.dword());
    } else {
        return static_cast<Value>(call.word());
    }
}

template <class Value>
void give(GuestCall& call, Value value) {
    if constexpr (std::same_as<Value, float>) {
        call.give_single(std::bit_cast<std::uint32_t>(value));
    } else if constexpr (sizeof(Value) == sizeof(std::uint64_t)) {
        call.give_dword(std::bit_cast<std::uint64_t>(value));
    } else {
        call.give_word(static_cast<std::uint32_t>(static_cast<std::int32_t>(value)));
    }
}

template <class Value>
std::uint64_t bits_of(Value value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(Value));
    return bits;
}

template <class Value>
Value value_of(std::uint64_t bits) {
    Value value{};
    std::memcpy(&value, &bits, sizeof(Value));
    return value;
}

Transfer transfer_of(GuestCall& call) {
    Transfer transfer;
    transfer.destination = call.word();
    transfer.source = call.word();
    transfer.count = call.word();
    transfer.pe = call.signed_word();
    return transfer;
}

template <void (Pe::*move)(const Transfer&, std::uint32_t), std::uint32_t kElementBytes>
void transfer(Pe& pe, GuestCall& call) {
    (pe.*move)(transfer_of(call), kElementBytes);
}

template <void (Pe::*move)(const StridedTransfer&, std::uint32_t), std::uint32_t kElementBytes>
void transfer_strided(Pe& pe, GuestCall& call) {
    StridedTransfer transfer;
    transfer.destination = call.word();
    transfer.source = call.word();
    transfer.destination_stride = call.signed_word();
    transfer.source_stride = call.signed_word();
    transfer.count = call.word();
    transfer.pe = call.signed_word();
    (pe.*move)(transfer, kElementBytes);
}

template <class Value>
void put_value(Pe& pe, GuestCall& call) {
    const Address destination = call.word();
    const auto value = argument<Value>(call, pe.guest());
    pe.put_value(destination, std::as_bytes(std::span(&value, 1)), call.signed_word());
}

template <class Value>
void get_value(Pe& pe, GuestCall& call) {
    constexpr bool kIsWide = sizeof(Value) > sizeof(std::uint64_t);
    const Address result = kIsWide ? call.word() : 0;
    const Address source = call.word();
    Value value{};
    pe.get_value(std::as_writable_bytes(std::span(&value, 1)), source, call.signed_word());
    if constexpr (kIsWide) {
        pe.guest().poke(result, std::as_bytes(std::span(&value, 1)));
    } else {
        give(call, value);
    }
}

// Atomic operations

template <class Value, AtomicType kType>
struct Atomic {
    static Value change(Pe& pe, Address target, int on, const auto& changed) {
        return value_of<Value>(pe.change_atomically(
            kType, target, sizeof(Value), on, [&](std::uint64_t old) -> std::optional<std::uint64_t> {
                const std::optional<Value> value = changed(value_of<Value>(old));
                return value ? std::optional(bits_of(*value)) : std::nullopt;
            }));
    }
    static void swap(Pe& pe, GuestCall& call) {
        const Address target = call.word();
        const auto value = argument<Value>(call, pe.guest());
        give(call, change(pe, target, call.signed_word(), [&](Value) { return std::optional(value); }));
    }
    static void fetch(Pe& pe, GuestCall& call) {
        const Address target = call.word();
        give(call, value_of<Value>(pe.fetch_atomically(target, sizeof(Value), call.signed_word())));
    }
    static void set(Pe& pe, GuestCall& call) {
        const Address target = call.word();
        const auto value = argument<Value>(call, pe.guest());
        pe.set_atomically(kType, target, sizeof(Value), bits_of(value), call.signed_word());
    }
    static void compare_swap(Pe& pe, GuestCall& call) {
        const Address target = call.word();
        const auto condition = argument<Value>(call, pe.guest());
        const auto value = argument<Value>(call, pe.guest());
        give(call, change(pe, target, call.signed_word(),
                          [&](Value old) { return old == condition ? std::optional(value) : std::nullopt; }));
    }
    static Value add_to(Pe& pe, Address target, Value value, int on) {
        return change(pe, target, on, [&](Value old) {
            return std::optional(
                static_cast<Value>(static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(value)));
        });
    }
    static void fetch_add(Pe& pe, GuestCall& call) {
        const Address target = call.word();
        const auto value = argument<Value>(call, pe.guest());
        give(call, add_to(pe, target, value, call.signed_word()));
    }
    static void add(Pe& pe, GuestCall& call) {
        const Address target = call.word();
        const auto value = argument<Value>(call, pe.guest());
        static_cast<void>(add_to(pe, target, value, call.signed_word()));
    }
    static void fetch_increment(Pe& pe, GuestCall& call) {
        const Address target = call.word();
        give(call, add_to(pe, target, 1, call.signed_word()));
    }
    static void increment(Pe& pe, GuestCall& call) {
        const Address target = call.word();
        static_cast<void>(add_to(pe, target, 1, call.signed_word()));
    }
};

// Waiting

template <class Value>
bool compares(Value left, std::int32_t comparison, Value right) {
    switch (static_cast<Comparison>(comparison)) {
        case Comparison::equal:
            return left == right;
        case Comparison::not_equal:
            return left != right;
        case Comparison::greater:
            return left > right;
        case Comparison::greater_equal:
            return left >= right;
        case Comparison::less:
            return left < right;
        case Comparison::less_equal:
            return left <= right;
    }
    return false;
}

template <class Value>
struct Waiting {
    Address address = 0;
    std::int32_t comparison = 0;
    Value value{};

    Waiting(Pe& pe, GuestCall& call, std::optional<Comparison> fixed) {
        address = call.word();
        comparison = fixed ? static_cast<std::int32_t>(*fixed) : call.signed_word();
        value = argument<Value>(call, pe.guest());
        pe.require_comparison(comparison);
    }
    [[nodiscard]] bool is_met(std::uint64_t bits) const { return compares(value_of<Value>(bits), comparison, value); }
};

template <class Value>
void wait_until(Pe& pe, GuestCall& call) {
    const Waiting<Value> waiting(pe, call, std::nullopt);
    pe.wait_until(waiting.address, sizeof(Value), [&](std::uint64_t bits) { return waiting.is_met(bits); });
}

template <class Value>
void wait_for_change(Pe& pe, GuestCall& call) {
    const Waiting<Value> waiting(pe, call, Comparison::not_equal);
    pe.wait_until(waiting.address, sizeof(Value), [&](std::uint64_t bits) { return waiting.is_met(bits); });
}

template <class Value>
void test(Pe& pe, GuestCall& call) {
    const Waiting<Value> waiting(pe, call, std::nullopt);
    const bool is_met =
        pe.test(waiting.address, sizeof(Value), [&](std::uint64_t bits) { return waiting.is_met(bits); });
    call.give_word(is_met ? 1 : 0);
}

// Collective routines

ActiveSet active_set_of(GuestCall& call) {
    ActiveSet set;
    set.start = call.signed_word();
    set.log_stride = call.signed_word();
    set.size = call.signed_word();
    return set;
}

template <void (Pe::*move)(const BlockCall&, std::uint32_t), std::uint32_t kElementBytes>
void move_blocks(Pe& pe, GuestCall& call) {
    BlockCall blocks;
    blocks.destination = call.word();
    blocks.source = call.word();
    blocks.count = call.word();
    blocks.set = active_set_of(call);
    blocks.sync = call.word();
    (pe.*move)(blocks, kElementBytes);
}

template <std::uint32_t kElementBytes>
void broadcast(Pe& pe, GuestCall& call) {
    BroadcastCall blocks;
    blocks.destination = call.word();
    blocks.source = call.word();
    blocks.count = call.word();
    blocks.root = call.signed_word();
    blocks.set = active_set_of(call);
    blocks.sync = call.word();
    pe.broadcast(blocks, kElementBytes);
}

template <std::uint32_t kElementBytes>
void move_strided_blocks(Pe& pe, GuestCall& call) {
    StridedBlockCall blocks;
    blocks.destination = call.word();
    blocks.source = call.word();
    blocks.destination_stride = call.signed_word();
    blocks.source_stride = call.signed_word();
    blocks.count = call.word();
    blocks.set = active_set_of(call);
    blocks.sync = call.word();
    pe.alltoalls(blocks, kElementBytes);
}

template <void (Pe::*meet)(const ActiveSet&, Address)>
void synchronize(Pe& pe, GuestCall& call) {
    const ActiveSet set = active_set_of(call);
    (pe.*meet)(set, call.word());
}

template <ReductionOperation kOperation, class Value>
void reduce(Pe& pe, GuestCall& call) {
    ReductionCall reduction;
    reduction.destination = call.word();
    reduction.source = call.word();
    reduction.count = call.signed_word();
    reduction.set = active_set_of(call);
    reduction.work = call.word();
    reduction.sync = call.word();
    pe.reduce(reduction, combination<kOperation, Value>(pe.job().options().costs));
}

template <void (Pe::*act)()>
void plain(Pe& pe, GuestCall& /*call*/) {
    (pe.*act)();
}

void do_nothing(Pe& /*pe*/, GuestCall& /*call*/) { Pe::do_nothing(); }

void allocate(Pe& pe, GuestCall& call) { call.give_word(pe.allocate(call.word())); }
void allocate_aligned(Pe& pe, GuestCall& call) {
    const std::uint32_t alignment = call.word();
    call.give_word(pe.allocate(call.word(), alignment));
}
void allocate_zeroed(Pe& pe, GuestCall& call) {
    const std::uint32_t count = call.word();
    call.give_word(pe.allocate_zeroed(count, call.word()));
}
void reallocate(Pe& pe, GuestCall& call) {
    const Address block = call.word();
    call.give_word(pe.reallocate(block, call.word()));
}
void free_block(Pe& pe, GuestCall& call) { pe.free(call.word()); }

void allocate_private(Pe& pe, GuestCall& call) { call.give_word(pe.allocate_private(call.word())); }
void allocate_private_aligned(Pe& pe, GuestCall& call) {
    const std::uint32_t alignment = call.word();
    call.give_word(pe.allocate_private(call.word(), alignment));
}
void allocate_private_zeroed(Pe& pe, GuestCall& call) {
    const std::uint32_t count = call.word();
    call.give_word(pe.allocate_private_zeroed(count, call.word()));
}
void reallocate_private(Pe& pe, GuestCall& call) {
    const Address block = call.word();
    call.give_word(pe.reallocate_private(block, call.word()));
}
void free_private(Pe& pe, GuestCall& call) { pe.free_private(call.word()); }

void my_pe(Pe& pe, GuestCall& call) { call.give_word(static_cast<std::uint32_t>(pe.query(pe.number()))); }
void num_pes(Pe& pe, GuestCall& call) { call.give_word(static_cast<std::uint32_t>(pe.query(pe.num_pes()))); }
void global_exit(Pe& pe, GuestCall& call) { pe.global_exit(call.signed_word()); }
void is_accessible(Pe& pe, GuestCall& call) { call.give_word(pe.pe_is_accessible(call.signed_word()) ? 1 : 0); }
void is_address_accessible(Pe& pe, GuestCall& call) {
    const Address address = call.word();
    call.give_word(pe.address_is_accessible(address, call.signed_word()) ? 1 : 0);
}
void pointer(Pe& pe, GuestCall& call) {
    const Address address = call.word();
    call.give_word(pe.ptr(address, call.signed_word()));
}
void give_version(Pe& pe, GuestCall& call) {
    // OpenSHMEM 1.3 requires its own version number here.
    constexpr std::array<std::int32_t, 2> kVersion{1, 3};
    static_cast<void>(pe.query(0));
    for (const std::int32_t& number : kVersion) {
        pe.guest().poke(call.word(), std::as_bytes(std::span(&number, 1)));
    }
}
void give_name(Pe& pe, GuestCall& call) { pe.give_text(call.word(), "nocbench"); }

void set_lock(Pe& pe, GuestCall& call) { pe.set_lock(call.word()); }
void clear_lock(Pe& pe, GuestCall& call) { pe.clear_lock(call.word()); }
void test_lock(Pe& pe, GuestCall& call) { call.give_word(pe.test_lock(call.word()) ? 1 : 0); }

constexpr std::uint32_t width(std::uint32_t bits) { return bits / 8; }

std::vector<Routine> all_routines() {
    std::vector<Routine> all{
        {"shmem_init", kInitBytes, plain<&Pe::init>, false},
        {"start_pes", kInitBytes, plain<&Pe::init>, false},
        {"shmem_finalize", kBarrierBytes, plain<&Pe::finalize>, true, true},
        {"shmem_global_exit", kValueBytes, global_exit},
        {"shmem_my_pe", kQueryBytes, my_pe, true, true},
        {"_my_pe", kQueryBytes, my_pe, true, true},
        {"shmem_n_pes", kQueryBytes, num_pes, true, true},
        {"_num_pes", kQueryBytes, num_pes, true, true},
        {"shmem_pe_accessible", kQueryBytes, is_accessible},
        {"shmem_addr_accessible", kQueryBytes, is_address_accessible},
        {"shmem_ptr", kValueBytes, pointer},
        {"shmem_info_get_version", kValueBytes, give_version, false},
        {"shmem_info_get_name", kValueBytes, give_name, false},

        {"shmem_malloc", kHeapBytes, allocate},
        {"shmalloc", kHeapBytes, allocate},
        {"shmem_align", kHeapBytes, allocate_aligned},
        {"shmemalign", kHeapBytes, allocate_aligned},
        {"shmem_calloc", kHeapBytes, allocate_zeroed},
        {"shmem_realloc", kHeapBytes, reallocate},
        {"shrealloc", kHeapBytes, reallocate},
        {"shmem_free", kHeapBytes, free_block},
        {"shfree", kHeapBytes, free_block},
        {"malloc", kHeapBytes, allocate_private, false},
        {"calloc", kHeapBytes, allocate_private_zeroed, false},
        {"aligned_alloc", kHeapBytes, allocate_private_aligned, false},
        {"realloc", kHeapBytes, reallocate_private, false},
        {"free", kHeapBytes, free_private, false},

        {"shmem_fence", kValueBytes, plain<&Pe::fence>},
        {"shmem_quiet", kValueBytes, plain<&Pe::quiet>},
        {"shmem_barrier_all", kBarrierBytes, plain<&Pe::barrier_all>},
        {"shmem_sync_all", kBarrierBytes, plain<&Pe::sync_all>},
        {"shmem_barrier", kBarrierBytes, synchronize<&Pe::barrier>},
        {"shmem_sync", kBarrierBytes, synchronize<&Pe::sync>},

        {"shmem_set_lock", kLockBytes, set_lock},
        {"shmem_clear_lock", kLockBytes, clear_lock},
        {"shmem_test_lock", kLockBytes, test_lock},

        {"shmem_clear_cache_inv", 0, do_nothing},
        {"shmem_set_cache_inv", 0, do_nothing},
        {"shmem_clear_cache_line_inv", 0, do_nothing},
        {"shmem_set_cache_line_inv", 0, do_nothing},
        {"shmem_udcflush", 0, do_nothing},
        {"shmem_udcflush_line", 0, do_nothing},
    };
#define NOCBENCH_MOVES(put_name, get_name, bytes)                                        \
    all.push_back({"shmem_" put_name, kCopyBytes, transfer<&Pe::put, bytes>});           \
    all.push_back({"shmem_" get_name, kCopyBytes, transfer<&Pe::get, bytes>});           \
    all.push_back({"shmem_" put_name "_nbi", kDmaBytes, transfer<&Pe::put_nbi, bytes>}); \
    all.push_back({"shmem_" get_name "_nbi", kDmaBytes, transfer<&Pe::get_nbi, bytes>});
#define NOCBENCH_STRIDED_MOVES(put_name, get_name, bytes)                                         \
    all.push_back({"shmem_" put_name, kStridedBytes, transfer_strided<&Pe::put_strided, bytes>}); \
    all.push_back({"shmem_" get_name, kStridedBytes, transfer_strided<&Pe::get_strided, bytes>});
#define NOCBENCH_VALUES(name, type)                                    \
    all.push_back({"shmem_" name "_p", kValueBytes, put_value<type>}); \
    all.push_back({"shmem_" name "_g", kValueBytes, get_value<type>});
#define NOCBENCH_TRANSFERS(name, type)                               \
    NOCBENCH_MOVES(name "_put", name "_get", sizeof(type))           \
    NOCBENCH_STRIDED_MOVES(name "_iput", name "_iget", sizeof(type)) \
    NOCBENCH_VALUES(name, type)
#define NOCBENCH_WIDTH(bits)                              \
    NOCBENCH_MOVES("put" #bits, "get" #bits, width(bits)) \
    NOCBENCH_STRIDED_MOVES("iput" #bits, "iget" #bits, width(bits))
    NOCBENCH_TRANSFERS("char", Char)
    NOCBENCH_TRANSFERS("short", std::int16_t)
    NOCBENCH_TRANSFERS("int", std::int32_t)
    NOCBENCH_TRANSFERS("long", std::int32_t)
    NOCBENCH_TRANSFERS("longlong", std::int64_t)
    NOCBENCH_TRANSFERS("float", float)
    NOCBENCH_TRANSFERS("double", double)
    NOCBENCH_TRANSFERS("longdouble", LongDouble)
    // Results narrower than a register are sign-extended.
    NOCBENCH_VALUES("schar", std::int8_t)
    NOCBENCH_VALUES("ushort", std::uint16_t)
    NOCBENCH_MOVES("putmem", "getmem", 1)
    NOCBENCH_WIDTH(8)
    NOCBENCH_WIDTH(16)
    NOCBENCH_WIDTH(32)
    NOCBENCH_WIDTH(64)
    NOCBENCH_WIDTH(128)
#undef NOCBENCH_MOVES
#undef NOCBENCH_STRIDED_MOVES
#undef NOCBENCH_VALUES
#undef NOCBENCH_TRANSFERS
#undef NOCBENCH_WIDTH

#define NOCBENCH_ATOMIC(name, operation, type, lock) \
    all.push_back({"shmem_" name, kAtomicBytes, Atomic<type, AtomicType::lock>::operation});
#define NOCBENCH_ATOMICS(name, type, lock)            \
    NOCBENCH_ATOMIC(name "_swap", swap, type, lock)   \
    NOCBENCH_ATOMIC(name "_fetch", fetch, type, lock) \
    NOCBENCH_ATOMIC(name "_set", set, type, lock)
#define NOCBENCH_INTEGER_ATOMICS(name, type, lock)             \
    NOCBENCH_ATOMICS(name, type, lock)                         \
    NOCBENCH_ATOMIC(name "_cswap", compare_swap, type, lock)   \
    NOCBENCH_ATOMIC(name "_fadd", fetch_add, type, lock)       \
    NOCBENCH_ATOMIC(name "_finc", fetch_increment, type, lock) \
    NOCBENCH_ATOMIC(name "_add", add, type, lock)              \
    NOCBENCH_ATOMIC(name "_inc", increment, type, lock)
    NOCBENCH_INTEGER_ATOMICS("int", std::int32_t, integer)
    NOCBENCH_INTEGER_ATOMICS("long", std::int32_t, long_integer)
    NOCBENCH_INTEGER_ATOMICS("longlong", std::int64_t, long_long)
    NOCBENCH_ATOMICS("float", float, single_float)
    NOCBENCH_ATOMICS("double", double, double_float)
#undef NOCBENCH_ATOMIC
#undef NOCBENCH_ATOMICS
#undef NOCBENCH_INTEGER_ATOMICS

#define NOCBENCH_WAITS(name, type)                                              \
    all.push_back({"shmem_" name "_wait", kWaitBytes, wait_for_change<type>});  \
    all.push_back({"shmem_" name "_wait_until", kWaitBytes, wait_until<type>}); \
    all.push_back({"shmem_" name "_test", kWaitBytes, test<type>});
    NOCBENCH_WAITS("short", std::int16_t)
    NOCBENCH_WAITS("int", std::int32_t)
    NOCBENCH_WAITS("long", std::int32_t)
    NOCBENCH_WAITS("longlong", std::int64_t)
    NOCBENCH_WAITS("ushort", std::uint16_t)
    NOCBENCH_WAITS("uint", std::uint32_t)
    NOCBENCH_WAITS("ulong", std::uint32_t)
    NOCBENCH_WAITS("ulonglong", std::uint64_t)
#undef NOCBENCH_WAITS

#define NOCBENCH_BLOCKS(bits)                                                                       \
    all.push_back({"shmem_broadcast" #bits, kBlocksBytes, broadcast<width(bits)>});                 \
    all.push_back({"shmem_collect" #bits, kBlocksBytes, move_blocks<&Pe::collect, width(bits)>});   \
    all.push_back({"shmem_fcollect" #bits, kBlocksBytes, move_blocks<&Pe::fcollect, width(bits)>}); \
    all.push_back({"shmem_alltoall" #bits, kBlocksBytes, move_blocks<&Pe::alltoall, width(bits)>}); \
    all.push_back({"shmem_alltoalls" #bits, kBlocksBytes, move_strided_blocks<width(bits)>});
    NOCBENCH_BLOCKS(32)
    NOCBENCH_BLOCKS(64)
#undef NOCBENCH_BLOCKS

#define NOCBENCH_REDUCTION(name, operation, type)                           \
    all.push_back({"shmem_" name "_" #operation "_to_all", kReductionBytes, \
                   reduce<ReductionOperation::operation##_operation, type>});
#define NOCBENCH_SUMS(name, type)       \
    NOCBENCH_REDUCTION(name, sum, type) \
    NOCBENCH_REDUCTION(name, prod, type)
#define NOCBENCH_REDUCTIONS(name, type) \
    NOCBENCH_SUMS(name, type)           \
    NOCBENCH_REDUCTION(name, max, type) \
    NOCBENCH_REDUCTION(name, min, type)
#define NOCBENCH_INTEGER_REDUCTIONS(name, type) \
    NOCBENCH_REDUCTIONS(name, type)             \
    NOCBENCH_REDUCTION(name, and, type)         \
    NOCBENCH_REDUCTION(name, or, type)          \
    NOCBENCH_REDUCTION(name, xor, type)
    NOCBENCH_INTEGER_REDUCTIONS("short", std::int16_t)
    NOCBENCH_INTEGER_REDUCTIONS("int", std::int32_t)
    NOCBENCH_INTEGER_REDUCTIONS("long", std::int32_t)
    NOCBENCH_INTEGER_REDUCTIONS("longlong", std::int64_t)
    NOCBENCH_REDUCTIONS("float", float)
    NOCBENCH_REDUCTIONS("double", double)
    NOCBENCH_REDUCTIONS("longdouble", Quad)
    NOCBENCH_SUMS("complexf", std::complex<float>)
    NOCBENCH_SUMS("complexd", std::complex<double>)
#undef NOCBENCH_REDUCTION
#undef NOCBENCH_SUMS
#undef NOCBENCH_REDUCTIONS
#undef NOCBENCH_INTEGER_REDUCTIONS
    return all;
}

}  // namespace

void Routine::carry_out(Pe& pe, GuestCall& call) const {
    if (needs_set_up) {
        pe.begin(name, is_query);
    } else {
        pe.begin_before_init(name);
    }
    run(pe, call);
    pe.rest();
}

std::span<const Routine> shmem_routines() {
    static const std::vector<Routine> routines = all_routines();
    return routines;
}

}  // namespace nocbench::shmem
