/*
 * Documentation derived from the tables: --help, `list`, the man page, the shell completion and the
 * README's tables. Main thread.
 */
#ifndef SS_DOCS_H
#define SS_DOCS_H

#include <stdio.h>

#include "src/core/registry.h"

/* Subcommands, NULL-name-terminated. run returns the exit status; NULL: an ordinary run, or
 * several, each a quoted word ('poisson2d shared --k 16'). */
typedef struct ss_subcommand {
    const char *name, *help;
    int (*run)(const ss_config *cfg, ss_err *err);
    /* Instead of run: receives the words after it unparsed. */
    int (*run_words)(const ss_config *cfg, int nword, const char *const *word, ss_err *err);
    bool screen;              /* uses a screen if there is one; run is called if there is none */
    bool any_equation;        /* takes parameters of other equations than the one named */
    bool axes;                /* lists and ranges are axes: ss_tune_asked_axes */
    int min_runs, max_runs;   /* number of quoted runs, "EQUATION SOLVER ..."; 0: none */
    const char *ui;           /* a run with this front end; NULL: not one */
    void (*usage)(FILE *out); /* its text in --help; NULL: the help of a run */
} ss_subcommand;

/* `kernels`: kernels.c. */
int ss_kernels_main(const ss_config *cfg, int nword, const char *const *word, ss_err *err);
void ss_kernels_usage(FILE *out);

extern const ss_subcommand ss_subcommands[];
const ss_subcommand *ss_subcommand_find(const char *name);

/* Short help; for the equation and solver of cfg if `chosen`. */
void ss_docs_help(const ss_config *cfg, bool chosen, FILE *out);
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
