/* SPDX-License-Identifier: Apache-2.0
 * Asked for by programs that look which C library they have. It is none of those that they know. */
#ifndef NOCBENCH_FEATURES_H
#define NOCBENCH_FEATURES_H

#endif
