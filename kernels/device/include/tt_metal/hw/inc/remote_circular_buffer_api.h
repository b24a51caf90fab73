// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/remote_circular_buffer.h"
