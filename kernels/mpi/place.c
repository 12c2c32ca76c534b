/* A job's folder with its log, and the address at which it waits for the ranks: see job_inner.h. */
#include "kernels/mpi/job_inner.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* A folder that nobody else can read, for the socket and the log. */
int ss_job_make_place(ss_job *job, ss_err *err)
{
    const char *tmp = getenv("TMPDIR");
    char path[160];
    snprintf(job->dir, sizeof job->dir, "%s/stencilscope-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(job->dir))
        return ss_fail(err, "a folder for the ranks' log: %s: %s", job->dir, strerror(errno));
    snprintf(path, sizeof path, "%s/ranks.log", job->dir);
    job->log = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (job->log < 0)
        return ss_fail(err, "%s: %s", path, strerror(errno));
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

/* The last line of the log that has words. */
void ss_job_last_words(const ss_job *job, char *buf, size_t size)
{
    char text[2048];
    off_t end = lseek(job->log, 0, SEEK_END), from = end > 2000 ? end - 2000 : 0;
    ssize_t n = pread(job->log, text, 2000, from);
    text[n > 0 ? n : 0] = '\0';
    *buf = '\0';
    char *rest = text;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;)
        if (strspn(line, "- ") != strlen(line))
            snprintf(buf, size, "%s", line);
    ss_text_safe(buf);
}
