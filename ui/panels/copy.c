/* The panel that shows the command line of the present state, or why there is none. Called by
 * screen.c; the verb is in ui/view/copy.c. See build.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

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

static int lines_of(const char *text, int w)
{
    int lines = 0;
    for (; *text; lines++) {
        text += ss_build_cut(text, w);
        text += strspn(text, " ");
    }
    return lines;
}

static void offer(const ss_build *b, ss_rect r)
{
    char text[320], name[128];
    ss_copy_session(b->snap, name, sizeof name);
    int y = r.y + ss_build_wrap(b, r, SS_C_TEXT,
                                b->ui->links ? "No link leads to this state:"
                                             : "No single command line leads to this state:");
    ss_rect why = {r.x, y, r.w, r.h - 1};
    y += ss_build_wrap(b, why, SS_C_ACCENT, b->ui->copy.why) + 1;
    snprintf(text, sizeof text,
             "s saves the session as %s, and copies the line that plays it again.", name);
    ss_build_wrap(b, (ss_rect){r.x, y, r.w, r.y + r.h - y}, SS_C_DIM, text);
}

void ss_build_copy(const ss_build *b)
{
    const ss_copy *c = &b->ui->copy;
    const copy_words *words = !b->ui->links ? &of_command : b->ui->page ? &of_lesson : &of_link;
    int w = b->s->cols - 6 < 110 ? b->s->cols - 6 : 110, inner = w - 4;
    int says = lines_of(words->says, inner);
    int lines = c->why ? 5 : says + lines_of(c->text, inner);
    int edges = b->l->head + 1;
    int h = lines + edges < b->s->rows - 4 ? lines + edges : b->s->rows - 4;
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
    ss_build_wrap(b, text, SS_C_DIM, words->says);
    text.y += says, text.h -= says;
    ss_build_wrap(b, text, SS_C_TEXT, c->text);
}
