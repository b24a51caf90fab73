// SPDX-License-Identifier: Apache-2.0
// The C++ library of the host asks which glibc it is used with: with none.
#pragma once
#include <sys/features.h>
#undef __GLIBC_PREREQ
#define __GLIBC_PREREQ(major, minor) 0
