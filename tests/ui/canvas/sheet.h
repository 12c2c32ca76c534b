/* Pixels to draw on, and sampled scenes, for tests of drawings. */
#ifndef SS_TESTS_SHEET_H
#define SS_TESTS_SHEET_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/common.h"
#include "tests/check.h"
#include "tests/ui/samples.h"
#include "ui/canvas/canvas.h"
#include "ui/panels/screen.h"

#define SHEET_UNUSED __attribute__((unused))

enum { GUARD = 64, SPARE = 0x5a };

/* Pixels with a margin that must not change. */
typedef struct sheet {
    unsigned char *all;
    size_t size;
    ss_pixels px;
} sheet;

SHEET_UNUSED static sheet new_sheet(int w, int h)
{
    sheet s = {.size = (size_t)(w + 2 * GUARD) * (size_t)(h + 2 * GUARD) * 4};
    s.all = malloc(s.size);
    memset(s.all, SPARE, s.size);
    s.px = (ss_pixels){s.all + ((size_t)GUARD * (size_t)(w + 2 * GUARD) + GUARD) * 4, w, h,
                       (w + 2 * GUARD) * 4};
    return s;
}

SHEET_UNUSED static uint32_t pixel(const sheet *s, int x, int y)
{
    uint32_t v;
    memcpy(&v, (char *)s->px.data + (size_t)y * (size_t)s->px.stride + (size_t)x * 4, 4);
    return v & 0xffffff;
}

SHEET_UNUSED static void check_margin(const sheet *s)
{
    for (int y = -GUARD; y < s->px.h + GUARD; y++)
        for (int x = -GUARD; x < s->px.w + GUARD; x++) {
            if (x >= 0 && x < s->px.w && y >= 0 && y < s->px.h)
                continue;
            const unsigned char *p =
                (unsigned char *)s->px.data + (ptrdiff_t)y * s->px.stride + (ptrdiff_t)x * 4;
            CHECK_MSG(p[0] == SPARE && p[3] == SPARE, "(%d, %d) is outside", x, y);
        }
}

SHEET_UNUSED static ss_drawing *new_drawing(double scale)
{
    ss_err err = {0};
    ss_drawing *d = ss_drawing_new(scale, &err);
    CHECK_MSG(d != NULL, "%s", err.text);
    return d;
}

SHEET_UNUSED static ss_snapshot *sample(int which)
{
    return which == 0   ? sample_2d(SS_STALENESS, 64, 64)
           : which == 1 ? sample_1d(64)
           : which == 2 ? sample_swept(64, 0)
                        : sample_3d(SS_VALUE, 64, 32);
}

#endif
