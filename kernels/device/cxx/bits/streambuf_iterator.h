// SPDX-License-Identifier: Apache-2.0
// Stream buffer iterators: empty, as kernels have no streams.
#pragma once
