/* Man page, shell completion and the README's tables from the tables: see cli.h. */
#include <stddef.h>
#include <string.h>

#include "src/base/text.h"
#include "src/core/command.h"
#include "src/app/cli.h"
#include "src/lesson/document.h"
#include "src/core/registry.h"
#include "ui/scene/keys.h"

/* --- the matrix ----------------------------------------------------------------------------------
 */

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
            ss_docs_cell(ss_equations[e], ss_solvers[s], text, sizeof text, &why);
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
    ss_docs_values(row, now.values, sizeof now.values);
    ss_docs_default(row, now.def, sizeof now.def);
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
            fprintf(out, "| `%s%s` | ", ss_docs_dashes(s->row), s->row->name);
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
    const char *dashes = ss_docs_dashes(s->row);
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
    char text[24];
    for (const ss_key *k = ss_keys; k->key; k++) {
        if (k->context != context || !ss_key_help(k))
            continue;
        fprintf(out, ".TP\n.B ");
        roff(ss_key_text(k->key, text, sizeof text), out);
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

/* --- shell completion: the same words in the syntax of three shells ------------------------------
 */

/* `list` has the words that may follow; each rule begins with the word before. */
typedef struct shell {
    const char *begin;     /* up to the words that may follow any word */
    const char *first;     /* then those of the first place, up to them */
    const char *first_end; /* and the beginning of the rules */
    const char *rule;      /* %s: the word before */
    const char *rule_end;  /* after its words */
    const char *files;     /* %s: the word before, which a file's name follows */
    const char *end;
} shell;

static const shell bash = {
    "# bash completion of stencilscope, generated from its tables\n_stencilscope() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} list\n    list=\"",
    "    [ \"$COMP_CWORD\" = 1 ] && list=\"",
    "    case $prev in\n",
    "    %s) list=\"",
    " ;;\n",
    "    --%s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n",
    "    esac\n    COMPREPLY=($(compgen -W \"$list\" -- \"$cur\"))\n}\n"
    "complete -F _stencilscope stencilscope\n"};
static const shell zsh = {"#compdef stencilscope\n# generated from the program's tables\n"
                          "local prev=${words[CURRENT-1]} list\nlist=\"",
                          "(( CURRENT == 2 )) && list=\"",
                          "case $prev in\n",
                          "%s) list=\"",
                          " ;;\n",
                          "--%s) _files; return ;;\n",
                          "esac\ncompadd -- ${=list}\n"};
static const shell fish = {
    "# fish completion of stencilscope, generated from its tables\nfunction __stencilscope\n"
    "    set -l typed (commandline -opc)\n    set -l list \"",
    "    test (count $typed) -eq 1; and set list \"",
    "    switch $typed[-1]\n",
    "    case %s\n        set list \"",
    "\n",
    "    case --%s\n        __fish_complete_path (commandline -ct)\n        return\n",
    "    end\n    string split -n ' ' -- $list\nend\n"
    "complete -c stencilscope -f -a '(__stencilscope)'\n"};

/* A rule is being written. */
typedef struct writer {
    FILE *out;
    const shell *shell;
} writer;

static void complete_choices(const ss_param *row, const char *owner, void *ctx)
{
    (void)owner;
    for (int c = 0; row->choices[c]; c++)
        fprintf(ctx, "%s ", row->choices[c]);
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

static void begin_rule(const writer *w, const char *before)
{
    fprintf(w->out, w->shell->rule, before);
}

/* others: words that may follow any word may follow this one, too. */
static void end_rule(const writer *w, bool others)
{
    fprintf(w->out, "%s\"%s", others ? "$list" : "", w->shell->rule_end);
}

static void complete_equations(FILE *out)
{
    for (int i = 0; ss_equations[i]; i++)
        fprintf(out, "%s ", ss_equations[i]->name);
}

/* After the name of an equation: the solvers that run it. */
static void complete_solvers(const writer *w)
{
    for (int e = 0; ss_equations[e]; e++) {
        begin_rule(w, ss_equations[e]->name);
        for (int s = 0; ss_solvers[s]; s++)
            if (runs(ss_equations[e], ss_solvers[s]))
                fprintf(w->out, "%s ", ss_solvers[s]->name);
        end_rule(w, true);
    }
}

/* After `lesson`: the names of the lessons and what can be done with them. */
static void complete_lessons(const writer *w)
{
    static const char folder[] = "lessons/";
    const size_t skip = sizeof folder - 1;
    begin_rule(w, "lesson");
    for (const struct ss_embed *e = ss_embed; e->name; e++) {
        const char *dot = strrchr(e->name, '.');
        if (strncmp(e->name, folder, skip) == 0 && dot && e->name[skip] >= '0' &&
            e->name[skip] <= '9')
            fprintf(w->out, "%.*s ", (int)(dot - e->name - (ptrdiff_t)skip), e->name + skip);
    }
    fprintf(w->out, "list grade lint new reset words ");
    end_rule(w, true);
}

/* After a parameter: its choices, or the name of a file. */
static void complete_values(const writer *w, const ss_param *row)
{
    char option[80];
    snprintf(option, sizeof option, "--%s", row->name);
    if (row->type == SS_FILE)
        fprintf(w->out, w->shell->files, row->name);
    if (row->type != SS_CHOICE)
        return;
    begin_rule(w, option);
    ss_param_declared(row, complete_choices, w->out);
    end_rule(w, false);
}

static void complete(const shell *with, FILE *out)
{
    const writer w = {out, with};
    fputs(with->begin, out);
    for (int i = 0; i < ss_param_count(); i++)
        fprintf(out, "%s%s ", ss_docs_dashes(ss_param_row(i)), ss_param_row(i)->name);
    fprintf(out, "--help --version\"\n%s", with->first);
    for (const ss_subcommand *c = ss_subcommands; c->name; c++)
        fprintf(out, "%s ", c->name);
    complete_equations(out);
    fprintf(out, "$list\"\n%s", with->first_end);
    for (int i = 0; i < ss_param_count(); i++)
        complete_values(&w, ss_param_row(i));
    complete_solvers(&w);
    complete_lessons(&w);
    begin_rule(&w, "map");
    complete_equations(out);
    end_rule(&w, true);
    fputs(with->end, out);
}

static void bash_completion(FILE *out)
{
    complete(&bash, out);
}

static void zsh_completion(FILE *out)
{
    complete(&zsh, out);
}

static void fish_completion(FILE *out)
{
    complete(&fish, out);
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
    void (*write)(FILE *out);
} generator;

int ss_docs_generate(const char *kind, FILE *out, ss_err *err)
{
    static const generator all[] = {{"man", man_page},
                                    {"bash-completion", bash_completion},
                                    {"zsh-completion", zsh_completion},
                                    {"fish-completion", fish_completion},
                                    {"readme-matrix", readme_matrix},
                                    {"readme-parameters", readme_parameters},
                                    {"readme-commands", readme_commands},
                                    {"readme-quantities", readme_quantities},
                                    {"pictures", ss_docs_pictures}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].kind, kind) == 0) {
            all[i].write(out);
            return SS_OK;
        }
    char kinds[200] = "";
    for (size_t i = 0, n = 0; i < sizeof all / sizeof *all; i++)
        n += (size_t)snprintf(kinds + n, sizeof kinds - n, "%s%s", i > 0 ? ", " : "", all[i].kind);
    return ss_fail(err, "--generate: '%.40s' is not one of %s", kind, kinds);
}
