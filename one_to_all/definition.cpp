// One core writes to many: to one after the other, or to all at once by multicast.
#include <fmt/format.h>

#include <array>
#include <string>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/multicast_transfers.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"
#include "one_to_all/kernels/kernels.h"

namespace nocbench::one_to_all {

namespace {

std::vector<KernelReport> run_unicast_with(const Point& point, void (*kernel)(),
                                           const std::string& device_source = {}) {
    const LogicalCoordinate source = point.core("source");
    Program program(point.device());
    return nocbench::run_unicast(point, program,
                                 {.kernel = kernel,
                                  .device_source = device_source,
                                  .kind = TransactionKind::write,
                                  .initiators = {{source, partners_of(point, source)}},
                                  .source_address = point.first_l1_buffer(),
                                  .destination_address = destination_buffer(point)});
}

std::vector<KernelReport> run_unicast(const Point& point) { return run_unicast_with(point, &unicast_sender); }

std::vector<KernelReport> run_unicast_2_0(const Point& point) {
    return run_unicast_with(point, nullptr, "one_to_all/kernels/device/object_unicast_sender.cpp");
}

std::vector<KernelReport> run_unicast_channels(const Point& point) {
    return run_unicast_with(point, nullptr, "one_to_all/kernels/device/channels_unicast_sender.cpp");
}

std::vector<KernelReport> run_multicast_with(const Point& point, void (*kernel)(),
                                             const std::string& device_source = {}) {
    return nocbench::run_multicast(point, {.kernel = kernel,
                                           .device_source = device_source,
                                           .senders = {{point.core("source"), point.rectangle()}},
                                           .source_address = point.first_l1_buffer(),
                                           .destination_address = destination_buffer(point),
                                           .loopback = point.flag("loopback"),
                                           .linked = point.flag("linked")});
}

std::vector<KernelReport> run_multicast(const Point& point) { return run_multicast_with(point, &multicast_sender); }

std::vector<KernelReport> run_multicast_2_0(const Point& point) {
    return run_multicast_with(point, nullptr, "one_to_all/kernels/device/object_multicast_sender.cpp");
}

enum class Mode : std::uint8_t { unicast, multicast, linked_multicast };

/// Area of receiving cores. For each mode, three areas are tested, with and without the source among the receivers.
struct Area {
    const char* name;  // published name
    const char* grid;
};

struct Family {
    Mode mode;
    const char* name;     // published name
    const char* heading;  // heading on the plots page
    int first_id;         // published id of the first area's test
    std::array<Area, 3> areas;
};

constexpr std::array<Area, 3> kMulticastAreas{{{"2x2", "2x2"}, {"5x5", "5x5"}, {"11x10", "all"}}};
constexpr std::array<Family, 3> kFamilies{
    {{Mode::unicast, "Unicast", "Unicast", 6, {{{"2x2", "2x2"}, {"4x4", "5x5"}, {"10x10", "all"}}}},
     {Mode::multicast, "Multicast", "Multicast Unlinked", 9, kMulticastAreas},
     {Mode::linked_multicast, "Multicast Linked", "Multicast Linked", 12, kMulticastAreas}}};

/// Distance between the ids of a published test without loopback and its version with loopback.
constexpr int kLoopbackId = 100;
/// Offset of the ids of tests by the object API. Their published ids, 170 to 178, belong to other loopback tests here.
constexpr int kObjectsId = 1170 - 6;

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

/// Published generation of a test, which determines its kernel and name: the tests of 2025, or those of the object API.
enum class Form : std::uint8_t { published, objects };

/// Returns the area's name. The tables of 2025 name unicasts to 5x5 cores 4x4; those of the object API name them 5x5.
const char* name_of(const Area& area, Form form) {
    const bool is_whole = std::string_view(area.grid) == "all";
    return form == Form::objects && !is_whole ? area.grid : area.name;
}

TestDefinition make_test(const Family& family, int area_index, bool loopback, Form form) {
    const Area& area = family.areas[static_cast<std::size_t>(area_index)];
    const bool objects = form == Form::objects;
    const int published_id = family.first_id + area_index + (objects ? kObjectsId : 0);
    return {.id = published_id + (loopback ? kLoopbackId : 0),
            .name = fmt::format("One to All {} {} Packet Sizes{} {} Loopback", family.name, name_of(area, form),
                                objects ? " 2.0" : "", loopback ? "with" : "without"),
            .primitive = "one_to_all",
            .description = description(family, area, loopback) + (objects ? " The kernel uses the object API." : ""),
            .headings = objects ? std::vector<std::string>{"One to All Packet Sizes", "2.0", family.heading,
                                                           name_of(area, form)}
                                : std::vector<std::string>{"One to All Packet Sizes", family.heading, area.name},
            .kernels = {"Sender"},
            .parameters = parameters(family.mode, area.grid, loopback),
            .sweep = objects ? &compiled_packet_size_sweep : &packet_size_sweep,
            .run = family.mode == Mode::unicast ? (objects ? &run_unicast_2_0 : &run_unicast)
                                                : (objects ? &run_multicast_2_0 : &run_multicast),
            .kernels_are_compiled = objects,
            // The depth of the published multicast trees shows which row was harvested on the measured board.
            .boards = loopback && family.mode != Mode::unicast
                          ? std::map<std::string, std::string>{{"wormhole_b0", "n150_row_5"}}
                          : std::map<std::string, std::string>{}};
}

Sweep ideal_sweep(const Architecture& architecture, Tier tier) {
    return {{tier == Tier::quick ? 16 : 256}, {256 * torus_of(architecture).router.flit_bytes}};
}

TestDefinition make_ideal(int id, const std::string& name, Mode mode, std::vector<KernelReport> (*run)(const Point&)) {
    return {.id = id,
            .name = name,
            .primitive = "one_to_all",
            .description = "One core writes to the whole compute grid, itself included, in 256 calls of 256 flits.",
            .headings = {"One to All Packet Sizes", "Directed Ideals", name},
            .kernels = {"Sender"},
            .parameters = parameters(mode, "all", true),
            .sweep = &ideal_sweep,
            .run = run,
            .kernels_are_compiled = run == &run_multicast_2_0};
}

TestDefinition make_channels(int id, const std::string& name, Sweep (*sweep)(const Architecture&, Tier)) {
    return {.id = id,
            .name = name,
            .primitive = "one_to_all",
            .description = "One core writes to the whole compute grid, on one to four virtual channels.",
            .headings = {"One to All Packet Sizes", "Virtual Channels", name},
            .kernels = {"Sender"},
            .parameters = joined({{core_parameter("source", "0,0", "logical core that writes"),
                                   {"loopback", "0", "1: the source is one of the receivers; 0: it is left out"}},
                                  area_parameters("all", ""),
                                  alternating_channels_parameters(TransactionKind::write)}),
            .sweep = sweep,
            .run = &run_unicast_channels,
            .kernels_are_compiled = true,
            .has_long_streams = true};
}

std::vector<TestDefinition> make_tests() {
    std::vector<TestDefinition> tests;
    for (const Family& family : kFamilies) {
        for (int area = 0; area < static_cast<int>(family.areas.size()); ++area) {
            for (const bool loopback : {false, true}) {
                tests.push_back(make_test(family, area, loopback, Form::published));
                tests.push_back(make_test(family, area, loopback, Form::objects));
            }
        }
    }
    tests.push_back(make_ideal(52, "One to All Unicast Directed Ideal", Mode::unicast, &run_unicast));
    tests.push_back(make_ideal(53, "One to All Multicast Directed Ideal", Mode::multicast, &run_multicast));
    tests.push_back(
        make_ideal(54, "One to All Multicast Linked Directed Ideal", Mode::linked_multicast, &run_multicast));
    tests.push_back(make_ideal(1179, "One to All Multicast Linked Loopback Directed Ideal 2.0", Mode::linked_multicast,
                               &run_multicast_2_0));
    tests.push_back(make_channels(154, "One to All Unicast Virtual Channels", &virtual_channel_sweep));
    tests.push_back(make_channels(155, "One to All Unicast Custom", &virtual_channel_custom_sweep));
    return tests;
}

const RegisterKernelSources kernel_sources{{
    {&unicast_sender, "one_to_all/kernels/unicast_sender.cpp", "nocbench::one_to_all::unicast_sender"},
    {&multicast_sender, "one_to_all/kernels/multicast_sender.cpp", "nocbench::one_to_all::multicast_sender"},
}};

const RegisterTests registration{make_tests()};

}  // namespace

}  // namespace nocbench::one_to_all
