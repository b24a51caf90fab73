// Multicasts from ten positions in and around a square of cores.
#include <fmt/format.h>

#include <algorithm>

#include "device_model/arch/architecture.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/multicast_transfers.h"
#include "kernels/frame/tensix/sweeps.h"
#include "one_to_all/kernels/kernels.h"

namespace nocbench::one_to_all {

namespace {

constexpr std::uint32_t kSchemes = 10;
constexpr std::uint32_t kSchemesInside = 4;

/// Returns sender and square of a scheme, numbered as by the tt-metal suite. Schemes 1 to 4: the corners of a square
/// that begins at core (0, 0). Schemes 5 to 7: two edges and a corner in front of a square that ends at the last core.
/// Schemes 8 to 10: two edges and a corner behind a square that begins at core (0, 0).
MulticastSender sender_of(const Grid& grid, std::uint32_t scheme, int side) {
    const LogicalRectangle begin{.first = {0, 0}, .last = {side - 1, side - 1}};
    const LogicalRectangle behind{.first = {grid.compute_columns() - side, grid.compute_rows() - side},
                                  .last = {grid.compute_columns() - 1, grid.compute_rows() - 1}};
    const int middle = (side - 1) / 2;
    switch (scheme) {
        case 1:
            return {.core = begin.last, .rectangle = begin};
        case 2:
            return {.core = {side - 1, 0}, .rectangle = begin};
        case 3:
            return {.core = begin.first, .rectangle = begin};
        case 4:
            return {.core = {0, side - 1}, .rectangle = begin};
        case 5:
            return {.core = {behind.first.x - 1, behind.first.y + middle}, .rectangle = behind};
        case 6:
            return {.core = {behind.first.x + middle, behind.first.y - 1}, .rectangle = behind};
        case 7:
            return {.core = {behind.first.x - 1, behind.first.y - 1}, .rectangle = behind};
        case 8:
            return {.core = {side, middle}, .rectangle = begin};
        case 9:
            return {.core = {middle, side}, .rectangle = begin};
        default:
            return {.core = {side, side}, .rectangle = begin};
    }
}

std::vector<KernelReport> run_with(const Point& point, void (*kernel)(), const std::string& device_source = {}) {
    const Grid& grid = point.device().grid();
    const std::uint32_t scheme = point.number("scheme", 1, kSchemes);
    const auto largest = static_cast<std::uint32_t>(std::min(grid.compute_columns(), grid.compute_rows()) - 1);
    const MulticastSender sender = sender_of(grid, scheme, static_cast<int>(point.number("side", 2, largest)));
    const bool loopback = point.flag("loopback");
    if (loopback && scheme > kSchemesInside) {
        throw InputError(
            fmt::format("parameter scheme: expected 1 to {}, whose sender is within its square, with "
                        "loopback=1; found {}",
                        kSchemesInside, scheme));
    }
    return run_multicast(point, {.kernel = kernel,
                                 .device_source = device_source,
                                 .senders = {sender},
                                 .source_address = point.first_l1_buffer(),
                                 .destination_address = destination_buffer(point),
                                 .loopback = loopback,
                                 .linked = true});
}

std::vector<KernelReport> run(const Point& point) { return run_with(point, &multicast_sender); }

std::vector<KernelReport> run_2_0(const Point& point) {
    return run_with(point, nullptr, "one_to_all/kernels/device/object_multicast_sender.cpp");
}

std::vector<std::string> numbers(std::int64_t first, std::int64_t last) {
    std::vector<std::string> texts;
    for (std::int64_t number = first; number <= last; ++number) {
        texts.push_back(std::to_string(number));
    }
    return texts;
}

/// Returns the side of the largest square that leaves at least a row and a column free on the smallest board.
std::int64_t largest_side(const Architecture& architecture) {
    std::int64_t side = kSchemes;
    for (const auto& [name, board] : architecture.boards) {
        side = std::min<std::int64_t>({side, torus_of(board).compute_columns - 1, torus_of(board).compute_rows - 1});
    }
    return side;
}

Sweep schemes_up_to(const Architecture& architecture, Tier tier, int last_scheme) {
    const std::int64_t call_bytes = 256 * torus_of(architecture).router.flit_bytes;
    if (tier == Tier::quick) {
        return {
            {16}, {call_bytes}, {{"noc", {"0", "1"}}, {"scheme", {"1", std::to_string(last_scheme)}}, {"side", {"2"}}}};
    }
    return {
        {256},
        {call_bytes},
        {{"noc", {"0", "1"}}, {"scheme", numbers(1, last_scheme)}, {"side", numbers(2, largest_side(architecture))}}};
}

Sweep all_schemes(const Architecture& architecture, Tier tier) { return schemes_up_to(architecture, tier, kSchemes); }
Sweep schemes_inside(const Architecture& architecture, Tier tier) {
    return schemes_up_to(architecture, tier, kSchemesInside);
}
Sweep single_scheme(const Architecture& architecture, Tier tier) {
    return {{tier == Tier::quick ? 16 : 256},
            {256 * torus_of(architecture).router.flit_bytes},
            {{"noc", {"0"}}, {"scheme", {"1"}}, {"side", {std::to_string(largest_side(architecture))}}}};
}

TestDefinition definition(int id, const std::string& name, bool loopback, Sweep (*sweep)(const Architecture&, Tier),
                          std::vector<KernelReport> (*run_point)(const Point&)) {
    return {
        .id = id,
        .name = name,
        .primitive = "one_to_all",
        .description = "One core multicasts to a square of cores, from ten places in it and around it, linked.",
        .headings = {"One to All Packet Sizes", "Multicast Schemes", name},
        .kernels = {"Sender"},
        .parameters = {noc_parameter("0", "NoC that is used", true),
                       {"scheme", "1", "place of the sender, 1 to 4 within the square, 5 to 10 outside", false, true},
                       {"side", "2", "columns and rows of the square", false, true},
                       {"loopback", loopback ? "1" : "0", "1: the source is one of the receivers; 0: it is left out"},
                       {"riscv", "0", "RISC that writes"},
                       multicast_channel_parameter()},
        .sweep = sweep,
        .run = run_point,
        .kernels_are_compiled = run_point == &run_2_0};
}

const RegisterTests registration{{
    definition(100, "Multicast Schemes with Loopback", true, &schemes_inside, &run),
    definition(101, "Multicast Schemes without Loopback", false, &all_schemes, &run),
    definition(1180, "Multicast Schemes 2.0 without Loopback", false, &all_schemes, &run_2_0),
    definition(102, "Multicast Single Scheme", true, &single_scheme, &run),
}};

}  // namespace

}  // namespace nocbench::one_to_all
