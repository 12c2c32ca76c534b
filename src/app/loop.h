/* The app: one front end, one engine, and the loop between them, which never makes one wait for the
 * other. Main thread. */
#ifndef SS_APP_H
#define SS_APP_H

#include "src/core/param.h"
#include "src/app/report.h"
#include "src/core/command.h"

struct ss_frontend;
struct ss_lesson;
struct ss_session;

typedef struct ss_app_setup {
    const ss_config *cfg; /* checked */
    const struct ss_frontend *frontend;
    ss_script *script;
    const struct ss_lesson *lesson; /* shown next to the run; NULL: none */
    const ss_config *map;           /* the program shows only this map; NULL: a run */
    int *map_status;                /* receives the map's exit status; may be NULL */
    const char *load, *rhs;         /* files or NULL */
    bool limits;                    /* a limit was given: continue after the script */
    bool pick;                      /* nothing was chosen: show the presets */
    bool deterministic;
    bool film;           /* record or draw without a front end: the solver's steps are the clock */
    const char *command; /* the program's command line, for the metadata of files */
    double fps;
    double started;                 /* ss_clock at the start of the program */
    void (*warn)(const char *text); /* prints a warning on stderr at once */
} ss_app_setup;

/* Called with the finished run, or all runs of a race, before they are closed. */
typedef int ss_app_finish(ss_run *const *run, int n, bool interrupted, void *ctx, ss_err *err);

/* True if the script or an option requests recordings or figures. */
bool ss_app_is_film(const ss_script *script);

/* Checks the options of recordings and figures before a long solve. */
int ss_app_check_record(bool live, bool map, ss_err *err);

/* `map` without a screen, with figures and recordings if requested; exit status. */
bool ss_app_map_is_drawn(void);
int ss_app_map_film(const ss_config *cfg, const char *command, ss_err *err);

/* A lesson on that screen: resumed, or begun anew where a class may watch. */
void ss_app_session(const struct ss_frontend *fe, const struct ss_lesson *l,
                    struct ss_session *out);

/* *interrupted: a signal or the user ended it; *usage: a command of the script was refused. */
int ss_app_main(const ss_app_setup *setup, ss_app_finish *finish, void *ctx, bool *interrupted,
                bool *usage, ss_err *err);

#endif
