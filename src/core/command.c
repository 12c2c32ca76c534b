/* The command language: verbs, parser, printer, and the nearest name to a misspelt one. */
#include "src/core/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ss_verb ss_verbs[] = {
    {"run", "", "go on solving", SS_SIDE_ENGINE, 0, 0, true, SS_V_GOES},
    {"pause", "", "stop between two cycles", SS_SIDE_ENGINE, 0, 0, false, SS_V_CUTS},
    {"toggle", "", "run if paused, pause if running", SS_SIDE_ENGINE, 0, 0, false,
     SS_V_CUTS | SS_V_GOES},
    {"step", "[N]", "advance N cycles (1) and pause", SS_SIDE_ENGINE, 0, 1, true, SS_V_GOES},
    {"tick", "[N]", "microscope: advance N subiterations (1) and pause", SS_SIDE_ENGINE, 0, 1, true,
     SS_V_GOES},
    {"set", "NAME VALUE [join]",
     "change a parameter, from the next cycle on; join: the last change", SS_SIDE_ENGINE, 2, 3,
     false, SS_V_GOES},
    {"unset", "NAME", "give a parameter its default back", SS_SIDE_ENGINE, 1, 1, false, SS_V_GOES},
    {"reset", "", "start again from the initial field", SS_SIDE_ENGINE, 0, 0, false, 0},
    {"open", "EQUATION [SOLVER] [NAME=VALUE ...]", "a new problem", SS_SIDE_ENGINE, 1, 15, false,
     SS_V_GOES | SS_V_OPENS},
    {"undo", "", "take the last change or stroke back", SS_SIDE_ENGINE, 0, 0, false, SS_V_GOES},
    {"rewind", "[CYCLE|-N|+N|end|forget]",
     "back to a cycle, or by N copies of the past (1) or forward; forget: the branches",
     SS_SIDE_ENGINE, 0, 1, false, SS_V_CUTS | SS_V_REWINDS | SS_V_GOES},
    {"speed", "slower|faster|full|SECONDS", "time between cycles", SS_SIDE_ENGINE, 1, 1, false, 0},
    {"add", "EQUATION [SOLVER] [NAME=VALUE ...]", "one more run beside the others (up to four)",
     SS_SIDE_ENGINE, 1, 15, false, SS_V_GOES | SS_V_OPENS},
    {"drop", "", "close the run that is shown", SS_SIDE_ENGINE, 0, 0, false, 0},
    {"select", "RUN|next", "show another run (1 to 4)", SS_SIDE_ENGINE, 1, 1, false, 0},
    {"split", "", "the run that is shown once more, beside it: a race of the two", SS_SIDE_ENGINE,
     0, 0, false, SS_V_GOES},
    {"race", "[cycles|iterations|seconds|bytes|next|off]",
     "all runs begin again and keep step by a measure, to the tolerance", SS_SIDE_ENGINE, 0, 1,
     false, SS_V_GOES},
    {"error", "", "compute u*, the exact discrete solution", SS_SIDE_ENGINE, 0, 0, false,
     SS_V_GOES},
    {"accuracy", "", "compute 4096 Jacobi iterations and compare with them", SS_SIDE_ENGINE, 0, 0,
     false, SS_V_GOES},
    {"save", "FILE", "write the field (.npy) or the session as commands (.run)", SS_SIDE_ENGINE, 1,
     1, false, SS_V_WRITES},
    {"load", "FILE", "take the field from a NumPy array", SS_SIDE_ENGINE, 1, 1, false, SS_V_GOES},
    {"paint", "X Y RADIUS AMOUNT [field=NAME] [plane=PLANE] [slice=N] [join]",
     "add a smooth disturbance to the field (and so to its error); join: part of the last stroke",
     SS_SIDE_ENGINE, 4, 8, false, SS_V_GOES},
    {"mark", "TEXT", "leave a mark on the curve", SS_SIDE_ENGINE, 1, 1, false, 0},
    {"view", "WHAT [VALUE ...]",
     "layer, field, axis, stage, panel, plane, slice, probe, tile, zoom, window, pan, grid, smooth",
     SS_SIDE_APP, 1, 5, false, 0},
    {"map", "[WORD [VALUE ...]]",
     "the map around the run: open, close, pause, move, cursor, best, take, quantity, view, "
     "relative",
     SS_SIDE_APP, 0, 3, false, SS_V_GOES},
    {"brush", "[WORD [VALUE]]",
     "paint with the mouse: on, off, dab, larger, smaller, stronger, weaker, invert, radius, "
     "amount",
     SS_SIDE_APP, 0, 2, false, 0},
    {"copy", "[session]", "the command line that leads here, to the clipboard; or save the session",
     SS_SIDE_APP, 0, 1, false, SS_V_WRITES},
    {"theme", "[NAME]", "change the colours", SS_SIDE_APP, 0, 1, false, 0},
    {"bind", "KEY COMMAND", "bind a key to a command", SS_SIDE_APP, 2, 2, false, 0},
    {"focus", "NAME", "choose a control", SS_SIDE_APP, 1, 1, false, 0},
    {"presets", "", "the list of presets", SS_SIDE_APP, 0, 0, false, 0},
    {"help", "", "keys and what they do", SS_SIDE_APP, 0, 0, false, 0},
    {"redraw", "", "draw the whole screen again", SS_SIDE_APP, 0, 0, false, 0},
    {"record", "[FILE]", "record what follows: .mp4 .webm .gif .apng .png .cast; alone: stop",
     SS_SIDE_APP, 0, 1, false, SS_V_WRITES},
    {"export", "FILE", "draw what is shown as a figure: .svg, .pdf or .png", SS_SIDE_APP, 1, 1,
     false, SS_V_WRITES},
    {"say", "TEXT", "a sentence that stands in the line of messages: what to look at", SS_SIDE_APP,
     1, 1, false, 0},
    {"lesson", "WORD [VALUE]",
     "in a lesson: choose N, lock, predict N, do, hint, solution, next, back, again, reset",
     SS_SIDE_APP, 1, 2, false, 0},
    {"quit", "", "leave", SS_SIDE_APP, 0, 0, false, 0},
    {NULL, NULL, NULL, SS_SIDE_APP, 0, 0, false, 0},
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* One word from *in to *out, both advanced. Returns 1 word, 0 end of line, -1 an open quote. */
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

