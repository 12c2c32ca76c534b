/* Markdown by md4c: see read.h. The only file that knows the library. */
#include "src/markdown/read.h"

#include <md4c.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *source;
    size_t size;
    ss_md_fn *fn;
    void *ctx;
    ss_err *err;
    ss_md_block block;
    bool open, wordless; /* a block is being collected; it has no text yet */
    char *text, *plain;  /* with marks, and without */
    size_t used, room;
} reader;

/* Text usually points into the source; text that md4c made itself does not. */
static int line_of(const reader *r, const char *at)
{
    int line = 1;
    if (at < r->source || at >= r->source + r->size)
        return 0;
    for (const char *p = r->source; p < at; p++)
        line += *p == '\n';
    return line;
}

static int add(reader *r, const char *text, size_t n)
{
    if (r->used + n + 1 > r->room) {
        size_t want = 2 * (r->used + n + 1);
        char *more = realloc(r->text, want);
        if (!more)
            return ss_fail(r->err, "out of memory");
        r->text = more;
        r->room = want;
    }
    memcpy(r->text + r->used, text, n);
    r->used += n;
    r->text[r->used] = '\0';
    return SS_OK;
}

static int finish(reader *r)
{
    if (!r->open)
        return SS_OK;
    r->open = false;
    if (add(r, "", 0) != SS_OK)
        return SS_FAIL;
    char *plain = realloc(r->plain, r->used + 1);
    if (!plain)
        return ss_fail(r->err, "out of memory");
    r->plain = plain;
    memcpy(plain, r->text, r->used + 1);
    r->block.marked = r->text;
    r->block.text = ss_marks_strip(plain);
    return r->fn(r->ctx, &r->block, r->err);
}

static void start(reader *r, ss_md_kind kind)
{
    r->block = (ss_md_block){.kind = kind, .line = r->block.line};
    r->open = r->wordless = true;
    r->used = 0;
}

static void start_code(reader *r, const MD_BLOCK_CODE_DETAIL *code)
{
    start(r, SS_MD_CODE);
    size_t n = code->info.size < sizeof r->block.info ? code->info.size : sizeof r->block.info - 1;
    if (n == 0)
        return;
    memcpy(r->block.info, code->info.text, n);
    r->block.info[n] = '\0';
    r->block.line = line_of(r, code->info.text);
    r->wordless = r->block.line == 0;
}

static int enter(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    reader *r = ctx;
    bool in_item = r->open && r->block.kind == SS_MD_ITEM && r->used == 0;
    if (type == MD_BLOCK_P && in_item) /* a loose list */
        return 0;
    if (finish(r) != SS_OK)
        return -1; /* md4c returns negative values to its caller */
    if (type == MD_BLOCK_H) {
        start(r, SS_MD_HEADING);
        r->block.level = (int)((MD_BLOCK_H_DETAIL *)detail)->level;
    } else if (type == MD_BLOCK_P || type == MD_BLOCK_TR) {
        start(r, SS_MD_PARAGRAPH);
    } else if (type == MD_BLOCK_LI) {
        start(r, SS_MD_ITEM);
    } else if (type == MD_BLOCK_CODE) {
        start_code(r, detail);
    }
    return 0;
}

static int leave(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    reader *r = ctx;
    (void)detail;
    if (type == MD_BLOCK_TD || type == MD_BLOCK_TH)
        return r->open ? add(r, "  ", 2) : 0;
    return finish(r);
}

static int mark(reader *r, char which)
{
    return r->open ? add(r, &which, 1) : 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *ctx)
{
    (void)detail;
    switch (type) {
    case MD_SPAN_EM:
        return mark(ctx, SS_MARK_EM);
    case MD_SPAN_STRONG:
        return mark(ctx, SS_MARK_STRONG);
    case MD_SPAN_CODE:
        return mark(ctx, SS_MARK_CODE);
    default:
        return 0;
    }
}

static int leave_span(MD_SPANTYPE type, void *detail, void *ctx)
{
    (void)detail;
    bool marked = type == MD_SPAN_EM || type == MD_SPAN_STRONG || type == MD_SPAN_CODE;
    return marked ? mark(ctx, SS_MARK_PLAIN) : 0;
}

static int text(MD_TEXTTYPE type, const MD_CHAR *from, MD_SIZE size, void *ctx)
{
    reader *r = ctx;
    int line = line_of(r, from);
    if (!r->open)
        return 0;
    if (r->wordless && line > 0) {
        r->block.line = line;
        r->wordless = false;
    }
    if (type == MD_TEXT_NULLCHAR)
        return add(r, "?", 1);
    if (type == MD_TEXT_BR)
        return add(r, "\n", 1);
    return type == MD_TEXT_SOFTBR ? add(r, " ", 1) : add(r, from, size);
}

int ss_markdown_read(const char *source, size_t size, ss_md_fn *fn, void *ctx, ss_err *err)
{
    reader r = {.source = source, .size = size, .fn = fn, .ctx = ctx, .err = err};
    MD_PARSER parser = {.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_NOINDENTEDCODEBLOCKS,
                        .enter_block = enter,
                        .leave_block = leave,
                        .enter_span = enter_span,
                        .leave_span = leave_span,
                        .text = text};
    ss_err unset = {""};
    if (err)
        *err = unset;
    int status = size > 1u << 20 ? SS_FAIL : md_parse(source, (MD_SIZE)size, &parser, &r);
    free(r.text);
    free(r.plain);
    if (status == 0)
        return SS_OK;
    return err && err->text[0]
               ? SS_FAIL
               : ss_fail(err, "the document is longer than a megabyte, or memory ran out");
}
