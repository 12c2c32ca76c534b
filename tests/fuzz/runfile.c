/* Fuzz target: run files, as --run reads them, and the command line with the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app/cli.h"
#include "src/app/tables.h"
#include "src/core/registry.h"
#include "src/core/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void as_file(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/ss-fuzz-XXXXXX";
    ss_script script = {.cmd = NULL};
    ss_err err;
    int fd = mkstemp(path);
    if (fd < 0)
        return;
    if (write(fd, data, size) == (ssize_t)size)
        ss_script_file(&script, path, false, &err);
    close(fd);
    unlink(path);
    ss_script_free(&script);
}

static void as_words(const uint8_t *data, size_t size)
{
    static ss_cli cli;
    char *argv[64], *save = NULL, *text = malloc(size + 1);
    int argc = 0;
    ss_err err;
    if (!text)
        return;
    memcpy(text, data, size);
    text[size] = '\0';
    argv[argc++] = text;
    for (char *w = strtok_r(text, " \n", &save); w && argc < 63; w = strtok_r(NULL, " \n", &save))
        if (!strstr(w, "run")) /* no files of this machine */
            argv[argc++] = w;
    argv[argc] = NULL;
    ss_cli_parse(argc, argv, &cli, &err);
    ss_script_free(&cli.script);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ss_tables_init();
    as_file(data, size);
    as_words(data, size);
    return 0;
}
