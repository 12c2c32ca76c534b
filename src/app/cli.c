/* Parsing the command line: see cli.h. Every option but help, version and generate is a row. */
#include "src/app/cli.h"

#include <stdio.h>
#include <string.h>

#include "src/core/command.h"
#include "src/core/param.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/tune/axis.h"

typedef struct given {
    const char *name, *value;
} given;

#define GIVEN_MAX 256

typedef struct words {
    given option[GIVEN_MAX];
    int noption;
    const char *plain[SS_CLI_WORDS + 1];
    int nplain;
} words;

/* Largest number of words without dashes: a command and its words, or an equation and a solver. */
static int plain_max(const words *w)
{
    const ss_subcommand *c = w->nplain > 0 ? ss_subcommand_find(w->plain[0]) : NULL;
    int own = !c ? 0 : c->words ? SS_CLI_WORDS : c->max_runs;
    return own > 0 ? 1 + own : 3; /* otherwise a command, then an equation and a solver */
}

static const char *plain_name(const void *ctx, int i)
{
    (void)ctx;
    int n = 0;
    while (ss_equations[n])
        n++;
    return i < n ? ss_equations[i]->name : ss_subcommands[i - n].name;
}

static int fail_plain(const char *word, ss_err *err)
{
    int n = 0, m = 0;
    while (ss_equations[n])
        n++;
    while (ss_subcommands[m].name)
        m++;
    const char *near = ss_nearest(word, plain_name, NULL, n + m);
    return ss_fail(err, "'%.40s' is neither an equation nor a command%s%s%s", word,
                   near ? "; did you mean " : " (stencilscope list shows them)", near ? near : "",
                   near ? "?" : "");
}

static bool is_switch_word(const char *text)
{
    static const char *const all[] = {"on", "off", "yes", "no", "true", "false", "0", "1"};
    for (size_t i = 0; text && i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i], text) == 0)
            return true;
    return false;
}

static const char *any_option_name(const void *ctx, int i)
{
    (void)ctx;
    return ss_param_row(i)->name;
}

static const ss_param *row_anywhere(const ss_config *cfg, const char *name, ss_err *err)
{
    const ss_param *row = ss_param_find(cfg, name, NULL);
    if (row)
        return row;
    const char *near = ss_nearest(name, any_option_name, NULL, ss_param_count());
    ss_fail(err, "unknown option --%.40s%s%s%s", name, near ? "; did you mean --" : "",
            near ? near : " (stencilscope --help lists them)", near ? "?" : "");
    return NULL;
}

/* `--name value`, `--name=value`, `--switch`, `-e COMMAND`. Advances *i over the value. */
static int take_option(const ss_config *cfg, int argc, char **argv, int *i, words *w, ss_err *err)
{
    char own[64];
    const char *word = argv[*i] + (argv[*i][1] == '-' ? 2 : 1);
    const char *equals = strchr(word, '=');
    if (w->noption == GIVEN_MAX)
        return ss_fail(err, "more than %d options", GIVEN_MAX);
    snprintf(own, sizeof own, "%.*s", equals ? (int)(equals - word) : 63, word);
    if (argv[*i][1] != '-' && strlen(own) != 1)
        return ss_fail(err, "unknown option -%.20s (stencilscope --help lists them)", word);
    const ss_param *row = row_anywhere(cfg, own, err);
    if (!row)
        return SS_FAIL;
    const char *value = equals ? equals + 1 : NULL;
    if (!value && row->type == SS_BOOL)
        value = is_switch_word(*i + 1 < argc ? argv[*i + 1] : NULL) ? argv[++*i] : "on";
    else if (!value && *i + 1 < argc)
        value = argv[++*i];
    if (!value)
        return ss_fail(err, "--%s: a value is missing", own);
    for (int k = 0; k < w->noption && row->type == SS_FILE && !(row->flags & SS_P_REPEAT); k++)
        if (strcmp(w->option[k].name, own) == 0)
            return ss_fail(err, "--%s is given twice, %.60s and %.60s: it names one file", own,
                           w->option[k].value, value);
    w->option[w->noption++] = (given){row->name, value};
    return SS_OK;
}

static int fail_surplus(const words *w, const char *word, ss_err *err)
{
    const ss_subcommand *c = ss_subcommand_find(w->plain[0]);
    if (plain_max(w) == 3)
        return ss_fail(err, "unexpected '%.40s': only EQUATION and SOLVER stand alone", word);
    return ss_fail(err, "%s takes at most %d %s", c->name, plain_max(w) - 1,
                   c->max_runs > 0 ? "runs" : "words");
}

