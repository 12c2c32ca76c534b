/* The command line at the bottom of the screen. Called by screen.c; ui/view/prompt.c handles its
 * input. See build.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

/* Of a line that is too long the end is shown. */
void ss_build_prompt(const ss_build *b)
{
    const ss_prompt *p = &b->ui->prompt;
    ss_rect r = b->l->panel[SS_PANEL_MESSAGE];
    char text[SS_PROMPT_MAX + 8];
    const char *shown = p->line;
    while (ss_text_width(shown) > r.w - 4)
        ss_utf8_next(&shown);
    snprintf(text, sizeof text, ":%s▏", shown);
    int w = ss_scene_text(b->s, r.x + 1, r.y, r.w - 2, SS_C_ACCENT, SS_FIGURE, text) + 2;
    if (w < r.w - 2)
        ss_scene_text(b->s, r.x + 1 + w, r.y, r.w - 2 - w, SS_C_DIM, 0, p->offer);
}
