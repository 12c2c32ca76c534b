/* See page.h. */
#include "src/snapshot/page.h"

#include <string.h>

char *ss_marks_strip(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from < SS_MARK_EM || *from > SS_MARK_VERBATIM)
            *to++ = *from;
    *to = '\0';
    return text;
}

void ss_page_clear(ss_page *p)
{
    uint64_t turn = p->turn;
    memset(p, 0, offsetof(ss_page, text));
    p->turn = turn;
    p->used = 0;
}

const char *ss_page_keep(ss_page *p, const char *text)
{
    size_t n = strlen(text) + 1;
    if (n > sizeof p->text - p->used)
        return "";
    char *to = memcpy(p->text + p->used, text, n);
    p->used += n;
    return to;
}

ss_page_block *ss_page_add(ss_page *p, ss_page_kind kind, const char *text)
{
    int i = p->nblock < SS_PAGE_BLOCKS ? p->nblock++ : SS_PAGE_BLOCKS - 1;
    p->block[i] = (ss_page_block){.kind = kind, .text = ss_page_keep(p, text)};
    return &p->block[i];
}
