/* The tables and the slots of the parameter rows: see registry.h. Constant after init. */
#include "src/core/registry.h"

#include <assert.h>
#include <string.h>

#include "src/core/options.h"

const ss_equation *const *ss_equations;
const ss_solver *const *ss_solvers;
const ss_backend *const *ss_backends;
static const ss_matrix_cell *matrix;
static size_t ncell;

/* The reason for a combination that the matrix does not list. */
/* Why the solver does not divide the equation's domain, or NULL. */
static const char *domain_reason(const ss_equation *eq, const ss_solver *solver)
{
    return eq->patches ? solver->no_patches : solver->no_box;
}

static const char *default_reason(const ss_equation *eq, const ss_solver *solver)
{
    static const char *const kinds[SS_NKIND] = {
        [SS_STEADY] = "the solver steps in time, and this equation is steady",
        [SS_TRANSIENT] = "the solver iterates to a steady solution, and this equation is transient",
    };
    const char *domain = domain_reason(eq, solver);
    if (solver->kind != eq->kind)
        return kinds[eq->kind];
    return domain ? domain : "this combination has not been built";
}

/* A cell without an equation holds for all equations of its solver's kind and domain. */
static bool is_cell(const ss_matrix_cell *c, const ss_equation *eq, const ss_solver *solver,
                    const ss_backend *backend)
{
    bool all = !c->eq && solver->kind == eq->kind && !domain_reason(eq, solver);
    return (all || c->eq == eq) && c->solver == solver && c->backend == backend;
}

const ss_engine_ops *ss_matrix(const ss_equation *eq, const ss_solver *solver,
                               const ss_backend *backend, const char **why)
{
    for (size_t i = 0; i < ncell; i++)
        if (is_cell(&matrix[i], eq, solver, backend)) {
            if (why)
                *why = matrix[i].why;
            return matrix[i].ops;
        }
    if (why)
        *why = default_reason(eq, solver);
    return NULL;
}

/* --- rows and slots ----------------------------------------------------------------------------
 */

#define GROUP_MAX 64
#define ROW_MAX 192
#define LIST_MAX 96

static ss_row_group groups[GROUP_MAX];
static int ngroup;
static const ss_param *unique[ROW_MAX]; /* the first row of each name; index: slot */
static int nunique;
static const char *const *list[LIST_MAX]; /* distinct lists of choices */
static int nlist;

const char *ss_equation_names[SS_TABLE_MAX], *ss_equation_titles[SS_TABLE_MAX];
const char *ss_solver_names[SS_TABLE_MAX], *ss_solver_titles[SS_TABLE_MAX];
const char *ss_backend_names[SS_TABLE_MAX] = {"auto"};
const char *ss_backend_titles[SS_TABLE_MAX] = {"the fastest available"};

static void add_rows(ss_param *rows, int n, const char *owner)
{
    assert(ngroup < GROUP_MAX);
    groups[ngroup++] = (ss_row_group){rows, n, owner};
}

void ss_registry_add(ss_param *rows, int n)
{
    add_rows(rows, n, NULL);
}

static const char *owner_name(const ss_row_group *g)
{
    return g->owner ? g->owner : "the program";
}

/* A row with the name of row i of group g, in an earlier group or earlier in g. */
static const ss_param *earlier_row(const ss_row_group *of, int g, int i, int *owner)
{
    const char *name = of[g].rows[i].name;
    for (*owner = 0; *owner <= g; ++*owner)
        for (int k = 0; k < (*owner < g ? of[*owner].n : i); k++)
            if (strcmp(of[*owner].rows[k].name, name) == 0)
                return &of[*owner].rows[k];
    return NULL;
}

int ss_rows_agree(const ss_row_group *of, int n, ss_err *err)
{
    for (int g = 0; g < n; g++)
        for (int i = 0; i < of[g].n; i++) {
            int owner;
            const ss_param *row = &of[g].rows[i], *other = earlier_row(of, g, i, &owner);
            if (other && other->type != row->type)
                return ss_fail(err,
                               "the parameter %s is %s for %s and %s for %s: give one of them "
                               "another name",
                               row->name, ss_type_name(other->type), owner_name(&of[owner]),
                               ss_type_name(row->type), owner_name(&of[g]));
        }
    return SS_OK;
}

