/* SPDX-License-Identifier: Apache-2.0
 * Required by the features.h with which the host's C++ library is used. */
#ifndef NOCBENCH_SYS_FEATURES_H
#define NOCBENCH_SYS_FEATURES_H

#endif
