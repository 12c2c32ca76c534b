/* The tables and the slots of the parameter rows: see registry.h. Constant after init. */
#include "src/core/registry.h"

#include <assert.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/system.h"

/* --- common rows and options ------------------------------------------------------------------ */

static const char *const precision_names[] = {"f64", "f32", NULL};
static const char *const precision_help[] = {"double", "single", NULL};
static const char *const ui_names[] = {"auto", "tui", "sdl", "text", "none", "web", NULL};
static const char *const ui_help[] = {"the best the terminal can do",
                                      "full-screen terminal",
                                      "window on the desktop",
                                      "append-only lines, for screen readers and logs; reads "
                                      "commands, one per line",
                                      "no front end: solve, report, exit",
                                      "page in a browser, served on this machine",
                                      NULL};
static const char *const theme_names[] = {"dark", "light", "projector", NULL};
static const char *const theme_help[] = {"dark background", "light background",
                                         "white, larger, more contrast: for a projector", NULL};

/* A frame is a row of ss_frames (ui/panels/frame.c), in the same order. */
static const char *const frame_names[] = {"app",     "figure", "field", "field+curve", "raster",
                                          "theatre", "cone",   "wipe",  "timeline",    NULL};
static const char *const frame_help[] = {"the whole screen",
                                         "pictures and curves with letters, for a paper",
                                         "the field alone",
                                         "the field and the residual",
                                         "the space-time diagram of a 1D run",
                                         "one cycle of a swept run: which block computes what",
                                         "one cycle of a block: how stale values spread",
                                         "two runs of a race in one field, and their difference",
                                         "the residual of the whole run",
                                         NULL};

static const char *const rank_devices[] = {"auto", "cpu", "gpu", NULL};
static const char *const rank_device_help[] = {
    "a GPU if each rank of every machine has one of its own, else CPU threads", "OpenMP threads",
    "one GPU for each rank", NULL};

static const char *const norm_names[] = {"max", "energy", NULL};
static const char *const norm_help[] = {
    "max|u - u*| / max|u*|",
    "square root of e'A e / u*'A u*, e = u - u*, where the matrix A is positive definite"};

#ifdef _OPENMP
#define THREADED true
#else
#define THREADED false
#endif

/* Those that this process may use. */
static int count_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    int allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    double quota = ceil(ss_cgroup_cores(SS_CGROUP_OWN, SS_CGROUP_ROOT));
    return quota >= 1 && quota < allowed ? (int)quota : allowed;
#else
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
#endif
}

int ss_processors(void)
{
    static atomic_int processors; /* asked for at every frame */
    int n = atomic_load_explicit(&processors, memory_order_relaxed);
    if (n == 0) {
        n = THREADED ? count_processors() : 1;
        atomic_store_explicit(&processors, n, memory_order_relaxed);
    }
    return n;
}

/* Range and note of the row `threads`. */
static void range_threads(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    (void)cfg;
    *lo = 0;
    *hi = THREADED ? 4 * ss_processors() : 1;
    *why = THREADED ? "four for each processor" : "this build has no OpenMP";
}

static void note_threads(const ss_config *cfg, char *buf, size_t size)
{
    (void)cfg;
    snprintf(buf, size, "%d processor%s", ss_processors(), ss_processors() == 1 ? "" : "s");
}

