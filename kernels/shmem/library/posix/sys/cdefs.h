/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_SYS_CDEFS_H
#define NOCBENCH_SYS_CDEFS_H

#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif

#endif
