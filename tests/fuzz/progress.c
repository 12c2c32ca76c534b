/* Fuzz target: a damaged file of the progress in lessons. Whatever it holds, a session opens at a
 * step that exists, and what is saved next is read back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/app/tables.h"
#include "src/base/text.h"
#include "src/lesson/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LESSONS = 3, EVERY = 4 };

static char folder[] = "/dev/shm/ss-fuzz-XXXXXX", file[64];
static ss_lesson *lesson[LESSONS];

static void remove_folder(void)
{
    char inner[48];
    snprintf(inner, sizeof inner, "%s/stencilscope", folder);
    remove(file), rmdir(inner), rmdir(folder);
}

static bool prepare(void)
{
    char inner[48];
    ss_err err;
    if (lesson[0])
        return true;
    ss_tables_init();
    if (!mkdtemp(folder) || setenv("XDG_STATE_HOME", folder, 1) != 0)
        return false;
    snprintf(inner, sizeof inner, "%s/stencilscope", folder);
    snprintf(file, sizeof file, "%.47s/lessons", inner);
    mkdir(inner, 0777);
    atexit(remove_folder);
    for (int i = 0; i < LESSONS; i++) {
        const struct ss_embed *e = ss_lesson_embedded(i * EVERY);
        lesson[i] = ss_lesson_parse(e->name, (const char *)e->data, e->size, &err);
    }
    return lesson[0] != NULL;
}

static void write_file(const uint8_t *data, size_t size)
{
    FILE *f = fopen(file, "wb");
    if (!f)
        abort();
    fwrite(data, 1, size, f);
    fclose(f);
}

/* Reads everything that a session says about each step. */
static void read_steps(ss_session *s)
{
    char verdict[400];
    for (s->index = 0; s->index < s->lesson->nstep; s->index++) {
        ss_session_asks(s);
        ss_session_is_done(s);
        if (ss_session_predicted(s)[0])
            ss_session_verdict(s, verdict, sizeof verdict);
    }
}

static bool is_same(const ss_progress *a, const ss_progress *b)
{
    for (int i = 0; i < SS_STEPS_MAX; i++)
        if (strcmp(a->predicted[i], b->predicted[i]) != 0)
            return false;
    return a->done == b->done && a->at == b->at;
}

static void judge(const ss_lesson *l, unsigned seed)
{
    ss_session s, again;
    ss_err err;
    ss_session_open(&s, l);
    if (s.index < 0 || s.index >= l->nstep)
        abort();
    read_steps(&s);
    s.index = (int)(seed % (unsigned)l->nstep);
    if (ss_session_asks(&s) && ss_session_is_answer(&s, "1"))
        ss_session_lock(&s, "1", &err);
    else if (seed % 2)
        ss_session_done(&s, &err);
    else
        ss_session_save(&s, &err);
    ss_session_open(&again, l);
    if (!is_same(&s.progress, &again.progress))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!prepare())
        return 0;
    write_file(data, size);
    for (int i = 0; i < LESSONS; i++)
        judge(lesson[i], (unsigned)size + (unsigned)i);
    return 0;
}
