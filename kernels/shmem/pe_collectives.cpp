// Barriers, and collective routines that move blocks.
#include <fmt/format.h>

#include <bit>
#include <utility>

#include "kernels/epiphany/epiphany_api.h"
#include "kernels/shmem/library_data.h"
#include "kernels/shmem/pe.h"

namespace nocbench::shmem {

namespace {

using library_data::kFurtherFlagsOffset;
using library_data::kLongSyncBytes;
using library_data::kRoundsMax;
using library_data::kShortSyncBytes;
using library_data::kWordBytes;

}  // namespace

// Entering and leaving

Collective Pe::enter_all(std::initializer_list<CollectiveCall::Agreed> agreed, bool is_barrier) {
    return job_.enter(number_, job_.all(), {routine_, is_barrier, true, agreed});
}

Pe::Member Pe::enter(const ActiveSet& set, Address sync, std::uint32_t sync_bytes, bool waits_for_all,
                     std::vector<CollectiveCall::Agreed> agreed) {
    constexpr int kLogStrideMax = 16;
    const bool is_sensible = set.start >= 0 && set.start < num_pes() && set.size >= 1 && set.size <= num_pes() &&
                             set.log_stride >= 0 && set.log_stride <= kLogStrideMax && set.pe(set.size - 1) < num_pes();
    if (!is_sensible) {
        fail(fmt::format("expected an active set of PEs from 0 to {}, found PE_start {}, logPE_stride {}, PE_size {}",
                         num_pes() - 1, set.start, set.log_stride, set.size));
    }
    Member member;
    member.set = set;
    member.index = set.index_of(number_);
    if (member.index < 0) {
        fail(
            fmt::format("expected the active set to have this PE, {}, in it, found PE_start {}, logPE_stride {}, "
                        "PE_size {}",
                        number_, set.start, set.log_stride, set.size));
    }
    member.sync = symmetric("pSync", sync, sync_bytes, kWordBytes);
    agreed.push_back({"pSync", member.sync});
    member.collective = job_.enter(number_, set, {routine_, false, waits_for_all, std::move(agreed)});
    require_initial_sync(member, sync_bytes);
    return member;
}

void Pe::require_initial_sync(const Member& member, std::uint32_t sync_bytes) const {
    if (!member.collective.is_first()) {
        return;  // flags of members that are ahead
    }
    for (Address place = 0; place < sync_bytes; place += kWordBytes) {
        if (const std::uint64_t found = bits_at(member.sync + place, kWordBytes); found != 0) {
            fail(fmt::format("expected SHMEM_SYNC_VALUE, 0, in pSync at 0x{:x}, found {} in its element {}",
                             member.sync, static_cast<std::int32_t>(found), place / kWordBytes));
        }
    }
}

void Pe::leave(const Member& member) { job_.leave(number_, member.collective); }

// Signals

void Pe::signal(int pe, Address flag) {
    epiphany::instructions(costs().signal);
    epiphany::store<std::uint8_t>(on(pe, flag), 1);
}

void Pe::await_signal(Address flag, int from) {
    spin(flag, [&] { return bits_at(flag, 1) != 0; }, fmt::format("PE {}", from));
    epiphany::store<std::uint8_t>(flag, 0);
}

// Barriers

int Pe::rounds_of(int size) { return static_cast<int>(std::bit_width(static_cast<unsigned>(size - 1))); }

void Pe::synchronize(const ActiveSet& set, const Collective& /*collective*/, Address flags) {
    const int index = set.index_of(number_);
    const int rounds = rounds_of(set.size);
    // Two flags per round, used alternately: a PE may be ahead of another PE by one barrier, but not by two.
    const Address parity = barriers_[set]++ % 2;
    epiphany::instructions(costs().barrier_call);
    for (int round = 0; round < rounds; ++round) {
        const int distance = 1 << round;
        const Address flag = flags + static_cast<Address>(round) * 2 + parity;
        epiphany::prepare_barrier_round();
        epiphany::store<std::uint8_t>(on(set.pe((index + distance) % set.size), flag), 1);
        await_signal(flag, set.pe((index + set.size - distance % set.size) % set.size));
    }
}

void Pe::synchronize_all(const Collective& collective) {
    if (job_.options().wand_barrier) {
        epiphany::synchronize();
        end_with_the_program();
        epiphany::wired_and_barrier();
        end_with_the_program();
    } else {
        synchronize(job_.all(), collective, library_data::kBarrierFlags);
    }
}

void Pe::barrier_all() {
    const Collective collective = enter_all({});
    quiet();
    synchronize_all(collective);
    job_.leave(number_, collective);
}

void Pe::sync_all() {
    const Collective collective = enter_all({});
    synchronize_all(collective);
    job_.leave(number_, collective);
}

void Pe::barrier(const ActiveSet& set, Address sync) {
    const Member member = enter(set, sync, kShortSyncBytes, true, {});
    quiet();
    synchronize(set, member.collective, member.sync);
    leave(member);
}

void Pe::sync(const ActiveSet& set, Address sync) {
    const Member member = enter(set, sync, kShortSyncBytes, true, {});
    synchronize(set, member.collective, member.sync);
    leave(member);
}

void Pe::settle(const Member& member) {
    // A flag may take a different route than the data, and arrive earlier.
    epiphany::wait_for_stores(routine_);
    synchronize(member.set, member.collective, member.sync);
}

// Blocks

void Pe::broadcast(const BroadcastCall& call, std::uint32_t element_bytes) {
    const std::uint64_t bytes = std::uint64_t{call.count} * element_bytes;
    const Member member = enter(call.set, call.sync, kShortSyncBytes, false,
                                {{"nelems", call.count}, {"PE_root", static_cast<std::uint64_t>(call.root)}});
    const int size = call.set.size;
    if (call.root < 0 || call.root >= size) {
        fail(fmt::format("expected a root from 0 to {}, its place in the active set, found {}", size - 1, call.root));
    }
    const Address destination = symmetric("dest", call.destination, bytes, 1);
    const int place = (member.index - call.root + size) % size;
    const Address source = place == 0 ? local("source", call.source, bytes, 1) : destination;
    if (job_.options().algorithms == Algorithms::later) {
        synchronize(call.set, member.collective, member.sync);
    }
    const auto flag_of = [&](std::uint64_t sequence) {
        constexpr Address kBroadcastFlags = 8;
        return member.sync + kBroadcastFlags + static_cast<Address>(sequence % 2);
    };
    const Address flag = flag_of(member.collective.sequence());
    for (int round = rounds_of(size) - 1; round >= 0; --round) {
        const int distance = 1 << round;
        if (place % (2 * distance) == distance) {
            const int parent = call.set.pe((place - distance + call.root) % size);
            await_signal(flag, parent);
        } else if (place % (2 * distance) == 0 && place + distance < size) {
            const int index = (place + distance + call.root) % size;
            const int pe = call.set.pe(index);
            // The member may still be in the broadcast before the last, which used the same flag, even if the flag is
            // not set yet: with a different root, a different PE sets it.
            while (!job_.has_left(member.collective, index, 2)) {
                static_cast<void>(epiphany::load<std::uint8_t>(on(pe, flag)));
                end_with_the_program();
                if (job_.has_ended(pe)) {
                    fail(fmt::format("expected PE {} to enter it too, found that it has ended", pe));
                }
                epiphany::taken_branch();
            }
            epiphany::instructions(costs().call);
            copy(on(pe, destination), source, static_cast<std::uint32_t>(bytes));
            signal(pe, flag);
        }
    }
    leave(member);
}

void Pe::send_blocks_in_ring_order(const Member& member, const std::function<void(int index)>& send) {
    for (int step = 0; step < member.set.size; ++step) {
        send((member.index + step) % member.set.size);
    }
}

void Pe::send_block(const Member& member, int index, Address destination, Address source, std::uint32_t bytes) {
    const Address to = index == member.index ? destination : on(member.set.pe(index), destination);
    if (to != source) {
        epiphany::instructions(costs().call);
        copy(to, source, bytes);
    }
}

void Pe::collect(const BlockCall& call, std::uint32_t element_bytes) {
    const Member member = enter(call.set, call.sync, kLongSyncBytes, true, {});
    const std::uint64_t all = std::uint64_t{call.count} * element_bytes;
    const Address source = local("source", call.source, all, 1);
    const auto bytes = static_cast<std::uint32_t>(all);
    // PEs pass on the end of the preceding blocks plus one, since the end may be 0.
    const Address word =
        member.sync + kFurtherFlagsOffset + static_cast<Address>(member.collective.sequence() % 2) * kWordBytes;
    Address offset = 0;
    if (member.index != 0) {
        spin(word, [&] { return bits_at(word, kWordBytes) != 0; }, fmt::format("PE {}", call.set.pe(member.index - 1)));
        offset = static_cast<Address>(bits_at(word, kWordBytes)) - 1;
        epiphany::store<std::uint32_t>(word, 0);
    }
    if (member.index + 1 < call.set.size) {
        epiphany::instructions(costs().signal);
        epiphany::store<std::uint32_t>(on(call.set.pe(member.index + 1), word), offset + bytes + 1);
    }
    const Address destination = symmetric("dest", call.destination + offset, bytes, 1);
    send_blocks_in_ring_order(member, [&](int index) { send_block(member, index, destination, source, bytes); });
    settle(member);
    leave(member);
}

void Pe::fcollect(const BlockCall& call, std::uint32_t element_bytes) {
    const Member member = enter(call.set, call.sync, kLongSyncBytes, true, {{"nelems", call.count}});
    const std::uint64_t all = std::uint64_t{call.count} * element_bytes;
    const Address source = local("source", call.source, all, 1);
    const auto bytes = static_cast<std::uint32_t>(all);
    const Address destination =
        symmetric("dest", call.destination, std::uint64_t{bytes} * static_cast<unsigned>(call.set.size), 1);
    const bool doubles = job_.options().algorithms == Algorithms::paper &&
                         std::has_single_bit(static_cast<unsigned>(call.set.size)) &&
                         rounds_of(call.set.size) <= kRoundsMax;
    if (doubles) {
        fcollect_by_doubling(member, destination, source, bytes);
    } else {
        const Address own = destination + static_cast<Address>(member.index) * bytes;
        send_blocks_in_ring_order(member, [&](int index) { send_block(member, index, own, source, bytes); });
        settle(member);
    }
    leave(member);
}

void Pe::fcollect_by_doubling(const Member& member, Address destination, Address source, std::uint32_t bytes) {
    const auto block = [&](int index) { return destination + static_cast<Address>(index) * bytes; };
    send_block(member, member.index, block(member.index), source, bytes);
    const int rounds = rounds_of(member.set.size);
    // Alternates as in barriers.
    const auto parity = static_cast<Address>(doublings_[member.set]++ % 2);
    for (int round = 0; round < rounds; ++round) {
        // Farthest partner first: blocks held so far are equally spaced.
        const int distance = member.set.size >> (round + 1);
        const int partner = member.index ^ distance;
        for (int index = member.index % (2 * distance); index < member.set.size; index += 2 * distance) {
            send_block(member, partner, block(index), block(index), bytes);
        }
        const Address flag = member.sync + kFurtherFlagsOffset + static_cast<Address>(round) * 2 + parity;
        signal(member.set.pe(partner), flag);
        await_signal(flag, member.set.pe(partner));
    }
}

void Pe::alltoall(const BlockCall& call, std::uint32_t element_bytes) {
    const Member member = enter(call.set, call.sync, kShortSyncBytes, true, {{"nelems", call.count}});
    const std::uint64_t all = std::uint64_t{call.count} * element_bytes * static_cast<unsigned>(call.set.size);
    const Address destination = symmetric("dest", call.destination, all, 1);
    const Address source = local("source", call.source, all, 1);
    const std::uint32_t bytes = call.count * element_bytes;
    const Address own = destination + static_cast<Address>(member.index) * bytes;
    send_blocks_in_ring_order(member, [&](int index) {
        send_block(member, index, own, source + static_cast<Address>(index) * bytes, bytes);
    });
    settle(member);
    leave(member);
}

void Pe::alltoalls(const StridedBlockCall& call, std::uint32_t element_bytes) {
    const Member member = enter(call.set, call.sync, kShortSyncBytes, true, {{"nelems", call.count}});
    require_strides(call.destination_stride, call.source_stride);
    const auto block_bytes = [&](std::int32_t stride) {
        return static_cast<Address>(call.count) * static_cast<Address>(stride) * element_bytes;
    };
    const auto extent = [&](std::int32_t stride) {
        const std::uint64_t elements = std::uint64_t{call.count} * static_cast<unsigned>(call.set.size);
        return elements == 0 ? 0 : ((elements - 1) * static_cast<unsigned>(stride) + 1) * element_bytes;
    };
    const Address destination = symmetric("dest", call.destination, extent(call.destination_stride), 1);
    const Address source = local("source", call.source, extent(call.source_stride), 1);
    const Address own = destination + static_cast<Address>(member.index) * block_bytes(call.destination_stride);
    const StridedTransfer transfer{0, 0, call.destination_stride, call.source_stride, call.count, 0};
    send_blocks_in_ring_order(member, [&](int index) {
        const Address to = index == member.index ? own : on(call.set.pe(index), own);
        epiphany::instructions(costs().call);
        copy_strided(transfer, to, source + static_cast<Address>(index) * block_bytes(call.source_stride),
                     element_bytes);
    });
    settle(member);
    leave(member);
}

}  // namespace nocbench::shmem
