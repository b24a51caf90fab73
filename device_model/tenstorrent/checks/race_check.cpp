#include "device_model/tenstorrent/checks/race_check.h"

#include <algorithm>

#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/risc.h"

namespace nocbench {

namespace {

constexpr std::uint64_t kWordBytes = 4;

std::uint64_t word_of(std::uint64_t address) { return address / kWordBytes * kWordBytes; }

VectorClock::Pointer empty_clock() {
    static const auto clock = std::make_shared<const VectorClock>();
    return clock;
}

}  // namespace

const PollingLoads& RaceCheck::polling_loads(const riscv::Code& code) {
    return polling_loads_.try_emplace(&code, code).first->second;
}

RaceCheck::Agent& RaceCheck::agent(const Risc& risc) {
    const std::uint32_t index = risc.identity().index;
    while (agents_.size() <= index) {
        agents_.push_back({{{new_strand(), 1}, empty_clock()}});
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
    const std::uint64_t target = is_multicast ? std::uint64_t{transaction.tree} + 1 << kTreeBit : transaction.responder;
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

void RaceCheck::acquire(Agent& agent, const Moment& moment, StrandTime path) {
    if (!agent.now.is_after(moment.own)) {
        const std::array own{moment.own};
        agent.now.clock = VectorClock::with(VectorClock::joined(agent.now.clock, moment.clock), own);
    }
    if (path.time != 0) {
        const std::array steps{path};
        agent.now.clock = VectorClock::with(agent.now.clock, steps);
    }
}

std::uint32_t RaceCheck::memory_of(NodeIndex node) const {
    const int group = state_.dram_group_of_node[node];
    return group >= 0 ? static_cast<std::uint32_t>(state_.grid.num_nodes() + group) : node;
}

bool RaceCheck::is_signal(std::uint32_t memory, std::uint64_t address) const {
    const auto found = signals_.find(memory);
    return found != signals_.end() && found->second.contains(word_of(address));
}

void RaceCheck::mark_signal(std::uint32_t memory, std::uint64_t address) {
    signals_[memory].insert(word_of(address));
}

void RaceCheck::acquire_signal(Agent& agent, NodeIndex node, std::uint64_t address) {
    const std::uint32_t memory = memory_of(node);
    const std::uint64_t word = word_of(address);
    if (const auto found = incremented_.find({memory, word}); found != incremented_.end()) {
        agent.now.clock = VectorClock::joined(agent.now.clock, found->second);
    }
    memories_[memory].for_each(word, word + kWordBytes, [&](std::uint64_t, std::uint64_t, ShadowMemory::Cell& cell) {
        const Access& writer = accesses_[cell.visible];
        if (writer.begun != 0) {
            acquire(agent, begun_[writer.begun].moment, begun_[writer.begun].path);
        } else if (cell.visible != 0) {
            acquire(agent, writer.moment, {});
        }
    });
}

AccessSite RaceCheck::site_of(const Risc& risc, AccessKind kind) const {
    AccessSite site;
    site.kind = kind;
    site.risc = risc.identity().index;
    site.program_counter = risc.program_counter();
    site.return_address = risc.return_address();
    site.tick = risc.now();
    return site;
}

AccessIndex RaceCheck::add(Access access) {
    accesses_.push_back(std::move(access));
    return static_cast<AccessIndex>(accesses_.size() - 1);
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
    const bool commute = first.site.kind == AccessKind::atomic && second.site.kind == AccessKind::atomic;
    if (before == 0 || commute || (first.begun != 0 && first.begun == second.begun) ||
        is_ordered(first, second, moment)) {
        return;
    }
    const auto kernel_of = [this](const AccessSite& site) -> const std::string& {
        return state_.riscs[site.risc]->identity().kernel;
    };
    const auto [entry, is_new] = pairs_.try_emplace({first.site.kind, first.site.program_counter,
                                                     kernel_of(first.site), second.site.kind,
                                                     second.site.program_counter, kernel_of(second.site)});
    Pair& pair = entry->second;
    if (is_new) {
        order_.push_back(&pair);
        pair.finding.first = first.site;
        pair.finding.second = second.site;
        pair.finding.node = node;
        pair.finding.begin = begin;
        pair.finding.end = end;
        pair.finding.is_signal = is_signal(memory_of(node), begin) && end - begin <= kWordBytes;
    }
    ++pair.finding.count;
    const bool changes_source =
        first.site.kind == AccessKind::source_of_write || first.site.kind == AccessKind::source_of_read;
    if (changes_source) {
        pair.overwritten.push_back(first.begun);
    } else if (first.begun != 0 && !second.site.is_transaction() && !has_changed(first, node)) {
        pair.finding.happened = true;
    }
}

void RaceCheck::read(NodeIndex node, std::uint64_t address, std::size_t bytes, AccessIndex access,
                     const Moment& moment) {
    memories_[memory_of(node)].for_each(
        address, address + bytes, [&](std::uint64_t begin, std::uint64_t end, ShadowMemory::Cell& cell) {
            check(cell.write, access, moment, node, begin, end);
            const Strand strand = accesses_[access].done.strand;
            const auto same = std::ranges::find(
                cell.reads, strand, [this](AccessIndex index) { return accesses_[index].done.strand; });
            if (same == cell.reads.end()) {
                cell.reads.push_back(access);
            } else {
                *same = access;
            }
        });
}

void RaceCheck::write(NodeIndex node, std::uint64_t address, std::size_t bytes, AccessIndex access,
                      const Moment& moment) {
    const bool is_atomic = accesses_[access].site.kind == AccessKind::atomic;
    memories_[memory_of(node)].for_each(
        address, address + bytes, [&](std::uint64_t begin, std::uint64_t end, ShadowMemory::Cell& cell) {
            check(cell.write, access, moment, node, begin, end);
            std::vector<AccessIndex> increments;
            for (const AccessIndex earlier : cell.reads) {
                check(earlier, access, moment, node, begin, end);
                if (is_atomic && accesses_[earlier].site.kind == AccessKind::atomic &&
                    accesses_[earlier].done.strand != accesses_[access].done.strand) {
                    increments.push_back(earlier);
                }
            }
            if (is_atomic && accesses_[cell.write].site.kind == AccessKind::atomic &&
                accesses_[cell.write].done.strand != accesses_[access].done.strand) {
                increments.push_back(cell.write);
            }
            cell.reads = std::move(increments);
            cell.write = access;
        });
}

void RaceCheck::loaded(const Risc& risc, const PollingLoads& loads, std::uint64_t address, std::size_t bytes) {
    const NodeIndex node = risc.identity().node;
    const std::uint32_t memory = memory_of(node);
    if (loads.has(risc.program_counter())) {
        mark_signal(memory, address);
    }
    Agent& mine = agent(risc);
    if (is_signal(memory, address)) {
        acquire_signal(mine, node, address);
        return;
    }
    read(node, address, bytes, access_of(risc, AccessKind::load, mine.last_load), mine.now);
}

void RaceCheck::stored(const Risc& risc, std::uint64_t address, std::span<const std::byte> bytes) {
    const NodeIndex node = risc.identity().node;
    const std::uint32_t memory = memory_of(node);
    Agent& mine = agent(risc);
    const AccessIndex access = access_of(risc, AccessKind::store, mine.last_store);
    ShadowMemory& shadow = memories_[memory];
    if (same_bytes(node, address, bytes)) {
        // Whoever reads these bytes has the same, whatever comes first; but another write may be lost.
        shadow.for_each(address, address + bytes.size(),
                        [&](std::uint64_t begin, std::uint64_t end, ShadowMemory::Cell& cell) {
                            check(cell.write, access, mine.now, node, begin, end);
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
    std::array<std::byte, 8> present{};
    const auto now = std::span(present).first(bytes.size());
    state_.memory(node).read(address, now);
    return std::ranges::equal(now, bytes);
}

void RaceCheck::loaded_stream(const Risc& risc, std::uint32_t offset) {
    if (const auto found = streams_.find({risc.identity().node, offset}); found != streams_.end()) {
        acquire(agent(risc), found->second, {});
    }
}

void RaceCheck::stored_stream(const Risc& risc, std::uint32_t offset) {
    Agent& mine = agent(risc);
    streams_[{risc.identity().node, offset}] = mine.now;
    release(mine);
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
    switch (static_cast<NiuCounter>(index)) {
        case NiuCounter::atomics_completed:
            return learn_if(value == niu.atomics, {Wait::atomic});
        case NiuCounter::writes_acknowledged:
            return learn_if(value == niu.acknowledgements, {Wait::acknowledged, Wait::left});
        case NiuCounter::reads_completed:
            return learn_if(value == niu.reads, {Wait::read});
        case NiuCounter::writes_sent:
            return learn_if(value == niu.writes, {Wait::left});
        case NiuCounter::posted_writes_sent:
            return learn_if(value == niu.posted_writes, {Wait::posted_left});
        default:
            break;
    }
    const auto id_after = [&](NiuCounter first) { return index - static_cast<std::uint32_t>(first); };
    if (id_after(NiuCounter::first_outstanding) < kNumTransactionIds) {
        learn_if(value == 0, {Wait::read, Wait::acknowledged, Wait::left, Wait::atomic},
                 static_cast<std::uint8_t>(id_after(NiuCounter::first_outstanding)));
    } else if (id_after(NiuCounter::first_outgoing) < kNumTransactionIds) {
        learn_if(value == 0, {Wait::left, Wait::posted_left},
                 static_cast<std::uint8_t>(id_after(NiuCounter::first_outgoing)));
    }
}

void RaceCheck::began(const Risc& risc, Transaction& transaction) {
    Agent& mine = agent(risc);
    Niu& niu = nius_[{transaction.requestor, transaction.noc}];
    const bool is_multicast = transaction.tree != kNoTree;
    const bool is_read = transaction.kind == TransactionKind::read;
    const bool is_atomic = transaction.kind == TransactionKind::atomic_increment;
    const std::uint32_t answers = is_multicast ? transaction.num_receivers : 1;
    const std::uint8_t id = transaction.id;
    transaction.checked_as = static_cast<std::uint32_t>(begun_.size());
    begun_.push_back({mine.now, next_on_path(transaction)});

    AccessSite site = site_of(risc, AccessKind::load);
    site.noc = transaction.noc;
    site.virtual_channel = transaction.software_virtual_channel;
    site.id = id;
    site.posted = transaction.posted;
    site.is_multicast = is_multicast;
    site.is_inline = transaction.has_inline_data;
    site.is_dynamic = transaction.is_dynamic;
    const auto access = [&](AccessKind kind, StrandTime done) {
        site.kind = kind;
        return add({site, done, transaction.checked_as, {}});
    };
    const auto write_all = [&](AccessIndex destination, std::size_t bytes) {
        begun_[transaction.checked_as].destination = destination;
        const auto write_one = [&](NodeIndex node) {
            if (bytes <= kWordBytes && state_.memory_kind_of_node[node] == MemoryKind::l1) {
                mark_signal(memory_of(node), transaction.responder_address);
            }
            write(node, transaction.responder_address, bytes, destination, mine.now);
        };
        if (is_multicast) {
            const MulticastTrees& trees = state_.interfaces[transaction.noc]->multicast_trees();
            std::ranges::for_each(trees[transaction.tree].receivers, write_one);
        } else {
            write_one(transaction.responder);
        }
    };
    if (is_read) {
        ++niu.reads;
        const StrandTime done = next(niu, Wait::read, id);
        read(transaction.responder, transaction.responder_address, transaction.bytes,
             access(AccessKind::source_of_read, done), mine.now);
        const AccessIndex destination = access(AccessKind::destination_of_read, done);
        begun_[transaction.checked_as].destination = destination;
        write(transaction.requestor, transaction.requestor_address, transaction.bytes, destination, mine.now);
    } else if (is_atomic) {
        niu.atomics += transaction.posted ? 0 : answers;
        write_all(access(AccessKind::atomic, transaction.posted ? StrandTime{} : next(niu, Wait::atomic, id)),
                  kWordBytes);
    } else {
        ++(transaction.posted ? niu.posted_writes : niu.writes);
        niu.acknowledgements += transaction.posted ? 0 : answers;
        if (!transaction.has_inline_data) {
            const StrandTime left = next(niu, transaction.posted ? Wait::posted_left : Wait::left, id);
            read(transaction.requestor, transaction.requestor_address, transaction.bytes,
                 access(AccessKind::source_of_write, left), mine.now);
        }
        write_all(access(AccessKind::destination_of_write,
                         transaction.posted ? StrandTime{} : next(niu, Wait::acknowledged, id)),
                  transaction.bytes);
    }
    release(mine);
}

void RaceCheck::changed_memory(const Transaction& transaction, NodeIndex node) {
    Begun& begun = begun_[transaction.checked_as];
    begun.changed.push_back(node);
    const std::uint32_t memory = memory_of(node);
    if (transaction.kind == TransactionKind::atomic_increment) {
        VectorClock::Pointer& clock =
            incremented_.try_emplace({memory, transaction.responder_address}, empty_clock()).first->second;
        clock = VectorClock::joined(clock, begun.moment.clock);
        std::vector<StrandTime> steps{begun.moment.own};
        if (begun.path.time != 0) {
            steps.push_back(begun.path);
        }
        clock = VectorClock::with(clock, steps);
        return;
    }
    const bool is_read = transaction.kind == TransactionKind::read;
    const std::uint64_t address = is_read ? transaction.requestor_address : transaction.responder_address;
    memories_[memory].for_each(address, address + transaction.bytes,
                               [&](std::uint64_t, std::uint64_t, ShadowMemory::Cell& cell) {
                                   cell.visible = begun.destination;
                               });
    incremented_.erase(incremented_.lower_bound({memory, address}),
                       incremented_.lower_bound({memory, address + transaction.bytes}));
}

void RaceCheck::carried_changed_bytes(const Transaction& transaction) {
    begun_[transaction.checked_as].carried_changed_bytes = true;
}

std::vector<Finding> RaceCheck::findings() const {
    std::vector<Finding> findings;
    for (const Pair* pair : order_) {
        findings.push_back(pair->finding);
        findings.back().happened |= std::ranges::any_of(
            pair->overwritten, [this](std::uint32_t index) { return begun_[index].carried_changed_bytes; });
    }
    return findings;
}

}  // namespace nocbench
