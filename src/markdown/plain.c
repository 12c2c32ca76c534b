/* Reads Markdown line by line: see plain.h. */
#include "src/markdown/plain.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct line {
    const char *text; /* without its indentation */
    size_t n;         /* without its line feed and spaces before it */
    size_t indent;
    bool broken; /* ends with two spaces: a line break */
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
    bool table;          /* inside a table */
    char list;           /* the mark of the list that the last block belongs to; 0: none */
    long item;           /* the number of the next item of a numbered list */
    size_t lead;         /* bytes of an item's number, before its text */
} reader;

/* --- blocks ----------------------------------------------------------------------------------- */

static void start(reader *r, ss_md_kind kind)
{
    r->block = (ss_md_block){.kind = kind, .line = r->number};
    r->open = true;
    r->used = r->lead = 0;
}

static int finish(reader *r)
{
    if (!r->open)
        return SS_OK;
    r->open = false;
    r->raw[r->used] = '\0';
    if (r->block.kind == SS_MD_CODE)
        memcpy(r->marked, r->raw, r->used + 1);
    else {
        memcpy(r->marked, r->raw, r->lead);
        ss_markdown_marks(r->raw + r->lead, r->used - r->lead, r->marked + r->lead);
    }
    memcpy(r->plain, r->marked, strlen(r->marked) + 1);
    r->block.marked = r->marked;
    r->block.text = ss_marks_strip(r->plain);
    return r->fn(r->ctx, &r->block, r->err);
}

/* Each line gives at most two bytes more than it has: the buffers hold three times the document. */
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
    size_t all = l.n;
    while (l.n > 0 && isspace((unsigned char)l.text[l.n - 1]))
        l.n--;
    l.broken = all - l.n >= 2;
    return l;
}

