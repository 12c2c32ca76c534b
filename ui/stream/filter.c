/* What a cell is expected to be, and which expectation fits an image best: see filter.h. */
#include "ui/stream/filter.h"

#include <string.h>

/* --- expectations ----------------------------------------------------------------------------- */

/* The rows of one image that a filter looks at. */
typedef struct rows {
    const uint8_t *own, *above, *before; /* NULL: there is none */
} rows;

static uint8_t from_left(const rows *r, int x)
{
    return x > 0 ? r->own[x - 1] : 0;
}

static uint8_t from_gradient(const rows *r, int x)
{
    if (!r->above || x == 0)
        return r->above ? r->above[x] : from_left(r, x);
    return (uint8_t)(r->own[x - 1] + r->above[x] - r->above[x - 1]);
}

static uint8_t from_before(const rows *r, int x)
{
    return r->before ? r->before[x] : from_left(r, x);
}

static uint8_t (*const expect[SS_NFILTER])(const rows *,
                                           int) = {[SS_FILTER_LEFT] = from_left,
                                                   [SS_FILTER_GRADIENT] = from_gradient,
                                                   [SS_FILTER_BEFORE] = from_before,
                                                   [SS_FILTER_MOVED] = from_before};

static const uint8_t *row_of(const ss_levels *of, const uint8_t *image, int y)
{
    return image && y >= 0 && y < of->rows ? image + (size_t)y * (size_t)of->cols : NULL;
}

void ss_filter_row(const ss_levels *of, ss_filter filter, int moved, int y, uint8_t *out)
{
    const uint8_t *own = of->now + (size_t)y * (size_t)of->cols;
    const rows r = {own, row_of(of, of->now, y - 1),
                    row_of(of, of->before, filter == SS_FILTER_MOVED ? y - moved : y)};
    for (int x = 0; x < of->cols; x++)
        out[x] = (uint8_t)(own[x] - expect[filter](&r, x));
}

void ss_filter_undo_row(const ss_levels *of, ss_filter filter, int moved, int y, uint8_t *out)
{
    const uint8_t *difference = row_of(of, of->now, y);
    uint8_t *own = out + (size_t)y * (size_t)of->cols;
    const rows r = {own, y > 0 ? own - of->cols : NULL,
                    row_of(of, of->before, filter == SS_FILTER_MOVED ? y - moved : y)};
    for (int x = 0; x < of->cols; x++)
        own[x] = (uint8_t)(difference[x] + expect[filter](&r, x));
}

/* --- the choice ------------------------------------------------------------------------------- */

enum { BAND = 1 << 17 /* bytes */, TRIAL = 8 /* messages */ };

/* The size of rows in the middle: as many as fill the band, at least one. */
static size_t size_of(const ss_levels *of, ss_filter filter, const ss_packer *by)
{
    uint8_t band[BAND + UINT16_MAX];
    int most = BAND / of->cols, n = most < 1 ? 1 : most < of->rows ? most : of->rows;
    for (int y = 0; y < n; y++)
        ss_filter_row(of, filter, 0, (of->rows - n) / 2 + y, band + (size_t)y * (size_t)of->cols);
    return by->pack(by->ctx, band, (size_t)n * (size_t)of->cols);
}

/* Now and then another filter is tried; the better one stays. */
static ss_filter best_of(const ss_levels *of, ss_packer *by, struct ss_choice *c)
{
    if (c->age++ % TRIAL != 0)
        return c->filter;
    c->rival = (ss_filter)((c->rival + 1) % SS_FILTER_MOVED);
    if (c->rival != c->filter && size_of(of, c->rival, by) < size_of(of, c->filter, by))
        c->filter = c->rival;
    return c->filter;
}

static int equal_rows(const ss_levels *of, int moved)
{
    int n = 0;
    for (int y = moved > 0 ? moved : 0; y < of->rows + (moved < 0 ? moved : 0); y++)
        n += memcmp(row_of(of, of->now, y), row_of(of, of->before, y - moved), (size_t)of->cols) ==
             0;
    return n;
}

/* The rows by which a raster has moved; 0: it has not, or is none. A row in its middle tells; of
 * the rows that are like it only the first few are tried. */
static int rows_moved(const ss_levels *of)
{
    int y = of->rows / 2, tries = 16;
    const uint8_t *row = row_of(of, of->now, y);
    for (int from = 0; from < of->rows && of->rows <= INT16_MAX; from++) {
        int moved = y - from;
        if (moved == 0 || memcmp(row, row_of(of, of->before, from), (size_t)of->cols) != 0)
            continue;
        if (3 * equal_rows(of, moved) > of->rows)
            return moved;
        if (--tries == 0)
            return 0;
    }
    return 0;
}

ss_filter ss_filter_choose(const ss_levels *of, ss_packer *by, int image, int *moved)
{
    *moved = of->before && 2 * equal_rows(of, 0) < of->rows ? rows_moved(of) : 0;
    if (*moved != 0)
        return SS_FILTER_MOVED;
    if (!of->before || !by)
        return SS_FILTER_LEFT;
    return best_of(of, by, &by->choice[image % SS_CHOICES]);
}
