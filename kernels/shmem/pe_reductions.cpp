// Reductions: element-wise combination of the arrays of all PEs of an active set.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "kernels/epiphany/epiphany_api.h"
#include "kernels/shmem/library_data.h"
#include "kernels/shmem/pe.h"

namespace nocbench::shmem {

namespace {

using library_data::kFurtherFlagsOffset;
using library_data::kLongSyncBytes;
using library_data::kRoundsMax;

/// Minimum elements of a work array. Source: SHMEM_REDUCE_MIN_WRKDATA_SIZE of the authors' library.
constexpr std::uint32_t kWorkElementsMin = 16;

}  // namespace

void Pe::combine(Address into, Address with, std::uint32_t count, const Combination& combination) {
    epiphany::instructions(combination.instructions * static_cast<int>(count));
    epiphany::synchronize();
    const std::uint32_t bytes = count * combination.element_bytes;
    std::vector<std::byte> mine(bytes);
    std::vector<std::byte> its(bytes);
    guest_.peek(into, mine);
    guest_.peek(with, its);
    combination.combine(mine, its);
    guest_.poke(into, mine);
}

void Pe::reduce(const ReductionCall& call, const Combination& combination) {
    const Member member =
        enter(call.set, call.sync, kLongSyncBytes, true, {{"nreduce", static_cast<std::uint64_t>(call.count)}});
    const auto count = static_cast<std::uint32_t>(std::max(call.count, 0));
    const std::uint64_t bytes = std::uint64_t{count} * combination.element_bytes;
    ReductionCall checked = call;
    checked.count = static_cast<std::int32_t>(count);
    checked.destination = symmetric("dest", call.destination, bytes, combination.alignment);
    checked.source = symmetric("source", call.source, bytes, combination.alignment);
    if (count != 0) {
        // Source: OpenSHMEM 1.3, on reductions: both may be one array, but must not overlap otherwise.
        const Address later = std::max(checked.destination, checked.source);
        const Address earlier = std::min(checked.destination, checked.source);
        if (later != earlier && later - earlier < bytes) {
            fail(
                fmt::format("expected dest and source to be one array or apart, found {} bytes at 0x{:x} and at 0x{:x}",
                            bytes, checked.destination, checked.source));
        }
        const std::uint32_t work_elements = std::max(count / 2 + 1, kWorkElementsMin);
        checked.work = symmetric("pWrk", call.work, std::uint64_t{work_elements} * combination.element_bytes,
                                 combination.alignment);
        if (std::has_single_bit(static_cast<unsigned>(call.set.size)) && rounds_of(call.set.size) <= kRoundsMax) {
            reduce_by_dissemination(member, checked, combination);
        } else {
            reduce_in_ring(member, checked, combination);
        }
    }
    leave(member);
}

void Pe::exchange(const Member& member, int round, Address outgoing, Address work, std::uint32_t bytes) {
    const int partner = member.set.pe(member.index ^ (1 << round));
    const Address granted = member.sync + kFurtherFlagsOffset + static_cast<Address>(round) * 2;
    const Address arrived = granted + 1;
    // The partner of another round may be far ahead, but uses different flags. This round's partner cannot be ahead.
    signal(partner, granted);
    await_signal(granted, partner);
    epiphany::instructions(costs().call);
    copy(on(partner, work), outgoing, bytes);
    signal(partner, arrived);
    await_signal(arrived, partner);
}

/// Exchanges data between pairs of PEs in each round. All PEs combine the same pairs, with bit-identical results.
void Pe::reduce_by_dissemination(const Member& member, const ReductionCall& call, const Combination& combination) {
    const auto count = static_cast<std::uint32_t>(call.count);
    const std::uint32_t chunk = std::max(count / 2 + 1, kWorkElementsMin);
    if (call.destination != call.source) {
        copy(call.destination, call.source, count * combination.element_bytes);
    }
    for (std::uint32_t done = 0; done < count; done += chunk) {
        const std::uint32_t now = std::min(chunk, count - done);
        const Address place = call.destination + done * combination.element_bytes;
        for (int round = 0; round < rounds_of(call.set.size); ++round) {
            exchange(member, round, place, call.work, now * combination.element_bytes);
            combine(place, call.work, now, combination);
        }
    }
}

/// Sends parts to all other PEs: in step k to the PE at distance k. The work array has three parts: input of odd steps,
/// input of even steps, and the result, which replaces the source only after the source has been sent to all PEs.
void Pe::reduce_in_ring(const Member& member, const ReductionCall& call, const Combination& combination) {
    constexpr std::uint32_t kParts = 3;
    const auto count = static_cast<std::uint32_t>(call.count);
    const std::uint32_t chunk = std::max(count / 2 + 1, kWorkElementsMin) / kParts;
    const std::uint32_t part_bytes = chunk * combination.element_bytes;
    const Address result = call.work + 2 * part_bytes;
    const int size = call.set.size;
    for (std::uint32_t done = 0; done < count; done += chunk) {
        const std::uint32_t now = std::min(chunk, count - done);
        const std::uint32_t bytes = now * combination.element_bytes;
        const Address from = call.source + done * combination.element_bytes;
        copy(result, from, bytes);
        for (int turn = 1; turn < size; ++turn) {
            const Address incoming = call.work + static_cast<Address>(turn % 2) * part_bytes;
            epiphany::instructions(costs().call);
            copy(on(call.set.pe((member.index + turn) % size), incoming), from, bytes);
            settle(member);
            combine(result, incoming, now, combination);
        }
        copy(call.destination + done * combination.element_bytes, result, bytes);
        // The next chunk's parts arrive at the same addresses.
        settle(member);
    }
}

}  // namespace nocbench::shmem