static size_t count(const line *l, char c)
{
    size_t n = 0;
    while (n < l->n && l->text[n] == c)
        n++;
    return n;
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

/* The number that a line begins with: up to nine digits, which its last byte may be. */
static long number_of(const line *l)
{
    long n = 0;
    for (size_t i = 0; i < l->n && i < 9 && isdigit((unsigned char)l->text[i]); i++)
        n = 10 * n + (l->text[i] - '0');
    return n;
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

/* |---|:--| below a row: that row is the head of a table. */
static bool is_table_rule(const line *l)
{
    bool dash = false, bar = false;
    for (size_t i = 0; i < l->n; i++) {
        dash |= l->text[i] == '-';
        bar |= l->text[i] == '|';
        if (!strchr("|-: ", l->text[i]))
            return false;
    }
    return dash && bar;
}

/* --- what a line begins or continues ---------------------------------------------------------- */

static int begin_code(reader *r, const line *l)
{
    if (finish(r) != SS_OK)
        return SS_FAIL;
    start(r, SS_MD_CODE);
    r->fence = l->text[0];
    r->ticks = count(l, r->fence);
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

/* A row of a table is a paragraph: its cells, each followed by two spaces. */
static int table_row(reader *r, const line *l)
{
    size_t from = l->n > 0 && l->text[0] == '|' ? 1 : 0;
    if (finish(r) != SS_OK)
        return SS_FAIL;
    start(r, SS_MD_PARAGRAPH);
    while (from < l->n) {
        size_t to = from;
        while (to < l->n && l->text[to] != '|')
            to += l->text[to] == '\\' ? 2 : 1;
        to = to < l->n ? to : l->n;
        size_t a = from, b = to;
        while (a < b && l->text[a] == ' ')
            a++;
        while (b > a && l->text[b - 1] == ' ')
            b--;
        add(r, l->text + a, b - a);
        add(r, "  ", 2);
        from = to + 1;
    }
    return finish(r);
}

static int begin_item(reader *r, const line *l, size_t mark)
{
    char number[32];
    size_t end = mark;
    while (l->text[end - 1] == ' ')
        end--;
    char kind = l->text[end - 1];
    bool numbered = kind == '.' || kind == ')';
    if (finish(r) != SS_OK)
        return SS_FAIL;
    if (numbered && r->list != kind)
        r->item = number_of(l);
    r->list = kind;
    start(r, numbered ? SS_MD_PARAGRAPH : SS_MD_ITEM);
    if (numbered) {
        r->lead = (size_t)snprintf(number, sizeof number, "%ld%c ", r->item++, kind);
        add(r, number, r->lead);
    }
    add(r, l->text + mark, l->n - mark);
    return SS_OK;
}

/* An item may interrupt a paragraph if it is none of a new list with another number than 1. */
static bool begins_item(const reader *r, const line *l, size_t mark)
{
    bool numbered = mark > 0 && isdigit((unsigned char)l->text[0]);
    bool first = !numbered || number_of(l) == 1;
    return mark > 0 && (!r->open || r->list || (first && mark < l->n));
}

static int continue_text(reader *r, const line *l, bool broken)
{
    if (!r->open) {
        if (l->indent < 2)
            r->list = 0;
        start(r, SS_MD_PARAGRAPH);
    } else if (r->used > 0)
        add(r, broken ? "\n" : " ", 1);
    add(r, l->text, l->n);
    return SS_OK;
}

/* --- the document ----------------------------------------------------------------------------- */

typedef struct source {
    const char *text;
    size_t size, at;
} source;

/* The next line without its line feed; false: the end. */
static bool next(source *s, const char **text, size_t *n)
{
    if (s->at >= s->size)
        return false;
    const char *from = s->text + s->at, *end = memchr(from, '\n', s->size - s->at);
    *text = from;
    *n = end ? (size_t)(end - from) : s->size - s->at;
    s->at += *n + 1;
    return true;
}

static bool is_table_head(const source *s, const line *l)
{
    source ahead = *s;
    const char *text;
    size_t n;
    if (!memchr(l->text, '|', l->n) || !next(&ahead, &text, &n))
        return false;
    line below = line_of(text, n);
    return is_table_rule(&below);
}

/* A line outside code. broken: the line before ends with a line break. */
static int take_line(reader *r, const source *s, line *l, bool broken)
{
    size_t level = count(l, '#'), mark;
    while (l->n > 0 && l->text[0] == '>' && l->indent < 4)
        *l = line_of(l->text + 1, l->n - 1);
    if (l->n == 0) {
        r->table = false;
        return finish(r);
    }
    if (count(l, '`') >= 3 || count(l, '~') >= 3)
        return begin_code(r, l);
    if (level > 0 && level <= 6 && (level == l->n || l->text[level] == ' '))
        return r->list = 0, heading(r, l, level);
    if (r->table)
        return is_table_rule(l) ? SS_OK : table_row(r, l);
    if (r->open && r->block.kind == SS_MD_PARAGRAPH && !r->list &&
        (is_rule(l, '=', 1) || is_rule(l, '-', 1))) {
        r->block.kind = SS_MD_HEADING;
        r->block.level = l->text[0] == '=' ? 1 : 2;
        return finish(r);
    }
    if (is_rule(l, '-', 3) || is_rule(l, '*', 3) || is_rule(l, '_', 3))
        return r->list = 0, finish(r);
    if (is_table_head(s, l))
        return r->table = true, table_row(r, l);
    mark = item_mark(l);
    return begins_item(r, l, mark) ? begin_item(r, l, mark) : continue_text(r, l, broken);
}

static int read_lines(reader *r, source *s)
{
    const char *text;
    size_t n;
    bool broken = false;
    int status = SS_OK;
    while (status == SS_OK && next(s, &text, &n)) {
        line l = line_of(text, n);
        r->number++;
        status = r->fence ? in_code(r, &l, text, n) : take_line(r, s, &l, broken);
        broken = l.broken;
    }
    return status == SS_OK ? finish(r) : status;
}

int ss_markdown_plain(const char *text, size_t size, ss_md_fn *fn, void *ctx, ss_err *err)
{
    reader r = {.fn = fn, .ctx = ctx, .err = err};
    source s = {.text = text, .size = size};
    size_t room = 3 * size + 64;
    if (size > 1u << 20)
        return ss_fail(err, "the document is longer than 1 MB");
    r.raw = malloc(room);
    r.marked = malloc(2 * room);
    r.plain = malloc(2 * room);
    int status = r.raw && r.marked && r.plain ? read_lines(&r, &s)
                                              : ss_fail_memory(err, "the document", 5 * room);
    free(r.raw);
    free(r.marked);
    free(r.plain);
    return status;
}

#ifndef SS_WITH_MD4C
int ss_markdown_read(const char *text, size_t size, ss_md_fn *fn, void *ctx, ss_err *err)
{
    return ss_markdown_plain(text, size, fn, ctx, err);
}
#endif
