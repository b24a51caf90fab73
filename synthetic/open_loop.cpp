#include "synthetic/open_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "device_model/noc/make_network.h"
#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/narrow.h"
#include "device_model/sim/random_numbers.h"
#include "device_model/sim/simulation.h"
#include "synthetic/arrival_check.h"
#include "synthetic/geometric_gaps.h"

namespace nocbench::synthetic {

namespace {

constexpr PhaseKind kWaitsInQueue{"waits in its source", "{which} waits in the queue of its source", "started"};
constexpr PhaseKind kHeaderOnItsWay{"header on its way", "{which}: its header is on the way, {hops}", "header arrived"};
constexpr PhaseKind kFlitsArrive{"flits arrive", "its flits arrive", "arrived"};

/// Sources and receivers at the ports of a network.
class OpenLoop final : public NetworkClient, public Machine {
public:
    OpenLoop(const NetworkPlan& plan, const Load& load, double bytes_per_flit)
        : plan_(plan),
          load_(load),
          bytes_per_flit_(bytes_per_flit),
          measured_begin_(load.actual_warmup_cycles()),
          measured_end_(measured_begin_ + load.measured_cycles()),
          drain_end_(2 * measured_end_),
          gaps_(load.planned.empty() ? load.flits_per_source_and_cycle / load.packet_flits : 1),
          place_of_node_(static_cast<std::size_t>(plan.topology.num_nodes), kNoPlace),
          arrivals_(load.counts_flits),
          network_(make_network(plan.accuracy, plan.topology, plan.parameters, packets_, *this)) {
        const std::size_t num_places = plan.nodes.size();
        RandomNumbers seeds(load.seed);
        set_accelerators(*network_, load.accelerators);
        outcome_.sources.resize(num_places);
        outcome_.flits_received.resize(num_places);
        flits_accepted_.resize(num_places);
        for (std::size_t place = 0; place < num_places; ++place) {
            const NodeIndex node = plan.nodes[place];
            place_of_node_[node] = static_cast<int>(place);
            network_->set_rates(node, plan.source_ticks_per_data_flit, plan.sink_ticks_per_data_flit,
                                plan.sink_ticks_per_data_flit);
            if (load.counts_flits) {
                network_->count_data_flits(node);
            }
            const std::uint64_t seed_of_times = seeds.next();
            sources_.emplace_back(seed_of_times, seeds.next());
        }
        for (std::size_t number = 0; number < load.planned.size(); ++number) {
            sources_[static_cast<std::size_t>(load.planned[number].source)].planned.push_back(number);
        }
        outcome_.planned_latencies.resize(load.planned.size());
        if (load.sources.empty()) {
            for (std::size_t place = 0; place < num_places; ++place) {
                start_source(static_cast<int>(place));
            }
        }
        for (const int place : load.sources) {
            start_source(place);
        }
        if (load.latency_factor_max) {
            latency_sum_max_ = *load.latency_factor_max * static_cast<double>(unhindered_sum_to_measure());
        }
    }

    Outcome run_whole() {
        run(kMostCycles);
        if (!outcome_.gave_up) {
            finish();
        }
        return std::move(outcome_);
    }

    [[nodiscard]] FloorPlan floor_plan() const override { return plan_.floor_plan; }

    [[nodiscard]] PhysicalCoordinate place_of_node(NodeIndex node) const override {
        return {.x = node % plan_.floor_plan.columns, .y = node / plan_.floor_plan.columns};
    }

    [[nodiscard]] std::vector<LinkUse> link_use() const override {
        std::vector<LinkUse> use;
        const FloorPlan::Network& network = plan_.floor_plan.networks[static_cast<std::size_t>(plan_.noc)];
        for (int node = 0; node < plan_.topology.num_nodes; ++node) {
            for (int port = 0; port < plan_.topology.num_ports; ++port) {
                const std::uint64_t flits = network_->flits_sent(static_cast<NodeIndex>(node), port);
                if (flits != 0) {
                    use.push_back(
                        {plan_.noc, place_of_node(static_cast<NodeIndex>(node)),
                         port == kNiuPort ? Direction::to_tile : network.directions[static_cast<std::size_t>(port) - 1],
                         flits});
                }
            }
        }
        return use;
    }

