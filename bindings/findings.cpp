#include "bindings/findings.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/point_result.h"
#include "device_model/sim/simulated_time.h"

namespace py = pybind11;

namespace nocbench::bindings {

py::object core_of_address(const KnownAddress& address) {
    return address.core.has_value() ? py::object(py::make_tuple(address.core->x, address.core->y)) : py::none();
}

namespace {

std::string_view name_of(AccessKind kind) {
    switch (kind) {
        case AccessKind::call:
            return "call";
        case AccessKind::load:
            return "load";
        case AccessKind::cached_load:
            return "cached_load";
        case AccessKind::store:
            return "store";
        case AccessKind::source_of_write:
            return "source_of_write";
        case AccessKind::source_of_read:
            return "source_of_read";
        case AccessKind::destination_of_write:
            return "destination_of_write";
        case AccessKind::destination_of_read:
            return "destination_of_read";
        case AccessKind::atomic:
            return "atomic";
    }
    return "";
}

constexpr std::array kChecks{std::pair{Check::races, "racecheck"}, std::pair{Check::initialization, "initcheck"},
                             std::pair{Check::bounds, "memcheck"}, std::pair{Check::synchronization, "synccheck"}};

std::string_view name_of(Check check) {
    return std::ranges::find(kChecks, check, [](const auto& entry) { return entry.first; })->second;
}

py::dict describe(const AccessSite& site, const Processor::Identity& identity) {
    py::dict entry;
    entry["access"] = name_of(site.kind);
    entry["kernel"] = identity.kernel;
    add_identity(entry, identity);
    entry["riscv"] = identity.processor;
    entry["address"] = site.program_counter;
    entry["where"] = site.where;
    entry["return_address"] = site.return_address;
    entry["cycle"] = cycles_from_ticks(site.tick);
    if (site.is_transaction()) {
        entry["noc"] = site.noc;
        entry["virtual_channel"] = site.virtual_channel;
        entry["transaction_id"] = site.id;
        entry["posted"] = site.posted;
        entry["multicast"] = site.is_multicast;
        entry["inline"] = site.is_inline;
        entry["dynamic"] = site.is_dynamic;
    }
    return entry;
}

py::dict describe(const LocatedFinding& found) {
    py::dict entry;
    entry["check"] = name_of(found.finding.check);
    entry["text"] = found.finding.text;
    const auto access = [](const std::optional<AccessSite>& site, const std::optional<Processor::Identity>& identity) {
        return site.has_value() ? py::object(describe(*site, *identity)) : py::none();
    };
    entry["first"] = access(found.finding.first, found.first);
    entry["second"] = access(found.finding.second, found.second);
    entry["core"] = core_of_address(found.begin);
    entry["bank"] = found.begin.bank;
    entry["begin"] = found.begin.address;
    entry["bytes"] = found.finding.end - found.finding.begin;
    entry["is_signal"] = found.finding.is_signal;
    entry["happened"] = found.finding.happened;
    entry["count"] = found.finding.count;
    return entry;
}

}  // namespace

std::set<Check> checks_of(const py::handle& names) {
    std::set<Check> checks;
    for (const py::handle name : names) {
        const auto text = name.cast<std::string>();
        checks.insert(std::ranges::find(kChecks, text, [](const auto& entry) { return entry.second; })->first);
    }
    return checks;
}

py::list describe_findings(const std::vector<LocatedFinding>& findings) {
    py::list described;
    for (const LocatedFinding& finding : findings) {
        described.append(describe(finding));
    }
    return described;
}

}  // namespace nocbench::bindings
