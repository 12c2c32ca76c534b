/* Pages over the screen, called by screen.c. The help: the keys by task, gestures of the mouse,
 * controls, costs and commands, from the key table, the parameter rows and the verbs; wrapped, and
 * searched with /. The run's kernels: the facts of one, then its source with line numbers (the verb
 * is in ui/view/verbs.c). The command line of the present state, or why there is none (the verb is
 * in ui/view/copy.c). See build.h, src/base/text.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "src/base/text.h"
#include "ui/panels/build.h"
#include "ui/scene/text.h"

/* --- the command line ------------------------------------------------------------------------- */

/* The words of the panel, of a command and of a link. */
typedef struct copy_words {
    const char *title, *refused, *says;
} copy_words;

static const copy_words of_command = {"This state as a command", "no clipboard here", ""};
static const copy_words of_link = {
    "A link to this state", "the browser refused the clipboard",
    "Whoever opens the link sees this state, and goes on from here. It is also this page's "
    "address. Behind # it holds:"};
static const copy_words of_lesson = {
    "A link to this step", "the browser refused the clipboard",
    "Whoever opens the link begins this step of the lesson. It is also this page's address, and "
    "stands for:"};

static void offer(const ss_build *b, ss_rect r)
{
    char name[128];
    ss_copy_session(b->snap, name, sizeof name);
    ss_rect_top(&r, ss_build_wrap(b, r, SS_C_TEXT,
                                  b->ui->links ? "No link leads to this state:"
                                               : "No single command line leads to this state:"));
    ss_rect_top(&r, ss_build_wrap(b, r, SS_C_ACCENT, b->ui->copy.why) + 1);
    ss_build_wrap(
        b, r, SS_C_DIM,
        ss_text("s saves the session as %s, and copies the line that plays it again.", name));
}

void ss_build_copy(const ss_build *b)
{
    const ss_copy *c = &b->ui->copy;
    const copy_words *words = !b->ui->links ? &of_command : b->ui->page ? &of_lesson : &of_link;
    int w = ss_min(b->s->cols - 6, 110), inner = w - 4, edges = b->l->head + 1;
    int lines = c->why ? 5 : ss_build_lines(words->says, inner) + ss_build_lines(c->text, inner);
    int h = ss_min(lines + edges, b->s->rows - 4);
    ss_rect r = {(b->s->cols - w) / 2, (b->s->rows - h) / 2, w, h};
    ss_rect text = {r.x + 2, r.y + b->l->head, inner, h - edges};
    if (inner < 8 || text.h < 1)
        return;
    ss_build_popup(b, r, words->title);
    ss_build_corner(b, r, r.x + 28,
                    c->why    ? "nothing copied"
                    : c->done ? "copied to the clipboard"
                              : words->refused);
    if (c->why) {
        offer(b, text);
        return;
    }
    ss_rect_top(&text, ss_build_wrap(b, text, SS_C_DIM, words->says));
    ss_build_wrap(b, text, SS_C_TEXT, c->text);
}

/* --- the kernels ------------------------------------------------------------------------------ */

enum { NUMBER = 5 /* columns of a line's number */ };

/* The source, from line `first` on (from 1). */
typedef struct source {
    const char *text;
    int begin, end; /* lines [begin, end) are the kernel's */
    int lines;
    int first;
} source;

static source source_of(const ss_running_kernel *k)
{
    size_t begin = ss_kernel_begin(k->text, k->entry), end = ss_kernel_end(k->text, begin);
    return (source){.text = k->text,
                    .begin = ss_kernel_line(k->text, begin),
                    .end = ss_kernel_line(k->text, end),
                    .lines = ss_kernel_line(k->text, strlen(k->text)) - 1};
}

/* Keeps the scrolled line within the file. */
static void scroll(source *s, int *by)
{
    if (s->begin + *by > s->lines)
        *by = s->lines - s->begin;
    if (s->begin + *by < 1)
        *by = 1 - s->begin;
    s->first = s->begin + *by;
}

static const char *line_of(const source *s, int line)
{
    const char *at = s->text;
    while (line-- > 1 && at)
        at = strchr(at, '\n'), at += at != NULL;
    return at ? at : "";
}

