/*
 * A driver that runs nothing: with it a plan is prepared for a GPU that is not there, or beside a
 * run that goes on, so that its kernels are compiled. Memory has addresses and no bytes, kernels
 * have the registers that the compiler named, launches and copies do nothing. Any thread, for
 * itself.
 */
#ifndef SS_CUDA_DRY_H
#define SS_CUDA_DRY_H

#include "kernels/cuda/device/driver.h"

/* This thread's ss_cu becomes the driver of a typical GPU of that compute capability: 90 for 9.0.
 */
void ss_cu_dry_begin(int capability);
/* This thread's ss_cu loads kernels on the devices that are there, and knows what they are; it has
 * no memory and runs nothing. */
void ss_cu_beside_begin(void);
/* The driver that it had before. */
void ss_cu_dry_end(void);
/* Is it one of the two? Is it that of a GPU that is not there? */
bool ss_cu_is_dry(void);
bool ss_cu_is_absent(void);

#endif
