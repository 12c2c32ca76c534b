/* Fuzz target: texts of shared links. Whatever is admitted must be words of a run, and those that
 * write, read or start something never are. */
#include <stdlib.h>
#include <string.h>

#include "src/app/cli.h"
#include "src/app/tables.h"
#include "src/core/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The parsed command line has no option of the program, and engine commands only. */
static void check_parsed(const ss_cli *cli)
{
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_row(i);
        if ((row->flags & SS_P_APP) && strcmp(row->name, "e") != 0 &&
            ss_options()->v[row->slot].set)
            abort();
    }
    for (int i = 0; i < cli->script.count; i++) {
        const ss_cmd *cmd = cli->script.cmd[i];
        if (cmd->row->side != SS_SIDE_ENGINE || (cmd->verb->flags & SS_V_WRITES) ||
            cmd->verb->id == SS_VERB_LOAD)
            abort();
    }
    if (cli->command || cli->help || cli->version || cli->generate || cli->race.n > 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ss_cli cli;
    ss_err err = {0};
    char *text = malloc(size + 1), *words[] = {"stencilscope", "--link", text, NULL},
         **argv = words;
    int argc = 3;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    ss_tables_init();
    if (ss_link_expand(&argc, &argv, &err) == SS_OK) {
        memset(&cli, 0, sizeof cli);
        if (ss_cli_parse(argc, argv, &cli, &err) == SS_OK)
            check_parsed(&cli);
        ss_script_free(&cli.script);
    } else if (!err.text[0]) {
        abort();
    }
    free(text);
    return 0;
}
