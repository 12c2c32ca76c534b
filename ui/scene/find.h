/* Search by words, of the list of keys and of the gallery. Pure functions; any thread. */
#ifndef SS_SCENE_FIND_H
#define SS_SCENE_FIND_H

#include <stdbool.h>
#include <stddef.h>

/* Does the text contain each of the words, in any order, whatever their case? "": yes. */
bool ss_find_has(const char *text, const char *words);

#endif
