/* The command line at the foot of the screen: what is typed there is a command like any other. The
 * lines before it come back, and names are completed from the tables. See state.h. Main thread. */
#include <stdio.h>
#include <string.h>

#include "src/core/registry.h"
#include "ui/view/state.h"

/* --- names that can be completed -------------------------------------------------------------- */

static const char *verb_name(const ss_config *cfg, const char *of, int i)
{
    (void)cfg, (void)of;
    return ss_verbs[i].name;
}

/* Solvers may have rows of one name. */
static bool is_again(int at)
{
    for (int i = 0; i < at; i++)
        if (strcmp(ss_param_row(i)->name, ss_param_row(at)->name) == 0)
            return true;
    return false;
}

/* What belongs to the program (files, the front end) is not set while it runs. */
static const char *row_name(const ss_config *cfg, const char *of, int i)
{
    (void)cfg, (void)of;
    for (int at = 0; at < ss_param_count(); at++)
        if (!(ss_param_row(at)->flags & SS_P_APP) && !is_again(at) && i-- == 0)
            return ss_param_row(at)->name;
    return NULL;
}

static const char *choice_name(const ss_config *cfg, const char *of, int i)
{
    const ss_param *row = ss_param_find(cfg, of, NULL);
    return row && row->choices ? row->choices[i] : NULL;
}

static const char *equation_name(const ss_config *cfg, const char *of, int i)
{
    (void)cfg, (void)of;
    return ss_equations[i] ? ss_equations[i]->name : NULL;
}

static const char *solver_name(const ss_config *cfg, const char *of, int i)
{
    (void)cfg, (void)of;
    return ss_solvers[i] ? ss_solvers[i]->name : NULL;
}

/* Which names the n-th word of a verb may have in such a run; `of` is the word before it. NULL ends
 * them. */
typedef const char *names(const ss_config *cfg, const char *of, int i);

static const struct source {
    const char *verb;
    int word;
    names *name;
} sources[] = {{"set", 1, row_name},       {"set", 2, choice_name},  {"unset", 1, row_name},
               {"open", 1, equation_name}, {"open", 2, solver_name}, {"add", 1, equation_name},
               {"add", 2, solver_name}};

static const char *no_name(const ss_config *cfg, const char *of, int i)
{
    (void)cfg, (void)of, (void)i;
    return NULL;
}

static names *names_of(const char *verb, int word)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (sources[i].word == word && strcmp(sources[i].verb, verb) == 0)
            return sources[i].name;
    return word == 0 ? verb_name : no_name;
}

/* The last word of a line, begun or not: where it is, its number, the verb, the word before. */
typedef struct last_word {
    size_t at;
    int number;
    char verb[40], before[40];
} last_word;

static last_word find_last(const char *line)
{
    last_word w = {.at = 0};
    for (size_t i = 0, n; line[i]; i += n) {
        i += strspn(line + i, " ");
        w.at = i;
        n = strcspn(line + i, " ");
        if (!line[i + n])
            break;
        snprintf(w.before, sizeof w.before, "%.*s", (int)n, line + i);
        if (w.number++ == 0)
            snprintf(w.verb, sizeof w.verb, "%s", w.before);
    }
    return w;
}

/* As far as all names agree that begin so; several are shown. */
static void complete(ss_prompt *p, const ss_config *cfg)
{
    last_word w = find_last(p->line);
    names *name = names_of(w.verb, w.number);
    const char *one, *first = NULL;
    size_t have = strlen(p->line + w.at), same = 0, n = 0;
    int found = 0;
    p->offer[0] = '\0';
    for (int i = 0; (one = name(cfg, w.before, i)) != NULL; i++) {
        if (strncmp(one, p->line + w.at, have) != 0)
            continue;
        same = found++ ? same : strlen(one);
        first = first ? first : one;
        for (size_t k = 0; k < same; k++)
            same = one[k] == first[k] ? same : k;
        if (n < sizeof p->offer)
            n += (size_t)snprintf(p->offer + n, sizeof p->offer - n, "%s%s", n ? "  " : "", one);
    }
    if (found)
        snprintf(p->line + w.at, sizeof p->line - w.at, "%.*s%s", (int)same, first,
                 found == 1 ? " " : "");
    if (found == 1)
        p->offer[0] = '\0';
}

