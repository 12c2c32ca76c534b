/* Reading lists of commands: see script.h. */
#include "src/core/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"

/* Is the run paused after this verb? */
static bool stops(const ss_verb *v)
{
    return (v->flags & (SS_V_ADVANCES | SS_V_INTERRUPTS)) || v->id == SS_VERB_QUIT;
}

static bool may_limit(const ss_cmd *cmd)
{
    static const char *const limits[] = {"cycles", "until-time", "seconds"};
    bool sets = cmd->verb->id == SS_VERB_SET, opens = cmd->verb->flags & SS_V_OPENS, found = false;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        size_t n = strlen(limits[i]);
        for (int k = 0; k < cmd->argc && opens; k++)
            found = found || (strncmp(cmd->arg[k], limits[i], n) == 0 && cmd->arg[k][n] == '=');
        found = found || (sets && strcmp(cmd->arg[0], limits[i]) == 0);
    }
    return found;
}

static void summarise(ss_script *s, const ss_cmd *cmd)
{
    const ss_verb *v = cmd->verb;
    bool advances = v->flags & SS_V_ADVANCES;
    s->steps = s->steps || advances;
    s->pauses = v->id == SS_VERB_PAUSE || (s->pauses && !advances);
    s->runs = v->id == SS_VERB_RUN || (s->runs && !stops(v));
    s->limits = s->limits || may_limit(cmd);
    s->rewinds = s->rewinds || (v->flags & SS_V_REWINDS);
}

int ss_script_copy(ss_script *s, const ss_cmd *cmd, ss_err *err)
{
    if (s->count == s->capacity) {
        int want = s->capacity ? 2 * s->capacity : 16;
        ss_cmd **more = realloc(s->cmd, (size_t)want * sizeof *more);
        if (!more)
            return ss_fail_memory(err, "a list of commands", (size_t)want * sizeof *more);
        s->cmd = more;
        s->capacity = want;
    }
    ss_cmd *copy = malloc(sizeof *copy);
    if (!copy)
        return ss_fail_memory(err, "a command", sizeof *copy);
    *copy = *cmd;
    for (int i = 0; i < cmd->argc; i++)
        copy->arg[i] = copy->text + (cmd->arg[i] - cmd->text);
    copy->patient = true;
    summarise(s, cmd);
    s->cmd[s->count++] = copy;
    return SS_OK;
}

int ss_script_add(ss_script *s, const char *line, const char *where, ss_err *err)
{
    ss_cmd cmd;
    ss_err why;
    if (ss_cmd_parse(line, &cmd, &why) != SS_OK)
        return ss_fail(err, "%s: %s", where, why.text);
    return cmd.verb ? ss_script_copy(s, &cmd, err) : SS_OK;
}

/* One line of the file; terminated, without NUL inside. 1: a line, 0: the end, SS_FAIL. */
static int next_line(FILE *f, char *line, size_t size, const char *where, ss_err *err)
{
    size_t n = 0;
    int c = 0;
    while (c != '\n' && (c = getc(f)) != EOF) {
        if (c == '\0')
            return ss_fail(err, "%s: the line contains a NUL character", where);
        if (n + 2 > size)
            return ss_fail(err, "%s: the line is longer than %d characters", where,
                           SS_CMD_TEXT - 1);
        line[n++] = (char)c;
    }
    line[n] = '\0';
    return n > 0;
}

int ss_script_file(ss_script *s, const char *path, bool trusted, ss_err *err)
{
    char line[SS_CMD_TEXT + 2], where[320];
    int status = SS_OK, number = 0, got = 1, first = s->count;
    bool standard = strcmp(path, "-") == 0;
    FILE *f = standard ? stdin : ss_infile_open(path, err);
    if (!f)
        return SS_FAIL;
    path = standard ? "standard input" : path;
    errno = 0;
    while (status == SS_OK && got > 0) {
        snprintf(where, sizeof where, "%.280s:%d", path, ++number);
        got = next_line(f, line, sizeof line, where, err);
        if (got < 0)
            status = SS_FAIL;
        else if (got > 0 && number > SS_SCRIPT_LINES)
            status = ss_fail(err, "%.280s has more than %d lines", path, SS_SCRIPT_LINES);
        else
            status = ss_script_add(s, ss_line_plain(line, number == 1), where, err);
    }
    if (status == SS_OK && ferror(f))
        status = ss_fail_outside(err, "cannot read %.200s: %s", path, strerror(errno));
    for (int i = first; i < s->count; i++)
        s->cmd[i]->from_file = !trusted;
    if (!standard)
        fclose(f);
    return status;
}

void ss_script_free(ss_script *s)
{
    for (int i = 0; i < s->count; i++)
        free(s->cmd[i]);
    free(s->cmd);
    memset(s, 0, sizeof *s);
}
