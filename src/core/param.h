/*
 * Every value that a user can set is one row. Flag, help, terminal row, slider, key, lesson word,
 * sweep axis, config line, README table and fuzz generator are derived from the row; nothing else
 * parses, clamps, steps or prints a value.
 * Rows are declared next to their owner (an equation, a solver, the common table). The registry
 * gives rows of the same name the same slot, so a change of solver carries values over. A carried
 * value that a row cannot hold (a number outside min..max, a choice that its list does not have)
 * counts as not given: see ss_config_value.
 * Thread: rows are constant after ss_registry_init; a config belongs to whoever holds it.
 */
#ifndef SS_PARAM_H
#define SS_PARAM_H

#include "src/base/common.h"

typedef enum ss_type {
    SS_INT,
    SS_REAL_T,
    SS_BOOL,
    SS_CHOICE,
    SS_STRING,
    SS_FILE,
    SS_DURATION, /* seconds; text takes ns us ms s min h, and what screens show: "20 µs" */
    SS_SIZE,     /* bytes; text takes k M G, powers of 1024, and what screens show: "4 MB" */
    SS_NTYPE
} ss_type;

/* Update classes: what a change invalidates. */
enum {
    SS_P_LIVE = 1 << 0,       /* takes effect at the next cycle, state kept */
    SS_P_RESET = 1 << 1,      /* initial state again */
    SS_P_REOPEN = 1 << 2,     /* new problem: memory is allocated again */
    SS_P_LOG = 1 << 3,        /* a slider moves by factors */
    SS_P_POW2 = 1 << 4,       /* keys step through powers of two (typing takes any) */
    SS_P_EVEN = 1 << 5,       /* odd values are refused */
    SS_P_APP = 1 << 6,        /* belongs to the program, not to a run (files, front end) */
    SS_P_STARTS = 1 << 14,    /* decides which programs are started, and where: a lesson or a run
                                 file from elsewhere may not, only the command line may */
    SS_P_REPEAT = 1 << 7,     /* may be given several times; an ordered list (-e, --run) */
    SS_P_PLANE = 1 << 9,      /* does not apply to 1D equations */
    SS_P_STEADY = 1 << 10,    /* applies to steady equations only */
    SS_P_TRANSIENT = 1 << 11, /* applies to transient equations only */
    SS_P_FITS = 1 << 12,      /* the default is reduced to the upper limit of the current range */
    SS_P_POINTS = 1 << 15,    /* points along an axis: the solver may change the default */
    SS_P_CONTROL = 1 << 8     /* shown among the controls of a front end */
};

typedef struct ss_config ss_config;

/* The track of a slider: the values worth turning to, and what is marked on it. */
typedef struct ss_track {
    double lo, hi; /* its ends; hi may be beyond `limit`, where a value is refused with a reason */
    double least;  /* the smallest value that the slider gives */
    double mark;   /* a value worth knowing, as "exact from 22"; NAN: none */
    double limit;  /* larger values are unstable; NAN: none */
    bool linear;   /* evenly spaced, also for a row of SS_P_LOG */
} ss_track;

typedef struct ss_param {
    const char *name;   /* long option, command word, config word: "overlap-y" */
    const char *symbol; /* short label of a slider: "k" */
    const char *unit;   /* "" if none */
    const char *help;   /* one line */
    const char *key;    /* "k" : k decreases, K increases; NULL none */
    const char *group;  /* heading in --help */
    ss_type type;
    unsigned flags;
    double def, min, max, step; /* numbers, and the default of BOOL and CHOICE (an index) */
    const char *def_text; /* default of STRING and FILE (NULL: none); other types: it in words */
    const char *const *choices;     /* CHOICE: NULL-terminated */
    const char *const *choice_help; /* same length, or NULL */
    const char *follows; /* while not set, takes the value of this row ("block-y": "block") */
    const char *zero;    /* the meaning of 0 in words ("auto", "no limit"); NULL: just 0 */
    /* The range for the other values in force. May set *why to the bound in words, "block 32 - 2".
     * Pure; any thread. NULL: min..max. */
    void (*range)(const ss_config *cfg, double *lo, double *hi, const char **why);
    /* A remark for the control, "exact from 22"; writes at most size bytes. NULL: none. */
    void (*note)(const ss_config *cfg, char *buf, size_t size);
    /* Narrows the track, which is the range when this is called, and sets its marks. NULL: the
     * range without marks. */
    void (*track)(const ss_config *cfg, ss_track *track);
    /* A default that depends on other values, clamped to min..max. It replaces def, and def_text
     * gives the rule in words ("0.8 of the limit"). Must not read this row's own value. NULL: def.
     */
    double (*usual)(const ss_config *cfg);
    /* SS_P_CONTROL: is it among the controls with these values? NULL: always. */
    bool (*shown)(const ss_config *cfg);
    int slot, list; /* set by the registry: index in a config, number of the list of choices */
} ss_param;
/* Members `params` and `nparam` of a table that has these rows. */
#define SS_PARAMS(ROWS) .params = ROWS, .nparam = sizeof ROWS / sizeof *ROWS

