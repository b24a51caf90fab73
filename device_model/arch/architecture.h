// An architecture file as it was read: what all kinds of machines have. arch/constants.h of each machine has the
// constants of its kind.
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

/// A product: fixes grid, harvesting and clock.
struct Board {
    std::string name;
    std::string description;
    std::int64_t clock_hz = 0;
    std::any constants;  // of the kind: a TorusBoard, an EpiphanyBoard ...
};

/// Where the value of a constant comes from.
struct Provenance {
    std::string status;     // documented, measured, fitted or estimated
    std::string source;     // the document, or what the estimate rests on
    std::string fitted_to;  // the measurements that a fitted value was fitted to
};

struct Architecture {
    std::vector<std::filesystem::path> files;  // that it was read from: its own, and those that this one is based on
    std::string name;
    std::string root;  // name of the last of these files, whose chip has the same registers and compiler
    ArchitectureKind kind = ArchitectureKind::tensix_torus;
    std::string description;
    std::string default_board;
    std::any constants;  // of the kind: a TorusArchitecture, EpiphanyConstants ...

    /// The parts that boards are composed of, in the fields of a board, by the key of the file: "hosts" -> scu3, ...
    std::map<std::string, std::vector<Board>, std::less<>> parts;

    std::map<std::string, Board> boards;
    Accuracy accuracy = Accuracy::exact;           // not of the file
    std::map<std::string, Provenance> provenance;  // by path in the file: "router.hop_cycles", "boards.n150.clock_hz"

    /// The board called `board_name`, or the default board if it is empty. Throws InputError that lists the boards.
    [[nodiscard]] const Board& board(const std::string& board_name) const;

    /// Data that a link moves at once: a flit, or the dword of a transaction on the mesh.
    [[nodiscard]] std::int64_t flit_bytes() const;

    /// What a link carries at most.
    [[nodiscard]] double link_bytes_per_cycle() const;
};

/// Reads and validates an architecture file and then applies `settings` in order. Throws InputError that lists every
/// mistake of the file at once, each with file, line and column; mistakes in settings name the setting. A setting
/// kAccuracySetting chooses the accuracy.
/// A setting's key is a path of the file without the board's name: `router.hop_cycles`, `board.harvested_rows`; a
/// `board.` key changes `board_name` (or the default board). `host.driver_ns` changes the host that this board has; its
/// name may stand in the key as it does in the file, `hosts.scu3.driver_ns`. The other boards are not checked against
/// settings.
Architecture load_architecture(const std::filesystem::path& file, const std::string& board_name = "",
                               const std::vector<Setting>& settings = {});

/// The extension of architecture files.
inline constexpr std::string_view kArchitectureExtension = ".yaml";

/// Finds the file of a modeled architecture by name, in the directory of architecture files or among those that were
/// added. Throws InputError that lists the architectures of the directory.
std::filesystem::path find_architecture(const std::string& name);

/// Makes an architecture known whose file is not in the directory, and returns its name. Throws InputError for mistakes
/// in the file, and if another file has an architecture of this name.
std::string add_architecture(const std::filesystem::path& file);

/// Names of the architectures in the directory of architecture files, sorted.
std::vector<std::string> architecture_names();

/// Those of one kind. Reads all files; throws InputError for mistakes in any of them.
std::vector<std::string> architecture_names(ArchitectureKind kind);

/// Overrides the directory of architecture files; the default is the one that was compiled in.
void set_architecture_directory(const std::filesystem::path& directory);

/// The JSON Schema (draft 2020-12) of an architecture file, generated from the table of fields.
std::string architecture_json_schema();

}  // namespace nocbench
