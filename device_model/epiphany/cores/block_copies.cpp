#include "device_model/epiphany/cores/block_copies.h"

#include <algorithm>

namespace nocbench {

void BlockCopies::copy(EpiphanyCore& core, std::string_view call, std::uint64_t destination, std::uint64_t source,
                       std::uint32_t count, std::size_t size, CoreAccesses::ReadKind kind) {
    if (count == 0) {
        return;
    }
    interrupts_.take(core);
    const NodeIndex node = core.identity().node;
    // Computed only to report an invalid last element.
    const std::uint64_t to_last = std::uint64_t{count - 1} * size;
    static_cast<void>(addresses_.place_of(node, source + to_last, size, call));
    static_cast<void>(addresses_.place_of(node, destination + to_last, size, call));
    Loop& loop = loops_[node];
    loop = {};
    loop.call = call;
    loop.left = count;
    loop.retry = count;
    loop.size = size;
    loop.kind = kind;
    loop.source_address = source;
    loop.destination_address = destination;
    loop.source = addresses_.place_of(node, source, size, call);
    loop.destination = addresses_.writable_place_of(node, destination, size, call);
    loop.reads_elsewhere = !CoreAccesses::is_local(node, loop.source, source);
    while (step(core, loop)) {
    }
    loop.core_stands_still = true;
    core.stand_still();
}

bool BlockCopies::go_on_copying(NodeIndex node) {
    Loop& loop = loops_[node];
    while (step(cores_.at(node), loop)) {
    }
    loop.core_stands_still = loop.left != 0;
    return !loop.core_stands_still;
}

void BlockCopies::advance(Loop& copy, std::uint32_t elements) {
    const std::size_t bytes = elements * copy.size;
    copy.source.offset += bytes;
    copy.destination.offset += bytes;
    copy.source_address += bytes;
    copy.destination_address += bytes;
    copy.left -= elements;
}

bool BlockCopies::begins_undisturbed(EpiphanyCore& core, Loop& copy) {
    if (copy.left > copy.retry) {
        return false;
    }
    // Each attempt that fails or is disturbed doubles the time to the next one.
    copy.patience = std::max(8U, 2 * copy.patience);
    copy.retry = copy.left - std::min(copy.left, copy.patience);
    if (!undisturbed_.begin(core, {copy.source, copy.destination, copy.left, copy.size, copy.kind}, copy.value)) {
        return false;
    }
    copy.stage = Loop::Stage::undisturbed;
    return true;
}

void BlockCopies::end_undisturbed(EpiphanyCore& core, Loop& copy) {
    using Stage = Loop::Stage;
    const UndisturbedCopies::Copied copied = undisturbed_.end(core);
    advance(copy, copied.count);
    copy.value = copied.next_value;
    copy.stage = copy.left == 0 ? Stage::begin_load : copy.reads_elsewhere ? Stage::store : Stage::load;
}

/// Each case replays the part of a load or a store between two synchronizations with the machine.
bool BlockCopies::step(EpiphanyCore& core, Loop& copy) {
    using Stage = Loop::Stage;
    const NodeIndex node = core.identity().node;
    // Resumes at `stage` once the rest of the machine has caught up with the core.
    const auto synchronize = [&](Stage stage) {
        copy.stage = stage;
        core.release(core.now());
        return false;
    };
    const auto stall_at = [&](Stage stage, const Stall& stall) {
        copy.stage = stage;
        core.begin_stall(stall);
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
            accesses_.send_read(core, copy.source, copy.size, copy.kind);
            return synchronize(Stage::await_value);
        case Stage::load:
            if (begins_undisturbed(core, copy)) {
                return false;
            }
            copy.value = accesses_.load_own(core, copy.source, copy.size, copy.kind);
            copy.stage = Stage::begin_store;
            return true;
        case Stage::undisturbed:
            end_undisturbed(core, copy);
            return true;
        case Stage::await_value:
            if (!accesses_.has_value(node)) {
                return stall_at(Stage::stall_for_value, accesses_.await_value(node, copy.call, copy.source_address));
            }
            copy.stage = Stage::take_value;
            return true;
        case Stage::stall_for_value:
            core.end_stall(CoreAccesses::cause_of_value(copy.source));
            copy.stage = Stage::take_value;
            return true;
        case Stage::take_value:
            copy.value = accesses_.value(node);
            copy.stage = Stage::begin_store;
            return true;
        case Stage::begin_store:
            if (copy.destination.is_of(node)) {
                return synchronize(Stage::store);
            }
            if (!accesses_.has_room(node)) {
                return synchronize(Stage::await_room);
            }
            copy.stage = Stage::send;
            return true;
        case Stage::store:
            if (copy.reads_elsewhere && begins_undisturbed(core, copy)) {
                return false;
            }
            accesses_.store_own(core, copy.destination, copy.size, copy.value);
            copy.stage = Stage::next;
            return true;
        case Stage::await_room:
            if (!accesses_.has_room(node)) {
                return stall_at(Stage::stall_for_room, accesses_.await_room(node, copy.call, copy.destination_address));
            }
            copy.stage = Stage::send;
            return true;
        case Stage::stall_for_room:
            core.end_stall(CoreAccesses::cause_of_room(copy.destination));
            copy.stage = Stage::send;
            return true;
        case Stage::send:
            accesses_.send_store(core, copy.destination, copy.size, copy.value);
            copy.stage = Stage::next;
            return true;
        case Stage::next:
            core.spend(constants_.store_ticks);
            advance(copy, 1);
            copy.stage = Stage::begin_load;
            return true;
    }
    return false;
}

}  // namespace nocbench