static int split_words(const ss_config *cfg, int argc, char **argv, ss_cli *out, words *w,
                       ss_err *err)
{
    bool options = true;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (options && strcmp(word, "--") == 0) {
            options = false;
        } else if (options && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            out->help = true;
        } else if (options && (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)) {
            out->version = true;
        } else if (options && strcmp(word, "--generate") == 0) {
            out->generate = i + 1 < argc ? argv[++i] : "";
        } else if (options && word[0] == '-' && word[1]) {
            if (take_option(cfg, argc, argv, &i, w, err) != SS_OK)
                return SS_FAIL;
        } else if (w->nplain == plain_max(w)) {
            return fail_surplus(w, word, err);
        } else {
            w->plain[w->nplain++] = word;
        }
    }
    return SS_OK;
}

/* [COMMAND] [EQUATION [SOLVER]]. The solver is the first of the options. */
static int place_plain(words *w, ss_cli *out, ss_err *err)
{
    ss_err ignored;
    int at = 0;
    if (w->nplain > 0 && ss_subcommand_find(w->plain[0]))
        out->command = w->plain[at++];
    if (out->command && ss_subcommand_find(out->command)->words) {
        out->nword = w->nplain - at;
        memcpy(out->word, w->plain + at, (size_t)out->nword * sizeof *out->word);
        return SS_OK;
    }
    if (at < w->nplain) {
        if (ss_config_set(&out->cfg, "equation", w->plain[at], &ignored) != SS_OK)
            return fail_plain(w->plain[at], err);
        out->chosen = true;
        at++;
    }
    if (at < w->nplain && w->noption < GIVEN_MAX) {
        memmove(w->option + 1, w->option, (size_t)w->noption++ * sizeof *w->option);
        w->option[0] = (given){"solver", w->plain[at++]};
    }
    if (at < w->nplain)
        return ss_fail(err, "unexpected '%.40s': only EQUATION and SOLVER stand alone",
                       w->plain[at]);
    return SS_OK;
}

/* A repeated option appends to its list. */
static int add_to_list(ss_config *cfg, const ss_param *row, const char *value, ss_err *err)
{
    char list[4096];
    const char *before = cfg->v[row->slot].set ? ss_config_text(cfg, row->name) : NULL;
    int n = snprintf(list, sizeof list, "%s%s%s", before ? before : "", before ? "," : "", value);
    if (n >= (int)sizeof list)
        return ss_fail(err, "--%s: the list is longer than %zu characters", row->name, sizeof list);
    return ss_config_set(cfg, row->name, list, err);
}

/* The parameters that decide which others apply, in order of dependence. */
static const char *const structure[] = {"equation", "solver"};
#define NSTRUCTURE ((int)(sizeof structure / sizeof *structure))

static int pass_of(const char *name)
{
    int pass = 0;
    while (pass < NSTRUCTURE && strcmp(structure[pass], name) != 0)
        pass++;
    return pass;
}

/* *taken: the option is an axis of `map`, which parses its value itself. */
static int take_axis(const given *g, const ss_cli *out, bool *taken, ss_err *err)
{
    bool applies;
    const ss_subcommand *c = out->command ? ss_subcommand_find(out->command) : NULL;
    const ss_param *row = ss_param_find(&out->cfg, g->name, &applies);
    *taken = false;
    if (!applies || row->flags & SS_P_APP || pass_of(g->name) < NSTRUCTURE)
        return SS_OK;
    if (!c || !c->axes)
        return ss_tune_one_value(row, g->value, err);
    return ss_tune_axes_take(ss_tune_asked_axes(), row, g->value, taken, err);
}

static int place_option(const given *g, ss_cli *out, ss_err *err)
{
    bool taken, applies;
    const ss_param *row = ss_param_find(&out->cfg, g->name, &applies);
    const ss_subcommand *c = out->command ? ss_subcommand_find(out->command) : NULL;
    if (take_axis(g, out, &taken, err) != SS_OK)
        return SS_FAIL;
    if (taken)
        return SS_OK;
    if (strcmp(g->name, "e") == 0)
        return ss_script_add(&out->script, g->value, "-e", err);
    if (strcmp(g->name, "run") == 0)
        return ss_script_file(&out->script, g->value, false, err);
    if (row->flags & SS_P_REPEAT)
        return add_to_list(ss_options(), row, g->value, err);
    if (!applies && c && c->any_equation)
        return ss_config_put(&out->cfg, row, g->value, err);
    return ss_config_set(row->flags & SS_P_APP ? ss_options() : &out->cfg, g->name, g->value, err);
}

