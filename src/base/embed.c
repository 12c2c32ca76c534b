/* Embedded files by name: see embed.h. */
#include "src/base/embed.h"

#include <string.h>

const char *ss_embed_text(const char *name)
{
    for (const struct ss_embed *e = ss_embed; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return (const char *)e->data;
    return NULL;
}
