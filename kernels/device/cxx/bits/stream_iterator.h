// SPDX-License-Identifier: Apache-2.0
// Iterators of streams, of which a kernel has none.
#pragma once
