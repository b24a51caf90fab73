// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llk_defs.h"
