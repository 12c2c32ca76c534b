/* `stencilscope lesson`: see document.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/text.h"
#include "src/base/file.h"
#include "src/lesson/session.h"
#include "src/core/registry.h"
#include "src/core/run.h"

enum { OK = 0, FAILED = 1, USAGE = 2 };

/* The CPU is the last row of the table, and always there. */
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

static int act_list(const ss_config *cfg, int n, const char *const *word, ss_err *err)
{
    (void)cfg, (void)n, (void)word;
    const struct ss_embed *e;
    for (int i = 0; (e = ss_lesson_embedded(i)); i++) {
        ss_session s;
        ss_lesson *l = ss_lesson_parse(e->name, (const char *)e->data, e->size, err);
        if (!l)
            return FAILED;
        ss_session_open(&s, l);
        ss_say(stdout, "%-26s %2d/%-2d  %s", l->name, ss_progress_count(&s.progress), l->nstep,
               l->title);
        ss_lesson_free(l);
    }
    printf("stencilscope lesson NAME begins or resumes one\n");
    return OK;
}

/* --- words ------------------------------------------------------------------------------------ */

/* Faults of the lessons go to stdout, one line each; what is none of theirs to stderr. */
static int act_lint(const ss_config *cfg, int n, const char *const *file, ss_err *err)
{
    int status = OK;
    for (int i = 0; i < n; i++) {
        ss_err why = {0};
        ss_lesson *l = NULL;
        FILE *readable = ss_infile_open(file[i], err);
        if (readable && !(l = ss_lesson_read(file[i], &why)))
            ss_say(why.outside ? stderr : stdout, "%s", why.text);
        if (readable)
            fclose(readable);
        if (!l || ss_lesson_lint(file[i], l, cfg, stdout, &why) != SS_OK)
            status = FAILED;
        ss_lesson_free(l);
        fflush(stdout);
    }
    return status;
}

ss_lesson *ss_lesson_asked(const char *word, ss_err *err)
{
    size_t n = strlen(word);
    bool file = strchr(word, '/') || (n > 3 && strcmp(word + n - 3, ".md") == 0);
    return file ? ss_lesson_read(word, err) : ss_lesson_find(word, err);
}

static int act_grade(const ss_config *cfg, int n, const char *const *word, ss_err *err)
{
    (void)n;
    bool passed = false;
    ss_script work = {.cmd = NULL};
    ss_lesson *l = ss_lesson_asked(word[0], err);
    int status = l && ss_script_file(&work, word[1], false, err) == SS_OK &&
                 ss_lesson_grade(l, &work, cfg, stdout, &passed, err) == SS_OK;
    ss_script_free(&work);
    ss_lesson_free(l);
    return status && passed ? OK : FAILED;
}

static int act_new(const ss_config *cfg, int argc, const char *const *word, ss_err *err)
{
    (void)cfg, (void)argc;
    char path[320];
    ss_outfile f;
    size_t n = strlen(word[0]);
    bool named = n > 3 && strcmp(word[0] + n - 3, ".md") == 0;
    if (named)
        n -= 3;
    if (n == 0 || n > 300 || word[0][0] == '.' || strchr(word[0], '/'))
        return ss_fail(err, "a lesson's name is that of a file here: stencilscope lesson new mine"),
               USAGE;
    snprintf(path, sizeof path, "%.*s.md", (int)n, word[0]);
    if (access(path, F_OK) == 0)
        return ss_fail(err, "%s exists already", path), FAILED;
    if (ss_outfile_open(&f, path, err) != SS_OK)
        return FAILED;
    fprintf(f.stream, "# %.*s\n%s", (int)n, word[0], ss_embed_text("assets/help/new.md"));
    if (ss_outfile_close(&f, true, err) != SS_OK)
        return FAILED;
    ss_say(stdout, "wrote %s; stencilscope lesson lint %s tries it", path, path);
    return OK;
}

static int act_reset(const ss_config *cfg, int n, const char *const *word, ss_err *err)
{
    (void)cfg, (void)n;
    ss_lesson *l = ss_lesson_asked(word[0], err);
    int status = l ? ss_progress_reset(l->name, err) : SS_FAIL;
    if (status == SS_OK)
        ss_say(stdout, "%s begins again", l->name);
    ss_lesson_free(l);
    return status == SS_OK ? OK : FAILED;
}

static int act_words(const ss_config *cfg, int n, const char *const *word, ss_err *err)
{
    (void)cfg, (void)n, (void)word, (void)err;
    printf("A check: quantity <=|>=|<|>|== [factor *] (number | quantity | best(parameter)),\n"
           "same-as EQUATION SOLVER [NAME=VALUE ...], diverged, converged. keep before a check:\n"
           "it may be met at the start and must still be met at the end.\n"
           "Quantities: every parameter by its name (stencilscope --help), baseline.QUANTITY,\n");
    for (const ss_lesson_quantity *q = ss_lesson_quantities; q->name; q++)
        printf("  %-14s %s\n", q->name, q->help);
    return OK;
}

static const struct action {
    const char *name, *args;
    int min, max;
    int (*act)(const ss_config *cfg, int n, const char *const *word, ss_err *err);
} actions[] = {{"list", "", 0, 0, act_list},
               {"reset", "NAME", 1, 1, act_reset},
               {"grade", "LESSON RUNFILE", 2, 2, act_grade},
               {"new", "NAME", 1, 1, act_new},
               {"lint", "FILE...", 1, 64, act_lint},
               {"words", "", 0, 0, act_words}};

static const struct action *find_action(const char *word)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, word) == 0)
            return &actions[i];
    return NULL;
}

int ss_lesson_step_number(const char *word)
{
    return strspn(word, "0123456789") == strlen(word) && strlen(word) < 4 ? atoi(word) : 0;
}

bool ss_lesson_is_name(int nword, const char *const *word)
{
    return (nword == 1 || (nword == 2 && ss_lesson_step_number(word[1]) > 0)) &&
           !find_action(word[0]);
}

int ss_lesson_admits(const ss_config *cfg, bool screen, ss_err *err)
{
    static const char *const groups[] = {"Machine", "Front end", "Terminal",
                                         "Window",  "Browser",   "Recording"};
    size_t n = sizeof groups / sizeof *groups - !screen;
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_row(i);
        const ss_config *of = row->flags & SS_P_APP ? ss_options() : cfg;
        bool known = !of->v[row->slot].set;
        for (size_t k = 0; k < n && !known; k++)
            known = row->group && strcmp(row->group, groups[k]) == 0;
        if (!known)
            return ss_fail(err, "--%s does not apply to a lesson, which opens its own runs",
                           row->name);
    }
    return SS_OK;
}

int ss_lesson_main(const ss_config *asked, int nword, const char *const *word, ss_err *err)
{
    ss_config cfg = *asked;
    ss_run_model_work(true); /* all laptops agree */
    if (ss_lesson_admits(asked, false, err) != SS_OK)
        return USAGE;
    ss_lesson_config(&cfg);
    if (nword == 0)
        return act_list(&cfg, 0, NULL, err);
    const struct action *a = find_action(word[0]);
    if (a && (nword - 1 < a->min || nword - 1 > a->max))
        return ss_fail(err, "usage: stencilscope lesson %s %s", a->name, a->args), USAGE;
    if (a)
        return a->act(&cfg, nword - 1, word + 1, err);
    return ss_fail(err, "usage: stencilscope lesson [NAME]; stencilscope lesson --help says more"),
           USAGE;
}
