/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_STDIO_H
#define NOCBENCH_STDIO_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

#define EOF (-1)
#define BUFSIZ 256
#define FILENAME_MAX 64
#define FOPEN_MAX 3
#define L_tmpnam 16
#define TMP_MAX 1
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

typedef struct nocbench_stream FILE;
typedef long fpos_t;

/* Streams are numbers instead of pointers, and take no memory. */
#define stdin ((FILE*)1)
#define stdout ((FILE*)2)
#define stderr ((FILE*)3)

#define putc_unlocked(c, stream) putc(c, stream)
#define putchar_unlocked(c) putchar(c)
#define getc_unlocked(stream) getc(stream)
#define getchar_unlocked() getchar()

#ifdef __cplusplus
extern "C" {
#endif

/* Output, executed by the simulator. */
int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE* stream, const char* format, ...) __attribute__((format(printf, 2, 3)));
int dprintf(int file, const char* format, ...) __attribute__((format(printf, 2, 3)));
int sprintf(char* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char* text, size_t size, const char* format, ...) __attribute__((format(printf, 3, 4)));
int vprintf(const char* format, va_list arguments) __attribute__((format(printf, 1, 0)));
int vfprintf(FILE* stream, const char* format, va_list arguments) __attribute__((format(printf, 2, 0)));
int vdprintf(int file, const char* format, va_list arguments) __attribute__((format(printf, 2, 0)));
int vsprintf(char* text, const char* format, va_list arguments) __attribute__((format(printf, 2, 0)));
int vsnprintf(char* text, size_t size, const char* format, va_list arguments) __attribute__((format(printf, 3, 0)));
int asprintf(char** text, const char* format, ...) __attribute__((format(printf, 2, 3)));
int vasprintf(char** text, const char* format, va_list arguments) __attribute__((format(printf, 2, 0)));
int puts(const char* text);
int putchar(int c);
int putc(int c, FILE* stream);
int fputc(int c, FILE* stream);
int fputs(const char* text, FILE* stream);
size_t fwrite(const void* items, size_t size, size_t count, FILE* stream);
int fflush(FILE* stream);
int setvbuf(FILE* stream, char* buffer, int mode, size_t size);
void setbuf(FILE* stream, char* buffer);
void setlinebuf(FILE* stream);
void perror(const char* text);

/* Input, which is always at its end. */
int getchar(void);
int getc(FILE* stream);
int fgetc(FILE* stream);
int ungetc(int c, FILE* stream);
char* fgets(char* text, int size, FILE* stream);
size_t fread(void* items, size_t size, size_t count, FILE* stream);
ssize_t getline(char** line, size_t* size, FILE* stream);
ssize_t getdelim(char** line, size_t* size, int end, FILE* stream);
int feof(FILE* stream);
int ferror(FILE* stream);
void clearerr(FILE* stream);
int fileno(FILE* stream);

int sscanf(const char* text, const char* format, ...) __attribute__((format(scanf, 2, 3)));
int vsscanf(const char* text, const char* format, va_list arguments) __attribute__((format(scanf, 2, 0)));

/* Files and input do not exist: programs that use these functions do not link. */
FILE* fopen(const char* name, const char* mode);
FILE* freopen(const char* name, const char* mode, FILE* stream);
FILE* fdopen(int file, const char* mode);
FILE* tmpfile(void);
char* tmpnam(char* name);
int fclose(FILE* stream);
int fseek(FILE* stream, long offset, int from);
long ftell(FILE* stream);
void rewind(FILE* stream);
int fgetpos(FILE* stream, fpos_t* position);
int fsetpos(FILE* stream, const fpos_t* position);
int remove(const char* name);
int rename(const char* from, const char* to);
int scanf(const char* format, ...) __attribute__((format(scanf, 1, 2)));
int fscanf(FILE* stream, const char* format, ...) __attribute__((format(scanf, 2, 3)));
int vscanf(const char* format, va_list arguments) __attribute__((format(scanf, 1, 0)));
int vfscanf(FILE* stream, const char* format, va_list arguments) __attribute__((format(scanf, 2, 0)));

#ifdef __cplusplus
}
#endif

#endif
