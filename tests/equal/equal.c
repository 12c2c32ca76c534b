/* See equal.h. */
#include "tests/equal/equal.h"

#include <unistd.h>

#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/state.h"
#include "kernels/mpi/inner.h"
#include "src/run/checkpoint.h"
#include "src/run/paint.h"
#include "tests/windows.h"

enum { TEXT = 1024, SLABS = 8 };

typedef struct side {
    ss_run *run;
    const ss_run *other; /* run a, for run b */
    const char *settings;
    int which; /* FIELD or START: what is compared */
    char *copy;
    ss_run then; /* when `copy` was made */
} side;

/* --- alternatives ----------------------------------------------------------------------------- */

/* The one of the alternatives x|y| that `index` chooses; returns the place behind them. */
static const char *take_alternative(const char *from, char close, int index, char **to)
{
    for (; *from != close; from++)
        if (*from == '|')
            index--;
        else if (index == 0)
            *(*to)++ = *from;
    return from + 1;
}

static int count_alternatives(const char *from, char close)
{
    int count = 1;
    for (; *from != close; from++)
        count += *from == '|';
    return count;
}

/* Replaces {x|y} by what the digits of `index` choose. Returns how many choices there are; *turn:
 * the sum of the digits. */
static int combine(const char *from, int index, char *to, int *turn)
{
    int choices = 1;
    *turn = 0;
    while (*from)
        if (*from == '{') {
            int count = count_alternatives(++from, '}'), digit = index / choices % count;
            from = take_alternative(from, '}', digit, &to);
            choices *= count;
            *turn += digit;
        } else
            *to++ = *from++;
    *to = '\0';
    return choices;
}

/* Replaces [x|y] by the alternative whose turn it is. */
static void take_turns(const char *from, int turn, char *to)
{
    while (*from)
        if (*from == '[') {
            int count = count_alternatives(++from, ']');
            from = take_alternative(from, ']', turn % count, &to);
        } else
            *to++ = *from++;
    *to = '\0';
}

/* --- runs ------------------------------------------------------------------------------------- */

/* So many slabs: devices 0,0,0, or as many of CHECK_DEVICES in turn. */
static void list_devices(int count, char *to, size_t size)
{
    const char *asked = getenv("CHECK_DEVICES");
    int number[SLABS] = {0}, n = 0, at = 0;
    for (; asked && *asked && n < SLABS; asked += *asked == ',')
        number[n++] = (int)strtol(asked, (char **)&asked, 10);
    for (int i = 0; i < count; i++)
        at += snprintf(to + at, size - (size_t)at, "%s%d", i ? "," : "", number[n ? i % n : 0]);
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
}

static void set_row(ss_config *cfg, const char *name, const char *value, const char *what)
{
    char devices[4 * SLABS];
    ss_err err = {0};
    if (strcmp(name, "instructions") == 0) {
        ss_isa_limit((ss_isa)atoi(value));
        return;
    }
    if (strcmp(name, "slabs") == 0) {
        list_devices(atoi(value), devices, sizeof devices);
        name = "devices";
        value = devices;
    }
    CHECK_MSG(ss_config_set(cfg, name, value, &err) == SS_OK, "%s: %s", what, err.text);
}

static void set_rows(ss_config *cfg, const char *settings)
{
    char text[TEXT], *rest = text;
    snprintf(text, sizeof text, "%s", settings);
    for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;)
        set_row(cfg, name, strtok_r(rest, " ", &rest), settings);
}

/* NULL: this GPU is too old for the settings. */
static ss_run *open_side(const char *settings, const char *backend)
{
    ss_config cfg;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    set_rows(&cfg, settings);
    if (!strstr(settings, "backend ") && !strstr(settings, "ranks "))
        set_row(&cfg, "backend", backend, settings);
    if (ss_config_equation(&cfg)->kind == SS_STEADY && !strstr(settings, "until "))
        set_row(&cfg, "until", "0", settings);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s: %s", settings, err.text);
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    bool old = strstr(err.text, "compute capability") || strstr(err.text, "clusters need");
    CHECK_MSG(run || old, "%s: %s", settings, err.text);
    if (run)
        run->stop_at_tol = true;
    return run;
}

static size_t bytes_of(const ss_run *run)
{
    return cells_of(run) * (size_t)run->problem.nfield * ss_prec_size(run->prec);
}

/* All fields, dense. */
static char *dense(ss_run *run, int which)
{
    const ss_problem *p = &run->problem;
    size_t plane = (size_t)p->nx * (size_t)p->ny * ss_prec_size(run->prec);
    char *out = calloc(1, bytes_of(run)), *to = out;
    for (int f = 0; f < p->nfield; f++)
        for (int k = 0; k < p->nz; k++, to += plane)
            CHECK_INT(run->backend->download(run, which, f, k, 0, p->ny, to, NULL), SS_OK);
    return out;
}

