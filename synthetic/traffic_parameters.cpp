#include "synthetic/traffic_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "device_model/sim/error.h"
#include "synthetic/pattern.h"

namespace nocbench::synthetic {

namespace {

constexpr double kLowestInjectionRate = 0.0001;
constexpr int kLargestSide = 32;
constexpr std::uint32_t kLargestPacketFlits = 4096;
// A transaction is a packet, or as many shorter ones as have so many flits together. The latency of short packets
// hardly varies below saturation, so that few tell its mean. To know whether a load is too high takes as long as queues
// need to grow, whatever the packets are.
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

/// Of a plain network.
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
    // A torus needs as many again behind its datelines.
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
    return plain_network(network);
}

NetworkPlan chosen_modeled_network(const PointParameters& point, const Architecture& architecture, const Grid& grid) {
    for (const char* name : {"size", "buffer_flits", "hop_cycles", "credit_return_cycles"}) {
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

int packet_flits(const PointParameters& point, const Architecture& architecture) {
    const RouterConstants& router = architecture.router;
    const auto flit_bytes = static_cast<std::uint32_t>(router.flit_bytes);
    const std::uint32_t flits = (point.call_size_bytes() + flit_bytes - 1) / flit_bytes;
    // On a chip, one of the flits is the header.
    const std::uint32_t most =
        is_modeled_network(point) ? static_cast<std::uint32_t>(router.max_packet_data_flits) + 1 : kLargestPacketFlits;
    if (flits > most) {
        throw InputError(fmt::format("parameter call_size: expected at most {} bytes, a packet of {} flits, found {}",
                                     most * flit_bytes, most, point.call_size_bytes()));
    }
    return static_cast<int>(flits);
}

}  // namespace

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
         "of a plain network: columns x rows, such as 8x8; as many as cores of the compute grid if not given"},
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
        {"noc", "0", "NoC of the chip"},
        {"hotspot", "", "where the pattern hotspot sends to: column,row; the middle if not given", true},
        {"hotspot_percent", "10", "how many of its packets go there"},
        {"warmup_cycles", "", "before the measured phase; as long as that if not given, but 2000 at most"},
        {"seed", "1", "of the random numbers"},
    };
}

bool is_modeled_network(const PointParameters& point) { return network_choice(point) == NetworkChoice::noc; }

NetworkPlan network_of(const PointParameters& point, const Architecture& architecture, const Grid& grid) {
    return is_modeled_network(point) ? chosen_modeled_network(point, architecture, grid)
                                     : chosen_plain_network(point, plain_topology(network_choice(point)), grid);
}

bool asks_for_saturation(const PointParameters& point) { return point.says("injection_rate", kSaturation); }

Load load_of(const PointParameters& point, const Architecture& architecture, const NetworkPlan& network) {
    constexpr std::uint32_t kMostWarmupCycles = 10'000'000;
    Load load{.pattern = pattern_of(point, network.shape)};
    if (!asks_for_saturation(point)) {
        load.flits_per_source_and_cycle = point.decimal("injection_rate", kLowestInjectionRate, 1, kSaturation);
    }
    load.packet_flits = packet_flits(point, architecture);
    if (point.is_given("warmup_cycles")) {
        load.warmup_cycles = point.number("warmup_cycles", 0, kMostWarmupCycles);
    }
    const int least_flits =
        asks_for_saturation(point) ? kLeastFlitsOfTransactionAtSaturation : kLeastFlitsOfTransaction;
    load.measured_flits_per_source = std::int64_t{point.num_transactions()} * std::max(load.packet_flits, least_flits);
    load.seed = point.number("seed", 0, UINT32_MAX);
    return load;
}

}  // namespace nocbench::synthetic
