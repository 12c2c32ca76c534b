/*
 * The app: one front end, one engine, the loop between them. Main thread. It alone knows both
 * sides; neither waits for the other.
 */
#ifndef SS_APP_H
#define SS_APP_H

#include "src/core/param.h"
#include "src/app/report.h"
#include "src/core/script.h"

struct ss_frontend;
struct ss_lesson;

typedef struct ss_app_setup {
    const ss_config *cfg; /* checked */
    const struct ss_frontend *frontend;
    ss_script *script;
    const struct ss_lesson *lesson; /* beside the run, of a front end that draws; NULL: none */
    const ss_config *map;   /* the program was started for: the map of the options; NULL: a run */
    int *map_status;        /* gets its exit status; NULL: nobody asks */
    const char *load, *rhs; /* files or NULL */
    bool limits;            /* a limit was given: go on after the script */
    bool pick;              /* nothing was chosen: show the presets */
    bool deterministic;
    bool film;           /* record or draw, without a front end: the solver's steps are the clock */
    const char *command; /* that started the program, for the metadata of files */
    double fps;
    double started;                     /* ss_clock at the start of the program */
    void (*warn)(const char *sentence); /* says at once what a run without a screen cannot show */
} ss_app_setup;

/* What is to be done with the run once it has ended, or with all of a race, before they are closed.
 */
typedef int ss_app_finish(ss_run *const *run, int n, bool interrupted, void *ctx, ss_err *err);

/* Does a script, or an option, ask for recordings or figures? */
bool ss_app_is_film(const ss_script *script);

/* Better said now than after an hour of solving: a recording or figure that there cannot be. */
int ss_app_check_record(ss_err *err);

/* `map` without a screen, with figures and recordings if they are asked for; exit status. */
bool ss_app_map_is_drawn(void);
int ss_app_map_film(const ss_config *cfg, const char *command, ss_err *err);

/* SS_OK, or SS_FAIL with one sentence. *interrupted: a signal or the person ended it early;
 * *usage: a command of the script was refused. */
int ss_app_main(const ss_app_setup *setup, ss_app_finish *finish, void *ctx, bool *interrupted,
                bool *usage, ss_err *err);

#endif
