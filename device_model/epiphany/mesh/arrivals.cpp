#include "device_model/epiphany/mesh/arrivals.h"

#include <optional>

namespace nocbench {

using Action = EpiphanySimulation::Action;

void EpiphanyArrivals::arrive(Plane plane, NodeIndex node, TransactionId id, Tick tick) {
    const MeshTransaction& transaction = parts_.mesh.transaction(id);
    parts_.mesh.arrived(id, tick);
    const auto close_until = [&](std::optional<Tick> until) {
        if (until && *until > tick) {
            parts_.mesh.close_until(plane, node, *until);
        }
    };
    if (plane == Plane::on_chip_write) {
        parts_.simulation.push(tick, node, Action::commit, id);
    } else if (plane == Plane::off_chip_write) {
        const Elink::Service service =
            elink_.write(transaction.target.offset, transaction.size, transaction.is_dma, tick);
        close_until(service.closed_until);
        parts_.simulation.push(service.done, node, Action::commit, id);
    } else if (transaction.target.is_external) {
        const auto engine = transaction.is_dma
                                ? std::optional(DmaEngines::channel_number(transaction.requester, transaction.channel))
                                : std::nullopt;
        const Elink::Service service = elink_.read(engine, tick);
        close_until(service.closed_until);
        parts_.simulation.push(service.done, node, Action::serve_read, id);
    } else {
        if (transaction.requester != node || transaction.is_dma) {
            parts_.polls.read_arrived(node, tick);
        }
        close_until(tick + constants_.core.read_recovery_ticks);
        parts_.simulation.push(tick + constants_.core.remote_read_ticks, node, Action::serve_read, id);
    }
}

void EpiphanyArrivals::serve_read(TransactionId id, Tick tick) {
    // A copy: taking a bank may put more transactions under way.
    const MeshTransaction transaction = parts_.mesh.transaction(id);
    const EpiphanyPlace& target = transaction.target;
    if (constants_.mesh.reads_follow_writes != 0 &&
        parts_.writes.landed(transaction.requester, target.node) < transaction.writes_before) {
        parts_.simulation.push(tick + kTicksPerCycle, target.node, Action::serve_read, id);
        return;
    }
    const Tick ready = parts_.memory.take_bank(target, tick);
    const std::uint64_t data = parts_.memory.read_at(target, transaction.size, tick);
    parts_.mesh.transaction(id).data = data;
    parts_.polls.was_read(target.node, ready);
    const bool is_testset = transaction.kind == MeshTransaction::Kind::testset;
    if (is_testset && data == 0) {
        parts_.deliveries.deliver(TransactionKind::write, transaction.requester, target, transaction.size, 1, ready);
    }
    parts_.mesh.reply(id, ready + (is_testset ? constants_.core.testset_ticks : 0));
}

void EpiphanyArrivals::commit(TransactionId id, Tick tick) {
    const MeshTransaction transaction = parts_.mesh.end(id, tick);
    const NodeIndex requester = transaction.requester;
    if (!transaction.is_reply) {
        parts_.deliveries.land(requester, transaction.target, transaction.size, transaction.data, tick);
        parts_.writes.land(requester, transaction.target.node, tick);
    } else if (transaction.is_dma) {
        parts_.deliveries.deliver(TransactionKind::read, transaction.target.node, transaction.reply_to,
                                  transaction.size, transaction.data, tick);
        parts_.engines.reply_arrived(requester, transaction.channel, tick);
    } else {
        parts_.accesses.value_arrived(requester, transaction.data, tick);
    }
}

}  // namespace nocbench
