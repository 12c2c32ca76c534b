/* stencilscope: the only file that exits. Parses the command line, chooses the front end, runs
 * the app, writes the requested files. Exit status: 0 done, 1 failed, diverged,
 * stagnated or a given --until missed, 2 usage, 130 interrupted. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app/cli.h"
#include "src/app/parts.h"
#include "src/app/tables.h"
#include "src/base/common.h"
#include "src/bench/driver.h"
#include "src/base/file.h"
#include "src/base/json_out.h"
#include "src/base/system.h"
#include "src/base/text.h"
#include "src/blas/blas.h"
#include "src/core/registry.h"
#include "src/core/settings.h"
#include "src/lesson/runner.h"
#include "src/lesson/session.h"
#include "src/run/ahead.h"
#include "src/tune/tuner.h"
#include "ui/scene/frontend.h"

/* --- front ends ------------------------------------------------------------------------------- */

/* In the order in which --ui auto tries them. Only this file and the Makefile list them. */

#ifdef SS_WITH_PAGE
extern const ss_frontend ss_frontend_page;
#endif
#ifdef SS_WITH_NCURSES
extern const ss_frontend ss_frontend_tui;
#endif
#ifdef SS_WITH_SDL
extern const ss_frontend ss_frontend_sdl;
#endif
#ifdef SS_WITH_WEB
extern const ss_frontend ss_frontend_web;
#endif
extern const ss_frontend ss_frontend_text, ss_frontend_none;

const ss_frontend *const ss_frontends[] = {
#ifdef SS_WITH_PAGE
    &ss_frontend_page,
#endif
#ifdef SS_WITH_NCURSES
    &ss_frontend_tui,
#endif
#ifdef SS_WITH_SDL
    &ss_frontend_sdl,
#endif
    &ss_frontend_text,
    &ss_frontend_none,
#ifdef SS_WITH_WEB
    &ss_frontend_web, /* behind one that always opens: a server must be asked for */
#endif
    NULL};

const ss_frontend_need ss_frontends_missing[] = {
#ifndef SS_WITH_NCURSES
    {"tui", "ncurses, which the terminal needs"},
#endif
#ifndef SS_WITH_SDL
    {"sdl", "SDL2, cairo and pango, which a window needs"},
#endif
#if !defined(SS_WITH_WEB) && !defined(SS_WITH_PAGE)
    {"web", "libwebsockets and zlib, which a page in a browser needs"},
#endif
    {.name = NULL}};

enum { DONE = 0, FAILED = 1, USAGE = 2, INTERRUPTED = 130 };

static int print_error(int status, const ss_err *err)
{
    fprintf(stderr, "stencilscope: %s\n", err->text);
    if (status == USAGE)
        fprintf(stderr, "stencilscope --help shows how it is used\n");
    return status;
}

/* --- the front end -------------------------------------------------------------------------------
 */

static const ss_frontend *find_frontend(const char *name)
{
    for (int i = 0; ss_frontends[i]; i++)
        if (strcmp(ss_frontends[i]->name, name) == 0)
            return ss_frontends[i];
    return NULL;
}

static int fail_missing(const char *name, ss_err *err)
{
    const ss_frontend_need *need = ss_frontends_missing;
    while (need->name && strcmp(need->name, name) != 0)
        need++;
    return ss_fail(
        err, "this program was built without %s; " SS_REMEDY ", make config says what was found",
        need->name ? need->what : name);
}

static const ss_frontend *choose_frontend(ss_err *err)
{
    const ss_param *row = ss_param_find(ss_options(), "ui", NULL);
    const char *name = row->choices[ss_config_value(ss_options(), row).i];
    const char *json = ss_config_text(ss_options(), "json");
    ss_err why = {0};
    if (json && strcmp(json, "-") == 0)
        name = "none";
    if (strcmp(name, row->choices[0]) != 0) {
        const ss_frontend *fe = find_frontend(name);
        if (!fe)
            fail_missing(name, err);
        else if (fe->probe && fe->probe(err) != SS_OK)
            return NULL;
        return fe;
    }
    for (int i = 0; ss_frontends[i]; i++) {
        const ss_frontend *fe = ss_frontends[i];
        ss_err *notice = why.text[0] ? err : &why; /* why the first choice fails */
        if (!fe->probe || fe->probe(notice) == SS_OK) {
            if (why.text[0] && isatty(STDOUT_FILENO))
                fprintf(stderr, "stencilscope: %s; using the front end %s\n", why.text, fe->name);
            return fe;
        }
    }
    return NULL;
}

