/* See lines.h. */
#include "src/base/lines.h"

#include <string.h>

static const char mark[] = "\xef\xbb\xbf"; /* U+FEFF */

size_t ss_lines_mark(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
}

size_t ss_lines_plain(char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = ss_lines_mark(text, size); i < size; i++)
        if (text[i] != '\r' || i + 1 == size || text[i + 1] != '\n')
            text[n++] = text[i];
    return n;
}

char *ss_line_plain(char *line, bool first)
{
    size_t n = strlen(line);
    n -= n > 0 && line[n - 1] == '\n';
    n -= n > 0 && line[n - 1] == '\r';
    line[n] = '\0';
    return line + (first ? ss_lines_mark(line, n) : 0);
}
