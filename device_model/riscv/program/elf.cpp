#include "device_model/riscv/program/elf.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench::riscv {

namespace {

static_assert(std::endian::native == std::endian::little, "files are read as they lie in memory");

using Bytes = std::span<const std::byte>;

// Limits far above any program for a core. Names can share bytes, so even a small file can hold many long ones.
constexpr std::size_t kMostSegments = 256;
constexpr std::size_t kMostNameBytes = std::size_t{1} << 26;

/// A file and its name for messages.
struct File {
    Bytes bytes;
    std::string_view name;
};

[[noreturn]] void fail(const File& file, std::string_view expected, std::string_view found) {
    throw InputError(fmt::format("{}: expected {}, found {}", file.name, expected, found));
}

/// Returns part of a file. `offset` and `bytes` come from 32-bit fields and products of two of them, so their sum
/// cannot overflow.
Bytes part_of(const File& file, std::uint64_t offset, std::uint64_t bytes, std::string_view what) {
    if (offset + bytes > file.bytes.size()) {
        fail(file, fmt::format("{} within the file's {} bytes", what, file.bytes.size()),
             fmt::format("{} bytes at {}", bytes, offset));
    }
    return file.bytes.subspan(offset, bytes);
}

/// Reads a structure from the start of `bytes`, which must hold it.
template <class Structure>
Structure read(Bytes bytes) {
    static_assert(std::is_trivially_copyable_v<Structure>);
    Structure structure;
    std::memcpy(&structure, bytes.data(), sizeof structure);
    return structure;
}

template <class Structure>
std::vector<Structure> read_table(Bytes bytes) {
    std::vector<Structure> table;
    table.reserve(bytes.size() / sizeof(Structure));
    for (std::size_t place = 0; place + sizeof(Structure) <= bytes.size(); place += sizeof(Structure)) {
        table.push_back(read<Structure>(bytes.subspan(place)));
    }
    return table;
}

void check_identification(const File& file) {
    const Bytes identification = part_of(file, 0, EI_NIDENT, "an ELF file's identification");
    if (std::memcmp(identification.data(), ELFMAG, SELFMAG) != 0) {
        fail(file, "an ELF file, which begins with 7f 45 4c 46",
             fmt::format("{:02x}", fmt::join(identification.first(SELFMAG), " ")));
    }
    const auto byte = [&](std::size_t place) { return std::to_integer<int>(identification[place]); };
    if (byte(EI_CLASS) != ELFCLASS32) {
        fail(file, "a program of 32 bits (class 1)", fmt::format("class {}", byte(EI_CLASS)));
    }
    if (byte(EI_DATA) != ELFDATA2LSB) {
        fail(file, "little-endian data (encoding 1)", fmt::format("encoding {}", byte(EI_DATA)));
    }
    if (byte(EI_VERSION) != EV_CURRENT) {
        fail(file, "version 1 of ELF", fmt::format("version {}", byte(EI_VERSION)));
    }
}

/// Checks the program headers, without which an executable cannot be loaded.
void check_program_table(const File& file, const Elf32_Ehdr& header) {
    if (header.e_phnum == 0) {
        fail(file, "program headers", "none");
    }
    if (header.e_phnum == PN_XNUM) {
        fail(file, fmt::format("fewer than {} program headers", PN_XNUM), fmt::format("{} or more", PN_XNUM));
    }
    if (header.e_phentsize != sizeof(Elf32_Phdr)) {
        fail(file, fmt::format("program headers of {} bytes", sizeof(Elf32_Phdr)),
             fmt::format("{} bytes", header.e_phentsize));
    }
}

/// Checks the section headers, which hold symbols only and are optional.
void check_sections_table(const File& file, const Elf32_Ehdr& header) {
    if (header.e_shnum == 0 && header.e_shoff != 0) {
        fail(file, fmt::format("fewer than {} sections", SHN_LORESERVE), fmt::format("{} or more", SHN_LORESERVE));
    }
    if (header.e_shnum != 0 && header.e_shentsize != sizeof(Elf32_Shdr)) {
        fail(file, fmt::format("section headers of {} bytes", sizeof(Elf32_Shdr)),
             fmt::format("{} bytes", header.e_shentsize));
    }
}

Elf32_Ehdr read_header(const File& file) {
    check_identification(file);
    const auto header = read<Elf32_Ehdr>(part_of(file, 0, sizeof(Elf32_Ehdr), "an ELF header"));
    if (header.e_machine != EM_RISCV) {
        fail(file, fmt::format("a RISC-V program (machine {})", EM_RISCV), fmt::format("machine {}", header.e_machine));
    }
    check_sections_table(file, header);
    return header;
}

void check_executable(const File& file, const Elf32_Ehdr& header) {
    if (header.e_type != ET_EXEC) {
        fail(file, fmt::format("an executable file (type {})", ET_EXEC), fmt::format("type {}", header.e_type));
    }
    check_program_table(file, header);
}

ElfSegment read_segment(const File& file, const Elf32_Phdr& header) {
    const Bytes bytes = part_of(file, header.p_offset, header.p_filesz, "a segment");
    if (header.p_memsz < header.p_filesz) {
        fail(file, fmt::format("a segment at 0x{:08x} that has room for its {} bytes", header.p_vaddr, header.p_filesz),
             fmt::format("{} bytes of memory", header.p_memsz));
    }
    constexpr std::uint64_t kAddresses = std::uint64_t{1} << 32;
    if (std::max(header.p_vaddr, header.p_paddr) + std::uint64_t{header.p_memsz} > kAddresses) {
        fail(file, "segments that end at 2^32 or before",
             fmt::format("{} bytes at 0x{:08x}", header.p_memsz, std::max(header.p_vaddr, header.p_paddr)));
    }
    return {.address = header.p_vaddr,
            .load_address = header.p_paddr,
            .bytes = {bytes.begin(), bytes.end()},
            .memory_bytes = header.p_memsz,
            .executable = (header.p_flags & PF_X) != 0};
}

void check_overlap(const File& file, const std::vector<ElfSegment>& segments) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
    places.reserve(segments.size());
    for (const ElfSegment& segment : segments) {
        places.emplace_back(segment.address, segment.memory_bytes);
    }
    std::ranges::sort(places);
    for (std::size_t i = 1; i < places.size(); ++i) {
        const auto [address, bytes] = places[i - 1];
        if (std::uint64_t{address} + bytes > places[i].first) {
            fail(file, "segments that do not overlap",
                 fmt::format("{} bytes at 0x{:08x} and {} bytes at 0x{:08x}", bytes, address, places[i].second,
                             places[i].first));
        }
    }
}

