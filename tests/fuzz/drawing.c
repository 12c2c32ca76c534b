/* Fuzz target: streams of drawing operations, played to the pen that writes them. A stream that is
 * drawn is drawn again as it was written. */
#include <stdlib.h>

#include "tests/ui/pen/play.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ss_bytes_pen *first, *second;
    ss_err err;
    size_t n;
    if (!first && (!(first = ss_bytes_pen_new(&err)) || !(second = ss_bytes_pen_new(&err))))
        abort();
    if (ss_bytes_play(data, size, ss_bytes_pen_begin(first, 0, 0), &err) != SS_OK)
        return 0;
    const uint8_t *written = ss_bytes_pen_data(first, &n);
    if (!written || ss_bytes_play(written, n, ss_bytes_pen_begin(second, 0, 0), &err) != SS_OK)
        abort();
    return 0;
}
