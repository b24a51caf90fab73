#include "device_model/sim/coordinate.h"

#include <fmt/format.h>

namespace nocbench {

std::string to_string(PhysicalCoordinate coordinate) { return fmt::format("({}, {})", coordinate.x, coordinate.y); }

std::string to_string(LogicalCoordinate coordinate) { return fmt::format("({}, {})", coordinate.x, coordinate.y); }

std::string to_string(TranslatedCoordinate coordinate) { return fmt::format("({}, {})", coordinate.x, coordinate.y); }

std::string to_string(NocCoordinate coordinate) { return fmt::format("({}, {})", coordinate.x, coordinate.y); }

}  // namespace nocbench