/* A run with the front end of its command. */
static int serve(ss_cli *out, ss_err *err)
{
    const char *ui = ss_subcommand_find(out->command)->ui;
    const ss_param *row = ss_param_find(ss_options(), "ui", NULL);
    if (ss_config_has(ss_options(), row))
        return ss_fail(err, "%s is --ui %s: leave --ui out", out->command, ui);
    out->command = NULL;
    return ss_config_set(ss_options(), "ui", ui, err);
}

/* The size of the problem is that of its arrays, unless it was given. */
static int fit_files(ss_config *cfg, ss_err *err)
{
    static const char *const names[] = {"rhs", "load"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = ss_config_text(ss_options(), names[i]);
        if (path && ss_run_fit_points(cfg, path, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* The --load of the command line, or NULL. */
static const char *loaded(const words *w)
{
    for (int i = 0; i < w->noption; i++)
        if (strcmp(w->option[i].name, "load") == 0)
            return w->option[i].value;
    return NULL;
}

/* A run that continues from a saved state begins with its settings, which the options override. */
static int place_state(const words *w, ss_cli *out, ss_err *err)
{
    const ss_subcommand *c = w->nplain > 0 ? ss_subcommand_find(w->plain[0]) : NULL;
    const char *path = loaded(w);
    if (!path || (c && !c->ui) || out->help || out->version || out->generate)
        return SS_OK;
    return ss_run_settings_of(path, &out->cfg, &out->chosen, err);
}

/* The other settings of a state of another equation would only lead to a misleading sentence. */
static int check_equation(const words *w, const ss_config *state, const ss_cli *out, ss_err *err)
{
    const ss_equation *then = ss_config_equation(state), *now = ss_config_equation(&out->cfg);
    if (then == now)
        return SS_OK;
    return ss_fail_outside(err, "%.120s is the state of another problem: %s, not %s", loaded(w),
                           then->name, now->name);
}

/* Sets the parameters of `structure` first, so that the order of the options does not matter. */
static int place_words(words *w, ss_cli *out, ss_err *err)
{
    if (place_state(w, out, err) != SS_OK)
        return SS_FAIL;
    bool continues = out->chosen;
    ss_config state = out->cfg;
    if (place_plain(w, out, err) != SS_OK)
        return SS_FAIL;
    for (int pass = 0; pass <= NSTRUCTURE; pass++)
        for (int i = 0; i < w->noption; i++)
            if (pass_of(w->option[i].name) == pass &&
                place_option(&w->option[i], out, err) != SS_OK)
                return SS_FAIL;
    if (continues && check_equation(w, &state, out, err) != SS_OK)
        return SS_FAIL;
    if (!out->command || !ss_subcommand_find(out->command)->any_equation) {
        if (fit_files(&out->cfg, err) != SS_OK)
            return SS_FAIL;
        ss_config_fit_points(&out->cfg, ss_config_solver(&out->cfg));
    }
    if (out->command && ss_subcommand_find(out->command)->ui)
        return serve(out, err);
    if (out->command && out->script.count > 0)
        return ss_fail(err, "%s carries out no commands: -e and --run are for a run", out->command);
    return SS_OK;
}

/* --- several runs ----------------------------------------------------------------------------- */

/* Options of a race belong to the program or to every run: parsed first, a run's own take
 * precedence. */
static int take_common(const words *w, ss_cli *out, words *common, ss_err *err)
{
    for (int i = 0; i < w->noption; i++) {
        const given *g = &w->option[i];
        if (!(ss_param_find(&out->cfg, g->name, NULL)->flags & SS_P_APP))
            common->option[common->noption++] = *g;
        else if (place_option(g, out, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* One run: 'poisson2d shared --k 16', plus the common options. */
static int parse_run(const char *text, const words *common, ss_config *cfg, ss_err *err)
{
    enum { MOST = 96 };
    char copy[1024], *argv[1 + MOST] = {"", NULL}, *save = NULL;
    int argc = 1;
    words w = *common;
    static ss_cli one;
    memset(&one, 0, sizeof one);
    ss_config_default(&one.cfg);
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return ss_fail(err, "'%.40s' is too long", text);
    for (char *t = strtok_r(copy, " \t\n", &save); t; t = strtok_r(NULL, " \t\n", &save)) {
        if (argc == 1 + MOST)
            return ss_fail(err, "'%.40s' is too long", text);
        argv[argc++] = t;
    }
    if (split_words(&one.cfg, argc, argv, &one, &w, err) != SS_OK)
        return SS_FAIL;
    for (int i = common->noption; i < w.noption; i++)
        if (ss_param_find(&one.cfg, w.option[i].name, NULL)->flags & SS_P_APP)
            return ss_fail(err, "--%s belongs to the race, not to '%.40s'", w.option[i].name, text);
    if (place_words(&w, &one, err) != SS_OK)
        return SS_FAIL;
    if (!one.chosen || one.command)
        return ss_fail(err, "'%.40s' names no equation: a run is 'EQUATION SOLVER ...'", text);
    *cfg = one.cfg;
    return SS_OK;
}

int ss_cli_run(const char *text, ss_config *cfg, ss_err *err)
{
    const words none = {.noption = 0};
    return parse_run(text, &none, cfg, err);
}

static int parse_runs(words *w, const ss_subcommand *c, ss_cli *out, ss_err *err)
{
    words common = {.noption = 0};
    out->command = c->name;
    out->race.n = 0;
    if (take_common(w, out, &common, err) != SS_OK)
        return SS_FAIL;
    if (out->help || out->version || out->generate)
        return SS_OK;
    if (w->nplain - 1 < c->min_runs)
        return ss_fail(err,
                       "%s takes %d to %d runs, each in quotes: %s 'poisson2d jacobi' "
                       "'poisson2d shared --k 16'",
                       c->name, c->min_runs, c->max_runs, c->name);
    for (; out->race.n < w->nplain - 1; out->race.n++)
        if (parse_run(w->plain[1 + out->race.n], &common, &out->race.cfg[out->race.n], err) !=
            SS_OK)
            return SS_FAIL;
    for (int i = 0; i < out->race.n; i++) /* one problem: all take what one of the solvers needs */
        for (int j = 0; j < out->race.n; j++)
            ss_config_fit_points(&out->race.cfg[i], ss_config_solver(&out->race.cfg[j]));
    return SS_OK;
}

int ss_cli_parse(int argc, char **argv, ss_cli *out, ss_err *err)
{
    words w = {.noption = 0};
    memset(out, 0, sizeof *out);
    ss_config_default(&out->cfg);
    ss_tune_asked_axes()->n = 0;
    if (split_words(&out->cfg, argc, argv, out, &w, err) != SS_OK)
        return SS_FAIL;
    const ss_subcommand *c = w.nplain > 0 ? ss_subcommand_find(w.plain[0]) : NULL;
    return c && c->max_runs > 0 ? parse_runs(&w, c, out, err) : place_words(&w, out, err);
}

/* --- as text ---------------------------------------------------------------------------------- */

static bool names_output(const char *word)
{
    static const char *const outputs[] = {"record", "export", "save", "json", "csv"};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        size_t n = strlen(outputs[i]);
        if (strncmp(word, "--", 2) == 0 && strncmp(word + 2, outputs[i], n) == 0 &&
            (word[2 + n] == '=' || !word[2 + n]))
            return true;
    }
    return false;
}

/* Appends as much as fits. */
static void append(char *buf, size_t size, size_t *n, const char *text)
{
    size_t room = size - *n, want = strlen(text);
    snprintf(buf + *n, room, "%s", text);
    *n += want < room ? want : room - 1;
}

static void append_quoted(char *buf, size_t size, size_t *n, const char *word)
{
    bool plain = *word && !strpbrk(word, " \t\n\"'\\$`!*?[]{}()<>|&;#~");
    append(buf, size, n, plain ? " " : " '");
    for (; *word; word++)
        append(buf, size, n, *word == '\'' ? "'\\''" : (const char[]){*word, '\0'});
    if (!plain)
        append(buf, size, n, "'");
}

const char *ss_cli_text(int argc, char **argv, char *buf, size_t size)
{
    size_t n = 0;
    append(buf, size, &n, "stencilscope");
    for (int i = 1; i < argc; i++) {
        bool output = names_output(argv[i]);
        if (!output)
            append_quoted(buf, size, &n, argv[i]);
        else if (!strchr(argv[i], '='))
            i++; /* and its value */
    }
    return buf;
}

/* --- links: words ----------------------------------------------------------------------------- */

/* The words of a link, and what they may be. */

enum { LONGEST = 2048, MOST = 256 };

static char text[LONGEST + 1];
static char *replaced[2 * MOST + 2]; /* the new command line */

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
        replaced[m++] = (*argv)[i];
    for (int i = 0; i < n; i++)
        replaced[m++] = word[i];
    for (int i = at + 2; i < *argc; i++)
        replaced[m++] = (*argv)[i];
    replaced[m] = NULL;
    *argc = m;
    *argv = replaced;
    return SS_OK;
}
