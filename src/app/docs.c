/* Help, list, man page, shell completion and the README's tables, from the tables: see docs.h. */
#include "src/app/docs.h"

#include <stddef.h>
#include <string.h>

#include "src/app/parts.h"
#include "src/base/text.h"
#include "src/core/command.h"
#include "src/core/registry.h"
#include "src/lesson/document.h"
#include "src/snapshot/race.h"
#include "ui/scene/keys.h"

const ss_subcommand ss_subcommands[] = {
    {.name = "list", .help = "which solver runs which equation on which backend, and why not"},
    {.name = "bench",
     .help = "this machine's limits, and the fraction of them that each solver reaches",
     .any_equation = true},
    {.name = "map",
     .help = "a table of cycles, time or error over lists of up to two parameters",
     .axes = true},
    {.name = "race",
     .help = "two to six runs of one problem side by side: race 'EQUATION SOLVER ...' ...",
     .min_runs = 2,
     .max_runs = SS_RACE_MAX},
    {.name = "serve",
     .help = "a run in a browser: prints the address of its page (--ui web)",
     .ui = "web"},
    {.name = "lesson",
     .help = "lessons: predict, run, explain; lint, grade, new, reset, words",
     .words = true},
    {.name = "kernels",
     .help = "compiled CUDA kernels: list, clear, fill for any GPU",
     .words = true},
    {.name = NULL},
};

const ss_subcommand *ss_subcommand_find(const char *name)
{
    for (const ss_subcommand *c = ss_subcommands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

/* --- one row in words ----------------------------------------------------------------------------
 */

/* "1024, 1023 for multigrid": the defaults of solvers that do not take every number of points. */
static const char *add_solvers(const ss_param *row, char *buf, size_t size)
{
    for (int s = 0; ss_solvers[s]; s++) {
        size_t n = strlen(buf);
        if (ss_solvers[s]->nearest_points)
            snprintf(buf + n, size - n, ", %lld for %s",
                     (long long)ss_solvers[s]->nearest_points((int64_t)row->def),
                     ss_solvers[s]->name);
    }
    return buf;
}

static const char *default_of(const ss_param *row, char *buf, size_t size)
{
    ss_value v = {.s = row->def_text};
    if (row->type == SS_REAL_T || row->type == SS_DURATION)
        v.d = row->def;
    else if (row->type != SS_STRING && row->type != SS_FILE)
        v.i = (int64_t)row->def;
    if (row->follows)
        snprintf(buf, size, "as %s", row->follows);
    else if (row->def_text)
        snprintf(buf, size, "%s", row->def_text);
    else
        ss_param_format(row, v, buf, size);
    return row->flags & SS_P_POINTS ? add_solvers(row, buf, size) : buf;
}

/* Commands are short options; every other row is a long one. */
static const char *dashes_of(const ss_param *row)
{
    return strlen(row->name) == 1 && (row->flags & SS_P_REPEAT) ? "-" : "--";
}

/* "1...1024", "f64|f32", "FILE" */
static const char *values_of(const ss_param *row, char *buf, size_t size)
{
    static const char *const words[SS_NTYPE] = {
        [SS_BOOL] = "on|off", [SS_STRING] = "TEXT", [SS_FILE] = "FILE"};
    size_t n = 0;
    *buf = '\0';
    if (row->type == SS_CHOICE)
        for (int i = 0; row->choices[i] && n < size; i++)
            n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? "|" : "", row->choices[i]);
    else if (words[row->type])
        snprintf(buf, size, "%s", words[row->type]);
    else if (row->max >= 1e15)
        snprintf(buf, size, "%.10g or more%s%s", row->min, *row->unit ? " " : "", row->unit);
    else
        snprintf(buf, size, "%.10g\xe2\x80\xa6%.10g%s%s", row->min, row->max, *row->unit ? " " : "",
                 row->unit);
    return buf;
}

static void print_row(const ss_param *row, FILE *out)
{
    char values[200], def[80], left[300];
    values_of(row, values, sizeof values);
    default_of(row, def, sizeof def);
    if (row->type == SS_CHOICE || row->type == SS_STRING || row->type == SS_FILE ||
        row->type == SS_BOOL)
        snprintf(left, sizeof left, "%s%s %s", dashes_of(row), row->name, values);
    else
        snprintf(left, sizeof left, "%s%s N", dashes_of(row), row->name);
    fprintf(out, "  %-28s %s", left, row->help);
    if (strchr(left, ' ') && strcmp(strrchr(left, ' '), " N") == 0)
        fprintf(out, "; %s", values);
    if (*def)
        fprintf(out, " [%s]", def);
    fprintf(out, "\n");
}

/* --- help ----------------------------------------------------------------------------------------
 */

enum { GROUPS_MAX = 24 };

static const char *group_of(const ss_param *row)
{
    return row->group ? row->group : "Other";
}

/* Their titles in the order of the rows; returns how many. */
static int list_groups(const ss_config *cfg, const char *groups[GROUPS_MAX])
{
    int n = 0;
    const ss_param *row;
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) && n < GROUPS_MAX;) {
        int i = 0;
        while (i < n && strcmp(groups[i], group_of(row)) != 0)
            i++;
        if (i == n)
            groups[n++] = group_of(row);
    }
    return n;
}

