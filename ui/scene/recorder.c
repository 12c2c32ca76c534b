/* The sizes that a medium accepts; recordings and figures check them before they open a file.
 * See recorder.h. Main thread only. */
#include "ui/scene/recorder.h"

int ss_medium_check(const ss_medium *m, const char *path, int w, int h, ss_err *err)
{
    if (w >= m->least_w && w <= m->most_w && h >= m->least_h && h <= m->most_h)
        return SS_OK;
    return ss_fail(err,
                   "%.80s: %dx%d %s is no size for it; from %dx%d to %dx%d are (--size takes a "
                   "list, one for each recording)",
                   path, w, h, m->unit, m->least_w, m->least_h, m->most_w, m->most_h);
}
