// Reading of one architecture file: finds every mistake in it before it complains.
#pragma once

#include <filesystem>

#include "device_model/arch/architecture.h"

namespace nocbench {

/// Throws InputError that lists every mistake of the file, in order of line, as
/// `FILE:LINE:COLUMN: KEY: expected WHAT, found WHAT`.
Architecture read_architecture_file(const std::filesystem::path& file);

}  // namespace nocbench
