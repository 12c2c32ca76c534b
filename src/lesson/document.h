/*
 * Lessons: Markdown files (lessons/) whose fenced blocks hold the command language. The first
 * heading is the title, the first paragraph the summary, headings of the second level begin steps.
 * This header: a lesson as it is read, its checks, and what is done with it. Main thread.
 */
#ifndef SS_LESSON_H
#define SS_LESSON_H

#include <stdio.h>

#include "src/core/command.h"
#include "src/core/param.h"
#include "src/core/script.h"

typedef struct ss_run ss_run;

/* --- the document ----------------------------------------------------------------------------- */

/* The kinds of fenced blocks, in the order in which a step has them; each may be missing. */
typedef enum ss_lesson_kind {
    SS_L_SCENARIO, /* commands: the start state */
    SS_L_PREDICT,  /* a question, and its answers */
    SS_L_DO,       /* commands that are carried out for the student, or "your turn: ..." */
    SS_L_CHECK,    /* a condition a line */
    SS_L_HINT,
    SS_L_REVEAL,
    SS_L_SOLUTION, /* the author's commands */
    SS_L_NKIND
} ss_lesson_kind;

/* A fenced block: its text, and the line in the file that its first line stands on. */
typedef struct ss_lesson_block {
    char *text; /* NULL: the step has none */
    int line;
} ss_lesson_block;

#define SS_ANSWERS_MAX 9

typedef struct ss_predict {
    char question[240];
    char answer[SS_ANSWERS_MAX][160];
    int nanswer, right; /* 0 answers: it is a number */
    double number, tolerance;
} ss_predict;

typedef enum ss_check_form {
    SS_CHECK_COMPARE, /* quantity op [factor *] (number | quantity | best(param)) */
    SS_CHECK_SAME_AS, /* same-as EQUATION SOLVER [NAME=VALUE ...] */
    SS_CHECK_DIVERGED,
    SS_CHECK_CONVERGED
} ss_check_form;

enum { SS_OP_LE, SS_OP_GE, SS_OP_LT, SS_OP_GT, SS_OP_EQ, SS_NOP };

/* `quantity` by its row (NULL: a parameter), as it was written, of the student or the baseline. */
typedef struct ss_quantity_ref {
    const struct ss_lesson_quantity *row;
    char name[40];
    bool baseline;
} ss_quantity_ref;

typedef struct ss_check {
    ss_check_form form;
    char text[200];
    int line;
    ss_quantity_ref left, right;
    int op;
    double factor, number;
    enum { SS_RIGHT_NUMBER, SS_RIGHT_QUANTITY, SS_RIGHT_BEST } against;
    ss_cmd same; /* as `open EQUATION SOLVER ...` */
} ss_check;

#define SS_CHECKS_MAX 8

typedef struct ss_lesson_step {
    char *title, *prose; /* paragraphs with a blank line between them; marks of page.h */
    int line;
    ss_lesson_block block[SS_L_NKIND];
    ss_predict predict;
    ss_check check[SS_CHECKS_MAX];
    int ncheck;
    ss_script commands[SS_L_NKIND]; /* of the blocks that hold commands */
    char turn[400];                 /* "your turn: ..." */
} ss_lesson_step;

#define SS_STEPS_MAX 16

typedef struct ss_lesson {
    char name[64]; /* "05-stale-halos" */
    char *title, *summary;
    ss_lesson_step step[SS_STEPS_MAX];
    int nstep;
} ss_lesson;

/* Reads a document; `path` stands in its errors, "path:line: reason". NULL: err says why. */
ss_lesson *ss_lesson_parse(const char *path, const char *text, size_t size, ss_err *err);
ss_lesson *ss_lesson_read(const char *path, ss_err *err);
void ss_lesson_free(ss_lesson *l);
/* The embedded lessons in order; NULL behind the last. An index, its name ("05-stale-halos"). */
const struct ss_embed *ss_lesson_embedded(int i);
void ss_lesson_name(const char *path, char *name, size_t size);
/* The embedded lesson of that name, number or part of a name. */
ss_lesson *ss_lesson_find(const char *word, ss_err *err);
const char *ss_lesson_kind_name(ss_lesson_kind kind);

/* --- checks ----------------------------------------------------------------------------------- */

/* Something that is measured, by its name in a check. */
typedef struct ss_lesson_quantity {
    const char *name, *help;
    double (*of)(ss_run *run); /* NaN: not known */
    bool effort;               /* grows with every cycle: what is less counts at the end only */
    bool slow;                 /* takes long to measure */
} ss_lesson_quantity;

extern const ss_lesson_quantity ss_lesson_quantities[]; /* NULL-name-terminated */

