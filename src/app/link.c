/* The words of a link, and what they may be: see link.h. */
#include "src/app/link.h"

#include <stdio.h>
#include <string.h>

#include "src/app/docs.h"
#include "src/core/command.h"
#include "src/core/param.h"
#include "src/core/registry.h"

enum { LONGEST = 2048, MOST = 256 };

static char text[LONGEST + 1];
static char *all[2 * MOST + 2]; /* the new command line */

/* --- words ------------------------------------------------------------------------------------ */

/* Quotes as in a shell: '...' is as it stands, \' outside of them is a quote. Writes the word over
 * the text and returns its end; NULL: a quote is not closed. */
static char *take_word(char *from, char **word)
{
    char *to = from;
    bool quoted = false;
    *word = from;
    for (; *from && (quoted || *from != ' '); from++) {
        if (*from == '\'')
            quoted = !quoted;
        else if (!quoted && *from == '\\' && from[1])
            *to++ = *++from;
        else
            *to++ = *from;
    }
    char *rest = *from ? from + 1 : from;
    *to = '\0';
    return quoted ? NULL : rest;
}

static int split(const char *link, char **word, int *n, ss_err *err)
{
    static const char name[] = "stencilscope ";
    if (strlen(link) > LONGEST)
        return ss_fail(err, "the link is longer than %d characters", LONGEST);
    snprintf(text, sizeof text, "%s", link);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return ss_fail(err, "the link holds a control character");
    char *at = strncmp(text, name, sizeof name - 1) == 0 ? text + sizeof name - 1 : text;
    for (*n = 0; *at; *n += *word[*n] != '\0') {
        if (*n == MOST)
            return ss_fail(err, "the link has more than %d words", MOST);
        at = take_word(at, &word[*n]);
        if (!at)
            return ss_fail(err, "the link ends within quotes");
    }
    return *n > 0 ? SS_OK : ss_fail(err, "the link is empty");
}

/* --- what they may be ------------------------------------------------------------------------- */

static int check_command(const char *line, ss_err *err)
{
    ss_cmd cmd;
    if (ss_cmd_parse(line, &cmd, err) != SS_OK)
        return SS_FAIL;
    unsigned flags = cmd.verb ? cmd.verb->flags | cmd.row->flags : 0;
    bool reads = cmd.verb && cmd.verb->id == SS_VERB_LOAD;
    bool computes = cmd.verb && cmd.row->side == SS_SIDE_ENGINE && !reads;
    if (!cmd.verb || (flags & SS_V_LINKED) || (computes && !(flags & SS_V_WRITES)))
        return SS_OK;
    return ss_fail(err, "a link may not carry out '%.60s': its commands only compute and show",
                   line);
}

/* *takes: the next word is its value. */
static int check_option(const ss_config *cfg, const char *word, bool *takes, ss_err *err)
{
    char name[64];
    size_t n = strcspn(word, "=");
    snprintf(name, sizeof name, "%.*s", (int)n, word);
    const ss_param *row = ss_param_find(cfg, name, NULL);
    *takes = word[n] != '=' && row && row->type != SS_BOOL;
    if (row && !(row->flags & (SS_P_APP | SS_P_STARTS)) && row->type != SS_FILE)
        return SS_OK;
    return ss_fail(err, "a link may not have the option --%.40s: only parameters of a run", name);
}

/* Checks word *i, and with -e the one after it. *value: this word is the value of an option, and
 * then, the next one is. Words are told apart as in cli.c. */
static int check_word(const ss_config *cfg, char *const *word, int n, int *i, bool *value,
                      ss_err *err)
{
    const char *w = word[*i];
    bool command = strcmp(w, "-e") == 0 && !*value;
    if (*value || (command && *i + 1 == n)) {
        *value = command;
        return SS_OK;
    }
    if (command)
        return check_command(word[++*i], err);
    if (strncmp(w, "--", 2) == 0)
        return check_option(cfg, w + 2, value, err);
    if (w[0] == '-')
        return ss_fail(err, "a link may not have the option %.40s", w);
    return !ss_subcommand_find(w) ? SS_OK : ss_fail(err, "a link opens a run, not '%.40s'", w);
}

static int check(char *const *word, int n, ss_err *err)
{
    static ss_config cfg;
    bool value = false;
    ss_config_default(&cfg);
    for (int i = 0; i < n; i++)
        if (check_word(&cfg, word, n, &i, &value, err) != SS_OK)
            return SS_FAIL;
    return value ? ss_fail(err, "the link ends with an option without its value") : SS_OK;
}

/* --- the command line ------------------------------------------------------------------------- */

static int find(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--link") == 0)
            return i;
    return 0;
}

int ss_link_expand(int *argc, char ***argv, ss_err *err)
{
    char *word[MOST + 1];
    int at = find(*argc, *argv), n = 0, m = 0;
    if (at == 0)
        return SS_OK;
    if (at + 1 == *argc)
        return ss_fail(err, "--link: the text of a link is missing");
    if (*argc > MOST)
        return ss_fail(err, "more than %d words beside the link", MOST);
    if (split((*argv)[at + 1], word, &n, err) != SS_OK || check(word, n, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < at; i++)
        all[m++] = (*argv)[i];
    for (int i = 0; i < n; i++)
        all[m++] = word[i];
    for (int i = at + 2; i < *argc; i++)
        all[m++] = (*argv)[i];
    all[m] = NULL;
    *argc = m;
    *argv = all;
    return SS_OK;
}