/* --- lines before this one -------------------------------------------------------------------- */

static void keep(ss_prompt *p)
{
    if (p->nbefore > 0 && strcmp(p->before[p->nbefore - 1], p->line) == 0)
        return;
    if (p->nbefore == SS_PROMPT_LINES)
        memmove(p->before[0], p->before[1], sizeof p->before - sizeof p->before[0]);
    else
        p->nbefore++;
    memcpy(p->before[p->nbefore - 1], p->line, sizeof p->line);
}

/* Behind the last of them is what was being typed. */
static void recall(ss_prompt *p, int by)
{
    int to = p->at + by;
    if (to < 0 || to > p->nbefore)
        return;
    if (p->at == p->nbefore)
        memcpy(p->draft, p->line, sizeof p->line);
    p->at = to;
    memcpy(p->line, to < p->nbefore ? p->before[to] : p->draft, sizeof p->line);
}

/* --- words and keys --------------------------------------------------------------------------- */

static void word_open(ss_ui *ui, const ss_config *cfg)
{
    (void)cfg;
    ss_prompt *p = &ui->prompt;
    p->on = true;
    p->line[0] = p->offer[0] = p->draft[0] = '\0';
    p->at = p->nbefore;
}

static void word_cancel(ss_ui *ui, const ss_config *cfg)
{
    (void)cfg;
    ui->prompt.on = false;
}

static void word_apply(ss_ui *ui, const ss_config *cfg)
{
    (void)cfg;
    ss_prompt *p = &ui->prompt;
    p->on = false;
    if (!p->line[strspn(p->line, " ")])
        return;
    keep(p);
    ss_ui_send(ui, p->line);
}

/* Rubbing out in an empty line leaves it. */
static void word_erase(ss_ui *ui, const ss_config *cfg)
{
    (void)cfg;
    size_t n = strlen(ui->prompt.line);
    ui->prompt.on = n > 0;
    ui->prompt.line[n > 0 ? n - 1 : 0] = '\0';
}

static void word_clear(ss_ui *ui, const ss_config *cfg)
{
    (void)cfg;
    ui->prompt.line[0] = '\0';
}

static void word_earlier(ss_ui *ui, const ss_config *cfg)
{
    (void)cfg;
    recall(&ui->prompt, -1);
}

static void word_later(ss_ui *ui, const ss_config *cfg)
{
    (void)cfg;
    recall(&ui->prompt, 1);
}

static void word_complete(ss_ui *ui, const ss_config *cfg)
{
    complete(&ui->prompt, cfg);
}

static const struct word {
    const char *name;
    void (*run)(ss_ui *ui, const ss_config *cfg);
} words[] = {{"open", word_open},   {"cancel", word_cancel},    {"apply", word_apply},
             {"erase", word_erase}, {"clear", word_clear},      {"earlier", word_earlier},
             {"later", word_later}, {"complete", word_complete}};

void ss_prompt_word(ss_ui *ui, const char *arg, const ss_snapshot *snap)
{
    if (strcmp(arg, "complete") != 0)
        ui->prompt.offer[0] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, arg) == 0)
            words[i].run(ui, &snap->cfg);
}

void ss_prompt_type(ss_ui *ui, const char *key)
{
    ss_prompt *p = &ui->prompt;
    size_t n = strlen(p->line);
    bool space = strcmp(key, "space") == 0;
    if ((!space && key[1]) || n + 1 >= sizeof p->line)
        return;
    p->offer[0] = '\0';
    p->line[n] = space ? ' ' : key[0];
    p->line[n + 1] = '\0';
}
