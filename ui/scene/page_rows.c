/* A page as rows of text: see page_rows.h. Marks have no width and stay in force across rows.
 * Pure. */
#include "ui/scene/page_rows.h"

/* Columns before a block's text, for its sign, number or bullet. */
static const int indents[SS_PG_NKIND] = {
    [SS_PG_ITEM] = 2,  [SS_PG_CODE] = 2, [SS_PG_ANSWER] = 4, [SS_PG_FIELD] = 2, [SS_PG_COMMAND] = 2,
    [SS_PG_CHECK] = 2, [SS_PG_BAR] = 4,  [SS_PG_SCALE] = 4,  [SS_PG_NOTE] = 2};

typedef struct rows {
    ss_page_row *at;
    int n, max;
} rows;

static void add_row(rows *r, ss_page_row row)
{
    if (r->n < r->max)
        r->at[r->n++] = row;
}

static bool is_mark(char c)
{
    return c >= SS_MARK_EM && c <= SS_MARK_VERBATIM;
}

static bool has_width(char c)
{
    return !is_mark(c) && (c & 0xc0) != 0x80;
}

int ss_page_row_width(const ss_page_row *row)
{
    int w = 0;
    for (int i = 0; i < row->length; i++)
        w += has_width(row->text[i]);
    return w;
}

/* The width of a character in sixteenths of a column: large letters of a proportional font are
 * narrower than terminal cells, those of code less so. */
enum { COLUMN = 16, LETTER = 13, FIGURE = 15 };

static int width_of(bool letters, ss_page_kind kind, char style)
{
    bool figures = kind == SS_PG_CODE || kind == SS_PG_COMMAND || kind == SS_PG_CHECK;
    return !letters ? COLUMN : figures || style == SS_MARK_CODE ? FIGURE : LETTER;
}

/* The bytes of text that fit w columns: up to the last blank, or as much as fits of a longer
 * word. */
static int cut(const char *text, int w, ss_page_kind kind, char style, bool letters)
{
    int i = 0, width = 0, blank = -1;
    for (; text[i] && text[i] != '\n'; i++) {
        style = is_mark(text[i]) ? text[i] : style;
        if (has_width(text[i]))
            width += width_of(letters, kind, style);
        if (text[i] == ' ')
            blank = i;
        if (width > w * COLUMN)
            return kind != SS_PG_CODE && blank > 0 ? blank : i;
    }
    return i;
}

static char style_after(char style, const char *text, int n)
{
    for (int i = 0; i < n; i++)
        if (is_mark(text[i]))
            style = text[i];
    return style;
}

static void add_block(rows *r, int index, const ss_page_block *b, int w, bool letters)
{
    int indent = indents[b->kind] < w / 2 ? indents[b->kind] : 0;
    const char *text = b->text;
    char style = SS_MARK_PLAIN;
    bool first = true;
    while (*text || first) {
        int n = cut(text, w - indent, b->kind, style, letters);
        add_row(r, (ss_page_row){index, first, indent, text, n, style});
        style = style_after(style, text, n);
        text += n;
        text += *text == '\n';
        while (b->kind != SS_PG_CODE && *text == ' ')
            text++;
        first = false;
    }
}

int ss_page_rows(const ss_page *p, int w, bool letters, ss_page_row *out, int max)
{
    rows r = {out, 0, max};
    for (int i = 0; i < p->nblock && w > 0; i++) {
        if (p->block[i].gap && r.n > 0)
            add_row(&r, (ss_page_row){.block = -1, .text = ""});
        add_block(&r, i, &p->block[i], w, letters);
    }
    return r.n;
}
