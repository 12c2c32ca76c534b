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
    ss_err err = {""};
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
    return engine_for(&cli.cfg);
}

/* The field of a run made from the line alone. */
static ss_run *run_alone(const char *line)
{
    static ss_cli cli;
    ss_err err = {""};
    parse(line, &cli);
    ss_run *run = ss_run_open(&cli.cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    run->stop_at_tol = true;
    for (int i = 0; i < 10000 && run->status == SS_RUNNING; i++)
        CHECK_MSG(ss_run_step(run, 1000, &err) == SS_OK, "%s", err.text);
    return run;
}

typedef struct state {
    const char *line, *script;
    const char *has; /* in the line that leads there */
} state;

static const state states[] = {
    {"x poisson2d shared --n 61 --ny 40 --k 3 --problem random --seed 9", "step 7",
     "--seed 9 --n 61 --ny 40 --problem random --k 3 --cycles 7"},
    {"x poisson2d jacobi --n 12", "step 900", "--until 0"}, /* far beyond the tolerance */
    {"x poisson2d jacobi --n 40 --until 0.1", "step 5", "--until 0.1 --cycles 5"},
    {"x poisson1d async --backend cpu --n 90 --block 16 --alpha 3", "step 4", "--backend cpu"},
    {"x poisson2d --n 50", "set k 3;step 4;set threads 2;step 1",
     "--threads 2 --n 50 --k 3 --cycles 5"},
    {"x poisson2d --n 50", "step 4;set k 3;step 2;reset;step 3", "--k 3 --cycles 3"},
    {"x poisson2d --n 50", "step 4;paint 9 9 4 1;step 2;undo", "--cycles 4"},
    {"x heat1d --n 128 --precision f32", "step 5", "--precision f32 --n 128 --cycles 5"},
    {"x heat1d --n 128 --until-time 0.00123", "step 100", "--until-time"}, /* no whole cycle */
    {"x euler1d stepper --n 64 --problem lax", "step 9", "--problem lax --cycles 9"},
    {"x poisson3d --patch 10 --px 2 --bx 5", "step 3", "--cycles 3"},
    {"x poisson2d --n 30", "", "--cycles 0"},
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
        ss_run *here = ss_engine_run(e), *there = run_alone(line);
        char *u = ss_field_download(here), *v = ss_field_download(there);
        CHECK_MSG(here->cycle == there->cycle && here->step == there->step, "%s: cycle %d", line,
                  (int)there->cycle);
        CHECK_MSG(memcmp(u, v, ss_field_bytes(here)) == 0, "another field: %s", line);
        free(u);
        free(v);
        ss_run_close(there);
        ss_engine_free(e);
    }
}

TEST(reproduce, states_without_a_command_line_are_explained)
{
    static const struct {
        const char *script, *why;
    } cases[] = {{"step 2;set k 3;step 2", "changed while it ran"},
                 {"step 2;paint 9 9 4 1", "painted"},
                 {"paint 9 9 4 1;step 2;set k 3;undo", "changed while it ran"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ss_engine *e = start("x poisson2d --n 50");
        const ss_snapshot *s = send_script(e, cases[i].script);
        CHECK_MSG(s->command_why && strstr(s->command_why, cases[i].why), "%s: %s", cases[i].script,
                  s->command_why ? s->command_why : "nothing");
        ss_engine_free(e);
    }
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
    CHECK_MSG(strstr(s->command, "/u.npy' --cycles 0"), "%s", s->command);
    ss_engine_free(e);
    remove(path);
    rmdir(folder);
}
