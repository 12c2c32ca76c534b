/* Starting mpiexec: see job.h. The thread of a job. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/mpi/job.h"
#include "src/base/system.h"

#define WORDS 64
#define TEXT 4096

/* A list of words in one block of text. */
typedef struct words {
    char *word[WORDS + 1];
    char text[TEXT];
    int n;
    size_t used;
    bool full;
} words;

static void add(words *w, const char *word, size_t length)
{
    if (w->n == WORDS || w->used + length + 1 > TEXT) {
        w->full = true;
        return;
    }
    w->word[w->n++] = memcpy(w->text + w->used, word, length);
    w->text[w->used + length] = '\0';
    w->used += length + 1;
}

static void add_all(words *w, const char *text)
{
    for (size_t n; *text; text += n) {
        text += strspn(text, " ");
        n = strcspn(text, " ");
        if (n > 0)
            add(w, text, n);
    }
}

int ss_job_program(char *path, size_t size, ss_err *err)
{
    /* Beside the program; beside the folder of the tests. */
    static const char *const places[] = {"stencilscope-rank", "../stencilscope-rank"};
    char self[1024];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(path, size, "%.*s/%s", (int)(slash - self), self, places[i]);
        if (access(path, X_OK) == 0)
            return SS_OK;
    }
    return ss_fail_outside(
        err, "the program stencilscope-rank is missing: it is built where Open MPI is "
             "installed (make config)");
}

/* Only Open MPI needs to be told which variables the ranks inherit. */
static bool is_open_mpi(const char *word)
{
    static const char *const names[] = {"mpiexec", "mpirun", "orterun"};
    const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* "a,b" becomes "a:2,b:2": consecutive ranks are neighbours and share a host. */
static void add_hosts(words *w, const ss_job_setup *setup)
{
    char list[1024] = "";
    int hosts = 1;
    size_t n = 0;
    for (const char *c = setup->hosts; *c; c++)
        hosts += *c == ',';
    int each = (setup->ranks + hosts - 1) / hosts;
    for (const char *h = setup->hosts; *h; h += strcspn(h, ","), h += *h == ',') {
        int length = (int)strcspn(h, ",");
        const char *separator = n > 0 ? "," : "";
        bool counted = memchr(h, ':', (size_t)length) != NULL;
        n += (size_t)snprintf(list + n, sizeof list - n, counted ? "%s%.*s" : "%s%.*s:%d",
                              separator, length, h, each);
        w->full |= n >= sizeof list;
        n = n < sizeof list ? n : sizeof list - 1;
    }
    add_all(w, "--host");
    add(w, list, strlen(list));
}

static void make_command(words *w, const ss_job_setup *setup, const char *program)
{
    static const char mpiexec[] = "mpiexec --oversubscribe --bind-to none";
    const char *launch = setup->launch ? setup->launch : mpiexec;
    char count[32];
    launch += strspn(launch, " ");
    size_t first = strcspn(launch, " ");
    add(w, launch, first);
    if (w->n > 0 && is_open_mpi(w->word[0]))
        add_all(w, "-x " SS_MPI_WHERE " -x " SS_MPI_TOKEN);
    add_all(w, launch + first);
    if (!setup->launch) {
        snprintf(count, sizeof count, "-n %d", setup->ranks);
        add_all(w, count);
    }
    if (!setup->launch && setup->hosts)
        add_hosts(w, setup);
    add(w, program, strlen(program));
}

/* If the network is cut, Open MPI's own processes end before the ranks do (ss_wire_keep_alive). One
 * that reported the end of its ranks first would wait many minutes for an answer. */
static const char *const usual[] = {"OMPI_MCA_oob_tcp_keepalive_time=4",
                                    "OMPI_MCA_oob_tcp_keepalive_intvl=2",
                                    "OMPI_MCA_oob_tcp_keepalive_probes=3"};

/* This process's variables and some more; free the list. Open MPI refuses to run as root without
 * the first two. */
static char **make_environment(words *more, const char *where, const char *token)
{
    static const char *const root[] = {"OMPI_ALLOW_RUN_AS_ROOT=1",
                                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
    char text[TEXT / 2];
    size_t n = 0;
    for (int i = 0; i < 2 && geteuid() == 0; i++)
        add(more, root[i], strlen(root[i]));
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        add(more, usual[i], strlen(usual[i]));
    if (!getenv("OMP_WAIT_POLICY"))
        add_all(more, "OMP_WAIT_POLICY=passive");
    snprintf(text, sizeof text, "%s=%s", SS_MPI_WHERE, where);
    add(more, text, strlen(text));
    snprintf(text, sizeof text, "%s=%s", SS_MPI_TOKEN, token);
    add(more, text, strlen(text));
    while (environ[n])
        n++;
    char **list = malloc((n + (size_t)more->n + 1) * sizeof *list);
    if (!list)
        return NULL;
    memcpy(list, more->word, (size_t)more->n * sizeof *list); /* the first of a name counts */
    memcpy(list + more->n, environ, (n + 1) * sizeof *list);
    return list;
}

/* The session of a process, or -1. */
static int session_of(const char *pid)
{
    char path[300], text[512];
    int session = -1;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *name_end = strrchr(text, ')'); /* then state, parent, group, session */
    if (name_end)
        sscanf(name_end, ") %*c %*d %*d %d", &session);
    return session;
}

void ss_job_kill(int session)
{
    DIR *all = opendir("/proc");
    for (struct dirent *e; all && (e = readdir(all)) != NULL;)
        if (isdigit((unsigned char)e->d_name[0]) && session_of(e->d_name) == session)
            kill(atoi(e->d_name), SIGKILL);
    if (all)
        closedir(all);
    kill(session, SIGKILL); /* it may not have begun its session yet */
}

int ss_job_launch(const ss_job_setup *setup, const char *where, const char *token, int log,
                  ss_err *err)
{
    words command = {.n = 0}, more = {.n = 0};
    char program[1100];
    if (ss_job_program(program, sizeof program, err) != SS_OK)
        return -1;
    make_command(&command, setup, program);
    char **env = make_environment(&more, where, token);
    if (!env || command.full || more.full) {
        free(env);
        ss_fail(err, "launcher: the command that starts the ranks is too long");
        return -1;
    }
    int pid = ss_child_start(command.word, env, log, SIGTERM);
    free(env);
    if (pid < 0)
        ss_fail(err, "mpiexec cannot be started: %s", strerror(errno));
    return pid;
}
