/* Reads the rows of a paper and makes cases of them: see paper.h and assets/data/papers.txt. */
#include "src/bench/paper.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"

#define DATA "assets/data/papers.txt"
#define FIELDS 8

/* --- lines ------------------------------------------------------------------------------------ */

typedef struct fields {
    const char *at[FIELDS];
    int length[FIELDS];
} fields;

/* Splits a line at its tabs; the last fields may be missing. */
static void split(const char *line, const char *end, fields *f)
{
    for (int i = 0; i < FIELDS; i++) {
        const char *tab = line < end ? memchr(line, '\t', (size_t)(end - line)) : NULL;
        const char *stop = tab ? tab : end;
        f->at[i] = line;
        f->length[i] = (int)(stop - line);
        line = tab ? tab + 1 : end;
    }
}

static bool is(const fields *f, int i, const char *word)
{
    return (int)strlen(word) == f->length[i] && strncmp(f->at[i], word, strlen(word)) == 0;
}

static void copy(const fields *f, int i, char *out, size_t size)
{
    snprintf(out, size, "%.*s", f->length[i], f->at[i]);
}

/* The i-th figure of a list, "2.92,,4.95", or the only one. */
static void copy_one(const fields *f, int field, int i, char *out, size_t size)
{
    char text[160];
    copy(f, field, text, sizeof text);
    const char *at = text;
    for (; i > 0 && strchr(text, ','); i--)
        at = strchr(at, ',') ? strchr(at, ',') + 1 : "";
    snprintf(out, size, "%.*s", (int)strcspn(at, ","), at);
}

static int settings(const fields *f, int i, ss_settings *out, ss_err *err)
{
    return ss_settings_parse(f->at[i], f->at[i] + f->length[i], out, err);
}

/* --- cases ------------------------------------------------------------------------------------ */

static int append(ss_settings *to, const ss_settings *more, ss_err *err)
{
    if (to->n + more->n > SS_SETTINGS_MAX)
        return ss_fail(err, "more than %d settings", SS_SETTINGS_MAX);
    memcpy(to->at + to->n, more->at, (size_t)more->n * sizeof *more->at);
    to->n += more->n;
    return SS_OK;
}

/* True if two cases are equal, apart from settings that do not apply. */
static bool same_case(const ss_bench_group *g, const ss_settings *a, const ss_bench_group *h,
                      const ss_settings *b)
{
    ss_config x, y;
    if (ss_bench_config(g, a, &x, NULL) != SS_OK || ss_bench_config(h, b, &y, NULL) != SS_OK)
        return false;
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_find(&x, ss_param_row(i)->name, NULL);
        if (ss_config_value(&x, row).i != ss_config_value(&y, row).i)
            return false;
    }
    return true;
}

/* A run that the CPU and the GPU share is measured in a way of its own: where it is not shared, it
 * is not the plain run of another row, but one that this machine has not. */
static bool is_shared(ss_row_kind kind)
{
    return kind == SS_ROW_SPLIT || kind == SS_ROW_SHARES;
}

/* Index of the case with these settings in a group of the first way; adds it if missing. -1: too
 * many cases. */
static int place_case(ss_bench_group *g, ss_row_kind kind, ss_bench_role role,
                      const ss_settings *set, const char *label)
{
    for (int i = 0; i < g->ncase; i++)
        if (is_shared(g->cases[i].kind) == is_shared(kind) &&
            (strcmp(g->cases[i].label, label) == 0 || same_case(g, &g->cases[i].set, g, set))) {
            g->cases[i].role = role == SS_BENCH_CASE ? g->cases[i].role : role;
            return i;
        }
    if (g->ncase == SS_CASES_MAX)
        return -1;
    ss_bench_case *c = &g->cases[g->ncase];
    *c = (ss_bench_case){.role = role, .kind = kind, .set = *set};
    snprintf(c->label, sizeof c->label, "%s", label);
    return g->ncase++;
}

/* Cycles to the tolerance: "128760" (for all) or "40241,29442,..."; 0: not known. */
static int64_t listed(const fields *f, int field, int i)
{
    char text[32];
    copy_one(f, field, i, text, sizeof text);
    return atoll(text);
}

