/* A lesson from its Markdown: see document.h. Every fault names file, line and reason. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/base/file.h"
#include "src/lesson/runner.h"
#include "src/lesson/document.h"

typedef struct reading {
    const char *path;
    ss_lesson *lesson;
    int last; /* kind of the step's last block, -1: none */
} reading;

static int parse_commands(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err);
static int parse_scenario(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err);
static int parse_do(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err);
static int parse_predict(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err);
static int parse_check(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err);

/* A block's name, and the function that parses a line of it (NULL: prose). */
static const struct kind_row {
    const char *name;
    int (*line)(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err);
} kinds[SS_L_NKIND] = {
    [SS_L_SCENARIO] = {"scenario", parse_scenario},
    [SS_L_PREDICT] = {"predict", parse_predict},
    [SS_L_DO] = {"do", parse_do},
    [SS_L_CHECK] = {"check", parse_check},
    [SS_L_HINT] = {"hint", NULL},
    [SS_L_REVEAL] = {"reveal", NULL},
    [SS_L_SOLUTION] = {"solution", parse_commands},
};

static const char *kind_name(const void *ctx, int i)
{
    (void)ctx;
    return kinds[i].name;
}

/* --- lines of blocks -------------------------------------------------------------------------- */

/* The names of the panels, in the order of their bits. */
static const char *const panel_names[] = {"curve", "bars", "cost", "space-time"};

static const char *panel_name(const void *ctx, int i)
{
    (void)ctx;
    return panel_names[i];
}

