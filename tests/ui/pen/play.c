/* The reader of streams of operations: see play.h. Arguments are read and checked by the table of
 * ops.h; then the operation's function reads what follows them, and draws. */
#include <string.h>

#include "tests/ui/pen/play.h"
#include "ui/pen/ops.h"

enum { ARGUMENTS = 8 };

typedef struct player {
    const uint8_t *at, *end;
    ss_pen *to;
    int depth; /* of saved states */
    double v[ARGUMENTS];
    uint32_t palette[SS_PEN_LEVELS];
    bool has_palette;
} player;

/* --- bytes ------------------------------------------------------------------------------------ */

static bool has(const player *p, size_t n)
{
    return (size_t)(p->end - p->at) >= n;
}

static int take_number(player *p)
{
    p->at += 2;
    return p->at[-2] | p->at[-1] << 8;
}

static double take_length(player *p)
{
    return (int16_t)take_number(p) / SS_UNIT;
}

static uint32_t take_color(player *p)
{
    p->at += 3;
    return (uint32_t)p->at[-3] << 16 | (uint32_t)p->at[-2] << 8 | p->at[-1];
}

/* One argument; false: it is incomplete or not allowed. */
static bool take_argument(player *p, char kind, double *v)
{
    size_t bytes = kind == 'r' ? 3 : kind == 'a' || kind == 'b' ? 1 : 2;
    if (!has(p, bytes))
        return false;
    *v = kind == 'r'                  ? take_color(p)
         : kind == 'a' || kind == 'b' ? *p->at++
         : kind == 'n'                ? take_number(p)
                                      : take_length(p);
    return kind == 'u' ? *v >= 0 : kind == 'p' || kind == 'n' ? *v > 0 : true;
}

/* --- operations: false, they are incomplete or not allowed ------------------------------------ */

static bool play_COLOR(player *p)
{
    ss_pen_color(p->to, (uint32_t)p->v[0], p->v[1] / 255);
    return true;
}

static bool play_RAMP(player *p)
{
    uint32_t color[SS_PEN_STOPS];
    int n = (int)p->v[4];
    if (n < 1 || n > SS_PEN_STOPS || !has(p, 3 * (size_t)n))
        return false;
    for (int i = 0; i < n; i++)
        color[i] = take_color(p);
    ss_pen_ramp(p->to, (ss_xy){p->v[0], p->v[1]}, (ss_xy){p->v[2], p->v[3]}, color, n);
    return true;
}

static bool play_WIDTH(player *p)
{
    ss_pen_width(p->to, p->v[0]);
    return true;
}

/* Lengths that are all 0 draw nothing and leave nothing out. */
static bool play_DASH(player *p)
{
    double length[SS_PEN_DASH], sum = 0;
    int n = (int)p->v[0];
    if (n > SS_PEN_DASH)
        return false;
    for (int i = 0; i < n; i++) {
        if (!take_argument(p, 'u', &length[i]))
            return false;
        sum += length[i];
    }
    if (n > 0 && !(sum > 0))
        return false;
    ss_pen_dash(p->to, length, n);
    return true;
}

static bool play_JOIN(player *p)
{
    if (p->v[0] >= SS_NJOIN)
        return false;
    ss_pen_join(p->to, (ss_join)(int)p->v[0]);
    return true;
}

static bool play_MOVE(player *p)
{
    ss_pen_move(p->to, p->v[0], p->v[1]);
    return true;
}

static bool play_LINE(player *p)
{
    ss_pen_line(p->to, p->v[0], p->v[1]);
    return true;
}

static bool play_RECT(player *p)
{
    ss_pen_rect(p->to, p->v[0], p->v[1], p->v[2], p->v[3]);
    return true;
}

static bool play_ARC(player *p)
{
    static const double part = 6.283185307179586 / SS_TURN;
    if (p->v[4] < p->v[3])
        return false;
    ss_pen_arc(p->to, p->v[0], p->v[1], p->v[2], p->v[3] * part, p->v[4] * part);
    return true;
}

static bool play_ELLIPSE(player *p)
{
    ss_pen_ellipse(p->to, p->v[0], p->v[1], p->v[2], p->v[3]);
    return true;
}

static bool play_CLOSE(player *p)
{
    ss_pen_close(p->to);
    return true;
}

static bool play_FILL(player *p)
{
    ss_pen_fill(p->to);
    return true;
}

static bool play_FILL_KEEP(player *p)
{
    ss_pen_fill_keep(p->to);
    return true;
}

static bool play_STROKE(player *p)
{
    ss_pen_stroke(p->to);
    return true;
}

static bool play_CLIP(player *p)
{
    ss_pen_clip(p->to);
    return true;
}

static bool play_SAVE(player *p)
{
    if (p->depth == SS_PLAY_DEPTH)
        return false;
    p->depth++;
    ss_pen_save(p->to);
    return true;
}

static bool play_RESTORE(player *p)
{
    if (p->depth == 0)
        return false;
    p->depth--;
    ss_pen_restore(p->to);
    return true;
}

