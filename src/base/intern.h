/*
 * Interned strings: one copy of each text for the life of the program, so that a parameter value
 * can be copied by assignment. Any thread.
 */
#ifndef SS_INTERN_H
#define SS_INTERN_H

/* NULL only when memory is out. */
const char *ss_intern(const char *text);
/* Frees all; only main does, at the very end (leak checkers stay quiet). */
void ss_intern_free(void);

#endif