    [[nodiscard]] std::vector<LinkUse> injection_use() const override {
        std::vector<LinkUse> use;
        for (int node = 0; node < plan_.topology.num_nodes; ++node) {
            if (const std::uint64_t flits = network_->flits_injected(static_cast<NodeIndex>(node)); flits != 0) {
                use.push_back({plan_.noc, place_of_node(static_cast<NodeIndex>(node)), Direction::from_tile, flits});
            }
        }
        return use;
    }

    [[nodiscard]] std::vector<TileDeliveries> deliveries() const override {
        std::vector<TileDeliveries> deliveries;
        for (std::size_t place = 0; place < plan_.nodes.size(); ++place) {
            const auto received = static_cast<double>(outcome_.flits_received[place]) * bytes_per_flit_;
            deliveries.push_back(
                {place_of_node(plan_.nodes[place]), static_cast<std::uint64_t>(std::llround(received))});
        }
        return deliveries;
    }

    [[nodiscard]] std::uint64_t flit_hops() const override { return network_->flit_hops(); }

    Cycle interface_cycle(NodeIndex node, Cycle cycle) override {
        const int place = place_of_node_[node];
        Source& source = sources_[static_cast<std::size_t>(place)];
        if (source.is_sending || !is_wanted(source, cycle)) {
            return kNever;
        }
        if (source.created > cycle) {
            return source.created;
        }
        send(place, source, cycle);
        return kNever;
    }

    void stream_can_start(NodeIndex /*node*/, int /*stream*/, Cycle /*cycle*/) override {}

    void stream_finished(NodeIndex node, int /*stream*/, PacketId /*packet*/, const FlitsRead& read) override {
        Source& source = sources_[static_cast<std::size_t>(place_of_node_[node])];
        source.is_sending = false;
        if (is_wanted(source, read.last)) {
            network_->wake_interface(node, std::max(source.created, read.last + 1));
        }
    }

    void head_ejected(NodeIndex node, PacketId packet, int /*channel*/, Cycle cycle) override {
        arrivals_.header_arrived(packet, node);
        if (simulation_.observers.finished) {
            watched_[packet].header_arrived = cycle;
        }
    }

    void data_flit_ejected(NodeIndex /*node*/, PacketId /*packet*/, int /*channel*/, Cycle /*cycle*/) override {}
    void data_flits_counted(NodeIndex node, PacketId packet, int flits) override {
        arrivals_.data_flits_arrived(packet, node, flits);
    }

    void packet_ejected(NodeIndex node, PacketId packet, int /*channel*/, Cycle cycle) override {
        arrivals_.packet_arrived(packet, node);
        const Journey& journey = journeys_[packet];
        const auto source_place = static_cast<std::size_t>(journey.source);
        extend_to(cycle + 1);
        const auto flits = static_cast<std::uint64_t>(journey.flits);
        const NetworkPlan::Way& way = this->way(plan_.nodes[source_place], node);
        const std::uint64_t routers = way.hops + std::uint64_t{1};
        outcome_.packet_hops += routers;
        expected_flit_hops_ += routers * flits;
        if (const int place = place_of_node_[node]; place != kNoPlace) {
            outcome_.flits_received[static_cast<std::size_t>(place)] += flits;
        }
        if (cycle >= measured_begin_ && cycle < measured_end_) {
            flits_accepted_[source_place] += flits;
        }
        if (is_measured(journey.created)) {
            --measured_under_way_;
            const Cycle latency = cycle + plan_.ejection_cycles - journey.created;
            latencies_.push_back(latency);
            latency_sum_ += latency;
            Outcome::Source& source = outcome_.sources[source_place];
            ++source.packets;
            source.latency_cycles += latency;
            source.unhindered_cycles += plan_.unhindered_cycles(way, journey.flits);
            if (!load_.planned.empty()) {
                outcome_.planned_latencies[journey.number] = latency;
            }
        }
        if (simulation_.observers.finished) {
            report(packet, node, way.hops, cycle);
        }
        packets_.release(packet);
    }