/* --- output of the finished run --------------------------------------------------------------- */

typedef struct finish_ctx {
    double started;
    bool plain;  /* no screen: print the result as text */
    bool until;  /* --until was given */
    bool race;   /* the subcommand is race */
    bool clock;  /* seconds are measured */
    int threads; /* fewer than processors, because others are busy; 0: all */
    int exit_status;
} finish_ctx;

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static void say_threads(int threads, FILE *out)
{
    if (threads > 0)
        fprintf(out, "%d thread%s: the machine is busy; --threads %d takes all processors\n",
                threads, threads == 1 ? "" : "s", ss_processors());
}

static int write_files(const ss_result *r, const finish_ctx *c, ss_err *err)
{
    const char *json = ss_config_text(ss_options(), "json");
    const char *csv = ss_config_text(ss_options(), "csv");
    const char *save = ss_config_text(ss_options(), "save");
    if (save && ss_run_save(r->run, save, err) != SS_OK)
        return SS_FAIL;
    if (csv && ss_result_csv(r, csv, err) != SS_OK)
        return SS_FAIL;
    if (json && ss_result_json(r, json, err) != SS_OK)
        return SS_FAIL;
    if (c->plain && !is_stdout(json)) {
        ss_result_text(r, stdout);
        say_threads(c->threads, stdout);
    }
    return SS_OK;
}

/* Lines of text, which may name files. */
static void warn(const char *text)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        ss_say(stderr, "stencilscope: %.*s", (int)n, text);
    }
}

static int finish(ss_run *const *all, int n, bool interrupted, void *ctx, ss_err *err)
{
    finish_ctx *c = ctx;
    ss_run *run = all[0];
    ss_result r;
    if (c->race && n > 1) {
        err->text[0] = '\0';
        c->exit_status = ss_race_publish(all, n, c->clock, interrupted, err);
        if (c->plain && !ss_config_text(ss_options(), "json"))
            say_threads(c->threads, stdout);
        return err->text[0] ? SS_FAIL : SS_OK;
    }
    bool missed;
    bool want_error = ss_config_int(ss_options(), "error") != 0;
    bool want_accuracy = ss_config_int(ss_options(), "accuracy") != 0;
    if (ss_result_make(run, want_error, want_accuracy, c->started, &r, err) != SS_OK)
        return SS_FAIL;
    if (interrupted && run->status == SS_RUNNING)
        r.status = SS_INTERRUPTED;
    missed = (c->until && !run->reached) || (ss_run_seeks(run) && !run->met);
    c->exit_status = ss_status_fails(r.status) || missed ? FAILED : DONE;
    if (ss_status_fails(r.status) && is_stdout(ss_config_text(ss_options(), "json")))
        warn(run->message); /* without --json - the text of the result has it */
    return write_files(&r, c, err);
}

/* Checks before a long solve that the output files can be written. */
static int check_outputs(ss_err *err)
{
    static const char *const outputs[] = {"json", "csv", "save"};
    if (ss_config_text(ss_options(), "json") && ss_json_check(err) != SS_OK)
        return SS_FAIL;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        ss_outfile f;
        const char *path = ss_config_text(ss_options(), outputs[i]);
        for (size_t j = 0; path && j < i; j++) {
            const char *other = ss_config_text(ss_options(), outputs[j]);
            if (other && strcmp(other, path) == 0 && !is_stdout(path))
                return ss_fail(err, "--%s and --%s name the same file, %s", outputs[j], outputs[i],
                               path);
        }
        if (path && !(i == 0 && is_stdout(path)) && /* json: see file.c for the others */
            (ss_outfile_open(&f, path, err) != SS_OK || ss_outfile_close(&f, false, err) != SS_OK))
            return SS_FAIL;
    }
    return SS_OK;
}

/* --- the user's own commands ---------------------------------------------------------------------
 */

static int read_rc(ss_script *script, ss_err *err)
{
    char path[1024];
    const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (base && *base)
        snprintf(path, sizeof path, "%s/stencilscope/rc", base);
    else if (home)
        snprintf(path, sizeof path, "%s/.config/stencilscope/rc", home);
    else
        return SS_OK;
    return access(path, R_OK) == 0 ? ss_script_file(script, path, true, err) : SS_OK;
}

