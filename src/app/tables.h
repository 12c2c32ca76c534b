/*
 * Passes kernels/matrix.def and the parameters of the subcommands to the registry.
 * Called once by main (and by each test), before any thread starts.
 */
#ifndef SS_TABLES_H
#define SS_TABLES_H

void ss_tables_init(void);

#endif
