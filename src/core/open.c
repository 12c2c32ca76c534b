/* See open.h. */
#include "src/core/open.h"

#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"

void ss_open_default(const ss_config *now, ss_config *out)
{
    static const char *const machine[] = {"backend", "threads", "pin"};
    ss_config_default(out);
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
        int slot = ss_param_find(now, machine[i], NULL)->slot;
        out->v[slot] = now->v[slot];
    }
}

int ss_open_words(const ss_cmd *cmd, ss_config *cfg, ss_err *err)
{
    static const char *const plain[] = {"equation", "solver"};
    int position = 0;
    for (int i = 0; i < cmd->argc; i++) {
        char name[64];
        const char *equals = strchr(cmd->arg[i], '=');
        if (!equals && position >= 2)
            return ss_fail(err, "'%.40s' is not NAME=VALUE", cmd->arg[i]);
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - cmd->arg[i]) : 63,
                 equals ? cmd->arg[i] : plain[position]);
        ss_config before = *cfg;
        if (ss_config_set_of_run(cfg, name, equals ? equals + 1 : cmd->arg[i], err) != SS_OK ||
            ss_config_dropped(&before, cfg, err) || ss_config_unheld(&before, cfg, err))
            return SS_FAIL;
        position += !equals;
    }
    return ss_config_check(cfg, NULL, err);
}