static int parse_panel(ss_lesson_step *s, const char *word, ss_err *err)
{
    for (int i = 0; i < SS_PAGE_NPANEL; i++)
        if (strcmp(panel_names[i], word) == 0) {
            s->panels |= 1u << i;
            return SS_OK;
        }
    const char *near = ss_nearest(word, panel_name, NULL, SS_PAGE_NPANEL);
    return ss_fail(err, "panels: '%.40s' is none of curve, bars, cost, space-time%s%s%s", word,
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* panels: curve, cost */
static int parse_panels(ss_lesson_step *s, const char *text, ss_err *err)
{
    char word[64];
    int n = 0;
    for (text += strspn(text, " ,"); *text; text += strspn(text, " ,"), n++) {
        size_t length = strcspn(text, " ,");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        text += length;
        if (parse_panel(s, word, err) != SS_OK)
            return SS_FAIL;
    }
    return n > 0 ? SS_OK : ss_fail(err, "panels: a name is missing: curve, bars, cost, space-time");
}

static int parse_scenario(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err)
{
    static const char panels[] = "panels:";
    return strncmp(line, panels, sizeof panels - 1) == 0
               ? parse_panels(s, line + sizeof panels - 1, err)
               : parse_commands(s, kind, line, err);
}

static int parse_commands(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err)
{
    ss_cmd cmd;
    if (ss_cmd_parse(line, &cmd, err) != SS_OK)
        return SS_FAIL;
    if (cmd.verb && ss_lesson_admits_command(&cmd, err) != SS_OK)
        return SS_FAIL;
    return cmd.verb ? ss_script_add(&s->commands[kind], line, "lesson", err) : SS_OK;
}

static int parse_do(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err)
{
    static const char turn[] = "your turn:";
    if (strncmp(line, turn, sizeof turn - 1) != 0)
        return parse_commands(s, kind, line, err);
    size_t n = strlen(s->turn);
    line += sizeof turn - 1;
    line += strspn(line, " ");
    if (n + strlen(line) + 2 > sizeof s->turn)
        return ss_fail(err, "your turn: the text is longer than %zu characters",
                       sizeof s->turn - 2);
    snprintf(s->turn + n, sizeof s->turn - n, "%s%s", n ? " " : "", line);
    return SS_OK;
}

static int parse_number(const char **text, double *out)
{
    char *end;
    double v = strtod(*text, &end);
    if (end == *text || !isfinite(v))
        return SS_FAIL;
    *out = v;
    *text = end + strspn(end, " ");
    return SS_OK;
}

/* drawn depth|cycles */
static int parse_drawn(ss_predict *p, const char **text, ss_err *err)
{
    static const char drawn[] = "drawn ";
    static const char *const names[SS_PAGE_NDRAWN] = {
        [SS_DRAWN_DEPTH] = "depth", [SS_DRAWN_CYCLES] = "cycles"};
    p->drawn = SS_DRAWN_NOTHING;
    if (strncmp(*text, drawn, sizeof drawn - 1) != 0)
        return SS_OK;
    *text += sizeof drawn - 1;
    for (int i = SS_DRAWN_DEPTH; i < SS_PAGE_NDRAWN; i++)
        if (strcmp(*text, names[i]) == 0) {
            p->drawn = (ss_page_drawn)i;
            *text += strlen(names[i]);
            return SS_OK;
        }
    return ss_fail(err, "drawn: '%.40s' is neither depth nor cycles", *text);
}

/* answer NUMBER [tolerance NUMBER] [drawn depth|cycles] */
static int parse_answer(ss_predict *p, const char *text, ss_err *err)
{
    static const char tolerance[] = "tolerance ";
    p->tolerance = 0;
    if (parse_number(&text, &p->number) != SS_OK)
        return ss_fail(err, "answer: '%.40s' is not a number", text);
    if (strncmp(text, tolerance, sizeof tolerance - 1) == 0) {
        const char *number = text += sizeof tolerance - 1;
        if (parse_number(&text, &p->tolerance) != SS_OK || p->tolerance < 0)
            return ss_fail(err, "tolerance: '%.40s' is not a number from 0 on", number);
    }
    if (parse_drawn(p, &text, err) != SS_OK)
        return SS_FAIL;
    if (*text)
        return ss_fail(err, "'%.40s' follows the answer", text);
    p->right = -2;
    return SS_OK;
}

static int parse_choice(ss_predict *p, const char *line, ss_err *err)
{
    bool right = line[3] == 'x' || line[3] == 'X';
    if ((!right && line[3] != ' ') || line[4] != ']' || line[5] != ' ')
        return ss_fail(err, "an answer is '- [ ] text', or '- [x] text' where it is right");
    if (p->nanswer == SS_ANSWERS_MAX)
        return ss_fail(err, "more than %d answers", SS_ANSWERS_MAX);
    if (right && p->right >= 0)
        return ss_fail(err, "two answers are ticked as right; exactly one is");
    p->right = right ? p->nanswer : p->right;
    char *to = p->answer[p->nanswer++];
    if ((size_t)snprintf(to, sizeof p->answer[0], "%s", line + 6) >= sizeof p->answer[0])
        return ss_fail(err, "the answer is longer than %zu characters", sizeof p->answer[0] - 1);
    return SS_OK;
}

static int parse_predict(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err)
{
    ss_predict *p = &s->predict;
    (void)kind;
    if (!p->question[0]) {
        p->right = -1;
        if ((size_t)snprintf(p->question, sizeof p->question, "%s", line) >= sizeof p->question)
            return ss_fail(err, "the question is longer than %zu characters",
                           sizeof p->question - 1);
        return SS_OK;
    }
    if (p->right == -2)
        return ss_fail(err, "nothing follows the answer");
    if (strncmp(line, "- [", 3) == 0)
        return parse_choice(p, line, err);
    if (strncmp(line, "answer ", 7) == 0 && p->nanswer == 0)
        return parse_answer(p, line + 7, err);
    return ss_fail(err, "'%.40s' is neither '- [ ] text' nor 'answer NUMBER'", line);
}

static int finish_predict(const ss_lesson_step *s, ss_err *err)
{
    const ss_predict *p = &s->predict;
    if (!p->question[0])
        return ss_fail(err, "predict: a question is missing");
    if (p->right == -2 || (p->nanswer > 1 && p->right >= 0))
        return SS_OK;
    return p->nanswer > 1 ? ss_fail(err, "predict: no answer is ticked as right (- [x])")
                          : ss_fail(err, "predict: the answers are missing");
}

static int parse_check(ss_lesson_step *s, ss_lesson_kind kind, const char *line, ss_err *err)
{
    (void)kind;
    if (s->ncheck == SS_CHECKS_MAX)
        return ss_fail(err, "more than %d checks", SS_CHECKS_MAX);
    return ss_check_parse(line, &s->check[s->ncheck++], err);
}

/* --- blocks ----------------------------------------------------------------------------------- */

static char *join(char *before, const char *between, const char *text)
{
    size_t n = before ? strlen(before) : 0, m = strlen(between) + strlen(text);
    char *all = realloc(before, n + m + 1);
    if (!all) {
        free(before);
        return NULL;
    }
    snprintf(all + n, m + 1, "%s%s", n ? between : "", text);
    return all;
}

static ss_lesson_step *current(reading *r)
{
    return r->lesson->nstep ? &r->lesson->step[r->lesson->nstep - 1] : NULL;
}

static int fail_at(const reading *r, int line, ss_err *err, const char *fmt, ...) SS_PRINTF(4, 5);

static int fail_at(const reading *r, int line, ss_err *err, const char *fmt, ...)
{
    char why[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    return ss_fail(err, "%.120s:%d: %s", r->path, line, why);
}

/* The ticket of a lesson's command is its line number. */
static void note_line(ss_script *s, int line)
{
    for (int i = s->count - 1; i >= 0 && s->cmd[i]->ticket == 0; i--)
        s->cmd[i]->ticket = (uint64_t)line;
}

/* Parses a block's lines by the row of its kind; skips blank lines and comments. */
static int parse_lines(reading *r, ss_lesson_kind kind, ss_err *err)
{
    ss_lesson_step *s = current(r);
    const ss_lesson_block *b = &s->block[kind];
    int number = b->line;
    ss_err why;
    for (const char *p = b->text; *p; number++) {
        char line[SS_CMD_TEXT];
        size_t n = strcspn(p, "\n");
        if (n >= sizeof line)
            return fail_at(r, number, err, "the line is longer than %zu characters",
                           sizeof line - 1);
        snprintf(line, sizeof line, "%.*s", (int)n, p);
        p += n + (p[n] == '\n');
        while (*line && strchr(" \t\r", line[strlen(line) - 1]))
            line[strlen(line) - 1] = '\0';
        const char *text = line + strspn(line, " \t");
        int before = s->ncheck;
        if (*text && *text != '#' && kinds[kind].line(s, kind, text, &why) != SS_OK)
            return fail_at(r, number, err, "%s", why.text);
        if (s->ncheck > before)
            s->check[before].line = number;
        note_line(&s->commands[kind], number);
    }
    if (kind == SS_L_PREDICT && finish_predict(s, &why) != SS_OK)
        return fail_at(r, b->line, err, "%s", why.text);
    return SS_OK;
}

static int find_kind(const char *info)
{
    size_t n = strcspn(info, " \t");
    for (int i = 0; i < SS_L_NKIND; i++)
        if (strlen(kinds[i].name) == n && strncmp(kinds[i].name, info, n) == 0)
            return i;
    return -1;
}

/* Fences without an info word, or with one of these, are prose. */
static bool is_prose(const char *info)
{
    static const char *const words[] = {"", "text", "sh", "console"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(info, words[i]) == 0)
            return true;
    return false;
}

static int add_prose(reading *r, const char *before, const char *text, ss_err *err)
{
    ss_lesson_step *s = current(r);
    if (!s && r->lesson->summary) /* more text before the first step */
        return SS_OK;
    char *line = join(NULL, "", before);
    line = line ? join(line, "", text) : NULL;
    char **to = s ? &s->prose : &r->lesson->summary;
    *to = line ? join(*to, *before ? "\n" : "\n\n", line) : NULL;
    free(line);
    return *to ? SS_OK : ss_fail_memory(err, "a paragraph", strlen(text));
}

/* Code in the prose: each of its lines gets a mark. */
static int add_verbatim(reading *r, const char *text, ss_err *err)
{
    static const char mark[] = {SS_MARK_VERBATIM, '\0'};
    char *all = NULL;
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n");
        char *line = strndup(p, n);
        all = line ? join(all, "\n", mark) : NULL;
        all = all ? join(all, "", line) : NULL;
        free(line);
        if (!all)
            return ss_fail_memory(err, "a paragraph", n);
        p += n + (p[n] == '\n');
    }
    int status = all ? add_prose(r, "", all, err) : SS_OK;
    free(all);
    return status;
}

static int add_code(reading *r, const ss_md_block *b, ss_err *err)
{
    ss_lesson_step *s = current(r);
    int kind = find_kind(b->info);
    if (b->unclosed)
        return fail_at(r, b->line, err, "this fence is never closed");
    if (kind < 0 && is_prose(b->info))
        return add_verbatim(r, b->text, err);
    if (kind < 0) {
        const char *near = ss_nearest(b->info, kind_name, NULL, SS_L_NKIND);
        return fail_at(r, b->line, err, "unknown kind of block '%.40s'%s%s%s", b->info,
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    }
    if (!s)
        return fail_at(r, b->line, err, "%s comes before the first step (a heading with ##)",
                       kinds[kind].name);
    if (kind <= r->last)
        return fail_at(r, b->line, err,
                       kind == r->last ? "a second %s in one step" : "%s comes before %s",
                       kinds[kind].name, kinds[r->last].name);
    r->last = kind;
    s->block[kind].line = b->line + 1;
    s->block[kind].text = join(NULL, "", b->text);
    if (!s->block[kind].text)
        return ss_fail_memory(err, "a block", strlen(b->text));
    return kinds[kind].line ? parse_lines(r, (ss_lesson_kind)kind, err) : SS_OK;
}

static int add_heading(reading *r, const ss_md_block *b, ss_err *err)
{
    ss_lesson *l = r->lesson;
    char **title = &l->title;
    if (b->level > 2)
        return add_prose(r, "", b->text, err);
    if (b->level == 2) {
        if (l->nstep == SS_STEPS_MAX)
            return fail_at(r, b->line, err, "more than %d steps", SS_STEPS_MAX);
        title = &l->step[l->nstep++].title;
        current(r)->line = b->line;
        r->last = -1;
    } else if (l->title) {
        return fail_at(r, b->line, err, "a second title; steps begin with ##");
    }
    *title = join(NULL, "", b->text);
    return *title ? SS_OK : ss_fail_memory(err, "a title", strlen(b->text));
}

static int take_block(void *ctx, const ss_md_block *b, ss_err *err)
{
    reading *r = ctx;
    switch (b->kind) {
    case SS_MD_HEADING:
        return add_heading(r, b, err);
    case SS_MD_CODE:
        return add_code(r, b, err);
    case SS_MD_ITEM:
        return add_prose(r, "\xe2\x80\xa2 ", current(r) ? b->marked : b->text, err);
    case SS_MD_PARAGRAPH:
        break;
    }
    return add_prose(r, "", current(r) ? b->marked : b->text, err);
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* A control character of C0 or C1; those of C1 have two bytes in UTF-8. */
static bool is_control(const unsigned char *p, int n)
{
    bool c1 = n == 2 && p[0] == 0xc2 && p[1] < 0xa0;
    return c1 || (n == 1 && ((p[0] < ' ' && !strchr("\t\r\n", p[0])) || p[0] == 0x7f || !p[0]));
}

static int check_characters(const char *path, const char *text, size_t size, ss_err *err)
{
    int line = 1;
    for (size_t i = 0; i < size;) {
        const unsigned char *p = (const unsigned char *)text + i;
        int n = ss_utf8_length((const char *)p, size - i);
        if (n == 0)
            return ss_fail(err, "%.120s:%d: the byte 0x%02x is not UTF-8", path, line, p[0]);
        if (is_control(p, n))
            return ss_fail(err, "%.120s:%d: a control character (0x%02x)", path, line, p[n - 1]);
        line += *p == '\n';
        i += (size_t)n;
    }
    return SS_OK;
}

/* --- lessons ---------------------------------------------------------------------------------- */

/* "05-stale-halos" of "lessons/05-stale-halos.md". */
static void name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
}

/* A step without a scenario goes on with the run, and with its panels. */
static void inherit_panels(ss_lesson *l)
{
    for (int i = 1; i < l->nstep; i++)
        if (!l->step[i].block[SS_L_SCENARIO].text)
            l->step[i].panels = l->step[i - 1].panels;
}

static int complete(const reading *r, ss_err *err)
{
    const ss_lesson *l = r->lesson;
    int checks = 0;
    for (int i = 0; i < l->nstep; i++)
        checks += l->step[i].ncheck;
    if (!l->title)
        return fail_at(r, 1, err, "the title is missing (a heading with #)");
    if (!l->summary)
        return fail_at(r, 1, err, "the summary is missing (a paragraph under the title)");
    if (l->nstep == 0)
        return fail_at(r, 1, err, "there are no steps (headings with ##)");
    if (checks == 0)
        return fail_at(r, 1, err, "there is no check; every lesson has at least one");
    return SS_OK;
}

ss_lesson *ss_lesson_parse(const char *path, const char *text, size_t size, ss_err *err)
{
    reading r = {path, calloc(1, sizeof *r.lesson), -1};
    ss_err why = {0};
    if (!r.lesson) {
        ss_fail_memory(err, "a lesson", sizeof *r.lesson);
        return NULL;
    }
    name_of(path, r.lesson->name, sizeof r.lesson->name);
    size_t mark = ss_lines_mark(text, size);
    text += mark, size -= mark;
    if (check_characters(path, text, size, &why) == SS_OK &&
        ss_markdown_read(text, size, take_block, &r, &why) == SS_OK &&
        complete(&r, &why) == SS_OK) {
        inherit_panels(r.lesson);
        return r.lesson;
    }
    ss_fail(err, "%s", why.text);
    ss_lesson_free(r.lesson);
    return NULL;
}

ss_lesson *ss_lesson_read(const char *path, ss_err *err)
{
    enum { MOST = 1 << 20 };
    ss_lesson *l = NULL;
    FILE *f = ss_infile_open(path, err);
    if (!f)
        return NULL;
    char *text = malloc(MOST + 1);
    size_t n = text ? fread(text, 1, MOST + 1, f) : 0;
    if (!text)
        ss_fail_memory(err, "a lesson", MOST + 1);
    else if (ferror(f))
        ss_fail(err, "cannot read %s: %s", path, strerror(errno));
    else if (n > MOST)
        ss_fail(err, "%s is longer than a megabyte", path);
    else
        l = ss_lesson_parse(path, text, n, err);
    free(text);
    fclose(f);
    return l;
}

void ss_lesson_free(ss_lesson *l)
{
    for (int i = 0; l && i < l->nstep; i++) {
        ss_lesson_step *s = &l->step[i];
        free(s->title);
        free(s->prose);
        for (int k = 0; k < SS_L_NKIND; k++) {
            free(s->block[k].text);
            ss_script_free(&s->commands[k]);
        }
    }
    if (l) {
        free(l->title);
        free(l->summary);
    }
    free(l);
}

const struct ss_embed *ss_lesson_embedded(int i)
{
    static const char folder[] = "lessons/", readme[] = "lessons/README.md";
    for (const struct ss_embed *e = ss_embed; e->name; e++)
        if (strncmp(e->name, folder, sizeof folder - 1) == 0 && strcmp(e->name, readme) != 0 &&
            i-- == 0)
            return e;
    return NULL;
}

bool ss_lesson_next(const ss_lesson *l, char *name, size_t size)
{
    const struct ss_embed *e;
    bool found = false;
    for (int i = 0; (e = ss_lesson_embedded(i)); i++) {
        name_of(e->name, name, size);
        if (found)
            return true;
        found = strcmp(name, l->name) == 0;
    }
    return false;
}

/* "6" and "06" are the lesson 06-overlap, as is any part of its name that is not only figures. */
static bool is_called(const char *name, const char *word)
{
    bool number = *word && !word[strspn(word, "0123456789")];
    return number ? atoi(name) == atoi(word) : *word && strstr(name, word);
}

ss_lesson *ss_lesson_find(const char *word, ss_err *err)
{
    char name[64];
    const struct ss_embed *e, *found = NULL;
    for (int i = 0; (e = ss_lesson_embedded(i)); i++) {
        name_of(e->name, name, sizeof name);
        if (strcmp(name, word) == 0)
            return ss_lesson_parse(e->name, (const char *)e->data, e->size, err);
        if (!found && is_called(name, word))
            found = e;
    }
    if (found)
        return ss_lesson_parse(found->name, (const char *)found->data, found->size, err);
    ss_fail(err, "there is no lesson '%.40s'; stencilscope lesson lists them", word);
    return NULL;
}
