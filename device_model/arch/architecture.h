// Contents of an architecture file that all kinds of machines share. arch/constants.h of each machine has the constants
// of its kind.
#pragma once

#include <any>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/arch/architecture_kind.h"
#include "device_model/arch/setting.h"

namespace nocbench {

/// Product with its grid, harvesting and clock.
struct Board {
    std::string name;
    std::string description;
    std::int64_t clock_hz = 0;
    std::any constants;  // by kind: a TorusBoard, an EpiphanyBoard ...
};

/// Origin of the value of a constant.
struct Provenance {
    std::string status;     // documented, measured, fitted or estimated
    std::string source;     // the document, or the basis of an estimate
    std::string fitted_to;  // measurements that a fitted value was fitted to
};

struct Architecture {
    std::vector<std::filesystem::path> files;  // its own file, then the files that it is based on
    std::string name;
    std::string root;  // name of the last of these files, whose chip has equal registers and compiler
    ArchitectureKind kind = ArchitectureKind::tensix_torus;
    std::string description;
    std::string default_board;
    std::any constants;  // by kind: a TorusArchitecture, EpiphanyConstants ...

    /// Parts that boards are composed of, as fields of a board, by key of the file: "hosts" -> scu3, ...
    std::map<std::string, std::vector<Board>, std::less<>> parts;

    std::map<std::string, Board> boards;
    Accuracy accuracy = Accuracy::exact;           // set by a setting, not by the file
    std::map<std::string, Provenance> provenance;  // by path in the file: "router.hop_cycles", "boards.n150.clock_hz"

    /// Returns the board called `board_name`, or the default board if empty. Throws InputError that lists the boards.
    [[nodiscard]] const Board& board(const std::string& board_name) const;

    /// Returns the bytes that a link moves at once: a flit, or the dword of a transaction on the mesh.
    [[nodiscard]] std::int64_t flit_bytes() const;

    /// Returns the maximum rate of a link.
    [[nodiscard]] double link_bytes_per_cycle() const;
};

/// Reads and validates an architecture file, then applies `settings` in order. Throws InputError that lists every
/// mistake of the file, each with file, line and column; mistakes in settings name the setting. The setting
/// kAccuracySetting chooses the accuracy.
/// A setting's key is a path in the file, such as `router.hop_cycles`. A key `board.harvested_rows` changes the board
/// called `board_name`, or the default board if empty. A key `host.driver_ns` changes the host of this board, as does
/// its path in the file, `hosts.scu3.driver_ns`. Other boards are not checked for contradictions with the settings.
Architecture load_architecture(const std::filesystem::path& file, const std::string& board_name = "",
                               const std::vector<Setting>& settings = {});

inline constexpr std::string_view kArchitectureExtension = ".yaml";

/// Returns the file of an architecture by name, from the directory of architecture files or from added files. Throws
/// InputError that lists the architectures of the directory.
std::filesystem::path find_architecture(const std::string& name);

/// Adds an architecture whose file is not in the directory. Returns its name. Throws InputError for mistakes in the
/// file, and if another file has an architecture of this name.
std::string add_architecture(const std::filesystem::path& file);

/// Returns the sorted names of the architectures in the directory of architecture files.
std::vector<std::string> architecture_names();

/// Returns the sorted names of the architectures of one kind. Reads all files; throws InputError for mistakes in any of
/// them.
std::vector<std::string> architecture_names(ArchitectureKind kind);

/// Overrides the directory of architecture files; the default is compiled in.
void set_architecture_directory(const std::filesystem::path& directory);

/// Returns the JSON Schema (draft 2020-12) of an architecture file, generated from the table of fields.
std::string architecture_json_schema();

}  // namespace nocbench
