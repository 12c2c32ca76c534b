/*
 * Exit statuses of the program and its subcommands.
 */
#ifndef SS_EXIT_STATUS_H
#define SS_EXIT_STATUS_H

enum {
    SS_EXIT_OK = 0,
    SS_EXIT_FAILED = 1,
    SS_EXIT_USAGE = 2,
    SS_EXIT_INTERRUPTED = 130 /* by a signal */
};

#endif
