/* The part common to both forms of a block's inverse: see inverse.h. */
#include "kernels/block/inverse.h"

#include <stdlib.h>

#include "kernels/geom/blocking.h"

int ss_inverse_make(ss_inverse *inv, const ss_inverse_form *form, const int n[3], ss_prec prec,
                    ss_err *err)
{
    *inv = (ss_inverse){.form = form, .cells = 1, .width = form->width(prec), .prec = prec};
    for (int d = 0; d < 3; d++) {
        if (n[d] < 1 || n[d] > SS_BLOCK_MOST)
            return ss_fail(err, "block: %d cells in a direction; the range is 1 to %d", n[d],
                           SS_BLOCK_MOST);
        inv->n[d] = n[d];
        inv->cells *= n[d];
    }
    return form->make(inv, err);
}

void ss_inverse_free(ss_inverse *inv)
{
    free(inv->own);
    inv->own = NULL;
}
