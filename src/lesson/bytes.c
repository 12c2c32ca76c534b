/* The bytes of a lesson's file, checked before they are parsed as Markdown: see document.h. */
#include <string.h>

#include "src/base/lines.h"
#include "src/lesson/document.h"

/* A control character of C0 or C1; those of C1 have two bytes in UTF-8. */
static bool is_control(const unsigned char *p, int n)
{
    bool c1 = n == 2 && p[0] == 0xc2 && p[1] < 0xa0;
    return c1 || (n == 1 && ((p[0] < ' ' && !strchr("\t\r\n", p[0])) || p[0] == 0x7f || !p[0]));
}

/* The fence that a line opens or closes. */
typedef struct fence {
    char sign;
    size_t length; /* 0: the line is not a fence */
    bool bare;     /* nothing follows: it may close a block */
} fence;

static fence fence_of(const char *line, size_t n)
{
    fence f = {0};
    size_t i = 0;
    while (i < n && (line[i] == ' ' || line[i] == '\t'))
        i++;
    if (i == n || (line[i] != '`' && line[i] != '~'))
        return f;
    f.sign = line[i];
    while (i + f.length < n && line[i + f.length] == f.sign)
        f.length++;
    size_t rest = i + f.length;
    bool inline_code = f.sign == '`' && memchr(line + rest, '`', n - rest);
    if (f.length < 3 || inline_code)
        return (fence){0};
    while (rest < n && strchr(" \t\r", line[rest]))
        rest++;
    f.bare = rest == n;
    return f;
}

static int check_characters(const char *path, const char *text, size_t size, ss_err *err)
{
    int line = 1;
    for (size_t i = 0; i < size;) {
        const unsigned char *p = (const unsigned char *)text + i;
        int n = ss_utf8_length((const char *)p, size - i);
        if (n == 0)
            return ss_fail(err, "%.120s:%d: the byte 0x%02x is not UTF-8", path, line, p[0]);
        if (is_control(p, n))
            return ss_fail(err, "%.120s:%d: a control character (0x%02x)", path, line, p[n - 1]);
        line += *p == '\n';
        i += (size_t)n;
    }
    return SS_OK;
}

static int check_fences(const char *path, const char *text, size_t size, ss_err *err)
{
    fence open = {0};
    int line = 1, since = 0;
    for (size_t i = 0; i < size; line++) {
        const char *end = memchr(text + i, '\n', size - i);
        size_t n = end ? (size_t)(end - text) - i : size - i;
        fence f = fence_of(text + i, n);
        if (!open.length && f.length)
            open = f, since = line;
        else if (open.length && f.bare && f.sign == open.sign && f.length >= open.length)
            open.length = 0;
        i += n + 1;
    }
    if (open.length)
        return ss_fail(err, "%.120s:%d: this fence is never closed", path, since);
    return SS_OK;
}

int ss_lesson_bytes(const char *path, const char **text, size_t *size, ss_err *err)
{
    size_t mark = ss_lines_mark(*text, *size);
    *text += mark, *size -= mark;
    return check_characters(path, *text, *size, err) == SS_OK
               ? check_fences(path, *text, *size, err)
               : SS_FAIL;
}
