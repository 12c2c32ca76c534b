/* The explanation of the item under a resting mouse: a control's help and range, the meaning of
 * a name or a key. For front ends that send SS_EV_HOVER. See build.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "src/base/common.h"
#include "ui/panels/build.h"
#include "ui/scene/place.h"

static const char *control_text(const ss_build *b, int index)
{
    if (index < 0 || index >= b->snap->ncontrol)
        return "";
    const ss_control *c = &b->snap->control[index];
    const char *key = c->row->key;
    return ss_text("%s%s%s", c->row->help,
                   key ? ss_text(" · keys %c and %c", key[0], key[0] - 'a' + 'A') : "",
                   *c->why ? ss_text(" · %.6g to %.6g (%s)", c->lo, c->hi, c->why) : "");
}

/* The help of a choice. */
static const char *choice_text(const ss_build *b, const char *command)
{
    char name[40], word[40];
    if (sscanf(command, "set %39s %39s", name, word) != 2)
        return "";
    for (int i = 0; i < b->snap->ncontrol; i++) {
        const ss_param *row = b->snap->control[i].row;
        for (int k = 0; strcmp(row->name, name) == 0 && row->choice_help && row->choices[k]; k++)
            if (strcmp(row->choices[k], word) == 0)
                return row->choice_help[k];
    }
    return "";
}

/* The help of the key with the same command, or of the layer or choice. */
static const char *command_text(const ss_build *b, const char *command)
{
    static const char layer[] = "view layer ";
    for (const ss_key *k = ss_keys; k->key; k++)
        if (strcmp(k->command, command) == 0 && (k->help || k->label))
            return ss_key_help(k) ? ss_key_help(k) : k->label;
    for (int i = 0; strncmp(command, layer, strlen(layer)) == 0 && i < SS_NLAYER; i++)
        if (strcmp(ss_layer_labels[i].name, command + strlen(layer)) == 0)
            return ss_layer_help(b->snap, (ss_layer)i);
    return choice_text(b, command);
}

/* --- what it says ----------------------------------------------------------------------------- */

/* The piece of a border that the mouse rests on. */
static void border_place(const ss_build *b, ss_rect *border)
{
    if (border->w > border->h)
        border->x = (int)b->ui->tip_x, border->w = 1;
    else
        border->y = (int)b->ui->tip_y, border->h = 1;
}

/* Of the item under the mouse; *clear: its place, which the tip does not cover. */
static const char *text_of(const ss_build *b, const ss_hit *h, ss_rect *clear)
{
    *clear = h->rect;
    switch (h->kind) {
    case SS_H_SLIDER:
    case SS_H_CONTROL:
        return control_text(b, h->index);
    case SS_H_COMMAND:
        return command_text(b, h->command);
    case SS_H_STRIP:
        return "drag: return to that cycle; with shift, or with the right button: film that span";
    case SS_H_GUTTER:
        border_place(b, clear);
        return "drag moves the border · ctrl-r: usual panels";
    case SS_H_WORDS:
        return h->command;
    case SS_H_TABLE: {
        int cell = ss_map_cell_under(b->ui, h, b->ui->tip_x, b->ui->tip_y, clear);
        return cell >= 0 ? ss_map_cell_words(b, cell) : "";
    }
    default:
        return "";
    }
}

/* --- where it stands -------------------------------------------------------------------------- */

static bool overlap(ss_rect a, ss_rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool is_control(const ss_hit *h)
{
    return h->kind == SS_H_SLIDER || h->kind == SS_H_CONTROL;
}

/* Does it hide numbers beside or below the data of a chart, or along the edge of a picture? */
static bool hides_ticks(const ss_item *it, ss_rect r)
{
    if (it->kind == SS_I_EDGE)
        return overlap(r, it->rect);
    if (it->kind != SS_I_CHART)
        return false;
    ss_rect all = it->rect, data = ss_chart_data(it->chart, all);
    ss_rect left = {all.x, all.y, data.x - all.x, all.h};
    ss_rect below = {all.x, data.y + data.h, all.w, all.y + all.h - data.y - data.h};
    return overlap(r, left) || overlap(r, below);
}

/* The things it would cover: what it explains counts most, then what can be pressed, the titles of
 * panels and the numbers of axes. */
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
            n += own ? OWN : 2;
    }
    for (int i = 0; i < b->s->nitem; i++)
        n += hides_ticks(&b->s->item[i], r);
    return n;
}