/* --- random fields ---------------------------------------------------------------------------- */

static void put_random(ss_run *run, int which, uint64_t seed, double shift)
{
    double *u = malloc(cells_of(run) * sizeof *u);
    for (size_t c = 0; c < cells_of(run); c++)
        u[c] = ss_random_unit(seed, c) + shift;
    set_window(run, which, u);
    free(u);
}

/* --- steps ------------------------------------------------------------------------------------ */

static void do_cycles(side *s, const char *count)
{
    step_run(s->run, atoll(count));
}

/* Noise may diverge, and the bits agree all the same. */
static void do_unchecked(side *s, const char *count)
{
    CHECK_INT(s->run->ops->step(s->run, atoll(count), NULL), SS_OK);
}

/* Each pauses after it, with its norm. */
static void do_paused(side *s, const char *count)
{
    for (int64_t left = atoll(count); left > 0; left--) {
        step_run(s->run, 1);
        CHECK_INT(ss_run_settle(s->run, NULL), SS_OK);
    }
}

/* As many iterations as run a has done. */
static void do_like(side *s, const char *rest)
{
    int64_t left = s->other->iteration - s->run->iteration;
    (void)rest;
    CHECK_INT(left % s->run->iterations_per_cycle, 0);
    int64_t cycles = left / s->run->iterations_per_cycle;
    bool steady = s->run->eq->kind == SS_STEADY;
    CHECK_INT(steady ? ss_run_step(s->run, cycles, NULL) : s->run->ops->step(s->run, cycles, NULL),
              SS_OK);
}

/* In other parts than the other run. */
static void do_end(side *s, const char *rest)
{
    ss_err err = {0};
    (void)rest;
    while (s->run->status == SS_RUNNING)
        CHECK_MSG(ss_run_step(s->run, s->other ? 100 : 333, &err) == SS_OK, "%s: %s", s->settings,
                  err.text);
}

static void do_go(side *s, const char *rest)
{
    (void)rest;
    s->run->tol = 0;
    s->run->status = SS_RUNNING;
}

static void do_finish(side *s, const char *count)
{
    CHECK_INT(s->run->ops->finish(s->run, atoi(count), NULL), SS_OK);
}

static void do_set(side *s, const char *row)
{
    char name[64];
    int n = 0;
    CHECK(sscanf(row, "%63s %n", name, &n) == 1);
    change_run(s->run, name, row + n);
}

static void do_reset(side *s, const char *rest)
{
    (void)rest;
    CHECK_INT(ss_run_reset(s->run, NULL), SS_OK);
}

static void do_keep(side *s, const char *rest)
{
    (void)rest;
    free(s->copy);
    s->then = *s->run;
    s->copy = ss_field_download(s->run);
    CHECK(s->copy != NULL);
}

static void do_back(side *s, const char *rest)
{
    (void)rest;
    CHECK_INT(ss_field_upload(s->run, s->copy, NULL), SS_OK);
    ss_run_return(s->run, &s->then);
    s->run->status = SS_RUNNING;
}

/* After another cycle. */
static void do_load(side *s, const char *rest)
{
    char folder[CHECK_FOLDER], path[CHECK_FOLDER + 16];
    (void)rest;
    snprintf(path, sizeof path, "%s/field.npy", check_folder(folder));
    CHECK_INT(ss_run_save(s->run, path, NULL), SS_OK);
    step_run(s->run, 1);
    CHECK_INT(ss_run_load(s->run, path, NULL), SS_OK);
    unlink(path);
    rmdir(folder);
}

static void do_settle(side *s, const char *rest)
{
    (void)rest;
    CHECK_INT(ss_run_settle(s->run, NULL), SS_OK);
}

/* What is computed lies in the other buffer. */
static void do_peek(side *s, const char *count)
{
    int last = s->run->ticks_per_cycle;
    int ticks = strcmp(count, "last") == 0           ? last
                : strcmp(count, "last but one") == 0 ? last - 1
                                                     : atoi(count);
    CHECK_INT(s->run->ops->peek(s->run, ticks, NULL), SS_OK);
    s->which = START;
}

static void do_start(side *s, const char *rest)
{
    (void)rest;
    CHECK_MSG(!s->other || s->run->start_kept == s->other->start_kept,
              "%s: the start is kept by one", s->settings);
    s->which = s->run->start_kept ? START : FIELD;
}

static void do_abandon(side *s, const char *count)
{
    atomic_bool abandon = true;
    s->run->abandon = &abandon;
    CHECK_INT(ss_run_step(s->run, atoll(count), NULL), SS_OK);
    CHECK_INT(s->run->status, SS_RUNNING);
    s->run->abandon = NULL;
}

