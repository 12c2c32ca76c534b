/*
 * The command line of a state: parsed by the program and run without a screen, it leads to the same
 * field bit for bit; otherwise the reason is given.
 */
#include <stdio.h>
#include <stdlib.h>

#include "src/app/cli.h"
#include "src/app/tables.h"
#include "tests/engines.h"

enum { WORDS_MAX = 64 };

/* As a shell splits a line: blanks, and '...' around what has some. */
static int split(char *line, char **word)
{
    int n = 0;
    for (char *from = line; *from && n < WORDS_MAX - 1;) {
        char *to = from;
        bool quoted = false;
        word[n++] = from;
        for (; *from && (quoted || *from != ' '); from++)
            if (*from == '\'')
                quoted = !quoted;
            else
                *to++ = *from;
        from += *from == ' ';
        *to = '\0';
    }
    word[n] = NULL;
    return n;
}

static void parse(const char *line, ss_cli *cli)
{
    static char text[1024];
    char *word[WORDS_MAX];
    ss_err err = {0};
    ss_tables_init();
    snprintf(text, sizeof text, "%s", line);
    int n = split(text, word);
    CHECK_MSG(ss_cli_parse(n, word, cli, &err) == SS_OK, "%s: %s", line, err.text);
    CHECK_MSG(ss_config_check(&cli->cfg, NULL, &err) == SS_OK, "%s: %s", line, err.text);
}

/* Lines with semicolons between them. */
static const ss_snapshot *send_script(ss_engine *e, const char *script)
{
    char text[256], *save = NULL;
    const char *line[16] = {NULL};
    snprintf(text, sizeof text, "%s", script);
    int n = 0;
    for (char *at = strtok_r(text, ";", &save); at && n < 15; at = strtok_r(NULL, ";", &save))
        line[n++] = at;
    return send_lines(e, line);
}

static ss_engine *start(const char *line)
{
    static ss_cli cli;
    parse(line, &cli);
    ss_script_free(&cli.script); /* callers send the commands themselves */
    return engine_for(&cli.cfg);
}

/* The run that the line alone leads to, without a screen. */
static ss_engine *run_alone(const char *line)
{
    static ss_cli cli;
    parse(line, &cli);
    ss_engine_setup setup = {.cfg = &cli.cfg, .deterministic = true, .paused = true};
    ss_engine *e = engine_start(&setup);
    uint64_t ticket = 0;
    for (int i = 0; i < cli.script.count; i++)
        ticket = ss_engine_post(e, cli.script.cmd[i], NULL);
    engine_wait(e, ticket);
    ss_script_free(&cli.script);
    ss_engine_stop(e);
    return e;
}

typedef struct state {
    const char *line, *script;
    const char *has; /* in the line that leads there */
} state;

static const state states[] = {
    {"x poisson2d shared --n 61 --ny 40 --k 3 --problem random --seed 9", "step 7",
     "--seed 9 --n 61 --ny 40 --problem random --k 3 -e 'step 7'"},
    {"x poisson2d jacobi --n 12", "step 900", "--until 0"}, /* far beyond the tolerance */
    {"x poisson2d jacobi --n 40 --until 0.1", "step 5", "--until 0.1 -e 'step 5' -e pause"},
    {"x poisson1d async --backend cpu --n 90 --block 16 --alpha 3", "step 4",
     "async --n 90 --alpha 3 --block 16 -e 'step 4'"},
    {"x poisson2d --n 50", "set k 3;step 4;set threads 2;step 1",
     "poisson2d shared --n 50 --k 3 -e 'step 5'"}, /* threads do not change the bits */
    {"x poisson2d --n 50", "step 4;set k 3;step 2;reset;step 3", "--k 3 -e 'step 3'"},
    {"x poisson2d --n 50", "step 4;paint 9 9 4 1;step 2;undo", "-e 'step 4'"},
    {"x heat1d --n 128 --precision f32", "step 5", "--precision f32 --n 128 -e 'step 5'"},
    {"x heat1d --n 128 --until-time 0.00123", "step 100", "--until-time"}, /* no whole cycle */
    {"x euler1d stepper --n 64 --problem lax", "step 9", "--problem lax -e 'step 9'"},
    {"x poisson3d --patch 10 --px 2 --bx 5", "step 3", "-e 'step 3'"},
    {"x poisson2d --n 30", "", "-e 'step 0'"},
};

