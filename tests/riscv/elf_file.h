// ELF files for tests, assembled byte by byte from the format's documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocbench::test {

/// ELF file that can be overwritten at any offset.
class ElfFile {
public:
    /// Returns a valid program: code at 0x1000 with functions _start, kernel_main and helper, and data for 0xffb00000
    /// loaded at 0x2000.
    static ElfFile good();

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    void set8(std::size_t place, std::uint32_t value) { set(place, value, 1); }
    void set16(std::size_t place, std::uint32_t value) { set(place, value, 2); }
    void set32(std::size_t place, std::uint32_t value) { set(place, value, 4); }
    void resize(std::size_t bytes) { bytes_.resize(bytes); }

    // Offsets in the valid program.
    static constexpr std::size_t kProgramHeaders = 52;
    static constexpr std::size_t kProgramHeaderBytes = 32;
    static constexpr std::size_t kCode = 148;
    static constexpr std::size_t kData = 172;
    static constexpr std::size_t kSymbols = 180;
    static constexpr std::size_t kSymbolBytes = 16;
    static constexpr std::size_t kNumSymbols = 13;
    static constexpr std::size_t kNames = kSymbols + kNumSymbols * kSymbolBytes;

    /// Returns the offset of a section's header: 1 code, 2 data, 3 zeros, 4 symbols, 5 symbol names.
    [[nodiscard]] std::size_t section_header(std::size_t section) const { return section_headers_ + 40 * section; }

private:
    void set(std::size_t place, std::uint32_t value, std::size_t count);
    void append(std::span<const std::uint32_t> words);
    void append_text(std::string_view text);
    void append_header();
    void append_program_headers();
    void append_symbols();
    void append_section_headers(std::size_t name_bytes);

    std::vector<std::byte> bytes_;
    std::size_t section_headers_ = 0;
};

}  // namespace nocbench::test
