/* SPDX-License-Identifier: Apache-2.0
 * System calls with fixed results: there is no operating system. */
#include <errno.h>
#include <locale.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

char* getenv(const char* name) {
    (void)name;
    return NULL;
}
int setenv(const char* name, const char* value, int overwrite) {
    (void)name, (void)value, (void)overwrite;
    errno = ENOMEM;
    return -1;
}
int putenv(char* entry) {
    (void)entry;
    errno = ENOMEM;
    return -1;
}
int unsetenv(const char* name) {
    (void)name;
    return 0;
}
int gethostname(char* name, size_t size) {
    strlcpy(name, "epiphany", size);
    return 0;
}
int uname(struct utsname* result) {
    strcpy(result->sysname, "nocbench");
    strcpy(result->nodename, "epiphany");
    strcpy(result->release, "1");
    strcpy(result->version, "1");
    strcpy(result->machine, "epiphany");
    return 0;
}
pid_t getpid(void) { return 1; }
pid_t getppid(void) { return 0; }
pid_t gettid(void) { return 1; }
uid_t getuid(void) { return 0; }
uid_t geteuid(void) { return 0; }
gid_t getgid(void) { return 0; }
gid_t getegid(void) { return 0; }
int getpagesize(void) { return 0x2000; }
long sysconf(int name) { return name == _SC_PAGESIZE ? 0x2000 : name == _SC_CLK_TCK ? 1000000 : 16; }
int isatty(int file) { return (void)file, 0; }
int sched_yield(void) { return 0; }
char* setlocale(int category, const char* locale) {
    (void)category, (void)locale;
    return "C";
}
struct lconv* localeconv(void) {
    static struct lconv values = {".", ""};
    return &values;
}

int getchar(void) { return EOF; }
int getc(FILE* stream) { return (void)stream, EOF; }
int fgetc(FILE* stream) { return (void)stream, EOF; }
int ungetc(int c, FILE* stream) { return (void)c, (void)stream, EOF; }
char* fgets(char* text, int size, FILE* stream) { return (void)text, (void)size, (void)stream, NULL; }
size_t fread(void* items, size_t size, size_t count, FILE* stream) {
    return (void)items, (void)size, (void)count, (void)stream, 0;
}
ssize_t getline(char** line, size_t* size, FILE* stream) { return (void)line, (void)size, (void)stream, -1; }
ssize_t getdelim(char** line, size_t* size, int end, FILE* stream) {
    return (void)line, (void)size, (void)end, (void)stream, -1;
}
int feof(FILE* stream) { return stream == stdin; }
int ferror(FILE* stream) { return (void)stream, 0; }
void clearerr(FILE* stream) { (void)stream; }
int fileno(FILE* stream) { return (int)stream - 1; }
