#include "device_model/epiphany/epiphany_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench {

EpiphanyState::EpiphanyState(const EpiphanyConstants& constants_, const EpiphanyShape& shape_)
    : constants(constants_),
      shape(shape_),
      wiring(mesh_with_edge_link(shape.columns, shape.rows)),
      num_nodes(static_cast<std::size_t>(wiring.topology.num_nodes)),
      cores(num_nodes),
      addresses(constants, shape, cores, wiring.edge_node),
      memory(constants.core, num_nodes),
      interrupts(constants.core, cores, memory, num_nodes),
      spins(constants.core, cores, addresses, memory, interrupts, num_nodes),
      wired_and(constants.core, cores, interrupts, num_nodes),
      deliveries(*this, memory, spins, interrupts, num_nodes),
      writes(cores, num_nodes),
      mesh(constants.mesh, wiring, observers, *this),
      accesses(constants.core, cores, addresses, memory, deliveries, interrupts, writes, mesh, num_nodes),
      copies(constants.core, cores, addresses, interrupts, accesses, undisturbed, num_nodes),
      polls(cores, num_nodes),
      engines(constants,
              {*this, shape, cores, addresses, memory, interrupts, deliveries, writes, mesh, accesses, polls},
              num_nodes),
      arrivals(constants, shape.clock_hz, {*this, memory, deliveries, writes, mesh, accesses, polls, engines}) {
    memory.set_reservation_holder(&undisturbed);
    mesh.set_reservation_holder(&undisturbed);
    writes.set_reservation_holder(&undisturbed);
}

void EpiphanyState::add_kernel(LogicalCoordinate core, const std::string& name, std::function<void()> kernel,
                               Tick start) {
    try {
        shape.require_core(core);
    } catch (const InputError& error) {
        throw InputError(fmt::format("kernel '{}': {}", name, error.what()));
    }
    Processor::Identity identity;
    identity.node = static_cast<NodeIndex>(shape.core_number(core));
    identity.core = core;
    identity.physical = shape.place_of_node(identity.node);
    identity.processor = Processor::kOnlyProcessor;
    identity.kernel = name;
    if (const EpiphanyCore* const other = cores.find(identity.node)) {
        throw InputError(fmt::format("kernel '{}': core ({}, {}) already runs kernel '{}'", name, core.x, core.y,
                                     other->identity().kernel));
    }
    auto added = std::make_unique<EpiphanyCore>(*this, *this, std::move(identity), std::move(kernel), start);
    cores.add(*added);
    kernels_.push_back(std::move(added));
}

void EpiphanyState::add_host_kernel(const std::string& name, std::function<void(EpiphanyHost&)> kernel, Tick start) {
    kernels_.push_back(std::make_unique<EpiphanyHost>(*this, *this, name, std::move(kernel), start));
}

void EpiphanyState::transaction_left(Plane /*plane*/, NodeIndex node, MeshPort port, TransactionId id, Tick tick) {
    mesh.left(port, id, tick);
    if (port == MeshPort::core) {
        accesses.transaction_left(node, id, tick);
    } else if (port == MeshPort::dma) {
        engines.transaction_left(node, mesh.transaction(id).channel, tick);
    }
}

void EpiphanyState::transaction_arrived(Plane plane, NodeIndex node, TransactionId id, Tick tick) {
    arrivals.arrive(plane, node, id, tick);
}

void EpiphanyState::time_reached(Plane plane, NodeIndex node, Tick /*tick*/) { mesh.open(plane, node); }

void EpiphanyState::handle_events(const Event& end) {
    while (!events.empty() && events.top().before(end)) {
        const Event event = events.top();
        events.pop();
        event_tick = event.tick;
        position = event;
        if (event.kind == EventKind::resume_processor) {
            Processor& processor = *processors[event.subject];
            const Processor::Identity& identity = processor.identity();
            if (!processor.has_cancelled(event.tick) && (identity.is_outside() || copies.go_on(identity.node))) {
                processor.run();
            }
            continue;
        }
        const std::uint32_t subject = subject_of(event);
        switch (action_of(event)) {
            case Action::serve_read:
                arrivals.serve_read(subject, event.tick);
                break;
            case Action::commit:
                arrivals.commit(subject, event.tick);
                break;
            case Action::dma_step:
                engines.step(subject, event.tick);
                break;
            case Action::copy_arrived:
                undisturbed.arrived(static_cast<NodeIndex>(subject), event.tick);
                break;
        }
    }
}

Tick EpiphanyState::next_step() const {
    // Steps are network cycles; idle ones are skipped.
    Cycle cycle = mesh.next_cycle();
    if (!events.empty()) {
        cycle = std::min(cycle, std::max(events.top().tick, window_end) / MeshPlane::kTicksPerNetworkCycle);
    }
    return cycle == kNever ? kNever : cycle * MeshPlane::kTicksPerNetworkCycle;
}

void EpiphanyState::step(Tick begin) {
    begin_window(begin / MeshPlane::kTicksPerNetworkCycle);
    const Event end{.tick = window_end, .kind = EventKind::commit_write};
    handle_events(end);
    position = end;
    mesh.run_cycle();
}

void EpiphanyState::begin_window(Cycle cycle) {
    window_end = (cycle + 1) * MeshPlane::kTicksPerNetworkCycle;
    mesh.begin_cycle(cycle);
}

void EpiphanyState::catch_up(Tick begin, const std::function<void()>& act) {
    const Event present = position;
    const Tick present_tick = event_tick;
    const Cycle present_cycle = window_end / MeshPlane::kTicksPerNetworkCycle - 1;
    const Cycle first = begin / MeshPlane::kTicksPerNetworkCycle;
    std::swap(events, events_aside_);
    mesh.set_aside(first);
    mesh.begin_cycle(first);
    window_end = first * MeshPlane::kTicksPerNetworkCycle;
    act();
    for (Tick next = next_step(); next / MeshPlane::kTicksPerNetworkCycle < present_cycle; next = next_step()) {
        step(next);
    }
    begin_window(present_cycle);
    handle_events(present);
    mesh.join();
    std::swap(events, events_aside_);
    for (; !events_aside_.empty(); events_aside_.pop()) {
        events.push(events_aside_.top());
    }
    position = present;
    event_tick = present_tick;
}

}  // namespace nocbench