static void do_paint(side *s, const char *where)
{
    char line[128];
    ss_cmd cmd;
    ss_dab dab;
    ss_err err = {0};
    snprintf(line, sizeof line, "paint %s", where);
    CHECK_MSG(ss_cmd_parse(line, &cmd, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_dab_parse(s->run, &cmd, &dab, &err) == SS_OK &&
                  ss_dab_apply(s->run, &dab, &err) == SS_OK,
              "%s: %s", line, err.text);
    ss_run_disturbed(s->run);
}

/* With f = 0 a missing right-hand side would go unnoticed. */
static void do_rhs(side *s, const char *rest)
{
    (void)rest;
    put_random(s->run, RHS, 5, -0.5);
}

static void do_noise(side *s, const char *rest)
{
    (void)rest;
    if (s->run->eq->kind == SS_TRANSIENT)
        set_fields(s->run, noise);
    else
        put_random(s->run, FIELD, 17, 0);
}

static void do_stores(side *s, const char *how)
{
    ((ss_cpu_state *)s->run->state)->stream = strcmp(how, "stream") == 0;
}

static void do_seldom(side *s, const char *rest)
{
    (void)rest;
    s->run->seldom = true;
}

static const struct {
    const char *word;
    void (*act)(side *s, const char *rest);
    bool compared; /* afterwards, where both runs have the same steps */
} acts[] = {
    {"unchecked", do_unchecked, true},
    {"paused", do_paused, true},
    {"like", do_like, false},
    {"end", do_end, true},
    {"go", do_go, false},
    {"finish", do_finish, true},
    {"set", do_set, false},
    {"reset", do_reset, false},
    {"keep", do_keep, false},
    {"back", do_back, false},
    {"load", do_load, true},
    {"settle", do_settle, false},
    {"peek", do_peek, true},
    {"start", do_start, true},
    {"abandon", do_abandon, true},
    {"paint", do_paint, true},
    {"rhs", do_rhs, false},
    {"noise", do_noise, false},
    {"stores", do_stores, false},
    {"seldom", do_seldom, false},
};

/* Carries out a step. True if the fields are to be compared then. */
static bool act(side *s, const char *step)
{
    size_t length = strcspn(step, " ");
    s->which = FIELD;
    if (strspn(step, "0123456789") == length) {
        do_cycles(s, step);
        return true;
    }
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strlen(acts[i].word) == length && strncmp(acts[i].word, step, length) == 0) {
            acts[i].act(s, step + length + (step[length] == ' '));
            return acts[i].compared;
        }
    CHECK_MSG(false, "no step '%s'", step);
    return false;
}

/* --- comparing -------------------------------------------------------------------------------- */

static double value_of(const ss_run *run, const char *u, size_t i)
{
    return run->prec == SS_F64 ? ((const double *)(const void *)u)[i]
                               : (double)((const float *)(const void *)u)[i];
}

/* Cells outside patches are NaN, of any bits. Returns the first value that differs; n: none. */
static size_t first_difference(const side *a, const char *u, const side *b, const char *v, size_t n)
{
    size_t i = 0;
    for (; i < n; i++) {
        double x = value_of(a->run, u, i), y = value_of(b->run, v, i);
        if (memcmp(&x, &y, sizeof x) != 0 && !(isnan(x) && isnan(y)))
            break;
    }
    return i;
}

static void check_bound(const side *a, const char *u, const side *b, const char *v, size_t n,
                        double bound)
{
    double most = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
        double x = value_of(a->run, u, i), y = value_of(b->run, v, i);
        CHECK_INT(isnan(x), isnan(y));
        most = isnan(x) ? most : fmax(most, fabs(x - y));
        largest = isnan(x) ? largest : fmax(largest, fabs(x));
    }
    CHECK_MSG(most <= bound * largest, "%s: differs by %g of %g", a->settings, most, largest);
}

/* Norms of the same iterate; each equation scales its own. */
static void check_norms(const ss_run *a, const ss_run *b, bool bits, const char *what)
{
    bool known = a->eq == b->eq && a->residual_cycle >= 0 && b->residual_cycle >= 0;
    if (!known ||
        a->residual_cycle * a->iterations_per_cycle != b->residual_cycle * b->iterations_per_cycle)
        return;
    double bound = bits ? 0 : 1e-12 * b->residual;
    CHECK_MSG(fabs(a->residual - b->residual) <= bound, "%s: |r| is %.17g, not %.17g", what,
              a->residual, b->residual);
}

/* Both have the same steps. */
static void check_counters(const ss_run *a, const ss_run *b, const char *what)
{
    CHECK_MSG(a->iteration == b->iteration && a->step == b->step && a->status == b->status,
              "%s: iteration %lld, status %d, not %lld, %d", what, (long long)a->iteration,
              (int)a->status, (long long)b->iteration, (int)b->status);
}

