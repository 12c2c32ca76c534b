/*
 * Interned strings: one copy of each text for the life of the program, so that a parameter value
 * can be copied by assignment. Any thread.
 */
#ifndef SS_INTERN_H
#define SS_INTERN_H

/* NULL only when out of memory. */
const char *ss_intern(const char *text);
/* Frees all; called only by main, at the very end, for leak checkers. */
void ss_intern_free(void);

#endif