std::vector<ElfSegment> read_segments(const File& file, const Elf32_Ehdr& header) {
    const std::uint64_t table_bytes = std::uint64_t{header.e_phnum} * sizeof(Elf32_Phdr);
    std::vector<ElfSegment> segments;
    std::uint64_t total_bytes = 0;
    for (const Elf32_Phdr& segment :
         read_table<Elf32_Phdr>(part_of(file, header.e_phoff, table_bytes, "program headers"))) {
        if (segment.p_type != PT_LOAD || segment.p_memsz == 0) {
            continue;
        }
        segments.push_back(read_segment(file, segment));
        if (segments.size() > kMostSegments) {
            fail(file, fmt::format("at most {} segments to load", kMostSegments), "more");
        }
        // Prevents headers that share bytes from taking far more memory than the file.
        total_bytes += segment.p_filesz;
        if (total_bytes > file.bytes.size()) {
            fail(file, fmt::format("segments with at most the file's {} bytes together", file.bytes.size()),
                 fmt::format("{} bytes", total_bytes));
        }
    }
    if (segments.empty()) {
        fail(file, "a segment to load", "none");
    }
    check_overlap(file, segments);
    return segments;
}

void check_entry(const File& file, std::uint32_t entry, const std::vector<ElfSegment>& segments) {
    const bool is_code = std::ranges::any_of(segments, [&](const ElfSegment& segment) {
        return segment.executable && entry >= segment.address && entry - segment.address < segment.memory_bytes;
    });
    if (!is_code || entry % 2 != 0) {
        fail(file, "an even entry address in an executable segment", fmt::format("0x{:08x}", entry));
    }
}

