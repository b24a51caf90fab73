#include "bindings/from_python.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace py = pybind11;

namespace nocbench::bindings {

std::vector<std::byte> bytes_of(const py::handle& value) {
    const auto text = value.cast<std::string_view>();
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

py::bytes to_python(std::span<const std::byte> bytes) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as pybind11 has it
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

riscv::SourceMap source_map_of(const py::handle& value) {
    riscv::SourceMap map;
    for (const py::handle entry : value) {
        const auto [address, frames] =
            entry.cast<std::pair<std::uint32_t, std::vector<std::tuple<std::string, std::string, int>>>>();
        std::vector<riscv::SourceFrame> innermost_first;
        for (const auto& [function, file, line] : frames) {
            innermost_first.push_back({function, file, line});
        }
        map.add(address, std::move(innermost_first));
    }
    return map;
}

}  // namespace nocbench::bindings
