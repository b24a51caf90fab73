// Reader of an architecture file that reports all mistakes together.
#pragma once

#include <filesystem>

#include "device_model/arch/architecture.h"

namespace nocbench {

/// Reads an architecture file. Throws InputError that lists every mistake of the file in order of line, as
/// `FILE:LINE:COLUMN: KEY: expected WHAT, found WHAT`.
Architecture read_architecture_file(const std::filesystem::path& file);

}  // namespace nocbench
