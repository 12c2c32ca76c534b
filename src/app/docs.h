/* Documentation from the tables: --help, `list`, the man page, the shell completion and the
 * README's tables; and the subcommands. Main thread. */
#ifndef SS_DOCS_H
#define SS_DOCS_H

#include <stdio.h>

#include "src/core/param.h"

/* Subcommands, NULL-name-terminated: how their words are read. main.c carries them out. */
typedef struct ss_subcommand {
    const char *name, *help;
    bool words;             /* what follows it is not parsed */
    bool any_equation;      /* takes parameters of other equations than the one named */
    bool axes;              /* lists and ranges are axes: ss_tune_asked_axes */
    int min_runs, max_runs; /* number of quoted runs, "EQUATION SOLVER ..."; 0: none */
    const char *ui;         /* a run with this front end; NULL: not one */
} ss_subcommand;

extern const ss_subcommand ss_subcommands[];
const ss_subcommand *ss_subcommand_find(const char *name);

/* The help of a subcommand (assets/help); else short help, for the equation and solver of cfg if
 * `chosen`. */
void ss_docs_help(const char *command, const ss_config *cfg, bool chosen, FILE *out);
/* The matrix, with the reason for each empty cell. */
void ss_docs_list(FILE *out);
/* kind: one of the rows of `all` in docs.c, or after=WORD: the words that may follow one. An
 * unknown kind is refused with their names. */
int ss_docs_generate(const char *kind, FILE *out, ss_err *err);

#endif