/* The place that covers least so far, the first of several; least < 0: none. */
typedef struct search {
    const ss_build *b;
    const ss_hit *about;
    ss_rect clear, best;
    int least;
} search;

static void consider(search *s, ss_rect r)
{
    const ss_scene *scene = s->b->s;
    if (r.x < 0 || r.y < 0 || r.x + r.w > scene->cols || r.y + r.h > scene->rows)
        return;
    int covers = covered(s->b, s->about, s->clear, r);
    if (s->least < 0 || covers < s->least)
        s->least = covers, s->best = r;
}

/* Beside the pointer if it covers nothing there; else below the item, below its next row, which may
 * be a title, below a legend, above, at the right or the left of the item; else where it covers
 * least. Below and above it begins beside the pointer, or as far to the left as is needed until it
 * ends there. False: there is no room. */
static bool place(const ss_build *b, const ss_hit *about, ss_rect clear, int w, int h, ss_rect *out)
{
    enum { ROWS = 4 };
    int x = (int)b->ui->tip_x, y = (int)b->ui->tip_y, below = clear.y + clear.h;
    const int rows[ROWS] = {below, below + 1, below + 2, clear.y - h};
    search s = {b, about, clear, {0}, -1};
    consider(&s, (ss_rect){ss_clamp(x + 1, 0, b->s->cols > w ? b->s->cols - w : 0), y + 1, w, h});
    for (int i = 0; i < ROWS; i++)
        for (int left = x + 3; left >= x - w; left--)
            consider(&s, (ss_rect){left, rows[i], w, h});
    consider(&s, (ss_rect){clear.x + clear.w + 1, y, w, h});
    consider(&s, (ss_rect){clear.x - w - 1, y, w, h});
    *out = s.best;
    return s.least >= 0;
}

/* The columns of a text in a proportional font, in the wider ones of those in use. */
static int proportional(const char *text)
{
    static const struct {
        const char *letters;
        int percent; /* of a column */
    } widths[] = {{" .,:;'|-()ijlI", 42}, {"frt", 53}, {"mwMW%", 127}};
    int sum = 0;
    for (const char *c = text; *c; c++) {
        int percent = 80;
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            percent = strchr(widths[i].letters, *c) ? widths[i].percent : percent;
        sum += (*c & 0xc0) == 0x80 ? 0 : percent; /* a further byte of a character */
    }
    return (sum + 99) / 100;
}

void ss_build_tip(const ss_build *b)
{
    enum { WIDE = 44, LINES = 6 };
    const ss_hit *h = b->ui->tip ? ss_scene_at(b->s, b->ui->tip_x, b->ui->tip_y) : NULL;
    ss_rect clear, r;
    const char *text = h ? text_of(b, h, &clear) : "";
    if (!*text)
        return;
    bool roomy = b->l->head > 1; /* proportional text is narrower than its cells: by a fifth */
    int w = ss_text_width(text), most = ss_min(WIDE, b->s->cols - 4), lines = 0;
    int wide = 0;
    w = ss_min(w, roomy ? most * 5 / 4 : most);
    for (const char *rest = text; *rest && lines < LINES; lines++) {
        const char *line = ss_build_line(&rest, w);
        int columns = roomy ? proportional(line) : ss_text_width(line);
        wide = columns > wide ? columns : wide;
    }
    if (!place(b, h, clear, wide + 2 * b->l->side, lines + (roomy ? 1 : 2), &r))
        return;
    bool left = lines == 1 && r.x + r.w <= (int)b->ui->tip_x; /* of the pointer, and close to it */
    ss_build_box(b, r, text, w, wide, SS_FIT | (left ? SS_RIGHT : 0));
}
