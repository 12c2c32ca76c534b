/* Texts of a moment, numbers as the panels write them, search by words, a page as rows of text. See
 * text.h. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ui/scene/text.h"

/* --- texts of a moment ------------------------------------------------------------------------ */

enum { TEXTS = 1 << 16, LONGEST = 4096 };

const char *ss_text(const char *fmt, ...)
{
    static _Thread_local struct {
        char at[TEXTS];
        size_t used;
    } texts;
    if (texts.used + LONGEST > TEXTS)
        texts.used = 0;
    char *text = texts.at + texts.used;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, LONGEST, fmt, ap);
    va_end(ap);
    texts.used += strlen(text) + 1;
    return text;
}

const char *ss_text_parts(const char *text, int room)
{
    static const char seam[] = " · ";
    while (ss_utf8_width(text) > room) {
        const char *last = NULL;
        for (const char *at = text; (at = strstr(at, seam)) != NULL; at += sizeof seam - 1)
            last = at;
        if (!last)
            break;
        text = ss_text("%.*s", (int)(last - text), text);
    }
    return text;
}

/* --- numbers ---------------------------------------------------------------------------------- */

enum { NUMBER = 64 };

const char *ss_si_text(double v, const char *unit)
{
    char text[NUMBER];
    return ss_text("%s", ss_format_si(v, unit, text, sizeof text));
}

const char *ss_bytes_text(double v)
{
    char text[NUMBER];
    return ss_text("%s", ss_format_bytes(v, text, sizeof text));
}

const char *ss_sci_text(double v)
{
    char text[NUMBER];
    return ss_text("%s", ss_format_sci(v, text, sizeof text));
}

const char *ss_value_text(const ss_param *row, ss_value value)
{
    char text[256];
    return ss_text("%s", ss_param_format(row, value, text, sizeof text));
}

const char *ss_count_text(double v)
{
    char digits[32], text[NUMBER];
    if (!(fabs(v) < 1e15))
        return ss_sci_text(v);
    int n = snprintf(digits, sizeof digits, "%.0f", v), first = digits[0] == '-';
    size_t k = 0;
    for (int i = 0; i < n; i++) {
        if (i > first && (n - i) % 3 == 0)
            text[k++] = ',';
        text[k++] = digits[i];
    }
    return ss_text("%.*s", (int)k, text);
}

const char *ss_factor_text(double v)
{
    double below = fabs(1 - v);
    int digits = below < 1e-6 ? 2 : 3; /* a row of a panel has room for ten */
    digits += below > 1e-8 && below < 1 ? (int)-floor(log10(below)) : 1;
    return ss_text("%.*f", digits, v);
}

const char *ss_telemetry_text(const ss_snapshot *snap, ss_telemetry_id id)
{
    const ss_telemetry_row *row = &ss_telemetry_rows[id];
    double v = snap->telemetry.value[id];
    if (!snap->telemetry.valid[id] || (row->wall && snap->deterministic && snap->ranks.count == 0))
        return "–";
    if (strcmp(row->unit, "updates/s") == 0)
        return ss_si_text(v, " updates/s");
    if (strcmp(row->unit, "factor") == 0)
        return ss_factor_text(v);
    if (*row->unit)
        return ss_si_text(v, row->unit);
    return v == floor(v) && fabs(v) < 1e15 ? ss_count_text(v) : ss_figure_text(v);
}

const char *ss_figure_text(double v)
{
    if (fabs(v) >= 999.5 && fabs(v) < 1e6)
        return ss_count_text(v);
    return fabs(v) >= 0.01 && fabs(v) < 999.5 ? ss_text("%.3g", v) : ss_sci_text(v);
}

/* --- marks of parameters ---------------------------------------------------------------------- */

/* The parts of "overlap 0→2": the length of "overlap ", where 0 begins, where 2 begins. */
typedef struct change {
    size_t name;
    const char *from, *arrow, *to;
} change;

static bool read_change(const char *text, change *c)
{
    static const char arrow[] = "→";
    c->arrow = strstr(text, arrow);
    if (!c->arrow || strstr(c->arrow + 1, arrow))
        return false;
    c->from = c->arrow;
    while (c->from > text && c->from[-1] != ' ')
        c->from--;
    c->name = (size_t)(c->from - text);
    c->to = c->arrow + strlen(arrow);
    return c->name > 0;
}

bool ss_mark_join(const char *first, const char *then, char *out, size_t size)
{
    change a, b;
    char text[128];
    if (!read_change(first, &a) || !read_change(then, &b) || a.name != b.name ||
        strncmp(first, then, a.name) != 0)
        return false;
    size_t known = (size_t)(b.arrow - b.from);
    if (strlen(a.to) != known || strncmp(a.to, b.from, known) != 0)
        return false;
    snprintf(text, sizeof text, "%.*s→%s", (int)(a.arrow - first), first, b.to);
    snprintf(out, size, "%s", text);
    return true;
}

bool ss_mark_is_undone(const char *text)
{
    change c;
    if (!read_change(text, &c))
        return false;
    size_t from = (size_t)(c.arrow - c.from);
    return strlen(c.to) == from && strncmp(c.from, c.to, from) == 0;
}

/* --- search by words -------------------------------------------------------------------------- */

static bool has_part(const char *text, const char *part, size_t n)
{
    for (; *text; text++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == n)
            return true;
    }
    return n == 0;
}

bool ss_find_has(const char *text, const char *words)
{
    while (*words) {
        size_t n = strcspn(words, " ");
        if (!has_part(text, words, n))
            return false;
        words += n + strspn(words + n, " ");
    }
    return true;
}

/* --- a page as rows of text ------------------------------------------------------------------- */

/* Marks have no width and stay in force across rows. */

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
