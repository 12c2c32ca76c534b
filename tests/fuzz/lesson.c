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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ss_err err = {0};
    ss_tables_init();
    ss_lesson *l = ss_lesson_parse("fuzz.md", (const char *)data, size, &err);
    if (!l && !err.text[0])
        abort();
    ss_lesson_free(l);
    as_check(data, size);
    return 0;
}
