/* SPDX-License-Identifier: Apache-2.0
 * For programs that detect known C libraries. This library is none of those. */
#ifndef NOCBENCH_FEATURES_H
#define NOCBENCH_FEATURES_H

#endif
