#include "device_model/riscv/source_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace nocbench::riscv {

namespace {

std::string describe_line(const SourceFrame& frame) {
    const std::string file = frame.file.empty() ? "an unknown file" : frame.file;
    return frame.line == 0 ? file : fmt::format("{}:{}", file, frame.line);
}

std::string describe_frame(const SourceFrame& frame) {
    return frame.function.empty() ? describe_line(frame)
                                  : fmt::format("{} in {}", describe_line(frame), frame.function);
}

/// "noc_async_read" of "void noc_async_read<8193, true>(unsigned long long, unsigned long)".
std::string bare_name(const std::string& function) {
    std::string name = function.substr(0, function.find('('));
    name = name.substr(0, name.find('<'));
    const std::size_t space = name.rfind(' ');
    return space == std::string::npos ? name : name.substr(space + 1);
}

}  // namespace

void SourceMap::add(std::uint32_t address, std::vector<SourceFrame> innermost_first) {
    frames_[address] = std::move(innermost_first);
}

void SourceMap::add_function(std::uint32_t address, std::uint32_t bytes) { bytes_of_functions_[address] = bytes; }

bool SourceMap::is_in_one_function(std::uint32_t entry, std::uint32_t address) const {
    if (bytes_of_functions_.empty()) {
        return true;
    }
    const auto next = bytes_of_functions_.upper_bound(address);
    if (next == bytes_of_functions_.begin()) {
        return false;
    }
    const auto [start, bytes] = *std::prev(next);
    return entry >= start && address - start < bytes;
}

const std::vector<SourceFrame>& SourceMap::frames(std::uint32_t address) const {
    static const std::vector<SourceFrame> kNone;
    const auto next = frames_.upper_bound(address);
    if (next == frames_.begin()) {
        return kNone;
    }
    const auto& [entry, known] = *std::prev(next);
    return entry == address || is_in_one_function(entry, address) ? known : kNone;
}

bool SourceMap::is_of_library(const SourceFrame& frame) const {
    return std::ranges::any_of(libraries_, [&](const std::string& folder) { return frame.file.starts_with(folder); });
}

std::string SourceMap::describe_calls(std::uint32_t address) const {
    std::string described;
    std::string called;  // the outermost function of a library within the innermost line that is not
    for (const SourceFrame& frame : frames(address)) {
        if (is_of_library(frame)) {
            if (described.empty()) {
                called = bare_name(frame.function);
            }
            continue;
        }
        described += described.empty() ? "" : ", inlined at ";
        described += describe_frame({bare_name(frame.function), frame.file, frame.line});
        if (!called.empty()) {
            described += fmt::format(", in {}", std::exchange(called, {}));
        }
    }
    return described;
}

std::string SourceMap::describe(std::uint32_t address) const {
    if (!libraries_.empty()) {
        if (const std::string calls = describe_calls(address); !calls.empty()) {
            return calls;
        }
    }
    std::string described;
    for (const SourceFrame& frame : frames(address)) {
        described += described.empty() ? "" : ", inlined at ";
        described += describe_frame(frame);
    }
    return described.empty() ? fmt::format("0x{:08x}", address) : described;
}

}  // namespace nocbench::riscv