static void print_group(const ss_config *cfg, const char *group, FILE *out)
{
    const ss_param *row;
    fprintf(out, "%s\n", group);
    for (ss_param_walk w = {.cfg = cfg}; (row = ss_param_next(&w)) != NULL;)
        if (strcmp(group_of(row), group) == 0)
            print_row(row, out);
}

static void print_help(const ss_config *cfg, bool chosen, FILE *out)
{
    const char *groups[GROUPS_MAX];
    int n = list_groups(cfg, groups);
    const ss_equation *eq = ss_config_equation(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    fprintf(out, "Usage: stencilscope [EQUATION [SOLVER]] [options]\n"
                 "Watch communication-avoiding stencil solvers work, live; turn k, block size and "
                 "overlap.\n\n");
    for (const ss_subcommand *c = ss_subcommands; c->name; c++)
        fprintf(out, "       stencilscope %-10s %s\n", c->name, c->help);
    fprintf(out, "\nEquations:\n");
    for (int i = 0; ss_equations[i]; i++)
        fprintf(out, "  %-14s %s\n", ss_equations[i]->name, ss_equations[i]->help);
    fprintf(out, "Solvers:\n");
    for (int i = 0; ss_solvers[i]; i++)
        fprintf(out, "  %-14s %s\n", ss_solvers[i]->name, ss_solvers[i]->help);
    fprintf(out, "\nOptions of %s with the solver %s%s:\n", eq->name, solver->name,
            chosen ? "" : " (name others to see theirs)");
    for (int g = 0; g < n; g++)
        print_group(cfg, groups[g], out);
    fprintf(out, "\n  %-28s the run of a shared link, whose commands may only compute\n",
            "--link 'WORDS'");
    fprintf(out, "  %-28s this text; with EQUATION SOLVER, theirs\n  %-28s the version\n",
            "-h, --help", "-V, --version");
    fprintf(out,
            "On a screen a run keeps up to 64 copies of its field, for rewind: 64 MB, or ten of "
            "them if these are\nmore.\n");
    fprintf(out, "Exit status: 0 done, 1 failed, diverged, stagnated or --until missed, 2 usage, "
                 "130 interrupted.\n");
}

void ss_docs_help(const char *command, const ss_config *cfg, bool chosen, FILE *out)
{
    char name[64];
    snprintf(name, sizeof name, "assets/help/%s.txt", command ? command : "");
    const char *own = ss_embed_text(name);
    if (own)
        fputs(own, out);
    else
        print_help(cfg, chosen, out);
}

/* --- the matrix ----------------------------------------------------------------------------------
 */

static void backends_of(const ss_equation *eq, const ss_solver *solver, char *buf, size_t size,
                        const char **why)
{
    size_t n = 0;
    *buf = '\0';
    *why = NULL;
    for (int b = 0; ss_backends[b]; b++) {
        const char *reason;
        if (ss_matrix(eq, solver, ss_backends[b], &reason))
            n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? " " : "", ss_backends[b]->name);
        else
            *why = reason;
    }
}

