/* Fuzz target: the commands and checks of lessons on tiny runs that are really solved. Each line is
 * a command, or a check after '?'. A failure has a sentence, and a run that goes on
 * has a time. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tables.h"
#include "src/core/registry.h"
#include "src/lesson/runner.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MOST = 600, LINES_MOST = 12, DIGITS_MOST = 2 };

/* Numbers of more than two digits, exponents and suffixes make runs that are not tiny. */
static bool is_small(const char *line)
{
    int digits = 0;
    for (; *line; line++) {
        bool grows = digits > 0 && strchr("kMGTeE", *line);
        digits = isdigit((unsigned char)*line) ? digits + 1 : 0;
        if (grows || digits > DIGITS_MOST)
            return false;
    }
    return true;
}

/* Grids have no small default. */
static bool names_its_grid(const ss_cmd *cmd)
{
    for (int i = 0; i < cmd->argc; i++)
        if (strncmp(cmd->arg[i], "n=", 2) == 0 || strncmp(cmd->arg[i], "patch=", 6) == 0)
            return true;
    return false;
}

static bool changes_the_grid(const char *name)
{
    static const char *const names[] = {"n", "ny", "copies", "patch", "px", "py", "pz", "sizes"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void check(ss_runner *r, const char *line)
{
    static ss_lesson_step step;
    ss_check *c = &step.check[0];
    ss_check_result got[SS_CHECKS_MAX];
    ss_err err = {0};
    if (ss_check_parse(line, c, &err) != SS_OK)
        return;
    if (c->form == SS_CHECK_SAME_AS && (!is_small(line) || !names_its_grid(&c->same)))
        return;
    if (c->against == SS_RIGHT_BEST && changes_the_grid(c->right.name))
        return;
    step.ncheck = 1;
    err.text[0] = '\0';
    if (ss_runner_check(r, &step, got, &err) != SS_OK ? !err.text[0] : got->failed && !got->why[0])
        abort();
}

static void command(ss_runner *r, const char *line)
{
    ss_cmd cmd;
    ss_err err = {0};
    if (!is_small(line) || ss_cmd_parse(line, &cmd, &err) != SS_OK || !cmd.verb)
        return;
    if (cmd.verb->id == SS_VERB_UNSET || (cmd.verb->flags & SS_V_OPENS && !names_its_grid(&cmd)))
        return;
    err.text[0] = '\0';
    if (ss_lesson_admits_command(&cmd, &err) != SS_OK || ss_runner_do(r, &cmd, &err) != SS_OK) {
        if (!err.text[0])
            abort();
        return;
    }
    const ss_observation *now = ss_runner_now(r);
    if (now && now->status == SS_RUNNING && now->cycle < 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ss_config machine;
    static bool begun;
    ss_err err;
    char text[BYTES_MOST + 1], *save = NULL;
    if (!begun) {
        ss_tables_init();
        ss_config_default(&machine);
        ss_config_set(&machine, "backend", "cpu", &err);
        ss_config_set(&machine, "threads", "1", &err);
        begun = true;
    }
    if (size > BYTES_MOST)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    ss_runner *r = ss_runner_new(&machine, 0.5, NULL, &err);
    if (!r)
        return 0;
    command(r, "open poisson1d shared n=8 block=4 k=2 cycles=20");
    if (!ss_runner_now(r)) { /* a slow machine: the time was over */
        ss_runner_free(r);
        return 0;
    }
    r->scenario = ss_runner_now(r)->cfg;
    int n = 0;
    for (char *line = strtok_r(text, "\n", &save); line && n < LINES_MOST; n++) {
        if (*line == '?')
            check(r, line + 1);
        else
            command(r, line);
        line = strtok_r(NULL, "\n", &save);
    }
    ss_runner_free(r);
    return 0;
}
