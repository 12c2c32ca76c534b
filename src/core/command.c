/* The command language: verbs, parser, printer, suggestions for misspelt names,
 * lists of commands. */
#include "src/core/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"

const ss_verb ss_verbs[SS_NVERB] = {
#define ROW(id, of, name, side, least, most, flags, args, help)                                    \
    [id] = {name, args, help, id, of, SS_SIDE_##side, least, most, flags},
#define VERB(id, ...) ROW(SS_VERB_##id, SS_VERB_##id, __VA_ARGS__)
#define WORD(verb, id, ...) ROW(SS_VERB_##verb##_##id, SS_VERB_##verb, __VA_ARGS__)
#include "src/core/verbs.def"
#undef VERB
#undef WORD
#undef ROW
};

/* --- looking up --------------------------------------------------------------------------------
 */

/* verb NULL: is v a verb? Else: is v a word of that verb? */
static bool is_in_list(const ss_verb *v, const ss_verb *verb)
{
    return verb ? v->of == verb->id && v != verb : v->of == v->id;
}

bool ss_verb_is_listed(const ss_verb *v)
{
    return v->of == v->id && !(v->flags & SS_V_INTERNAL);
}

bool ss_verb_has_words(const ss_verb *v)
{
    return v + 1 < ss_verbs + SS_NVERB && v->id == v->of && v[1].of == v->id;
}

/* The i-th row of such a list, not counting internal ones. */
static const ss_verb *listed_at(const ss_verb *verb, int i)
{
    for (const ss_verb *v = ss_verbs; v < ss_verbs + SS_NVERB; v++)
        if (is_in_list(v, verb) && !(v->flags & SS_V_INTERNAL) && i-- == 0)
            return v;
    return NULL;
}

const ss_verb *ss_verb_word(const ss_verb *v, int i)
{
    return listed_at(v, i);
}

static const ss_verb *find(const ss_verb *verb, const char *name)
{
    for (const ss_verb *v = ss_verbs; v < ss_verbs + SS_NVERB; v++)
        if (is_in_list(v, verb) && strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

const ss_verb *ss_verb_find(const char *name)
{
    return find(NULL, name);
}

static const char *listed_name(const void *verb, int i)
{
    return listed_at(verb, i)->name;
}

static const char *nearest(const ss_verb *verb, const char *name)
{
    int n = 0;
    while (listed_at(verb, n))
        n++;
    return ss_nearest(name, listed_name, verb, n);
}

/* "on, off, radius R". For brevity only one-letter arguments are included. */
static const char *words_of(const ss_verb *v, char *buf, size_t size)
{
    const ss_verb *word;
    size_t n = 0;
    *buf = '\0';
    for (int i = 0; (word = ss_verb_word(v, i)) && n < size; i++)
        n += (size_t)snprintf(buf + n, size - n, "%s%s%s%.1s", i ? ", " : "", word->name,
                              strlen(word->args) == 1 ? " " : "",
                              strlen(word->args) == 1 ? word->args : "");
    return buf;
}

const char *ss_verb_text(const ss_verb *v, char *buf, size_t size)
{
    char words[200];
    const ss_verb *first = ss_verb_word(v, 0);
    bool shown =
        first && !strstr(v->args, first->name); /* otherwise the arguments already name the words */
    words_of(v, words, sizeof words);
    snprintf(buf, size, "%s%s%s", v->help, shown ? ": " : "", shown ? words : "");
    return buf;
}

/* --- parsing -----------------------------------------------------------------------------------
 */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copies a word from *in to *out and advances both. Returns 1 word, 0 end of line, -1 open quote.
 */
static int next_word(const char **in, char **out)
{
    const char *p = *in;
    while (is_blank(*p))
        p++;
    if (!*p || *p == '#') {
        *in = p;
        return 0;
    }
    bool quoted = *p == '"';
    p += quoted;
    while (*p && (quoted ? *p != '"' : !is_blank(*p))) {
        if (quoted && *p == '\\' && (p[1] == '"' || p[1] == '\\'))
            p++;
        *(*out)++ = *p++;
    }
    if (quoted && *p != '"')
        return -1;
    *in = p + quoted;
    *(*out)++ = '\0';
    return 1;
}

static const ss_verb *find_verb(const char *name, ss_err *err)
{
    const ss_verb *v = find(NULL, name);
    const char *near = v ? NULL : nearest(NULL, name);
    if (!v)
        ss_fail(err, "unknown command '%.40s'%s%s%s", name, near ? "; did you mean " : "",
                near ? near : "", near ? "?" : "");
    return v;
}

/* The row of the first argument, if the verb has words. */
static const ss_verb *find_word(const ss_verb *verb, const char *name, ss_err *err)
{
    char words[200];
    const ss_verb *v = find(verb, name);
    if (v || !ss_verb_has_words(verb) || (verb->flags & SS_V_OR_VALUE))
        return v ? v : verb;
    const char *near = nearest(verb, name);
    ss_fail(err, "%s: '%.40s' is unknown%s%s%s; it takes %s", verb->name, name,
            near ? " (did you mean " : "", near ? near : "", near ? "?)" : "",
            words_of(verb, words, sizeof words));
    return NULL;
}

/* Finds the verb and word of a split command and checks the number of arguments. */
static int resolve(ss_cmd *cmd, const char *verb, ss_err *err)
{
    const ss_verb *v = find_verb(verb, err);
    const ss_verb *row = v && cmd->argc > 0 ? find_word(v, cmd->arg[0], err) : v;
    if (!row)
        return SS_FAIL;
    int args = cmd->argc - (row != v);
    if (args < row->min_args || args > row->max_args)
        return ss_fail(err, "usage: %s%s%s%s%s", v->name, row != v ? " " : "",
                       row != v ? row->name : "", *row->args ? " " : "", row->args);
    cmd->verb = v;
    cmd->row = row;
    return SS_OK;
}

int ss_cmd_parse(const char *line, ss_cmd *out, ss_err *err)
{
    memset(out, 0, offsetof(ss_cmd, text));
    out->ticket = 0;
    out->text[0] = '\0';
    out->patient = out->from_file = out->heard = false;
    if (strlen(line) >= SS_CMD_TEXT)
        return ss_fail(err, "the command is longer than %d characters", SS_CMD_TEXT - 1);
    const char *words[SS_CMD_ARGS + 1];
    char *to = out->text;
    int n = 0;
    for (;;) {
        char *word = to;
        int got = next_word(&line, &to);
        if (got < 0)
            return ss_fail(err, "a quote is not closed");
        if (got == 0)
            break;
        if (n > SS_CMD_ARGS)
            return ss_fail(err, "the command has more than %d words", SS_CMD_ARGS + 1);
        words[n++] = word;
    }
    if (n == 0)
        return SS_OK;
    out->argc = n - 1;
    for (int i = 1; i < n; i++)
        out->arg[i - 1] = words[i];
    return resolve(out, words[0], err);
}

const ss_verb *ss_verb_of_line(const char *line)
{
    ss_cmd cmd;
    ss_err ignored;
    return ss_cmd_parse(line, &cmd, &ignored) == SS_OK ? cmd.row : NULL;
}

ss_cmd *ss_cmd_copy(const ss_cmd *cmd, ss_err *err)
{
    ss_cmd *copy = malloc(sizeof *copy);
    if (!copy) {
        ss_fail_memory(err, "a command", sizeof *copy);
        return NULL;
    }
    *copy = *cmd;
    for (int i = 0; i < cmd->argc; i++)
        copy->arg[i] = copy->text + (cmd->arg[i] - cmd->text);
    return copy;
}

static size_t put_word(const char *word, char *buf, size_t size)
{
    bool quote = !*word || strpbrk(word, " \t\r\n\"#") != NULL;
    size_t n = 0;
#define PUT(c) (n + 1 < size ? (void)(buf[n++] = (c)) : (void)0)
    if (quote)
        PUT('"');
    for (; *word; word++) {
        if (quote && (*word == '"' || *word == '\\'))
            PUT('\\');
        PUT(*word);
    }
    if (quote)
        PUT('"');
#undef PUT
    if (size)
        buf[n] = '\0';
    return n;
}

const char *ss_cmd_format(const ss_cmd *cmd, char *buf, size_t size)
{
    size_t n = cmd->verb ? put_word(cmd->verb->name, buf, size) : 0;
    if (!cmd->verb && size)
        *buf = '\0';
    for (int i = 0; i < cmd->argc && n + 2 < size; i++) {
        buf[n++] = ' ';
        n += put_word(cmd->arg[i], buf + n, size - n);
    }
    return buf;
}

/* --- words --------------------------------------------------------------------------------------
 */

#define COUNT_MAX 1000000000000

int ss_parse_count(const char *text, int64_t lo, int64_t hi, int64_t *out, ss_err *err)
{
    char *end = NULL;
    long long n = strtoll(text, &end, 10);
    if (*end || end == text || n < lo || n > hi)
        return ss_fail(err, "'%.40s' is not a whole number in %lld\xe2\x80\xa6%lld", text,
                       (long long)lo, (long long)hi);
    *out = n;
    return SS_OK;
}

int ss_cmd_count(const ss_cmd *cmd, int64_t *out, ss_err *err)
{
    *out = 1;
    return cmd->argc ? ss_parse_count(cmd->arg[0], 0, COUNT_MAX, out, err) : SS_OK;
}

/* Levenshtein distance; 99 if a word has more than 31 characters. */
static int distance(const char *a, const char *b)
{
    int row[32], la = (int)strlen(a), lb = (int)strlen(b);
    if (la > 31 || lb > 31)
        return 99;
    for (int j = 0; j <= lb; j++)
        row[j] = j;
    for (int i = 1; i <= la; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= lb; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            int gap = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < gap ? change : gap;
        }
    }
    return row[lb];
}

/* What other programs call our names. */
// clang-format off
static const struct {
    const char *other, *ours;
} synonyms[] = {
    {"mg", "multigrid"},           {"gmg", "multigrid"},       {"gauss-seidel", "sor"},
    {"gs", "sor"},                 {"red-black", "sor"},       {"rbgs", "sor"},
    {"ssor", "sor"},               {"pcg", "cg"},              {"conjugate-gradient", "cg"},
    {"richardson", "jacobi"},      {"cheby", "chebyshev"},     {"euler", "stepper"},
    {"laplace", "poisson2d"},      {"poisson", "poisson2d"},   {"heat", "heat1d"},
    {"max-iter", "cycles"},        {"maxiter", "cycles"},      {"max-iters", "cycles"},
    {"max-iterations", "cycles"},  {"max-it", "cycles"},       {"max-cycles", "cycles"},
    {"iterations", "cycles"},      {"iters", "cycles"},        {"iter", "cycles"},
    {"niter", "cycles"},           {"nsteps", "cycles"},       {"timesteps", "cycles"},
    {"tol", "until"},              {"tolerance", "until"},     {"rtol", "until"},
    {"eps", "until"},              {"epsilon", "until"},       {"t-end", "until-time"},
    {"tmax", "until-time"},        {"final-time", "until-time"}, {"time", "until-time"},
    {"timeout", "seconds"},        {"nx", "n"},                {"grid", "n"},
    {"output", "save"},            {"out", "save"},            {"input", "load"},
    {"initial", "load"},           {"device", "backend"},      {"gpu", "backend"},
    {"nthreads", "threads"},       {"num-threads", "threads"}, {"jobs", "threads"},
    {"np", "ranks"},               {"nprocs", "ranks"},        {"nranks", "ranks"},
    {"dtype", "precision"},        {"type", "precision"},      {"frontend", "ui"},
    {"gui", "ui"},                 {"exec", "e"},              {"command", "e"},
    {"video", "record"},           {"movie", "record"},        {"plot", "export"},
    {"figure", "export"},          {"exit", "quit"},           {"continue", "run"},
    {"start", "run"},              {"stop", "pause"},          {"restart", "reset"}};
// clang-format on

static const char *synonym_of(const char *word)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(synonyms[i].other, word) == 0)
            return synonyms[i].ours;
    return NULL;
}