static bool is_given(const ss_config *cfg, const char *name)
{
    return cfg->v[ss_param_find(cfg, name, NULL)->slot].set;
}

static void take_threads(ss_config *cfg, int n)
{
    const ss_param *row = ss_param_find(cfg, "threads", NULL);
    cfg->v[row->slot] = (ss_value){.i = n > 1 ? n : 1, .set = true};
}

/* Without a screen a run takes the processors that others leave: at each barrier all threads wait
 * for the one that waits for its processor, many times as long as one thread alone would take. Bits
 * do not depend on the number. Returns it if it is less than all, else 0. */
static int spare_processors(ss_config *cfg)
{
    int all = ss_processors(), left = ss_cpu_idle(all);
    if (is_given(cfg, "threads") || ss_config_int(ss_options(), "deterministic") || left >= all ||
        ss_config_backend(cfg)->lost) /* a device's or ranks' */
        return 0;
    take_threads(cfg, left);
    return left;
}

/* True if a tolerance was given that a run may miss. */
static bool has_tolerance(const ss_config *cfg)
{
    return is_given(cfg, "until") && ss_config_real(cfg, "until") > 0;
}

static bool has_end(const ss_config *cfg)
{
    return is_given(cfg, "cycles") || ss_config_real(cfg, "until-time") > 0 ||
           ss_config_real(cfg, "seconds") > 0;
}

static bool ends(const ss_config *cfg)
{
    return has_end(cfg) || ss_config_equation(cfg)->kind != SS_TRANSIENT;
}

/* Fails for a time-dependent run without an end, the first one or one that the script opens:
 * without a screen the user cannot stop it. One that is added ends as the first one does. */
static int check_limits(const ss_config *cfg, const ss_script *script, ss_err *err)
{
    const ss_equation *endless = ends(cfg) ? NULL : ss_config_equation(cfg);
    static ss_config opened;
    if (script->limits || (script->steps && !script->runs))
        return SS_OK;
    for (int i = 0; i < script->count; i++) {
        const ss_cmd *cmd = script->cmd[i];
        ss_err ignored;
        if (!(cmd->verb->flags & SS_V_OPENS))
            continue;
        ss_open_default(cfg, &opened);
        bool valid = ss_open_words(cmd, &opened, &ignored) == SS_OK;
        if (cmd->verb->id == SS_VERB_OPEN)
            endless = NULL;
        if (valid && !ends(&opened) && (cmd->verb->id == SS_VERB_OPEN || !has_end(cfg)))
            endless = ss_config_equation(&opened);
    }
    if (!endless)
        return SS_OK;
    return ss_fail(err, "%s never ends by itself: give --cycles, --until-time or --seconds",
                   endless->name);
}

static double frame_rate(const ss_frontend *fe)
{
    return fe->fps > 0 && !is_given(ss_options(), "fps") ? fe->fps
                                                         : ss_config_real(ss_options(), "fps");
}

/* A lesson has no result; a map's files were written by its thread. */
static int finish_none(ss_run *const *run, int n, bool interrupted, void *ctx, ss_err *err)
{
    (void)run, (void)n, (void)interrupted, (void)ctx, (void)err;
    return SS_OK;
}

