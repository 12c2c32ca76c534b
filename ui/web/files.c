/* Files that the run has written, for the pilot to download: the browser may be on another machine.
 * See parts.h. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/file.h"
#include "ui/web/guard.h"
#include "ui/web/parts.h"

/* Those of the program itself: progress in lessons, what it has measured. */
static bool is_own(const char *path)
{
    char state[PATH_MAX], real[PATH_MAX];
    size_t n = ss_state_path("", state, sizeof state, NULL) == SS_OK && realpath(state, real)
                   ? strlen(real)
                   : 0;
    return n > 0 && strncmp(path, real, n) == 0 && path[n] == '/';
}

void ss_web_wrote(const char *path, void *ctx)
{
    ss_web *web = ctx;
    char full[PATH_MAX];
    ss_err ignored;
    ss_web_file file;
    if (!realpath(path, full) || is_own(full) || ss_web_ticket(file.ticket, &ignored) != SS_OK)
        return;
    snprintf(file.path, sizeof file.path, "%s", full);
    pthread_mutex_lock(&web->lock);
    web->file[web->nfile++ % SS_WEB_FILES] = file;
    pthread_mutex_unlock(&web->lock);
    lws_cancel_service(web->context);
}

static int count(ss_web *web)
{
    pthread_mutex_lock(&web->lock);
    int n = web->nfile;
    pthread_mutex_unlock(&web->lock);
    return n;
}

bool ss_files_have_more(ss_web *web, const ss_web_page *p)
{
    return p->may_steer && p->files < count(web);
}

int ss_files_send(ss_web *web, ss_web_page *p)
{
    char text[sizeof web->file[0].path + 64];
    pthread_mutex_lock(&web->lock);
    if (p->files < web->nfile - SS_WEB_FILES)
        p->files = web->nfile - SS_WEB_FILES;
    const ss_web_file *f = &web->file[p->files++ % SS_WEB_FILES];
    snprintf(text, sizeof text, "file %s %s", f->ticket, f->path);
    pthread_mutex_unlock(&web->lock);
    return ss_web_send_text(p, ss_text_safe(text));
}

/* A ticket is compared as the token is. */
FILE *ss_files_open(ss_web *web, const char *ticket, size_t *size)
{
    struct stat st;
    FILE *f = NULL;
    pthread_mutex_lock(&web->lock);
    for (int i = 0; i < SS_WEB_FILES && i < web->nfile && !f; i++)
        if (ss_web_token_equal(ticket, web->file[i].ticket))
            f = fopen(web->file[i].path, "rbe");
    pthread_mutex_unlock(&web->lock);
    if (f && (fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode))) {
        fclose(f);
        f = NULL;
    }
    *size = f ? (size_t)st.st_size : 0;
    return f;
}