bool has_bytes_in_file(const Elf32_Shdr& section) {
    return section.sh_type != SHT_NULL && section.sh_type != SHT_NOBITS && section.sh_size != 0;
}

void check_sections(const File& file, std::vector<Elf32_Shdr> sections) {
    std::erase_if(sections, [](const Elf32_Shdr& section) { return !has_bytes_in_file(section); });
    std::ranges::sort(sections, {}, &Elf32_Shdr::sh_offset);
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const Elf32_Shdr& section = sections[i];
        part_of(file, section.sh_offset, section.sh_size, "a section");
        if (i > 0 && std::uint64_t{sections[i - 1].sh_offset} + sections[i - 1].sh_size > section.sh_offset) {
            fail(file, "sections that do not overlap",
                 fmt::format("{} bytes at {} and {} bytes at {}", sections[i - 1].sh_size, sections[i - 1].sh_offset,
                             section.sh_size, section.sh_offset));
        }
    }
}

std::vector<Elf32_Shdr> read_sections(const File& file, const Elf32_Ehdr& header) {
    const std::uint64_t table_bytes = std::uint64_t{header.e_shnum} * sizeof(Elf32_Shdr);
    auto sections = read_table<Elf32_Shdr>(part_of(file, header.e_shoff, table_bytes, "section headers"));
    check_sections(file, sections);
    return sections;
}

/// A symbol table and the sections that it refers to.
struct SymbolTable {
    std::vector<Elf32_Sym> symbols;
    Bytes names;  // zero-terminated
    std::vector<Elf32_Shdr> sections;
};

Bytes read_names(const File& file, const std::vector<Elf32_Shdr>& sections, std::uint32_t index) {
    if (index >= sections.size() || sections[index].sh_type != SHT_STRTAB) {
        fail(file, "a section with the names of symbols", fmt::format("section {}", index));
    }
    const Bytes names = part_of(file, sections[index].sh_offset, sections[index].sh_size, "names of symbols");
    if (names.empty() || names.back() != std::byte{0}) {
        fail(file, "names of symbols that end with a zero", names.empty() ? "no names" : "none at the end");
    }
    return names;
}

SymbolTable read_symbol_table(const File& file, std::vector<Elf32_Shdr> sections) {
    const auto table = std::ranges::find(sections, Elf32_Word{SHT_SYMTAB}, &Elf32_Shdr::sh_type);
    if (table == sections.end()) {
        return {};
    }
    if (table->sh_entsize != sizeof(Elf32_Sym) || table->sh_size % sizeof(Elf32_Sym) != 0) {
        fail(file, fmt::format("symbols of {} bytes", sizeof(Elf32_Sym)),
             fmt::format("{} bytes of {} each", table->sh_size, table->sh_entsize));
    }
    const Bytes bytes = part_of(file, table->sh_offset, table->sh_size, "symbols");
    const Bytes names = read_names(file, sections, table->sh_link);
    return {.symbols = read_table<Elf32_Sym>(bytes), .names = names, .sections = std::move(sections)};
}

std::string_view name_of(const File& file, const SymbolTable& table, const Elf32_Sym& symbol) {
    if (symbol.st_name >= table.names.size()) {
        fail(file, fmt::format("a symbol whose name is within {} bytes of names", table.names.size()),
             fmt::format("its name at {}", symbol.st_name));
    }
    const auto begin = table.names.begin() + static_cast<std::ptrdiff_t>(symbol.st_name);
    const auto length = static_cast<std::size_t>(std::find(begin, table.names.end(), std::byte{0}) - begin);
    return {reinterpret_cast<const char*>(std::to_address(begin)), length};
}

/// A symbol with an address in memory.
struct PlacedSymbol {
    std::string_view name;
    std::uint32_t address;
    std::uint32_t size;
    int rank;  // among symbols of one name: global, weak, local
    bool is_function;
    bool is_label;  // in code, without function type
};

bool is_in_code(const File& file, const SymbolTable& table, const Elf32_Sym& symbol) {
    if (symbol.st_shndx >= SHN_LORESERVE) {
        return false;
    }
    if (symbol.st_shndx >= table.sections.size()) {
        fail(file, fmt::format("symbols of the file's {} sections", table.sections.size()),
             fmt::format("one of section {}", symbol.st_shndx));
    }
    return (table.sections[symbol.st_shndx].sh_flags & SHF_EXECINSTR) != 0;
}

