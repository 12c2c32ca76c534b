/* The common rows of every run and the program's own options: see options.h. Data only. */
#include "src/core/options.h"

#include "src/core/registry.h"

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
     .range = ss_range_threads, .note = ss_note_threads},
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