const char *ss_nearest(const char *word, const char *(*name_at)(const void *ctx, int i),
                       const void *ctx, int n)
{
    const char *best = NULL, *same = synonym_of(word);
    for (int i = 0; same && i < n; i++)
        if (strcmp(name_at(ctx, i), same) == 0)
            return same;
    int limit = (int)strlen(word) <= 3 ? 1 : (int)strlen(word) / 3 + 1;
    int best_distance = limit + 1;
    for (int i = 0; i < n; i++) {
        const char *name = name_at(ctx, i);
        int d = distance(word, name);
        if (d < best_distance) {
            best = name;
            best_distance = d;
        }
    }
    return best;
}

/* --- lists of commands ------------------------------------------------------------------------ */

/* Is the run paused after this verb? */
static bool stops(const ss_verb *v)
{
    return (v->flags & (SS_V_ADVANCES | SS_V_INTERRUPTS)) || v->id == SS_VERB_QUIT;
}

static bool may_limit(const ss_cmd *cmd)
{
    static const char *const limits[] = {"cycles", "until-time", "seconds"};
    bool sets = cmd->verb->id == SS_VERB_SET, opens = cmd->verb->flags & SS_V_OPENS, found = false;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        size_t n = strlen(limits[i]);
        for (int k = 0; k < cmd->argc && opens; k++)
            found = found || (strncmp(cmd->arg[k], limits[i], n) == 0 && cmd->arg[k][n] == '=');
        found = found || (sets && strcmp(cmd->arg[0], limits[i]) == 0);
    }
    return found;
}