    void path_reserved(NodeIndex /*node*/, PacketId /*packet*/, Cycle /*requested*/, Cycle /*cycle*/) override {}

private:
    static constexpr int kNoPlace = -1;

    /// State of a source. Only its next packet or the front of its queue is stored: the network does not influence
    /// creation times or destinations, so later packets can be drawn when needed.
    struct Source {
        Source(std::uint64_t seed_of_times, std::uint64_t seed_of_destinations)
            : times(seed_of_times), destinations(seed_of_destinations) {}

        RandomNumbers times;  // separate generator, so that destinations are equal at every load
        RandomNumbers destinations;
        std::vector<std::size_t> planned;  // indices of this source's planned packets
        std::size_t num_begun = 0;         // number of planned packets begun, including the next one to create
        Cycle created = -1;
        int last_stream = 0;
        bool is_sending = false;
    };

    /// Packet in flight.
    struct Journey {
        Cycle created = 0;
        int source = 0;  // index of the source in the plan's nodes
        int flits = 0;
        std::size_t number = 0;  // index in Load::planned
    };

    struct KeptWay {
        std::uint32_t pair = ~std::uint32_t{0};
        NetworkPlan::Way way;
    };

    /// Additional times of a packet, recorded only for observers.
    struct WatchedJourney {
        Cycle started = 0;
        Cycle header_arrived = 0;
    };

    [[nodiscard]] Simulation& simulation() override { return simulation_; }
    [[nodiscard]] const Simulation& simulation() const override { return simulation_; }

    [[nodiscard]] Tick next_step() const override {
        const Cycle window = outcome_.gave_up ? kNever : network_->next_active_window();
        return window == kNever ? kNever : ticks_from_cycles(window);
    }

    void step(Tick begin) override {
        if (sources_to_measure_ == 0 && measured_under_way_ == 0) {
            creation_end_ = measured_end_;
        }
        network_->step_window(cycle_containing(begin));
        outcome_.gave_up = static_cast<double>(latency_sum_) > latency_sum_max_;
    }

    [[nodiscard]] Cycle simulated_cycles() const override { return elapsed_cycles(); }

    void report(PacketId packet, NodeIndex node, int hops, Cycle cycle) {
        const Journey& journey = journeys_[packet];
        const WatchedJourney& watched = watched_[packet];
        TransactionRecord record;
        record.kind = "packet";
        record.noc = static_cast<std::uint8_t>(plan_.noc);
        record.posted = true;
        record.bytes = static_cast<std::uint32_t>(std::llround(journey.flits * bytes_per_flit_));
        record.from = plan_.nodes[static_cast<std::size_t>(journey.source)];
        record.to = node;
        record.hops = static_cast<std::uint16_t>(hops);
        record.start_cause = Cause::contention;
        record.accepted = ticks_from_cycles(journey.created);
        const Cycle arrived = cycle + plan_.ejection_cycles;
        record.phases = {
            {&kWaitsInQueue, ticks_from_cycles(watched.started)},
            {&kHeaderOnItsWay, ticks_from_cycles(std::min(watched.header_arrived + plan_.ejection_cycles, arrived))},
            {&kFlitsArrive, ticks_from_cycles(arrived)}};
        simulation_.observers.finished(record);
    }

    /// Returns the way between two nodes. Ways are kept because short packets go each way of a small network many
    /// times.
    [[nodiscard]] const NetworkPlan::Way& way(NodeIndex from, NodeIndex to) {
        const std::uint32_t pair = from * static_cast<std::uint32_t>(plan_.topology.num_nodes) + to;
        KeptWay& kept = ways_[pair % ways_.size()];
        if (kept.pair != pair) {
            kept = {pair, plan_.way(from, to)};
        }
        return kept.way;
    }

