/* See open.h. */
#include "src/core/open.h"

#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"

void ss_open_default(const ss_config *now, ss_config *out)
{
    static const char *const machine[] = {"backend", "threads", "pin", "hosts", "launcher"};
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
    ss_config_fit_points(cfg, ss_config_solver(cfg));
    return ss_config_check(cfg, NULL, err);
}

static int choose_host(ss_config *cfg, const char *what, ss_err *err)
{
    const ss_backend *now = ss_config_backend(cfg);
    const char *why = NULL;
    if (now && !now->lost)
        return SS_OK;
    for (int i = 0; ss_backends[i]; i++) {
        if (ss_backends[i]->lost)
            continue;
        if (ss_matrix(ss_config_equation(cfg), ss_config_solver(cfg), ss_backends[i], &why))
            return ss_config_set(cfg, "backend", ss_backends[i]->name, err);
    }
    return ss_fail(err, "%s: %s", what, why ? why : "it runs on the device alone");
}

int ss_open_beside(ss_config *cfg, const char *what, ss_err *err)
{
    cfg->v[ss_param_find(cfg, "threads", NULL)->slot] = (ss_value){.i = 1, .set = true};
    return choose_host(cfg, what, err);
}
