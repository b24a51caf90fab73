// SPDX-License-Identifier: Apache-2.0
// Reports to the host's C++ library that there is no glibc.
#pragma once
#include <sys/features.h>
#undef __GLIBC_PREREQ
#define __GLIBC_PREREQ(major, minor) 0
