/* `stencilscope lesson`: see lesson.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/embed.h"
#include "src/lesson.h"
#include "src/outfile.h"
#include "src/registry.h"

enum { OK = 0, FAILED = 1, USAGE = 2 };

/* Where nobody chose another one: the processors, the last of the table and always there. */
void ss_lesson_config(ss_config *cfg)
{
    const ss_param *row = ss_param_find(cfg, "backend", NULL);
    int last = 0;
    while (ss_backends[last])
        last++;
    if (cfg->v[row->slot].i == 0)
        cfg->v[row->slot] = (ss_value){.i = last, .set = true};
}

/* --- list ------------------------------------------------------------------------------------- */

static int run_list(ss_err *err)
{
    const struct ss_embed *e;
    for (int i = 0; (e = ss_lesson_embedded(i)); i++) {
        ss_progress p;
        ss_lesson *l = ss_lesson_parse(e->name, (const char *)e->data, e->size, err);
        if (!l)
            return FAILED;
        ss_progress_load(l->name, &p);
        printf("%-26s %2d/%-2d  %s\n", l->name, ss_progress_count(&p), l->nstep, l->title);
        ss_lesson_free(l);
    }
    printf("stencilscope lesson NAME begins, or goes on where it was left\n");
    return OK;
}

/* --- words ------------------------------------------------------------------------------------ */

/* Faults go to stdout, a line each. */
static int act_lint(const ss_config *cfg, int n, const char *const *file, ss_err *err)
{
    (void)err;
    int status = OK;
    for (int i = 0; i < n; i++) {
        ss_err why = {""};
        ss_lesson *l = ss_lesson_read(file[i], &why);
        if (!l)
            printf("%s\n", why.text);
        if (!l || ss_lesson_lint(file[i], l, cfg, stdout, &why) != SS_OK)
            status = FAILED;
        ss_lesson_free(l);
        fflush(stdout);
    }
    return status;
}

ss_lesson *ss_lesson_asked(const char *word, ss_err *err)
{
    return access(word, R_OK) == 0 ? ss_lesson_read(word, err) : ss_lesson_find(word, err);
}

static int act_grade(const ss_config *cfg, int n, const char *const *word, ss_err *err)
{
    (void)n;
    bool passed = false;
    ss_script work = {.cmd = NULL};
    ss_lesson *l = ss_lesson_asked(word[0], err);
    int status = l && ss_script_file(&work, word[1], err) == SS_OK &&
                 ss_lesson_grade(l, &work, cfg, stdout, &passed, err) == SS_OK;
    ss_script_free(&work);
    ss_lesson_free(l);
    return status && passed ? OK : FAILED;
}

static const char template_text[] =
    "# %s\n\nWhat the student will know after this lesson, in one paragraph.\n\n"
    "## The first step\n\nWhat is seen, and what is asked.\n\n"
    "```scenario\nopen poisson2d shared n=64 block=16 k=8\n```\n\n"
    "```predict\nWhat does an overlap of 2 do to the number of cycles?\n"
    "- [x] fewer cycles\n- [ ] more cycles\n```\n\n"
    "```do\nrun\nyour turn: change the overlap, then run again from the start (reset, run)\n```\n\n"
    "```check\ncycles < baseline.cycles\n```\n\n"
    "```hint\nset overlap 2\n```\n\n"
    "```reveal\nThe stale points near the edges are computed again by a neighbour.\n```\n\n"
    "```solution\nset overlap 2\n```\n";

static int act_new(const ss_config *cfg, int n, const char *const *word, ss_err *err)
{
    (void)cfg, (void)n;
    char path[320];
    ss_outfile f;
    snprintf(path, sizeof path, "%.300s.md", word[0]);
    if (access(path, F_OK) == 0)
        return ss_fail(err, "%s is there already", path), FAILED;
    if (ss_outfile_open(&f, path, err) != SS_OK)
        return FAILED;
    fprintf(f.stream, template_text, word[0]);
    if (ss_outfile_close(&f, true, err) != SS_OK)
        return FAILED;
    printf("wrote %s; stencilscope lesson lint %s tries it\n", path, path);
    return OK;
}

static int act_reset(const ss_config *cfg, int n, const char *const *word, ss_err *err)
{
    (void)cfg, (void)n;
    ss_lesson *l = ss_lesson_asked(word[0], err);
    int status = l ? ss_progress_reset(l->name, err) : SS_FAIL;
    if (status == SS_OK)
        printf("%s begins anew\n", l->name);
    ss_lesson_free(l);
    return status == SS_OK ? OK : FAILED;
}

static int act_words(const ss_config *cfg, int n, const char *const *word, ss_err *err)
{
    (void)cfg, (void)n, (void)word, (void)err;
    printf("A check: quantity <=|>=|<|>|== [factor *] (number | quantity | best(parameter)),\n"
           "same-as EQUATION SOLVER [NAME=VALUE ...], diverged, converged.\n"
           "Quantities: every parameter by its name (stencilscope --help), baseline.QUANTITY,\n");
    for (const ss_lesson_quantity *q = ss_lesson_quantities; q->name; q++)
        printf("  %-14s %s\n", q->name, q->help);
    return OK;
}

static const struct action {
    const char *name, *args;
    int min, max;
    int (*act)(const ss_config *cfg, int n, const char *const *word, ss_err *err);
} actions[] = {
    {"lint", "FILE...", 1, 64, act_lint}, {"grade", "LESSON RUNFILE", 2, 2, act_grade},
    {"new", "NAME", 1, 1, act_new},       {"reset", "NAME", 1, 1, act_reset},
    {"words", "", 0, 0, act_words},
};

static const struct action *find_action(const char *word)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, word) == 0)
            return &actions[i];
    return NULL;
}

bool ss_lesson_is_name(int nword, const char *const *word)
{
    return nword == 1 && !find_action(word[0]);
}

static int walk(const ss_config *cfg, const char *name, ss_err *err)
{
    ss_lesson *l = ss_lesson_asked(name, err);
    int status = l ? ss_lesson_walk(l, cfg, stdin, stdout, err) : SS_FAIL;
    ss_lesson_free(l);
    return status == SS_OK ? OK : FAILED;
}

int ss_lesson_main(const ss_config *asked, int nword, const char *const *word, ss_err *err)
{
    ss_config cfg = *asked;
    ss_lesson_config(&cfg);
    if (nword == 0)
        return run_list(err);
    const struct action *a = find_action(word[0]);
    if (a && (nword - 1 < a->min || nword - 1 > a->max))
        return ss_fail(err, "usage: stencilscope lesson %s %s", a->name, a->args), USAGE;
    if (a)
        return a->act(&cfg, nword - 1, word + 1, err);
    if (nword > 1)
        return ss_fail(err, "usage: stencilscope lesson [NAME], or lint, grade, new, reset, words"),
               USAGE;
    return walk(&cfg, word[0], err);
}