/* `equation`, `solver` and `backend` are choices among the registry's tables. */
// clang-format off
ss_param ss_common_rows[] = {
    {.name = "equation", .symbol = "equation", .unit = "", .group = "Problem", .type = SS_CHOICE,
     .help = "the equation to solve", .flags = SS_P_REOPEN, .choices = ss_equation_names,
     .choice_help = ss_equation_titles, .def = 1},
    {.name = "solver", .symbol = "solver", .unit = "", .group = "Method", .type = SS_CHOICE,
     .help = "the schedule: when and where points are updated", .key = "s",
     .flags = SS_P_LIVE | SS_P_CONTROL, .choices = ss_solver_names,
     .choice_help = ss_solver_titles, .def = 1},
    {.name = "backend", .symbol = "backend", .unit = "", .group = "Machine", .type = SS_CHOICE,
     .help = "the hardware that it runs on", .flags = SS_P_REOPEN, .choices = ss_backend_names,
     .choice_help = ss_backend_titles},
    {.name = "precision", .symbol = "precision", .unit = "", .group = "Problem",
     .type = SS_CHOICE, .help = "floating-point format of the field", .flags = SS_P_REOPEN,
     .choices = precision_names, .choice_help = precision_help},
    {.name = "seed", .symbol = "seed", .unit = "", .group = "Problem", .type = SS_INT,
     .help = "seed of all random numbers (splitmix64)", .flags = SS_P_RESET, .def = 1, .min = 0,
     .max = 9007199254740992.0, .step = 1},
    {.name = "threads", .symbol = "threads", .unit = "", .group = "Machine", .type = SS_INT,
     .help = "OpenMP threads of the CPU backend", .key = "n", .zero = "auto",
     .flags = SS_P_LIVE | SS_P_CONTROL, .def = 0, .min = 0, .max = 1024, .step = 1,
     .range = range_threads, .note = note_threads},
    {.name = "pin", .symbol = "pin", .unit = "", .group = "Machine", .type = SS_BOOL,
     .help = "bind each thread to a processor of its own", .flags = SS_P_LIVE},
    {.name = "ranks", .symbol = "ranks", .unit = "", .group = "Machine", .type = SS_INT,
     .help = "MPI ranks; given without a backend, it chooses mpi", .flags = SS_P_REOPEN, .def = 2,
     .min = 1, .max = 1024, .step = 1},
    {.name = "hosts", .symbol = "hosts", .unit = "", .group = "Machine", .type = SS_STRING,
     .help = "machines of the ranks, a list with commas; mpiexec reaches them by ssh",
     .flags = SS_P_REOPEN | SS_P_STARTS},
    {.name = "launcher", .symbol = "launcher", .unit = "", .group = "Machine", .type = SS_STRING,
     .help = "start the ranks with this command instead of mpiexec, as 'srun -n 4'",
     .flags = SS_P_REOPEN | SS_P_STARTS},
    {.name = "rank-device", .symbol = "rank device", .unit = "", .group = "Machine",
     .type = SS_CHOICE, .help = "what computes inside an MPI rank (GPUs: jacobi, shared)",
     .flags = SS_P_REOPEN, .choices = rank_devices, .choice_help = rank_device_help},
    {.name = "until", .symbol = "tolerance", .unit = "", .group = "Limits", .type = SS_REAL_T,
     .help = "stop when |r| <= TOL |r0|; with a screen the run holds there, and space goes on",
     .flags = SS_P_LIVE | SS_P_LOG | SS_P_STEADY, .def = 1e-4, .min = 0, .max = 1},
    {.name = "until-accuracy", .symbol = "accuracy", .unit = "", .group = "Limits",
     .type = SS_REAL_T, .zero = "none", .min = 0, .max = 1,
     .flags = SS_P_LIVE | SS_P_LOG | SS_P_STEADY,
     .help = "stop when max|u - ref| <= A max|ref|, ref being 4096 Jacobi iterations"},
    {.name = "until-error", .symbol = "error", .unit = "", .group = "Limits",
     .type = SS_REAL_T, .zero = "none", .min = 0, .max = 1,
     .flags = SS_P_LIVE | SS_P_LOG | SS_P_STEADY,
     .help = "stop when the error is E of u*, the exact solution of the discrete system"},
    {.name = "error-norm", .symbol = "error norm", .unit = "", .group = "Limits",
     .type = SS_CHOICE, .help = "the norm of --until-error", .choices = norm_names,
     .choice_help = norm_help, .flags = SS_P_LIVE | SS_P_STEADY},
    {.name = "cycles", .symbol = "cycles", .unit = "", .group = "Limits", .type = SS_INT,
     .help = "stop after this number of cycles", .flags = SS_P_LIVE, .min = 0,
     .max = 9007199254740992.0, .step = 1, .def_text = "no limit"},
    {.name = "until-time", .symbol = "time", .unit = "", .group = "Limits", .type = SS_REAL_T,
     .help = "stop at this simulated time, at the first step that reaches it",
     .flags = SS_P_LIVE | SS_P_TRANSIENT, .zero = "none", .min = 0, .max = 1e12},
    {.name = "seconds", .symbol = "seconds", .unit = "s", .group = "Limits",
     .type = SS_DURATION, .help = "stop after this solving time", .flags = SS_P_LIVE,
     .zero = "none", .min = 0, .max = 1e9},
    {.name = "check-every", .symbol = "check every", .unit = "cycles", .group = "Limits",
     .type = SS_INT, .zero = "auto",
     .help = "cycles between two residual checks; auto: few with jacobi, persistent, shared and "
             "async, which find the same last cycle, but each cycle near the floor of rounding, "
             "in f32 most of a run; each cycle with the others",
     .flags = SS_P_LIVE | SS_P_STEADY, .min = 0, .max = 1e9, .step = 1},
};
const int ss_ncommon = sizeof ss_common_rows / sizeof *ss_common_rows;

