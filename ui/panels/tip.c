/* The explanation of the item under a resting mouse: a control's help and range, the meaning of
 * a name or a key. For front ends that send SS_EV_HOVER. See build.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "src/base/numbers.h"
#include "ui/panels/map.h"

static void control_text(const ss_build *b, int index, char *buf, size_t size)
{
    if (index < 0 || index >= b->snap->ncontrol)
        return;
    const ss_control *c = &b->snap->control[index];
    const ss_param *row = c->row;
    int n = snprintf(buf, size, "%s", row->help);
    if (row->key)
        n += snprintf(buf + n, size - (size_t)n, " · keys %c and %c", row->key[0],
                      row->key[0] - 'a' + 'A');
    if (*c->why && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, " · %.6g to %.6g (%s)", c->lo, c->hi, c->why);
}

/* The help of the key with the same command, or of the layer or choice. */
static void command_text(const char *command, char *buf, size_t size)
{
    static const char layer[] = "view layer ";
    for (const ss_key *k = ss_keys; k->key; k++)
        if (strcmp(k->command, command) == 0 && (k->help || k->label)) {
            snprintf(buf, size, "%s", ss_key_help(k) ? ss_key_help(k) : k->label);
            return;
        }
    for (int i = 0; strncmp(command, layer, strlen(layer)) == 0 && i < SS_NLAYER; i++)
        if (strcmp(ss_layer_labels[i].name, command + strlen(layer)) == 0)
            snprintf(buf, size, "%s", ss_layer_labels[i].help);
}

static void choice_text(const ss_build *b, const char *command, char *buf, size_t size)
{
    char name[40], word[40];
    if (sscanf(command, "set %39s %39s", name, word) != 2)
        return;
    for (int i = 0; i < b->snap->ncontrol; i++) {
        const ss_param *row = b->snap->control[i].row;
        for (int k = 0; strcmp(row->name, name) == 0 && row->choice_help && row->choices[k]; k++)
            if (strcmp(row->choices[k], word) == 0)
                snprintf(buf, size, "%s", row->choice_help[k]);
    }
}

/* --- what it says ------------------------------------------------------------------------------
 */

static void strip_text(char *buf, size_t size)
{
    snprintf(buf, size,
             "drag: return to that cycle; with shift, or with the right button: film that span");
}

/* The piece of a border that the mouse rests on. */
static void border_place(const ss_build *b, ss_rect *border)
{
    if (border->w > border->h)
        border->x = (int)b->ui->tip_x, border->w = 1;
    else
        border->y = (int)b->ui->tip_y, border->h = 1;
}

/* Of the item under the mouse; *clear: its place, which the tip does not cover. */
static void text_of(const ss_build *b, const ss_hit *h, ss_rect *clear, char *buf, size_t size)
{
    int cell = -1;
    *clear = h->rect;
    if (h->kind == SS_H_SLIDER || h->kind == SS_H_CONTROL)
        control_text(b, h->index, buf, size);
    if (h->kind == SS_H_COMMAND) {
        command_text(h->command, buf, size);
        choice_text(b, h->command, buf, size);
    }
    if (h->kind == SS_H_STRIP)
        strip_text(buf, size);
    if (h->kind == SS_H_GUTTER) {
        snprintf(buf, size, "drag moves the border · ctrl-r: usual panels");
        border_place(b, clear);
    }
    if (h->kind == SS_H_WORDS)
        snprintf(buf, size, "%s", h->command);
    if (h->kind == SS_H_TABLE)
        cell = ss_map_cell_under(b->ui, h, b->ui->tip_x, b->ui->tip_y, clear);
    if (cell >= 0)
        ss_map_cell_words(b, cell, buf, size);
}

/* --- where it stands ---------------------------------------------------------------------------
 */