void ss_docs_list(FILE *out)
{
    char text[64];
    const char *why;
    fprintf(out, "%-14s", "");
    for (int s = 0; ss_solvers[s]; s++)
        fprintf(out, " %-14s", ss_solvers[s]->name);
    fprintf(out, "\n");
    for (int e = 0; ss_equations[e]; e++) {
        fprintf(out, "%-14s", ss_equations[e]->name);
        for (int s = 0; ss_solvers[s]; s++) {
            backends_of(ss_equations[e], ss_solvers[s], text, sizeof text, &why);
            fprintf(out, " %-14s", *text ? text : "-");
        }
        fprintf(out, "\n");
    }
    for (int e = 0; ss_equations[e]; e++)
        for (int s = 0; ss_solvers[s]; s++) {
            backends_of(ss_equations[e], ss_solvers[s], text, sizeof text, &why);
            if (why)
                fprintf(out, "%s %s: %s\n", ss_equations[e]->name, ss_solvers[s]->name, why);
        }
    fprintf(out, "\nBackends:\n");
    for (int b = 0; ss_backends[b]; b++) {
        ss_err reason;
        bool there = ss_backends[b]->probe(&reason) == SS_OK;
        fprintf(out, "  %-12s %s%s%s\n", ss_backends[b]->name, ss_backends[b]->title,
                there ? "" : "; not here: ", there ? "" : reason.text);
    }
}

/* --- tables of the README: the matrix --------------------------------------------------------- */

/* One table for steady and one for time-dependent equations: a solver serves one kind. */
static void readme_matrix_of(ss_kind kind, FILE *out)
{
    char text[64];
    const char *why;
    fprintf(out, "| equation |");
    for (int s = 0; ss_solvers[s]; s++)
        if (ss_solvers[s]->kind == kind)
            fprintf(out, " %s |", ss_solvers[s]->name);
    fprintf(out, "\n|---|");
    for (int s = 0; ss_solvers[s]; s++)
        if (ss_solvers[s]->kind == kind)
            fprintf(out, "---|");
    fprintf(out, "\n");
    for (int e = 0; ss_equations[e]; e++) {
        if (ss_equations[e]->kind != kind)
            continue;
        fprintf(out, "| `%s`: %s |", ss_equations[e]->name, ss_equations[e]->help);
        for (int s = 0; ss_solvers[s]; s++) {
            backends_of(ss_equations[e], ss_solvers[s], text, sizeof text, &why);
            if (ss_solvers[s]->kind == kind)
                fprintf(out, " %s |",
                        *text ? text : "\xe2\x80\x93"); /* the reasons are in `list` */
        }
        fprintf(out, "\n");
    }
}

static void readme_matrix(FILE *out)
{
    readme_matrix_of(SS_STEADY, out);
    fprintf(out, "\n");
    readme_matrix_of(SS_TRANSIENT, out);
}

/* --- parameters ---------------------------------------------------------------------------------
 */

/* Rows of one name with the same description, and their owners. */
typedef struct entry {
    char values[200], def[80], owners[160];
    const char *help;
    const ss_param *row;
} entry;

#define ENTRIES_MAX 8

typedef struct entries {
    entry each[ENTRIES_MAX];
    int n;
} entries;