static bool same_list(const char *const *a, const char *const *b)
{
    for (; *a && *b && strcmp(*a, *b) == 0; a++)
        b++;
    return !*a && !*b;
}

/* Numbers of lists start at 1. */
static int list_number(const char *const *choices)
{
    for (int i = 0; i < nlist; i++)
        if (same_list(list[i], choices))
            return i + 1;
    assert(nlist < LIST_MAX);
    list[nlist++] = choices;
    return nlist;
}

const char *ss_param_choice(int number, int64_t i)
{
    const char *const *choices = number > 0 && number <= nlist ? list[number - 1] : NULL;
    for (int64_t k = 0; choices && choices[k]; k++)
        if (k == i)
            return choices[k];
    return NULL;
}

static void assign_slot(ss_param *row)
{
    row->symbol = row->symbol ? row->symbol : row->name;
    row->unit = row->unit ? row->unit : "";
    if (row->type == SS_CHOICE)
        row->list = list_number(row->choices);
    for (int i = 0; i < nunique; i++)
        if (strcmp(unique[i]->name, row->name) == 0) {
            row->slot = i;
            return;
        }
    assert(nunique < SS_SLOTS);
    row->slot = nunique;
    unique[nunique++] = row;
}

/* Adds the rows of engine ops; a table shared by several combinations is added once. */
static void add_ops_rows(void)
{
    for (size_t i = 0; i < ncell; i++) {
        const ss_engine_ops *ops = matrix[i].ops;
        bool known = !ops || !ops->nparam;
        for (int g = 0; g < ngroup && !known; g++)
            known = groups[g].rows == ops->params;
        if (!known)
            add_rows(ops->params, ops->nparam, matrix[i].solver->name);
    }
}

int ss_registry_init(const ss_tables *tables, ss_err *err)
{
    ss_row_group late[GROUP_MAX];
    int nlate = ngroup;
    if (nunique)
        return SS_OK;
    ss_equations = tables->equations;
    ss_solvers = tables->solvers;
    ss_backends = tables->backends;
    matrix = tables->matrix;
    ncell = tables->ncell;
    memcpy(late, groups, sizeof late);
    ngroup = 0;
    ss_registry_add(ss_common_rows, ss_ncommon);
    for (int i = 0; ss_equations[i]; i++) {
        ss_equation_names[i] = ss_equations[i]->name;
        ss_equation_titles[i] = ss_equations[i]->title;
        add_rows(ss_equations[i]->params, ss_equations[i]->nparam, ss_equations[i]->name);
    }
    for (int i = 0; ss_solvers[i]; i++) {
        ss_solver_names[i] = ss_solvers[i]->name;
        ss_solver_titles[i] = ss_solvers[i]->title;
        add_rows(ss_solvers[i]->params, ss_solvers[i]->nparam, ss_solvers[i]->name);
    }
    for (int i = 0; ss_backends[i]; i++) {
        ss_backend_names[i + 1] = ss_backends[i]->name;
        ss_backend_titles[i + 1] = ss_backends[i]->title;
    }
    add_ops_rows();
    ss_registry_add(ss_option_rows, ss_noption);
    for (int i = 0; i < tables->ngroup; i++)
        ss_registry_add(tables->groups[i].rows, tables->groups[i].n);
    for (int i = 0; i < nlate; i++)
        ss_registry_add(late[i].rows, late[i].n);
    for (int g = 0; g < ngroup; g++)
        for (int i = 0; i < groups[g].n; i++)
            assign_slot(&groups[g].rows[i]);
    ss_config_default(ss_options());
    return ss_rows_agree(groups, ngroup, err);
}

int ss_param_count(void)
{
    return nunique;
}

const ss_param *ss_param_row(int i)
{
    return unique[i];
}

