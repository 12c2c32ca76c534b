/* The settings of libraries that read them from the environment once, when they are loaded:
 * OpenBLAS's kernels (blas.h), and how long OpenMP's threads spin at a barrier before they sleep.
 * GNU's OpenMP spins for 300000 turns, each as long as the processor's `pause`: 5 ms with the 17 ns
 * of a virtual machine's Xeon, more than a time slice. Where another program has a processor,
 * threads that wait so long use up the time that the last one needs. */
#ifndef SS_LIBRARIES_H
#define SS_LIBRARIES_H

#include <stddef.h>

/* Main thread, first call in main: if a library should have another setting, and the environment
 * does not choose it, restarts the program with it; otherwise returns. */
void ss_libraries_settle(char **argv);
/* "OpenMP wait policy not set, 4000 turns at a barrier before a thread sleeps". Any thread. */
const char *ss_libraries_waiting(char *buf, size_t size);

#endif