/* Is `owner` the last of the owners so far? Two backends may each have the rows of a solver. */
static bool is_last(const char *owners, const char *owner)
{
    const char *comma = strrchr(owners, ',');
    return strcmp(comma ? comma + 2 : owners, owner) == 0;
}

static void note_entry(const ss_param *row, const char *owner, void *ctx)
{
    entries *all = ctx;
    entry now = {.help = row->help, .row = row};
    int i = 0;
    values_of(row, now.values, sizeof now.values);
    default_of(row, now.def, sizeof now.def);
    while (i < all->n &&
           (strcmp(all->each[i].values, now.values) != 0 ||
            strcmp(all->each[i].def, now.def) != 0 || strcmp(all->each[i].help, now.help) != 0))
        i++;
    if (i == ENTRIES_MAX)
        return;
    if (i == all->n)
        all->each[all->n++] = now;
    char *owners = all->each[i].owners;
    size_t used = strlen(owners);
    if (*owner && !is_last(owners, owner))
        snprintf(owners + used, sizeof all->each[i].owners - used, "%s%s", used ? ", " : "", owner);
}

/* The descriptions of a row; without owners if only one exists. */
static void collect(const ss_param *row, entries *all)
{
    all->n = 0;
    ss_param_declared(row, note_entry, all);
    if (all->n == 1)
        *all->each[0].owners = '\0';
}

/* Prints a Markdown cell with its bars escaped. */
static void cell(const char *text, FILE *out)
{
    for (const char *c = text; *c; c++)
        fprintf(out, *c == '|' ? "\\%c" : "%c", *c);
}

static void readme_parameters(FILE *out)
{
    entries all;
    fprintf(out, "| parameter | values | default | meaning |\n|---|---|---|---|\n");
    for (int i = 0; i < ss_param_count(); i++) {
        collect(ss_param_row(i), &all);
        for (const entry *s = all.each; s < all.each + all.n; s++) {
            fprintf(out, "| `%s%s` | ", dashes_of(s->row), s->row->name);
            cell(s->values, out);
            fprintf(out, " | %s | %s%s", s->def, s->owners, *s->owners ? ": " : "");
            cell(s->help, out);
            fprintf(out, "%s |\n", s->row->flags & SS_P_LIVE ? " (live)" : "");
        }
    }
}

static void readme_commands(FILE *out)
{
    fprintf(out, "| command | meaning |\n|---|---|\n");
    for (const ss_verb *v = ss_verbs; v < ss_verbs + SS_NVERB; v++) {
        char text[300];
        if (!ss_verb_is_listed(v))
            continue;
        fprintf(out, "| `%s%s", v->name, *v->args ? " " : "");
        cell(v->args, out);
        fprintf(out, "` | ");
        cell(ss_verb_text(v, text, sizeof text), out);
        fprintf(out, " |\n");
    }
}

/* Prints text for roff, with dashes and backslashes escaped. */
static void roff(const char *text, FILE *out)
{
    for (const char *c = text; *c; c++)
        if (*c == '-' || *c == '\\')
            fprintf(out, *c == '-' ? "\\-" : "\\e");
        else if ((unsigned char)*c == 0xe2 && strncmp(c, "\xe2\x80\xa6", 3) == 0)
            fprintf(out, "..."), c += 2;
        else
            fputc(*c, out);
}

static void man_parameter(const entry *s, FILE *out)
{
    const char *dashes = dashes_of(s->row);
    fprintf(out, ".TP\n.B %s", *dashes && dashes[1] ? "\\-\\-" : "\\-");
    roff(s->row->name, out);
    fprintf(out, " \\fI");
    roff(s->values, out);
    fprintf(out, "\\fR\n");
    roff(s->owners, out);
    fprintf(out, "%s", *s->owners ? ": " : "");
    roff(s->help, out);
    if (*s->def) {
        fprintf(out, " [");
        roff(s->def, out);
        fprintf(out, "]");
    }
    fprintf(out, "\n");
}

