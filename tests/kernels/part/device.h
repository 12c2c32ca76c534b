/*
 * Devices of a part in host memory, for tests. Copies down are done as late as
 * kernels/part/part.h allows; inner sweeps too (late), or at once (prompt). Points that were
 * never copied or computed are NaN.
 */
#ifndef SS_TESTS_PART_DEVICE_H
#define SS_TESTS_PART_DEVICE_H

#include "kernels/part/part.h"

extern const ss_part_device late_device, prompt_device;

/* The number-th copy (from 0) up, or down, of the part with this `which` loses its last row; -1: no
 * fault. Not while parts are open. */
typedef struct late_fault {
    int which, number;
    bool up;
} late_fault;
void late_device_fault(late_fault fault);

#endif
