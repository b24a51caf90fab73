#include "device_model/riscv/program/source_map.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "device_model/riscv/program/elf.h"

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

std::string SourceMap::describe(std::uint32_t address) const {
    std::string described;
    for (const SourceFrame& frame : frames(address)) {
        described += described.empty() ? "" : ", inlined at ";
        described += describe_frame(frame);
    }
    return described.empty() ? fmt::format("0x{:08x}", address) : described;
}

std::string place_in_program(const SourceMap& source_map, const ElfImage& image, std::uint32_t address) {
    if (!source_map.frames(address).empty()) {
        return source_map.describe(address);
    }
    const ElfFunction* const function = image.function_at(address);
    return function == nullptr ? fmt::format("0x{:x}", address) : fmt::format("0x{:x} in {}", address, function->name);
}

}  // namespace nocbench::riscv
