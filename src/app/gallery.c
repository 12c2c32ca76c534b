/* The pictures of the gallery's cards. `make pictures` computes each with a small run and writes
 * them all to assets/data/pictures.txt, in the form that src/snapshot/page.h describes; the screen
 * only draws them. See cli.h. Main thread. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/app/parts.h"
#include "src/base/text.h"
#include "src/core/command.h"
#include "src/core/settings.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/engine/lane.h"
#include "src/lesson/document.h"
#include "src/run/reference.h"
#include "src/snapshot/page.h"
#include "ui/scene/plot.h"
#include "ui/view/view.h"

enum {
    PLANE = 64,       /* points across */
    PLANE_MOST = 128, /* with blocks */
    LINE = 1024,
    EDGE = 64,      /* cells along an edge of a volume */
    BLOCKS = 4,     /* as many show how they differ from each other */
    ITERATIONS = 8, /* between two states, at least */
    STATES = 24     /* computed states of a plane; the last one is the picture */
};
#define SECONDS_SHOWN 6  /* seconds at the equation's pace, for a run without an end */
#define UPDATES_MOST 4e6 /* point updates between two states, at most */

typedef struct card {
    ss_config cfg;
    int runs; /* side by side; the picture shows the first */
    ss_layer layer;
    ss_run *run;
    int w, h, states;
    float cell[SS_CARD_COLS * SS_CARD_ROWS]; /* w*h; a line's newest state is row 0 */
    uint8_t owner[SS_CARD_COLS * SS_CARD_ROWS];
} card;

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* --- the small run ---------------------------------------------------------------------------- */

static void set_points(ss_config *cfg, const ss_param *row, int64_t value)
{
    cfg->v[row->slot] = (ss_value){.i = value, .set = true};
}

/* Fewer points across, if the run has more; blocks are smaller only where four would not fit. */
static void shrink(ss_config *cfg)
{
    bool applies;
    ss_problem p = ss_config_problem(cfg);
    const ss_param *n = ss_param_find(cfg, "n", &applies);
    if (!n || !applies)
        return;
    const ss_param *block = ss_param_find(cfg, "block", &applies);
    int64_t has = ss_config_value(cfg, n).i;
    int64_t across = block && applies ? ss_config_value(cfg, block).i : 0;
    int64_t want = p.dim == 1 ? LINE : p.dim > 2 ? EDGE : PLANE;
    if (p.dim == 2 && BLOCKS * across > want)
        want = PLANE_MOST;
    if (has <= want)
        return;
    if (2 * across > want)
        set_points(cfg, block, want / BLOCKS);
    if (has % 2 && want % 2 == 0) /* the grids of multigrid */
        want--;
    set_points(cfg, n, want);
}

static void set_layer(const char *name, card *c)
{
    for (int i = 0; i < SS_NLAYER; i++)
        if (strcmp(ss_layer_labels[i].name, name) == 0)
            c->layer = (ss_layer)i;
}

/* Only those commands matter that choose the run, its parameters and the layer. */
static int read_commands(const char *commands, card *c, ss_err *err)
{
    ss_goal g = {.runs = 0};
    char layer[32] = "";
    ss_config_default(&g.cfg);
    while (*commands) {
        char line[SS_CMD_TEXT];
        ss_cmd cmd;
        size_t n = strcspn(commands, ";");
        snprintf(line, sizeof line, "%.*s", (int)n, commands);
        commands += n + (commands[n] == ';');
        g.layer = NULL;
        if (ss_cmd_parse(line, &cmd, err) != SS_OK ||
            (cmd.verb && ss_goal_take(&g, &cmd, err) != SS_OK))
            return SS_FAIL;
        if (g.layer)
            snprintf(layer, sizeof layer, "%s", g.layer);
    }
    c->cfg = g.cfg;
    c->runs = g.runs;
    set_layer(layer, c);
    return c->runs ? SS_OK : ss_fail(err, "it goes on with the run that is open");
}

/* --- states ----------------------------------------------------------------------------------- */