/* A row starts with one of these: {SS_ROW_INT("k", "Method", 8, 1, 1024), .help = "...", ...}.
 * Other members follow by name. The default symbol is the name, the default unit "". */
#define SS_ROW(NAME, GROUP, TYPE) .name = NAME, .group = GROUP, .type = TYPE
#define SS_ROW_INT(NAME, GROUP, DEF, MIN, MAX)                                                     \
    SS_ROW(NAME, GROUP, SS_INT), .def = DEF, .min = MIN, .max = MAX, .step = 1
#define SS_ROW_REAL(NAME, GROUP, DEF, MIN, MAX)                                                    \
    SS_ROW(NAME, GROUP, SS_REAL_T), .def = DEF, .min = MIN, .max = MAX
#define SS_ROW_CHOICE(NAME, GROUP, CHOICES, CHOICE_HELP)                                           \
    SS_ROW(NAME, GROUP, SS_CHOICE), .choices = CHOICES, .choice_help = CHOICE_HELP

/* A value. Strings are interned for the life of the program, so copying a value is assignment. */
typedef struct ss_value {
    union {
        int64_t i; /* INT, BOOL, CHOICE, SIZE */
        double d;  /* REAL, DURATION */
        const char *s;
    };
    bool set;     /* given; false: the default, or the value of the row in `follows` */
    bool derived; /* set by a backend, since it follows from other values; not given by the user */
    uint8_t list; /* CHOICE: the list that i indexes (ss_param.list); 0: that of the row */
} ss_value;

#define SS_SLOTS 128

/* All settings of a run. Undo, "copy this state" and rewind copy it. */
struct ss_config {
    ss_value v[SS_SLOTS];
};

/* The value in force of a row by name, defaults and `follows` resolved. The name must exist. */
int64_t ss_config_int(const ss_config *cfg, const char *name); /* also BOOL, CHOICE, SIZE */
double ss_config_real(const ss_config *cfg, const char *name); /* also DURATION, and INT widened */
const char *ss_config_text(const ss_config *cfg, const char *name); /* NULL: not given */
/* Number of threads: the parameter, or (0, auto) the processors this process may run on. */
int ss_config_threads(const ss_config *cfg);
/* Was it set to a value that the row can hold, so that neither default nor `follows` is used? */
bool ss_config_given(const ss_config *cfg, const char *name);

/* Parse the text of a value: type and the row's own min..max. Nothing is changed on failure. */
int ss_param_parse(const ss_param *row, const char *text, ss_value *out, ss_err *err);
/* Text that parses back to the same value; a computed default has four digits. Returns buf. */
const char *ss_param_format(const ss_param *row, ss_value v, char *buf, size_t size);
/* The next value in direction dir (-1, +1; -10, +10: a large step) inside [lo, hi]. */
ss_value ss_param_stepped(const ss_param *row, ss_value v, int dir, double lo, double hi);
/* Slider position in [0, 1] of a value, and back (snapped to a valid value). */
double ss_param_fraction(const ss_param *row, ss_value v, double lo, double hi);
ss_value ss_param_at(const ss_param *row, double fraction, double lo, double hi);
/* The same on a track. */
double ss_track_fraction(const ss_param *row, const ss_track *t, ss_value v);
ss_value ss_track_at(const ss_param *row, const ss_track *t, double fraction);
const char *ss_type_name(ss_type type);                  /* "a whole number" */
double ss_param_number(const ss_param *row, ss_value v); /* any numeric type as a double */

#endif