/* The data list cycle counts for their own n. For another n the cycles are counted first; they grow
 * about as n squared. */
static void set_cycles(ss_bench *b, int problem, ss_bench_case *c, int64_t cycles, int64_t before)
{
    const ss_config *cfg = &ss_bench_group_of(b, problem, 0)->cfg;
    double own = (double)ss_config_int(cfg, ss_bench_size_name(cfg)), theirs = b->paper->n[problem];
    double ratio = theirs > 0 ? own / theirs : 1; /* 0: the rows have sizes of their own */
    if (own == theirs)
        c->cycles = cycles;
    c->hint = 1 + (int64_t)((double)(cycles ? cycles : before) * ratio * ratio);
}

/* Does an optional setting apply on this backend? */
static bool applies(const ss_bench_group *g, const ss_paper_row *row, const ss_setting *s)
{
    ss_config cfg;
    bool any = true;
    if (s->optional && !is_shared(row->kind) &&
        ss_bench_config(g, &g->cases[row->at[0]].set, &cfg, NULL) == SS_OK)
        ss_param_find(&cfg, s->name, &any);
    return any;
}

/* The labels of what all the row's cases share. Is it the row's own here? */
static bool label_row(const ss_bench_group *g, const ss_settings *lists, ss_paper_row *row)
{
    ss_settings common = {.n = 0}, here = {.n = 0};
    for (int i = 0; i < lists->n; i++) {
        if (strchr(lists->at[i].value, ','))
            continue;
        common.at[common.n++] = lists->at[i];
        if (applies(g, row, &lists->at[i]))
            here.at[here.n++] = lists->at[i];
    }
    ss_settings_label(&common, row->label, sizeof row->label);
    ss_settings_label(&here, row->here, sizeof row->here);
    return common.n == here.n;
}

/* Is it here what a row before of the same source is? */
static bool is_again(const ss_paper *p, const ss_paper_row *row)
{
    for (const ss_paper_row *r = p->rows; r < row; r++)
        if (r->problem == row->problem && strcmp(r->source, row->source) == 0 &&
            strcmp(r->here, row->here) == 0)
            return true;
    return false;
}

