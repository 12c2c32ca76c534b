/*
 * Fuzz target: the command parser. Input is a line; if the first byte is not printable, it selects
 * a row of the table of commands and the other bytes give the arguments, so that arguments are
 * reached soon. A line that parses prints to a text that parses to the same command.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* "view layer " of the row that a byte chooses. */
static size_t put_row(uint8_t byte, char *line, size_t size)
{
    const ss_verb *row = &ss_verbs[byte % SS_NVERB];
    bool is_word = row->of != row->id;
    return (size_t)snprintf(line, size, "%s%s%s ", ss_verbs[row->of].name, is_word ? " " : "",
                            is_word ? row->name : "");
}

static bool is_same(const ss_cmd *a, const ss_cmd *b)
{
    bool same = a->verb == b->verb && a->row == b->row && a->argc == b->argc;
    for (int i = 0; i < a->argc && same; i++)
        same = strcmp(a->arg[i], b->arg[i]) == 0;
    return same;
}

static void check(const char *line)
{
    static ss_cmd a, b;
    static char text[4 * SS_CMD_TEXT];
    ss_err err;
    if (ss_cmd_parse(line, &a, &err) != SS_OK || !a.verb)
        return;
    int args = a.argc - (a.row != a.verb);
    if (a.row->of != a.verb->id || args < a.row->min_args || args > a.row->max_args)
        abort();
    ss_cmd_format(&a, text, sizeof text);
    if (strlen(text) < SS_CMD_TEXT && (ss_cmd_parse(text, &b, &err) != SS_OK || !is_same(&a, &b)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ROW_MAX = 64 };
    char *line = malloc(ROW_MAX + size + 1);
    if (!line)
        return 0;
    bool rowed = size > 0 && (data[0] < ' ' || data[0] > '~');
    size_t n = rowed ? put_row(data[0], line, ROW_MAX) : 0;
    memcpy(line + n, data + rowed, size - rowed);
    line[n + size - rowed] = '\0';
    check(line);
    free(line);
    return 0;
}