/* map: the tuning map to show; lesson: shown next to the run; either may be NULL. */
static int run_app(ss_cli *cli, const ss_config *map, const ss_lesson *lesson, const char *command,
                   double started, ss_err *err)
{
    ss_err notice = {0};
    bool interrupted = false, usage = false;
    int map_status = DONE;
    ss_script script = {.cmd = NULL};
    const ss_frontend *fe = choose_frontend(err);
    if (!fe)
        return FAILED;
    if (fe->check && fe->check(err) != SS_OK)
        return USAGE;
    bool interactive = fe->caps & SS_FE_INTERACTIVE;
    if (interactive && read_rc(&script, err) != SS_OK)
        return USAGE;
    if (interactive && !map && !is_given(&cli->cfg, "threads")) /* a run next to a map is paused */
        take_threads(&cli->cfg, ss_processors() - 1);           /* one for the front end */
    const ss_backend *asked = ss_config_backend(&cli->cfg);
    if (asked && asked->probe(err) != SS_OK)
        return FAILED;
    if (ss_config_check(&cli->cfg, &notice, err) != SS_OK)
        return USAGE;
    if (ss_film_check(interactive, map != NULL, err) != SS_OK)
        return USAGE;
    if (!map && check_outputs(err) != SS_OK)
        return FAILED;
    for (int i = 0; i < cli->script.count; i++)
        if (ss_script_copy(&script, cli->script.cmd[i], err) != SS_OK)
            return FAILED;
    if (!interactive && !lesson && cli->race.n == 0 &&
        check_limits(&cli->cfg, &script, err) != SS_OK)
        return USAGE;
    bool film = !interactive && ss_film_is_asked(&script);
    ss_app_setup setup = {
        .cfg = &cli->cfg,
        .frontend = fe,
        .script = &script,
        .map = map,
        .map_status = &map_status,
        .load = ss_config_text(ss_options(), "load"),
        .rhs = ss_config_text(ss_options(), "rhs"),
        .limits = is_given(&cli->cfg, "until") || is_given(&cli->cfg, "cycles") ||
                  is_given(&cli->cfg, "until-time") || is_given(&cli->cfg, "seconds"),
        .lesson = lesson,
        .pick = interactive && !lesson && !cli->chosen && cli->script.count == 0,
        .deterministic = film || ss_config_int(ss_options(), "deterministic") != 0,
        .film = film,
        .command = command,
        .fps = frame_rate(fe),
        .started = started,
        .warn = warn,
    };
    finish_ctx ctx = {.started = started,
                      .threads = interactive || film || lesson ? 0 : spare_processors(&cli->cfg),
                      .plain = !interactive,
                      .until = has_tolerance(&cli->cfg),
                      .race = cli->race.n > 0,
                      .clock = !setup.deterministic};
    int status =
        ss_app_main(&setup, map || lesson ? finish_none : finish, &ctx, &interrupted, &usage, err);
    ss_script_free(&script);
    if (map && status == SS_OK)
        return interrupted ? INTERRUPTED : map_status;
    if (status != SS_OK)
        return usage ? USAGE : interrupted ? INTERRUPTED : FAILED;
    if (notice.text[0] && !interactive && !ss_config_text(ss_options(), "json"))
        fprintf(stderr, "stencilscope: %s\n", notice.text);
    return interrupted ? INTERRUPTED : lesson ? DONE : ctx.exit_status;
}

/* Shows the map on a screen if possible, next to a paused run of its first cell. Otherwise prints
 * it, and draws its figures and recordings. */
static int run_map(ss_cli *cli, const char *command, double started, ss_err *err)
{
    ss_config asked = cli->cfg;
    const ss_frontend *fe = NULL;
    bool wanted = is_given(ss_options(), "ui") || isatty(STDOUT_FILENO);
    if (ss_film_check(false, true, err) != SS_OK)
        return USAGE;
    if (wanted && !(fe = choose_frontend(err)))
        return FAILED;
    if (!fe || !(fe->caps & SS_FE_INTERACTIVE))
        return ss_app_map_is_drawn() ? ss_app_map_film(&cli->cfg, command, err)
                                     : ss_tune_run(&cli->cfg, err);
    int status = ss_tune_first(&asked, &cli->cfg, err);
    cli->chosen = true;
    return status == DONE ? run_app(cli, &asked, NULL, command, started, err) : status;
}

static void leave_interrupted(int signo)
{
    (void)signo;
    _exit(INTERRUPTED);
}

/* For commands without a front end and without a map: a signal to quit ends the program at once,
 * with status 130. The output so far stays. */
static void leave_on_signals(void)
{
    ss_quit_signals before;
    setvbuf(stdout, NULL, _IOLBF, 0);
    ss_quit_signals_catch(&before, leave_interrupted);
}

/* --- a lesson ------------------------------------------------------------------------------------
 */

/* The student goes on from there another time, too. */
static int go_to_step(ss_session *s, const char *word, ss_err *err)
{
    int step = ss_lesson_step_number(word);
    if (step > s->lesson->nstep)
        return ss_fail(err, "%s has %d steps, and no step %d", s->lesson->name, s->lesson->nstep,
                       step);
    return ss_session_go(s, step - 1, err);
}

