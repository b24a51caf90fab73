/* SPDX-License-Identifier: Apache-2.0 */
#include <libgen.h>
#include <string.h>

/* Removes trailing slashes, but keeps a path that is only a slash. Returns the last remaining slash, or null. */
static char* last_part(char* path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') path[--length] = '\0';
    return strrchr(path, '/');
}
char* basename(char* path) {
    if (path == NULL || *path == '\0') return ".";
    char* slash = last_part(path);
    return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}
char* dirname(char* path) {
    char* slash = path == NULL || *path == '\0' ? NULL : last_part(path);
    if (slash == NULL) return ".";
    while (slash > path && slash[-1] == '/') --slash;
    slash[slash == path] = '\0';
    return path;
}
