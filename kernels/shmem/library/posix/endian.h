/* SPDX-License-Identifier: Apache-2.0
 * A core stores the low byte first. */
#ifndef NOCBENCH_ENDIAN_H
#define NOCBENCH_ENDIAN_H

#define LITTLE_ENDIAN 1234
#define BIG_ENDIAN 4321
#define BYTE_ORDER LITTLE_ENDIAN
#define htole16(value) ((unsigned short)(value))
#define htole32(value) ((unsigned)(value))
#define htole64(value) ((unsigned long long)(value))
#define le16toh(value) ((unsigned short)(value))
#define le32toh(value) ((unsigned)(value))
#define le64toh(value) ((unsigned long long)(value))
#define htobe16(value) __builtin_bswap16(value)
#define htobe32(value) __builtin_bswap32(value)
#define htobe64(value) __builtin_bswap64(value)
#define be16toh(value) __builtin_bswap16(value)
#define be32toh(value) __builtin_bswap32(value)
#define be64toh(value) __builtin_bswap64(value)

#endif
