/*
 * The identity of this build: a checksum of the objects of the library, which the Makefile
 * generates. Programs that exchange structs compare it. Constant; any thread.
 */
#ifndef SS_BUILD_H
#define SS_BUILD_H

const char *ss_build_id(void); /* without spaces */

#endif