static int run_lesson(ss_cli *cli, const char *command, double started, ss_err *err)
{
    const ss_frontend *fe = choose_frontend(err);
    if (!fe)
        return FAILED;
    if (ss_lesson_admits(&cli->cfg, fe->caps & SS_FE_DRAWS, err) != SS_OK)
        return USAGE;
    if (!(fe->caps & SS_FE_DRAWS) && !fe->hold)
        return ss_fail(err, "--ui %s shows no lesson; --ui text does", fe->name), USAGE;
    ss_lesson *lesson = ss_lesson_asked(cli->word[0], err);
    if (!lesson)
        return FAILED;
    ss_session at;
    ss_app_session(fe, lesson, &at);
    if (cli->nword > 1 && go_to_step(&at, cli->word[1], err) != SS_OK)
        return ss_lesson_free(lesson), FAILED;
    ss_lesson_config(&cli->cfg);
    ss_config machine = cli->cfg;
    int status = FAILED;
    if (ss_lesson_opening(lesson, at.index, &machine, &cli->cfg, err) == SS_OK)
        status = run_app(cli, NULL, lesson, command, started, err);
    ss_lesson_free(lesson);
    return status;
}

static int run_lessons(ss_cli *cli, const char *command, double started, ss_err *err)
{
    if (ss_lesson_is_name(cli->nword, cli->word))
        return run_lesson(cli, command, started, err);
    leave_on_signals();
    return ss_lesson_main(&cli->cfg, cli->nword, cli->word, err);
}

/* --- a race --------------------------------------------------------------------------------------
 */

static int check_race(ss_lineup *race, ss_err *notice, ss_err *err)
{
    for (int i = 0; i < race->n; i++) {
        const ss_backend *asked = ss_config_backend(&race->cfg[i]);
        if (asked && asked->probe(err) != SS_OK)
            return FAILED;
        if ((i > 0 && ss_race_alike(&race->cfg[0], &race->cfg[i], err) != SS_OK) ||
            ss_config_check(&race->cfg[i], notice, err) != SS_OK)
            return USAGE;
    }
    return DONE;
}

/* Fails if nothing ends the race: without a screen the user cannot stop it. */
static int check_race_ends(const ss_lineup *race, const ss_script *script, ss_err *err)
{
    const ss_config *cfg = &race->cfg[0]; /* the common goal */
    const char *name = ss_config_equation(cfg)->name;
    bool ends = is_given(cfg, "cycles") || ss_config_real(cfg, "seconds") > 0 ||
                ss_config_real(cfg, "until-accuracy") > 0 ||
                ss_config_real(cfg, "until-error") > 0 || script->steps;
    if (ss_config_equation(cfg)->kind == SS_TRANSIENT) /* bare, it ends at a simulated time */
        return ss_film_is_asked(script) ? check_limits(cfg, script, err) : SS_OK;
    if (ends || ss_config_real(cfg, "until") > 0)
        return SS_OK;
    return ss_fail(
        err, "a race of %s without --until never ends by itself: give --cycles or --seconds", name);
}

/* A race is a script: adds the other runs, then starts. */
static int race_script(ss_cli *cli, ss_err *err)
{
    static const char *const by[SS_NKIND] = {"race seconds", "race time"};
    const char *const begin[] = {"select 1", by[ss_config_equation(&cli->race.cfg[0])->kind]};
    static char line[SS_CMD_TEXT];
    ss_script own = cli->script;
    int status = SS_OK;
    cli->script = (ss_script){.cmd = NULL};
    cli->cfg = cli->race.cfg[0];
    cli->chosen = true;
    for (int i = 1; i < cli->race.n && status == SS_OK; i++)
        status = ss_script_add(&cli->script, ss_race_command(&cli->race.cfg[i], line, sizeof line),
                               "race", err);
    for (int i = 0; i < 2 && status == SS_OK; i++)
        status = ss_script_add(&cli->script, begin[i], "race", err);
    for (int i = 0; i < own.count && status == SS_OK; i++)
        status = ss_script_copy(&cli->script, own.cmd[i], err);
    ss_script_free(&own);
    return status;
}

