/*
 * Lessons: Markdown files (lessons/) whose fenced blocks hold the command language. The first
 * heading is the title, the first paragraph the summary, headings of the second level begin steps.
 * This header: a parsed lesson, its checks, its progress file, and the subcommand. Main thread.
 */
#ifndef SS_LESSON_DOCUMENT_H
#define SS_LESSON_DOCUMENT_H

#include <stdio.h>

#include "src/base/common.h"
#include "src/core/command.h"
#include "src/core/param.h"
#include "src/snapshot/page.h"

typedef struct ss_run ss_run;

/* --- the document ----------------------------------------------------------------------------- */

/* The kinds of fenced blocks, in the order in which a step has them; each may be missing. */
typedef enum ss_lesson_kind {
    SS_L_SCENARIO, /* commands: the start state */
    SS_L_PREDICT,  /* a question and its answers */
    SS_L_DO,       /* commands that the lesson runs for the student, or "your turn: ..." */
    SS_L_CHECK,    /* one condition per line */
    SS_L_HINT,
    SS_L_REVEAL,
    SS_L_SOLUTION, /* the author's commands */
    SS_L_NKIND
} ss_lesson_kind;

/* A fenced block: its text, and the number of its first line in the file. */
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
    ss_page_drawn drawn; /* the number is also drawn in a diagram */
} ss_predict;

typedef enum ss_check_form {
    SS_CHECK_COMPARE, /* quantity op [factor *] (number | quantity | best(param)) */
    SS_CHECK_SAME_AS, /* same-as EQUATION SOLVER [NAME=VALUE ...] */
    SS_CHECK_DIVERGED,
    SS_CHECK_CONVERGED
} ss_check_form;

enum { SS_OP_LE, SS_OP_GE, SS_OP_LT, SS_OP_GT, SS_OP_EQ, SS_NOP };

/* A quantity (row) or a parameter (name; row NULL), of the student's run or of the baseline. */
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
    bool keep; /* `keep`: it may be met without the solution */
    int op;
    double factor, number;
    enum { SS_RIGHT_NUMBER, SS_RIGHT_QUANTITY, SS_RIGHT_BEST } against;
    ss_cmd same; /* as `open EQUATION SOLVER ...` */
} ss_check;

#define SS_CHECKS_MAX 8

typedef struct ss_lesson_step {
    char *title,
        *prose; /* paragraphs separated by blank lines; emphasis marks as in src/snapshot/page.h */
    int line;
    ss_lesson_block block[SS_L_NKIND];
    ss_predict predict;
    ss_check check[SS_CHECKS_MAX];
    int ncheck;
    ss_script commands[SS_L_NKIND]; /* of the blocks with commands */
    char turn[400];                 /* "your turn: ..." */
    unsigned panels;                /* that it needs: src/snapshot/page.h; 0: none in particular */
} ss_lesson_step;

#define SS_STEPS_MAX 16

typedef struct ss_lesson {
    char name[64]; /* "05-stale-halos" */
    char *title, *summary;
    ss_lesson_step step[SS_STEPS_MAX];
    int nstep;
} ss_lesson;

/* Parses a document: UTF-8 without control characters; a byte order mark is skipped. Its errors are
 * "path:line: reason". */
ss_lesson *ss_lesson_parse(const char *path, const char *text, size_t size, ss_err *err);
ss_lesson *ss_lesson_read(const char *path, ss_err *err);
void ss_lesson_free(ss_lesson *l);
/* The embedded lessons in order; NULL after the last. */
const struct ss_embed *ss_lesson_embedded(int i);
/* The name of the embedded lesson after this one; false: there is none. */
bool ss_lesson_next(const ss_lesson *l, char *name, size_t size);
/* Finds an embedded lesson by its name, its number or a part of its name. */
ss_lesson *ss_lesson_find(const char *word, ss_err *err);

/* --- checks ----------------------------------------------------------------------------------- */

/* A quantity that checks may name. */
typedef struct ss_lesson_quantity {
    const char *name, *help;
    double (*of)(ss_run *run); /* NaN: not known */
    bool effort;               /* grows with every cycle: upper bounds are checked at the end */
    bool slow;                 /* takes long to measure */
} ss_lesson_quantity;

extern const ss_lesson_quantity ss_lesson_quantities[]; /* NULL-name-terminated */

int ss_check_parse(const char *line, ss_check *out, ss_err *err);

/* --- subcommands ------------------------------------------------------------------------------ */

/* Writes a line per fault to `out`; the first fault is in err. */
int ss_lesson_lint(const char *path, const ss_lesson *l, const ss_config *cfg, FILE *out,
                   ss_err *err);
/* Runs the commands of `work` and writes a line per check to `out`; *passed: all are met. */
int ss_lesson_grade(const ss_lesson *l, const ss_script *work, const ss_config *cfg, FILE *out,
                    bool *passed, ss_err *err);

/* --- progress --------------------------------------------------------------------------------- */

/* Progress in one lesson: the steps done, and the predictions. */
typedef struct ss_progress {
    unsigned done; /* a bit per step */
    int at;        /* the step to resume at */
    char predicted[SS_STEPS_MAX][32];
} ss_progress;

void ss_progress_load(const char *name, ss_progress *out);
/* Replaces the file as a whole; SS_FAIL with a sentence if it cannot be written. */
int ss_progress_save(const char *name, const ss_progress *p, ss_err *err);
int ss_progress_reset(const char *name, ss_err *err);
int ss_progress_count(const ss_progress *p);

/* --- the command line ------------------------------------------------------------------------- */

/* Refuses options that choose or report a run: a lesson opens its own runs. On a screen it can be
 * recorded. */
int ss_lesson_admits(const ss_config *cfg, bool screen, ss_err *err);
/* The number of a step; 0: the word is none. */
int ss_lesson_step_number(const char *word);
/* True if the words name a lesson, and perhaps a step, not an action of the subcommand. */
bool ss_lesson_is_name(int nword, const char *const *word);
/* Opens a lesson by its file or its name. */
ss_lesson *ss_lesson_asked(const char *word, ss_err *err);
/* Selects the CPU unless the user chose a backend. */
void ss_lesson_config(ss_config *cfg);
/* The subcommand `lesson`. Returns the exit status. */
int ss_lesson_main(const ss_config *cfg, int nword, const char *const *word, ss_err *err);

/* --- markdown --------------------------------------------------------------------------------- */

/*
 * Reads a Markdown document as a flat list of blocks with line numbers: headings, paragraphs, list
 * items, code between fences: what lessons use. An item of a numbered list is a paragraph. In texts
 * it knows emphasis, code and links, of which the text stays. Any thread.
 */

typedef enum ss_md_kind { SS_MD_HEADING, SS_MD_PARAGRAPH, SS_MD_ITEM, SS_MD_CODE } ss_md_kind;

typedef struct ss_md_block {
    ss_md_kind kind;
    int level;          /* of a heading */
    int line;           /* number of its first line, from 1; of code: of the opening fence */
    char info[64];      /* code: the info string after the fence */
    bool unclosed;      /* code: the document ends before its fence does */
    const char *text;   /* without emphasis; code unchanged, each line ends with \n */
    const char *marked; /* the same with the style marks of src/snapshot/page.h */
} ss_md_block;

/* Calls fn for every block in order. Fails if fn does not return SS_OK, if memory runs out, if the
 * text is longer than 1 MB. */
typedef int ss_md_fn(void *ctx, const ss_md_block *block, ss_err *err);
int ss_markdown_read(const char *text, size_t size, ss_md_fn *fn, void *ctx, ss_err *err);

#endif