/* Points in groups: a stream may have any number of them. A group begins with the last point of the
 * one before. */
static bool play_CURVE(player *p)
{
    enum { AT_ONCE = 4096 };
    const ss_pen_box within = {p->v[0], p->v[1], p->v[2], p->v[3]};
    int left = (int)p->v[4], n = 0;
    ss_xy at[AT_ONCE];
    if (left < 2 || !has(p, 4 * (size_t)left))
        return false;
    while (left-- > 0) {
        at[n].x = take_length(p);
        at[n++].y = take_length(p);
        if (n < AT_ONCE && left > 0)
            continue;
        ss_pen_curve(p->to, &within, at, n);
        at[0] = at[n - 1];
        n = 1;
    }
    return true;
}

static bool play_TEXT(player *p)
{
    char text[SS_PEN_TEXT];
    size_t n = (size_t)p->v[5], at = 0;
    int flags = (int)p->v[4];
    if (n == 0 || flags >= SS_TEXT_FLAGS || p->v[2] > SS_FONT_PIXELS || !has(p, n))
        return false;
    memcpy(text, p->at, n);
    text[n] = '\0';
    p->at += n;
    while (at < n) { /* valid, and nothing that is no text */
        int bytes = ss_utf8_length(text + at, n - at);
        if (bytes == 0 || (unsigned char)text[at] < ' ')
            return false;
        at += (size_t)bytes;
    }
    const ss_font font = {p->v[2], flags & SS_TEXT_MONO, flags & SS_TEXT_BOLD};
    const ss_pen_text t = {p->v[0], p->v[1], 0, 1e9, font, text};
    ss_pen_text_draw(p->to, &t);
    return true;
}

static bool play_PALETTE(player *p)
{
    int n = (int)p->v[0] + 1;
    if (!has(p, 3 * (size_t)n))
        return false;
    for (int i = 0; i < n; i++)
        p->palette[i] = take_color(p);
    for (int i = n; i < SS_PEN_LEVELS; i++)
        p->palette[i] = p->palette[n - 1];
    p->has_palette = true;
    return true;
}

typedef struct cells {
    const uint8_t *level;
    int cols;
} cells;

static void levels_of(const void *from, int row, uint16_t *level)
{
    const cells *c = from;
    for (int x = 0; x < c->cols; x++)
        level[x] = c->level[(size_t)row * (size_t)c->cols + (size_t)x];
}

/* Whole pixels. */
static bool play_IMAGE(player *p)
{
    ss_pen_image im = {.x = (int)p->v[0],
                       .y = (int)p->v[1],
                       .w = (int)p->v[2],
                       .h = (int)p->v[3],
                       .cols = (int)p->v[4],
                       .rows = (int)p->v[5]};
    size_t rows = (size_t)im.rows, n = rows * (size_t)im.cols;
    int flags = (int)p->v[6];
    bool hatched = flags & SS_IMAGE_HATCH;
    if (flags >= SS_IMAGE_FLAGS || !p->has_palette || im.w < 1 || im.h < 1 ||
        !has(p, n + (hatched ? 4 + rows : 0)))
        return false;
    im.smooth = flags & SS_IMAGE_SMOOTH;
    if (hatched) {
        im.hatch = take_color(p);
        im.hatch_row = *p->at++ % SS_PEN_HATCH;
        im.unseen = p->at;
        p->at += rows;
    }
    const cells c = {p->at, im.cols};
    im.levels = levels_of, im.cells = &c;
    memcpy(im.palette, p->palette, sizeof im.palette);
    p->at += n;
    ss_pen_image_draw(p->to, &im);
    return true;
}

/* --- streams ---------------------------------------------------------------------------------- */

#define ROW(name, list) {#name, list, play_##name},
static const struct row {
    const char *name, *arguments;
    bool (*play)(player *p);
} rows[SS_NOP] = {SS_OPS(ROW)};
#undef ROW

static bool play_one(player *p, const struct row *r)
{
    const char *kind = r->arguments;
    for (int i = 0; kind[i]; i++)
        if (!take_argument(p, kind[i], &p->v[i]))
            return false;
    return r->play(p);
}

static int play_all(player *p, const uint8_t *data, ss_err *err)
{
    while (p->at < p->end) {
        size_t where = (size_t)(p->at - data);
        int op = *p->at++;
        if (op >= SS_NOP)
            return ss_fail(err, "byte %zu of a drawing: there is no operation %d", where, op);
        if (!play_one(p, &rows[op]))
            return ss_fail(err, "byte %zu of a drawing: %s is incomplete or not allowed", where,
                           rows[op].name);
    }
    return p->depth == 0 ? SS_OK : ss_fail(err, "a drawing ends within a saved state");
}

int ss_bytes_play(const uint8_t *data, size_t n, ss_pen *to, ss_err *err)
{
    player p = {.at = data, .end = data + n, .to = to};
    int status = play_all(&p, data, err);
    for (; p.depth > 0; p.depth--)
        ss_pen_restore(to);
    return status;
}
