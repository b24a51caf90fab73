// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nocbench/objects/scoped_lock.h"