TEST(reproduce, the_command_line_reproduces_the_field_bit_for_bit)
{
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        char line[1024];
        ss_engine *e = start(states[i].line);
        const ss_snapshot *s = send_script(e, states[i].script);
        snprintf(line, sizeof line, "%s", s->command);
        CHECK_MSG(!s->command_why, "%s: %s", line, s->command_why);
        CHECK_MSG(strstr(line, states[i].has), "'%s' has no '%s'", line, states[i].has);
        ss_engine_stop(e);
        ss_engine *alone = run_alone(line);
        ss_run *here = ss_engine_run(e), *there = ss_engine_run(alone);
        char *u = ss_field_download(here), *v = ss_field_download(there);
        CHECK_MSG(here->cycle == there->cycle && here->step == there->step, "%s: cycle %d", line,
                  (int)there->cycle);
        CHECK_MSG(memcmp(u, v, ss_field_bytes(here)) == 0, "another field: %s", line);
        free(u);
        free(v);
        ss_engine_free(alone);
        ss_engine_free(e);
    }
}

/* Runs the -e options of a line, in order, on an engine that was opened with its other options. */
static ss_engine *engine_of_line(const char *line)
{
    char text[1024];
    char *word[WORDS_MAX];
    ss_engine *e = start(line);
    snprintf(text, sizeof text, "%s", line);
    int n = split(text, word);
    for (int i = 1; i < n; i++)
        if (strcmp(word[i - 1], "-e") == 0)
            send_lines(e, LINES(word[i]));
    return e;
}

static const state sessions[] = {
    {"x poisson2d --n 50", "step 2;set k 3;step 2", " -e 'step 2' -e 'set k 3' -e 'step 2'"},
    {"x poisson2d --n 50 --ny 31 --k 2", "step 3;set overlap 4;step 1;set solver jacobi;step 5",
     "--ny 31 --k 2 -e 'step 3' -e 'set overlap 4' -e 'step 1' -e 'set solver jacobi'"},
    {"x poisson2d --n 50", "step 2;paint 9 9 4 1", " -e 'step 2' -e 'paint 9 9 4 1'"},
    {"x poisson2d --n 50", "paint 9 9 4 1;step 2;set k 3;undo;step 1", "-e undo"},
    {"x poisson2d --n 50 --k 8", "step 3;set overlap 6;tick 3", "-e 'set overlap 6' -e 'tick 3'"},
    {"x poisson2d --n 12 --k 4", "step 900;set k 3;step 2", "--until 0"},
    {"x heat1d --n 64 --block 16", "step 2;set block 32;step 3", "-e 'set block 32' -e 'step 3'"},
    {"x poisson1d async --n 90 --block 16", "step 4;set alpha 3;step 2", "-e 'set alpha 3'"},
};

TEST(reproduce, the_commands_since_the_start_reproduce_the_field_bit_for_bit)
{
    for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
        char line[1024];
        ss_engine *e = start(sessions[i].line);
        const ss_snapshot *s = send_script(e, sessions[i].script);
        snprintf(line, sizeof line, "%s", s->command);
        CHECK_MSG(!s->command_why, "%s: %s", line, s->command_why);
        CHECK_MSG(strstr(line, sessions[i].has), "'%s' has no '%s'", line, sessions[i].has);
        ss_engine *again = engine_of_line(line);
        ss_engine_stop(e);
        ss_engine_stop(again);
        ss_run *here = ss_engine_run(e), *there = ss_engine_run(again);
        char *u = ss_field_download(here), *v = ss_field_download(there);
        CHECK_MSG(here->cycle == there->cycle && here->peek == there->peek, "%s: cycle %d", line,
                  (int)there->cycle);
        CHECK_MSG(memcmp(u, v, ss_field_bytes(here)) == 0, "another field: %s", line);
        free(u);
        free(v);
        ss_engine_free(e);
        ss_engine_free(again);
    }
}

