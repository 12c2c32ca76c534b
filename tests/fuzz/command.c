/* Fuzz target: the command parser. What parses prints to a text that parses to the same. */
#include <stdlib.h>
#include <string.h>

#include "src/core/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ss_cmd a, b;
    static char text[4 * SS_CMD_TEXT];
    ss_err err;
    char *line = malloc(size + 1);
    if (!line)
        return 0;
    memcpy(line, data, size);
    line[size] = '\0';
    if (ss_cmd_parse(line, &a, &err) == SS_OK && a.verb) {
        ss_cmd_format(&a, text, sizeof text);
        if (strlen(text) < SS_CMD_TEXT) {
            if (ss_cmd_parse(text, &b, &err) != SS_OK || a.verb != b.verb || a.argc != b.argc)
                abort();
            for (int i = 0; i < a.argc; i++)
                if (strcmp(a.arg[i], b.arg[i]) != 0)
                    abort();
        }
    }
    free(line);
    return 0;
}