static void shape(card *c)
{
    const ss_problem *p = &c->run->problem;
    double aspect = (double)p->nx / p->ny;
    bool line = p->dim == 1;
    c->w = least(p->nx, line ? SS_CARD_COLS : (int)fmin(SS_CARD_COLS, SS_CARD_ROWS * aspect));
    c->h = line ? 0 : least(p->ny, (int)fmin(SS_CARD_ROWS, SS_CARD_COLS / aspect));
    c->states = line ? SS_CARD_ROWS : STATES;
}

/* A line's state becomes a new row above the others. */
static int sample(card *c, ss_err *err)
{
    bool line = c->run->problem.dim == 1;
    int rows = line ? 1 : c->h;
    ss_view view = {.layer = c->layer,
                    .axis = 2,
                    .slice = -1,
                    .w = c->w,
                    .h = rows,
                    .probe_x = -1,
                    .probe_y = -1,
                    .tile_x = -1,
                    .tile_y = -1,
                    .exact = true};
    ss_picture p = {.cell = c->cell, .owner = c->owner, .w = c->w, .h = rows};
    if (line)
        memmove(c->cell + c->w, c->cell, sizeof *c->cell * (size_t)(c->w * c->h++));
    return c->run->backend->sample(c->run, &view, &p, err);
}

/* The simulated time of the last state; 0: the run is steady. */
static double end_of(const card *c)
{
    const ss_equation *eq = c->run->eq;
    if (eq->kind != SS_TRANSIENT)
        return 0;
    double end = ss_config_given(&c->cfg, "until-time") ? ss_config_real(&c->cfg, "until-time") : 0;
    return end > 0 ? end : SECONDS_SHOWN * (eq->pace > 0 ? eq->pace : 1);
}

/* A time-dependent run's states lie at equal steps of time. */
static int advance(card *c, int state, ss_err *err)
{
    ss_run *run = c->run;
    const ss_problem *p = &run->problem;
    int per = run->iterations_per_cycle > 1 ? run->iterations_per_cycle : 1;
    double cost = (double)p->nx * p->ny * p->nz * per, spent = 0;
    double end = end_of(c), goal = end * state / (c->states - 1);
    if (end == 0)
        return ss_run_step(run, (ITERATIONS + per - 1) / per, err);
    while (run->status == SS_RUNNING && run->time < goal * (1 - 1e-9) && spent < UPDATES_MOST) {
        if (ss_run_step(run, 1, err) != SS_OK)
            return SS_FAIL;
        spent += cost;
    }
    return SS_OK;
}

/* All states; those that have diverged are not shown. */
static int compute(card *c, ss_err *err)
{
    int status = sample(c, err);
    for (int i = 1; i < c->states && status == SS_OK && c->run->status == SS_RUNNING; i++) {
        status = advance(c, i, err);
        if (status == SS_OK && c->run->status != SS_DIVERGED)
            status = sample(c, err);
    }
    return status;
}

static int needs_reference(card *c, ss_err *err)
{
    char notice[200];
    bool needed = c->layer == SS_ERROR || c->layer == SS_EXACT;
    if (!needed || c->run->eq->kind == SS_TRANSIENT)
        return SS_OK;
    c->run->reference = ss_reference_start(c->run, false, notice, sizeof notice, err);
    return c->run->reference ? SS_OK : SS_FAIL;
}

static int open_card(const char *commands, card *c, ss_err *err)
{
    if (read_commands(commands, c, err) != SS_OK)
        return SS_FAIL;
    shrink(&c->cfg);
    if (ss_config_set(&c->cfg, "backend", "cpu", err) != SS_OK ||
        ss_config_set(&c->cfg, "threads", "1", err) != SS_OK ||
        ss_config_check(&c->cfg, NULL, err) != SS_OK)
        return SS_FAIL;
    c->run = ss_run_open(&c->cfg, NULL, NULL, err);
    const char *why = c->run ? ss_no_layer(c->run, c->layer) : NULL;
    return why ? ss_fail(err, "%s", why) : c->run ? SS_OK : SS_FAIL;
}

/* --- text ------------------------------------------------------------------------------------- */

