/* Search by words: see find.h. */
#include "ui/scene/find.h"

#include <ctype.h>
#include <string.h>

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
