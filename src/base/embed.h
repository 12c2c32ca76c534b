/* Files that travel inside the program, so that it runs from anywhere: assets/data/ and lessons/.
 * The table is generated at build time by assets/embed.sh, ends at a NULL name and never changes:
 * any thread may read it.  Names are paths from the top of the source tree. */
#ifndef SS_EMBED_H
#define SS_EMBED_H

#include <stddef.h>

struct ss_embed {
    const char *name;          /* "lessons/01-halo.md" */
    const unsigned char *data; /* size bytes, and a NUL after them */
    size_t size;
};

extern const struct ss_embed ss_embed[];
/* The text of the file of that name, or NULL. */
const char *ss_embed_text(const char *name);

#endif
