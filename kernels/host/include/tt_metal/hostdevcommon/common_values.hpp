// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nocbench/host/data_formats.h"
