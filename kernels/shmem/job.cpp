#include "kernels/shmem/job.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_model/sim/error.h"
#include "kernels/epiphany/epiphany_api.h"
#include "kernels/shmem/pe.h"

namespace nocbench::shmem {

namespace {

std::string text_of(const ActiveSet& set) {
    return fmt::format("PE_start {}, logPE_stride {}, PE_size {}", set.start, set.log_stride, set.size);
}

}  // namespace

Job::Job(int num_pes, Options options)
    : options_(options),
      pes_(static_cast<std::size_t>(num_pes)),
      inside_(static_cast<std::size_t>(num_pes)),
      awaited_locks_(static_cast<std::size_t>(num_pes)),
      rests_since_(static_cast<std::size_t>(num_pes)) {}

void Job::add(int number, Pe& pe) { pes_[static_cast<std::size_t>(number)] = &pe; }

void Job::warn(const std::string& warning) {
    if (std::ranges::find(warnings_, warning) == warnings_.end()) {
        warnings_.push_back(warning);
    }
}

void Job::set_heap_start(Address program_end) {
    if (heap_start_ == 0) {
        heap_start_ = Heap::aligned_up(options_.heap_start != 0 ? options_.heap_start : program_end, Heap::kAlignment);
        bump_ = heap_start_;
    }
}

// Collective routines

Job::SetState& Job::state_of(const ActiveSet& set) {
    SetState& state = sets_[set];
    if (state.entered.empty()) {
        state.entered.resize(static_cast<std::size_t>(set.size));
        state.left.resize(static_cast<std::size_t>(set.size));
    }
    return state;
}

Collective Job::enter(int pe, const ActiveSet& set, const CollectiveCall& call) {
    SetState& state = state_of(set);
    Collective collective;
    collective.set_ = set;
    collective.routine_ = call.routine;
    collective.sequence_ = state.entered[static_cast<std::size_t>(set.index_of(pe))]++;
    const std::uint64_t place = collective.sequence_ - state.first_record;
    collective.is_first_ = place == state.records.size();
    if (collective.is_first_) {
        state.records.push_back({call.routine, pe, call.is_barrier_of_all, 0, {}});
    }
    Record& record = state.records[place];
    const auto found =
        std::ranges::find(record.kinds, call.routine, [](const auto& kind) { return kind.call.routine; });
    if (found != record.kinds.end()) {
        require_agreement(call, *found);
    } else if (record.kinds.empty() || (record.is_barrier_of_all && call.is_barrier_of_all)) {
        record.kinds.push_back({call, pe, std::nullopt});
    } else {
        throw KernelError(fmt::format("{}: expected all PEs of the active set in one routine, found PE {} in {}",
                                      call.routine, record.first_pe, record.routine));
    }
    require_no_circle(pe, set, call);
    inside_[static_cast<std::size_t>(pe)] = {set, call.routine, call.waits_for_all};
    return collective;
}

void Job::require_agreement(const CollectiveCall& call, const Record::Kind& other) {
    // A routine may have several agreed values, or none for some arguments.
    if (!std::ranges::equal(call.agreed, other.call.agreed, {}, &CollectiveCall::Agreed::name,
                            &CollectiveCall::Agreed::name)) {
        throw KernelError(fmt::format("{}: expected the same arguments on all PEs, found others on PE {}", call.routine,
                                      other.first_pe));
    }
    for (std::size_t index = 0; index < call.agreed.size(); ++index) {
        const CollectiveCall::Agreed& here = call.agreed[index];
        const CollectiveCall::Agreed& there = other.call.agreed[index];
        if (here.value != there.value) {
            throw KernelError(fmt::format("{}: expected the same {} on all PEs, found 0x{:x}, and 0x{:x} on PE {}",
                                          call.routine, here.name, here.value, there.value, other.first_pe));
        }
    }
}

bool Job::has_to_enter(const ActiveSet& set, int waiting, int other) const {
    const SetState& state = sets_.at(set);
    return state.entered[static_cast<std::size_t>(set.index_of(other))] <
           state.entered[static_cast<std::size_t>(set.index_of(waiting))];
}

/// Detects deadlock: two PEs, both members of two active sets, each in a routine of a different set.
void Job::require_no_circle(int pe, const ActiveSet& set, const CollectiveCall& call) const {
    for (int index = 0; call.waits_for_all && index < set.size; ++index) {
        const int other = set.pe(index);
        const std::optional<Inside>& inside = inside_[static_cast<std::size_t>(other)];
        if (inside && inside->waits_for_all && inside->set != set && inside->set.index_of(pe) >= 0 &&
            has_to_enter(set, pe, other) && has_to_enter(inside->set, other, pe)) {
            throw KernelError(
                fmt::format("{}: expected PE {} to enter it too, with {}, found it in {} with {}, waiting for this PE",
                            call.routine, other, text_of(set), inside->routine, text_of(inside->set)));
        }
    }
}

void Job::leave(int pe, const Collective& collective) {
    inside_[static_cast<std::size_t>(pe)].reset();
    SetState& state = state_of(collective.set_);
    ++state.left[static_cast<std::size_t>(collective.set_.index_of(pe))];
    ++state.records[collective.sequence_ - state.first_record].members_left;
    while (!state.records.empty() && state.records.front().members_left == collective.set_.size) {
        state.records.pop_front();
        ++state.first_record;
    }
}

bool Job::has_left(const Collective& collective, int index, std::uint64_t before) const {
    return sets_.at(collective.set_).left[static_cast<std::size_t>(index)] + before > collective.sequence_;
}

// Locks

void Job::begin_to_act(int pe) {
    if (!std::exchange(rests_since_[static_cast<std::size_t>(pe)], std::nullopt).has_value()) {
        return;
    }
    for (const auto& [lock, holder] : lock_holders_) {
        if (holder != pe) {
            continue;
        }
        for (std::size_t other = 0; other < awaited_locks_.size(); ++other) {
            if (awaited_locks_[other] == lock) {
                epiphany::wake(static_cast<int>(other));
            }
        }
    }
}

bool Job::may_skip_polls(int pe, std::uint64_t now) const {
    constexpr std::uint64_t kPolledCycles = 2000;  // polls contend with short critical sections
    const auto held = lock_holders_.find(awaited_locks_[static_cast<std::size_t>(pe)]);
    if (!options_.skips_lock_polls || held == lock_holders_.end()) {
        return false;
    }
    const std::optional<std::uint64_t>& since = rests_since_[static_cast<std::size_t>(held->second)];
    return since.has_value() && now >= *since + kPolledCycles;
}

std::optional<std::string> Job::obstacle(int pe) const {
    int waiting = pe;
    for (int links = 0; links < num_pes(); ++links) {
        const auto held = lock_holders_.find(awaited_locks_[static_cast<std::size_t>(waiting)]);
        if (held == lock_holders_.end()) {
            return std::nullopt;
        }
        const int holder = held->second;
        const std::optional<Inside>& inside = inside_[static_cast<std::size_t>(holder)];
        if (has_ended(holder)) {
            return fmt::format("PE {} has ended with the lock at 0x{:x}", holder, held->first);
        }
        if (inside && inside->waits_for_all && inside->set.index_of(pe) >= 0 && has_to_enter(inside->set, holder, pe)) {
            return fmt::format("PE {} holds the lock at 0x{:x} in {}, where it waits for this PE", holder, held->first,
                               inside->routine);
        }
        if (holder == pe) {
            return fmt::format("PE {} waits for the lock at 0x{:x}, which this PE holds", waiting, held->first);
        }
        waiting = holder;
    }
    return std::nullopt;
}

// The heap

Job::Record::Kind& Job::kind_of(const Collective& collective) {
    SetState& state = state_of(collective.set_);
    std::vector<Record::Kind>& kinds = state.records[collective.sequence_ - state.first_record].kinds;
    return *std::ranges::find(kinds, collective.routine_, [](const auto& kind) { return kind.call.routine; });
}

Address Job::heap_limit() const {
    Address limit = UINT32_MAX;
    for (const Pe* pe : pes_) {
        if (pe != nullptr) {
            limit = std::min(limit, pe->private_low());
        }
    }
    return limit;
}

std::optional<Address> Job::allocate(const Collective& collective, std::uint32_t bytes, std::uint32_t alignment) {
    std::optional<std::optional<Address>>& result = kind_of(collective).result;
    if (!result) {
        result =
            options_.bump_heap ? bump(bytes, alignment) : heap_.allocate(bytes, alignment, heap_start_, heap_limit());
    }
    return *result;
}

std::optional<Address> Job::bump(std::uint32_t bytes, std::uint32_t alignment) {
    const Address begin = Heap::aligned_up(bump_, alignment);
    const Address limit = heap_limit();
    if (begin > limit || bytes > limit - begin) {
        return std::nullopt;
    }
    if (const std::optional<Block> freed = std::exchange(freed_out_of_order_, std::nullopt)) {
        warnings_.push_back(
            fmt::format("a block of {} bytes was allocated at 0x{:x} after the one of {} bytes at 0x{:x} had been "
                        "freed, which was not the last one: with a heap that is a pointer only, what lies behind it "
                        "is overwritten",
                        bytes, begin, freed->bytes, freed->begin));
    }
    bump_ = Heap::aligned_up(begin + bytes, Heap::kAlignment);
    heap_.place(begin, bytes);
    return begin;
}

void Job::free(const Collective& collective, Address block) {
    std::optional<std::optional<Address>>& result = kind_of(collective).result;
    if (result) {
        return;
    }
    result = block;
    if (options_.bump_heap) {
        if (heap_.blocks().rbegin()->first != block) {
            freed_out_of_order_ = *heap_.block_at(block);
        }
        bump_ = block;
    }
    heap_.free(block);
}

bool Job::resize(const Collective& collective, Address block, std::uint32_t bytes) {
    std::optional<std::optional<Address>>& result = kind_of(collective).result;
    if (!result) {
        const bool is_last = heap_.blocks().rbegin()->first == block;
        result = heap_.resize(block, bytes, heap_limit()) ? std::optional(block) : std::nullopt;
        if (*result && is_last) {
            bump_ = Heap::aligned_up(block + bytes, Heap::kAlignment);
        }
    }
    return result->has_value();
}

}  // namespace nocbench::shmem
