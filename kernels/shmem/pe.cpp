// Set-up, queries, memory, order, waiting and locks of a PE.
#include "kernels/shmem/pe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "device_model/sim/error.h"
#include "kernels/epiphany/epiphany_api.h"
#include "kernels/shmem/library_data.h"

namespace nocbench::shmem {

namespace {

/// Several rounds of polls of all PEs for one lock.
constexpr Cycle kAwakeCycles = 1000;

}  // namespace

Pe::Pe(Job& job, Guest& guest) : job_(job), guest_(guest), number_(guest.number()) { job_.add(number_, *this); }

void Pe::begin_before_init(std::string_view name) {
    routine_ = name;
    epiphany::synchronize();
    job_.begin_to_act(number_);
    end_with_the_program();
}

void Pe::rest() { job_.rest(number_, epiphany::timer()); }

void Pe::sleep(Cycle cycles) {
    // PEs that wait for a lock poll again before the sleep ends, so that their polls are under way then.
    const Cycle last = std::min(cycles, kAwakeCycles);
    rest();
    bool has_slept = cycles == last || epiphany::sleep(cycles - last);
    epiphany::synchronize();
    job_.begin_to_act(number_);
    has_slept = has_slept && epiphany::sleep(last);
    epiphany::synchronize();
    if (!has_slept) {
        end_with_the_program();
    }
}

void Pe::begin(std::string_view name, bool is_query) {
    begin_before_init(name);
    if (!is_set_up_ && !(is_query && is_finalized_)) {
        fail(is_finalized_ ? "expected no call after shmem_finalize" : "expected a call of shmem_init before");
    }
}

// Complaints

void Pe::fail(const std::string& complaint) const { throw KernelError(fmt::format("{}: {}", routine_, complaint)); }

void Pe::require_pe(int pe) const {
    if (pe < 0 || pe >= num_pes()) {
        fail(fmt::format("expected a PE from 0 to {}, found {}", num_pes() - 1, pe));
    }
}

void Pe::require_comparison(std::int32_t number) const {
    if (number < static_cast<std::int32_t>(Comparison::equal) ||
        number > static_cast<std::int32_t>(Comparison::less_equal)) {
        fail(fmt::format("expected a comparison from SHMEM_CMP_EQ, 0, to SHMEM_CMP_LE, 5, found {}", number));
    }
}

Address Pe::without_own_id(Address address) const {
    const bool is_own = address >> kCoreIdShift == epiphany::global_address(number_, 0) >> kCoreIdShift;
    return is_own ? address & kOffsetMask : address;
}

void Pe::require_usable(std::string_view name, Address address, std::uint32_t alignment) const {
    if (address == 0) {
        fail(fmt::format("expected {} to be an address, found null{}", name,
                         allocation_failed_ ? ", which an allocation has returned before: the heap was full" : ""));
    }
    if (address % alignment != 0) {
        fail(fmt::format("expected {} at a multiple of {}, found 0x{:x}", name, alignment, address));
    }
}

void Pe::require_within(std::string_view name, const Variable& object, Address address, std::uint64_t bytes) const {
    if (address - object.begin + bytes <= object.bytes) {
        return;
    }
    const std::string what = object.name.empty() ? "the block" : fmt::format("'{}'", object.name);
    const std::string complaint = fmt::format("expected {} within {} of {} bytes at 0x{:x}, found {} bytes at 0x{:x}",
                                              name, what, object.bytes, object.begin, bytes, address);
    if (!job_.options().warns_of_overruns) {
        fail(complaint);
    }
    job_.warn(fmt::format("PE {}: {}: {}: {}", number_, guest_.place(), routine_, complaint));
}

void Pe::require_within_variable(std::string_view name, Address address, std::uint64_t bytes) const {
    if (const std::optional<Variable> variable = guest_.variable_around(address)) {
        require_within(name, *variable, address, bytes);
    }
}

Address Pe::symmetric(std::string_view name, Address address, std::uint64_t bytes, std::uint32_t alignment) const {
    if (bytes == 0) {
        return address;
    }
    require_usable(name, address, alignment);
    const Address offset = without_own_id(address);
    if (const Block* block = job_.heap().block_around(offset)) {
        require_within(name, {{}, block->begin, block->bytes}, offset, bytes);
        return offset;
    }
    require_within_variable(name, offset, bytes);
    if (offset < job_.options().program_start || offset >= guest_.program_end()) {
        fail(fmt::format("expected {} to be symmetric, in the program's data or in a block of the heap, found 0x{:x}{}",
                         name, address,
                         job_.heap().was_freed(offset)                   ? ", a block that has been freed"
                         : private_heap_.block_around(offset) != nullptr ? ", in a block of malloc"
                         : offset >= guest_.stack_pointer() && offset < guest_.memory_bytes() ? ", on the stack"
                                                                                              : ""));
    }
    if (bytes > guest_.program_end() - offset) {
        fail(fmt::format("expected {} within the program's data, which end at 0x{:x}, found {} bytes at 0x{:x}", name,
                         guest_.program_end(), bytes, address));
    }
    return offset;
}

Address Pe::local(std::string_view name, Address address, std::uint64_t bytes, std::uint32_t alignment) const {
    if (bytes == 0) {
        return address;
    }
    require_usable(name, address, alignment);
    const Address offset = without_own_id(address);
    if (offset >> kCoreIdShift != 0) {
        return offset;
    }
    for (const Heap* heap : {&job_.heap(), &private_heap_}) {
        if (const Block* block = heap->block_around(offset)) {
            require_within(name, {{}, block->begin, block->bytes}, offset, bytes);
        }
    }
    require_within_variable(name, offset, bytes);
    if (offset + bytes > guest_.memory_bytes()) {
        fail(fmt::format("expected {} within the core's memory, 0x0 to 0x{:x}, found {} bytes at 0x{:x}", name,
                         guest_.memory_bytes() - 1, bytes, address));
    }
    return offset;
}

// Set-up and queries

void Pe::init() {
    epiphany::instructions(costs().init);
    is_set_up_ = true;
    is_finalized_ = false;
    job_.set_heap_start(guest_.program_end());
    if (job_.options().ipi_get) {
        epiphany::set_interrupt_handler([this] { serve_get(); });
    }
}

void Pe::end() {
    job_.remove(number_);
    if (job_.options().ipi_get && !job_.exit_status()) {
        // Later requests find that this PE has ended.
        static_cast<void>(epiphany::spin_until(
            "the end of the program", library_data::kInterruptLock, [](std::uint32_t lock) { return lock == 0; },
            "another PE to get its data"));
        epiphany::set_interrupt_handler({});
    }
}

void Pe::finalize() {
    if (is_finalized_) {
        return;
    }
    const Collective collective = enter_all({}, false);
    quiet();
    synchronize_all(collective);
    job_.leave(number_, collective);
    is_set_up_ = false;
    is_finalized_ = true;
}

void Pe::global_exit(int status) {
    job_.end(status);
    epiphany::release_wired_and();
    // Other PEs notice the end of the program at a write to their memory, or at their next routine.
    for (int pe = 0; pe < num_pes(); ++pe) {
        if (pe != number_) {
            epiphany::store<std::uint32_t>(on(pe, library_data::kEnd), 1);
        }
    }
    epiphany::wait_for_stores(routine_);
    Guest::exit(status);
}

void Pe::end_with_the_program() {
    if (const std::optional<int> status = job_.exit_status()) {
        Guest::exit(*status);
    }
}

int Pe::query(int value) {
    epiphany::instructions(costs().query);
    return value;
}

void Pe::give_text(Address destination, std::string_view text) {
    const Address place = local("name", destination, text.size() + 1, 1);
    std::vector<std::byte> bytes(text.size() + 1);
    std::memcpy(bytes.data(), text.data(), text.size());
    epiphany::instructions(static_cast<int>(bytes.size()) * costs().query);
    epiphany::synchronize();
    guest_.poke(place, bytes);
}

Address Pe::ptr(Address address, int pe) {
    require_pe(pe);
    epiphany::instructions(costs().query);
    return on(pe, symmetric("the address", address, 1, 1));
}

bool Pe::pe_is_accessible(int pe) { return query(static_cast<int>(pe >= 0 && pe < num_pes())) != 0; }

bool Pe::address_is_accessible(Address address, int pe) {
    const Address offset = without_own_id(address);
    const bool is_symmetric = job_.heap().block_around(offset) != nullptr ||
                              (offset >= job_.options().program_start && offset < guest_.program_end());
    return pe_is_accessible(pe) && is_symmetric;
}

void Pe::do_nothing() { epiphany::instructions(1); }

Address Pe::on(int pe, Address offset) { return epiphany::global_address(pe, offset); }

// The symmetric heap

void Pe::require_power_of_two(std::uint32_t alignment) const {
    if (!std::has_single_bit(alignment)) {
        fail(fmt::format("expected an alignment that is a power of two, found {}", alignment));
    }
}

Address Pe::allocate(std::uint32_t bytes, std::uint32_t alignment) {
    require_power_of_two(alignment);
    if (bytes == 0) {
        return 0;
    }
    const Collective collective = enter_all({{"size", bytes}, {"alignment", alignment}});
    epiphany::instructions(costs().heap);
    quiet();
    synchronize_all(collective);
    const std::optional<Address> block = job_.allocate(collective, bytes, std::max(alignment, Heap::kAlignment));
    job_.leave(number_, collective);
    allocation_failed_ = allocation_failed_ || !block;
    return block.value_or(0);
}

const Block& Pe::allocated(const Heap& heap, Address block) const {
    if (const Block* found = heap.block_at(block)) {
        return *found;
    }
    const Block* around = heap.block_around(block);
    std::string what = "which was never allocated";
    if (heap.was_freed(block)) {
        what = "which has been freed before";
    } else if (around != nullptr) {
        what = fmt::format("which is within the block of {} bytes at 0x{:x}", around->bytes, around->begin);
    } else if ((&heap == &private_heap_ ? job_.heap() : private_heap_).block_at(block) != nullptr) {
        what = "which is a block of the other heap";
    }
    fail(fmt::format("expected the address of a block, found 0x{:x}, {}", block, what));
}

Address Pe::allocate_zeroed(std::uint32_t count, std::uint32_t bytes) {
    const std::uint64_t all = std::uint64_t{count} * bytes;
    const Address block = all > guest_.memory_bytes() ? 0 : allocate(static_cast<std::uint32_t>(all));
    if (block != 0) {
        const std::vector<std::byte> zeros(all);
        epiphany::instructions(static_cast<int>(all / Heap::kAlignment) + 1);
        epiphany::synchronize();
        guest_.poke(block, zeros);
        // No PE may write to the block earlier.
        const Collective collective = enter_all({});
        synchronize_all(collective);
        job_.leave(number_, collective);
    }
    return block;
}

void Pe::free(Address block) {
    if (block == 0) {
        return;
    }
    const Address offset = allocated(job_.heap(), without_own_id(block)).begin;
    const Collective collective = enter_all({{"block", offset}});
    epiphany::instructions(costs().heap);
    quiet();
    synchronize_all(collective);
    job_.free(collective, offset);
    job_.leave(number_, collective);
}

Address Pe::reallocate(Address block, std::uint32_t bytes) {
    if (block == 0) {
        return allocate(bytes);
    }
    if (bytes == 0) {
        free(block);
        return 0;
    }
    const Block before = allocated(job_.heap(), without_own_id(block));
    const Collective resizing = enter_all({{"block", before.begin}, {"size", bytes}});
    epiphany::instructions(costs().heap);
    quiet();
    synchronize_all(resizing);
    const bool stays = job_.resize(resizing, before.begin, bytes);
    job_.leave(number_, resizing);
    if (stays) {
        return before.begin;
    }
    const Address moved = allocate(bytes);
    if (moved != 0) {
        copy(moved, before.begin, std::min(before.bytes, bytes));
        free(before.begin);
    }
    return moved;
}

// The private heap

Address Pe::private_low() const {
    const Address stack = std::min(guest_.stack_pointer(), guest_.memory_bytes());
    const Address below_stack = stack - std::min(stack, job_.options().stack_bytes);
    return std::min(below_stack, private_heap_.low().value_or(UINT32_MAX));
}

Address Pe::stack_limit() const { return private_heap_.high().value_or(job_.heap_end()); }

Address Pe::allocate_private(std::uint32_t bytes, std::uint32_t alignment) {
    require_power_of_two(alignment);
    job_.set_heap_start(guest_.program_end());
    epiphany::instructions(costs().heap);
    const Address stack = std::min(guest_.stack_pointer(), guest_.memory_bytes());
    if (private_heap_.blocks().empty()) {
        // The stack's depth is unknown: reserves part of the memory that the first block leaves.
        constexpr std::uint32_t kPart = 4;
        constexpr std::uint32_t kReserveBytesMax = 2048;
        const std::uint64_t taken = std::uint64_t{job_.heap_end()} + bytes;
        const auto free_bytes = static_cast<std::uint32_t>(stack > taken ? stack - taken : 0);
        stack_reserve_bytes_ = std::max(job_.options().stack_bytes, std::min(free_bytes / kPart, kReserveBytesMax));
    }
    const auto place = [&](std::uint32_t reserve_bytes) {
        const Address high = (stack - std::min(stack, reserve_bytes)) / Heap::kAlignment * Heap::kAlignment;
        return private_heap_.allocate(std::max(bytes, 1U), std::max(alignment, Heap::kAlignment), job_.heap_end(),
                                      high);
    };
    std::optional<Address> block = place(stack_reserve_bytes_);
    if (!block) {
        block = place(job_.options().stack_bytes);
    }
    allocation_failed_ = allocation_failed_ || !block;
    return block.value_or(0);
}

Address Pe::allocate_private_zeroed(std::uint32_t count, std::uint32_t bytes) {
    const std::uint64_t all = std::uint64_t{count} * bytes;
    const Address block = all > guest_.memory_bytes() ? 0 : allocate_private(static_cast<std::uint32_t>(all));
    if (block != 0) {
        epiphany::instructions(static_cast<int>(all / Heap::kAlignment) + 1);
        epiphany::synchronize();
        guest_.poke(block, std::vector<std::byte>(all));
    }
    return block;
}

void Pe::free_private(Address block) {
    epiphany::instructions(costs().heap);
    if (block != 0) {
        private_heap_.free(allocated(private_heap_, block).begin);
    }
}

Address Pe::reallocate_private(Address block, std::uint32_t bytes) {
    if (block == 0) {
        return allocate_private(bytes);
    }
    const Block before = allocated(private_heap_, block);
    if (bytes == 0) {
        free_private(block);
        return 0;
    }
    if (private_heap_.resize(block, bytes, block + Heap::aligned_up(before.bytes, Heap::kAlignment))) {
        return block;
    }
    const Address moved = allocate_private(bytes);
    if (moved != 0) {
        copy(moved, block, std::min(before.bytes, bytes));
        free_private(block);
    }
    return moved;
}

// Order

void Pe::wait_for_dma() {
    for (std::size_t channel = 0; channel < channel_was_used_.size(); ++channel) {
        if (channel_was_used_[channel]) {
            epiphany::dma_wait(static_cast<int>(channel));
            channel_was_used_[channel] = false;
        }
    }
}

/// Waits until DMA engines have sent all data. Stores to one PE, including those by DMA, then arrive in order:
/// transfers on one route cannot overtake each other.
void Pe::fence() {
    epiphany::instructions(costs().order);
    wait_for_dma();
}

/// Waits for data on the mesh, too; the paper's library waits only for DMA engines. On the chip, a core can learn that
/// its stores have arrived only by reading from each target. To match the paper's measurements, the wait takes as long
/// as the stores, and no instructions.
void Pe::quiet() {
    fence();
    epiphany::wait_for_stores(routine_);
}

// Waiting

std::uint64_t Pe::bits_at(Address address, std::uint32_t bytes) const {
    std::array<std::byte, sizeof(std::uint64_t)> value{};
    guest_.peek(address, std::span(value).first(bytes));
    return std::bit_cast<std::uint64_t>(value);
}

void Pe::spin(Address address, const std::function<bool()>& is_met, const std::string& waiting_for) {
    constexpr Address kWordBytes = 4;
    waiting_for_ = waiting_for;
    epiphany::spin_until(
        routine_, address / kWordBytes * kWordBytes,
        [&](std::uint32_t) { return is_met() || job_.exit_status().has_value(); }, waiting_for_);
    end_with_the_program();
}

void Pe::wait_until(Address address, std::uint32_t bytes, const std::function<bool(std::uint64_t)>& is_met) {
    const Address place = local("ivar", address, bytes, bytes);
    epiphany::instructions(costs().wait);
    spin(place, [&] { return is_met(bits_at(place, bytes)); }, "another PE to write there");
}

bool Pe::test(Address address, std::uint32_t bytes, const std::function<bool(std::uint64_t)>& is_met) {
    const Address place = local("ivar", address, bytes, bytes);
    epiphany::instructions(costs().wait);
    static_cast<void>(epiphany::load<std::uint8_t>(place));
    return is_met(bits_at(place, bytes));
}

// Locks

void Pe::lock_on(int pe, Address lock) {
    while (!epiphany::try_lock_mutex(on(pe, lock))) {
        end_with_the_program();
        epiphany::taken_branch();
    }
}

void Pe::set_lock(Address lock) {
    const Address offset = symmetric("lock", lock, sizeof(std::uint32_t), sizeof(std::uint32_t));
    epiphany::instructions(costs().call);
    const auto holder = job_.lock_holders().find(offset);
    if (holder != job_.lock_holders().end() && holder->second == number_) {
        fail(fmt::format("expected the lock at 0x{:x} to be held by another PE or none, found it held by this one",
                         lock));
    }
    job_.wait_for_lock(number_, offset);
    epiphany::poll_mutex(routine_, on(0, offset), [&] {
        job_.begin_to_act(number_);
        end_with_the_program();
        if (const std::optional<std::string> obstacle = job_.obstacle(number_)) {
            fail(fmt::format("expected the lock at 0x{:x} to become free, but {}", lock, *obstacle));
        }
        const bool may_skip = job_.may_skip_polls(number_, epiphany::timer());
        if (may_skip) {
            rest();
        }
        return may_skip;
    });
    job_.wait_for_lock(number_, 0);
    job_.lock_holders()[offset] = number_;
}

bool Pe::test_lock(Address lock) {
    const Address offset = symmetric("lock", lock, sizeof(std::uint32_t), sizeof(std::uint32_t));
    epiphany::instructions(costs().call);
    const bool is_taken = epiphany::try_lock_mutex(on(0, offset));
    if (is_taken) {
        job_.lock_holders()[offset] = number_;
    }
    return !is_taken;
}

void Pe::clear_lock(Address lock) {
    const Address offset = symmetric("lock", lock, sizeof(std::uint32_t), sizeof(std::uint32_t));
    epiphany::instructions(costs().call);
    const auto holder = job_.lock_holders().find(offset);
    if (holder == job_.lock_holders().end() || holder->second != number_) {
        fail(fmt::format("expected the lock at 0x{:x} to be held by this PE, found {}", lock,
                         holder == job_.lock_holders().end() ? "it free" : fmt::format("PE {}", holder->second)));
    }
    quiet();
    job_.lock_holders().erase(holder);
    epiphany::store<std::uint32_t>(on(0, offset), 0);
}

}  // namespace nocbench::shmem
