/* Reads Markdown line by line, then the emphasis, code and links of each text: see document.h. */
#include "src/lesson/document.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- texts ------------------------------------------------------------------------------------ */

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
    size_t close = find_bracket(s, at, '[', ']'), end = s->n;
    if (close + 1 < s->n && s->text[close + 1] == '(' && s->depth < DEEPEST)
        end = find_bracket(s, close + 1, '(', ')');
    if (end == s->n) {
        *s->to++ = s->text[at];
        return 1;
    }
    write_inner(s, at + 1, close);
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
        if (c == '`')
            at += write_code(s, at);
        else if (c == '*' || c == '_')
            at += write_emphasis(s, at);
        else if (c == '[')
            at += write_link(s, at);
        else if (c == '\\')
            at += write_escape(s, at);
        else
            *s->to++ = s->text[at++];
    }
}

/* Writes a text of n bytes with style marks in place of Markdown's. `to` holds at least 2 n + 1
 * bytes. */
static void write_marks(const char *text, size_t n, char *to)
{
    span s = {.text = text, .n = n, .to = to};
    write_span(&s);
    *s.to = '\0';
}

/* --- blocks ----------------------------------------------------------------------------------- */

typedef struct line {
    const char *text; /* without its indentation */
    size_t n;         /* without its line feed and spaces before it */
    size_t indent;
} line;

typedef struct reader {
    ss_md_fn *fn;
    void *ctx;
    ss_err *err;
    ss_md_block block;
    bool open; /* a block is being collected in raw: */
    char *raw, *marked, *plain;
    size_t used;
    int number;          /* line number */
    char fence;          /* inside code: the fence's character */
    size_t ticks, inset; /* its length and indentation */
    bool list;           /* the last block belongs to a list */
} reader;

static void start(reader *r, ss_md_kind kind)
{
    r->block = (ss_md_block){.kind = kind, .line = r->number};
    r->open = true;
    r->used = 0;
}

static int finish(reader *r)
{
    if (!r->open)
        return SS_OK;
    r->open = false;
    r->raw[r->used] = '\0';
    if (r->block.kind == SS_MD_CODE)
        memcpy(r->marked, r->raw, r->used + 1);
    else
        write_marks(r->raw, r->used, r->marked);
    memcpy(r->plain, r->marked, strlen(r->marked) + 1);
    r->block.marked = r->marked;
    r->block.text = ss_marks_strip(r->plain);
    return r->fn(r->ctx, &r->block, r->err);
}

/* Each line gives at most one byte more than it has: the buffers hold twice the document. */
static void add(reader *r, const char *text, size_t n)
{
    memcpy(r->raw + r->used, text, n);
    r->used += n;
}

/* --- lines ------------------------------------------------------------------------------------ */

static line line_of(const char *text, size_t n)
{
    line l = {.text = text, .n = n};
    while (l.n > 0 && (*l.text == ' ' || *l.text == '\t'))
        l.indent += *l.text == '\t' ? 4 : 1, l.text++, l.n--;
    while (l.n > 0 && isspace((unsigned char)l.text[l.n - 1]))
        l.n--;
    return l;
}

static size_t count(const line *l, char c)
{
    size_t n = 0;
    while (n < l->n && l->text[n] == c)
        n++;
    return n;
}

/* The length of the fence that a line begins with; 0: none. Back quotes behind it are a text's. */
static size_t fence_of(const line *l)
{
    size_t n = count(l, '`');
    if (n >= 3 && !memchr(l->text + n, '`', l->n - n))
        return n;
    n = count(l, '~');
    return n >= 3 ? n : 0;
}

/* Only the characters c and spaces, at least `least` of c? */
static bool is_rule(const line *l, char c, size_t least)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        if (l->text[i] == c)
            n++;
        else if (l->text[i] != ' ')
            return false;
    return n >= least;
}

/* The length of an item's mark, "- " or "12. ", with the spaces behind it; 0: this is no item. */
static size_t item_mark(const line *l)
{
    size_t digits = 0;
    while (digits < l->n && digits < 9 && isdigit((unsigned char)l->text[digits]))
        digits++;
    bool bullet = digits == 0 && l->n > 0 && strchr("-*+", l->text[0]);
    bool numbered = digits > 0 && digits < l->n && strchr(".)", l->text[digits]);
    size_t n = bullet ? 1 : numbered ? digits + 1 : 0;
    if (n == 0 || (n < l->n && l->text[n] != ' '))
        return 0;
    while (n < l->n && l->text[n] == ' ')
        n++;
    return n;
}

/* --- what a line begins or continues ---------------------------------------------------------- */

