// SPDX-License-Identifier: Apache-2.0
// A kernel has no locales. The C++ library of the host declares a few things that name their type.
#pragma once
#pragma GCC system_header
namespace std {
using __c_locale = void*;
}
