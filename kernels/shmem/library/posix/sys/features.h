/* SPDX-License-Identifier: Apache-2.0
 * Asked for by the features.h that lets the C++ library of the host serve. */
#ifndef NOCBENCH_SYS_FEATURES_H
#define NOCBENCH_SYS_FEATURES_H

#endif
