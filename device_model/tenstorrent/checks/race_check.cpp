#include "device_model/tenstorrent/checks/race_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>

#include "device_model/tenstorrent/checks/access_site.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/risc.h"

namespace nocbench {

namespace {

constexpr std::uint64_t kWordBytes = 4;

std::uint64_t word_of(std::uint64_t address) { return address / kWordBytes * kWordBytes; }

std::uint64_t line_of(std::uint64_t address) { return address - address % riscv::DataCache::kLineBytes; }

VectorClock::Pointer empty_clock() {
    static const auto clock = std::make_shared<const VectorClock>();
    return clock;
}

}  // namespace

void RaceCheck::runs(const Risc& risc, const riscv::Code& code, Where where) {
    Agent& mine = agent(risc);
    mine.polling_loads = &polling_loads_.try_emplace(&code, code).first->second;
    mine.where = std::move(where);
    mine.has_ended = false;
}

RaceCheck::Agent& RaceCheck::agent(const Risc& risc) {
    const std::uint32_t index = risc.identity().index;
    while (agents_.size() <= index) {
        agents_.emplace_back().now = {{new_strand(), 1}, empty_clock()};
    }
    return agents_[index];
}

StrandTime RaceCheck::next(Niu& niu, Wait wait, std::uint8_t id) {
    StrandTime& last = niu.waits[static_cast<std::size_t>(wait)][id];
    if (last.time == 0) {
        last.strand = new_strand();
    }
    ++last.time;
    return last;
}

StrandTime RaceCheck::next_on_path(const Transaction& transaction) {
    if (transaction.is_dynamic) {
        return {};
    }
    constexpr unsigned kSourceBit = 16;
    constexpr unsigned kTreeBit = 32;
    constexpr unsigned kChannelBit = 56;
    constexpr unsigned kNocBit = 60;
    const bool is_multicast = transaction.tree != kNoTree;
    const std::uint64_t target =
        is_multicast ? (std::uint64_t{transaction.tree} + 1) << kTreeBit : transaction.responder;
    const std::uint64_t path = target | std::uint64_t{transaction.requestor} << kSourceBit |
                               std::uint64_t{transaction.software_virtual_channel} << kChannelBit |
                               std::uint64_t{transaction.noc} << kNocBit;
    const auto [entry, is_new] = paths_.try_emplace(path);
    if (is_new) {
        entry->second.strand = new_strand();
    }
    ++entry->second.time;
    return entry->second;
}

void RaceCheck::learn(Agent& agent, const Niu& niu, Wait wait, std::optional<std::uint8_t> id) {
    std::vector<StrandTime> steps;
    const auto& strands = niu.waits[static_cast<std::size_t>(wait)];
    for (std::uint8_t one = 0; one < kNumTransactionIds; ++one) {
        if (strands[one].time != 0 && id.value_or(one) == one) {
            steps.push_back(strands[one]);
        }
    }
    agent.now.clock = VectorClock::with(agent.now.clock, steps);
}

std::uint32_t RaceCheck::memory_of(NodeIndex node) const {
    const int group = state_.dram_group_of_node[node];
    return group >= 0 ? static_cast<std::uint32_t>(state_.grid.num_nodes() + group) : node;
}

bool RaceCheck::is_signal(std::uint32_t memory, std::uint64_t address) const {
    const auto found = signals_.find(memory);
    return found != signals_.end() && found->second.contains(word_of(address));
}

void RaceCheck::mark_signal(std::uint32_t memory, std::uint64_t address) { signals_[memory].insert(word_of(address)); }

VectorClock::Pointer RaceCheck::clock_of_signal(NodeIndex node, std::uint64_t address) {
    const std::uint32_t memory = memory_of(node);
    const std::uint64_t word = word_of(address);
    const auto found = incremented_.find({memory, word});
    VectorClock::Pointer clock = found == incremented_.end() ? empty_clock() : found->second;
    memories_[memory].for_each(word, word + kWordBytes, [&](std::uint64_t, std::uint64_t, ShadowMemory::Cell& cell) {
        if (cell.visible <= kOfHost) {
            return;
        }
        const Access& writer = accesses_[cell.visible];
        const Moment& moment = writer.begun != 0 ? begun_[writer.begun].moment : writer.moment;
        clock = with_moment(clock, moment, begun_[writer.begun].path);
    });
    return clock;
}

AccessIndex RaceCheck::add(Access access) {
    if (free_accesses_.empty()) {
        accesses_.push_back(std::move(access));
        return static_cast<AccessIndex>(accesses_.size() - 1);
    }
    const AccessIndex index = free_accesses_.back();
    free_accesses_.pop_back();
    accesses_[index] = std::move(access);
    return index;
}

void RaceCheck::forget() {
    if (!free_accesses_.empty() || accesses_.size() < num_accesses_max_) {
        return;
    }
    std::vector<bool> has_access(accesses_.size());
    std::vector<bool> has_begun(begun_.size());
    has_access[0] = has_access[kOfHost] = has_begun[0] = true;
    for (const auto& [memory, shadow] : memories_) {
        shadow.for_each_cell([&](const ShadowMemory::Cell& cell) {
            has_access[cell.write] = has_access[cell.visible] = true;
            for (const AccessIndex index : cell.reads) {
                has_access[index] = true;
            }
        });
    }
    for (const Agent& one : agents_) {
        has_access[one.last_load] = has_access[one.last_store] = true;
    }
    for (const Pair* pair : order_) {
        for (const std::uint32_t index : pair->overwritten) {
            has_begun[index] = true;
        }
    }
    state_.transactions.for_each_in_use([&](const Transaction& transaction) {
        const Begun& begun = begun_[transaction.checked_as];
        has_begun[transaction.checked_as] = has_access[begun.destination] = true;
        for (const Clash& clash : begun.sources) {
            has_access[clash.before] = true;
        }
    });
    for (const AccessIndex index :
         last_open([this](const Access& access) { return agents_[access.site.risc].now.is_after(access.done); })) {
        has_access[index] = true;
    }
    for (AccessIndex index = kOfHost + 1; index < accesses_.size(); ++index) {
        Access& access = accesses_[index];
        if (has_access[index]) {
            has_begun[access.begun] = true;
        } else {
            access = {};
            free_accesses_.push_back(index);
        }
    }
    free_begun_.clear();
    for (std::uint32_t index = 1; index < begun_.size(); ++index) {
        if (!has_begun[index]) {
            begun_[index] = {};
            free_begun_.push_back(index);
        }
    }
    if (free_accesses_.size() < accesses_.size() / 2) {
        num_accesses_max_ = 2 * accesses_.size();
    }
}

template <class IsOver>
std::vector<AccessIndex> RaceCheck::last_open(const IsOver& is_over) const {
    std::map<std::tuple<Strand, std::uint32_t, Strand>, AccessIndex> last;
    for (AccessIndex index = kOfHost + 1; index < accesses_.size(); ++index) {
        const Access& access = accesses_[index];
        if (call_at_end(access) != nullptr && !is_over(access)) {
            const Strand path = begun_[access.begun].path.strand;
            AccessIndex& kept = last[{access.done.strand, access.site.program_counter, path}];
            if (kept == 0 || accesses_[kept].done.time < access.done.time) {
                kept = index;
            }
        }
    }
    std::vector<AccessIndex> indexes;
    std::ranges::copy(std::views::values(last), std::back_inserter(indexes));
    return indexes;
}

const char* RaceCheck::call_at_end(const Access& access) {
    const AccessSite& site = access.site;
    switch (site.kind) {
        case AccessKind::destination_of_read:
            return "noc_async_read_barrier()";
        case AccessKind::atomic:
            return site.posted ? nullptr : "noc_async_atomic_barrier()";
        case AccessKind::destination_of_write:
            return site.posted ? nullptr : "noc_async_write_barrier()";
        case AccessKind::source_of_write:
            return site.posted ? "noc_async_posted_writes_flushed()" : nullptr;
        default:
            return nullptr;
    }
}

AccessIndex RaceCheck::access_of(const Risc& risc, AccessKind kind, AccessIndex& last) {
    const Moment& now = agent(risc).now;
    const Access& before = accesses_[last];
    if (last == 0 || before.site.program_counter != risc.program_counter() || before.done.time != now.own.time ||
        before.moment.clock != now.clock) {
        last = add({site_of(risc, kind), now.own, 0, now});
    }
    return last;
}

bool RaceCheck::has_changed(const Access& access, NodeIndex node) const {
    return std::ranges::find(begun_[access.begun].changed, node) != begun_[access.begun].changed.end();
}

bool RaceCheck::is_ordered(const Access& before, const Access& after, const Moment& moment) const {
    if (before.done.time != 0 && moment.is_after(before.done)) {
        return true;
    }
    const AccessKind kind = before.site.kind;
    const StrandTime path = begun_[before.begun].path;
    if (path.time == 0 || kind == AccessKind::source_of_read || kind == AccessKind::destination_of_read) {
        return false;
    }
    if (moment.clock->knows(path)) {
        return true;
    }
    const StrandTime path_after = begun_[after.begun].path;
    return path_after.time != 0 && path_after.strand == path.strand &&
           (after.site.kind == AccessKind::destination_of_write || after.site.kind == AccessKind::atomic ||
            after.site.kind == AccessKind::source_of_read);
}

void RaceCheck::check(AccessIndex before, AccessIndex after, const Moment& moment, NodeIndex node, std::uint64_t begin,
                      std::uint64_t end) {
    const Access& first = accesses_[before];
    const Access& second = accesses_[after];
    const bool commute = first.site.kind == AccessKind::atomic
                             ? second.site.kind == AccessKind::atomic
                             : first.site.writes() && second.site.writes() && begun_[first.begun].origin.has_value() &&
                                   begun_[first.begun].origin == begun_[second.begun].origin;
    if (!finds_races_ || before <= kOfHost || commute || (first.begun != 0 && first.begun == second.begun) ||
        is_ordered(first, second, moment)) {
        return;
    }
    Pair& pair = pair_of(first.site, second.site);
    Finding& finding = pair.finding;
    if (++finding.count == 1) {
        finding.node = node;
        finding.begin = begin;
        finding.end = end;
        finding.is_signal = is_signal(memory_of(node), begin) && end - begin <= kWordBytes;
    }
    const bool second_takes =
        second.site.kind == AccessKind::source_of_write || second.site.kind == AccessKind::source_of_read;
    if (!first.site.writes() && first.begun != 0) {
        pair.overwritten.push_back(first.begun);
    } else if (first.begun != 0 && !has_changed(first, node)) {
        if (second_takes) {
            begun_[second.begun].sources.push_back({before, node, &pair});
        } else {
            finding.happened = finding.happened || second.begun == 0;
        }
    }
}

void RaceCheck::given(NodeIndex node, std::uint64_t address, std::size_t bytes) {
    memories_[memory_of(node)].for_each(address, address + bytes,
                                        [](std::uint64_t, std::uint64_t, ShadowMemory::Cell& cell) {
                                            cell.write = kOfHost;
                                            cell.visible = kOfHost;
                                        });
}

void RaceCheck::require_written(const ShadowMemory::Cell& cell, AccessIndex access, NodeIndex node, std::uint64_t begin,
                                std::uint64_t end) {
    // Below are arguments, which TileBus checks, and code.
    const auto first_semaphore = static_cast<std::uint64_t>(state_.architecture.l1.reserved_bytes) - kSemaphoresBytes;
    const bool is_reserved = state_.memory_kind_of_node[node] == MemoryKind::l1 && begin < first_semaphore;
    const bool is_host = state_.memory_kind_of_node[node] == MemoryKind::host;
    if (!finds_uninitialized_ || cell.write != 0 || is_reserved || is_host) {
        return;
    }
    const AccessSite& site = accesses_[access].site;
    AccessSite nobody = site;
    nobody.program_counter = ~std::uint32_t{0};
    Finding& finding = pair_of(nobody, site).finding;
    if (++finding.count == 1) {
        finding.check = Check::initialization;
        finding.text = "bytes are read that nobody has written";
        finding.first.reset();
        finding.node = node;
        finding.begin = begin;
        finding.end = end;
        finding.happened = true;
    }
}

void RaceCheck::require_written(AccessIndex access, NodeIndex node, std::uint64_t address, std::size_t bytes) {
    memories_[memory_of(node)].for_each(address, address + bytes,
                                        [&](std::uint64_t begin, std::uint64_t end, const ShadowMemory::Cell& cell) {
                                            require_written(cell, access, node, begin, end);
                                        });
}

RaceCheck::Pair& RaceCheck::pair_of(const AccessSite& first, const AccessSite& second) {
    const auto kernel_of = [this](const AccessSite& site) -> const std::string& {
        return state_.riscs[site.risc]->identity().kernel;
    };
    const auto [entry, is_new] = pairs_.try_emplace(
        {first.kind, first.program_counter, kernel_of(first), second.kind, second.program_counter, kernel_of(second)});
    if (is_new) {
        order_.push_back(&entry->second);
        entry->second.finding.first = first;
        entry->second.finding.second = second;
    }
    return entry->second;
}

std::uint64_t RaceCheck::read(NodeIndex node, std::uint64_t address, std::size_t bytes, AccessIndex access,
                              const Moment& moment) {
    constexpr std::uint64_t kOddNumber = 0x9E3779B97F4A7C15;
    std::uint64_t version = 0;
    AccessIndex last = 0;
    memories_[memory_of(node)].for_each(
        address, address + bytes, [&](std::uint64_t begin, std::uint64_t end, ShadowMemory::Cell& cell) {
            check(cell.write, access, moment, node, begin, end);
            require_written(cell, access, node, begin, end);
            if (std::exchange(last, cell.write) != cell.write) {
                // The index alone may come again for a later write.
                version = (version * kOddNumber + cell.write) * kOddNumber +
                          static_cast<std::uint64_t>(accesses_[cell.write].site.tick);
            }
            const Strand strand = accesses_[access].done.strand;
            const auto same = std::ranges::find(cell.reads, strand,
                                                [this](AccessIndex index) { return accesses_[index].done.strand; });
            if (same == cell.reads.end()) {
                cell.reads.push_back(access);
            } else {
                *same = access;
            }
        });
    return version;
}

void RaceCheck::write(NodeIndex node, std::uint64_t address, std::size_t bytes, AccessIndex access,
                      const Moment& moment) {
    const auto is_other_increment = [this, access](AccessIndex earlier) {
        const Access& one = accesses_[earlier];
        const Access& other = accesses_[access];
        return one.site.kind == AccessKind::atomic && other.site.kind == AccessKind::atomic &&
               one.done.strand != other.done.strand;
    };
    const auto write_cell = [&](std::uint64_t begin, std::uint64_t end, ShadowMemory::Cell& cell) {
        cell.reads.insert(cell.reads.begin(), cell.write);
        for (const AccessIndex earlier : cell.reads) {
            check(earlier, access, moment, node, begin, end);
        }
        // Increments of others come in any order, so that a later write must be after all of them.
        std::erase_if(cell.reads, [&](AccessIndex earlier) { return !is_other_increment(earlier); });
        cell.write = access;
    };
    memories_[memory_of(node)].for_each(address, address + bytes, write_cell);
}

void RaceCheck::loaded(const Risc& risc, std::uint64_t address, std::size_t bytes) {
    const NodeIndex node = risc.identity().node;
    const std::uint32_t memory = memory_of(node);
    Agent& mine = agent(risc);
    forget();
    if (mine.polling_loads->has(risc.program_counter())) {
        mark_signal(memory, address);
    }
    if (is_signal(memory, address)) {
        mine.now.clock = VectorClock::joined(mine.now.clock, clock_of_signal(node, address));
        if (finds_uninitialized_) {
            require_written(access_of(risc, AccessKind::load, mine.last_load), node, address, bytes);
        }
        return;
    }
    if (const auto copied = copied_.find({memory, word_of(address)}); copied != copied_.end()) {
        mine.now.clock = VectorClock::joined(mine.now.clock, copied->second);
    }
    read(node, address, bytes, access_of(risc, AccessKind::load, mine.last_load), mine.now);
}

void RaceCheck::filled_line(const Risc& risc, std::uint64_t address) {
    Agent& mine = agent(risc);
    std::ranges::move_backward(mine.filled.begin(), std::prev(mine.filled.end()), mine.filled.end());
    mine.filled.front() = {line_of(address), mine.now};
}

const Moment* RaceCheck::filled_at(const Agent& agent, std::uint64_t address) {
    const auto* const line = std::ranges::find(agent.filled, line_of(address), &FilledLine::address);
    return line == agent.filled.end() ? nullptr : &line->moment;
}

template <class Act>
void RaceCheck::for_each_change(const ShadowMemory::Cell& cell, NodeIndex node, std::uint64_t address,
                                const Act& act) const {
    if (cell.visible > kOfHost) {
        act(cell.visible);
    }
    if (!incremented_.contains({memory_of(node), word_of(address)})) {
        return;
    }
    const auto act_if_incremented = [&](AccessIndex index) {
        const Access& access = accesses_[index];
        if (access.site.kind == AccessKind::atomic && has_changed(access, node)) {
            act(index);
        }
    };
    act_if_incremented(cell.write);
    std::ranges::for_each(cell.reads, act_if_incremented);
}

void RaceCheck::loaded_from_cache(const Risc& risc, std::uint64_t address, std::span<const std::byte> value) {
    const NodeIndex node = risc.identity().node;
    Agent& mine = agent(risc);
    forget();
    const bool waits = is_signal(memory_of(node), address);
    if (!waits) {
        read(node, address, value.size(), access_of(risc, AccessKind::load, mine.last_load), mine.now);
    }
    const Moment* const filled = filled_at(mine, address);
    if (!finds_races_ || filled == nullptr) {
        return;
    }
    const bool is_stale = !same_bytes(node, address, value);
    const auto check_change = [&](AccessIndex change, std::uint64_t begin, std::uint64_t end) {
        const Access& before = accesses_[change];
        const bool is_own_store = before.site.kind == AccessKind::store && before.site.risc == risc.identity().index;
        // Of changes that may come after the load, those of a signal alone are no race by themselves.
        const bool must_be_seen = is_ordered(before, {}, mine.now) || (waits && is_stale);
        if (is_own_store || !must_be_seen || is_ordered(before, {}, *filled)) {
            return;
        }
        Finding& finding = pair_of(before.site, site_of(risc, AccessKind::cached_load)).finding;
        if (++finding.count == 1) {
            finding.node = node;
            finding.begin = begin;
            finding.end = end;
            finding.is_signal = waits;
        }
        finding.happened = finding.happened || is_stale;
    };
    memories_[memory_of(node)].for_each(
        address, address + value.size(), [&](std::uint64_t begin, std::uint64_t end, const ShadowMemory::Cell& cell) {
            for_each_change(cell, node, address, [&](AccessIndex change) { check_change(change, begin, end); });
        });
}

void RaceCheck::stored(const Risc& risc, std::uint64_t address, std::span<const std::byte> bytes) {
    const NodeIndex node = risc.identity().node;
    const std::uint32_t memory = memory_of(node);
    Agent& mine = agent(risc);
    forget();
    const AccessIndex access = access_of(risc, AccessKind::store, mine.last_store);
    ShadowMemory& shadow = memories_[memory];
    if (same_bytes(node, address, bytes)) {
        // Reads of these bytes find the same in either order, but a write on its way may be lost.
        shadow.for_each(address, address + bytes.size(),
                        [&](std::uint64_t begin, std::uint64_t end, ShadowMemory::Cell& cell) {
                            cell.write = cell.write == 0 ? access : cell.write;
                            const Access& before = accesses_[cell.write];
                            if (before.begun != 0 && !has_changed(before, node)) {
                                check(cell.write, access, mine.now, node, begin, end);
                            }
                        });
    } else {
        write(node, address, bytes.size(), access, mine.now);
    }
    shadow.for_each(address, address + bytes.size(),
                    [&](std::uint64_t, std::uint64_t, ShadowMemory::Cell& cell) { cell.visible = access; });
    if (is_signal(memory, address)) {
        incremented_.erase({memory, word_of(address)});
        release(mine);
    }
}

bool RaceCheck::same_bytes(NodeIndex node, std::uint64_t address, std::span<const std::byte> bytes) const {
    std::array<std::byte, 64> present{};  // at a time
    for (std::size_t begin = 0; begin < bytes.size(); begin += present.size()) {
        const auto now = std::span(present).first(std::min(present.size(), bytes.size() - begin));
        state_.memory(node).read(address + begin, now);
        if (!std::ranges::equal(now, bytes.subspan(begin, now.size()))) {
            return false;
        }
    }
    return true;
}

void RaceCheck::loaded_stream(const Risc& risc, std::uint32_t offset) {
    if (const auto found = streams_.find({risc.identity().node, offset}); found != streams_.end()) {
        takes(risc, found->second);
    }
}

void RaceCheck::stored_stream(const Risc& risc, std::uint32_t offset) {
    streams_[{risc.identity().node, offset}] = hands_on(risc);
}

Moment RaceCheck::hands_on(const Risc& risc) {
    Agent& mine = agent(risc);
    Moment moment = mine.now;
    release(mine);
    return moment;
}

void RaceCheck::takes(const Risc& risc, const Moment& handed_on) {
    if (Moment& now = agent(risc).now; !now.is_after(handed_on.own)) {
        now.clock = with_moment(now.clock, handed_on);
    }
}

void RaceCheck::loaded_counter(const Risc& risc, int noc, std::uint32_t index, std::uint32_t value) {
    const Niu& niu = nius_[{risc.identity().node, noc}];
    Agent& mine = agent(risc);
    const auto learn_if = [&](bool is_complete, std::initializer_list<Wait> waits,
                              std::optional<std::uint8_t> id = std::nullopt) {
        for (const Wait wait : waits) {
            if (is_complete) {
                learn(mine, niu, wait, id);
            }
        }
    };
    switch (index) {
        case NiuCounterIndex::kAtomicsCompleted:
            learn_if(value == niu.atomics, {Wait::atomic});
            return;
        case NiuCounterIndex::kWritesAcknowledged:
            learn_if(value == niu.acknowledgements, {Wait::acknowledged, Wait::left});
            return;
        case NiuCounterIndex::kReadsCompleted:
            learn_if(value == niu.reads, {Wait::read});
            return;
        case NiuCounterIndex::kWritesSent:
            learn_if(value == niu.writes, {Wait::left});
            return;
        case NiuCounterIndex::kPostedWritesSent:
            learn_if(value == niu.posted_writes, {Wait::posted_left});
            return;
        default:
            break;
    }
    const std::uint32_t outstanding = index - NiuCounterIndex::kFirstOutstanding;
    const std::uint32_t outgoing = index - NiuCounterIndex::kFirstOutgoing;
    if (outstanding < kNumTransactionIds) {
        learn_if(value == 0, {Wait::read, Wait::acknowledged, Wait::left, Wait::atomic},
                 static_cast<std::uint8_t>(outstanding));
    } else if (outgoing < kNumTransactionIds) {
        learn_if(value == 0, {Wait::left, Wait::posted_left}, static_cast<std::uint8_t>(outgoing));
    }
}

void RaceCheck::began(const Risc& risc, Transaction& transaction) {
    Agent& mine = agent(risc);
    if (mine.polling_loads == nullptr) {
        return;
    }
    Niu& niu = nius_[{transaction.requestor, transaction.noc}];
    const bool is_multicast = transaction.tree != kNoTree;
    const bool is_read = transaction.kind == TransactionKind::read;
    const bool is_atomic = transaction.kind == TransactionKind::atomic_increment;
    const std::uint32_t answers = is_multicast ? transaction.num_receivers : 1;
    const std::uint8_t id = transaction.id;
    forget();
    if (free_begun_.empty()) {
        free_begun_.push_back(static_cast<std::uint32_t>(begun_.size()));
        begun_.emplace_back();
    }
    transaction.checked_as = free_begun_.back();
    free_begun_.pop_back();
    Begun& begun = begun_[transaction.checked_as];
    begun.moment = mine.now;
    begun.path = next_on_path(transaction);

    AccessSite site = site_of(risc, transaction);
    const auto access = [&](AccessKind kind, StrandTime done) {
        site.kind = kind;
        return add({site, done, transaction.checked_as, {}});
    };
    const auto write_one = [&](NodeIndex node, std::uint64_t address, std::size_t bytes, AccessIndex destination) {
        const std::uint32_t memory = memory_of(node);
        const std::optional<Origin>& origin = begun_[transaction.checked_as].origin;
        if (origin.has_value() && origin->memory == memory && origin->displacement == 0) {
            return;  // the bytes that are there, as a multicast to its own source writes them
        }
        if (!is_read && bytes <= kWordBytes && state_.memory_kind_of_node[node] == MemoryKind::l1) {
            mark_signal(memory, address);
        }
        if (is_atomic && finds_uninitialized_) {
            require_written(destination, node, address, bytes);
        }
        write(node, address, bytes, destination, mine.now);
    };
    const auto write_all = [&](AccessKind kind, StrandTime done, std::size_t bytes) {
        const AccessIndex destination = access(kind, done);
        begun_[transaction.checked_as].destination = destination;
        if (is_multicast) {
            const MulticastTrees& trees = state_.interfaces[transaction.noc]->multicast_trees();
            for (const NodeIndex node : trees[transaction.tree].receivers) {
                write_one(node, transaction.responder_address, bytes, destination);
            }
        } else {
            write_one(transaction.responder, transaction.responder_address, bytes, destination);
        }
    };
    if (is_read) {
        ++niu.reads;
        const StrandTime done = next(niu, Wait::read, id);
        const std::uint32_t memory = memory_of(transaction.responder);
        if (transaction.bytes > kWordBytes || !is_signal(memory, transaction.responder_address)) {
            const std::uint64_t version = read(transaction.responder, transaction.responder_address, transaction.bytes,
                                               access(AccessKind::source_of_read, done), mine.now);
            begun_[transaction.checked_as].origin =
                Origin{memory, transaction.responder_address - transaction.requestor_address, version};
        }
        const AccessIndex destination = access(AccessKind::destination_of_read, done);
        begun_[transaction.checked_as].destination = destination;
        write_one(transaction.requestor, transaction.requestor_address, transaction.bytes, destination);
    } else if (is_atomic) {
        niu.atomics += transaction.posted ? 0 : answers;
        write_all(AccessKind::atomic, transaction.posted ? StrandTime{} : next(niu, Wait::atomic, id), kWordBytes);
    } else {
        ++(transaction.posted ? niu.posted_writes : niu.writes);
        niu.acknowledgements += transaction.posted ? 0 : answers;
        std::optional<Origin>& origin = begun_[transaction.checked_as].origin;
        if (transaction.has_inline_data) {
            origin = Origin{~std::uint32_t{0}, 0, transaction.operand};  // no memory
        } else {
            const StrandTime left = next(niu, transaction.posted ? Wait::posted_left : Wait::left, id);
            const std::uint64_t version = read(transaction.requestor, transaction.requestor_address, transaction.bytes,
                                               access(AccessKind::source_of_write, left), mine.now);
            origin = Origin{memory_of(transaction.requestor),
                            transaction.requestor_address - transaction.responder_address, version};
        }
        write_all(AccessKind::destination_of_write,
                  transaction.posted ? StrandTime{} : next(niu, Wait::acknowledged, id), transaction.bytes);
    }
    release(mine);
}

void RaceCheck::changes_memory(const Transaction& transaction, NodeIndex node) {
    if (transaction.checked_as == 0) {
        return;
    }
    Begun& begun = begun_[transaction.checked_as];
    const std::uint32_t memory = memory_of(node);
    if (transaction.kind == TransactionKind::atomic_increment) {
        VectorClock::Pointer& clock =
            incremented_.try_emplace({memory, transaction.responder_address}, empty_clock()).first->second;
        clock = with_moment(clock, begun.moment, begun.path);
        begun.changed.push_back(node);
        return;
    }
    const bool is_read = transaction.kind == TransactionKind::read;
    const std::uint64_t address = is_read ? transaction.requestor_address : transaction.responder_address;
    const std::uint64_t end = address + transaction.bytes;
    begun.changed.push_back(node);
    memories_[memory].for_each(address, end, [&](std::uint64_t, std::uint64_t, ShadowMemory::Cell& cell) {
        cell.visible = begun.destination;
    });
    incremented_.erase(incremented_.lower_bound({memory, address}), incremented_.lower_bound({memory, end}));
    copied_.erase(copied_.lower_bound({memory, address}), copied_.lower_bound({memory, end}));
    if (is_read && transaction.bytes <= kWordBytes &&
        is_signal(memory_of(transaction.responder), transaction.responder_address)) {
        copied_[{memory, word_of(address)}] = clock_of_signal(transaction.responder, transaction.responder_address);
    }
}

void RaceCheck::source_changed(const Transaction& transaction, bool after_some, bool before_some) {
    Begun& begun = begun_[transaction.checked_as];
    begun.carried_changed_bytes = begun.carried_changed_bytes || before_some;
    if (after_some) {
        source_left(transaction);
    }
}

void RaceCheck::source_left(const Transaction& transaction) {
    for (const Clash& clash : begun_[transaction.checked_as].sources) {
        if (!has_changed(accesses_[clash.before], clash.node)) {
            clash.pair->finding.happened = true;
        }
    }
}

std::vector<Finding> RaceCheck::open_ends() const {
    const auto has_run = [](const Agent& agent) { return agent.polling_loads != nullptr; };
    if (!finds_races_ ||
        std::ranges::any_of(agents_, [&](const Agent& one) { return has_run(one) && !one.has_ended; })) {
        return {};
    }
    // The host reads results and starts the next program once all kernels have ended: it is after all that they know.
    Moment host{{num_strands_, 1}, empty_clock()};
    for (const Agent& one : agents_) {
        host.clock = with_moment(host.clock, one.now);
    }
    std::map<std::tuple<std::string, std::uint32_t, AccessKind>, Finding> found;
    for (const AccessIndex index : last_open([&](const Access& access) { return is_ordered(access, {}, host); })) {
        const Access& access = accesses_[index];
        const Processor::Identity& identity = state_.riscs[access.site.risc]->identity();
        Finding& finding = found[{identity.kernel, access.site.program_counter, access.site.kind}];
        if (++finding.count == 1) {
            finding.text =
                fmt::format("the program may end before this is over: expected {} before the end", call_at_end(access));
            finding.second = access.site;
            finding.node = identity.node;
        }
    }
    std::vector<Finding> findings;
    std::ranges::copy(std::views::values(found), std::back_inserter(findings));
    return findings;
}

std::vector<Finding> RaceCheck::findings() const {
    std::vector<Finding> findings;
    for (const Pair* pair : order_) {
        findings.push_back(pair->finding);
        findings.back().happened |= std::ranges::any_of(
            pair->overwritten, [this](std::uint32_t index) { return begun_[index].carried_changed_bytes; });
    }
    std::ranges::copy(open_ends(), std::back_inserter(findings));
    for (Finding& finding : findings) {
        for (std::optional<AccessSite>* site : {&finding.first, &finding.second}) {
            if (site->has_value()) {
                (*site)->where = agents_[(*site)->risc].where((*site)->program_counter);
            }
        }
    }
    return findings;
}

}  // namespace nocbench
