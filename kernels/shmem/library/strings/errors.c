/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

int errno;

char* strerror(int number) {
    switch (number) {
        case 0:
            return "Success";
        case EINVAL:
            return "Invalid argument";
        case ENOMEM:
            return "Cannot allocate memory";
        case EDOM:
            return "Numerical argument out of domain";
        case ERANGE:
            return "Numerical result out of range";
        case ENOSYS:
            return "Function not implemented";
        default:
            return "Unknown error";
    }
}

int strerror_r(int number, char* text, size_t size) {
    return strlcpy(text, strerror(number), size) < size ? 0 : ERANGE;
}

char* strsignal(int number) {
    static char text[16];
    snprintf(text, sizeof text, "Signal %d", number);
    return text;
}

void perror(const char* text) {
    if (text != NULL && *text != '\0') {
        fprintf(stderr, "%s: %s\n", text, strerror(errno));
    } else {
        fprintf(stderr, "%s\n", strerror(errno));
    }
}