/* The line opens all runs of a race and brings them level. */
TEST(reproduce, a_race_is_reproduced_with_all_of_its_runs)
{
    char line[1024];
    ss_engine *e = start("x poisson2d jacobi --n 63 --until 1e-3");
    const ss_snapshot *s =
        send_script(e, "add poisson2d shared n=63 k=3 until=1e-3;add poisson2d sor n=63 "
                       "until=1e-3;select 2;race iterations;step 5");
    snprintf(line, sizeof line, "%s", s->command);
    CHECK_MSG(!s->command_why, "%s: %s", line, s->command_why);
    CHECK_MSG(strstr(line, "jacobi --until 0.001 --n 63 -e 'add poisson2d shared until=0.001 n=63 "
                           "k=3' -e 'add poisson2d sor until=0.001 n=63' -e 'select 2' "
                           "-e 'race iterations' -e 'step 5'"),
              "%s", line);
    ss_engine *again = engine_of_line(line);
    ss_engine_stop(e);
    ss_engine_stop(again);
    ss_run *here[SS_RUN_MAX], *there[SS_RUN_MAX];
    CHECK_INT(ss_engine_runs(e, here), 3);
    CHECK_INT(ss_engine_runs(again, there), 3);
    CHECK(ss_engine_run(again) == there[1]);
    for (int i = 0; i < 3; i++) {
        char *u = ss_field_download(here[i]), *v = ss_field_download(there[i]);
        CHECK_INT(here[i]->iteration, there[i]->iteration);
        CHECK_MSG(memcmp(u, v, ss_field_bytes(here[i])) == 0, "run %d has another field", i + 1);
        free(u);
        free(v);
    }
    ss_engine_free(e);
    ss_engine_free(again);
}

TEST(reproduce, a_race_that_was_painted_has_no_line)
{
    ss_engine *e = start("x poisson2d jacobi --n 30");
    const ss_snapshot *s =
        send_script(e, "add poisson2d shared n=30;race iterations;step 2;paint 9 9 4 1");
    CHECK(s->command_why && strstr(s->command_why, "painted"));
    ss_engine_free(e);
}

/* The speed that the user has chosen, if it is not the usual one. */
TEST(reproduce, the_speed_is_kept)
{
    ss_engine *e = start("x poisson2d --n 30");
    CHECK(!strstr(send_script(e, "step 2")->command, "speed"));
    CHECK(strstr(send_script(e, "speed 0.25")->command, " -e 'speed 0.25'"));
    ss_engine_free(e);
}

TEST(reproduce, a_session_that_is_too_long_for_a_line_says_so)
{
    ss_engine *e = start("x poisson2d --n 50");
    const ss_snapshot *s = send_lines(e, LINES("step 1"));
    for (int i = 0; i < 60; i++) {
        char line[40];
        snprintf(line, sizeof line, "paint %d 9 4 1", i % 40);
        s = send_lines(e, LINES(line));
    }
    CHECK(s->command_why && strstr(s->command_why, "more commands than fit"));
    ss_engine_free(e);
}

/* A saved session begins with the commands given after its name. */
TEST(reproduce, a_saved_session_begins_with_what_is_shown)
{
    char folder[] = "/tmp/ss-session-XXXXXX", path[64], line[200], text[400] = "";
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.run", folder);
    ss_engine *e = start("x poisson2d --n 20 --k 2");
    snprintf(line, sizeof line, "step 2;save %s \"view layer residual\" \"view grid off\"", path);
    send_script(e, line);
    ss_engine_free(e);
    FILE *f = fopen(path, "r");
    CHECK(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    text[n] = '\0';
    fclose(f);
    CHECK_MSG(strstr(text, "\nview layer residual\nview grid off\nstep 2\n"), "%s", text);
    remove(path);
    rmdir(folder);
}

/* Names of files are quoted for the shell. */
TEST(reproduce, file_names_are_quoted_for_the_shell)
{
    char folder[] = "/tmp/ss quote'XXXXXX", path[64], line[200];
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/u.npy", folder);
    ss_engine *e = start("x poisson2d --n 20");
    snprintf(line, sizeof line, "step 2;save \"%s\";load \"%s\"", path, path);
    const ss_snapshot *s = send_script(e, line);
    CHECK_MSG(strstr(s->command, "--load '/tmp/ss quote'\\''"), "%s", s->command);
    CHECK_MSG(strstr(s->command, "/u.npy' -e 'step 0'"), "%s", s->command);
    ss_engine_free(e);
    remove(path);
    rmdir(folder);
}
