/* Eight bytes at a time, by eight tables: see crc64.h. */
#include "src/base/crc64.h"

#include <pthread.h>
#include <string.h>

#define POLYNOMIAL 0xc96c5795d7870f42U

static uint64_t table[8][256]; /* table[k][b]: of byte b with k zero bytes behind it */
static pthread_once_t filled = PTHREAD_ONCE_INIT;

static void fill(void)
{
    for (unsigned b = 0; b < 256; b++) {
        uint64_t crc = b;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
        table[0][b] = crc;
    }
    for (int k = 1; k < 8; k++)
        for (unsigned b = 0; b < 256; b++)
            table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 255];
}

/* The first byte of memory is the lowest one: the machine is little-endian, as the arrays are. */
static uint64_t eight(uint64_t crc, const unsigned char *p)
{
    uint64_t word, out = 0;
    memcpy(&word, p, sizeof word);
    word ^= crc;
    for (int k = 0; k < 8; k++)
        out ^= table[7 - k][word >> 8 * k & 255];
    return out;
}

uint64_t ss_crc64(uint64_t before, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t crc = ~before;
    pthread_once(&filled, fill);
    for (; bytes >= 8; bytes -= 8, p += 8)
        crc = eight(crc, p);
    for (; bytes > 0; bytes--, p++)
        crc = crc >> 8 ^ table[0][(crc ^ *p) & 255];
    return ~crc;
}
