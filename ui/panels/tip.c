/* The explanation of the item under a resting mouse: a control's help and range, the meaning of
 * a name or a key. For front ends that send SS_EV_HOVER. See build.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

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

void ss_build_tip(const ss_build *b)
{
    enum { WIDE = 44, LINES = 6 };
    const ss_hit *h = b->ui->tip ? ss_scene_at(b->s, b->ui->tip_x, b->ui->tip_y) : NULL;
    char text[320] = "";
    if (!h)
        return;
    if (h->kind == SS_H_SLIDER || h->kind == SS_H_CONTROL)
        control_text(b, h->index, text, sizeof text);
    if (h->kind == SS_H_COMMAND) {
        command_text(h->command, text, sizeof text);
        choice_text(b, h->command, text, sizeof text);
    }
    if (h->kind == SS_H_STRIP)
        snprintf(
            text, sizeof text,
            "drag: return to that cycle; with shift, or with the right button: film that span");
    if (h->kind == SS_H_GUTTER)
        snprintf(text, sizeof text, "drag: the sizes of the panels; ctrl-r: as usual");
    if (h->kind == SS_H_WORDS)
        snprintf(text, sizeof text, "%s", h->command);
    if (!*text)
        return;
    int w = ss_text_width(text) < WIDE ? ss_text_width(text) : WIDE, first = b->s->nitem;
    w = w < b->s->cols - 4 ? w : b->s->cols - 4;
    int lines = ss_build_wrap(b, (ss_rect){0, 0, w, LINES}, SS_C_TEXT, text);
    b->s->nitem = first;         /* this pass only counts lines */
    bool roomy = b->l->head > 1; /* proportional text is narrower than its cells */
    int wide = roomy ? (w * 4 + 4) / 5 : w;
    ss_rect r = {(int)b->ui->tip_x + 1, (int)b->ui->tip_y + 1, wide + 2 * b->l->side,
                 lines + (roomy ? 1 : 2)};
    if (r.x + r.w > b->s->cols)
        r.x = b->s->cols - r.w;
    if (r.y + r.h > b->s->rows)
        r.y = (int)b->ui->tip_y - r.h;
    if (r.x < 0 || r.y < 0)
        return;
    ss_build_popup(b, r, "");
    first = b->s->nitem;
    ss_build_wrap(b, (ss_rect){r.x + b->l->side, r.y + !roomy, w, lines}, SS_C_TEXT, text);
    for (int i = first; i < b->s->nitem && roomy; i++) { /* centred vertically */
        b->s->item[i].rect.h = 2;
        b->s->item[i].rect.w = wide;
    }
}
