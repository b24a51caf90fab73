// SPDX-License-Identifier: Apache-2.0
// A RISC of a tile has no threads.
#pragma once
