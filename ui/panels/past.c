/* Checkpoints to which a run can be rewound, and its old branches. See build.h. Main thread only.
 */
#include <string.h>

#include "ui/panels/build.h"

int ss_past_curves(const ss_snapshot *snap, ss_curve out[SS_SERIES_MAX])
{
    const ss_past *past = &snap->past;
    int n = 0;
    for (; n < past->nbranch && n < SS_SERIES_MAX - 1; n++) {
        const ss_branch *b = &past->branch[n];
        bool ahead = past->back && n == past->nbranch - 1;
        bool labelled = *b->label && strcmp(b->label, past->label) != 0;
        const char *legend = labelled ? b->label : ahead ? "ahead" : "before";
        out[n] = (ss_curve){b->curve, b->n, snap->residual0, SS_C_SERIES4, 1 + n, legend};
    }
    const char *label = n > 0 && *past->label ? past->label : NULL;
    out[n] = (ss_curve){snap->curve, snap->ncurve, snap->residual0, SS_C_SERIES1, 0, label};
    return n + 1;
}

void ss_past_marks(const ss_build *b, ss_chart *c,
                   double (*at)(const ss_build *b, const ss_point *p))
{
    const ss_past *past = &b->snap->past;
    const ss_point *now = b->snap->ncurve > 0 ? &b->snap->curve[b->snap->ncurve - 1] : NULL;
    c->here = -1;
    c->nunder = 0;
    for (int i = 0; past->used && i < past->nkept; i++)
        c->under[c->nunder++] = at(b, &past->kept[i]);
    if (!past->back || !now || c->nunder == 0)
        return;
    c->here = c->nunder;
    c->under[c->nunder++] = at(b, now);
}
