/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_SYSEXITS_H
#define NOCBENCH_SYSEXITS_H

#define EX_OK 0
#define EX_USAGE 64
#define EX_DATAERR 65
#define EX_NOINPUT 66
#define EX_UNAVAILABLE 69
#define EX_SOFTWARE 70
#define EX_OSERR 71
#define EX_IOERR 74
#define EX_CONFIG 78

#endif
