/* See figures.h. */
#include "src/ranks/figures.h"

const char *ss_ranks_clock_name(bool modelled_work)
{
    return modelled_work ? "modelled waits, modelled work" : "modelled waits, measured work";
}
