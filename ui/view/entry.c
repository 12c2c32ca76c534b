/* What is set and typed. The controls of the run: which one has the focus, its value, the keys that
 * change it and a value typed for it. The command line at the bottom of the screen: recalls earlier
 * lines and completes names from the tables. See state.h. Main thread only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "ui/view/state.h"

/* --- controls: values ------------------------------------------------------------------------- */

int ss_ui_focused(const ss_ui *ui, const ss_snapshot *snap)
{
    for (int i = 0; i < snap->ncontrol; i++)
        if (strcmp(snap->control[i].row->name, ui->focus) == 0)
            return i;
    return snap->ncontrol ? 0 : -1;
}

void ss_ui_focus(ss_ui *ui, const char *name, const ss_snapshot *snap)
{
    int now = ss_ui_focused(ui, snap);
    if (now >= 0 && strcmp(snap->control[now].row->name, name) != 0)
        ui->note[0] = '\0';
    snprintf(ui->focus, sizeof ui->focus, "%s", name);
}

ss_value ss_ui_value(const ss_ui *ui, const ss_control *c, bool *is_pending)
{
    for (int i = ui->npending - 1; i >= 0; i--)
        if (ui->pending[i].row == c->row) {
            if (is_pending)
                *is_pending = true;
            return ui->pending[i].value;
        }
    return c->value;
}

static bool same_value(const ss_param *row, ss_value a, ss_value b)
{
    char x[64], y[64];
    return strcmp(ss_param_format(row, a, x, sizeof x), ss_param_format(row, b, y, sizeof y)) == 0;
}

void ss_ui_set(ss_ui *ui, const ss_control *c, ss_value value)
{
    ss_page_turns_to(ui, SS_TURN_CONTROLS);
    char text[64], line[160];
    if (same_value(c->row, value, ss_ui_value(ui, c, NULL)))
        return;
    snprintf(line, sizeof line, "set %s %s%s", c->row->name,
             ss_param_format(c->row, value, text, sizeof text), ui->dragged ? " join" : "");
    uint64_t ticket = ss_ui_send(ui, line, NULL);
    if (!ticket)
        return;
    ui->dragged = ui->dragging;
    int at = 0;
    while (at < ui->npending && ui->pending[at].row != c->row)
        at++;
    at = at == SS_PENDING_MAX ? at - 1 : at;
    ui->pending[at] = (ss_pending){c->row, value, ticket};
    ui->npending = at == ui->npending ? at + 1 : ui->npending;
}

void ss_ui_step(ss_ui *ui, const ss_control *c, int dir)
{
    ss_value v = ss_ui_value(ui, c, NULL);
    for (int tries = 0; tries < 32; tries++) {
        v = ss_param_stepped(c->row, v, dir, c->lo, c->hi);
        if (c->row->type != SS_CHOICE || (v.i >= 0 && v.i < 32 && (c->choices >> v.i & 1)))
            break;
    }
    ss_ui_set(ui, c, v);
}

/* --- controls: change ------------------------------------------------------------------------- */

/* The smallest or largest valid value of the slider. */
static void set_to_end(ss_ui *ui, const ss_control *c, bool largest)
{
    double lo = c->track.lo > c->lo ? c->track.lo : c->lo;
    double hi = c->track.hi < c->hi ? c->track.hi : c->hi;
    ss_ui_set(ui, c, ss_param_at(c->row, largest, lo, hi));
}

int ss_change_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int i = ss_ui_focused(ui, snap);
    (void)err;
    if (i < 0)
        return SS_OK;
    const ss_control *c = &snap->control[i];
    ss_ui_focus(ui, c->row->name, snap);
    if (cmd->row == cmd->verb)
        ss_ui_step(ui, c, atoi(cmd->arg[0]));
    else
        set_to_end(ui, c, cmd->row->id == SS_VERB_CHANGE_MAX);
    return SS_OK;
}

/* --- controls: a typed value ------------------------------------------------------------------ */

static void entry_open(ss_ui *ui, const ss_snapshot *snap)
{
    int i = ss_ui_focused(ui, snap);
    ui->typing = i >= 0 && snap->control[i].row->type != SS_CHOICE;
    ui->entry[0] = '\0';
}

static void entry_cancel(ss_ui *ui, const ss_snapshot *snap)
{
    (void)snap;
    ui->typing = ui->answering = false;
}

static void entry_erase(ss_ui *ui, const ss_snapshot *snap)
{
    (void)snap;
    ss_key_type("backspace", ui->entry, sizeof ui->entry);
}

