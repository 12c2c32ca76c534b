/* Emphasis, code and links of a text: see plain.h. */
#include <ctype.h>
#include <string.h>

#include "src/markdown/plain.h"

/* A text, and where its marked form is written. */
typedef struct span {
    const char *text;
    size_t n;
    char *to;
    int depth; /* of links and emphasis around it */
} span;

enum { DEEPEST = 32 };

static void write_span(span *s);

static size_t run_of(const span *s, size_t at)
{
    size_t run = 0;
    while (at + run < s->n && s->text[at + run] == s->text[at])
        run++;
    return run;
}

/* Bytes of the code that begins at `at`: it ends at a run of as many back quotes. 0: it does not.
 */
static size_t code_at(const span *s, size_t at)
{
    size_t ticks = run_of(s, at), run;
    for (size_t end = at + ticks; end < s->n; end += run) {
        run = s->text[end] == '`' ? run_of(s, end) : 1;
        if (s->text[end] == '`' && run == ticks)
            return end + ticks - at;
    }
    return 0;
}

static size_t write_code(span *s, size_t at)
{
    size_t length = code_at(s, at), ticks = run_of(s, at);
    size_t from = at + ticks, to = at + length - ticks;
    if (length == 0) { /* they are only quotes */
        memcpy(s->to, s->text + at, ticks);
        s->to += ticks;
        return ticks;
    }
    bool padded = to - from > 2 && s->text[from] == ' ' && s->text[to - 1] == ' ';
    *s->to++ = SS_MARK_CODE;
    for (size_t i = from + padded; i + padded < to; i++)
        *s->to++ = s->text[i] == '\n' ? ' ' : s->text[i];
    *s->to++ = SS_MARK_PLAIN;
    return length;
}

/* Writes bytes [from, to) of a span as a span of its own. */
static void write_inner(span *s, size_t from, size_t to)
{
    span inner = {s->text + from, to - from, s->to, s->depth + 1};
    write_span(&inner);
    s->to = inner.to;
}

/* --- emphasis --------------------------------------------------------------------------------- */

static bool is_space(const span *s, size_t at)
{
    return at >= s->n || isspace((unsigned char)s->text[at]);
}

static bool is_word(const span *s, size_t at)
{
    return at < s->n && (isalnum((unsigned char)s->text[at]) || (s->text[at] & 0x80));
}

/* Where emphasis that begins with `run` marks at `at` ends; n: nowhere. */
static size_t find_close(const span *s, size_t at, size_t run)
{
    char mark = s->text[at];
    size_t step;
    for (size_t i = at + run; i < s->n; i += step) {
        step = 1;
        if (s->text[i] == '\\')
            step = 2;
        else if (s->text[i] == '`')
            step = code_at(s, i) ? code_at(s, i) : run_of(s, i);
        else if (s->text[i] == mark) {
            step = run_of(s, i);
            bool within = mark == '_' && is_word(s, i + step);
            if (step == run && !is_space(s, i - 1) && !within)
                return i;
        }
    }
    return s->n;
}

static size_t write_emphasis(span *s, size_t at)
{
    size_t run = run_of(s, at);
    bool within = s->text[at] == '_' && at > 0 && is_word(s, at - 1);
    bool opens = run <= 2 && !is_space(s, at + run) && !within && s->depth < DEEPEST;
    size_t end = opens ? find_close(s, at, run) : s->n;
    if (end == s->n) {
        memcpy(s->to, s->text + at, run);
        s->to += run;
        return run;
    }
    *s->to++ = run == 1 ? SS_MARK_EM : SS_MARK_STRONG;
    write_inner(s, at + run, end);
    *s->to++ = SS_MARK_PLAIN;
    return end + run - at;
}

/* --- links ------------------------------------------------------------------------------------ */

/* The bracket that closes the one at `at`; n: none. */
static size_t find_bracket(const span *s, size_t at, char open, char close)
{
    int depth = 0;
    for (size_t i = at; i < s->n; i++) {
        if (s->text[i] == '\\')
            i++;
        else if (s->text[i] == '`' && code_at(s, i))
            i += code_at(s, i) - 1;
        else if (s->text[i] == open)
            depth++;
        else if (s->text[i] == close && --depth == 0)
            return i;
    }
    return s->n;
}

/* [text](address): only the text stays. */
static size_t write_link(span *s, size_t at)
{
    size_t text = s->text[at] == '!' ? at + 1 : at;
    size_t close = find_bracket(s, text, '[', ']'), end = s->n;
    if (close + 1 < s->n && s->text[close + 1] == '(' && s->depth < DEEPEST)
        end = find_bracket(s, close + 1, '(', ')');
    if (end == s->n) {
        *s->to++ = s->text[at];
        return 1;
    }
    write_inner(s, text + 1, close);
    return end + 1 - at;
}

/* <https://address>: the address is the text. */
static size_t write_address(span *s, size_t at)
{
    size_t end = at + 1;
    bool scheme = false;
    while (end < s->n && s->text[end] != '>' && !is_space(s, end))
        scheme |= s->text[end++] == ':';
    if (end == s->n || s->text[end] != '>' || !scheme) {
        *s->to++ = '<';
        return 1;
    }
    memcpy(s->to, s->text + at + 1, end - at - 1);
    s->to += end - at - 1;
    return end + 1 - at;
}

/* --- a text ----------------------------------------------------------------------------------- */

static size_t write_escape(span *s, size_t at)
{
    bool escapes = at + 1 < s->n && ispunct((unsigned char)s->text[at + 1]);
    *s->to++ = s->text[escapes ? at + 1 : at];
    return escapes ? 2 : 1;
}

static void write_span(span *s)
{
    for (size_t at = 0; at < s->n;) {
        char c = s->text[at];
        bool image = c == '!' && at + 1 < s->n && s->text[at + 1] == '[';
        if (c == '`')
            at += write_code(s, at);
        else if (c == '*' || c == '_')
            at += write_emphasis(s, at);
        else if (c == '[' || image)
            at += write_link(s, at);
        else if (c == '<')
            at += write_address(s, at);
        else if (c == '\\')
            at += write_escape(s, at);
        else
            *s->to++ = s->text[at++];
    }
}

void ss_markdown_marks(const char *text, size_t n, char *to)
{
    span s = {.text = text, .n = n, .to = to};
    write_span(&s);
    *s.to = '\0';
}
