/* Fuzz target: lessons, from Markdown to checks and commands; and every line as a check. */
#include <stdlib.h>
#include <string.h>

#include "src/app/tables.h"
#include "src/lesson/document.h"
#include "src/core/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void as_check(const uint8_t *data, size_t size)
{
    static ss_check check;
    ss_err err;
    char *line = malloc(size + 1);
    if (!line)
        return;
    memcpy(line, data, size);
    line[size] = '\0';
    line[strcspn(line, "\n")] = '\0';
    ss_check_parse(line, &check, &err);
    free(line);
}

static int take(void *ctx, const ss_md_block *b, ss_err *err)
{
    (void)err;
    *(size_t *)ctx += strlen(b->text) + strlen(b->marked);
    return SS_OK;
}

static void as_markdown(const uint8_t *data, size_t size)
{
    ss_err err;
    size_t length = 0;
    if (ss_markdown_read((const char *)data, size, take, &length, &err) != SS_OK ||
        length > 8 * size)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ss_err err = {0};
    as_markdown(data, size);
    ss_tables_init();
    ss_lesson *l = ss_lesson_parse("fuzz.md", (const char *)data, size, &err);
    if (!l && !err.text[0])
        abort();
    ss_lesson_free(l);
    as_check(data, size);
    return 0;
}
