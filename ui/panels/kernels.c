/* The page of the run's kernels: the facts of one, then its source with line numbers. Called by
 * screen.c; the verb is in ui/view/verbs.c. See build.h, src/base/kernel_text.h. Main thread only.
 */
#include <stdio.h>
#include <string.h>

#include "src/base/kernel_text.h"
#include "ui/panels/build.h"

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
    char text[400], part[400], label[12];
    int at = 0, rows = 0, indent = 0;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
    indent = (int)strspn(text, " ");
    snprintf(label, sizeof label, "%d", number);
    ss_scene_text_right(b->s, r.x + NUMBER - 1, r.y, NUMBER - 1, SS_C_FAINT, SS_FIGURE, label);
    at = indent < r.w / 2 ? indent : 0;
    do {
        int x = NUMBER + (indent < r.w / 2 ? indent : 0) + (rows > 0 ? 4 : 0);
        int cut = ss_build_cut(text + at, r.w - x);
        snprintf(part, sizeof part, "%.*s", cut, text + at);
        ss_scene_text(b->s, r.x + x, r.y + rows, r.w - x, role, SS_FIGURE, part);
        at += cut;
        at += (int)strspn(text + at, " ");
        rows++;
    } while (text[at] && rows < r.h);
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

/* Returns the rows used. */
static int put_facts(const ss_build *b, ss_rect r, const ss_running_kernel *k)
{
    char facts[SS_KERNEL_FACTS][SS_KERNEL_FACT];
    int n = ss_kernel_facts_of(k, facts), y = 0;
    for (int i = 0; i < n && y < r.h; i++)
        y += ss_build_wrap(b, (ss_rect){r.x, r.y + y, r.w, r.h - y},
                           i == 0                       ? SS_C_ACCENT
                           : k->local > 0 && i == n - 2 ? SS_C_ERROR
                                                        : SS_C_TEXT,
                           facts[i]);
    return y;
}

/* The page hides the message line. Returns the rows used. */
static int put_edit(const ss_build *b, ss_rect r, const ss_kernel_edit *edit)
{
    char text[SS_KERNEL_PATH + 64];
    int y = 0;
    if (b->ui->message_is_error && *b->ui->message && !edit->failed)
        y = ss_build_wrap(b, r, SS_C_ERROR, b->ui->message);
    if (!*edit->path)
        return y;
    snprintf(text, sizeof text, "edit %s: each save is tried", edit->path);
    y += ss_build_wrap(b, (ss_rect){r.x, r.y + y, r.w, r.h - y}, SS_C_ACCENT, text);
    return y + ss_build_wrap(b, (ss_rect){r.x, r.y + y, r.w, r.h - y},
                             edit->failed ? SS_C_ERROR : SS_C_TEXT, edit->state);
}

static void put_kernel(const ss_build *b, ss_rect frame, ss_rect r)
{
    const ss_kernels *all = &b->snap->kernels;
    int i = b->ui->kernel < all->n ? b->ui->kernel : 0;
    const ss_running_kernel *k = &all->kernel[i];
    int used = put_edit(b, r, &all->edit);
    used += put_facts(b, (ss_rect){r.x, r.y + used, r.w, r.h - used}, k) + 1;
    char corner[64];
    if (!k->text)
        return;
    source s = source_of(k);
    scroll(&s, &b->ui->scroll);
    put_source(b, (ss_rect){r.x, r.y + used, r.w, r.h - used}, &s);
    snprintf(corner, sizeof corner, "%d of %d · line %d of %d", i + 1, all->n, s.first, s.lines);
    ss_build_corner_figures(b, frame, frame.x + 10, corner);
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