int rank_of(const Elf32_Sym& symbol) {
    switch (ELF32_ST_BIND(symbol.st_info)) {
        case STB_GLOBAL:
            return 0;
        case STB_WEAK:
            return 1;
        default:
            return 2;
    }
}

/// True for names made by the assembler: labels, and starts of code and data.
bool is_from_assembler(std::string_view name) { return name.starts_with('$') || name.starts_with(".L"); }

std::vector<PlacedSymbol> placed_symbols(const File& file, const SymbolTable& table) {
    std::vector<PlacedSymbol> placed;
    std::size_t name_bytes = 0;
    for (const Elf32_Sym& symbol : table.symbols) {
        const std::string_view name = name_of(file, table, symbol);
        name_bytes += name.size();
        if (name_bytes > kMostNameBytes) {
            fail(file, fmt::format("names of symbols with at most {} bytes together", kMostNameBytes), "more");
        }
        const auto type = ELF32_ST_TYPE(symbol.st_info);
        const bool has_place = type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC;
        if (!has_place || symbol.st_shndx == SHN_UNDEF || name.empty() || is_from_assembler(name)) {
            continue;
        }
        const bool in_code = is_in_code(file, table, symbol);
        placed.push_back({.name = name,
                          .address = symbol.st_value,
                          .size = symbol.st_size,
                          .rank = rank_of(symbol),
                          .is_function = type == STT_FUNC && in_code,
                          .is_label = type == STT_NOTYPE && in_code});
    }
    std::ranges::stable_sort(placed, {}, &PlacedSymbol::rank);
    return placed;
}

std::uint64_t end_of(const PlacedSymbol& symbol) { return std::uint64_t{symbol.address} + symbol.size; }

/// Returns the named starts of code: functions, and labels outside of functions. Keeps the first symbol per address,
/// functions before labels.
std::vector<PlacedSymbol> starts_of_code(const std::vector<PlacedSymbol>& symbols) {
    std::vector<PlacedSymbol> starts;
    std::ranges::copy_if(symbols, std::back_inserter(starts),
                         [](const PlacedSymbol& symbol) { return symbol.is_function || symbol.is_label; });
    std::ranges::stable_sort(starts, {}, [](const PlacedSymbol& symbol) {
        return std::tuple(symbol.address, symbol.is_label, symbol.size == 0);
    });
    std::vector<PlacedSymbol> first;
    std::uint64_t end_of_functions = 0;
    for (const PlacedSymbol& symbol : starts) {
        const bool is_known = !first.empty() && first.back().address == symbol.address;
        const bool is_inside = symbol.is_label && symbol.address < end_of_functions;
        if (!is_known && !is_inside) {
            first.push_back(symbol);
        }
        end_of_functions = symbol.is_function ? std::max(end_of_functions, end_of(symbol)) : end_of_functions;
    }
    return first;
}

/// Returns the end of the executable segment that holds the address, or the address itself.
std::uint64_t end_of_code(const std::vector<ElfSegment>& segments, std::uint32_t address) {
    for (const ElfSegment& segment : segments) {
        const std::uint64_t end = std::uint64_t{segment.address} + segment.memory_bytes;
        if (segment.executable && address >= segment.address && address < end) {
            return end;
        }
    }
    return address;
}

/// Functions without a size extend to the next named one, at most to the end of their segment.
std::vector<ElfFunction> functions_of(const std::vector<PlacedSymbol>& symbols,
                                      const std::vector<ElfSegment>& segments) {
    const std::vector<PlacedSymbol> starts = starts_of_code(symbols);
    std::vector<ElfFunction> functions;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const PlacedSymbol& start = starts[i];
        std::uint64_t end = end_of_code(segments, start.address);
        if (start.size != 0) {
            end = std::min(end, end_of(start));
        }
        if (i + 1 < starts.size()) {
            end = std::min<std::uint64_t>(end, starts[i + 1].address);
        }
        if (end > start.address) {
            functions.push_back({.name = std::string(start.name), .address = start.address, .end = end});
        }
    }
    return functions;
}

