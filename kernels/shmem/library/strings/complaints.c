/* SPDX-License-Identifier: Apache-2.0
 * Error messages of programs that end. The program's name in them is always "program". */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(const char* format, va_list arguments, const char* reason) {
    fputs("program: ", stderr);
    if (format != NULL) vfprintf(stderr, format, arguments);
    if (reason != NULL) fprintf(stderr, format != NULL ? ": %s" : "%s", reason);
    fputc('\n', stderr);
}

void vwarn(const char* format, va_list arguments) { complain(format, arguments, strerror(errno)); }
void vwarnx(const char* format, va_list arguments) { complain(format, arguments, NULL); }
void verr(int status, const char* format, va_list arguments) {
    vwarn(format, arguments);
    exit(status);
}
void verrx(int status, const char* format, va_list arguments) {
    vwarnx(format, arguments);
    exit(status);
}

#define WITH_ARGUMENTS(action)   \
    va_list arguments;           \
    va_start(arguments, format); \
    action;                      \
    va_end(arguments)
void warn(const char* format, ...) { WITH_ARGUMENTS(vwarn(format, arguments)); }
void warnx(const char* format, ...) { WITH_ARGUMENTS(vwarnx(format, arguments)); }
void err(int status, const char* format, ...) {
    WITH_ARGUMENTS(vwarn(format, arguments));
    exit(status);
}
void errx(int status, const char* format, ...) {
    WITH_ARGUMENTS(vwarnx(format, arguments));
    exit(status);
}
void error(int status, int number, const char* format, ...) {
    WITH_ARGUMENTS(complain(format, arguments, number == 0 ? NULL : strerror(number)));
    if (status != 0) exit(status);
}