/* One line, cut into rows at words. Returns its rows, at most r.h. */
static int put_line(const ss_build *b, ss_rect r, const char *line, int number, ss_theme_role role)
{
    const char *text = ss_text("%.*s", ss_min((int)strcspn(line, "\n"), 399), line);
    int rows = 0, blanks = (int)strspn(text, " "), indent = blanks < r.w / 2 ? blanks : 0;
    ss_scene_text_right(b->s, r.x + NUMBER - 1, r.y, NUMBER - 1, SS_C_FAINT, SS_FIGURE,
                        ss_text("%d", number));
    text += indent;
    do {
        int x = NUMBER + indent + (rows > 0 ? 4 : 0);
        const char *part = ss_build_line(&text, r.w - x);
        ss_scene_text(b->s, r.x + x, r.y + rows++, r.w - x, role, SS_FIGURE, part);
    } while (*text && rows < r.h);
    return rows;
}

static void put_source(const ss_build *b, ss_rect r, const source *s)
{
    const char *line = line_of(s, s->first);
    int number = s->first;
    for (int y = 0; y < r.h && *line; number++) {
        bool own = number >= s->begin && number < s->end;
        y += put_line(b, (ss_rect){r.x, r.y + y, r.w, r.h - y}, line, number,
                      own ? SS_C_TEXT : SS_C_DIM);
        line = strchr(line, '\n');
        line = line ? line + 1 : "";
    }
}

static void put_text(const ss_build *b, ss_rect *r, ss_theme_role role, const char *text)
{
    ss_rect_top(r, ss_build_wrap(b, *r, role, text));
}

static void put_facts(const ss_build *b, ss_rect *r, const ss_running_kernel *k)
{
    char facts[SS_KERNEL_FACTS][SS_KERNEL_FACT];
    int n = ss_kernel_facts_of(k, facts);
    for (int i = 0; i < n && r->h > 0; i++)
        put_text(b, r,
                 i == 0                       ? SS_C_ACCENT
                 : k->local > 0 && i == n - 2 ? SS_C_ERROR
                                              : SS_C_TEXT,
                 facts[i]);
}

/* The page hides the message line. */
static void put_edit(const ss_build *b, ss_rect *r, const ss_kernel_edit *edit)
{
    if (b->ui->message_is_error && *b->ui->message && !edit->failed)
        put_text(b, r, SS_C_ERROR, b->ui->message);
    if (!*edit->path)
        return;
    put_text(b, r, SS_C_ACCENT, ss_text("edit %s: each save is tried", edit->path));
    put_text(b, r, edit->failed ? SS_C_ERROR : SS_C_TEXT, edit->state);
}

static void put_kernel(const ss_build *b, ss_rect frame, ss_rect r)
{
    const ss_kernels *all = &b->snap->kernels;
    int i = b->ui->kernel < all->n ? b->ui->kernel : 0;
    const ss_running_kernel *k = &all->kernel[i];
    put_edit(b, &r, &all->edit);
    put_facts(b, &r, k);
    if (!k->text)
        return;
    source s = source_of(k);
    scroll(&s, &b->ui->scroll);
    ss_rect_top(&r, 1);
    put_source(b, r, &s);
    ss_build_corner_figures(b, frame, frame.x + 10,
                            ss_text("%d of %d · line %d of %d", i + 1, all->n, s.first, s.lines));
}

enum { SENTENCE = 3 /* rows for why there is no kernel */ };

void ss_build_kernels(const ss_build *b)
{
    const ss_kernels *all = &b->snap->kernels;
    int w = b->s->cols < 112 ? b->s->cols : 112, side = b->l->side, head = b->l->head;
    ss_rect frame = ss_build_centred(b, w, all->n > 0 ? b->s->rows : SENTENCE + head + 1);
    ss_rect r = {frame.x + side + 1, frame.y + head, frame.w - 2 * side - 2, frame.h - head - 1};
    ss_build_popup(b, frame, "Kernel");
    if (all->n > 0)
        put_kernel(b, frame, r);
    else if (all->why)
        ss_build_wrap(b, r, SS_C_TEXT, all->why);
}

/* --- the help --------------------------------------------------------------------------------- */

enum { ENTRIES = 224, ROWS = 512, LEFT = 12, MOST_USED = 5 };

/* A heading, or a name and its explanation. */
typedef struct entry {
    bool heading;
    char left[64], right[400];
} entry;