static void summarise(ss_script *s, const ss_cmd *cmd)
{
    const ss_verb *v = cmd->verb;
    bool advances = v->flags & SS_V_ADVANCES;
    s->steps = s->steps || advances;
    s->pauses = v->id == SS_VERB_PAUSE || (s->pauses && !advances);
    s->runs = v->id == SS_VERB_RUN || (s->runs && !stops(v));
    s->limits = s->limits || may_limit(cmd);
    s->rewinds = s->rewinds || (v->flags & SS_V_REWINDS);
}

int ss_script_copy(ss_script *s, const ss_cmd *cmd, ss_err *err)
{
    if (s->count == s->capacity) {
        int want = s->capacity ? 2 * s->capacity : 16;
        ss_cmd **more = realloc(s->cmd, (size_t)want * sizeof *more);
        if (!more)
            return ss_fail_memory(err, "a list of commands", (size_t)want * sizeof *more);
        s->cmd = more;
        s->capacity = want;
    }
    ss_cmd *copy = ss_cmd_copy(cmd, err);
    if (!copy)
        return SS_FAIL;
    copy->patient = true;
    summarise(s, cmd);
    s->cmd[s->count++] = copy;
    return SS_OK;
}

int ss_script_add(ss_script *s, const char *line, const char *where, ss_err *err)
{
    ss_cmd cmd;
    ss_err why;
    if (ss_cmd_parse(line, &cmd, &why) != SS_OK)
        return ss_fail(err, "%s: %s", where, why.text);
    return cmd.verb ? ss_script_copy(s, &cmd, err) : SS_OK;
}

