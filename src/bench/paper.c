/* Reads the rows of a paper and makes cases of them: see kit.h and assets/data/papers.txt. */
#include "src/bench/kit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"

#define DATA "assets/data/papers.txt"
#define FIELDS 7

/* --- lines ------------------------------------------------------------------------------------ */

/* Copies a line with alternative i of each [a|b|c]. Returns the largest number of alternatives. */
static int choose(const char *line, const char *end, int i, char *out, size_t size)
{
    int at = -1, count = 1; /* at: the alternative that is read; -1: outside of a group */
    for (size_t n = 0; line < end && n + 1 < size; line++) {
        bool mark = *line == '[' || (at >= 0 && (*line == '|' || *line == ']'));
        at = *line == ']' ? -1 : at + mark;
        count = at >= count ? at + 1 : count;
        if (!mark && (at < 0 || at == i))
            out[n++] = *line;
        out[n] = '\0';
    }
    return count;
}

/* Splits a line at its tabs; the last fields may be missing. */
static void split(char *text, const char *f[FIELDS])
{
    for (int i = 0; i < FIELDS; i++) {
        f[i] = text;
        text += strcspn(text, "\t");
        if (*text)
            *text++ = '\0';
    }
}

/* The i-th figure of a list, "2.92,,4.95", or the only one. */
static void copy_one(const char *list, int i, char *out, size_t size)
{
    for (bool several = strchr(list, ','); several && i > 0; i--) {
        list += strcspn(list, ",");
        list += *list == ',';
    }
    snprintf(out, size, "%.*s", (int)strcspn(list, ","), list);
}

static int settings(const char *text, ss_settings *out, ss_err *err)
{
    return ss_settings_parse(text, text + strlen(text), out, err);
}

/* --- cases ------------------------------------------------------------------------------------ */

