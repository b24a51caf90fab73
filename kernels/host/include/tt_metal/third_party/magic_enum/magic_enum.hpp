// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "magic_enum.hpp"
