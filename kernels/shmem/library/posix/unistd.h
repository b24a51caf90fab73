/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_UNISTD_H
#define NOCBENCH_UNISTD_H

#include <getopt.h>
#include <stddef.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_CLK_TCK 2
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84

#ifdef __cplusplus
extern "C" {
#endif

void _exit(int status) __attribute__((noreturn));
unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
ssize_t write(int file, const void* bytes, size_t size);
int gethostname(char* name, size_t size);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
pid_t gettid(void);
void swab(const void* from, void* to, ssize_t size);
int getpagesize(void);
long sysconf(int name);
int isatty(int file);

/* Files and other processes do not exist: programs that use these functions do not link. */
ssize_t read(int file, void* bytes, size_t size);
int close(int file);
int unlink(const char* name);
int access(const char* name, int mode);
pid_t fork(void);
unsigned int alarm(unsigned int seconds);

#ifdef __cplusplus
}
#endif

#endif
