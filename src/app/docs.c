/* Help and list, and the description of a row in words, from the tables: see cli.h. */
#include "src/app/cli.h"

#include <string.h>

#include "src/base/text.h"
#include "src/core/registry.h"
#include "src/snapshot/race.h"

const ss_subcommand ss_subcommands[] = {
    {.name = "list", .help = "which solver runs which equation on which backend, and why not"},
    {.name = "bench",
     .help = "this machine's limits, and the fraction of them that each solver reaches",
     .any_equation = true},
    {.name = "map",
     .help = "a table of cycles, time or error over lists of up to two parameters",
     .axes = true},
    {.name = "race",
     .help = "two to six runs of one problem side by side: race 'EQUATION SOLVER ...' ...",
     .min_runs = 2,
     .max_runs = SS_RACE_MAX},
    {.name = "serve",
     .help = "a run in a browser: prints the address of its page (--ui web)",
     .ui = "web"},
    {.name = "lesson",
     .help = "lessons: predict, run, explain; lint, grade, new, reset, words",
     .words = true},
    {.name = "kernels",
     .help = "compiled CUDA kernels: list, clear, fill for any GPU",
     .words = true},
    {.name = NULL},
};

const ss_subcommand *ss_subcommand_find(const char *name)
{
    for (const ss_subcommand *c = ss_subcommands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

/* --- one row in words ----------------------------------------------------------------------------
 */

/* "1024, 1023 for multigrid": the defaults of solvers that do not take every number of points. */
static const char *add_solvers(const ss_param *row, char *buf, size_t size)
{
    for (int s = 0; ss_solvers[s]; s++) {
        size_t n = strlen(buf);
        if (ss_solvers[s]->nearest_points)
            snprintf(buf + n, size - n, ", %lld for %s",
                     (long long)ss_solvers[s]->nearest_points((int64_t)row->def),
                     ss_solvers[s]->name);
    }
    return buf;
}

const char *ss_docs_default(const ss_param *row, char *buf, size_t size)
{
    ss_value v = {.s = row->def_text};
    if (row->type == SS_REAL_T || row->type == SS_DURATION)
        v.d = row->def;
    else if (row->type != SS_STRING && row->type != SS_FILE)
        v.i = (int64_t)row->def;
    if (row->follows)
        snprintf(buf, size, "as %s", row->follows);
    else if (row->def_text)
        snprintf(buf, size, "%s", row->def_text);
    else
        ss_param_format(row, v, buf, size);
    return row->flags & SS_P_POINTS ? add_solvers(row, buf, size) : buf;
}

/* Commands are short options; every other row is a long one. */
const char *ss_docs_dashes(const ss_param *row)
{
    return strlen(row->name) == 1 && (row->flags & SS_P_REPEAT) ? "-" : "--";
}

/* "1...1024", "f64|f32", "FILE" */
const char *ss_docs_values(const ss_param *row, char *buf, size_t size)
{
    static const char *const words[SS_NTYPE] = {
        [SS_BOOL] = "on|off", [SS_STRING] = "TEXT", [SS_FILE] = "FILE", [SS_SIZE] = "BYTES"};
    size_t n = 0;
    *buf = '\0';
    if (row->type == SS_CHOICE)
        for (int i = 0; row->choices[i] && n < size; i++)
            n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? "|" : "", row->choices[i]);
    else if (words[row->type])
        snprintf(buf, size, "%s", words[row->type]);
    else if (row->max >= 1e15)
        snprintf(buf, size, "%.10g or more%s%s", row->min, *row->unit ? " " : "", row->unit);
    else
        snprintf(buf, size, "%.10g\xe2\x80\xa6%.10g%s%s", row->min, row->max, *row->unit ? " " : "",
                 row->unit);
    return buf;
}

static void print_row(const ss_param *row, FILE *out)
{
    char values[200], def[80], left[300];
    ss_docs_values(row, values, sizeof values);
    ss_docs_default(row, def, sizeof def);
    if (row->type == SS_CHOICE || row->type == SS_STRING || row->type == SS_FILE ||
        row->type == SS_BOOL)
        snprintf(left, sizeof left, "%s%s %s", ss_docs_dashes(row), row->name, values);
    else
        snprintf(left, sizeof left, "%s%s N", ss_docs_dashes(row), row->name);
    fprintf(out, "  %-28s %s", left, row->help);
    if (strchr(left, ' ') && strcmp(strrchr(left, ' '), " N") == 0)
        fprintf(out, "; %s", values);
    if (*def)
        fprintf(out, " [%s]", def);
    fprintf(out, "\n");
}

/* --- help ----------------------------------------------------------------------------------------
 */

typedef struct group_ctx {
    const char *seen[24];
    int n;
} group_ctx;

static void note_group(const ss_param *row, void *ctx)
{
    group_ctx *c = ctx;
    const char *group = row->group ? row->group : "Other";
    for (int i = 0; i < c->n; i++)
        if (strcmp(c->seen[i], group) == 0)
            return;
    if (c->n < 24)
        c->seen[c->n++] = group;
}

typedef struct print_ctx {
    const char *group;
    FILE *out;
} print_ctx;

static void print_if_in_group(const ss_param *row, void *ctx)
{
    print_ctx *c = ctx;
    if (strcmp(row->group ? row->group : "Other", c->group) == 0)
        print_row(row, c->out);
}

static void print_help(const ss_config *cfg, bool chosen, FILE *out)
{
    group_ctx groups = {.n = 0};
    const ss_equation *eq = ss_config_equation(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    fprintf(out, "Usage: stencilscope [EQUATION [SOLVER]] [options]\n"
                 "Watch communication-avoiding stencil solvers work, live; turn k, block size and "
                 "overlap.\n\n");
    for (const ss_subcommand *c = ss_subcommands; c->name; c++)
        fprintf(out, "       stencilscope %-10s %s\n", c->name, c->help);
    fprintf(out, "\nEquations:\n");
    for (int i = 0; ss_equations[i]; i++)
        fprintf(out, "  %-14s %s\n", ss_equations[i]->name, ss_equations[i]->help);
    fprintf(out, "Solvers:\n");
    for (int i = 0; ss_solvers[i]; i++)
        fprintf(out, "  %-14s %s\n", ss_solvers[i]->name, ss_solvers[i]->help);
    fprintf(out, "\nOptions of %s with the solver %s%s:\n", eq->name, solver->name,
            chosen ? "" : " (name others to see theirs)");
    ss_param_each(cfg, note_group, &groups);
    for (int g = 0; g < groups.n; g++) {
        print_ctx c = {groups.seen[g], out};
        fprintf(out, "%s\n", groups.seen[g]);
        ss_param_each(cfg, print_if_in_group, &c);
    }
    fprintf(out, "\n  %-28s the run of a shared link, whose commands may only compute\n",
            "--link 'WORDS'");
    fprintf(out, "  %-28s this text; with EQUATION SOLVER, theirs\n  %-28s the version\n",
            "-h, --help", "-V, --version");
    fprintf(out,
            "On a screen a run keeps up to 64 copies of its field, for rewind: 64 MB, or ten of "
            "them if these are\nmore.\n");
    fprintf(out, "Exit status: 0 done, 1 failed, diverged, stagnated or --until missed, 2 usage, "
                 "130 interrupted.\n");
}

void ss_docs_help(const char *command, const ss_config *cfg, bool chosen, FILE *out)
{
    char name[64];
    snprintf(name, sizeof name, "assets/help/%s.txt", command ? command : "");
    const char *own = ss_embed_text(name);
    if (own)
        fputs(own, out);
    else
        print_help(cfg, chosen, out);
}

/* --- the matrix ----------------------------------------------------------------------------------
 */

void ss_docs_cell(const ss_equation *eq, const ss_solver *solver, char *buf, size_t size,
                  const char **why)
{
    size_t n = 0;
    *buf = '\0';
    *why = NULL;
    for (int b = 0; ss_backends[b]; b++) {
        const char *reason;
        if (ss_matrix(eq, solver, ss_backends[b], &reason))
            n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? " " : "", ss_backends[b]->name);
        else
            *why = reason;
    }
}

void ss_docs_list(FILE *out)
{
    char text[64];
    const char *why;
    fprintf(out, "%-14s", "");
    for (int s = 0; ss_solvers[s]; s++)
        fprintf(out, " %-14s", ss_solvers[s]->name);
    fprintf(out, "\n");
    for (int e = 0; ss_equations[e]; e++) {
        fprintf(out, "%-14s", ss_equations[e]->name);
        for (int s = 0; ss_solvers[s]; s++) {
            ss_docs_cell(ss_equations[e], ss_solvers[s], text, sizeof text, &why);
            fprintf(out, " %-14s", *text ? text : "-");
        }
        fprintf(out, "\n");
    }
    for (int e = 0; ss_equations[e]; e++)
        for (int s = 0; ss_solvers[s]; s++) {
            ss_docs_cell(ss_equations[e], ss_solvers[s], text, sizeof text, &why);
            if (why)
                fprintf(out, "%s %s: %s\n", ss_equations[e]->name, ss_solvers[s]->name, why);
        }
    fprintf(out, "\nBackends:\n");
    for (int b = 0; ss_backends[b]; b++) {
        ss_err reason;
        bool there = ss_backends[b]->probe(&reason) == SS_OK;
        fprintf(out, "  %-12s %s%s%s\n", ss_backends[b]->name, ss_backends[b]->title,
                there ? "" : "; not here: ", there ? "" : reason.text);
    }
}
