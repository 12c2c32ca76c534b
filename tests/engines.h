/* Engines under test: started paused and deterministic, driven by lines of the command language,
 * observed through their snapshots. A test that uses them is one thread; the engine is the other.
 */
#ifndef SS_TESTS_ENGINES_H
#define SS_TESTS_ENGINES_H

#include <stdlib.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/run/checkpoint.h"
#include "src/engine/engine.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/core/command.h"
#include "tests/check.h"

#define ENGINES_UNUSED __attribute__((unused))
#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define PAIRS LINES

/* A checked config; solver NULL: the equation's own. pairs: names and values. */
ENGINES_UNUSED static ss_config config(const char *equation, const char *solver,
                                       const char *const *pairs)
{
    ss_config cfg;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    CHECK_MSG(ss_config_set(&cfg, "equation", equation, &err) == SS_OK, "%s", err.text);
    if (solver)
        CHECK_MSG(ss_config_set(&cfg, "solver", solver, &err) == SS_OK, "%s", err.text);
    for (; *pairs; pairs += 2)
        CHECK_MSG(ss_config_set(&cfg, pairs[0], pairs[1], &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    return cfg;
}

ENGINES_UNUSED static ss_engine *engine_start(const ss_engine_setup *setup)
{
    ss_err err = {0};
    ss_engine *e = ss_engine_start(setup, &err);
    CHECK_MSG(e, "%s", err.text);
    return e;
}

ENGINES_UNUSED static ss_engine *engine_for(const ss_config *cfg)
{
    ss_engine_setup setup = {
        .cfg = cfg, .interactive = true, .deterministic = true, .paused = true};
    return engine_start(&setup);
}

/* The first snapshot after a command. */
ENGINES_UNUSED static const ss_snapshot *engine_wait(ss_engine *e, uint64_t ticket)
{
    for (int i = 0; i < 20000; i++) {
        bool fresh;
        ss_engine_want(e);
        const ss_snapshot *s = ss_engine_take(e, &fresh);
        if (s && s->ticket >= ticket)
            return s;
        usleep(1000);
    }
    CHECK_MSG(false, "the engine did not answer");
    return NULL;
}

/* Posts the lines, each after the steps of the previous one, and waits until the last is carried
 * out. */
ENGINES_UNUSED static const ss_snapshot *send_lines(ss_engine *e, const char *const *lines)
{
    ss_err err = {0};
    uint64_t ticket = 0;
    for (; *lines; lines++) {
        ss_cmd cmd;
        CHECK_MSG(ss_cmd_parse(*lines, &cmd, &err) == SS_OK, "%s", err.text);
        cmd.patient = true;
        ticket = ss_engine_post(e, &cmd, &err);
        CHECK(ticket > 0);
    }
    return engine_wait(e, ticket);
}

/* The same field at the same cycle; ends both engines. */
ENGINES_UNUSED static void same_state(ss_engine *a, ss_engine *b)
{
    ss_engine_stop(a);
    ss_engine_stop(b);
    ss_run *x = ss_engine_run(a), *y = ss_engine_run(b);
    char *u = ss_field_download(x), *v = ss_field_download(y);
    CHECK(u && v);
    CHECK_INT(x->cycle, y->cycle);
    CHECK_INT(x->step, y->step);
    CHECK(memcmp(u, v, ss_field_bytes(x)) == 0);
    free(u);
    free(v);
    ss_engine_free(a);
    ss_engine_free(b);
}

/* A saved session. */
ENGINES_UNUSED static void play(ss_engine *e, const char *path)
{
    ss_err err = {0};
    ss_script script = {.cmd = NULL};
    CHECK_MSG(ss_script_file(&script, path, false, &err) == SS_OK, "%s", err.text);
    for (int i = 0; i < script.count; i++)
        CHECK(ss_engine_post(e, script.cmd[i], &err) > 0);
    send_lines(e, LINES("pause"));
    ss_script_free(&script);
}

/* A test of one engine with these pairs of names and values. */
#define ENGINE_TEST(suite, name, equation, solver, ...)                                            \
    static void suite##_##name##_on(ss_engine *e);                                                 \
    TEST(suite, name)                                                                              \
    {                                                                                              \
        ss_config cfg = config(equation, solver, PAIRS(__VA_ARGS__));                              \
        ss_engine *e = engine_for(&cfg);                                                           \
        suite##_##name##_on(e);                                                                    \
        ss_engine_free(e);                                                                         \
    }                                                                                              \
    static void suite##_##name##_on(ss_engine *e)

#endif
