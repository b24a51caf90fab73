// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "debug/dprint_test_common.h"
