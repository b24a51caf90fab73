#include "kernels/frame/point.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "device_model/arch/number_in_text.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"

namespace nocbench {

namespace {

constexpr std::string_view kCallSize = "call_size";

/// Splits text at `separator`. Returns nothing unless it occurs exactly once.
std::optional<std::pair<std::string_view, std::string_view>> halves(std::string_view text, char separator) {
    const std::size_t place = text.find(separator);
    if (place == std::string_view::npos || text.find(separator, place + 1) != std::string_view::npos) {
        return std::nullopt;
    }
    return std::pair(text.substr(0, place), text.substr(place + 1));
}

/// Parses two numbers with `separator` between them.
std::optional<std::pair<int, int>> parse_two_numbers(std::string_view text, char separator) {
    const auto parts = halves(text, separator);
    if (!parts) {
        return std::nullopt;
    }
    const std::optional<int> left = number_in<int>(parts->first);
    const std::optional<int> right = number_in<int>(parts->second);
    return left && right ? std::optional(std::pair(*left, *right)) : std::nullopt;
}

std::string_view without_brackets(std::string_view text) {
    return text.starts_with('(') && text.ends_with(')') ? text.substr(1, text.size() - 2) : text;
}

[[noreturn]] void complain(std::string_view name, std::string_view expected, std::string_view found) {
    throw InputError(fmt::format("parameter {}: expected {}, found '{}'", name, expected, found));
}

std::uint32_t parse_number(std::string_view name, std::string_view text, std::uint32_t minimum, std::uint32_t maximum) {
    const std::optional<std::uint32_t> number = number_in<std::uint32_t>(text);
    if (!number || *number < minimum || *number > maximum) {
        complain(name, fmt::format("a whole number from {} to {}", minimum, maximum), text);
    }
    return *number;
}

}  // namespace

PointParameters::PointParameters(const std::vector<ParameterDefinition>& parameters,
                                 const std::map<std::string, std::string>& values, std::uint32_t largest_call_bytes)
    : parameters_(parameters) {
    for (const ParameterDefinition& parameter : parameters) {
        values_[parameter.name] = parameter.default_value;
    }
    for (const auto& [name, text] : values) {
        if (name == kNumTransactions || name == kCallSize) {
            continue;
        }
        if (!values_.contains(name)) {
            std::string known(kNumTransactions);
            known += fmt::format(", {}", kCallSize);
            for (const ParameterDefinition& parameter : parameters) {
                known += ", " + parameter.name;
            }
            throw InputError(fmt::format("parameter {}: this test has no such parameter; it has {}", name, known));
        }
        values_[name] = text;
    }
    constexpr std::uint32_t kMostTransactions = 1'000'000;
    const auto required = [&](std::string_view name, std::uint32_t maximum) {
        const auto found = values.find(std::string(name));
        if (found == values.end()) {
            throw InputError(fmt::format("parameter {}: it is missing", name));
        }
        return parse_number(name, found->second, 1, maximum);
    };
    num_transactions_ = required(kNumTransactions, kMostTransactions);
    call_size_bytes_ = required(kCallSize, largest_call_bytes);
}

const std::string& PointParameters::value(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) {
        throw InputError(fmt::format("parameter {}: the test asks for it but does not define it", name));
    }
    return found->second;
}

bool PointParameters::is_changed(const std::string& name) const {
    return std::ranges::any_of(parameters_, [&](const ParameterDefinition& parameter) {
        return parameter.name == name && value(name) != parameter.default_value;
    });
}

std::uint32_t PointParameters::number(const std::string& name, std::uint32_t minimum, std::uint32_t maximum) const {
    return parse_number(name, value(name), minimum, maximum);
}

double PointParameters::decimal(const std::string& name, double minimum, double maximum,
                                std::string_view alternative) const {
    const std::optional<double> number = number_in<double>(value(name));
    if (!number || !(*number >= minimum) || !(*number <= maximum)) {
        complain(
            name,
            fmt::format("a number from {} to {}{}{}", minimum, maximum, alternative.empty() ? "" : " or ", alternative),
            value(name));
    }
    return *number;
}

