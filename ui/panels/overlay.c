/* The picker of presets. See build.h. Main thread only. */
#include <stdio.h>

#include "ui/panels/build.h"

/* --- presets ---------------------------------------------------------------------------------- */

void ss_build_picker(const ss_build *b)
{
    const ss_ui *ui = b->ui;
    int pitch = b->s->rows >= 2 * ui->npreset + 9 ? 2 : 1;
    ss_rect r = ss_build_centred(b, 96, ui->npreset * pitch + 4 + b->l->head);
    ss_build_popup(b, r, "What would you like to see?");
    ss_build_corner(b, r, r.x + 32, "enter starts · esc goes on as it is");
    int top = r.y + 1 + b->l->head, room = (r.h - 2 - b->l->head) / pitch;
    int first = ui->picked >= room ? ui->picked - room + 1 : 0;
    for (int i = first; i < ui->npreset && i < first + room; i++) {
        const ss_preset *p = &ui->preset[i];
        int y = top + (i - first) * pitch;
        bool on = i == ui->picked;
        if (on)
            ss_scene_add(b->s, SS_I_FILL, (ss_rect){r.x + 1, y, r.w - 2, 1}, SS_C_SHADE);
        if (on)
            ss_scene_text(b->s, r.x + 2, y, 1, SS_C_ACCENT, SS_BOLD, "▸");
        ss_scene_text(b->s, r.x + 4, y, 26, on ? SS_C_ACCENT : SS_C_TEXT, on ? SS_BOLD : 0,
                      p->title);
        ss_scene_text(b->s, r.x + 31, y, r.w - 33, on ? SS_C_TEXT : SS_C_DIM, 0, p->help);
        ss_scene_hit(b->s, SS_H_PICK, (ss_rect){r.x + 1, y, r.w - 2, pitch}, NULL, i);
    }
    if (ui->picked < ui->npreset && r.h > 4) {
        const ss_preset *p = &ui->preset[ui->picked];
        bool cut = ss_text_width(p->help) > r.w - 33; /* above; here it is whole */
        ss_scene_text(b->s, r.x + 4, r.y + r.h - 2, r.w - 6, cut ? SS_C_TEXT : SS_C_FAINT,
                      cut ? 0 : SS_FIGURE, cut ? p->help : p->commands);
    }
}
