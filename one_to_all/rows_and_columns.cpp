// All cores of a row, or of a column, multicast to that row or column simultaneously: their trees contend for links.
#include <fmt/format.h>

#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/multicast_transfers.h"
#include "kernels/frame/tensix/sweeps.h"
#include "one_to_all/kernels/kernels.h"

namespace nocbench::one_to_all {

namespace {

enum class Line : std::uint8_t { row, column };

template <Line line>
std::vector<KernelReport> run(const Point& point) {
    const Grid& grid = point.device().grid();
    const int last_column = grid.compute_columns() - 1;
    const int last_row = grid.compute_rows() - 1;
    LogicalRectangle rectangle;
    if (line == Line::row) {
        const int y = static_cast<int>(point.number("row", 0, static_cast<std::uint32_t>(last_row)));
        rectangle = {.first = {0, y}, .last = {last_column, y}};
    } else {
        const int x = static_cast<int>(point.number("column", 0, static_cast<std::uint32_t>(last_column)));
        rectangle = {.first = {x, 0}, .last = {x, last_row}};
    }
    MulticastPlan plan;
    plan.kernel = &multicast_sender;
    for (const LogicalCoordinate core : cores_of(rectangle)) {
        plan.senders.push_back({core, rectangle});
    }
    plan.source_address = point.first_l1_buffer();
    // A buffer that another core sends from must not be overwritten.
    plan.destination_address = point.second_l1_buffer();
    plan.loopback = point.flag("loopback");
    plan.linked = point.flag("linked");
    return run_multicast(point, plan);
}

TestDefinition definition(int id, const char* name, const char* line,
                          std::vector<KernelReport> (*run_point)(const Point&)) {
    return {.id = id,
            .name = fmt::format("Multicast {} Packet Sizes", name),
            .primitive = "one_to_all",
            .description = fmt::format("All cores of a {} multicast to all cores of it, all at once.", line),
            .headings = {"One to All Packet Sizes", "Multicast Rows and Columns", name},
            .kernels = {"Sender"},
            .parameters = joined({{{line, "0", fmt::format("{} of the compute grid whose cores multicast", line)},
                                   {"loopback", "1", "1: a core is one of its own receivers; 0: it is left out"},
                                   {"linked", "0", "1: all calls but the last of a core are linked"}},
                                  multicast_parameters()}),
            .sweep = &one_packet_sweep,
            .run = run_point,
            .has_long_streams = true};
}

const RegisterTests registration{{
    definition(1302, "Row", "row", &run<Line::row>),
    definition(1303, "Column", "column", &run<Line::column>),
}};

}  // namespace

}  // namespace nocbench::one_to_all