    [[nodiscard]] bool is_measured(Cycle created) const {
        return created >= measured_begin_ && created < measured_end_;
    }

    /// Returns true if the source's next packet is still to be sent. After the measured phase, and in a drain that
    /// takes too long, only packets created in that phase are sent. Planned packets are always sent.
    [[nodiscard]] bool is_wanted(const Source& source, Cycle cycle) const {
        return source.created < (cycle < drain_end_ || !load_.planned.empty() ? creation_end_ : measured_end_);
    }

    /// Returns the sum of `unhindered_cycles` of all packets of the measured phase, which the network does not
    /// influence.
    [[nodiscard]] Cycle unhindered_sum_to_measure() {
        Cycle sum = 0;
        for (std::size_t place = 0; place < sources_.size(); ++place) {
            Source source = sources_[place];
            if (source.created < 0) {
                continue;  // the source sends no packets
            }
            for (; source.created < measured_end_; source.created += gaps_.next(source.times)) {
                const int receiver = load_.pattern.destination(static_cast<int>(place), source.destinations);
                if (is_measured(source.created)) {
                    const NodeIndex to = plan_.nodes[static_cast<std::size_t>(receiver)];
                    sum += plan_.unhindered_cycles(way(plan_.nodes[place], to), load_.packet_flits);
                }
            }
        }
        return sum;
    }

    void start_source(int place) {
        ++sources_to_measure_;
        ++num_sources_;
        Source& source = sources_[static_cast<std::size_t>(place)];
        create_next(source);
        network_->wake_interface(plan_.nodes[static_cast<std::size_t>(place)], source.created);
    }

    void create_next(Source& source) {
        const bool was_to_measure = source.created < measured_end_;
        if (load_.planned.empty()) {
            source.created += gaps_.next(source.times);
        } else {
            const std::size_t next = source.num_begun++;
            source.created = next < source.planned.size() ? load_.planned[source.planned[next]].created : kNever;
        }
        sources_to_measure_ -= was_to_measure && source.created >= measured_end_ ? 1 : 0;
    }

    void send(int place, Source& source, Cycle cycle) {
        const NodeIndex node = plan_.nodes[static_cast<std::size_t>(place)];
        do {
            source.last_stream = (source.last_stream + 1) % plan_.num_streams;
        } while (!network_->can_start_stream(node, source.last_stream));
        Journey journey{.created = source.created, .source = place, .flits = load_.packet_flits};
        int receiver = 0;
        if (load_.planned.empty()) {
            receiver = load_.pattern.destination(place, source.destinations);
        } else {
            journey.number = source.planned[source.num_begun - 1];
            journey.flits = load_.planned[journey.number].flits;
            receiver = load_.planned[journey.number].destination;
        }
        Packet packet;
        packet.flits = narrow<std::uint16_t>(journey.flits, "flits of a packet");
        packet.source = node;
        packet.destination = plan_.nodes[static_cast<std::size_t>(receiver)];
        packet.kind = PacketKind::write_request;
        packet.software_virtual_channel = static_cast<std::uint8_t>(source.last_stream);
        packet.is_static = plan_.is_static;
        const PacketId id = packets_.allocate(packet);
        if (id >= journeys_.size()) {
            journeys_.resize(id + 1);
        }
        journeys_[id] = journey;
        if (simulation_.observers.finished) {
            watched_.resize(journeys_.size());
            watched_[id].started = cycle;
        }
        arrivals_.sent(id, node, packet.destination, journey.flits);
        if (is_measured(source.created)) {
            ++measured_under_way_;
            ++outcome_.packets;
            measured_flits_ += static_cast<std::uint64_t>(journey.flits);
        }
        ++outcome_.packets_sent;
        network_->start_stream(node, source.last_stream, id, cycle, 0);
        source.is_sending = true;
        create_next(source);
    }

