/* What tests of the GPU share: the reason to skip, runs on one backend or the other. */
#ifndef SS_TESTS_GPU_H
#define SS_TESTS_GPU_H

#include "tests/pictures.h"

FIELD_UNUSED static void need_gpu(void)
{
    ss_err why;
    ss_registry_init();
    for (int i = 0; ss_backends[i]; i++)
        if (strcmp(ss_backends[i]->name, "cuda") == 0 && ss_backends[i]->probe(&why) != SS_OK)
            SKIP("%s", why.text);
}

FIELD_UNUSED static ss_run *open_on(const char *backend, const char *settings)
{
    char text[512];
    snprintf(text, sizeof text, "%.480s backend %s", settings, backend);
    ss_run *run = open_run(text);
    run->stop_at_tol = true;
    return run;
}

#endif
