// One core writes to many: to one after the other, or to all at once by multicast.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "device_model/sim/error.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"
#include "one_to_all/kernels/kernels.h"

namespace nocbench::one_to_all {

namespace {

/// The published experiments write into a buffer behind the first one, or over the very buffer that they write from if
/// the source takes part.
std::uint32_t destination_buffer(const Point& point) {
    return point.flag("loopback") ? point.first_l1_buffer() : point.second_l1_buffer();
}

std::vector<KernelReport> run_unicast(const Point& point) {
    const LogicalCoordinate source = point.core("source");
    Program program(point.device());
    return nocbench::run_unicast(point, program,
                                 {.kernel = &unicast_sender,
                                  .kind = TransactionKind::write,
                                  .initiators = {{source, partners_of(point, source)}},
                                  .source_address = point.first_l1_buffer(),
                                  .destination_address = destination_buffer(point)});
}

/// Throws InputError if the source is where it must not be.
std::vector<PhysicalCoordinate> receivers_of(const Point& point, LogicalCoordinate source,
                                             const LogicalRectangle& rectangle) {
    const Grid& grid = point.device().grid();
    std::vector<PhysicalCoordinate> receivers = tensix_tiles_of(grid, rectangle);
    const PhysicalCoordinate source_tile = grid.physical(source);
    const bool is_inside = std::ranges::find(receivers, source_tile) != receivers.end();
    const bool loopback = point.flag("loopback");
    if (loopback && !is_inside) {
        complain_of_source_outside(source, rectangle);
    }
    if (is_inside && receivers.size() == 1) {
        throw InputError(fmt::format(
            "parameter grid or rectangle: expected a core besides the source {}, found none; a multicast cannot go to "
            "its source alone",
            to_string(source)));
    }
    if (!loopback) {
        std::erase(receivers, source_tile);
    }
    return receivers;
}

std::vector<KernelReport> run_multicast(const Point& point) {
    const Issuer issuer = point.multicast_issuer();
    const LogicalCoordinate source = point.core("source");
    const LogicalRectangle rectangle = point.rectangle();
    const std::vector<PhysicalCoordinate> receivers = receivers_of(point, source, rectangle);
    const std::uint32_t source_address = point.first_l1_buffer();
    const std::uint32_t destination_address = destination_buffer(point);

    const Grid& grid = point.device().grid();
    const MemoryPlace source_buffer = l1_place(grid, source, source_address);
    DataCheck check(point);
    const DataCheck::Data data = check.fill(source_buffer);
    for (const PhysicalCoordinate receiver : receivers) {
        check.expect(
            {"sender", TransactionKind::write, source_buffer, l1_place(grid, receiver, destination_address), data});
    }

    const TranslatedCoordinate first = grid.translated(rectangle.first);
    const TranslatedCoordinate last = grid.translated(rectangle.last);
    Program program(point.device());
    program.add_kernel({source}, {"sender",
                                  &multicast_sender,
                                  issuer.riscv,
                                  issuer.noc,
                                  {point.num_transactions(), point.call_size_bytes(), source_address,
                                   destination_address, issuer.virtual_channel, static_cast<std::uint32_t>(first.x),
                                   static_cast<std::uint32_t>(first.y), static_cast<std::uint32_t>(last.x),
                                   static_cast<std::uint32_t>(last.y), static_cast<std::uint32_t>(receivers.size()),
                                   point.flag("loopback") ? 1U : 0U, point.flag("linked") ? 1U : 0U}});
    program.run();

    return {{.label = "Sender",
             .kernel = "sender",
             .zone = "RISCV0",
             .riscv = issuer.riscv,
             .noc = issuer.noc,
             .transaction_size_bytes = point.call_size_bytes(),
             .data_fault = check.fault("sender")}};
}

enum class Mode : std::uint8_t { unicast, multicast, linked_multicast };

/// Three areas for each mode, each with and without the source among the receivers.
struct Area {
    const char* name;  // as published
    const char* grid;
};

struct Family {
    Mode mode;
    const char* name;     // as published
    const char* heading;  // on the plots page
    int first_id;         // of its areas, as published
    std::array<Area, 3> areas;
};

constexpr std::array<Area, 3> kMulticastAreas{{{"2x2", "2x2"}, {"5x5", "5x5"}, {"11x10", "all"}}};
constexpr std::array<Family, 3> kFamilies{
    {{Mode::unicast, "Unicast", "Unicast", 6, {{{"2x2", "2x2"}, {"4x4", "5x5"}, {"10x10", "all"}}}},
     {Mode::multicast, "Multicast", "Multicast Unlinked", 9, kMulticastAreas},
     {Mode::linked_multicast, "Multicast Linked", "Multicast Linked", 12, kMulticastAreas}}};

/// Each published id stands for two tests. The one without loopback keeps it, the one with loopback has this added.
constexpr int kLoopbackId = 100;

std::vector<ParameterDefinition> parameters(Mode mode, const char* grid, bool loopback) {
    const std::vector<ParameterDefinition> source{
        core_parameter("source", "0,0", "logical core that writes"),
        {"loopback", loopback ? "1" : "0", "1: the source is one of the receivers; 0: it is left out"}};
    if (mode == Mode::unicast) {
        return joined({source, area_parameters(grid, ""), unicast_parameters(TransactionKind::write)});
    }
    return joined(
        {source,
         area_parameters(grid, ""),
         {{"wrap", "0", "1: the rectangle may run over the edge of the grid, with its first core beyond the last one"},
          {"linked", mode == Mode::linked_multicast ? "1" : "0",
           "1: all calls but the last are linked, and reserve their way once"}},
         multicast_parameters()});
}

std::string description(const Family& family, const Area& area, bool loopback) {
    const bool is_whole = std::string_view(area.grid) == "all";
    const std::string grid = is_whole ? "the compute grid" : fmt::format("a {} grid", area.grid);
    std::string receivers = fmt::format("the other cores of {} to which it belongs", grid);
    if (loopback) {
        receivers = fmt::format("all cores of {}, including itself", grid);
    } else if (is_whole) {
        receivers = fmt::format("all other cores of {}", grid);
    }
    switch (family.mode) {
        case Mode::unicast:
            return fmt::format("One core writes to {}. The calls go to one core after the other.", receivers);
        case Mode::multicast:
            return fmt::format("One core multicasts to {}. Each packet makes its own reservation.", receivers);
        case Mode::linked_multicast:
            return fmt::format("One core multicasts to {}. The calls are linked and share one reservation.", receivers);
    }
    return "";
}

TestDefinition make_test(const Family& family, int area_index, bool loopback) {
    const Area& area = family.areas[static_cast<std::size_t>(area_index)];
    const int published_id = family.first_id + area_index;
    return {.id = published_id + (loopback ? kLoopbackId : 0),
            .name = fmt::format("One to All {} {} Packet Sizes {} Loopback", family.name, area.name,
                                loopback ? "with" : "without"),
            .primitive = "one_to_all",
            .description = description(family, area, loopback),
            .headings = {"One to All Packet Sizes", family.heading, area.name},
            .kernels = {"Sender"},
            .parameters = parameters(family.mode, area.grid, loopback),
            .sweep = &packet_size_sweep,
            .run = family.mode == Mode::unicast ? &run_unicast : &run_multicast,
            // The depth of the published trees shows which row was harvested.
            .boards = loopback && family.mode != Mode::unicast
                          ? std::map<std::string, std::string>{{"wormhole_b0", "n150_row_4"}}
                          : std::map<std::string, std::string>{}};
}

std::vector<TestDefinition> make_tests() {
    std::vector<TestDefinition> tests;
    for (const Family& family : kFamilies) {
        for (int area = 0; area < static_cast<int>(family.areas.size()); ++area) {
            for (const bool loopback : {false, true}) {
                tests.push_back(make_test(family, area, loopback));
            }
        }
    }
    return tests;
}

const RegisterKernelSources kernel_sources{{
    {&unicast_sender, "one_to_all/kernels/unicast_sender.cpp", "nocbench::one_to_all::unicast_sender"},
    {&multicast_sender, "one_to_all/kernels/multicast_sender.cpp", "nocbench::one_to_all::multicast_sender"},
}};

const RegisterTests registration{make_tests()};

}  // namespace

}  // namespace nocbench::one_to_all