std::pair<int, int> PointParameters::two_numbers(const std::string& name, char separator,
                                                 std::string_view expected) const {
    const auto numbers = parse_two_numbers(value(name), separator);
    if (!numbers) {
        complain(name, expected, value(name));
    }
    return *numbers;
}

std::size_t PointParameters::choice(const std::string& name, const std::vector<std::string_view>& words) const {
    const auto found = std::ranges::find(words, value(name));
    if (found == words.end()) {
        complain(name, fmt::format("{}", fmt::join(words, " or ")), value(name));
    }
    return static_cast<std::size_t>(found - words.begin());
}

std::string PointParameters::changed_parameters() const {
    std::string changed;
    for (const ParameterDefinition& parameter : parameters_) {
        if (parameter.is_swept || is_changed(parameter.name)) {
            changed += fmt::format("{}{}={}", changed.empty() ? "" : ";", parameter.name, value(parameter.name));
        }
    }
    return changed;
}

Point::Point(Device& device, const std::vector<ParameterDefinition>& parameters,
             const std::map<std::string, std::string>& values)
    : PointParameters(parameters, values, static_cast<std::uint32_t>(device.architecture().l1.size_bytes)),
      device_(device) {}

LogicalCoordinate Point::parse_core(const std::string& name, std::string_view text, std::string_view expected) const {
    const auto coordinates = parse_two_numbers(text, ',');
    if (!coordinates) {
        complain(name, expected, value(name));
    }
    const LogicalCoordinate core{.x = coordinates->first, .y = coordinates->second};
    try {
        static_cast<void>(device_.grid().physical(core));
    } catch (const InputError& error) {
        throw InputError(fmt::format("parameter {}: {}", name, error.what()));
    }
    return core;
}

LogicalCoordinate Point::core(const std::string& name) const {
    return parse_core(name, value(name), "the logical coordinates of a core, such as 0,0");
}

int Point::noc(const std::string& name) const {
    const int nocs = device_.architecture().num_nocs();
    if (nocs == 1 && value(name) != "0") {
        complain(name, fmt::format("0, the only NoC of {}", device_.architecture().name), value(name));
    }
    return static_cast<int>(number(name, 0, static_cast<std::uint32_t>(nocs - 1)));
}

std::uint32_t Point::unicast_channel(const std::string& name) const {
    const RouterConstants& router = device_.architecture().router;
    return number(name, 0, static_cast<std::uint32_t>(router.first_broadcast_virtual_channel - 1));
}

Issuer Point::issuer(std::int64_t first_channel, std::int64_t end_of_channels) const {
    const auto first = static_cast<std::uint32_t>(first_channel);
    const auto last_risc = static_cast<std::uint32_t>(device_.architecture().num_riscs() - 1);
    return {.riscv = static_cast<int>(number("riscv", 0, last_risc)),
            .noc = noc(),
            .virtual_channel =
                defines("vc") ? number("vc", first, static_cast<std::uint32_t>(end_of_channels - 1)) : first};
}

Issuer Point::unicast_issuer() const {
    return issuer(0, device_.architecture().router.first_broadcast_virtual_channel);
}

Issuer Point::multicast_issuer() const {
    const RouterConstants& router = device_.architecture().router;
    return issuer(router.first_broadcast_virtual_channel, router.first_response_virtual_channel);
}

LogicalRectangle Point::grid(const std::string& name) const {
    const std::string& text = value(name);
    const Grid& grid = device_.grid();
    int columns = grid.compute_columns();
    int rows = grid.compute_rows();
    if (!text.empty() && text != "all") {
        const auto numbers = parse_two_numbers(text, 'x');
        if (!numbers || numbers->first < 1 || numbers->second < 1) {
            complain(name, "columns and rows, such as 2x2, or all", text);
        }
        if (numbers->first > columns || numbers->second > rows) {
            complain(name,
                     fmt::format("at most {}x{}, the compute grid of board {}", columns, rows, device_.board().name),
                     text);
        }
        std::tie(columns, rows) = *numbers;
    }
    return {.first = {0, 0}, .last = {columns - 1, rows - 1}};
}

