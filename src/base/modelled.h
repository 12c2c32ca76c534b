/* Modelled time, for everything that must not depend on the clock: a launch and a byte cost what
 * they cost on a present-day accelerator (3 us per launch, 4 TB/s). Any thread. */
#ifndef SS_MODELLED_H
#define SS_MODELLED_H

static inline double ss_modelled_seconds(double launches, double bytes)
{
    return 3e-6 * launches + bytes / 4e12;
}

#endif
