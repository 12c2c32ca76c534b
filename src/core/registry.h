/*
 * The tables: equations, solvers, backends, the matrix of valid combinations, and every parameter
 * row. src/app/tables.c passes them to ss_registry_init once, before any thread starts; everything
 * is constant afterwards.
 */
#ifndef SS_REGISTRY_H
#define SS_REGISTRY_H

#include "src/base/common.h"
#include "src/core/backend.h"
#include "src/core/equation.h"
#include "src/core/param.h"
#include "src/core/solver.h"

/* One combination: the engine ops that run it, or the reason why there are none. */
typedef struct ss_matrix_cell {
    const ss_equation *eq; /* NULL: all equations of the solver's kind */
    const ss_solver *solver;
    const ss_backend *backend;
    const ss_engine_ops *ops; /* NULL: does not run; why has the reason */
    const char *why;
} ss_matrix_cell;

/* Parameter rows with one owner. */
typedef struct ss_row_group {
    ss_param *rows;
    int n;
    const char *owner; /* the equation's or solver's name; NULL: common rows or program options */
} ss_row_group;

typedef struct ss_tables {
    const ss_equation *const *equations; /* these three NULL-terminated */
    const ss_solver *const *solvers;
    const ss_backend *const *backends;
    const ss_matrix_cell *matrix;
    size_t ncell;
    const ss_row_group *groups; /* rows of the subcommands */
    int ngroup;
} ss_tables;

/* Rows of a front end, declared by it; call before ss_registry_init. */
void ss_registry_add(ss_param *rows, int n);
/* A second call does nothing. Fails, with a sentence, if the rows do not agree. */
int ss_registry_init(const ss_tables *tables, ss_err *err);
/* Checks that rows of one name have one type, since values are carried from row to row by name. */
int ss_rows_agree(const ss_row_group *groups, int n, ss_err *err);

/* NULL-terminated. */
extern const ss_equation *const *ss_equations;
extern const ss_solver *const *ss_solvers;
extern const ss_backend *const *ss_backends;

/* Names and titles in the same order, as choices of the rows `equation`, `solver`, `backend` (whose
 * first choice is `auto`); filled by ss_registry_init. */
#define SS_TABLE_MAX 16
extern const char *ss_equation_names[SS_TABLE_MAX], *ss_equation_titles[SS_TABLE_MAX];
extern const char *ss_solver_names[SS_TABLE_MAX], *ss_solver_titles[SS_TABLE_MAX];
extern const char *ss_backend_names[SS_TABLE_MAX], *ss_backend_titles[SS_TABLE_MAX];

/* The solver if none is given: the one that the equation prefers, else the table's default. */
int64_t ss_equation_solver(const ss_equation *eq);

/* Engine ops of a combination, or NULL; *why (may be NULL) then has the reason. */
const ss_engine_ops *ss_matrix(const ss_equation *eq, const ss_solver *solver,
                               const ss_backend *backend, const char **why);

/* Is there a backend on which the solver runs with the equation? */
bool ss_runs_somewhere(const ss_equation *eq, const ss_solver *solver);

/* Choice i of a list of choices (ss_param.list), NULL: there is none. */
const char *ss_param_choice(int list, int64_t i);

/* Every row once (rows of the same name count once), common ones first. */
int ss_param_count(void);
const ss_param *ss_param_row(int i);
/* Calls fn for every row with the name of `row`, and with the name of the equation or solver that
 * declares it ("": a common row). */
void ss_param_declared(const ss_param *row,
                       void (*fn)(const ss_param *row, const char *owner, void *ctx), void *ctx);
/* The row of that name that applies to the config; otherwise the first of that name in any group
 * (*applies = false), or NULL. applies may be NULL. */
const ss_param *ss_param_find(const ss_config *cfg, const char *name, bool *applies);
/* The rows that apply to a config, one after the other: common, equation's, solver's, options.
 *     for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) != NULL;) */
typedef struct ss_param_walk {
    const ss_config *cfg;
    int group, row; /* the next one */
} ss_param_walk;
const ss_param *ss_param_next(ss_param_walk *w);
/* Is the row declared by the equation, the solver or the engine ops of the config, and not common
 * to all runs? */
bool ss_param_is_own(const ss_config *cfg, const ss_param *row);
/* Does the row affect the result of a cycle? Machine rows and limits do not. */
bool ss_param_matters(const ss_param *row);

