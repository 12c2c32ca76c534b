/* See say.h. */
#include "src/base/say.h"

#include <stdarg.h>

void ss_say(FILE *out, const char *fmt, ...)
{
    char line[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    fprintf(out, "%s\n", ss_text_safe(ss_utf8_trim(line)));
}
