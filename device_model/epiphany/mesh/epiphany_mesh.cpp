#include "device_model/epiphany/mesh/epiphany_mesh.h"

#include <algorithm>
#include <utility>

namespace nocbench {

EpiphanyMesh::EpiphanyMesh(const MeshConstants& constants, const MeshWithEdgeLink& wiring, const Observers& observers,
                           MeshClient& client)
    : wiring_(wiring), observers_(observers), ways_(wiring.topology) {
    for (std::size_t which = 0; which < kNumPlanes; ++which) {
        planes_[which] = std::make_unique<MeshPlane>(static_cast<Plane>(which), constants, wiring.topology, client);
    }
}

void EpiphanyMesh::send(Plane plane, NodeIndex from, MeshPort port, NodeIndex to, TransactionId id, Tick ready) {
    if (observers_.finished) {
        times_.ready(id, port, ready);
    }
    if (plane == Plane::on_chip_write) {
        for (auto holder = ways_.holder(from, to); holder; holder = ways_.holder(from, to)) {
            holder_->disturb(*holder);
        }
        ways_.enter(from, to);
    }
    this->plane(plane).send(from, port, to, id, ready);
}

TransactionId EpiphanyMesh::send(const MeshTransaction& transaction, Tick ready) {
    if (holder_ != nullptr) {
        holder_->disturb(transaction.requester);
    }
    const TransactionId id = transactions_.allocate(transaction);
    send(transaction.plane(), transaction.requester, transaction.is_dma ? MeshPort::dma : MeshPort::core,
         transaction.target.node, id, ready);
    return id;
}

void EpiphanyMesh::reply(TransactionId id, Tick ready) {
    MeshTransaction& transaction = transactions_[id];
    transaction.is_reply = true;
    send(Plane::on_chip_write, transaction.target.node, MeshPort::reply, transaction.reply_to.node, id, ready);
}

MeshTransaction EpiphanyMesh::end(TransactionId id, Tick tick) {
    const MeshTransaction transaction = transactions_[id];
    transactions_.release(id);
    if (transaction.is_reply) {
        ways_.leave(transaction.target.node, transaction.reply_to.node);
    } else if (transaction.plane() == Plane::on_chip_write) {
        ways_.leave(transaction.requester, transaction.target.node);
    }
    if (observers_.finished) {
        observers_.finished(times_.record(id, transaction, wiring_.topology, tick));
    }
    return transaction;
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
