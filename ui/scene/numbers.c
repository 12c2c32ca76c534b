/* Numbers as the panels write them: "12,345", "0.123", "1.2e-4", "3.4 MB". See numbers.h. */
#include "ui/scene/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *ss_count_text(double v, char *buf, size_t size)
{
    char digits[32];
    if (!(fabs(v) < 1e15))
        return ss_format_sci(v, buf, size);
    int n = snprintf(digits, sizeof digits, "%.0f", v), first = digits[0] == '-';
    size_t k = 0;
    for (int i = 0; i < n && k + 2 < size; i++) {
        if (i > first && (n - i) % 3 == 0)
            buf[k++] = ',';
        buf[k++] = digits[i];
    }
    buf[k] = '\0';
    return buf;
}

const char *ss_factor_text(double v, char *buf, size_t size)
{
    double below = fabs(1 - v);
    int digits = below < 1e-6 ? 2 : 3; /* a row of a panel has room for ten */
    digits += below > 1e-8 && below < 1 ? (int)-floor(log10(below)) : 1;
    snprintf(buf, size, "%.*f", digits, v);
    return buf;
}

const char *ss_telemetry_text(const ss_snapshot *snap, ss_telemetry_id id, char *buf, size_t size)
{
    const ss_telemetry_row *row = &ss_telemetry_rows[id];
    double v = snap->telemetry.value[id];
    if (!snap->telemetry.valid[id] || (row->wall && snap->deterministic && snap->ranks.count == 0))
        snprintf(buf, size, "–");
    else if (strcmp(row->unit, "updates/s") == 0)
        ss_format_si(v, " updates/s", buf, size);
    else if (strcmp(row->unit, "factor") == 0)
        ss_factor_text(v, buf, size);
    else if (*row->unit)
        ss_format_si(v, row->unit, buf, size);
    else if (v == floor(v) && fabs(v) < 1e15)
        ss_count_text(v, buf, size);
    else
        ss_figure_text(v, buf, size);
    return buf;
}

const char *ss_figure_text(double v, char *buf, size_t size)
{
    if (fabs(v) >= 999.5 && fabs(v) < 1e6)
        ss_count_text(v, buf, size);
    else if (fabs(v) >= 0.01 && fabs(v) < 999.5)
        snprintf(buf, size, "%.3g", v);
    else
        ss_format_sci(v, buf, size);
    return buf;
}

/* --- marks ------------------------------------------------------------------------------------ */

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
