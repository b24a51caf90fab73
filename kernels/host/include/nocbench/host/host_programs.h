// All that a host program usually needs.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "nocbench/host/bfloat16.h"       // IWYU pragma: export
#include "nocbench/host/command_queue.h"  // IWYU pragma: export
#include "nocbench/host/mesh.h"           // IWYU pragma: export
#include "nocbench/host/slow_dispatch.h"  // IWYU pragma: export
