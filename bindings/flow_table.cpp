#include "bindings/flow_table.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/findings.h"
#include "kernels/frame/flows/flow_table.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

using Corners = std::pair<std::pair<int, int>, std::pair<int, int>>;

Tick ticks(double cycles) { return std::llround(cycles * static_cast<double>(kTicksPerCycle)); }

template <class Value, std::size_t size>
Value one_of(const std::array<std::pair<std::string_view, Value>, size>& known, const py::handle& name) {
    const auto found =
        std::ranges::find(known, name.cast<std::string_view>(), &std::pair<std::string_view, Value>::first);
    if (found == known.end()) {
        throw std::invalid_argument("a flow has an unknown word in it");
    }
    return found->second;
}

constexpr std::array<std::pair<std::string_view, Flow::Kind>, 17> kKinds{
    {{"write", Flow::Kind::write},
     {"posted_write", Flow::Kind::posted_write},
     {"read", Flow::Kind::read},
     {"inline_write", Flow::Kind::inline_write},
     {"increment", Flow::Kind::increment},
     {"read_barrier", Flow::Kind::read_barrier},
     {"write_barrier", Flow::Kind::write_barrier},
     {"flush", Flow::Kind::flush},
     {"atomic_barrier", Flow::Kind::atomic_barrier},
     {"full_barrier", Flow::Kind::full_barrier},
     {"limit_reads", Flow::Kind::limit_reads},
     {"limit_writes", Flow::Kind::limit_writes},
     {"set_read_state", Flow::Kind::set_read_state},
     {"set_write_state", Flow::Kind::set_write_state},
     {"wait", Flow::Kind::wait},
     {"store", Flow::Kind::store},
     {"note", Flow::Kind::note}}};
constexpr std::array<std::pair<std::string_view, Flow::Partner>, 6> kPartners{
    {{"none", Flow::Partner::none},
     {"core", Flow::Partner::core},
     {"rectangle", Flow::Partner::rectangle},
     {"bank", Flow::Partner::bank},
     {"all_banks", Flow::Partner::all_banks},
     {"dram_tile", Flow::Partner::dram_tile}}};
constexpr std::array<std::pair<std::string_view, Flow::Origin>, 3> kOrigins{
    {{"run", Flow::Origin::run},
     {"previous_begin", Flow::Origin::previous_begin},
     {"previous_end", Flow::Origin::previous_end}}};

/// Converts a tuple: (group, kind, core, partner, corners or place of a DRAM tile twice, bank, NoC, virtual channel or
/// None, bytes of a call, calls, window, calls between barriers or None, group to start after or None, start, time
/// between calls, origin of start, RISC, stateful, operand, whether addresses are computed, page of DRAM or None).
/// Times are in cycles.
Flow flow_of(const py::handle& value) {
    const auto parts = value.cast<py::tuple>();
    const auto [x, y] = parts[2].cast<std::pair<int, int>>();
    const auto [first, last] = parts[4].cast<Corners>();
    Flow flow;
    flow.group = parts[0].cast<std::size_t>();
    flow.kind = one_of(kKinds, parts[1]);
    flow.core = {x, y};
    flow.partner = one_of(kPartners, parts[3]);
    flow.cores = {{first.first, first.second}, {last.first, last.second}};
    flow.tile = {first.first, first.second};
    flow.bank = parts[5].cast<std::uint32_t>();
    flow.noc = parts[6].cast<int>();
    flow.virtual_channel = parts[7].cast<std::optional<std::uint8_t>>();
    flow.call_bytes = parts[8].cast<std::uint32_t>();
    flow.num_calls = parts[9].cast<std::uint64_t>();
    flow.window = parts[10].cast<std::uint64_t>();
    flow.barrier_interval = parts[11].cast<std::optional<std::uint64_t>>().value_or(Flow::kNoBarrier);
    flow.after = parts[12].cast<std::optional<std::size_t>>();
    flow.start = ticks(parts[13].cast<double>());
    flow.call_interval = ticks(parts[14].cast<double>());
    flow.origin = one_of(kOrigins, parts[15]);
    flow.riscv = parts[16].cast<int>();
    flow.stateful = parts[17].cast<bool>();
    flow.operand = parts[18].cast<std::uint64_t>();
    flow.computes_addresses = parts[19].cast<bool>();
    flow.page = parts[20].cast<std::optional<std::uint64_t>>();
    return flow;
}

}  // namespace

py::dict run_flow_table(const py::dict& table, const std::string& arch, const std::string& board,
                        const Settings& settings) {
    return run_flow_table_watched(table, arch, board, settings, {});
}

py::dict run_flow_table_watched(const py::dict& table, const std::string& arch, const std::string& board,
                                const Settings& settings, const MachineWatcher& watcher) {
    FlowTable asked;
    asked.name = table["name"].cast<std::string>();
    asked.groups = table["groups"].cast<std::vector<std::string>>();
    for (const py::handle flow : table["flows"]) {
        asked.flows.push_back(flow_of(flow));
    }
    asked.cycles_max = table["cycles_max"].cast<Cycle>();
    asked.checks = checks_of(table["checks"]);
    FlowTableResult result;
    {
        const py::gil_scoped_release release;
        result = nocbench::run_flow_table(asked, arch, board, settings, watcher);
    }
    TestDefinition test;
    test.name = asked.name;
    test.primitive = "flows";
    py::dict described = describe_result(test, result.point);
    const py::list rows = described["rows"];
    for (std::size_t index = 0; index < rows.size(); ++index) {
        rows[index]["num_transactions"] = result.num_transactions.at(index);
        rows[index]["call_size_bytes"] = result.point.rows.at(index).transaction_size_bytes;
    }
    py::list times;
    for (const FlowTimes& flow : result.flows) {
        times.append(py::make_tuple(cycles_from_ticks(flow.begin), cycles_from_ticks(flow.end)));
    }
    described["flow_times"] = times;
    described["findings"] = describe_findings(result.findings);
    return described;
}

}  // namespace nocbench::bindings