static const char *verb_name(const void *ctx, int i)
{
    (void)ctx;
    return ss_verbs[i].name;
}

static int verb_count(void)
{
    int n = 0;
    while (ss_verbs[n].name)
        n++;
    return n;
}

static const ss_verb *find_verb(const char *name, ss_err *err)
{
    for (const ss_verb *v = ss_verbs; v->name; v++)
        if (strcmp(v->name, name) == 0)
            return v;
    const char *near = ss_nearest(name, verb_name, NULL, verb_count());
    ss_fail(err, "unknown command '%.40s'%s%s%s", name, near ? "; did you mean " : "",
            near ? near : "", near ? "?" : "");
    return NULL;
}

int ss_cmd_parse(const char *line, ss_cmd *out, ss_err *err)
{
    memset(out, 0, offsetof(ss_cmd, text));
    out->ticket = 0;
    out->text[0] = '\0';
    out->patient = false;
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
    const ss_verb *v = find_verb(words[0], err);
    if (!v)
        return SS_FAIL;
    if (n - 1 < v->min_args || n - 1 > v->max_args)
        return ss_fail(err, "usage: %s%s%s", v->name, *v->args ? " " : "", v->args);
    out->verb = v;
    out->argc = n - 1;
    for (int i = 1; i < n; i++)
        out->arg[i - 1] = words[i];
    return SS_OK;
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

/* Edit distance, at most 31 characters each. */
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

const char *ss_nearest(const char *word, const char *(*name_at)(const void *ctx, int i),
                       const void *ctx, int n)
{
    const char *best = NULL;
    int limit = (int)strlen(word) <= 2 ? 1 : (int)strlen(word) / 3 + 1;
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
