/* The panel that shows the command line of the present state, or why there is none. Called by
 * screen.c; the verb is in ui/view/copy.c. See build.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

/* Breaks the line at any character, so that a user can copy all of it from the screen. */
static int put_lines(const ss_build *b, ss_rect r, const char *text)
{
    int lines = 0;
    char line[256];
    for (size_t at = 0, n = strlen(text); at < n && lines < r.h; at += (size_t)r.w, lines++) {
        snprintf(line, sizeof line, "%.*s", r.w < 255 ? r.w : 255, text + at);
        ss_scene_text(b->s, r.x, r.y + lines, r.w, SS_C_TEXT, 0, line);
    }
    return lines;
}

static void offer(const ss_build *b, ss_rect r)
{
    char text[320], name[128];
    ss_copy_session(b->snap, name, sizeof name);
    int y = r.y + ss_build_wrap(b, r, SS_C_TEXT, "No single command line leads to this state:");
    ss_rect why = {r.x, y, r.w, r.h - 1};
    y += ss_build_wrap(b, why, SS_C_ACCENT, b->ui->copy.why) + 1;
    snprintf(text, sizeof text,
             "s saves the session as %s, and copies the line that plays it again.", name);
    ss_build_wrap(b, (ss_rect){r.x, y, r.w, r.y + r.h - y}, SS_C_DIM, text);
}

void ss_build_copy(const ss_build *b)
{
    const ss_copy *c = &b->ui->copy;
    int w = b->s->cols - 6 < 110 ? b->s->cols - 6 : 110, inner = w - 4;
    int lines = c->why ? 5 : ((int)strlen(c->text) + inner - 1) / inner;
    int edges = b->l->head + 1;
    int h = lines + edges < b->s->rows - 4 ? lines + edges : b->s->rows - 4;
    ss_rect r = {(b->s->cols - w) / 2, (b->s->rows - h) / 2, w, h};
    ss_rect text = {r.x + 2, r.y + b->l->head, inner, h - edges};
    if (inner < 8 || text.h < 1)
        return;
    ss_build_popup(b, r, "This state as a command");
    ss_build_corner(b, r, r.x + 28,
                    c->why    ? "nothing copied"
                    : c->done ? "copied to the clipboard"
                              : "no clipboard here");
    if (c->why)
        offer(b, text);
    else
        put_lines(b, text, c->text);
}
