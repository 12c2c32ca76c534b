/* SGR sequences, cursor moves and UTF-8: see ansi.h. */
#include "ui/cells/ansi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL_BYTES 96 /* upper bound per cell */

static bool reserve(ss_ansi *a, size_t n)
{
    if (a->used + n <= a->room)
        return true;
    size_t more = 2 * a->room + n + 65536;
    char *p = realloc(a->text, more);
    if (!p)
        return false;
    a->text = p;
    a->room = more;
    return true;
}

static void put_char(ss_ansi *a, uint32_t ch)
{
    a->used += (size_t)ss_utf8_put(a->text + a->used, ch);
}

static void put_color(ss_ansi *a, int which, ss_rgb c)
{
    a->used += (size_t)sprintf(a->text + a->used, "\033[%d;2;%u;%u;%um", which, c >> 16 & 255,
                               c >> 8 & 255, c & 255);
}

static void put_attr(ss_ansi *a, uint32_t attr)
{
    a->used += (size_t)sprintf(a->text + a->used, "\033[0%s%s%sm", attr & SS_BOLD ? ";1" : "",
                               attr & SS_UNDERLINE ? ";4" : "", attr & SS_REVERSE ? ";7" : "");
}

bool ss_ansi_update(ss_ansi *a, const ss_term_cells *want, ss_term_cells *have, bool all)
{
    ss_term_cell now = {.fg = 0xff000000, .bg = 0xff000000, .attr = 0xff};
    int at = -1, cols = want->cols;
    a->used = 0;
    for (int i = 0; i < cols * want->rows; i++) {
        const ss_term_cell *c = &want->cell[i];
        if (!all && memcmp(c, &have->cell[i], sizeof *c) == 0)
            continue;
        if (c->ch == SS_CELL_TAIL) { /* drawn with the character before it */
            have->cell[i] = *c;
            continue;
        }
        if (!reserve(a, CELL_BYTES))
            return false;
        if (i != at || i % cols == 0)
            a->used +=
                (size_t)sprintf(a->text + a->used, "\033[%d;%dH", i / cols + 1, i % cols + 1);
        if (c->attr != now.attr) {
            put_attr(a, c->attr);
            now.fg = now.bg = 0xff000000;
        }
        if (c->fg != now.fg)
            put_color(a, 38, c->fg);
        if (c->bg != now.bg)
            put_color(a, 48, c->bg);
        put_char(a, c->ch);
        if (c->mark)
            put_char(a, c->mark);
        have->cell[i] = now = *c;
        at = c->mark || ss_char_width(c->ch) != 1 ? -1 : i + 1; /* else the terminal decides */
    }
    if (a->used && reserve(a, CELL_BYTES))
        a->used += (size_t)sprintf(a->text + a->used, "\033[0m");
    return true;
}

void ss_ansi_free(ss_ansi *a)
{
    free(a->text);
    *a = (ss_ansi){0};
}