/* Do these rows of engine ops apply to the config? While the backend is `auto`, any backend counts.
 * *of_ops: the rows belong to engine ops at all. */
static bool ops_apply(const ss_config *cfg, const ss_param *rows, bool *of_ops)
{
    const ss_backend *backend = ss_config_backend(cfg);
    *of_ops = false;
    for (size_t i = 0; i < ncell; i++) {
        if (!matrix[i].ops || matrix[i].ops->params != rows)
            continue;
        *of_ops = true;
        if (matrix[i].eq == ss_config_equation(cfg) && matrix[i].solver == ss_config_solver(cfg) &&
            (!backend || matrix[i].backend == backend))
            return true;
    }
    return false;
}

void ss_param_declared(const ss_param *row,
                       void (*fn)(const ss_param *row, const char *owner, void *ctx), void *ctx)
{
    for (int g = 0; g < ngroup; g++)
        for (int i = 0; i < groups[g].n; i++)
            if (groups[g].rows[i].slot == row->slot)
                fn(&groups[g].rows[i], groups[g].owner ? groups[g].owner : "", ctx);
}

/* A group applies unless it belongs to another equation, another solver or other engine ops. */
static bool group_applies(const ss_config *cfg, const ss_param *rows)
{
    const ss_equation *eq = ss_config_equation(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    bool of_ops;
    if (rows == eq->params || rows == solver->params || ops_apply(cfg, rows, &of_ops))
        return true;
    if (of_ops)
        return false;
    for (int i = 0; ss_equations[i]; i++)
        if (rows == ss_equations[i]->params)
            return false;
    for (int i = 0; ss_solvers[i]; i++)
        if (rows == ss_solvers[i]->params)
            return false;
    return true;
}

/* Does the row apply to the dimension and the kind of the equation? */
static bool row_applies(const ss_config *cfg, const ss_param *row)
{
    const ss_equation *eq = ss_config_equation(cfg);
    unsigned not_here = eq->dim > 1 ? 0 : SS_P_PLANE;
    not_here |= eq->kind == SS_STEADY ? SS_P_TRANSIENT : SS_P_STEADY;
    return !(row->flags & not_here);
}

void ss_param_each(const ss_config *cfg, void (*fn)(const ss_param *row, void *ctx), void *ctx)
{
    for (int g = 0; g < ngroup; g++)
        if (group_applies(cfg, groups[g].rows))
            for (int i = 0; i < groups[g].n; i++)
                if (row_applies(cfg, &groups[g].rows[i]))
                    fn(&groups[g].rows[i], ctx);
}

static bool is_among(const ss_param *row, const ss_param *rows, int n)
{
    return n > 0 && row >= rows && row < rows + n;
}

bool ss_param_is_own(const ss_config *cfg, const ss_param *row)
{
    const ss_equation *eq = ss_config_equation(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    const ss_backend *backend = ss_config_backend(cfg);
    const ss_engine_ops *ops = backend ? ss_matrix(eq, solver, backend, NULL) : NULL;
    return is_among(row, eq->params, eq->nparam) || is_among(row, solver->params, solver->nparam) ||
           (ops && is_among(row, ops->params, ops->nparam));
}

bool ss_param_matters(const ss_param *row)
{
    const char *group = row->group ? row->group : "";
    return !(row->flags & SS_P_APP) && strcmp(group, "Machine") != 0 &&
           strcmp(group, "Limits") != 0;
}

const ss_param *ss_param_find(const ss_config *cfg, const char *name, bool *applies)
{
    const ss_param *elsewhere = NULL;
    for (int g = 0; g < ngroup; g++) {
        bool here = group_applies(cfg, groups[g].rows);
        for (int i = 0; i < groups[g].n; i++) {
            if (strcmp(groups[g].rows[i].name, name) != 0)
                continue;
            if (here && row_applies(cfg, &groups[g].rows[i])) {
                if (applies)
                    *applies = true;
                return &groups[g].rows[i];
            }
            elsewhere = elsewhere ? elsewhere : &groups[g].rows[i];
        }
    }
    if (applies)
        *applies = false;
    return elsewhere;
}
