#include "synthetic/traffic_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "device_model/arch/architecture.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "synthetic/pattern.h"
#include "synthetic/planned_packets.h"

namespace nocbench::synthetic {

namespace {

constexpr double kLowestInjectionRate = 0.0001;
constexpr int kLargestSide = 128;
// Minimum number of flits of a transaction, which is one packet or several shorter ones. Below saturation, the latency
// of short packets hardly varies, so a few suffice for the mean. Detecting saturation takes as long as queues need to
// grow, for packets of any length.
constexpr int kLeastFlitsOfTransaction = 8;
constexpr int kLeastFlitsOfTransactionAtSaturation = 32;

enum class NetworkChoice : std::uint8_t { noc, mesh, torus, unidirectional_torus };

NetworkChoice network_choice(const PointParameters& point) {
    return static_cast<NetworkChoice>(point.choice("topology", {"noc", "mesh", "torus", "unidirectional_torus"}));
}

PlainTopology plain_topology(NetworkChoice choice) {
    switch (choice) {
        case NetworkChoice::torus:
            return PlainTopology::torus;
        case NetworkChoice::unidirectional_torus:
            return PlainTopology::unidirectional_torus;
        case NetworkChoice::noc:
        case NetworkChoice::mesh:
            break;
    }
    return PlainTopology::mesh;
}

[[noreturn]] void complain(std::string_view name, std::string_view expected, std::string_view found) {
    throw InputError(fmt::format("parameter {}: expected {}, found '{}'", name, expected, found));
}

/// Returns the shape of a plain network.
Shape shape_of(const PointParameters& point, const Grid& grid) {
    if (!point.is_given("size")) {
        return {.columns = grid.compute_columns(), .rows = grid.compute_rows()};
    }
    const std::string expected = fmt::format("columns and rows, at most {0}x{0}, such as 8x8", kLargestSide);
    const auto [columns, rows] = point.two_numbers("size", 'x', expected);
    if (columns < 1 || rows < 1 || columns > kLargestSide || rows > kLargestSide) {
        complain("size", expected, fmt::format("{}x{}", columns, rows));
    }
    return {.columns = columns, .rows = rows};
}

int plain_virtual_channels(const PointParameters& point, PlainTopology topology) {
    // A torus needs twice as many virtual channels, for packets that have crossed a dateline.
    return topology == PlainTopology::mesh ? 1 << point.choice("virtual_channels", {"1", "2", "4", "8"})
                                           : 2 << point.choice("virtual_channels", {"2", "4", "8"});
}

NetworkPlan chosen_plain_network(const PointParameters& point, PlainTopology topology, const Grid& grid) {
    if (point.number("noc", 0, kNumNocs - 1) != 0) {
        throw InputError("parameter noc: it is for topology=noc; a plain network is one by itself");
    }
    constexpr std::uint32_t kMostBufferFlits = 31;
    constexpr std::uint32_t kMostCycles = 100;
    PlainNetwork network;
    network.topology = topology;
    network.shape = shape_of(point, grid);
    network.virtual_channels = plain_virtual_channels(point, topology);
    if (point.is_given("buffer_flits")) {
        network.buffer_flits = static_cast<int>(point.number("buffer_flits", 1, kMostBufferFlits));
    }
    if (point.is_given("hop_cycles")) {
        network.hop_cycles = point.number("hop_cycles", 1, kMostCycles);
    }
    if (point.is_given("credit_return_cycles")) {
        network.credit_return_cycles = point.number("credit_return_cycles", 1, kMostCycles);
    }
    if (point.is_given("turn_cycles")) {
        network.outputs.turn_cycles = point.number("turn_cycles", 0, kMostCycles);
    }
    if (point.is_given("release_cycles")) {
        network.outputs.release_cycles = point.number("release_cycles", 0, kMostCycles);
    }
    if (point.is_given("rests_at_straight_input")) {
        network.outputs.rest_at_straight_input = point.flag("rests_at_straight_input");
    }
    return plain_network(network);
}

NetworkPlan chosen_modeled_network(const PointParameters& point, const Architecture& architecture, const Grid& grid) {
    for (const char* name : {"size", "buffer_flits", "hop_cycles", "credit_return_cycles", "turn_cycles",
                             "release_cycles", "rests_at_straight_input"}) {
        if (point.is_given(name)) {
            throw InputError(fmt::format(
                "parameter {}: it is for plain networks; a NoC is as its architecture has it, which --set changes",
                name));
        }
    }
    return modeled_network(architecture, grid, static_cast<int>(point.number("noc", 0, kNumNocs - 1)),
                           static_cast<int>(point.number("virtual_channels", 1, kFirstBroadcastVirtualChannel)));
}

Pattern pattern_of(const PointParameters& point, Shape shape) {
    const auto kind = static_cast<PatternKind>(point.choice("pattern", {kPatternNames.begin(), kPatternNames.end()}));
    Hotspot hotspot{.place = shape.rows / 2 * shape.columns + shape.columns / 2,
                    .percent = point.number("hotspot_percent", 0, 100)};
    if (point.is_given("hotspot")) {
        const std::string expected =
            fmt::format("column and row of one of {}x{} receivers, such as 0,0", shape.columns, shape.rows);
        const auto [x, y] = point.two_numbers("hotspot", ',', expected);
        if (x < 0 || y < 0 || x >= shape.columns || y >= shape.rows) {
            complain("hotspot", expected, fmt::format("{},{}", x, y));
        }
        hotspot.place = y * shape.columns + x;
    }
    return {kind, shape, hotspot};
}

}  // namespace

int packet_flits(const PointParameters& point, const Architecture& architecture) {
    const auto flit_bytes = static_cast<std::uint32_t>(architecture.flit_bytes());
    const std::uint32_t flits = (point.call_size_bytes() + flit_bytes - 1) / flit_bytes;
    // On a chip, one flit of a packet is its header.
    const std::uint32_t most = is_modeled_network(point)
                                   ? static_cast<std::uint32_t>(torus_of(architecture).router.max_packet_data_flits) + 1
                                   : kLargestPacketFlits;
    if (flits > most) {
        throw InputError(fmt::format("parameter call_size: expected at most {} bytes, a packet of {} flits, found {}",
                                     most * flit_bytes, most, point.call_size_bytes()));
    }
    return static_cast<int>(flits);
}

std::vector<ParameterDefinition> traffic_parameters(const std::string& default_topology) {
    return {
        {.name = "pattern",
         .default_value = "uniform",
         .meaning = "who sends to whom: uniform, transpose, bit_complement, tornado, neighbour or hotspot",
         .is_swept = true},
        {.name = "injection_rate",
         .default_value = "0.1",
         .meaning = "flits that each node creates per cycle; or saturation: the highest rate with a mean latency of at "
                    "most three times that without load",
         .is_swept = true},
        {"topology", default_topology,
         "noc: that of the chip, with all live Tensix tiles; or a plain mesh, torus or unidirectional_torus"},
        {"size", "",
         fmt::format(
             "of a plain network: columns x rows, such as 8x8, at most {0}x{0}, whose routers take 0.2 GB and, at "
             "half of saturation, 3 s for 1000 cycles; as many as cores of the compute grid if not given",
             kLargestSide)},
        {"virtual_channels", "4",
         "of a plain network: per link, 2, 4 or 8 (of a mesh, also 1); of a NoC: how many a source uses in turn, 1 to "
         "4"},
        {"buffer_flits", "",
         fmt::format("of a plain network: per virtual channel; {} if not given", PlainNetwork().buffer_flits)},
        {"hop_cycles", "",
         fmt::format("of a plain network: from router to router; {} if not given", PlainNetwork().hop_cycles)},
        {"credit_return_cycles", "",
         fmt::format("of a plain network: from a flit that leaves a buffer to the credit upstream; {} if not given",
                     PlainNetwork().credit_return_cycles)},
        {"turn_cycles", "",
         fmt::format("of a plain network: from the grant of an output to the header of a packet that does not keep its "
                     "direction; {} if not given",
                     OutputRules().turn_cycles)},
        {"release_cycles", "",
         fmt::format(
             "of a plain network: from a tail to the next grant of its output, where 0 is in the same cycle, to "
             "a packet that waits already; {} if not given",
             OutputRules().release_cycles)},
        {"rests_at_straight_input", "",
         "of a plain network: 1: a free output goes at once to a packet that keeps its direction and can leave; 0 if "
         "not given"},
        {"noc", "0", "NoC of the chip"},
        {"hotspot", "", "where the pattern hotspot sends to: column,row; the middle if not given", true},
        {"hotspot_percent", "10", "how many of its packets go there"},
        {"warmup_cycles", "", "before the measured phase; as long as that if not given, but 2000 at most"},
        {"measured_cycles", "",
         "length of the measured phase for each of num_transactions; if not given, num_transactions are packets"},
        {"arrivals", "own_generators",
         "own_generators: each source has random numbers of its own; one_generator: one std::mt19937_64 draws for all "
         "sources, cycle by cycle"},
        {"seed", "1", "of the random numbers"},
    };
}

std::vector<ParameterDefinition> open_loop_parameters() {
    std::vector<ParameterDefinition> parameters = traffic_parameters("");
    std::erase_if(parameters, [](const ParameterDefinition& parameter) {
        constexpr std::array kOfNetworks{
            "topology", "size",        "virtual_channels", "buffer_flits",         "hop_cycles",
            "noc",      "turn_cycles", "release_cycles",   "credit_return_cycles", "rests_at_straight_input"};
        return std::ranges::find(kOfNetworks, parameter.name) != kOfNetworks.end();
    });
    const std::map<std::string_view, std::string_view> defaults{
        {"warmup_cycles", "1000"}, {"measured_cycles", "4000"}, {"arrivals", "one_generator"}};
    for (ParameterDefinition& parameter : parameters) {
        if (const auto found = defaults.find(parameter.name); found != defaults.end()) {
            parameter.default_value = found->second;
        }
    }
    return parameters;
}

bool is_modeled_network(const PointParameters& point) {
    return point.defines("topology") && network_choice(point) == NetworkChoice::noc;
}

NetworkPlan network_of(const PointParameters& point, const Architecture& architecture, const Grid& grid) {
    NetworkPlan plan = is_modeled_network(point)
                           ? chosen_modeled_network(point, architecture, grid)
                           : chosen_plain_network(point, plain_topology(network_choice(point)), grid);
    plan.accuracy = architecture.accuracy;
    return plan;
}

bool asks_for_saturation(const PointParameters& point) { return point.says("injection_rate", kSaturation); }

Load load_of(const PointParameters& point, const Architecture& architecture, const NetworkPlan& network) {
    constexpr std::uint32_t kMostPhaseCycles = 10'000'000;
    Load load{.pattern = pattern_of(point, network.shape)};
    if (!asks_for_saturation(point)) {
        load.flits_per_source_and_cycle = point.decimal("injection_rate", kLowestInjectionRate, 1, kSaturation);
    }
    load.packet_flits = packet_flits(point, architecture);
    if (point.is_given("warmup_cycles")) {
        load.warmup_cycles = point.number("warmup_cycles", 0, kMostPhaseCycles);
    }
    if (point.is_given("measured_cycles")) {
        load.measured_phase_cycles =
            Cycle{point.num_transactions()} * point.number("measured_cycles", 1, kMostPhaseCycles);
    }
    const int least_flits =
        asks_for_saturation(point) ? kLeastFlitsOfTransactionAtSaturation : kLeastFlitsOfTransaction;
    load.measured_flits_per_source = std::int64_t{point.num_transactions()} * std::max(load.packet_flits, least_flits);
    load.seed = point.number("seed", 0, UINT32_MAX);
    const bool has_one_generator = point.choice("arrivals", {"own_generators", "one_generator"}) == 1;
    if (has_one_generator && asks_for_saturation(point)) {
        throw InputError("parameter arrivals: the search for saturation needs own_generators");
    }
    if (has_one_generator) {
        // A drain that exceeds the first two phases continues without new packets.
        const Cycle end = 2 * (load.actual_warmup_cycles() + load.measured_cycles());
        load.planned = drawn_by_one_generator(load, network.shape, end);
    }
    return load;
}

}  // namespace nocbench::synthetic
