/*
 * The tables: equations, solvers, backends, the matrix of what runs on what, and every parameter
 * row. Which exist is said by src/app/tables.c, which passes them to ss_registry_init once, before
 * any thread starts; everything is constant afterwards.
 */
#ifndef SS_REGISTRY_H
#define SS_REGISTRY_H

#include "src/core/backend.h"
#include "src/base/common.h"
#include "src/core/equation.h"
#include "src/core/param.h"
#include "src/core/solver.h"

/* One combination: what runs it, or the reason why nothing does. */
typedef struct ss_matrix_cell {
    const ss_equation *eq; /* NULL: all of the solver's kind */
    const ss_solver *solver;
    const ss_backend *backend;
    const ss_engine_ops *ops; /* NULL: nothing, and why: */
    const char *why;
} ss_matrix_cell;

/* Parameter rows with one owner. */
typedef struct ss_row_group {
    ss_param *rows;
    int n;
    const char *owner; /* the equation's or solver's name; NULL: every run's, or the program's */
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
/* One name is one type everywhere: a value is carried from row to row by its name. */
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

/* The matrix. NULL where nothing exists; *why (may be NULL) then says the reason. */
const ss_engine_ops *ss_matrix(const ss_equation *eq, const ss_solver *solver,
                               const ss_backend *backend, const char **why);

/* Choice i of a list of choices (ss_param.list), NULL: there is none. */
const char *ss_param_choice(int list, int64_t i);

/* Every row once (rows of the same name count once), common ones first. */
int ss_param_count(void);
const ss_param *ss_param_row(int i);
/* Calls fn for every row of the name of `row`, wherever declared, with the name of the
 * equation or solver that declares it; "": it is every run's. */
void ss_param_declared(const ss_param *row,
                       void (*fn)(const ss_param *row, const char *owner, void *ctx), void *ctx);
/* The row of that name that applies to the config, or else the first of that name anywhere
 * (*applies = false), or NULL. applies may be NULL. */
const ss_param *ss_param_find(const ss_config *cfg, const char *name, bool *applies);
/* Calls fn for every row that applies to the config: common, equation's, solver's, options. */
void ss_param_each(const ss_config *cfg, void (*fn)(const ss_param *row, void *ctx), void *ctx);
/* Is the row declared by the equation, the solver or the step functions of the config, and not one
 * that every run has? */
bool ss_param_is_own(const ss_config *cfg, const ss_param *row);
/* Has the row a part in the numbers that come out, cycle for cycle? Machine and limits have not. */
bool ss_param_matters(const ss_param *row);

/* --- configs ---------------------------------------------------------------------------------- */

void ss_config_default(ss_config *cfg);
const ss_equation *ss_config_equation(const ss_config *cfg);
const ss_solver *ss_config_solver(const ss_config *cfg);
/* NULL while the choice is `auto`; ss_config_check resolves that. */
const ss_backend *ss_config_backend(const ss_config *cfg);
/* Sets a row by name from text; type and static range only. Unknown names suggest the nearest. */
int ss_config_set(ss_config *cfg, const char *name, const char *text, ss_err *err);
/* The same, but for what belongs to the program: that is refused. */
int ss_config_set_of_run(ss_config *cfg, const char *name, const char *text, ss_err *err);
/* As if it had never been given. */
int ss_config_unset(ss_config *cfg, const char *name, ss_err *err);
/* Did a solver that was asked for go because the equation does not run with it? Says so. */
bool ss_config_dropped(const ss_config *before, const ss_config *now, ss_err *say);
/* Does a row that now applies hold its default because the value given for another row of its name
 * does not fit it? Says which. */
bool ss_config_unheld(const ss_config *before, const ss_config *now, ss_err *say);
/* Was the row given a value that it can hold? */
bool ss_config_has(const ss_config *cfg, const ss_param *row);
/* The value in force of a row: set, followed or default. A value that was given to another row of
 * the same name and does not fit this one counts as not given; a choice is carried by its name. */
ss_value ss_config_value(const ss_config *cfg, const ss_param *row);
/* The range in force; *why (may be NULL) says what bounds it, or is NULL. It stands until this
 * thread asks for another one. */
void ss_config_range(const ss_config *cfg, const ss_param *row, double *lo, double *hi,
                     const char **why);
/* All values together: the matrix, ranges that depend on others, the solver's own check, memory.
 * Resolves backend auto; *say (may be NULL) gets the sentence if it had to fall back. One sentence
 * with the valid range on failure. */
int ss_config_check(ss_config *cfg, ss_err *say, ss_err *err);
/* Bytes of the fields a config allocates. */
double ss_config_bytes(const ss_config *cfg);
/* Which rows a front end shows for this config, in order. Returns how many. */
int ss_config_controls(const ss_config *cfg, const ss_param **out, int max);
/* The choices of a CHOICE row that can be taken now, as a bit mask. */
uint32_t ss_config_choices(const ss_config *cfg, const ss_param *row);

/* Ranges and notes of the common rows. */
void ss_range_threads(const ss_config *cfg, double *lo, double *hi, const char **why);
void ss_note_threads(const ss_config *cfg, char *buf, size_t size);
int ss_processors(void); /* this process may run on */

#endif
