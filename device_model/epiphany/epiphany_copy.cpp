// Block copies by a core, and waits for its writes.
#include <algorithm>
#include <ranges>

#include "device_model/epiphany/epiphany_state.h"

namespace nocbench {

void EpiphanyState::copy(EpiphanyCore& core, std::string_view call, std::uint64_t destination, std::uint64_t source,
                         std::uint32_t count, std::size_t size, ReadKind kind) {
    if (count == 0) {
        return;
    }
    take_interrupts(core);
    const NodeIndex index = core.identity().node;
    Node& node = nodes_[index];
    // Computed only to report an invalid last element.
    const std::uint64_t to_last = std::uint64_t{count - 1} * size;
    static_cast<void>(place_of(index, source + to_last, size, call));
    static_cast<void>(place_of(index, destination + to_last, size, call));
    node.copy = {};
    node.copy.call = call;
    node.copy.left = count;
    node.copy.size = size;
    node.copy.kind = kind;
    node.copy.source_address = source;
    node.copy.destination_address = destination;
    node.copy.source = place_of(index, source, size, call);
    node.copy.destination = writable_place_of(index, destination, size, call);
    node.copy.reads_elsewhere = !is_own(index, node.copy.source) || source >> kCoreIdShift != 0;
    while (copy_step(core, node)) {
    }
    node.stands_still = true;
    core.stand_still();
}

bool EpiphanyState::go_on_copying(NodeIndex index) {
    Node& node = nodes_[index];
    if (!node.stands_still) {
        return true;
    }
    EpiphanyCore& core = core_of(node);
    while (copy_step(core, node)) {
    }
    node.stands_still = node.copy.left != 0;
    return !node.stands_still;
}

/// Each case replays the part of load() or store() between two synchronizations with the machine.
bool EpiphanyState::copy_step(EpiphanyCore& core, Node& node) {
    using Stage = CopyLoop::Stage;
    const EpiphanyCoreConstants& costs = constants_.core;
    const NodeIndex index = core.identity().node;
    CopyLoop& copy = node.copy;
    // Resumes at `stage` once the rest of the machine has caught up with the core.
    const auto synchronize = [&](Stage stage) {
        copy.stage = stage;
        core.release(core.now());
        return false;
    };
    switch (copy.stage) {
        case Stage::begin_load:
            if (copy.left == 0) {
                return false;
            }
            if (!copy.reads_elsewhere) {
                return synchronize(Stage::load);
            }
            send_read(index, copy.source, copy.size, copy.kind, core.now());
            core.spend(costs.load_ticks);
            return synchronize(Stage::await_value);
        case Stage::load:
            core.spend(take_bank(index, copy.source.offset, core.now()) - core.now(), Cause::memory);
            copy.value = read_word(copy.source, copy.size);
            core.spend(costs.load_ticks);
            core.spend(copy.kind == ReadKind::load_ahead ? 0 : costs.local_load_use_ticks);
            copy.stage = Stage::begin_store;
            return true;
        case Stage::await_value:
            if (!node.load_has_value) {
                copy.stage = Stage::stall_for_value;
                node.load_stalls = true;
                core.begin_stall({copy.call, "the data to come back", copy.source_address});
                return false;
            }
            copy.stage = Stage::take_value;
            return true;
        case Stage::stall_for_value:
            core.end_stall(copy.source.is_external ? Cause::memory : Cause::round_trip);
            copy.stage = Stage::take_value;
            return true;
        case Stage::take_value:
            copy.value = node.load_value;
            copy.stage = Stage::begin_store;
            return true;
        case Stage::begin_store:
            if (is_own(index, copy.destination)) {
                return synchronize(Stage::store);
            }
            if (node.unsent_store != kNoTransaction) {
                return synchronize(Stage::await_room);
            }
            copy.stage = Stage::send;
            return true;
        case Stage::store:
            core.spend(take_bank(index, copy.destination.offset, core.now()) - core.now(), Cause::memory);
            land(index, copy.destination, copy.size, copy.value, core.now());
            copy.stage = Stage::next;
            return true;
        case Stage::await_room:
            if (node.unsent_store == kNoTransaction) {
                copy.stage = Stage::send;
                return true;
            }
            copy.stage = Stage::stall_for_room;
            node.store_stalls = true;
            core.begin_stall({copy.call, "room in the mesh", copy.destination_address});
            return false;
        case Stage::stall_for_room:
            core.end_stall(copy.destination.is_external ? Cause::memory : Cause::contention);
            copy.stage = Stage::send;
            return true;
        case Stage::send:
            send_store(index, copy.destination, copy.size, copy.value, core.now());
            copy.stage = Stage::next;
            return true;
        case Stage::next:
            core.spend(costs.store_ticks);
            copy.source.offset += copy.size;
            copy.destination.offset += copy.size;
            copy.source_address += copy.size;
            copy.destination_address += copy.size;
            --copy.left;
            copy.stage = Stage::begin_load;
            return true;
    }
    return false;
}

bool EpiphanyState::has_writes_under_way(NodeIndex from) {
    return std::ranges::any_of(std::views::iota(NodeIndex{0}, static_cast<NodeIndex>(nodes_.size())),
                               [&](NodeIndex to) {
                                   const Writes& each = writes(from, to);
                                   return each.landed != each.issued;
                               });
}

void EpiphanyState::wait_for_writes(EpiphanyCore& core, std::string_view call) {
    core.synchronize();
    const NodeIndex index = core.identity().node;
    if (has_writes_under_way(index)) {
        nodes_[index].awaits_landing = true;
        core.stall({call, "what the core has written to arrive", 0}, Cause::contention);
    }
}

void EpiphanyState::note_landing(NodeIndex from, Tick tick) {
    Node& node = nodes_[from];
    if (node.awaits_landing && !has_writes_under_way(from)) {
        node.awaits_landing = false;
        core_of(node).release(tick);
    }
}

}  // namespace nocbench
