/* Keys and words for the page beside the run: it folds, scrolls, takes an answer. events.c and
 * words.c call it. See state.h, src/snapshot/page.h. Main thread only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

ss_page_place ss_page_place_of(const ss_ui *ui)
{
    return !ui->page || ui->in_order || ui->map.open ? SS_PAGE_NONE
           : ui->page_folded                         ? SS_PAGE_FOLDED
                                                     : SS_PAGE_BESIDE;
}

bool ss_page_awaits(const ss_ui *ui)
{
    return ui->page && ui->page->asks != SS_ASKS_NOTHING;
}

void ss_page_word(ss_ui *ui, const char *arg, const ss_snapshot *snap)
{
    (void)snap;
    if (strcmp(arg, "fold") == 0)
        ui->page_folded = !ui->page_folded;
    else
        ui->page_scroll += atoi(arg);
}

/* A number that is asked for begins with its first character. */
static const char *begin_answer(ss_ui *ui, const char *key)
{
    static const char starts[] = "-.0123456789";
    if (!strchr(starts, key[0]) || key[1])
        return NULL;
    ui->typing = ui->answering = true;
    snprintf(ui->entry, sizeof ui->entry, "%s", key);
    return "page 0";
}

const char *ss_page_key(ss_ui *ui, const char *key)
{
    const ss_page *p = ui->page;
    if (!p || ui->typing)
        return NULL;
    const ss_key *k = NULL;
    bool free = !ui->brush.on;
    if (free && p->asks == SS_ASKS_CHOICE)
        k = ss_key_find(SS_K_ANSWER, key);
    if (free && p->asks == SS_ASKS_NUMBER && begin_answer(ui, key))
        return "page 0";
    if (!k)
        k = ss_key_find(SS_K_PAGE, key);
    return k ? k->command : NULL;
}
