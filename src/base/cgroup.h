/*
 * Limits of this process's control group (Linux): those of a container, of a batch job, of a
 * systemd unit. The smallest one counts from the own group up to the root. Any thread.
 */
#ifndef SS_CGROUP_H
#define SS_CGROUP_H

/* Where Linux has them; tests have their own. */
#define SS_CGROUP_OWN "/proc/self/cgroup"
#define SS_CGROUP_ROOT "/sys/fs/cgroup"

/* Bytes that may still be allocated; -1: no limit. */
double ss_cgroup_memory(const char *own, const char *root);
/* Processors' worth of time per second, 2.5; -1: no limit. */
double ss_cgroup_cores(const char *own, const char *root);

#endif