#define APP(NAME, GROUP, TYPE) .name = NAME, .symbol = NAME, .unit = "", .group = GROUP, .type = TYPE
ss_param ss_option_rows[] = {
    {APP("ui", "Front end", SS_CHOICE), .help = "front end", .flags = SS_P_APP,
     .choices = ui_names, .choice_help = ui_help},
    {APP("theme", "Front end", SS_CHOICE), .help = "colours of the front end", .flags = SS_P_APP,
     .choices = theme_names, .choice_help = theme_help},
    {APP("fps", "Front end", SS_REAL_T), .help = "frames drawn per second", .flags = SS_P_APP,
     .def = 20, .min = 1, .max = 120},
    {APP("deterministic", "Front end", SS_BOOL), .flags = SS_P_APP,
     .help = "nothing depends on the clock: wall-clock values are drawn as -"},
    {APP("e", "Commands", SS_STRING), .flags = SS_P_APP | SS_P_REPEAT,
     .help = "carry out a command, as -e 'set k 16'; may be repeated"},
    {APP("run", "Commands", SS_FILE), .flags = SS_P_APP | SS_P_REPEAT,
     .help = "carry out the commands of a file; - is standard input"},
    {APP("load", "Files", SS_FILE), .flags = SS_P_APP,
     .help = "start from this NumPy array, n and ny too, or continue from a saved state (.ckpt) "
             "with its settings"},
    {APP("rhs", "Files", SS_FILE), .flags = SS_P_APP,
     .help = "take the right-hand side b from this NumPy array, n and ny too"},
    {APP("save", "Files", SS_FILE), .flags = SS_P_APP,
     .help = "write the final field (.npy), or the state to continue from (.ckpt)"},
    {APP("overwrite", "Files", SS_BOOL), .flags = SS_P_APP,
     .help = "let the commands of a run file replace files that exist"},
    {APP("json", "Files", SS_FILE), .flags = SS_P_APP,
     .help = "write the result as one JSON object on one line; - is stdout and implies --ui none"},
    {APP("csv", "Files", SS_FILE), .flags = SS_P_APP,
     .help = "write the residual history, a row per check (--check-every 1: per cycle); with map: a row per cell, "
             "continuing an existing file"},
    {APP("record", "Recording", SS_FILE), .flags = SS_P_APP | SS_P_REPEAT,
     .help = "record the run: .mp4 .webm .gif .apng .png (one for each frame) or .cast (terminal); "
             "may be repeated, or a list with commas"},
    {APP("cycles-per-frame", "Recording", SS_INT), .flags = SS_P_APP, .def = 1, .min = 1,
     .max = 1e9, .step = 1,
     .help = "cycles between two frames of a recording (with a front end: by the clock, if not given)"},
    {APP("size", "Recording", SS_STRING), .flags = SS_P_APP,
     .help = "size of a recording, or of a figure without a front end: 1280x720 pixels; cells for "
             ".cast, as 120x40; a list has one size per recording"},
    {APP("caption", "Recording", SS_STRING), .flags = SS_P_APP,
     .help = "a line of text below the recorded pictures, and the title of .mp4, .webm and .cast"},
    {APP("frame", "Recording", SS_CHOICE), .flags = SS_P_APP, .choices = frame_names,
     .choice_help = frame_help, .help = "what recordings and figures show, with --ui none"},
    {APP("width", "Recording", SS_STRING), .flags = SS_P_APP,
     .help = "width of a figure with a frame, 88mm or 180mm (180mm); its height follows"},
    {APP("title", "Recording", SS_STRING), .flags = SS_P_APP,
     .help = "a title above the recorded pictures of a frame"},
    {APP("annotate", "Recording", SS_BOOL), .flags = SS_P_APP,
     .help = "figures and films: explain what they show, with lines to the places"},
    {APP("hold-tick", "Recording", SS_DURATION), .flags = SS_P_APP, .min = 0, .max = 60,
     .help = "show each subiteration of a tick in a recording for this time (seconds)"},
    {APP("hold-last", "Recording", SS_DURATION), .flags = SS_P_APP, .min = 0, .max = 3600,
     .help = "show the last state of a recording for this time (seconds)"},
    {APP("loop", "Recording", SS_INT), .flags = SS_P_APP, .zero = "endless", .min = 0,
     .max = 65535, .step = 1, .help = "number of times a .gif or .apng is played; 0: endless"},
    {APP("max-size", "Recording", SS_SIZE), .flags = SS_P_APP, .zero = "any", .min = 0,
     .max = 1e15, .help = "size limit of a .gif, as 4M: fewer colours, then fewer frames, until it fits"},
    {APP("export", "Recording", SS_FILE), .flags = SS_P_APP,
     .help = "draw the last state of the run as a figure: .svg, .pdf or .png"},
    {APP("error", "Files", SS_BOOL), .flags = SS_P_APP,
     .help = "compute u*, the exact solution of the discrete system, and report max|u - u*|"},
    {APP("accuracy", "Files", SS_BOOL), .flags = SS_P_APP,
     .help = "compute ref, 4096 Jacobi iterations, and report max|u - ref| / max|ref|"},
};
// clang-format on
const int ss_noption = sizeof ss_option_rows / sizeof *ss_option_rows;

