/* Equations that are painted in a way of their own: see painting.h. */
#include "kernels/eq/painting.h"

#include <stddef.h>

extern const ss_painting ss_painting_euler1d;

const ss_painting *const ss_paintings[] = {&ss_painting_euler1d, NULL};