static int run_race(ss_cli *cli, const char *command, double started, ss_err *err)
{
    ss_err notice = {0};
    static const struct {
        const char *name;
        bool transient; /* refused only there */
    } alone[] = {{"save", false}, {"csv", false}, {"accuracy", false}, {"error", true}};
    bool steady = ss_config_equation(&cli->race.cfg[0])->kind == SS_STEADY;
    ss_lineup checked = cli->race; /* the others are checked again when they are added */
    const ss_frontend *fe = choose_frontend(err);
    if (!fe)
        return FAILED;
    int status = check_race(&checked, &notice, err);
    if (status != DONE)
        return status;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (is_given(ss_options(), alone[i].name) && !(alone[i].transient && steady))
            return ss_fail(err, "--%s applies to a single run: solve it without a race",
                           alone[i].name),
                   USAGE;
    if (!(fe->caps & SS_FE_INTERACTIVE) && check_race_ends(&checked, &cli->script, err) != SS_OK)
        return USAGE;
    bool watched = (fe->caps & SS_FE_INTERACTIVE) || ss_film_is_asked(&cli->script);
    if (!watched && cli->script.count > 0)
        return ss_fail(err, "a race without a screen or a recording takes no commands"), USAGE;
    return race_script(cli, err) == SS_OK ? run_app(cli, NULL, NULL, command, started, err) : USAGE;
}

/* --- subcommands ------------------------------------------------------------------------------ */

static int run_single(ss_cli *cli, const char *command, double started, ss_err *err)
{
    return run_app(cli, NULL, NULL, command, started, err);
}

static int run_list(ss_cli *cli, const char *command, double started, ss_err *err)
{
    (void)cli, (void)command, (void)started, (void)err;
    ss_docs_list(stdout);
    return DONE;
}

static int run_bench(ss_cli *cli, const char *command, double started, ss_err *err)
{
    (void)command, (void)started;
    leave_on_signals();
    return ss_bench_run(&cli->cfg, err);
}

static int run_kernels(ss_cli *cli, const char *command, double started, ss_err *err)
{
    (void)command, (void)started;
    leave_on_signals();
    return ss_kernels_main(&cli->cfg, cli->nword, cli->word, err);
}

typedef int runner(ss_cli *cli, const char *command, double started, ss_err *err);

/* What carries out a subcommand; without one it is a single run. */
static runner *find_runner(const char *command)
{
    static const struct {
        const char *name;
        runner *run;
    } all[] = {{"list", run_list}, {"bench", run_bench},    {"map", run_map},
               {"race", run_race}, {"lesson", run_lessons}, {"kernels", run_kernels}};
    for (size_t i = 0; command && i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, command) == 0)
            return all[i].run;
    return run_single;
}

static int dispatch(int argc, char **argv, ss_cli *cli, ss_err *err)
{
    static char command[4096];
    double started = ss_clock();
    if (ss_link_expand(&argc, &argv, err) != SS_OK)
        return USAGE;
    ss_json_command(ss_cli_text(argc, argv, command, sizeof command));
    if (ss_cli_parse(argc, argv, cli, err) != SS_OK)
        return USAGE;
    if (cli->help)
        ss_docs_help(cli->command, &cli->cfg, cli->chosen, stdout);
    else if (cli->version)
        printf("stencilscope %s\n", SS_VERSION);
    else if (cli->generate)
        return ss_docs_generate(cli->generate, stdout, err) == SS_OK ? DONE : USAGE;
    else
        return find_runner(cli->command)(cli, command, started, err);
    return DONE;
}

#if defined(__GLIBC__) && !defined(SS_SANITIZED)
/* Ends before the destructors of libraries, also where a library ends the program: where memory is
 * short, that of OpenBLAS waits for threads that never started. A sanitizer looks for leaks there.
 */
static void leave(int status, void *unused)
{
    (void)unused;
    fflush(NULL);
    _exit(status);
}

static bool leaves_early(void)
{
    return on_exit(leave, NULL) == 0;
}
#else
static bool leaves_early(void)
{
    return false;
}
#endif

int main(int argc, char **argv)
{
    static ss_cli cli;
    ss_err err = {0};
    (void)leaves_early();
#ifdef __linux__
    ss_ahead_program = "/proc/self/exe";
#endif
    signal(SIGXFSZ, SIG_IGN); /* a file over the limit is an error of its write */
    ss_blas_settle();
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C");
    for (int i = 0; ss_frontends[i]; i++)
        ss_registry_add(ss_frontends[i]->params, ss_frontends[i]->nparam);
    ss_tables_init();
    int status = dispatch(argc, argv, &cli, &err);
    if (status == USAGE && err.outside)
        status = FAILED;
    if (status == DONE && (fflush(stdout) != 0 || ferror(stdout)))
        ss_fail(&err, "cannot write to stdout: %s", strerror(errno)), status = FAILED;
    if (err.text[0] && status != DONE)
        print_error(status, &err);
    ss_script_free(&cli.script);
    ss_intern_free();
    exit(status);
}
