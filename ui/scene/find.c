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

bool ss_find_type(const char *key, char *words, size_t size)
{
    size_t n = strlen(words);
    bool one = key[0] > ' ' && key[0] < 127 && !key[1], space = strcmp(key, "space") == 0;
    if (strcmp(key, "backspace") == 0)
        words[n > 0 ? n - 1 : 0] = '\0';
    else if ((one || space) && n + 1 < size)
        words[n] = space ? ' ' : key[0], words[n + 1] = '\0';
    else
        return one || space;
    return true;
}
