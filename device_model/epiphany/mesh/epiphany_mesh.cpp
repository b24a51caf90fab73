#include "device_model/epiphany/mesh/epiphany_mesh.h"

#include <algorithm>
#include <utility>

namespace nocbench {

EpiphanyMesh::EpiphanyMesh(const MeshConstants& constants, const MeshWithEdgeLink& wiring, const Observers& observers,
                           MeshClient& client)
    : wiring_(wiring), observers_(observers), ways_(kNumPlanes, MeshWays(wiring.topology)) {
    for (std::size_t which = 0; which < kNumPlanes; ++which) {
        planes_[which] = std::make_unique<MeshPlane>(static_cast<Plane>(which), constants, wiring.topology, client);
    }
}

EpiphanyMesh::Way EpiphanyMesh::way_of(const MeshTransaction& transaction) {
    if (transaction.is_reply) {
        return {Plane::on_chip_write, transaction.target.node, transaction.reply_to.node};
    }
    return {transaction.plane(), transaction.requester, transaction.target.node};
}

void EpiphanyMesh::send(TransactionId id, MeshPort port, Tick ready) {
    const auto [plane, from, to] = way_of(transactions_[id]);
    if (observers_.finished) {
        times_.ready(id, port, ready);
    }
    MeshWays& ways = this->ways(plane);
    for (auto holder = ways.holder(from, to); holder; holder = ways.holder(from, to)) {
        holder_->disturb(*holder);
    }
    ways.enter(from, to);
    this->plane(plane).send(from, port, to, id, ready);
}

TransactionId EpiphanyMesh::send(const MeshTransaction& transaction, Tick ready) {
    if (holder_ != nullptr) {
        holder_->disturb(transaction.requester);
    }
    const TransactionId id = transactions_.allocate(transaction);
    send(id, transaction.is_dma ? MeshPort::dma : MeshPort::core, ready);
    return id;
}

void EpiphanyMesh::reply(TransactionId id, Tick ready) {
    MeshTransaction& transaction = transactions_[id];
    leave(transaction);
    transaction.is_reply = true;
    send(id, MeshPort::reply, ready);
}

MeshTransaction EpiphanyMesh::end(TransactionId id, Tick tick) {
    const MeshTransaction transaction = transactions_[id];
    transactions_.release(id);
    leave(transaction);
    if (observers_.finished) {
        observers_.finished(times_.record(id, transaction, wiring_.topology, tick));
    }
    return transaction;
}

void EpiphanyMesh::leave(const MeshTransaction& transaction) {
    const Way way = way_of(transaction);
    ways(way.plane).leave(way.from, way.to);
}

void EpiphanyMesh::set_aside(Cycle cycle) {
    for (const auto& each : planes_) {
        each->set_aside(cycle);
    }
}

void EpiphanyMesh::join() {
    for (const auto& each : planes_) {
        each->join();
    }
}

void EpiphanyMesh::close_until(Plane plane, NodeIndex node, Tick tick) {
    this->plane(plane).block_arrivals(node, true);
    this->plane(plane).call_at(node, tick);
}

void EpiphanyMesh::left(MeshPort port, TransactionId id, Tick tick) {
    if (observers_.finished) {
        times_.left(id, port, tick);
    }
}

void EpiphanyMesh::arrived(TransactionId id, Tick tick) {
    if (observers_.finished && !transactions_[id].is_reply) {
        times_.arrived(id, tick);
    }
}

Cycle EpiphanyMesh::next_cycle() const {
    Cycle cycle = kNever;
    for (const auto& each : planes_) {
        cycle = std::min(cycle, each->next_cycle());
    }
    return cycle;
}

void EpiphanyMesh::begin_cycle(Cycle cycle) {
    for (const auto& each : planes_) {
        each->begin_cycle(cycle);
    }
}

void EpiphanyMesh::run_cycle() {
    for (const auto& each : planes_) {
        each->run_cycle();
    }
}

std::vector<LinkUse> EpiphanyMesh::link_use(const EpiphanyShape& shape) const {
    std::vector<LinkUse> use;
    const auto add = [&](std::size_t plane, PhysicalCoordinate router, Direction direction, int node, int port) {
        const std::uint64_t flits = planes_[plane]->flits_sent(static_cast<NodeIndex>(node), port);
        if (flits != 0) {
            use.push_back({static_cast<int>(plane), router, direction, flits});
        }
    };
    for (std::size_t plane = 0; plane < kNumPlanes; ++plane) {
        for (int node = 0; node < shape.num_cores(); ++node) {
            for (const auto& [port, direction] :
                 {std::pair{kNiuPort, Direction::to_tile}, std::pair{kRightPort, Direction::east},
                  std::pair{kLeftPort, Direction::west}, std::pair{kDownPort, Direction::south},
                  std::pair{kUpPort, Direction::north}}) {
                add(plane, shape.place_of_node(static_cast<NodeIndex>(node)), direction, node, port);
            }
        }
        // Ports beyond the chip's edge: into the rows, and off the chip. The links between rows are not shown.
        for (int node = shape.num_cores(); node < wiring_.topology.num_nodes; ++node) {
            for (int port = kNiuPort + 1; port < wiring_.topology.num_ports; ++port) {
                const Topology::Link& link = wiring_.topology.link(node, port);
                if (link.exists && link.neighbour < shape.num_cores()) {
                    add(plane, {.x = shape.columns, .y = shape.core_at(link.neighbour).y}, Direction::west, node, port);
                }
            }
        }
        add(plane, shape.place_of_node(wiring_.edge_node), Direction::to_tile, wiring_.edge_node, kNiuPort);
    }
    return use;
}

std::vector<LinkUse> EpiphanyMesh::injection_use(const EpiphanyShape& shape) const {
    std::vector<LinkUse> use;
    for (std::size_t plane = 0; plane < kNumPlanes; ++plane) {
        for (int node = 0; node < wiring_.topology.num_nodes; ++node) {
            const std::uint64_t flits = planes_[plane]->flits_injected(static_cast<NodeIndex>(node));
            if (flits != 0) {
                use.push_back({static_cast<int>(plane), shape.place_of_node(static_cast<NodeIndex>(node)),
                               Direction::from_tile, flits});
            }
        }
    }
    return use;
}

std::uint64_t EpiphanyMesh::flit_hops() const {
    std::uint64_t sum = 0;
    for (const auto& each : planes_) {
        sum += each->flit_hops();
    }
    return sum;
}

}  // namespace nocbench
