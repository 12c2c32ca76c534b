/* CRC-64 as xz uses it (ECMA-182, reflected): a checksum that differs after any change within 64
 * neighbouring bits, and so after any single one. Any thread. */
#ifndef SS_CRC64_H
#define SS_CRC64_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of bytes whose first part has the checksum `before` (0: there is none). */
uint64_t ss_crc64(uint64_t before, const void *data, size_t bytes);

#endif