typedef struct help {
    const ss_build *b;
    entry entry[ENTRIES];
    int n;
} help;

static const char *const gestures[][2] = {
    {"click", "on a layer, an axis, a choice or a key below: the same as its key"},
    {"click", "on the field: look at that point; a drag moves it"},
    {"point", "in presets and lessons: the card below the mouse plays; a click opens it"},
    {"wheel", "on the field: zoom; a drag with the right button moves the view"},
    {"drag", "on a slider: the value follows, and u takes the whole drag back"},
    {"wheel", "on a control: a step; on a lesson or on this list: scroll"},
    {"move",
     "over a chart or a picture: the value there; panels with the same axis show the place"},
    {"wheel", "on a chart: less or more of its x axis"},
    {"drag", "on a chart: show that part of it; with the right button or shift, move; a double "
             "click shows all"},
    {"click", "on a point of a map's chart: the cursor goes to its cell"},
    {"click", "on the name of a curve in a chart: hide it, or show it again"},
    {"rest", "in a window, on a name or a key: its explanation"}};

/* --- the help: entries ------------------------------------------------------------------------ */

static void heading(help *h, const char *text)
{
    if (h->n > 0 && h->entry[h->n - 1].heading) /* nothing was found below the last one */
        h->n--;
    entry *e = &h->entry[h->n < ENTRIES ? h->n++ : ENTRIES - 1];
    *e = (entry){.heading = true};
    snprintf(e->left, sizeof e->left, "%s", text);
}

/* Left out unless it, or `more`, has the words that are searched for. */
static void add_found(help *h, const char *left, const char *right, const char *more)
{
    const char *find = h->b->ui->find;
    if (!ss_find_has(left, find) && !ss_find_has(right, find) && !ss_find_has(more, find))
        return;
    entry *e = &h->entry[h->n < ENTRIES ? h->n++ : ENTRIES - 1];
    e->heading = false;
    snprintf(e->left, sizeof e->left, "%s", left);
    snprintf(e->right, sizeof e->right, "%s", right);
}

static void add(help *h, const char *left, const char *right)
{
    add_found(h, left, right, right);
}

/* It is found by its label and its command, too. */
static void add_key(help *h, const ss_key *k)
{
    add_found(h, ss_key_text(k->key), ss_key_help(k), ss_text("%s, %s", k->label, k->command));
}

static bool is_helpful(const help *h, const ss_key *k)
{
    return ss_key_help(k) && ss_build_key_works(h->b, k);
}

static void keys_of(help *h, ss_key_context context, ss_task task)
{
    for (const ss_key *k = ss_keys; k->key; k++)
        if (k->context == context && k->task == task && is_helpful(h, k))
            add_key(h, k);
}

static void add_row(help *h, const ss_param *row)
{
    const char *k = row->key;
    add(h, k ? ss_text("%c/%c", k[0], k[0] - 'a' + 'A') : "",
        ss_text("%s: %s", row->name, row->help));
}

/* The keys of the footer's first ranks, and those of the controls. */
static void most_used(help *h)
{
    heading(h, "Most used");
    for (int rank = 1; rank <= MOST_USED; rank++)
        for (const ss_key *k = ss_keys; k->key; k++)
            if (k->context == SS_K_MAIN && k->footer == rank && is_helpful(h, k))
                add_key(h, k);
    for (int i = 0; i < h->b->snap->ncontrol; i++)
        if (h->b->snap->control[i].row->key)
            add_row(h, h->b->snap->control[i].row);
}

static void keys_by_task(help *h)
{
    const char *where = h->b->ui->map.open ? " (outside of the map)" : "";
    for (int task = SS_TASK_NONE + 1; task < SS_NTASK; task++) {
        heading(h, ss_text("%s%s", ss_task_names[task], where));
        keys_of(h, SS_K_MAIN, (ss_task)task);
    }
}

static void commands(help *h)
{
    char text[300];
    heading(h, "Commands: after :, in -e, in run files, in bind");
    for (const ss_verb *v = ss_verbs; v < ss_verbs + SS_NVERB; v++) {
        if (ss_verb_is_listed(v))
            add(h, v->name,
                ss_text("%s%s%s", v->args, *v->args ? ": " : "",
                        ss_verb_text(v, text, sizeof text)));
    }
}

