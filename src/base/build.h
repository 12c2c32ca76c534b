/*
 * This build: its identity, a checksum of the objects of the library, which the Makefile generates
 * and programs that exchange structs compare; and what helps if it lacks something. Constant; any
 * thread.
 */
#ifndef SS_BUILD_H
#define SS_BUILD_H

const char *ss_build_id(void); /* without spaces */

#ifdef SS_WITH_PAGE
#define SS_REMEDY "the installed program has it"
#else
#define SS_REMEDY "`make deps` gets it"
#endif

#endif
