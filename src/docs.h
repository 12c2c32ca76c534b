/*
 * Everything the program says about itself, derived from the tables: --help, `list`, the man page,
 * the shell completion, the README's tables. Main thread.
 */
#ifndef SS_DOCS_H
#define SS_DOCS_H

#include <stdio.h>

#include "src/param.h"

/* Subcommands, NULL-name-terminated. run returns the exit status; NULL: it is a way of running, of
 * so many runs, each a word of its own ('poisson2d shared --k 16'). */
typedef struct ss_subcommand {
    const char *name, *help;
    const char *usage; /* the page of its own --help; NULL: the general one */
    int (*run)(const ss_config *cfg, ss_err *err);
    /* Instead of run: takes the words that follow it, as they are. */
    int (*run_words)(const ss_config *cfg, int nword, const char *const *word, ss_err *err);
    bool screen;            /* shown on one, if there is any; run is for when there is none */
    bool axes;              /* lists and ranges are its axes: ss_map_axes */
    int min_runs, max_runs; /* in words of their own, "EQUATION SOLVER ..."; 0: none */
} ss_subcommand;

extern const ss_subcommand ss_subcommands[];
const ss_subcommand *ss_subcommand_find(const char *name);

/* The page of a subcommand. */
void ss_docs_usage(const ss_subcommand *c, FILE *out);
/* Short help; for the equation and solver of cfg if `chosen`. */
void ss_docs_help(const ss_config *cfg, bool chosen, FILE *out);
/* The matrix, with the reason in every hole. */
void ss_docs_list(FILE *out);
/* kind: man, bash-completion, readme-matrix, readme-parameters, readme-commands. */
int ss_docs_generate(const char *kind, FILE *out, ss_err *err);

#endif
