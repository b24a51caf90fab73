// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <noc_parameters.h>