/* Sends the typed number as the answer to the lesson's question. */
static void send_answer(ss_ui *ui, const ss_snapshot *snap)
{
    char line[80];
    snprintf(line, sizeof line, "lesson predict \"%s\"", ui->entry);
    ss_ui_send(ui, line, snap);
}

static void entry_apply(ss_ui *ui, const ss_snapshot *snap)
{
    int i = ss_ui_focused(ui, snap);
    bool answer = ui->answering;
    ss_value v;
    ss_err err;
    if (!*ui->entry && ui->page && ui->page->asks == SS_ASKS_NUMBER)
        ss_ui_say(ui, false, "type a number, then enter");
    entry_cancel(ui, snap);
    if (!*ui->entry || (!answer && i < 0))
        return;
    if (answer)
        send_answer(ui, snap);
    else if (ss_param_parse(snap->control[i].row, ui->entry, &v, &err) != SS_OK)
        ss_ui_say(ui, true, err.text);
    else
        ss_ui_set(ui, &snap->control[i], v);
}

int ss_entry_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static void (*const handlers[SS_NVERB])(ss_ui *, const ss_snapshot *) = {
        [SS_VERB_ENTRY_OPEN] = entry_open,
        [SS_VERB_ENTRY_APPLY] = entry_apply,
        [SS_VERB_ENTRY_CANCEL] = entry_cancel,
        [SS_VERB_ENTRY_ERASE] = entry_erase};
    (void)err;
    handlers[cmd->row->id](ui, snap);
    return SS_OK;
}

/* --- the command line: names that can be completed -------------------------------------------- */

/* The i-th name that a word may complete to, given the run's config, the verb of the line and the
 * word before (`of`). NULL: no more. */
typedef const char *names(const ss_config *cfg, const ss_verb *verb, const char *of, int i);

static const char *verb_name(const ss_config *cfg, const ss_verb *verb, const char *of, int i)
{
    (void)cfg, (void)verb, (void)of;
    for (const ss_verb *v = ss_verbs; v < ss_verbs + SS_NVERB; v++)
        if (ss_verb_is_listed(v) && i-- == 0)
            return v->name;
    return NULL;
}

static const char *word_name(const ss_config *cfg, const ss_verb *verb, const char *of, int i)
{
    (void)cfg, (void)of;
    const ss_verb *word = ss_verb_word(verb, i);
    return word ? word->name : NULL;
}

/* True if an earlier row has the same name, since several solvers may declare one. */
static bool is_repeated(int at)
{
    for (int i = 0; i < at; i++)
        if (strcmp(ss_param_row(i)->name, ss_param_row(at)->name) == 0)
            return true;
    return false;
}

/* Parameters of the program (files, the front end) cannot be set while it runs. */
static const char *row_name(const ss_config *cfg, const ss_verb *verb, const char *of, int i)
{
    (void)cfg, (void)verb, (void)of;
    for (int at = 0; at < ss_param_count(); at++)
        if (!(ss_param_row(at)->flags & SS_P_APP) && !is_repeated(at) && i-- == 0)
            return ss_param_row(at)->name;
    return NULL;
}

static const char *choice_name(const ss_config *cfg, const ss_verb *verb, const char *of, int i)
{
    (void)verb;
    const ss_param *row = ss_param_find(cfg, of, NULL);
    return row && row->choices ? row->choices[i] : NULL;
}

static const char *equation_name(const ss_config *cfg, const ss_verb *verb, const char *of, int i)
{
    (void)cfg, (void)verb, (void)of;
    return ss_equations[i] ? ss_equations[i]->name : NULL;
}

static const char *solver_name(const ss_config *cfg, const ss_verb *verb, const char *of, int i)
{
    (void)cfg, (void)verb, (void)of;
    return ss_solvers[i] ? ss_solvers[i]->name : NULL;
}

static const struct source {
    ss_verb_id verb;
    int word;
    names *name;
} sources[] = {{SS_VERB_SET, 1, row_name},     {SS_VERB_SET, 2, choice_name},
               {SS_VERB_UNSET, 1, row_name},   {SS_VERB_OPEN, 1, equation_name},
               {SS_VERB_OPEN, 2, solver_name}, {SS_VERB_ADD, 1, equation_name},
               {SS_VERB_ADD, 2, solver_name}};

static names *names_of(const ss_verb *verb, int word)
{
    if (word == 0)
        return verb_name;
    for (size_t i = 0; verb && i < sizeof sources / sizeof *sources; i++)
        if (sources[i].word == word && sources[i].verb == verb->id)
            return sources[i].name;
    return verb && word == 1 ? word_name : NULL;
}

/* The last word of a line, which may be empty: its offset and number, the verb, the word before. */
typedef struct last_word {
    size_t at;
    int number;
    const ss_verb *verb; /* NULL: not known */
    char before[40];
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
            w.verb = ss_verb_find(w.before);
    }
    return w;
}

