/* The command line at the bottom of the screen. Called by screen.c; ui/view/prompt.c handles its
 * input. See build.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

/* Of a line that is too long the end is shown; it is ASCII, one column per byte. */
void ss_build_prompt(const ss_build *b)
{
    const ss_prompt *p = &b->ui->prompt;
    ss_rect r = b->l->panel[SS_PANEL_MESSAGE];
    char text[SS_PROMPT_MAX + 8];
    int room = r.w - 4, n = (int)strlen(p->line), from = n > room ? n - room : 0;
    snprintf(text, sizeof text, ":%s▏", p->line + from);
    int w = ss_scene_text(b->s, r.x + 1, r.y, r.w - 2, SS_C_ACCENT, SS_FIGURE, text) + 2;
    if (w < r.w - 2)
        ss_scene_text(b->s, r.x + 1 + w, r.y, r.w - 2 - w, SS_C_DIM, 0, p->offer);
}
