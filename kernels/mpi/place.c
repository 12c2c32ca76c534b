/* A job's folder with its log, and the address at which it waits for the ranks: see job_inner.h. */
#include "kernels/mpi/job_inner.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* May ranks be on other machines? */
bool ss_job_is_far(const ss_job *job)
{
    return job->setup.hosts || job->setup.launch;
}

static int listen_at(const struct sockaddr *a, socklen_t size, int domain)
{
    int fd = socket(domain, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && bind(fd, a, size) == 0 && listen(fd, 64) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static int listen_unix(ss_job *job, ss_err *err)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s/socket", job->dir);
    snprintf(job->where, sizeof job->where, "unix %s/socket", job->dir);
    job->listening = listen_at((const struct sockaddr *)&a, sizeof a, AF_UNIX);
    return job->listening >= 0 ? SS_OK
                               : ss_fail(err, "a socket for the ranks: %s", strerror(errno));
}

/* All addresses of this machine, the loopback last: the ranks try them in turn. */
static void add_addresses(ss_job *job, bool loopback)
{
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list) != 0)
        return;
    for (const struct ifaddrs *i = list; i; i = i->ifa_next) {
        bool here = (i->ifa_flags & IFF_LOOPBACK) != 0;
        size_t n = strlen(job->where);
        char text[INET_ADDRSTRLEN];
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET || here != loopback ||
            !(i->ifa_flags & IFF_UP))
            continue;
        const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)i->ifa_addr;
        inet_ntop(AF_INET, &in->sin_addr, text, sizeof text);
        snprintf(job->where + n, sizeof job->where - n, " %s", text);
    }
    freeifaddrs(list);
}

static int listen_tcp(ss_job *job, ss_err *err)
{
    struct sockaddr_in a = {.sin_family = AF_INET};
    socklen_t size = sizeof a;
    job->listening = listen_at((const struct sockaddr *)&a, sizeof a, AF_INET);
    if (job->listening < 0 || getsockname(job->listening, (struct sockaddr *)&a, &size) != 0)
        return ss_fail(err, "a port for the ranks: %s", strerror(errno));
    snprintf(job->where, sizeof job->where, "tcp %d", ntohs(a.sin_port));
    add_addresses(job, false);
    add_addresses(job, true);
    return SS_OK;
}

int ss_job_make_token(ss_job *job, ss_err *err)
{
    unsigned char secret[16];
    if (getrandom(secret, sizeof secret, 0) != (ssize_t)sizeof secret)
        return ss_fail(err, "no random numbers for a token: %s", strerror(errno));
    for (size_t i = 0; i < sizeof secret; i++)
        snprintf(job->token + 2 * i, 3, "%02x", secret[i]);
    return SS_OK;
}

#define NAME "stencilscope-"
#define RANDOM "XXXXXX"

/* Opens and locks a folder of this user. Returns -1 if it is in use or belongs to another user. */
static int lock_folder(const char *path)
{
    struct stat s;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &s) == 0 && s.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* A folder with a log that no program uses: its program was killed, or its ranks did not start. */
static void remove_stale(const char *path)
{
    int fd = lock_folder(path);
    if (fd < 0)
        return;
    bool has_log = unlinkat(fd, "ranks.log", 0) == 0;
    unlinkat(fd, "socket", 0);
    if (has_log)
        rmdir(path);
    close(fd);
}

static void sweep(const char *tmp)
{
    DIR *d = opendir(tmp);
    char path[300];
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        if (strncmp(e->d_name, NAME, strlen(NAME)) != 0 || strlen(e->d_name) != strlen(NAME RANDOM))
            continue;
        snprintf(path, sizeof path, "%.200s/%.60s", tmp, e->d_name);
        remove_stale(path);
    }
    if (d)
        closedir(d);
}

/* Between its creation and its lock another program's sweep may take it away: then a new one. */
static int make_folder(ss_job *job, const char *tmp, ss_err *err)
{
    struct stat here, locked;
    for (;;) {
        snprintf(job->dir, sizeof job->dir, "%s/" NAME RANDOM, tmp);
        if (!mkdtemp(job->dir))
            return ss_fail_outside(err, "a folder for the ranks' log: %s: %s", job->dir,
                                   strerror(errno));
        job->folder = lock_folder(job->dir);
        if (job->folder >= 0 && stat(job->dir, &here) == 0 && fstat(job->folder, &locked) == 0 &&
            here.st_ino == locked.st_ino)
            return SS_OK;
        if (job->folder < 0 && access(job->dir, F_OK) == 0)
            return SS_OK; /* there are no locks here */
        close(job->folder);
    }
}

/* A folder that nobody else can read, for the socket and the log. */
int ss_job_make_place(ss_job *job, ss_err *err)
{
    const char *tmp = getenv("TMPDIR");
    char path[160];
    tmp = tmp && *tmp ? tmp : "/tmp";
    sweep(tmp);
    if (make_folder(job, tmp, err) != SS_OK)
        return SS_FAIL;
    snprintf(path, sizeof path, "%s/ranks.log", job->dir);
    job->log = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (job->log < 0)
        return ss_fail_outside(err, "%s: %s", path, strerror(errno));
    return (ss_job_is_far(job) ? listen_tcp : listen_unix)(job, err);
}

void ss_job_remove_place(const ss_job *job, bool log)
{
    char path[160];
    snprintf(path, sizeof path, "%s/socket", job->dir);
    unlink(path);
    snprintf(path, sizeof path, "%s/ranks.log", job->dir);
    if (log)
        unlink(path);
    rmdir(job->dir);
}

/* --- what mpiexec and the ranks say ----------------------------------------------------------- */

/* Lines of dashes are frames; "[host:123] file.c: ..." are notes of Open MPI for its authors. */
static bool says_something(const char *line)
{
    return strspn(line, "- \t\r") != strlen(line) && *line != '[' &&
           strncmp(line, "Warning:", 8) != 0 && strncmp(line, "WARNING:", 8) != 0;
}

/* A rank's own sentence, or the first paragraph: Open MPI wraps its sentences, says the cause first
 * and then what one may do. */
void ss_job_first_words(char *text, char *buf, size_t size)
{
    static const char own[] = "stencilscope-rank: ";
    size_t n = 0;
    char *sentence = strstr(text, own);
    text = sentence ? sentence + strlen(own) : text;
    *buf = '\0';
    for (char *next; *text; text = next) {
        next = text + strcspn(text, "\n");
        next += *next == '\n';
        text[strcspn(text, "\r\n")] = '\0';
        bool says = says_something(text);
        if (n > 0 && (!says || sentence))
            break;
        text += strspn(text, " \t");
        if (says && n < size)
            n += (size_t)snprintf(buf + n, size - n, "%s%s", n > 0 ? " " : "", text);
    }
    ss_text_safe(ss_utf8_trim(buf));
}

void ss_job_words(const ss_job *job, char *buf, size_t size)
{
    char text[8192];
    ssize_t n = pread(job->log, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    ss_job_first_words(text, buf, size);
}