static bool overlap(ss_rect a, ss_rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool is_control(const ss_hit *h)
{
    return h->kind == SS_H_SLIDER || h->kind == SS_H_CONTROL;
}

/* The things it would cover: what it explains counts most, then what can be pressed and the titles
 * of panels. */
static int covered(const ss_build *b, const ss_hit *about, ss_rect clear, ss_rect r)
{
    enum { OWN = 1000 };
    static const bool counts[SS_NHIT] = {[SS_H_COMMAND] = true,
                                         [SS_H_SLIDER] = true,
                                         [SS_H_CONTROL] = true,
                                         [SS_H_PICK] = true,
                                         [SS_H_TITLE] = true};
    int n = overlap(r, clear) ? OWN : 0;
    for (int i = 0; i < b->s->nhit; i++) {
        const ss_hit *h = &b->s->hit[i];
        bool own = is_control(h) && is_control(about) && h->index == about->index;
        if (counts[h->kind] && overlap(r, h->rect))
            n += own ? OWN : 1;
    }
    return n;
}

static int between(int v, int lo, int hi)
{
    return v > hi ? (hi > lo ? hi : lo) : v < lo ? lo : v;
}

/* Beside the pointer if it covers nothing there; else below the item, below its next row, which may
 * be a title, above, at the right or the left of the item; else where it covers least. Below and
 * above it begins at the pointer, has it in the middle, or ends there. False: there is no room. */
static bool place(const ss_build *b, const ss_hit *about, ss_rect clear, int w, int h, ss_rect *out)
{
    enum { MOVED = 10, PLACES = 12 }; /* the first ones move sideways into the screen */
    int x = (int)b->ui->tip_x, y = (int)b->ui->tip_y, least = -1, n = 0;
    const int rows[] = {clear.y + clear.h, clear.y + clear.h + 1, clear.y - h};
    const int columns[] = {x + 1, x - w / 2, x - w};
    ss_rect at[PLACES];
    at[n++] = (ss_rect){x + 1, y + 1, w, h};
    for (int i = 0; i < 9; i++)
        at[n++] = (ss_rect){columns[i % 3], rows[i / 3], w, h};
    at[n++] = (ss_rect){clear.x + clear.w + 1, y, w, h};
    at[n++] = (ss_rect){clear.x - w - 1, y, w, h};
    for (int i = 0; i < PLACES; i++) {
        ss_rect r = at[i];
        if (i < MOVED)
            r.x = between(r.x, 0, b->s->cols - w);
        if (r.x < 0 || r.y < 0 || r.x + w > b->s->cols || r.y + h > b->s->rows)
            continue;
        int covers = covered(b, about, clear, r);
        if (least < 0 || covers < least)
            least = covers, *out = r;
    }
    return least >= 0;
}

void ss_build_tip(const ss_build *b)
{
    enum { WIDE = 44, LINES = 6 };
    const ss_hit *h = b->ui->tip ? ss_scene_at(b->s, b->ui->tip_x, b->ui->tip_y) : NULL;
    char text[480] = "";
    ss_rect clear, r;
    if (!h)
        return;
    text_of(b, h, &clear, text, sizeof text);
    if (!*text)
        return;
    bool roomy = b->l->head > 1; /* proportional text is narrower than its cells: by a fifth */
    int w = ss_text_width(text), most = ss_min(WIDE, b->s->cols - 4), first = b->s->nitem;
    w = ss_min(w, roomy ? most * 5 / 4 : most);
    int lines = ss_build_wrap(b, (ss_rect){0, 0, w, LINES}, SS_C_TEXT, text);
    b->s->nitem = first; /* this pass only counts lines */
    int wide = roomy ? (w * 4 + 4) / 5 : w;
    if (!place(b, h, clear, wide + 2 * b->l->side, lines + (roomy ? 1 : 2), &r))
        return;
    ss_build_popup(b, r, "");
    first = b->s->nitem;
    ss_build_wrap(b, (ss_rect){r.x + b->l->side, r.y + !roomy, w, lines}, SS_C_TEXT, text);
    for (int i = first; i < b->s->nitem && roomy; i++) { /* centred vertically */
        b->s->item[i].rect.h = 2;
        b->s->item[i].rect.w = wide;
    }
}
