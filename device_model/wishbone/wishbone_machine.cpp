#include "device_model/wishbone/wishbone_machine.h"

#include <algorithm>
#include <utility>

#include "device_model/wishbone/wishbone_host.h"

namespace nocbench {

namespace {

constexpr NodeIndex kSlaveNode = 0;
constexpr int kCrossbar = 0;

PhysicalCoordinate place_of(std::size_t node) { return {.x = static_cast<int>(node), .y = 0}; }

}  // namespace

WishboneMachine::WishboneMachine(WishboneBoard board, std::vector<std::unique_ptr<wishbone::BusDevice>> further)
    : board_(std::move(board)), clock_(board_), fpga_(board_.wishbone.fpga, std::move(further)) {}

WishboneMachine::~WishboneMachine() = default;

void WishboneMachine::add_kernel(const std::string& name, std::function<void(WishboneHost&)> kernel, Tick start) {
    hosts_.push_back(std::make_unique<WishboneHost>(*this, simulation_, name, std::move(kernel), start));
}

Tick WishboneMachine::next_step() const { return simulation_.events.empty() ? kNever : simulation_.events.top().due(); }

void WishboneMachine::step(Tick begin) {
    simulation_.window_end = begin + 1;
    while (!simulation_.events.empty() && simulation_.events.top().due() < simulation_.window_end) {
        const Event event = simulation_.events.top();
        simulation_.events.pop();
        if (event.kind == EventKind::resume_processor) {
            simulation_.processors[event.subject]->run();
        } else {
            arrive(event.subject);
        }
    }
    extend_to(cycle_at_or_after(begin));
}

void WishboneMachine::expect(const WishboneHost& host, Tick tick) {
    const std::uint32_t index = host.identity().index;
    simulation_.events.push({tick, index, EventKind::complete_transaction, index});
}

void WishboneMachine::arrive(std::uint32_t index) {
    wait_for_cycle_.push_back(index);
    const auto may_go = [&](std::uint32_t host) { return !in_cycle_ || *in_cycle_ == host; };
    for (auto next = std::ranges::find_if(wait_for_cycle_, may_go); next != wait_for_cycle_.end();
         next = std::ranges::find_if(wait_for_cycle_, may_go)) {
        const std::uint32_t host = *next;
        wait_for_cycle_.erase(next);
        take_message(host);
    }
}

void WishboneMachine::take_message(std::uint32_t index) {
    WishboneHost& host = *hosts_[index];
    const wishbone::Bytes message = std::move(host.under_way_.front());
    host.under_way_.pop_front();
    const Tick sent = host.path_.take_message(host.stream_.waiting_bytes());
    wishbone::Bytes answer;
    if (host.sends_datagrams()) {
        answer = fpga_.slave().answer_datagram(message, host.path_);
    } else if (!host.stream_.take(message, answer, host.path_)) {
        answer.clear();
    }
    in_cycle_ = host.stream_.is_in_cycle() ? std::optional(index) : std::nullopt;
    const wishbone::Passage passage = host.path_.finish_message(answer.size());
    extend_to(cycle_at_or_after(passage.answered));
    tell_observers(index, passage, message, answer, sent);
    host.finish(std::move(answer), passage);
}

void WishboneMachine::tell_observers(std::uint32_t index, const wishbone::Passage& passage, wishbone::ByteView message,
                                     wishbone::ByteView answer, Tick sent) const {
    if (framed) {
        framed({.host = static_cast<int>(index), .is_request = true, .tick = passage.departure(), .bytes = message});
        if (!answer.empty()) {
            framed({.host = static_cast<int>(index), .is_request = false, .tick = passage.arrival(), .bytes = answer});
        }
    }
    if (simulation_.observers.finished) {
        TransactionRecord record;
        record.kind = "message";
        record.posted = answer.empty();
        record.bytes = static_cast<std::uint32_t>(message.size());
        record.from = kOutside;
        record.to = kSlaveNode;
        record.start_cause = passage.stages.front().cause;
        record.accepted = sent;
        for (const wishbone::Stage& stage : passage.stages) {
            record.phases.push_back({stage.kind, stage.end});
        }
        simulation_.observers.finished(record);
    }
}

FloorPlan WishboneMachine::floor_plan() const {
    FloorPlan plan;
    plan.columns = static_cast<int>(1 + fpga_.bus().devices().size());
    plan.rows = 1;
    plan.flit_bytes = wishbone::kWordBytes;
    plan.tiles.push_back({.place = place_of(kSlaveNode), .kind = "Etherbone slave", .logical = std::nullopt});
    for (const auto& device : fpga_.bus().devices()) {
        plan.tiles.push_back(
            {.place = place_of(plan.tiles.size()), .kind = device->identity().name, .logical = std::nullopt});
    }
    plan.networks.push_back({.name = "crossbar", .directions = {}});
    return plan;
}

PhysicalCoordinate WishboneMachine::place_of_node(NodeIndex node) const { return place_of(node); }

std::vector<LinkUse> WishboneMachine::words(Direction direction, std::uint64_t wishbone::DeviceUse::* of_device,
                                            std::uint64_t wishbone::DeviceUse::* of_slave) const {
    std::vector<LinkUse> links(1, {kCrossbar, place_of(kSlaveNode), direction, 0});
    for (const wishbone::DeviceUse& use : fpga_.bus().use()) {
        links.front().flits += use.*of_slave;
        links.push_back({kCrossbar, place_of(links.size()), direction, use.*of_device});
    }
    std::erase_if(links, [](const LinkUse& link) { return link.flits == 0; });
    return links;
}

std::vector<LinkUse> WishboneMachine::link_use() const {
    return words(Direction::to_tile, &wishbone::DeviceUse::writes, &wishbone::DeviceUse::reads);
}

std::vector<LinkUse> WishboneMachine::injection_use() const {
    return words(Direction::from_tile, &wishbone::DeviceUse::reads, &wishbone::DeviceUse::writes);
}

std::vector<TileDeliveries> WishboneMachine::deliveries() const {
    std::vector<TileDeliveries> tiles;
    for (const LinkUse& link : link_use()) {
        tiles.push_back({link.router, link.flits * wishbone::kWordBytes});
    }
    return tiles;
}

std::uint64_t WishboneMachine::flit_hops() const {
    std::uint64_t words = 0;
    for (const LinkUse& link : injection_use()) {
        words += link.flits;
    }
    return words;
}

}  // namespace nocbench
