/*
 * The command line and its documentation: words to a config, options and a script. GNU conventions.
 * Main thread, before any other starts.
 */
#ifndef SS_CLI_H
#define SS_CLI_H

#include <stdio.h>

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

/* --- documentation ---------------------------------------------------------------------------- */

/*
 * Documentation derived from the tables: --help, `list`, the man page, the shell completion and the
 * README's tables.
 */

/* Subcommands, NULL-name-terminated: how their words are read. main.c carries them out. */
typedef struct ss_subcommand {
    const char *name, *help;
    bool words;             /* what follows it is not parsed */
    bool any_equation;      /* takes parameters of other equations than the one named */
    bool axes;              /* lists and ranges are axes: ss_tune_asked_axes */
    int min_runs, max_runs; /* number of quoted runs, "EQUATION SOLVER ..."; 0: none */
    const char *ui;         /* a run with this front end; NULL: not one */
} ss_subcommand;

/* `kernels`: kernels.c. */
int ss_kernels_main(const ss_config *cfg, int nword, const char *const *word, ss_err *err);

extern const ss_subcommand ss_subcommands[];
const ss_subcommand *ss_subcommand_find(const char *name);

/* The help of a subcommand (assets/help); else short help, for the equation and solver of cfg if
 * `chosen`. */
void ss_docs_help(const char *command, const ss_config *cfg, bool chosen, FILE *out);
/* The matrix, with the reason for each empty cell. */
void ss_docs_list(FILE *out);
/* The range, default and flag of a row: "1...1024", "f64|f32", "FILE"; "8", "as block"; "--" or
 * "-". Both return buf. */
const char *ss_docs_values(const ss_param *row, char *buf, size_t size);
const char *ss_docs_default(const ss_param *row, char *buf, size_t size);
const char *ss_docs_dashes(const ss_param *row);
/* The backends of a combination, or "" and the reason in *why. */
void ss_docs_cell(const ss_equation *eq, const ss_solver *solver, char *buf, size_t size,
                  const char **why);
/* kind: one of the rows of `all` in docs_tables.c; an unknown one is refused with their names. */
int ss_docs_generate(const char *kind, FILE *out, ss_err *err);
/* assets/data/pictures.txt. Where a card has no picture, its entry says why. (gallery.c) */
void ss_docs_pictures(FILE *out);

#endif
