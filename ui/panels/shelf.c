/* The list of lessons over the screen: titles, progress, and the opening paragraph of the chosen
 * one. Called by screen.c. See build.h, src/snapshot/shelf.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

enum { SUMMARY_ROWS = 4 };

static void item(const ss_build *b, int i, ss_rect row)
{
    const ss_shelf_item *it = &b->ui->shelf->item[i];
    bool on = i == b->ui->shelved;
    ss_theme_role role = on ? SS_C_ACCENT : SS_C_TEXT;
    if (on) {
        ss_scene_add(b->s, SS_I_FILL, row, SS_C_SHADE);
        ss_scene_text(b->s, row.x + 1, row.y, 1, SS_C_ACCENT, SS_BOLD, "▸");
    }
    ss_scene_text(b->s, row.x + 3, row.y, 3, SS_C_DIM, SS_FIGURE, it->number);
    ss_scene_text_right(b->s, row.x + row.w - 2, row.y, 12, SS_C_SERIES2, SS_FIGURE, it->progress);
    ss_scene_text(b->s, row.x + 7, row.y, row.w - 22, role, on ? SS_BOLD : 0, it->title);
    ss_scene_hit(b->s, SS_H_SHELF, row, NULL, i);
}

void ss_build_shelf(const ss_build *b)
{
    const ss_shelf *shelf = b->ui->shelf;
    if (!shelf)
        return;
    ss_rect r = ss_build_centred(b, 78, shelf->n + SUMMARY_ROWS + 3 + b->l->head);
    ss_build_popup(b, r, "Lessons");
    ss_build_corner(b, r, r.x + 12, "enter opens · tab: presets · esc goes on");
    int top = r.y + b->l->head, room = r.h - b->l->head - 2 - SUMMARY_ROWS;
    int first = b->ui->shelved >= room ? b->ui->shelved - room + 1 : 0;
    for (int i = first; i < shelf->n && i < first + room; i++)
        item(b, i, (ss_rect){r.x + 1, top + i - first, r.w - 2, 1});
    if (b->ui->shelved < shelf->n)
        ss_build_wrap(b, (ss_rect){r.x + 4, r.y + r.h - 1 - SUMMARY_ROWS, r.w - 8, SUMMARY_ROWS},
                      SS_C_DIM, shelf->item[b->ui->shelved].summary);
}