ElfSymbols by_name(const std::vector<PlacedSymbol>& placed) {
    ElfSymbols symbols;
    for (const PlacedSymbol& symbol : placed) {
        symbols.try_emplace(std::string(symbol.name), ElfSymbol{.address = symbol.address, .size = symbol.size});
    }
    return symbols;
}

/// Reader of attribute data. Returns zeros and empty strings past the end.
class AttributeReader {
public:
    explicit AttributeReader(Bytes bytes) : rest_(bytes) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    void skip(std::size_t bytes) { rest_ = rest_.subspan(std::min(bytes, rest_.size())); }

    /// Reads a LEB128 number: seven bits per byte, lowest first.
    std::uint64_t number() {
        constexpr unsigned kBits = 7;
        constexpr std::uint64_t kMore = 0x80;
        std::uint64_t value = 0;
        for (unsigned shift = 0; !rest_.empty() && shift < 64; shift += kBits) {
            const auto byte = std::to_integer<std::uint64_t>(rest_.front());
            skip(1);
            value |= (byte & ~kMore) << shift;
            if ((byte & kMore) == 0) {
                break;
            }
        }
        return value;
    }

    std::string text() {
        const auto length = static_cast<std::size_t>(std::ranges::find(rest_, std::byte{0}) - rest_.begin());
        std::string text(reinterpret_cast<const char*>(rest_.data()), length);
        skip(length + 1);
        return text;
    }

private:
    Bytes rest_;
};

/// Source: RISC-V ELF psABI, chapter "Attributes": 'A', and a length, a vendor, a tag and a length before numbers (even
/// tags) and texts (odd ones).
std::string isa_of(const File& file, const std::vector<Elf32_Shdr>& sections) {
    constexpr Elf32_Word kAttributes = 0x70000003;  // SHT_RISCV_ATTRIBUTES
    constexpr std::uint64_t kIsa = 5;               // Tag_RISCV_arch
    constexpr std::size_t kLengthBytes = 4;
    const auto found = std::ranges::find(sections, kAttributes, &Elf32_Shdr::sh_type);
    if (found == sections.end()) {
        return "";
    }
    AttributeReader reader(part_of(file, found->sh_offset, found->sh_size, "attributes"));
    reader.skip(1 + kLengthBytes);
    if (reader.text() != "riscv") {
        return "";
    }
    reader.skip(1 + kLengthBytes);
    while (!reader.at_end()) {
        const std::uint64_t tag = reader.number();
        if (tag == kIsa) {
            return reader.text();
        }
        if (tag % 2 == 0) {
            reader.number();
        } else {
            reader.text();
        }
    }
    return "";
}

}  // namespace

ElfSymbols read_elf_symbols(std::span<const std::byte> file_bytes, std::string_view name) {
    const File file{.bytes = file_bytes, .name = name};
    const SymbolTable table = read_symbol_table(file, read_sections(file, read_header(file)));
    return by_name(placed_symbols(file, table));
}

ElfImage::ElfImage(std::span<const std::byte> file_bytes, std::string_view name) {
    const File file{.bytes = file_bytes, .name = name};
    const Elf32_Ehdr header = read_header(file);
    check_executable(file, header);
    entry_ = header.e_entry;
    segments_ = read_segments(file, header);
    check_entry(file, entry_, segments_);
    std::vector<Elf32_Shdr> sections = read_sections(file, header);
    isa_ = isa_of(file, sections);
    const SymbolTable table = read_symbol_table(file, std::move(sections));
    const std::vector<PlacedSymbol> placed = placed_symbols(file, table);
    symbols_ = by_name(placed);
    functions_ = functions_of(placed, segments_);
}

std::optional<ElfSymbol> ElfImage::symbol(std::string_view name) const {
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? std::nullopt : std::optional(found->second);
}

const ElfFunction* ElfImage::function_at(std::uint32_t address) const {
    const auto next = std::ranges::upper_bound(functions_, address, {}, &ElfFunction::address);
    if (next == functions_.begin()) {
        return nullptr;
    }
    const ElfFunction& candidate = *std::prev(next);
    return address < candidate.end ? &candidate : nullptr;
}

}  // namespace nocbench::riscv