/* Completes the last word by the common prefix of all matches; shows them if there are several. */
static void complete(ss_prompt *p, const ss_config *cfg)
{
    last_word w = find_last(p->line);
    names *name = names_of(w.verb, w.number);
    const char *candidate, *first = NULL;
    size_t typed = strlen(p->line + w.at), same = 0, n = 0;
    int found = 0;
    p->offer[0] = '\0';
    for (int i = 0; name && (candidate = name(cfg, w.verb, w.before, i)) != NULL; i++) {
        if (strncmp(candidate, p->line + w.at, typed) != 0)
            continue;
        same = found++ ? same : strlen(candidate);
        first = first ? first : candidate;
        for (size_t k = 0; k < same; k++)
            same = candidate[k] == first[k] ? same : k;
        if (n < sizeof p->offer)
            n += (size_t)snprintf(p->offer + n, sizeof p->offer - n, "%s%s", n ? "  " : "",
                                  candidate);
    }
    if (found)
        snprintf(p->line + w.at, sizeof p->line - w.at, "%.*s%s", (int)same, first,
                 found == 1 ? " " : "");
    if (found == 1)
        p->offer[0] = '\0';
}

/* --- the command line: earlier lines ---------------------------------------------------------- */

static void remember(ss_prompt *p)
{
    if (p->nbefore > 0 && strcmp(p->before[p->nbefore - 1], p->line) == 0)
        return;
    if (p->nbefore == SS_PROMPT_LINES)
        memmove(p->before[0], p->before[1], sizeof p->before - sizeof p->before[0]);
    else
        p->nbefore++;
    memcpy(p->before[p->nbefore - 1], p->line, sizeof p->line);
}

/* Moves through the earlier lines; after the newest one comes the draft. */
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

/* --- the command line: commands and keys ------------------------------------------------------ */

static void prompt_open(ss_ui *ui, const ss_snapshot *snap)
{
    (void)snap;
    ss_prompt *p = &ui->prompt;
    p->on = true;
    p->line[0] = p->draft[0] = '\0';
    p->at = p->nbefore;
}

static void prompt_cancel(ss_ui *ui, const ss_snapshot *snap)
{
    (void)snap;
    ui->prompt.on = false;
}

static void prompt_apply(ss_ui *ui, const ss_snapshot *snap)
{
    ss_prompt *p = &ui->prompt;
    p->on = false;
    if (!p->line[strspn(p->line, " ")])
        return;
    remember(p);
    ss_ui_send(ui, p->line, snap);
}

/* Erasing in an empty line closes it. */
static void prompt_erase(ss_ui *ui, const ss_snapshot *snap)
{
    (void)snap;
    ui->prompt.on = *ui->prompt.line != '\0';
    ss_key_type("backspace", ui->prompt.line, sizeof ui->prompt.line);
}

static void prompt_clear(ss_ui *ui, const ss_snapshot *snap)
{
    (void)snap;
    ui->prompt.line[0] = '\0';
}

static void prompt_earlier(ss_ui *ui, const ss_snapshot *snap)
{
    (void)snap;
    recall(&ui->prompt, -1);
}

static void prompt_later(ss_ui *ui, const ss_snapshot *snap)
{
    (void)snap;
    recall(&ui->prompt, 1);
}

static void prompt_complete(ss_ui *ui, const ss_snapshot *snap)
{
    complete(&ui->prompt, &snap->cfg);
}

int ss_prompt_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static void (*const handlers[SS_NVERB])(ss_ui *, const ss_snapshot *) = {
        [SS_VERB_PROMPT_OPEN] = prompt_open,   [SS_VERB_PROMPT_CANCEL] = prompt_cancel,
        [SS_VERB_PROMPT_APPLY] = prompt_apply, [SS_VERB_PROMPT_ERASE] = prompt_erase,
        [SS_VERB_PROMPT_CLEAR] = prompt_clear, [SS_VERB_PROMPT_EARLIER] = prompt_earlier,
        [SS_VERB_PROMPT_LATER] = prompt_later, [SS_VERB_PROMPT_COMPLETE] = prompt_complete};
    (void)err;
    if (cmd->row->id != SS_VERB_PROMPT_COMPLETE)
        ui->prompt.offer[0] = '\0';
    handlers[cmd->row->id](ui, snap);
    return SS_OK;
}

void ss_prompt_type(ss_ui *ui, const char *key)
{
    ss_prompt *p = &ui->prompt;
    if (ss_key_type(key, p->line, sizeof p->line))
        p->offer[0] = '\0';
}