LogicalRectangle Point::parse_rectangle(const std::string& text) const {
    constexpr std::string_view kExpected = "the first and the last core of a rectangle, such as 0,0-4,4";
    const auto corners = halves(text, '-');
    if (!corners) {
        complain("rectangle", kExpected, text);
    }
    const LogicalRectangle rectangle{.first = parse_core("rectangle", without_brackets(corners->first), kExpected),
                                     .last = parse_core("rectangle", without_brackets(corners->second), kExpected)};
    const bool may_wrap = defines("wrap");
    if (rectangle.runs_over_the_edge() && !(may_wrap && flag("wrap"))) {
        complain("rectangle",
                 fmt::format("a first corner that is not beyond the last one{}",
                             may_wrap ? " (or wrap=1, if it is to run over the edge of the grid)" : ""),
                 text);
    }
    return rectangle;
}

LogicalRectangle Point::rectangle() const {
    const std::string& corners = value("rectangle");
    const bool grid_counts = corners.empty() || (is_changed("grid") && !is_changed("rectangle"));
    return grid_counts ? grid("grid") : parse_rectangle(corners);
}

void Point::require_one_packet(std::string_view what, std::int64_t unit_bytes) const {
    const RouterConstants& router = device_.architecture().router;
    const std::int64_t packet_bytes = router.flit_bytes * router.max_packet_data_flits;
    if (call_size_bytes() > packet_bytes || call_size_bytes() % unit_bytes != 0) {
        const std::string unit = unit_bytes == 1 ? "" : fmt::format("a multiple of {} bytes and ", unit_bytes);
        throw InputError(fmt::format("parameter {}: expected {} of {}at most one packet of {} bytes, found {} bytes",
                                     kCallSize, what, unit, packet_bytes, call_size_bytes()));
    }
}

void Point::require_word() const {
    if (call_size_bytes() != sizeof(std::uint32_t)) {
        throw InputError(fmt::format("parameter {}: expected a word of {} bytes, found {} bytes", kCallSize,
                                     sizeof(std::uint32_t), call_size_bytes()));
    }
}

std::uint32_t Point::buffer_bytes() const {
    const TorusArchitecture& architecture = device_.architecture();
    const auto alignment =
        static_cast<std::uint32_t>(std::max({architecture.l1.alignment_bytes, architecture.dram.read_alignment_bytes,
                                             architecture.dram.write_alignment_bytes}));
    return (call_size_bytes() + alignment - 1) / alignment * alignment;
}

std::uint32_t Point::l1_buffer(std::uint32_t index) const {
    const auto l1_bytes = static_cast<std::uint64_t>(device_.architecture().l1.size_bytes);
    const std::uint64_t address = kL1BufferAddress + std::uint64_t{index} * buffer_bytes();
    if (address + call_size_bytes() > l1_bytes) {
        throw InputError(fmt::format("parameter {}: {} bytes at 0x{:x} do not fit into L1, which ends at 0x{:x}",
                                     kCallSize, call_size_bytes(), address, l1_bytes));
    }
    return static_cast<std::uint32_t>(address);
}

std::vector<std::byte> Point::pattern(std::size_t size, NodeIndex tile) const {
    // xorshift32; any generator without short periods would be sufficient.
    std::uint32_t state =
        0x9e3779b9U ^ (num_transactions() * 2654435761U) ^ (call_size_bytes() * 40503U) ^ ((tile + 1U) * 69069U);
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        byte = static_cast<std::byte>(state >> 24);
    }
    return bytes;
}

}  // namespace nocbench
