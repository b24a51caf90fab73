/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char* const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char* const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

/* Returns the week by ISO 8601: weeks begin on Mondays and belong to the year of their Thursday. */
static int iso_week(const struct tm* value, int* year) {
    int week = (value->tm_yday + 10 - (value->tm_wday + 6) % 7) / 7;
    *year = 1900 + value->tm_year;
    if (week == 0) {
        struct tm last = {.tm_year = value->tm_year - 1, .tm_mon = 11, .tm_mday = 31};
        timegm(&last);
        return iso_week(&last, year);
    }
    int thursday = value->tm_mday + 3 - (value->tm_wday + 6) % 7;
    if (week == 53 && value->tm_mon == 11 && thursday > 31) {
        ++*year;
        return 1;
    }
    return week;
}

static int hour12(const struct tm* value) { return value->tm_hour % 12 == 0 ? 12 : value->tm_hour % 12; }

/* Returns the expansion of a composite conversion in the C locale. */
static const char* expansion(char conversion) {
    switch (conversion) {
        case 'c':
            return "%a %b %e %H:%M:%S %Y";
        case 'D':
        case 'x':
            return "%m/%d/%y";
        case 'F':
            return "%Y-%m-%d";
        case 'r':
            return "%I:%M:%S %p";
        case 'R':
            return "%H:%M";
        case 'T':
        case 'X':
            return "%H:%M:%S";
        default:
            return NULL;
    }
}

size_t strftime(char* text, size_t size, const char* format, const struct tm* value) {
    size_t used = 0;
    for (; *format != '\0'; ++format) {
        char piece[32] = {*format, '\0'};
        size_t length = 1;
        if (*format == '%') {
            ++format;
            if (*format == 'E' || *format == 'O') ++format;
            if (*format == '\0') break;
            const char* expanded = expansion(*format);
            const char* words = NULL;
            const char* digits = "%02d";
            int number = 0, year;
            switch (*format) {
                case 'a':
                case 'A':
                    words = days[value->tm_wday];
                    break;
                case 'b':
                case 'B':
                case 'h':
                    words = months[value->tm_mon];
                    break;
                case 'p':
                    words = value->tm_hour < 12 ? "AM" : "PM";
                    break;
                case 'P':
                    words = value->tm_hour < 12 ? "am" : "pm";
                    break;
                case 'z':
                    words = "+0000";
                    break;
                case 'Z':
                    words = "UTC";
                    break;
                case 'n':
                    words = "\n";
                    break;
                case 't':
                    words = "\t";
                    break;
                case '%':
                    words = "%";
                    break;
                case 'C':
                    number = (1900 + value->tm_year) / 100;
                    break;
                case 'd':
                    number = value->tm_mday;
                    break;
                case 'e':
                    digits = "%2d";
                    number = value->tm_mday;
                    break;
                case 'g':
                    iso_week(value, &number);
                    number %= 100;
                    break;
                case 'G':
                    digits = "%d";
                    iso_week(value, &number);
                    break;
                case 'H':
                    number = value->tm_hour;
                    break;
                case 'I':
                    number = hour12(value);
                    break;
                case 'j':
                    digits = "%03d";
                    number = value->tm_yday + 1;
                    break;
                case 'k':
                    digits = "%2d";
                    number = value->tm_hour;
                    break;
                case 'l':
                    digits = "%2d";
                    number = hour12(value);
                    break;
                case 'm':
                    number = value->tm_mon + 1;
                    break;
                case 'M':
                    number = value->tm_min;
                    break;
                case 's': {
                    struct tm copy = *value;
                    digits = "%d";
                    number = timegm(&copy);
                    break;
                }
                case 'S':
                    number = value->tm_sec;
                    break;
                case 'u':
                    digits = "%d";
                    number = value->tm_wday == 0 ? 7 : value->tm_wday;
                    break;
                case 'U':
                    number = (value->tm_yday + 7 - value->tm_wday) / 7;
                    break;
                case 'V':
                    number = iso_week(value, &year);
                    break;
                case 'w':
                    digits = "%d";
                    number = value->tm_wday;
                    break;
                case 'W':
                    number = (value->tm_yday + 7 - (value->tm_wday + 6) % 7) / 7;
                    break;
                case 'y':
                    number = (1900 + value->tm_year) % 100;
                    break;
                case 'Y':
                    digits = "%d";
                    number = 1900 + value->tm_year;
                    break;
                default:
                    if (expanded == NULL) words = "?";
            }
            if (expanded != NULL) {
                length = strftime(piece, sizeof piece, expanded, value);
            } else if (words != NULL) {
                length = strlen(words);
                if (*format == 'a' || *format == 'b' || *format == 'h') length = 3;
                memcpy(piece, words, length);
            } else {
                length = snprintf(piece, sizeof piece, digits, number);
            }
        }
        if (used + length >= size) return 0;
        memcpy(text + used, piece, length);
        used += length;
    }
    if (size == 0) return 0;
    text[used] = '\0';
    return used;
}
