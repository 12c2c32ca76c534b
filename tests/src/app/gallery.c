/* The stored pictures of the gallery's cards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/parts.h"
#include "src/app/tables.h"
#include "src/base/text.h"
#include "tests/check.h"

static char *computed(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CHECK(out);
    ss_tables_init();
    ss_docs_pictures(out);
    fclose(out);
    return text;
}

/* The head of the entry in which the two texts differ first. */
static const char *first_difference(const char *a, const char *b)
{
    static char head[200];
    for (; *a && *a == *b; a++, b++)
        if (a[0] == '=' && a[1] == ' ')
            snprintf(head, sizeof head, "%.*s", (int)strcspn(a, "\n"), a);
    return head;
}

SLOW_TEST(gallery, stored_pictures_are_those_of_a_fresh_computation)
{
    const char *stored = ss_embed_text("assets/data/pictures.txt");
    char *fresh = computed();
    CHECK(stored);
    CHECK_MSG(strcmp(stored, fresh) == 0, "run `make pictures`: %s",
              first_difference(stored, fresh));
    free(fresh);
}

/* Every preset has one, or words that say that all of it is zero. */
TEST(gallery, every_preset_has_a_picture)
{
    const char *at = ss_embed_text("assets/data/pictures.txt");
    int n = 0;
    while ((at = strstr(at, "\n= preset/")) != NULL) {
        char layer[24];
        int dim, sign, w, h;
        at += 10;
        CHECK_INT(sscanf(at, "%*s %23s %d %d %d %d", layer, &dim, &sign, &w, &h), 5);
        CHECK_MSG(w > 0 && (h > 0 || strstr(at, "0 everywhere")), "%.40s", at);
        n++;
    }
    CHECK_INT(n, 18);
}