static int add_cases(ss_bench *b, ss_paper_row *row, ss_bench_role role, const fields *f,
                     ss_err *err)
{
    ss_settings lists, set;
    ss_bench_group *g = ss_bench_group_of(b, row->problem, 0);
    int ncase = g->ncase, field = g->goal.n > 0 ? 6 : 7;
    int64_t before = 0;
    if (settings(f, 4, &lists, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; ss_settings_pick(&lists, i, &set); i++) {
        char label[sizeof g->cases->label];
        ss_settings_label(&set, label, sizeof label);
        if (append(&set, &b->paper->ways[0].set, err) != SS_OK)
            return SS_FAIL;
        int at = place_case(g, row->kind, role, &set, label), known = 0;
        while (known < row->count && row->at[known] != at)
            known++;
        if (at < 0 || known == SS_PAPER_LIST)
            return ss_fail(err, "too many cases");
        row->at[known] = at;
        row->count += known == row->count;
        if (g->cases[at].hint == 0)
            set_cycles(b, row->problem, &g->cases[at], listed(f, field, i), before);
        before = listed(f, field, i) ? listed(f, field, i) : before;
    }
    row->repeated = g->ncase == ncase;
    row->again = !label_row(g, &lists, row) && is_again(b->paper, row);
    return SS_OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    ss_bench_role role;
} kinds[SS_NROW_KIND] = {
    [SS_ROW_CLASSIC] = {"classic", SS_BENCH_CLASSIC},
    [SS_ROW_SPEEDUP] = {"row", SS_BENCH_CASE},
    [SS_ROW_TUNE] = {"tune", SS_BENCH_CASE},
    [SS_ROW_TUNED] = {"tuned", SS_BENCH_CLASSIC},
    [SS_ROW_TRANSFER] = {"transfer", SS_BENCH_CASE},
    [SS_ROW_WILD] = {"wild", SS_BENCH_CASE},
    [SS_ROW_CROSSOVER] = {"crossover", SS_BENCH_CASE},
    [SS_ROW_SPLIT] = {"split", SS_BENCH_CASE},
    [SS_ROW_SHARES] = {"shares", SS_BENCH_CASE},
    [SS_ROW_DEVICES] = {"devices", SS_BENCH_CASE},
    [SS_ROW_SMOOTH] = {"smooth", SS_BENCH_CASE},
    [SS_ROW_CONVERGENCE] = {"convergence", SS_BENCH_CASE},
    [SS_ROW_SCALING] = {"scaling", SS_BENCH_CASE},
    [SS_ROW_INVERSES] = {"inverses", SS_BENCH_CASE},
    [SS_ROW_METHOD] = {"method", SS_BENCH_CASE},
};

static int add_problem(ss_bench *b, const fields *f, const ss_bench_group *g, int index,
                       ss_err *err)
{
    ss_paper *p = b->paper;
    const char *name = ss_bench_size_name(&g->cfg);
    ss_value asked = b->base.v[ss_param_find(&g->cfg, name, NULL)->slot];
    int64_t n = ss_config_given(&g->cfg, "sizes") ? 0 : ss_config_int(&g->cfg, name);
    if (b->nproblem == SS_PAPER_PROBLEMS)
        return ss_fail(err, "more than %d problems", SS_PAPER_PROBLEMS);
    copy(f, 2, p->problems[b->nproblem], sizeof p->problems[0]);
    p->n[b->nproblem] = (double)n;
    p->index[b->nproblem] = index;
    b->groups[b->nproblem] = *g;
    return ss_bench_size(&b->groups[b->nproblem++], asked.set ? asked.i : n, err);
}

/* A problem that names the bench's own backend is left out. */
static bool leave_out(ss_bench *b, const fields *f, const ss_settings *lists)
{
    ss_paper *p = b->paper;
    ss_config cfg = b->base;
    ss_settings set;
    bool named = ss_settings_value(lists, "backend") && ss_settings_pick(lists, 0, &set) &&
                 ss_settings_apply(&set, &cfg, NULL) == SS_OK;
    if (!named || ss_config_backend(&cfg) != b->backend || p->nleft == SS_PAPER_LEFT)
        return false;
    copy(f, 2, p->left[p->nleft++], sizeof p->left[0]);
    return true;
}

static bool is_left_out(const ss_paper *p, const fields *f)
{
    for (int i = 0; i < p->nleft; i++)
        if (is(f, 3, p->left[i]))
            return true;
    return false;
}

/* A list of sizes makes a problem per size, all of one name; --n selects one of them. Where the
 * paper has a single size, --n may be any. */
static int read_problem(ss_bench *b, const fields *f, ss_err *err)
{
    const ss_param *row = ss_param_find(&b->base, "n", NULL);
    ss_value asked = b->base.v[row->slot];
    ss_settings lists, set, second, goal;
    int before = b->nproblem;
    if (settings(f, 3, &lists, err) != SS_OK || settings(f, 4, &goal, err) != SS_OK)
        return SS_FAIL;
    if (leave_out(b, f, &lists))
        return SS_OK;
    bool several = ss_settings_pick(&lists, 1, &second);
    for (int i = 0; ss_settings_pick(&lists, i, &set); i++) {
        ss_bench_group *g = &b->groups[SS_GROUPS_MAX - 1]; /* too large for the stack */
        *g = (ss_bench_group){.solve = true, .set = set, .goal = goal, .cfg = b->base};
        if (ss_settings_apply(&set, &g->cfg, err) != SS_OK)
            return SS_FAIL;
        bool taken = !several || !asked.set || asked.i == ss_config_int(&g->cfg, "n");
        if (taken && add_problem(b, f, g, i, err) != SS_OK)
            return SS_FAIL;
    }
    return b->nproblem > before ? SS_OK
                                : ss_fail(err, "the paper has no n = %lld", (long long)asked.i);
}

static int read_way(ss_bench *b, const fields *f, ss_err *err)
{
    if (b->nway == SS_PAPER_WAYS)
        return ss_fail(err, "more than %d ways", SS_PAPER_WAYS);
    copy(f, 2, b->paper->ways[b->nway].name, sizeof b->paper->ways[0].name);
    return settings(f, 3, &b->paper->ways[b->nway++].set, err);
}

static int read_note(ss_bench *b, const fields *f, ss_err *err)
{
    ss_paper *p = b->paper;
    if (p->nnote == SS_PAPER_NOTES)
        return ss_fail(err, "more than %d notes", SS_PAPER_NOTES);
    copy(f, 2, p->notes[p->nnote++], sizeof p->notes[0]);
    return SS_OK;
}

static int read_row(ss_bench *b, const fields *f, ss_err *err)
{
    ss_paper *p = b->paper;
    int kind = 0, found = 0;
    while (kind < SS_NROW_KIND && !is(f, 0, kinds[kind].word))
        kind++;
    if (is_left_out(p, f))
        return SS_OK;
    for (int problem = 0; problem < b->nproblem && kind < SS_NROW_KIND; problem++) {
        if (!is(f, 3, p->problems[problem]))
            continue;
        if (p->nrow == SS_PAPER_ROWS)
            return ss_fail(err, "more than %d rows", SS_PAPER_ROWS);
        ss_paper_row *row = &p->rows[p->nrow++];
        *row = (ss_paper_row){.kind = (ss_row_kind)kind, .problem = problem};
        copy(f, 2, row->source, sizeof row->source);
        copy_one(f, 5, p->index[problem], row->theirs, sizeof row->theirs);
        found++;
        copy(f, 6, row->extra, sizeof row->extra);
        if (add_cases(b, row, kinds[kind].role, f, err) != SS_OK)
            return SS_FAIL;
    }
    return found > 0 ? SS_OK : ss_fail(err, "a line of an unknown kind or problem");
}

static int read_line(ss_bench *b, const char *line, const char *end, ss_err *err)
{
    static const struct {
        const char *word;
        int (*read)(ss_bench *b, const fields *f, ss_err *err);
    } others[] = {{"problem", read_problem}, {"way", read_way}, {"note", read_note}};
    fields f;
    split(line, end, &f);
    if (!is(&f, 1, b->paper->name))
        return SS_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is(&f, 0, others[i].word))
            return others[i].read(b, &f, err);
    return read_row(b, &f, err);
}