static void compare(const equal_row *row, side *a, side *b, const char *what)
{
    size_t n = bytes_of(a->run) / ss_prec_size(a->run->prec);
    CHECK_INT((long long)(bytes_of(b->run) / ss_prec_size(b->run->prec)), (long long)n);
    char *u = dense(a->run, a->which), *v = dense(b->run, b->which);
    size_t at = first_difference(a, u, b, v, n), shown = at < n ? at : 0;
    if (row->kind == EQUAL_NEAR)
        check_bound(a, u, b, v, n, row->bound);
    else if (row->kind == EQUAL_NOT)
        CHECK_MSG(at < n, "%s: no difference", what);
    else {
        CHECK_MSG(at == n, "%s, cycle %lld: value %zu is %.17g, not %.17g", what,
                  (long long)a->run->cycle, at, value_of(a->run, u, shown),
                  value_of(b->run, v, shown));
        check_norms(a->run, b->run, row->kind == EQUAL_NORM, what);
    }
    if (!row->b)
        check_counters(a->run, b->run, what);
    free(u);
    free(v);
}

static void all_steps(side *s, char *steps)
{
    for (char *step; (step = strtok_r(steps, ",", &steps)) != NULL;)
        act(s, step + strspn(step, " "));
}

static void same_steps(const equal_row *row, side *a, side *b, char *steps, const char *what)
{
    for (char *step; (step = strtok_r(steps, ",", &steps)) != NULL;) {
        step += strspn(step, " ");
        bool compared = act(a, step + (*step == '!'));
        if (*step != '!')
            act(b, step);
        if (compared)
            compare(row, a, b, what);
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Cuts the steps from the settings. NULL: there are none. */
static char *cut_steps(char *text)
{
    char *colon = strchr(text, ':');
    if (!colon)
        return NULL;
    *colon = '\0';
    return colon + 1;
}

static void close_side(side *s)
{
    free(s->copy);
    ss_run_close(s->run);
}

/* text: both, a and b, with newlines between them. */
static void check_case(const equal_row *row, char *text)
{
    char what[TEXT], settings[2][TEXT], *rest = text;
    snprintf(what, sizeof what, "%s", text);
    char *both = strtok_r(rest, "\n", &rest), *a = strtok_r(rest, "\n", &rest), *b = rest;
    char *steps_a = cut_steps(a), *steps_b = cut_steps(b);
    CHECK_MSG(steps_a, "%s: no steps", what);
    snprintf(settings[0], TEXT, "%s %s", both, a);
    snprintf(settings[1], TEXT, "%s %s", both, b);
#ifdef SS_GPU_TESTS
    const char *backend = "cuda";
#else
    const char *backend = "cpu";
#endif
    side x = {.settings = settings[0], .run = open_side(settings[0], backend)};
    if (!x.run)
        return;
    if (row->b)
        all_steps(&x, steps_a);
    side y = {.settings = settings[1], .run = open_side(settings[1], "cpu"), .other = x.run};
    CHECK(y.run != NULL);
    if (!row->b)
        same_steps(row, &x, &y, steps_a, what);
    else if (steps_b)
        all_steps(&y, steps_b);
    else
        do_like(&y, "");
    compare(row, &x, &y, what);
    ss_isa_limit(SS_NISA - 1);
    close_side(&x);
    close_side(&y);
}

/* Rows of the GPU need one, rows of ranks the rank program. */
static void need_backend(const equal_row *first)
{
    char path[1100];
    ss_err err = {0};
    if (strstr(first->a, "ranks ") && ss_job_program(path, sizeof path, &err) != SS_OK)
        SKIP("%s", err.text);
#ifdef SS_GPU_TESTS
    ss_err why;
    ss_tables_init();
    for (int i = 0; ss_backends[i]; i++)
        if (strcmp(ss_backends[i]->name, "cuda") == 0 && ss_backends[i]->probe(&why) != SS_OK)
            SKIP("%s", why.text);
#endif
}

void equal_check(const equal_row *rows, int n)
{
    need_backend(rows);
    for (const equal_row *row = rows; row < rows + n; row++) {
        char all[TEXT], text[TEXT], combined[TEXT];
        int turn, choices = 1;
        CHECK(snprintf(all, TEXT, "%s\n%s\n%s", row->both, row->a, row->b ? row->b : "") < TEXT);
        for (int i = 0; i < choices; i += CHECK_SANITIZED ? 5 : 1) {
            choices = combine(all, i, combined, &turn);
            take_turns(combined, turn, text);
            check_case(row, text);
        }
    }
}