static ss_range range_of(const card *c)
{
    double lo = INFINITY, hi = -INFINITY;
    int n = c->w * c->h, sweeps = c->run->iterations_per_cycle;
    for (int i = 0; i < n; i++)
        lo = fmin(lo, (double)c->cell[i]), hi = fmax(hi, (double)c->cell[i]);
    if (c->layer == SS_AGE && hi > 0)
        return (ss_range){0, sweeps > 1 ? sweeps : 1, true, false};
    if (!ss_layer_labels[c->layer].log)
        return ss_range_linear_fit(lo, hi, false);
    return ss_range_log_fit(ss_range_peak(c->cell, (size_t)n, hi), SS_RANGE_DECADES);
}

static void write_head(FILE *out, const char *key, const card *c, const ss_range *r)
{
    const ss_problem *p = &c->run->problem;
    fprintf(out, "= %s %s %d %d %d %d ", key, ss_layer_labels[c->layer].name, p->dim, r->sign, c->w,
            r->valid ? c->h : 0);
    if (!r->valid)
        fputs(ss_layer_zero_words(c->layer), out);
    fprintf(out, r->valid ? "%d" : " · %d", p->nx);
    if (p->dim > 1)
        fprintf(out, "×%d", p->ny);
    if (p->dim > 2)
        fprintf(out, "×%d", p->nz);
    fputs(" points", out);
    if (c->runs > 1)
        fprintf(out, ", the first of %d runs", c->runs);
    fputc('\n', out);
}

static void write_cells(FILE *out, const card *c, const ss_range *r)
{
    bool log_scale = ss_layer_labels[c->layer].log;
    for (int i = 0; r->valid && i < c->w * c->h; i++) {
        double at = ss_range_at(r, log_scale, (double)c->cell[i]);
        fputc(SS_CARD_ZERO + (int)(at * SS_CARD_TOP + 0.5), out);
        if ((i + 1) % c->w == 0)
            fputc('\n', out);
    }
}

static void write_card(FILE *out, const char *key, const char *commands)
{
    ss_err err = {0};
    card c = {.layer = SS_VALUE};
    if (open_card(commands, &c, &err) == SS_OK)
        shape(&c);
    if (c.w > 0 && needs_reference(&c, &err) == SS_OK && compute(&c, &err) == SS_OK) {
        ss_range r = range_of(&c);
        write_head(out, key, &c, &r);
        write_cells(out, &c, &r);
    } else {
        fprintf(out, "= %s value 0 0 0 0 %s\n", key, err.text);
    }
    ss_run_close(c.run);
}

/* --- the cards -------------------------------------------------------------------------------- */

static void write_presets(FILE *out)
{
    const char *text = ss_embed_text("assets/data/presets.txt");
    while (text && *text) {
        char name[32], commands[640], key[48];
        if (sscanf(text, "%31[^ |#\n] | %*[^|\n] | %*[^|\n] | %639[^\n]", name, commands) == 2) {
            snprintf(key, sizeof key, "preset/%s", name);
            write_card(out, key, commands);
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

/* The commands of a lesson's first scenario, separated by ';'; "" if it has none. */
static void scenario_of(const ss_lesson *l, char *buf, size_t size)
{
    size_t n = 0;
    buf[0] = '\0';
    for (int k = 0; k < l->nstep && n == 0; k++) {
        const ss_script *s = &l->step[k].commands[SS_L_SCENARIO];
        for (int c = 0; c < s->count && n + 1 < size; c++) {
            char line[SS_CMD_TEXT];
            n += (size_t)snprintf(buf + n, size - n, "%s%s", c ? "; " : "",
                                  ss_cmd_format(s->cmd[c], line, sizeof line));
        }
    }
}

static void write_lessons(FILE *out)
{
    const struct ss_embed *e;
    for (int i = 0; (e = ss_lesson_embedded(i)) != NULL; i++) {
        ss_err err;
        char key[48], commands[1024];
        ss_lesson *l = ss_lesson_parse(e->name, (const char *)e->data, e->size, &err);
        if (!l)
            continue;
        snprintf(key, sizeof key, "lesson/%.*s", (int)strspn(l->name, "0123456789"), l->name);
        scenario_of(l, commands, sizeof commands);
        write_card(out, key, commands);
        ss_lesson_free(l);
    }
}

void ss_docs_pictures(FILE *out)
{
    fputs("# The pictures of the gallery's cards, by `make pictures`: see src/snapshot/page.h\n",
          out);
    write_presets(out);
    write_lessons(out);
}