static void append(ss_settings *to, const ss_settings *more)
{
    assert(to->n + more->n <= SS_SETTINGS_MAX);
    memcpy(to->at + to->n, more->at, (size_t)more->n * sizeof *more->at);
    to->n += more->n;
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

/* Index of the case with these settings in a group of the first way; adds it if missing. */
static int place_case(ss_bench_group *g, const ss_bench_kind *kind, const ss_settings *set,
                      const char *label)
{
    for (int i = 0; i < g->ncase; i++)
        if (g->cases[i].kind->shared == kind->shared &&
            (strcmp(g->cases[i].label, label) == 0 || same_case(g, &g->cases[i].set, g, set))) {
            g->cases[i].role = kind->role == SS_BENCH_CASE ? g->cases[i].role : kind->role;
            return i;
        }
    assert(g->ncase < SS_CASES_MAX);
    ss_bench_case *c = &g->cases[g->ncase];
    *c = (ss_bench_case){.role = kind->role, .kind = kind, .set = *set};
    snprintf(c->label, sizeof c->label, "%s", label);
    return g->ncase++;
}

/* The data list cycle counts for their own n; for another one the cycles are counted first. */
static void set_cycles(ss_bench *b, int problem, ss_bench_case *c, int64_t cycles)
{
    const ss_config *cfg = &ss_bench_group_of(b, problem, 0)->cfg;
    double own = (double)ss_config_int(cfg, ss_bench_size_name(cfg));
    if (c->cycles == 0 && own == b->paper->n[problem])
        c->cycles = cycles;
}

/* The labels of what all the row's cases share. */
static void label_row(const ss_bench_group *g, const ss_settings *lists, ss_paper_row *row)
{
    ss_config cfg;
    ss_settings common = {.n = 0}, here = {.n = 0};
    bool valid = ss_bench_config(g, &g->cases[row->at[0]].set, &cfg, NULL) == SS_OK;
    for (int i = 0; i < lists->n; i++) {
        const ss_setting *s = &lists->at[i];
        bool applies = true;
        if (strchr(s->value, ','))
            continue;
        common.at[common.n++] = *s;
        if (s->optional && valid && !row->kind->shared)
            ss_param_find(&cfg, s->name, &applies);
        if (applies)
            here.at[here.n++] = *s;
    }
    ss_settings_label(&common, row->label, sizeof row->label);
    ss_settings_label(&here, row->here, sizeof row->here);
}

/* Here a row without cases of its own is one before of the same source, or of the same problem. */
static bool is_again(const ss_paper *p, const ss_paper_row *row)
{
    bool again = row->kind->once;
    for (const ss_paper_row *r = p->rows; r < row; r++)
        again = again || (r->problem == row->problem && strcmp(r->source, row->source) == 0);
    return again;
}

static int add_cases(ss_bench *b, ss_paper_row *row, const char *const f[FIELDS], ss_err *err)
{
    ss_settings lists, set;
    ss_bench_group *g = ss_bench_group_of(b, row->problem, 0);
    int ncase = g->ncase;
    if (settings(f[3], &lists, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; ss_settings_pick(&lists, i, &set); i++) {
        char label[sizeof g->cases->label], cycles[32];
        ss_settings_label(&set, label, sizeof label);
        append(&set, &b->paper->ways[0]);
        int at = place_case(g, row->kind, &set, label), known = 0;
        while (known < row->count && row->at[known] != at)
            known++;
        assert(known < SS_PAPER_LIST);
        row->at[known] = at;
        row->count += known == row->count;
        copy_one(f[g->goal.n > 0 ? 5 : 6], i, cycles, sizeof cycles);
        set_cycles(b, row->problem, &g->cases[at], atoll(cycles));
    }
    label_row(g, &lists, row);
    row->hidden = g->ncase == ncase && is_again(b->paper, row);
    return SS_OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

static int add_problem(ss_bench *b, const char *label, const ss_bench_group *g, int index,
                       ss_err *err)
{
    ss_paper *p = b->paper;
    const char *name = ss_bench_size_name(&g->cfg);
    ss_value asked = b->base.v[ss_param_find(&g->cfg, name, NULL)->slot];
    int64_t n = ss_config_given(&g->cfg, "sizes") ? 0 : ss_config_int(&g->cfg, name);
    assert(b->nproblem < SS_PAPER_PROBLEMS);
    snprintf(p->problems[b->nproblem], sizeof *p->problems, "%s", label);
    p->n[b->nproblem] = (double)n;
    p->index[b->nproblem] = index;
    b->groups[b->nproblem] = *g;
    return ss_bench_size(&b->groups[b->nproblem++], asked.set ? asked.i : n, err);
}

/* A list of sizes makes a problem per size, all of one name; --n selects one of them. Where the
 * paper has a single size, --n may be any. A problem that names the bench's own backend is left
 * out. */
static int read_problem(ss_bench *b, const char *const f[FIELDS], ss_err *err)
{
    ss_value asked = b->base.v[ss_param_find(&b->base, "n", NULL)->slot];
    ss_settings lists, set, second, goal;
    int before = b->nproblem;
    if (settings(f[2], &lists, err) != SS_OK || settings(f[3], &goal, err) != SS_OK)
        return SS_FAIL;
    bool several = ss_settings_pick(&lists, 1, &second);
    for (int i = 0; ss_settings_pick(&lists, i, &set); i++) {
        ss_bench_group *g = &b->groups[SS_GROUPS_MAX - 1]; /* too large for the stack */
        *g = (ss_bench_group){.solve = true, .set = set, .goal = goal, .cfg = b->base};
        if (ss_settings_apply(&set, &g->cfg, err) != SS_OK)
            return SS_FAIL;
        if (ss_settings_value(&set, "backend") && ss_config_backend(&g->cfg) == b->backend) {
            snprintf(b->paper->left, sizeof b->paper->left, "%s", f[1]);
            return SS_OK;
        }
        bool taken = !several || !asked.set || asked.i == ss_config_int(&g->cfg, "n");
        if (taken && add_problem(b, f[1], g, i, err) != SS_OK)
            return SS_FAIL;
    }
    return b->nproblem > before ? SS_OK
                                : ss_fail(err, "the paper has no n = %lld", (long long)asked.i);
}

static int read_way(ss_bench *b, const char *const f[FIELDS], ss_err *err)
{
    assert(b->nway < SS_PAPER_WAYS);
    snprintf(b->paper->way_names[b->nway], sizeof *b->paper->way_names, "%s", f[1]);
    return settings(f[2], &b->paper->ways[b->nway++], err);
}

/* Is a name in "a|b|c"? */
static bool is_in(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (;; list++) {
        size_t n = strcspn(list, "|");
        if (n == length && strncmp(list, name, n) == 0)
            return true;
        list += n;
        if (!*list)
            return false;
    }
}

static int read_row(ss_bench *b, const char *const f[FIELDS], ss_err *err)
{
    ss_paper *p = b->paper;
    const ss_bench_kind *kind = ss_paper_kind(f[0]);
    int before = p->nrow;
    for (int problem = 0; problem < b->nproblem && kind; problem++) {
        if (!is_in(f[2], p->problems[problem]))
            continue;
        assert(p->nrow < SS_PAPER_ROWS);
        ss_paper_row *row = &p->rows[p->nrow++];
        *row = (ss_paper_row){.kind = kind, .problem = problem};
        snprintf(row->source, sizeof row->source, "%s", f[1]);
        copy_one(f[4], p->index[problem], row->theirs, sizeof row->theirs);
        snprintf(row->further, sizeof row->further, "%s", f[5]);
        if (add_cases(b, row, f, err) != SS_OK)
            return SS_FAIL;
    }
    return p->nrow > before || (*p->left && is_in(f[2], p->left))
               ? SS_OK
               : ss_fail(err, "a line of an unknown kind or problem");
}

static int read_fields(ss_bench *b, const char *const f[FIELDS], ss_err *err)
{
    ss_paper *p = b->paper;
    const char *word = f[0];
    bool legend = strcmp(word, "legend") == 0;
    if (strcmp(word, "paper") == 0)
        p->ours = strcmp(f[1], p->name) == 0;
    if (strcmp(word, "paper") == 0 || !p->ours)
        return SS_OK;
    if (strcmp(word, "problem") == 0)
        return read_problem(b, f, err);
    if (strcmp(word, "way") == 0)
        return read_way(b, f, err);
    if (!legend && strcmp(word, "note") != 0)
        return read_row(b, f, err);
    int *n = legend ? &p->nlegend : &p->nnote;
    assert(*n < SS_PAPER_TEXTS);
    char *text = legend ? p->legend[(*n)++] : p->notes[(*n)++];
    snprintf(text, sizeof *p->notes, "%s", f[1]);
    return SS_OK;
}

static int read_line(ss_bench *b, const char *line, const char *end, ss_err *err)
{
    char text[1024];
    const char *f[FIELDS];
    for (int i = 0, n = 1; i < n; i++) {
        n = choose(line, end, i, text, sizeof text);
        split(text, f);
        if (read_fields(b, f, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* Makes the groups of the second way: the same cases with other settings. False: the settings make
 * no difference on this backend. */
static bool add_way(ss_bench *b)
{
    bool differs = false;
    for (int i = 0; i < b->nproblem; i++) {
        const ss_bench_group *first = ss_bench_group_of(b, i, 0);
        ss_bench_group *g = ss_bench_group_of(b, i, 1);
        *g = *first;
        for (int j = 0; j < g->ncase; j++) {
            ss_settings *set = &g->cases[j].set;
            set->n -= b->paper->ways[0].n;
            append(set, &b->paper->ways[1]);
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
    if (b->nway < 2 || !add_way(b))
        b->nway = 1;
    return SS_OK;
}