/* Makes the groups of a further way: the same cases with other settings. False: the settings make
 * no difference on this backend. */
static bool add_way(ss_bench *b, int way)
{
    bool differs = false;
    for (int i = 0; i < b->nproblem; i++) {
        const ss_bench_group *first = ss_bench_group_of(b, i, 0);
        ss_bench_group *g = ss_bench_group_of(b, i, way);
        *g = *first;
        for (int j = 0; j < g->ncase; j++) {
            ss_settings *set = &g->cases[j].set;
            set->n -= b->paper->ways[0].set.n;
            append(set, &b->paper->ways[way].set, NULL);
            differs = differs || !same_case(first, &first->cases[j].set, g, set);
        }
    }
    return differs;
}

int ss_paper_read(ss_bench *b, const char *name, ss_err *err)
{
    b->paper = ss_alloc(sizeof *b->paper, "a paper", err);
    b->nproblem = b->nway = 0;
    if (!b->paper)
        return SS_FAIL;
    b->paper->name = name;
    if (ss_bench_read_lines(b, DATA, read_line, err) != SS_OK)
        return SS_FAIL;
    if (b->nway < 2 || !add_way(b, 1))
        b->nway = 1;
    return SS_OK;
}

const ss_bench_case *ss_paper_best(ss_bench *b, const ss_paper_row *row, int way)
{
    const ss_bench_group *g = ss_bench_group_of(b, row->problem, way);
    const ss_bench_case *best = NULL;
    for (int i = 0; i < row->count; i++) {
        const ss_bench_case *c = &g->cases[row->at[i]];
        if (!*c->skipped && (!best || ss_bench_median(c->solve, b->rounds) <
                                          ss_bench_median(best->solve, b->rounds)))
            best = c;
    }
    return best;
}
