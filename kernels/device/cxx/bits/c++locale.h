// SPDX-License-Identifier: Apache-2.0
// Locale types in declarations of the host's C++ library. Kernels have no locales.
#pragma once
#pragma GCC system_header
namespace std {
using __c_locale = void*;
}
