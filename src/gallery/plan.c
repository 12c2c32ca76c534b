/* The small run behind a card: see plan.h. */
#include "src/gallery/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/command.h"
#include "src/core/open.h"
#include "src/core/registry.h"

enum {
    PLANE = 64,       /* points across */
    PLANE_MOST = 128, /* with blocks */
    LINE = 1024,
    EDGE = 64,      /* of a volume */
    BLOCKS = 4,     /* as many show how they differ from each other */
    ITERATIONS = 8, /* between two states, at least */
    STATES = 24
};
#define SECONDS_SHOWN 6 /* of a run without an end */

/* --- commands --------------------------------------------------------------------------------- */

/* What a list of commands opens. */
typedef struct reading {
    int runs;
    char solvers[120]; /* of a race: "jacobi, sor, cg" */
} reading;

static void add_solver(const ss_cmd *cmd, reading *r)
{
    size_t n = strlen(r->solvers);
    if (cmd->argc > 1 && !strchr(cmd->arg[1], '='))
        snprintf(r->solvers + n, sizeof r->solvers - n, "%s%s", n ? ", " : "", cmd->arg[1]);
    r->runs++;
}

/* Only those commands matter that choose the run and its parameters. */
static int apply(const ss_cmd *cmd, ss_card_plan *p, reading *r, ss_err *err)
{
    switch (cmd->row ? (int)cmd->row->id : -1) {
    case SS_VERB_OPEN:
        add_solver(cmd, r);
        return ss_open_words(cmd, &p->cfg, err);
    case SS_VERB_ADD:
        add_solver(cmd, r);
        return SS_OK;
    case SS_VERB_SET:
        return ss_config_set_of_run(&p->cfg, cmd->arg[0], cmd->arg[1], err);
    default:
        return SS_OK;
    }
}

static int read_commands(const char *commands, ss_card_plan *p, ss_err *err)
{
    reading r = {.runs = 0};
    while (*commands) {
        char line[SS_CMD_TEXT];
        ss_cmd cmd;
        size_t n = strcspn(commands, ";");
        snprintf(line, sizeof line, "%.*s", (int)n, commands);
        commands += n + (commands[n] == ';');
        if (ss_cmd_parse(line, &cmd, err) != SS_OK)
            return SS_FAIL;
        if (cmd.verb && apply(&cmd, p, &r, err) != SS_OK)
            return SS_FAIL;
    }
    if (r.runs > 1)
        return ss_fail(err, "%d runs side by side: %s", r.runs, r.solvers);
    return r.runs ? SS_OK : ss_fail(err, "it goes on with the run that is open");
}

/* --- size ------------------------------------------------------------------------------------- */

static double points_of(const ss_config *cfg)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    return (double)p.nx * (p.dim > 1 ? p.ny : 1) * (p.dim > 2 ? p.nz : 1);
}

/* "16,777,216" */
static void grouped(double v, char *buf, size_t size)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%.0f", v);
    size_t at = 0;
    for (int i = 0; i < n && at + 2 < size; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            buf[at++] = ',';
        buf[at++] = digits[i];
    }
    buf[at] = '\0';
}

static int too_large(const ss_config *cfg, ss_err *err)
{
    char n[48];
    grouped(points_of(cfg), n, sizeof n);
    return ss_fail(err, "%s points: too large for a small picture", n);
}

/* Fewer points across, if the run has more; blocks keep their size, and there are several. */
static int shrink(ss_config *cfg, ss_err *err)
{
    bool applies;
    ss_problem p;
    ss_config_problem(cfg, &p);
    const ss_param *n = ss_param_find(cfg, "n", &applies);
    if (!n || !applies)
        return p.dim > 2 && points_of(cfg) > EDGE * EDGE * EDGE ? too_large(cfg, err) : SS_OK;
    const ss_param *block = ss_param_find(cfg, "block", &applies);
    int64_t has = ss_config_value(cfg, n).i;
    int64_t across = block && applies ? ss_config_value(cfg, block).i : 0;
    int64_t want = p.dim == 1 ? LINE : p.dim > 2 ? EDGE : PLANE;
    if (p.dim == 2 && BLOCKS * across > want)
        want = PLANE_MOST;
    if (has <= want)
        return SS_OK;
    if (2 * across > want)
        return too_large(cfg, err);
    if (has % 2 && want % 2 == 0) /* the grids of multigrid */
        want--;
    cfg->v[n->slot] = (ss_value){.i = want, .set = true};
    return SS_OK;
}

/* --- the film --------------------------------------------------------------------------------- */

static void plan_film(int rows, ss_card_plan *p)
{
    const ss_equation *eq = ss_config_equation(&p->cfg);
    const ss_solver *solver = ss_config_solver(&p->cfg);
    ss_problem problem;
    ss_config_problem(&p->cfg, &problem);
    int per = solver->iterations_per_cycle ? solver->iterations_per_cycle(&p->cfg, &problem) : 1;
    p->states = problem.dim == 1 ? rows : STATES;
    p->cycles = per >= ITERATIONS || per < 1 ? 1 : (ITERATIONS + per - 1) / per;
    p->points = points_of(&p->cfg);
    if (eq->kind != SS_TRANSIENT)
        return;
    double end = ss_config_given(&p->cfg, "until-time") ? ss_config_real(&p->cfg, "until-time") : 0;
    p->until = end > 0 ? end : SECONDS_SHOWN * (eq->pace > 0 ? eq->pace : 1);
}

int ss_card_plan_make(const char *commands, const ss_config *machine, int rows, ss_card_plan *out,
                      ss_err *err)
{
    *out = (ss_card_plan){.states = 0};
    ss_open_default(machine, &out->cfg);
    if (read_commands(commands, out, err) != SS_OK || shrink(&out->cfg, err) != SS_OK ||
        ss_open_beside(&out->cfg, "no small picture", err) != SS_OK ||
        ss_config_check(&out->cfg, NULL, err) != SS_OK)
        return SS_FAIL;
    plan_film(rows, out);
    return SS_OK;
}
