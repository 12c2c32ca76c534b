/* Runs as text: see settings.h. */
#include "src/core/settings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"

/* --- settings --------------------------------------------------------------------------------- */

static int parse_one(const char *word, int length, ss_setting *out, ss_err *err)
{
    const char *equals = memchr(word, '=', (size_t)length);
    int name = equals ? (int)(equals - word) : length, value = length - name - 1;
    out->optional = *word == '~';
    if (!equals || name >= (int)sizeof out->name || value >= (int)sizeof out->value)
        return ss_fail(err, "'%.*s' is not a setting: write name=value", length, word);
    snprintf(out->name, sizeof out->name, "%.*s", name - out->optional, word + out->optional);
    snprintf(out->value, sizeof out->value, "%.*s", value, equals + 1);
    return SS_OK;
}

int ss_settings_parse(const char *text, const char *end, ss_settings *out, ss_err *err)
{
    out->n = 0;
    while (text < end) {
        const char *word = text;
        while (text < end && !isspace((unsigned char)*text))
            text++;
        if (text > word && out->n == SS_SETTINGS_MAX)
            return ss_fail(err, "more than %d settings", SS_SETTINGS_MAX);
        if (text > word && parse_one(word, (int)(text - word), &out->at[out->n++], err) != SS_OK)
            return SS_FAIL;
        while (text < end && isspace((unsigned char)*text))
            text++;
    }
    return SS_OK;
}

static int list_length(const char *value)
{
    int n = 1;
    for (; *value; value++)
        n += *value == ',';
    return n;
}

/* Element i of "4,8,16". */
static void list_element(const char *value, int i, char *out, size_t size)
{
    while (i-- > 0)
        value = strchr(value, ',') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(value, ","), value);
}

bool ss_settings_pick(const ss_settings *lists, int index, ss_settings *out)
{
    *out = *lists;
    for (int i = lists->n - 1; i >= 0; i--) {
        int length = list_length(lists->at[i].value);
        list_element(lists->at[i].value, index % length, out->at[i].value, sizeof out->at[i].value);
        index /= length;
    }
    return index == 0;
}

int ss_settings_apply(const ss_settings *s, ss_config *cfg, ss_err *err)
{
    for (int i = 0; i < s->n; i++) {
        bool applies = true;
        if (s->at[i].optional)
            ss_param_find(cfg, s->at[i].name, &applies);
        if (applies && ss_config_set(cfg, s->at[i].name, s->at[i].value, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

void ss_settings_label(const ss_settings *s, char *buf, size_t size)
{
    int n = s->n ? snprintf(buf, size, "%s", s->at[0].value) : 0;
    for (int i = 1; i < s->n && n < (int)size; i++)
        n += snprintf(buf + n, size - (size_t)n, " %s=%s", s->at[i].name, s->at[i].value);
}

const char *ss_settings_value(const ss_settings *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->at[i].name, name) == 0)
            return s->at[i].value;
    return NULL;
}

/* --- open ------------------------------------------------------------------------------------- */

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

/* --- where commands lead ---------------------------------------------------------------------- */

static void restart(ss_goal *g)
{
    g->cycles = g->ticks = 0;
    g->restarted = true;
}

static int goal_open(ss_goal *g, const ss_cmd *cmd, ss_err *err)
{
    ss_config cfg;
    ss_open_default(&g->cfg, &cfg);
    if (ss_open_words(cmd, &cfg, err) != SS_OK)
        return SS_FAIL;
    g->cfg = cfg;
    g->runs = 1;
    restart(g);
    return SS_OK;
}

static int goal_advance(ss_goal *g, const ss_cmd *cmd, int64_t *sum, ss_err *err)
{
    int64_t n = 1;
    if (ss_cmd_count(cmd, &n, err) != SS_OK)
        return SS_FAIL;
    *sum += n;
    g->layer = NULL;
    return SS_OK;
}

int ss_goal_take(ss_goal *g, const ss_cmd *cmd, ss_err *err)
{
    switch ((int)cmd->row->id) {
    case SS_VERB_OPEN:
        return goal_open(g, cmd, err);
    case SS_VERB_ADD:
        g->runs++;
        return SS_OK;
    case SS_VERB_SET:
        return ss_config_set_of_run(&g->cfg, cmd->arg[0], cmd->arg[1], err);
    case SS_VERB_UNSET:
        return ss_config_unset(&g->cfg, cmd->arg[0], err);
    case SS_VERB_RESET:
        restart(g);
        return SS_OK;
    case SS_VERB_RUN:
        g->ends = true;
        g->layer = NULL;
        return SS_OK;
    case SS_VERB_STEP:
        return goal_advance(g, cmd, &g->cycles, err);
    case SS_VERB_TICK:
        return goal_advance(g, cmd, &g->ticks, err);
    case SS_VERB_VIEW_LAYER:
        g->layer = cmd->arg[1];
        return SS_OK;
    default:
        return SS_OK;
    }
}
