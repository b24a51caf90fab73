// SPDX-License-Identifier: Apache-2.0
#pragma once
#if __has_include_next(<fmt/base.h>)
#include_next <fmt/base.h>
#else  // fmt before 11
#include <fmt/core.h>
#endif