    void finish() {
        summarize_latencies();
        summarize_rates();
        outcome_.flit_hops = network_->flit_hops();
        outcome_.links = link_use();
        outcome_.injections = injection_use();
        outcome_.elapsed_cycles = elapsed_cycles();
        outcome_.fault = arrivals_.fault();
        if (outcome_.fault.empty() && outcome_.flit_hops != expected_flit_hops_) {
            outcome_.fault = fmt::format("flits went through routers {} times: expected {}", outcome_.flit_hops,
                                         expected_flit_hops_);
        }
    }

    void summarize_latencies() {
        if (latencies_.empty()) {
            return;
        }
        Cycle unhindered_sum = 0;
        for (const Outcome::Source& source : outcome_.sources) {
            unhindered_sum += source.unhindered_cycles;
        }
        const auto num_packets = static_cast<double>(latencies_.size());
        outcome_.mean_latency_cycles = static_cast<double>(latency_sum_) / num_packets;
        outcome_.mean_unhindered_cycles = static_cast<double>(unhindered_sum) / num_packets;
        const auto rank = static_cast<std::ptrdiff_t>((latencies_.size() * 99 + 99) / 100);
        std::nth_element(latencies_.begin(), latencies_.begin() + rank - 1, latencies_.end());
        outcome_.p99_latency_cycles = latencies_[static_cast<std::size_t>(rank) - 1];
        outcome_.max_latency_cycles = *std::ranges::max_element(latencies_);
    }

    void summarize_rates() {
        const auto cycles = static_cast<double>(measured_end_ - measured_begin_);
        for (std::size_t place = 0; place < outcome_.sources.size(); ++place) {
            const double accepted = static_cast<double>(flits_accepted_[place]) / cycles;
            outcome_.sources[place].accepted_flits_per_cycle = accepted;
            outcome_.accepted_flits_per_source_and_cycle += accepted / num_sources_;
        }
        outcome_.offered_flits_per_source_and_cycle = static_cast<double>(measured_flits_) / cycles / num_sources_;
    }

    const NetworkPlan& plan_;
    const Load& load_;
    double bytes_per_flit_;
    Simulation simulation_;  // without events outside the network
    Cycle measured_begin_;
    Cycle measured_end_;
    Cycle drain_end_;
    Cycle creation_end_ = kNever;
    GeometricGaps gaps_;
    std::vector<int> place_of_node_;
    std::vector<KeptWay> ways_ = std::vector<KeptWay>(std::size_t{1} << 14U);
    std::vector<Source> sources_;          // indexed by source
    std::vector<Journey> journeys_;        // indexed by PacketId
    std::vector<WatchedJourney> watched_;  // indexed by PacketId
    std::vector<Cycle> latencies_;         // of measured packets
    Cycle latency_sum_ = 0;
    double latency_sum_max_ = std::numeric_limits<double>::infinity();
    int num_sources_ = 0;
    int sources_to_measure_ = 0;  // number of sources that may still create packets of the measured phase
    std::uint64_t measured_under_way_ = 0;
    std::uint64_t measured_flits_ = 0;
    std::uint64_t expected_flit_hops_ = 0;
    std::vector<std::uint64_t> flits_accepted_;  // in the measured phase, indexed by source
    ArrivalCheck arrivals_;
    Outcome outcome_;
    PacketPool packets_;
    std::unique_ptr<Network> network_;
};

}  // namespace

Cycle Load::measured_cycles() const {
    if (measured_phase_cycles) {
        return *measured_phase_cycles;
    }
    return static_cast<Cycle>(std::ceil(static_cast<double>(measured_flits_per_source) / flits_per_source_and_cycle));
}

Cycle Load::actual_warmup_cycles() const {
    constexpr Cycle kEnough = 2000;
    return warmup_cycles.value_or(std::min(kEnough, measured_cycles()));
}

Outcome run_open_loop(const NetworkPlan& network, const Load& load, const std::function<void(Machine&)>& watcher,
                      double bytes_per_flit) {
    OpenLoop open_loop(network, load, bytes_per_flit);
    if (watcher) {
        watcher(open_loop);
    }
    return open_loop.run_whole();
}

}  // namespace nocbench::synthetic
