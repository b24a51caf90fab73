/* SPDX-License-Identifier: Apache-2.0 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

char* optarg;
int optind = 1;
int opterr = 1;
int optopt;

static const char* rest; /* of the current argument with several options */

static int complain(char* const argv[], const char* what, int option) {
    if (opterr) fprintf(stderr, "%s: %s -- '%c'\n", argv[0], what, option);
    optopt = option;
    return '?';
}

int getopt(int argc, char* const argv[], const char* options) {
    optarg = NULL;
    if (rest == NULL || *rest == '\0') {
        const char* argument = optind < argc ? argv[optind] : NULL;
        if (argument == NULL || argument[0] != '-' || argument[1] == '\0') return -1;
        ++optind;
        if (strcmp(argument, "--") == 0) return -1;
        rest = argument + 1;
    }
    int option = (unsigned char)*rest++;
    if (*options == '+') ++options;
    int is_quiet = *options == ':';
    const char* known = option == ':' ? NULL : strchr(options, option);
    if (known == NULL) return is_quiet ? (optopt = option, '?') : complain(argv, "invalid option", option);
    if (known[1] != ':') return option;
    if (*rest != '\0') {
        optarg = (char*)rest;
    } else if (known[2] != ':') {
        if (optind >= argc) {
            return is_quiet ? (optopt = option, ':') : complain(argv, "option requires an argument", option);
        }
        optarg = argv[optind++];
    }
    rest = NULL;
    return option;
}

int getopt_long(int argc, char* const argv[], const char* options, const struct option* long_options, int* index) {
    const char* argument = optind < argc ? argv[optind] : NULL;
    if ((rest != NULL && *rest != '\0') || argument == NULL || strncmp(argument, "--", 2) != 0 || argument[2] == '\0') {
        return getopt(argc, argv, options);
    }
    ++optind;
    optarg = NULL;
    size_t length = strcspn(argument + 2, "=");
    for (int number = 0; long_options[number].name != NULL; ++number) {
        const struct option* option = &long_options[number];
        if (strncmp(option->name, argument + 2, length) != 0 || option->name[length] != '\0') continue;
        if (argument[2 + length] == '=') {
            optarg = (char*)argument + 3 + length;
        } else if (option->has_arg == required_argument) {
            if (optind >= argc) break;
            optarg = argv[optind++];
        }
        if (index != NULL) *index = number;
        if (option->flag == NULL) return option->val;
        *option->flag = option->val;
        return 0;
    }
    if (opterr) fprintf(stderr, "%s: unrecognized option '%s', or one without its argument\n", argv[0], argument);
    return '?';
}