/* A command, its arguments and its help. */
static void man_command(const char *verb, const ss_verb *row, FILE *out)
{
    fprintf(out, ".TP\n.B %s%s%s \\fI", verb, *verb ? " " : "", row->name);
    roff(row->args, out);
    fprintf(out, "\\fR\n");
    roff(row->help, out);
    fprintf(out, "\n");
}

/* A verb, then each of its words. */
static void man_verb(const ss_verb *v, FILE *out)
{
    const ss_verb *word;
    man_command("", v, out);
    for (int i = 0; (word = ss_verb_word(v, i)); i++)
        man_command(v->name, word, out);
}

static void man_keys(ss_key_context context, FILE *out)
{
    for (const ss_key *k = ss_keys; k->key; k++) {
        if (k->context != context || !ss_key_help(k))
            continue;
        fprintf(out, ".TP\n.B ");
        roff(ss_key_text(k->key), out);
        fprintf(out, "\n");
        roff(ss_key_help(k), out);
        fprintf(out, "\n");
    }
}

static void man_page(FILE *out)
{
    entries all;
    fprintf(out, ".TH STENCILSCOPE 1 \"\" \"stencilscope %s\" \"User Commands\"\n", SS_VERSION);
    fprintf(out, ".SH NAME\nstencilscope \\- watch communication\\-avoiding stencil solvers work\n"
                 ".SH SYNOPSIS\n.B stencilscope\n[\\fIEQUATION\\fR [\\fISOLVER\\fR]] "
                 "[\\fIoptions\\fR]\n");
    for (const ss_subcommand *c = ss_subcommands; c->name; c++)
        fprintf(out, ".br\n.B stencilscope %s\n", c->name);
    fprintf(out, "%s.SH EQUATIONS\n", ss_embed_text("assets/help/description.roff"));
    for (int i = 0; ss_equations[i]; i++)
        fprintf(out, ".TP\n.B %s\n%s\n", ss_equations[i]->name, ss_equations[i]->help);
    fprintf(out, ".SH SOLVERS\n");
    for (int i = 0; ss_solvers[i]; i++)
        fprintf(out, ".TP\n.B %s\n%s (%s)\n", ss_solvers[i]->name, ss_solvers[i]->help,
                ss_solvers[i]->paper);
    fprintf(out, ".SH OPTIONS\n");
    for (int i = 0; i < ss_param_count(); i++) {
        collect(ss_param_row(i), &all);
        for (const entry *s = all.each; s < all.each + all.n; s++)
            man_parameter(s, out);
    }
    fprintf(out, ".SH COMMANDS\nGiven with \\-e, in files with \\-\\-run, bound to keys, and in "
                 "$XDG_CONFIG_HOME/stencilscope/rc.\n");
    for (const ss_verb *v = ss_verbs; v < ss_verbs + SS_NVERB; v++)
        if (ss_verb_is_listed(v))
            man_verb(v, out);
    fprintf(out,
            ".SH KEYS\nA parameter with a letter: the letter lowers it, the capital raises it. "
            "? lists all keys on the screen.\n");
    man_keys(SS_K_MAIN, out);
    fprintf(out, ".SS On the map\n");
    man_keys(SS_K_MAP, out);
    fprintf(out, ".SS In a lesson\n");
    man_keys(SS_K_PAGE, out);
    fputs(ss_embed_text("assets/help/man.roff"), out);
}

/* --- shell completion --------------------------------------------------------------------------
 */

/* The scripts of the shells (assets/help) ask for the words that may follow a word. */

static void put_choices(const ss_param *row, const char *owner, void *out)
{
    (void)owner;
    for (int c = 0; row->choices[c]; c++)
        fprintf(out, "%s ", row->choices[c]);
}

/* Does any backend run this pair? */
static bool runs(const ss_equation *eq, const ss_solver *solver)
{
    const char *why;
    for (int i = 0; ss_backends[i]; i++)
        if (ss_matrix(eq, solver, ss_backends[i], &why))
            return true;
    return false;
}

