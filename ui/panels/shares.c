/* Where the time of a cycle goes on each of several devices: two bars per device, one per stream,
 * on one linear axis from the begin of the cycle. See build.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

enum { LABEL = 13, TIME = 9 }; /* columns left and right of the bars */

/* n blocks of one colour; returns the column after them. */
static int blocks(const ss_build *b, int x, int y, int n, ss_theme_role role)
{
    char text[512] = "";
    for (int i = 0; i < n && strlen(text) + 4 < sizeof text; i++)
        strcat(text, "█");
    if (n > 0)
        ss_scene_text(b->s, x, y, n, role, 0, text);
    return x + (n > 0 ? n : 0);
}

/* Columns of a time; times that are not zero have at least one. */
static int columns(double seconds, double longest, int width)
{
    int n = (int)(seconds / longest * width + 0.5);
    return n > 0 || seconds <= 0 ? n : 1;
}

static void label(const ss_build *b, ss_rect in, int y, const char *name, const char *help,
                  double seconds)
{
    char text[32];
    ss_format_si(seconds, "s", text, sizeof text);
    ss_scene_text(b->s, in.x, y, LABEL - 1, SS_C_DIM, 0, name);
    ss_scene_text_right(b->s, in.x + in.w, y, TIME - 1, SS_C_TEXT, SS_FIGURE, text);
    ss_scene_hit(b->s, SS_H_WORDS, (ss_rect){in.x, y, in.w, 1}, help, 0);
}

static double cycle_of(const ss_share *s)
{
    double outer = s->edge + s->exchange, inner = s->interior + s->wait;
    return outer > inner ? outer : inner;
}

static void device(const ss_build *b, ss_rect in, int y, const ss_share *s, double longest)
{
    int width = in.w - LABEL - TIME, x = in.x + LABEL;
    char name[32];
    snprintf(name, sizeof name, "%d interior", s->device);
    label(b, in, y, name, "the rows that no other device needs; then the device waits",
          s->interior);
    int end = blocks(b, x, y, columns(s->interior, longest, width), SS_C_SERIES1);
    int wait = columns(s->wait, longest, width), room = x + width - end;
    blocks(b, end, y, wait < room ? wait : room, SS_C_FAINT);
    label(b, in, y + 1, "  edge, halo",
          "the rows that a neighbour needs, computed first; then the halo from the neighbours",
          s->edge + s->exchange);
    end = blocks(b, x, y + 1, columns(s->edge, longest, width), SS_C_SERIES2);
    blocks(b, end, y + 1, columns(s->exchange, longest, width), SS_C_SERIES3);
}

int ss_build_shares(const ss_build *b, ss_rect in, int y)
{
    static const struct {
        const char *name;
        ss_theme_role role;
    } legend[] = {{"interior", SS_C_SERIES1},
                  {"edge", SS_C_SERIES2},
                  {"exchange", SS_C_SERIES3},
                  {"wait", SS_C_FAINT}};
    const ss_shares *s = &b->snap->shares;
    double longest = 0;
    int x = in.x + 17, rows = 1 + 2 * s->count;
    if (s->count == 0 || y + rows > in.y + in.h || in.w < LABEL + TIME + 10)
        return 0;
    for (int i = 0; i < s->count; i++)
        longest = cycle_of(&s->of[i]) > longest ? cycle_of(&s->of[i]) : longest;
    ss_scene_text(b->s, in.x, y, in.w, SS_C_TEXT, SS_BOLD, "Devices, a cycle");
    for (size_t i = 0; i < sizeof legend / sizeof *legend; i++) {
        ss_scene_text(b->s, x, y, in.x + in.w - x, legend[i].role, 0, legend[i].name);
        x += (int)strlen(legend[i].name) + 1;
    }
    for (int i = 0; i < s->count && longest > 0; i++)
        device(b, in, y + 1 + 2 * i, &s->of[i], longest);
    return rows + 1;
}