/* One line of the file; terminated, without NUL inside. 1: a line, 0: the end, SS_FAIL. */
static int next_line(FILE *f, char *line, size_t size, const char *where, ss_err *err)
{
    size_t n = 0;
    int c = 0;
    while (c != '\n' && (c = getc(f)) != EOF) {
        if (c == '\0')
            return ss_fail(err, "%s: the line contains a NUL character", where);
        if (n + 2 > size)
            return ss_fail(err, "%s: the line is longer than %d characters", where,
                           SS_CMD_TEXT - 1);
        line[n++] = (char)c;
    }
    line[n] = '\0';
    return n > 0;
}

int ss_script_file(ss_script *s, const char *path, bool trusted, ss_err *err)
{
    char line[SS_CMD_TEXT + 2], where[320];
    int status = SS_OK, number = 0, got = 1, first = s->count;
    bool standard = strcmp(path, "-") == 0;
    FILE *f = standard ? stdin : ss_infile_open(path, err);
    if (!f)
        return SS_FAIL;
    path = standard ? "standard input" : path;
    errno = 0;
    while (status == SS_OK && got > 0) {
        snprintf(where, sizeof where, "%.280s:%d", path, ++number);
        got = next_line(f, line, sizeof line, where, err);
        if (got < 0)
            status = SS_FAIL;
        else if (got > 0 && number > SS_SCRIPT_LINES)
            status = ss_fail(err, "%.280s has more than %d lines", path, SS_SCRIPT_LINES);
        else
            status = ss_script_add(s, ss_line_plain(line, number == 1), where, err);
    }
    if (status == SS_OK && ferror(f))
        status = ss_fail_outside(err, "cannot read %.200s: %s", path, strerror(errno));
    for (int i = first; i < s->count; i++)
        s->cmd[i]->from_file = !trusted;
    if (!standard)
        fclose(f);
    return status;
}

void ss_script_free(ss_script *s)
{
    for (int i = 0; i < s->count; i++)
        free(s->cmd[i]);
    free(s->cmd);
    memset(s, 0, sizeof *s);
}