static void put_equations(FILE *out)
{
    for (int i = 0; ss_equations[i]; i++)
        fprintf(out, "%s ", ss_equations[i]->name);
}

/* The solvers that run the equation of that name. */
static void put_solvers(const char *equation, FILE *out)
{
    for (int e = 0; ss_equations[e]; e++)
        for (int s = 0; ss_solvers[s] && strcmp(ss_equations[e]->name, equation) == 0; s++)
            if (runs(ss_equations[e], ss_solvers[s]))
                fprintf(out, "%s ", ss_solvers[s]->name);
}

static void put_lessons(FILE *out)
{
    const struct ss_embed *e;
    for (int i = 0; (e = ss_lesson_embedded(i)); i++) {
        const char *name = strrchr(e->name, '/') + 1;
        fprintf(out, "%.*s ", (int)strcspn(name, "."), name);
    }
    fprintf(out, "list grade lint new reset words ");
}

/* The words that may follow one, on a line; before: "": the first place. Empty: a file's name. */
static void put_words(const char *before, FILE *out)
{
    for (int i = 0; i < ss_param_count(); i++) {
        const ss_param *row = ss_param_row(i);
        bool given = strncmp(before, "--", 2) == 0 && strcmp(before + 2, row->name) == 0;
        if (given && row->type == SS_CHOICE)
            ss_param_declared(row, put_choices, out);
        if (given && (row->type == SS_CHOICE || row->type == SS_FILE))
            return;
    }
    for (const ss_subcommand *c = ss_subcommands; c->name && !*before; c++)
        fprintf(out, "%s ", c->name);
    if (!*before || strcmp(before, "map") == 0)
        put_equations(out);
    if (strcmp(before, "lesson") == 0)
        put_lessons(out);
    put_solvers(before, out);
    for (int i = 0; i < ss_param_count(); i++)
        fprintf(out, "%s%s ", dashes_of(ss_param_row(i)), ss_param_row(i)->name);
    fprintf(out, "--help --version\n");
}

/* The quantities of lesson checks. */
static void readme_quantities(FILE *out)
{
    fprintf(out, "| quantity | what it is |\n|---|---|\n");
    for (const ss_lesson_quantity *q = ss_lesson_quantities; q->name; q++) {
        fprintf(out, "| `%s` | ", q->name);
        cell(q->help, out);
        fprintf(out, " |\n");
    }
}

typedef struct generator {
    const char *kind;
    void (*write)(FILE *out); /* NULL: the text of assets/help/KIND */
} generator;

int ss_docs_generate(const char *kind, FILE *out, ss_err *err)
{
    static const generator all[] = {{"man", man_page},
                                    {"bash-completion", NULL},
                                    {"zsh-completion", NULL},
                                    {"fish-completion", NULL},
                                    {"readme-matrix", readme_matrix},
                                    {"readme-parameters", readme_parameters},
                                    {"readme-commands", readme_commands},
                                    {"readme-quantities", readme_quantities},
                                    {"pictures", ss_docs_pictures}};
    char kinds[200] = "", name[64];
    if (strncmp(kind, "after=", 6) == 0)
        return put_words(kind + 6, out), SS_OK;
    for (size_t i = 0, n = 0; i < sizeof all / sizeof *all; i++) {
        n += (size_t)snprintf(kinds + n, sizeof kinds - n, "%s%s", i > 0 ? ", " : "", all[i].kind);
        if (strcmp(all[i].kind, kind) != 0)
            continue;
        snprintf(name, sizeof name, "assets/help/%s", kind);
        if (all[i].write)
            all[i].write(out);
        else
            fputs(ss_embed_text(name), out);
        return SS_OK;
    }
    return ss_fail(err, "--generate: '%.40s' is not one of %s", kind, kinds);
}
