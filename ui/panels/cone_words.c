/* The sentences below the staleness cone: see cone.h. Main thread only. */
#include "ui/panels/cone.h"

#include <stdio.h>

#include "ui/panels/build.h"

/* How much shorter a sentence must be, as the panel is narrower. */
typedef enum brevity { FULL, SHORT, SHORTEST, NBREVITY } brevity;

/* After s subiterations. */
static int deepest(const ss_cone *c, int s)
{
    int deep = 0;
    for (int side = 0; side < 2; side++) {
        int depth = c->frozen[side] ? ss_cone_depth(c, s, side) : 0;
        deep = depth > deep ? depth : deep;
    }
    return deep;
}

/* "after 8 of 12 subiterations" */
static void when_text(const ss_cone *c, brevity how, char *buf, size_t size)
{
    snprintf(buf, size, "after %d of %d%s", c->now, c->k, how == FULL ? " subiterations" : "");
}

/* "stale 7 cells deep after 8 of 12 subiterations: 8 − 1" */
static void depth_text(const ss_cone *c, brevity how, char *buf, size_t size)
{
    int s = c->now, deep = deepest(c, s), bound = s > 0 ? s - 1 : 0;
    char why[48] = "", what[48], when[48];
    when_text(c, how, when, sizeof when);
    if (!c->wedge || s == 0)
        why[0] = '\0';
    else if (deep > bound)
        snprintf(why, sizeof why,
                 how == FULL ? ": halos above and below reach this row" : ", from y");
    else if (deep < bound)
        snprintf(why, sizeof why, ", at most %d", bound);
    else if (s == c->k)
        snprintf(why, sizeof why, ": k − 1");
    else
        snprintf(why, sizeof why, ": %d − 1", s);
    snprintf(what, sizeof what, how == SHORTEST ? "%d deep" : "stale %d cell%s deep", deep,
             deep == 1 ? "" : "s");
    snprintf(buf, size, "%s %s%s", what, when, why);
}

/* What the overlap does at the end of the cycle, on this row. */
static void overlap_text(const ss_cone *c, brevity how, char *buf, size_t size)
{
    int kept = c->span.whi - c->span.wlo, stale = ss_cone_kept(c, c->k), need = 2 * (c->k - 1);
    const char *sign = c->overlap < need ? "<" : c->overlap > need ? ">" : "=";
    if (!c->wedge) {
        snprintf(buf, size, "at the end %d of %d kept are stale", stale, kept);
        return;
    }
    const char *amber = c->overlap > 0 ? " (amber)" : "";
    if (how == SHORTEST) {
        if (stale > 0)
            snprintf(buf, size, "%d of %d kept end stale · overlap %d %s %d", stale, kept,
                     c->overlap, sign, need);
        else
            snprintf(buf, size, "all %d kept are exact · overlap %d %s %d", kept, c->overlap, sign,
                     need);
        return;
    }
    const char *what = how == FULL ? "kept are stale at the end" : "stale at the end";
    char overlap[64];
    snprintf(overlap, sizeof overlap, "overlap %d%s %s %s%d", c->overlap, amber, sign,
             how == FULL ? "2(k − 1) = " : "", need);
    if (stale > 0)
        snprintf(buf, size, "%s: %d of %d %s%s", overlap, stale, kept, what,
                 c->overlap < need ? "" : ", from y");
    else if (how == FULL)
        snprintf(buf, size, "%s%s: all %d kept are exact", overlap,
                 c->overlap < need ? ", yet" : "", kept);
    else
        snprintf(buf, size, "%s: all %d exact", overlap, kept);
}

void ss_cone_sentence(const ss_cone *c, ss_cone_words what, int most, char *buf, size_t size)
{
    static void (*const texts[])(const ss_cone *c, brevity how, char *buf, size_t size) = {
        [SS_CONE_DEPTH] = depth_text, [SS_CONE_OVERLAP] = overlap_text};
    int how = FULL;
    do
        texts[what](c, (brevity)how, buf, size);
    while (ss_text_width(buf) > most && ++how < NBREVITY);
    ss_build_drop_parts(buf, most);
}

void ss_cone_place(const ss_build *b, char *buf, size_t size)
{
    const ss_cone *c = &b->snap->cone;
    if (b->snap->dim == 1)
        snprintf(buf, size, "block %d · subiterations ↑", c->tile_x);
    else
        snprintf(buf, size, "block (%d, %d), row %d · subiterations ↑", c->tile_x, c->tile_y, c->y);
}
