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
/* The driver that it had before. */
void ss_cu_dry_end(void);
bool ss_cu_is_dry(void);

#endif
