// SPDX-License-Identifier: Apache-2.0
// magic_enum, at the place that the system has it at.
#pragma once

#if __has_include_next(<magic_enum/magic_enum.hpp>)
#include_next <magic_enum/magic_enum.hpp>
#else
#include <magic_enum.hpp>
#endif