static int begin_code(reader *r, const line *l)
{
    if (finish(r) != SS_OK)
        return SS_FAIL;
    start(r, SS_MD_CODE);
    r->fence = l->text[0];
    r->ticks = fence_of(l);
    r->inset = l->indent;
    size_t from = r->ticks;
    while (from < l->n && l->text[from] == ' ')
        from++;
    snprintf(r->block.info, sizeof r->block.info, "%.*s", (int)(l->n - from), l->text + from);
    return SS_OK;
}

static int in_code(reader *r, const line *l, const char *all, size_t n)
{
    if (l->indent < 4 && count(l, r->fence) >= r->ticks && is_rule(l, r->fence, r->ticks)) {
        r->fence = 0;
        return finish(r);
    }
    size_t cut = 0;
    while (cut < r->inset && cut < n && all[cut] == ' ')
        cut++;
    add(r, all + cut, n - cut);
    add(r, "\n", 1);
    return SS_OK;
}

static int heading(reader *r, const line *l, size_t level)
{
    size_t from = level, to = l->n;
    while (from < to && l->text[from] == ' ')
        from++;
    while (to > from && l->text[to - 1] == '#')
        to--;
    if (to > from && to < l->n && l->text[to - 1] != ' ')
        to = l->n; /* a # of the last word */
    while (to > from && l->text[to - 1] == ' ')
        to--;
    if (finish(r) != SS_OK)
        return SS_FAIL;
    start(r, SS_MD_HEADING);
    r->block.level = (int)level;
    add(r, l->text + from, to - from);
    return finish(r);
}

/* An item of a numbered list is a paragraph that begins with its number: "24. The answer is ..." is
 * a list to Markdown, and the number is often what the paragraph says. */
static int begin_item(reader *r, const line *l, size_t mark)
{
    size_t end = mark;
    bool numbered = isdigit((unsigned char)l->text[0]);
    if (finish(r) != SS_OK)
        return SS_FAIL;
    while (l->text[end - 1] == ' ')
        end--;
    r->list = true;
    start(r, numbered ? SS_MD_PARAGRAPH : SS_MD_ITEM);
    if (numbered) {
        add(r, l->text, end);
        add(r, " ", 1);
    }
    add(r, l->text + mark, l->n - mark);
    return SS_OK;
}

/* An item may interrupt a paragraph if it is none of a new list with another number than 1. */
static bool begins_item(const reader *r, const line *l, size_t mark)
{
    bool other = mark > 0 && isdigit((unsigned char)l->text[0]) &&
                 (l->text[0] != '1' || isdigit((unsigned char)l->text[1]));
    return mark > 0 && (!r->open || r->list || (!other && mark < l->n));
}

static int continue_text(reader *r, const line *l)
{
    if (!r->open) {
        if (l->indent < 2)
            r->list = false;
        start(r, SS_MD_PARAGRAPH);
    } else if (r->used > 0)
        add(r, " ", 1);
    add(r, l->text, l->n);
    return SS_OK;
}

/* --- the document ----------------------------------------------------------------------------- */

/* A line outside code. */
static int take_line(reader *r, const line *l)
{
    size_t level = count(l, '#'), mark;
    if (l->n == 0)
        return finish(r);
    if (fence_of(l) > 0)
        return begin_code(r, l);
    if (level > 0 && level <= 6 && (level == l->n || l->text[level] == ' '))
        return r->list = false, heading(r, l, level);
    if (is_rule(l, '-', 3) || is_rule(l, '*', 3) || is_rule(l, '_', 3))
        return r->list = false, finish(r);
    mark = item_mark(l);
    return begins_item(r, l, mark) ? begin_item(r, l, mark) : continue_text(r, l);
}

static int read_lines(reader *r, const char *text, size_t size)
{
    const char *end = text + size, *feed;
    int status = SS_OK;
    for (; status == SS_OK && text < end; text = feed + 1) {
        feed = memchr(text, '\n', (size_t)(end - text));
        feed = feed ? feed : end;
        size_t n = (size_t)(feed - text);
        line l = line_of(text, n);
        r->number++;
        status = r->fence ? in_code(r, &l, text, n) : take_line(r, &l);
    }
    r->block.unclosed = r->fence != 0;
    return status == SS_OK ? finish(r) : status;
}

int ss_markdown_read(const char *text, size_t size, ss_md_fn *fn, void *ctx, ss_err *err)
{
    reader r = {.fn = fn, .ctx = ctx, .err = err};
    size_t room = 2 * size + 64;
    if (size > 1u << 20)
        return ss_fail(err, "the document is longer than 1 MB");
    r.raw = malloc(room);
    r.marked = malloc(2 * room);
    r.plain = malloc(2 * room);
    int status = r.raw && r.marked && r.plain ? read_lines(&r, text, size)
                                              : ss_fail_memory(err, "the document", 5 * room);
    free(r.raw);
    free(r.marked);
    free(r.plain);
    return status;
}