/* --- configs ---------------------------------------------------------------------------------- */

void ss_config_default(ss_config *cfg);
/* Do rows differ that apply to one of two configs, among those that count (NULL: all)? *flags gets
 * the flags of all that do; it may be NULL. */
bool ss_config_differ(const ss_config *a, const ss_config *b, bool (*counts)(const ss_param *row),
                      unsigned *flags);
/* The value of a row that was given, as text, if it is not the default; else NULL. */
const char *ss_config_unusual(const ss_config *cfg, const ss_param *row, char *buf, size_t size);
/* Takes back the limits that were given. */
void ss_config_unlimit(ss_config *cfg);
const ss_equation *ss_config_equation(const ss_config *cfg);
const ss_solver *ss_config_solver(const ss_config *cfg);
/* NULL while the choice is `auto`; ss_config_check resolves that. */
const ss_backend *ss_config_backend(const ss_config *cfg);
/* Sets a row by name from text; type and static range only. Unknown names suggest the nearest. */
int ss_config_set(ss_config *cfg, const char *name, const char *text, ss_err *err);
/* The same for a row that need not apply to the config. */
int ss_config_put(ss_config *cfg, const ss_param *row, const char *text, ss_err *err);
/* As ss_config_set, but refuses the program's own options. */
int ss_config_set_of_run(ss_config *cfg, const char *name, const char *text, ss_err *err);
/* Marks the row as not given. */
int ss_config_unset(ss_config *cfg, const char *name, ss_err *err);
/* Was a given solver replaced because the new equation does not run with it? Writes a sentence. */
bool ss_config_dropped(const ss_config *before, const ss_config *now, ss_err *notice);
/* Gives the rows of SS_P_POINTS that are not given the numbers nearest to their defaults that
 * `solver` takes: when a run is described, before ss_config_check. A running one keeps its grid. */
void ss_config_fit_points(ss_config *cfg, const ss_solver *solver);
/* Does a row that now applies use its default because it cannot hold the value given to another row
 * of its name? Writes a sentence. */
bool ss_config_unheld(const ss_config *before, const ss_config *now, ss_err *notice);
/* Was the row given a value that it can hold? */
bool ss_config_has(const ss_config *cfg, const ss_param *row);
/* The value in force of a row: set, followed or default. A value that was given to another row of
 * the same name counts as not given if this row cannot hold it. Choices are carried by name. */
ss_value ss_config_value(const ss_config *cfg, const ss_param *row);
/* The range in force; *why (may be NULL) gets the bound in words, or NULL. That text is valid until
 * this thread calls the function again. */
void ss_config_range(const ss_config *cfg, const ss_param *row, double *lo, double *hi,
                     const char **why);
/* The track of a row's slider; it includes the present value. */
void ss_config_track(const ss_config *cfg, const ss_param *row, ss_track *out);
/* Checks all values together: the matrix, dependent ranges, the solver's own check, memory.
 * Resolves backend auto; notice (may be NULL) gets a sentence if it falls back to another backend.
 * On failure err has one sentence with the valid range. */
int ss_config_check(ss_config *cfg, ss_err *notice, ss_err *err);
/* Bytes of the fields a config allocates. */
double ss_config_bytes(const ss_config *cfg);
/* The rows that a front end shows for this config, in order. Returns their number. */
int ss_config_controls(const ss_config *cfg, const ss_param **out, int max);
/* The choices of a CHOICE row that are valid for this config, as a bit mask. */
uint32_t ss_config_choices(const ss_config *cfg, const ss_param *row);

int ss_processors(void); /* those that this process may use; without OpenMP, one */

/* --- common rows and options ------------------------------------------------------------------ */

/*
 * Rows that belong to no equation and no solver: the common rows of every run, and the program's
 * own options (files, front end). main fills one config with the options' values before any thread
 * starts; afterwards only the main thread reads and changes it.
 */

enum { SS_ROW_EQUATION, SS_ROW_SOLVER, SS_ROW_BACKEND }; /* the first of ss_common_rows */
extern ss_param ss_common_rows[];
extern const int ss_ncommon;
extern ss_param ss_option_rows[];
extern const int ss_noption;

/* Values of the program's own options: ss_config_text(ss_options(), "theme"). */
ss_config *ss_options(void);

#endif
