/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_SYS_UTSNAME_H
#define NOCBENCH_SYS_UTSNAME_H

struct utsname {
    char sysname[16];
    char nodename[16];
    char release[16];
    char version[16];
    char machine[16];
};

#ifdef __cplusplus
extern "C" {
#endif

int uname(struct utsname* result);

#ifdef __cplusplus
}
#endif

#endif