static void fill(help *h)
{
    const ss_ui *ui = h->b->ui;
    const char *label, *words;
    if (ui->map.open) {
        heading(h, "Keys on the map");
        keys_of(h, SS_K_MAP, SS_TASK_NONE);
    } else {
        most_used(h);
    }
    if (ui->page) {
        heading(h, "Keys of the lesson");
        keys_of(h, SS_K_PAGE, SS_TASK_NONE);
    }
    keys_by_task(h);
    heading(h, "Mouse");
    for (size_t i = 0; i < sizeof gestures / sizeof *gestures; i++)
        add(h, gestures[i][0], gestures[i][1]);
    heading(h, "Turn while it runs");
    for (int i = 0; i < h->b->snap->ncontrol; i++)
        add_row(h, h->b->snap->control[i].row);
    heading(h, "Cost of one cycle");
    for (int i = 0; ss_cost_help(h->b->snap, i, &label, &words); i++)
        add(h, "", ss_text("%s: %s", label, words));
    heading(h, "Your own keys");
    for (int i = 0; i < ui->nbinding; i++)
        add(h, ui->binding[i].key, ui->binding[i].command);
    commands(h);
    if (h->n > 0 && h->entry[h->n - 1].heading)
        h->n--;
}

/* --- the help: rows --------------------------------------------------------------------------- */

/* A row of the list. of: the entry that begins here; NULL: a blank row, or the text goes on. */
typedef struct row {
    const entry *of;
    const char *text;
} row;

static int lay_rows(const help *h, int columns, row *rows)
{
    int n = 0;
    for (int i = 0; i < h->n && n < ROWS - 8; i++) {
        const entry *e = &h->entry[i];
        const char *text = e->right;
        if (e->heading && n > 0)
            rows[n++] = (row){NULL, text};
        int first = n;
        do {
            rows[n] = (row){n == first ? e : NULL, text};
            ss_build_line(&text, columns);
        } while (++n < ROWS && *text);
    }
    return n;
}

static void put_row(const ss_build *b, const row *r, int x, int y, int w, int columns)
{
    const char *text = r->text;
    bool heading = r->of && r->of->heading;
    if (r->of)
        ss_scene_text(b->s, x, y, heading ? w - 2 : LEFT - 2, heading ? SS_C_TEXT : SS_C_ACCENT,
                      SS_BOLD | (heading ? 0 : SS_FIGURE), r->of->left);
    if (!heading)
        ss_scene_text(b->s, x + LEFT, y, w - LEFT, SS_C_DIM, 0, ss_build_line(&text, columns));
}

static const char *corner_text(const ss_ui *ui, int first, int shown, int n)
{
    return ui->finding ? ss_text("find: %s▏", ui->find)
           : *ui->find ? ss_text("with \"%s\" · / finds", ui->find)
           : n > shown ? ss_text("rows %d to %d of %d · / finds", first + 1, first + shown, n)
                       : "/ finds · esc closes";
}

void ss_build_help(const ss_build *b)
{
    static help h;
    static row rows[ROWS];
    bool roomy = b->l->head > 1;
    int columns = b->s->cols >= 180 ? 3 : b->s->cols >= 116 ? 2 : 1, side = b->l->side;
    ss_rect r = ss_build_centred(b, columns * 76 + 2, b->s->rows);
    int w = (r.w - 2 * side) / columns, per = r.h - b->l->head - 1, shown = per * columns;
    /* Proportional letters are narrower than cells. */
    int letters = (w - LEFT - 2) * (roomy ? 5 : 4) / 4;
    h.b = b, h.n = 0;
    fill(&h);
    int n = lay_rows(&h, letters, rows);
    int first = b->ui->scroll = ss_clamp(b->ui->scroll, 0, n > shown ? n - shown : 0);
    ss_build_popup(b, r, "Help");
    ss_build_corner(b, r, r.x + 8, corner_text(b->ui, first, shown, n));
    for (int i = 0; i < shown && first + i < n; i++)
        put_row(b, &rows[first + i], r.x + side + 1 + i / per * w, r.y + b->l->head + i % per, w,
                letters);
    if (n == 0)
        ss_scene_text(b->s, r.x + side + 1, r.y + b->l->head, r.w - 2 * side, SS_C_DIM, 0,
                      "nothing has these words");
}
