/*
 * The command line: words to a config, options and a script. GNU conventions.
 * Main thread, before any other starts.
 */
#ifndef SS_CLI_H
#define SS_CLI_H

#include <stdio.h>

#include "src/app/docs.h"
#include "src/base/common.h"
#include "src/core/command.h"
#include "src/core/param.h"
#include "src/core/registry.h"
#include "src/snapshot/race.h"

#define SS_CLI_WORDS 64

typedef struct ss_cli {
    ss_config cfg;                  /* of the run; the program's own options are in ss_options() */
    ss_script script;               /* -e and --run in order */
    const char *command;            /* "list", "bench", or NULL */
    const char *word[SS_CLI_WORDS]; /* words after it, if it takes any */
    int nword;
    ss_lineup race;             /* the runs of a command that takes several; not checked yet */
    bool help, version, chosen; /* chosen: an equation was named */
    const char *generate;
} ss_cli;

/* SS_FAIL with one sentence: a usage error. */
int ss_cli_parse(int argc, char **argv, ss_cli *out, ss_err *err);

/* A run as one word: "poisson2d shared --k 16". */
int ss_cli_run(const char *text, ss_config *cfg, ss_err *err);

/* The command line as text, without options that only name output files: equal runs have equal
 * text. Returns buf. */
const char *ss_cli_text(int argc, char **argv, char *buf, size_t size);

/* --- links ------------------------------------------------------------------------------------ */

/* The run of a shared link: `--link TEXT`, where TEXT is a command line that `copy` has written. It
 * may come from anybody, so it may only do what a run does by itself: the parameters of a run, and
 * commands of the engine that write no file and read none, and what is shown. */

/* Replaces --link and its text by the words of the text, if they are allowed; these stay valid.
 * SS_FAIL: they are not, with the reason. Unchanged without --link. */
int ss_link_expand(int *argc, char ***argv, ss_err *err);

/* `kernels`: kernels.c. */
int ss_kernels_main(const ss_config *cfg, int nword, const char *const *word, ss_err *err);

#endif