int ss_check_parse(const char *line, ss_check *out, ss_err *err);

/* --- carrying lessons out --------------------------------------------------------------------- */

/* A run that commands are carried out on, at once and bounded in time and memory. */
typedef struct ss_pupil ss_pupil;

/* Nothing that solves goes on for longer than so many seconds, all together. */
#define SS_LESSON_SECONDS 60.0

ss_pupil *ss_pupil_new(const ss_config *machine, double seconds, ss_err *err);
void ss_pupil_free(ss_pupil *p);
/* Fails where a command cannot be carried out here, or writes files. */
int ss_pupil_do(ss_pupil *p, const ss_cmd *cmd, ss_err *err);
/* All of them; only those that advance, or only those that do not. */
int ss_pupil_script(ss_pupil *p, const ss_script *s, ss_err *err);
int ss_pupil_advances(ss_pupil *p, const ss_script *s, ss_err *err);
/* Is there a command in it that does more than advance? */
bool ss_script_changes(const ss_script *s);
/* Where commands have left the run unsolved since the last change, it is solved from its start. */
int ss_pupil_measure(ss_pupil *p, ss_err *err);
/* NULL: nothing is open yet. */
ss_run *ss_pupil_run(ss_pupil *p);
/* Is it still the scenario's problem and tolerance? The answer may change what the author's does.
 */
int ss_pupil_fair(const ss_pupil *p, const ss_lesson_step *s, ss_err *err);
/* All that has been carried out so far. */
const ss_script *ss_pupil_history(const ss_pupil *p);
/* The line in the lesson of the command that was carried out last; 0: none was. */
int ss_pupil_line(const ss_pupil *p);
/* Carries out the scenario that step `index` starts from; it is what the baseline is. */
int ss_pupil_scenario(ss_pupil *p, const ss_lesson *l, int index, ss_err *err);
/* The config that step `index` starts from. */
int ss_lesson_opening(const ss_lesson *l, int index, const ss_config *machine, ss_config *out,
                      ss_err *err);
/* What stands between the scenario and step `index`: from which step on do and solution have been
 * carried out. */
int ss_lesson_first(const ss_lesson *l, int index);
/* SS_OK: looked at, *met says how it went, `why` says it with figures. */
int ss_pupil_check(ss_pupil *p, const ss_check *c, bool *met, char *why, size_t size, ss_err *err);
/* Carries out what leads to step `index`: its scenario, or the one before it and the answers since;
 * and takes the baseline. */
int ss_pupil_begin(ss_pupil *p, const ss_lesson *l, int index, ss_err *err);

/* Lines on `out`; the first fault is in err. */
int ss_lesson_lint(const char *path, const ss_lesson *l, const ss_config *cfg, FILE *out,
                   ss_err *err);
/* The run file against every check of the lesson: lines on `out`; *passed: all are met. */
int ss_lesson_grade(const ss_lesson *l, const ss_script *work, const ss_config *cfg, FILE *out,
                    bool *passed, ss_err *err);
/* Step by step on a terminal, or from a file of answers. */
int ss_lesson_walk(const ss_lesson *l, const ss_config *cfg, FILE *in, FILE *out, ss_err *err);

/* --- what is kept ----------------------------------------------------------------------------- */

/* Progress of one lesson: steps done, and what was predicted. */
typedef struct ss_progress {
    unsigned done; /* a bit a step */
    int at;        /* the step to resume at */
    char predicted[SS_STEPS_MAX][32];
} ss_progress;

void ss_progress_load(const char *name, ss_progress *out);
/* Whole or not at all; SS_FAIL with a sentence where the place cannot be written. */
int ss_progress_save(const char *name, const ss_progress *p, ss_err *err);
int ss_progress_reset(const char *name, ss_err *err);
int ss_progress_count(const ss_progress *p);

/* Is this the name of a lesson, and not another word of the subcommand? */
/* What `stencilscope lesson --help` says. */
void ss_lesson_usage(FILE *out);
/* Options that choose or report a run mean nothing: a lesson opens its own. On a screen it can be
 * recorded. SS_FAIL: one was given. */
int ss_lesson_admits(const ss_config *cfg, bool screen, ss_err *err);
bool ss_lesson_is_name(int nword, const char *const *word);
/* The lesson of a file, or of a name, and its config: what the subcommand opens. */
ss_lesson *ss_lesson_asked(const char *word, ss_err *err);
void ss_lesson_config(ss_config *cfg);
/* The subcommand `lesson`. Returns the exit status. */
int ss_lesson_main(const ss_config *cfg, int nword, const char *const *word, ss_err *err);

#endif
