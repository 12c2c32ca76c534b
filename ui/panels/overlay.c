/* The overlays: help (from the key table, the parameter rows and the verbs) and the picker of
 * presets. See build.h. Main thread only. */
#include <stdio.h>

#include "ui/panels/build.h"

ss_rect ss_build_centred(const ss_build *b, int w, int h)
{
    int top = b->l->head, room = b->s->rows - 2 - top;
    w = w > b->s->cols - 2 ? b->s->cols - 2 : w;
    h = h > room ? room : h;
    return (ss_rect){(b->s->cols - w) / 2, top + (room - h) / 2, w, h};
}

/* --- help ------------------------------------------------------------------------------------- */

typedef struct help_line {
    char left[64], right[128];
    bool heading;
} help_line;

enum { HELP_MAX = 160 };

static help_line *add(help_line *lines, int *n, bool heading)
{
    help_line *l = &lines[*n < HELP_MAX ? (*n)++ : HELP_MAX - 1];
    *l = (help_line){.heading = heading};
    return l;
}

static void heading(help_line *lines, int *n, const char *text)
{
    if (*n)
        add(lines, n, false);
    snprintf(add(lines, n, true)->left, sizeof lines->left, "%s", text);
}

static void keys_of(ss_key_context context, help_line *lines, int *n)
{
    char key[24];
    for (const ss_key *k = ss_keys; k->key; k++) {
        if (k->context != context || !ss_key_help(k))
            continue;
        help_line *l = add(lines, n, false);
        snprintf(l->left, sizeof l->left, "%s", ss_key_text(k->key, key, sizeof key));
        snprintf(l->right, sizeof l->right, "%s", ss_key_help(k));
    }
}

static int help_lines(const ss_build *b, help_line *lines)
{
    int n = 0;
    if (b->ui->map.open) {
        heading(lines, &n, "Keys on the map");
        keys_of(SS_K_MAP, lines, &n);
    }
    heading(lines, &n, b->ui->map.open ? "Keys of the run" : "Keys");
    keys_of(SS_K_MAIN, lines, &n);
    if (b->ui->page) {
        heading(lines, &n, "Keys of the lesson");
        keys_of(SS_K_PAGE, lines, &n);
    }
    heading(lines, &n, "Turn while it runs");
    for (int i = 0; i < b->snap->ncontrol; i++) {
        const ss_param *row = b->snap->control[i].row;
        help_line *l = add(lines, &n, false);
        if (row->key)
            snprintf(l->left, sizeof l->left, "%c/%c", row->key[0], row->key[0] - 'a' + 'A');
        snprintf(l->right, sizeof l->right, "%s: %s", row->name, row->help);
    }
    const char *label, *words;
    heading(lines, &n, "Cost of one cycle");
    for (int i = 0; ss_cost_help(b->snap, i, &label, &words); i++)
        snprintf(add(lines, &n, false)->right, sizeof lines->right, "%s: %s", label, words);
    if (b->ui->nbinding)
        heading(lines, &n, "Your own keys");
    for (int i = 0; i < b->ui->nbinding; i++) {
        help_line *l = add(lines, &n, false);
        snprintf(l->left, sizeof l->left, "%s", b->ui->binding[i].key);
        snprintf(l->right, sizeof l->right, "%.100s", b->ui->binding[i].command);
    }
    heading(lines, &n, "Commands: after :, in -e, in run files, in bind");
    for (const ss_verb *v = ss_verbs; v < ss_verbs + SS_NVERB; v++) {
        if (!ss_verb_is_listed(v))
            continue;
        char text[300];
        help_line *l = add(lines, &n, false);
        snprintf(l->left, sizeof l->left, "%s", v->name);
        snprintf(l->right, sizeof l->right, "%.40s%s%.80s", v->args, *v->args ? ": " : "",
                 ss_verb_text(v, text, sizeof text));
    }
    return n;
}

void ss_build_help(const ss_build *b)
{
    static help_line lines[HELP_MAX];
    int n = help_lines(b, lines), columns = b->s->cols >= 150 ? 2 : 1;
    ss_rect r =
        ss_build_centred(b, columns == 2 ? 146 : 78, (n + columns - 1) / columns + 1 + b->l->head);
    int per = r.h - b->l->head - 1, shown = per * columns, most = n > shown ? n - shown : 0;
    int first = b->ui->scroll > most ? most : b->ui->scroll < 0 ? 0 : b->ui->scroll;
    char corner[48];
    b->ui->scroll = first;
    ss_build_frame(b, r, "Help");
    if (most)
        snprintf(corner, sizeof corner, "lines %d to %d of %d", first + 1, first + shown, n);
    else
        snprintf(corner, sizeof corner, "esc closes");
    ss_build_corner(b, r, r.x + 8, corner);
    for (int i = 0; i < shown && first + i < n; i++) {
        const help_line *l = &lines[first + i];
        int w = (r.w - 4) / columns, x = r.x + 3 + i / per * w, y = r.y + b->l->head + i % per;
        ss_scene_text(b->s, x, y, l->heading ? w - 2 : 10, l->heading ? SS_C_TEXT : SS_C_ACCENT,
                      SS_BOLD | (l->heading ? 0 : SS_FIGURE), l->left);
        ss_scene_text(b->s, x + 12, y, w - 14, SS_C_DIM, 0, l->right);
    }
}

/* --- presets ---------------------------------------------------------------------------------- */

void ss_build_picker(const ss_build *b)
{
    const ss_ui *ui = b->ui;
    int pitch = b->s->rows >= 2 * ui->npreset + 9 ? 2 : 1;
    ss_rect r = ss_build_centred(b, 96, ui->npreset * pitch + 4 + b->l->head);
    ss_build_frame(b, r, "What would you like to see?");
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
        char line[200];
        snprintf(line, sizeof line, "%.150s", ui->preset[ui->picked].commands);
        ss_scene_text(b->s, r.x + 4, r.y + r.h - 2, r.w - 6, SS_C_FAINT, SS_FIGURE, line);
    }
}