ss_config *ss_options(void)
{
    static ss_config options;
    return &options;
}

/* --- the tables ------------------------------------------------------------------------------- */

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

bool ss_runs_somewhere(const ss_equation *eq, const ss_solver *solver)
{
    for (int i = 0; ss_backends[i]; i++)
        if (ss_matrix(eq, solver, ss_backends[i], NULL))
            return true;
    return false;
}

/* --- entries of a config ---------------------------------------------------------------------- */

const ss_equation *ss_config_equation(const ss_config *cfg)
{
    return ss_equations[cfg->v[ss_common_rows[SS_ROW_EQUATION].slot].i];
}

int64_t ss_equation_solver(const ss_equation *eq)
{
    for (int i = 0; eq->solver && ss_solvers[i]; i++)
        if (strcmp(ss_solvers[i]->name, eq->solver) == 0)
            return i;
    return (int64_t)ss_common_rows[SS_ROW_SOLVER].def;
}

const ss_solver *ss_config_solver(const ss_config *cfg)
{
    ss_value v = cfg->v[ss_common_rows[SS_ROW_SOLVER].slot];
    return ss_solvers[v.set ? v.i : ss_equation_solver(ss_config_equation(cfg))];
}

const ss_backend *ss_config_backend(const ss_config *cfg)
{
    int64_t i = cfg->v[ss_common_rows[SS_ROW_BACKEND].slot].i;
    return i == 0 ? NULL : ss_backends[i - 1];
}

void ss_config_default(ss_config *cfg)
{
    memset(cfg, 0, sizeof *cfg);
    for (int i = 0; i < 3; i++)
        cfg->v[ss_common_rows[i].slot].i = (int64_t)ss_common_rows[i].def;
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

const ss_param *ss_param_next(ss_param_walk *w)
{
    for (; w->group < ngroup; w->group++, w->row = 0) {
        const ss_param *rows = groups[w->group].rows;
        if (w->row == 0 && !group_applies(w->cfg, rows))
            continue;
        while (w->row < groups[w->group].n)
            if (row_applies(w->cfg, &rows[w->row++]))
                return &rows[w->row - 1];
    }
    return NULL;
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
