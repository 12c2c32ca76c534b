/* A map as a front end shows it, from the map itself: see mapview.h and kit.h. Cells are copied
 * once, when they have been measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/tune/kit.h"
#include "src/core/registry.h"

static ss_map_side side_of(const ss_tune_axis *a)
{
    return a ? (ss_map_side){a->row, a->text, a->v} : (ss_map_side){.row = NULL};
}

int ss_map_show_make(const ss_map *m, ss_map_view *v, ss_err *err)
{
    const ss_equation *eq = ss_config_equation(&m->base);
    *v = (ss_map_view){.equation = eq->name,
                       .solver = ss_config_solver(&m->base)->name,
                       .settings = m->settings,
                       .row = side_of(ss_map_axis(m, 0)),
                       .column = side_of(ss_map_axis(m, 1)),
                       .asked = (int)(m->quantity - ss_map_quantities),
                       .nx = m->nx,
                       .ny = m->ny,
                       .n = m->n,
                       .now = -1,
                       .left = NAN,
                       .clock = !m->deterministic,
                       .flops = eq->flops};
    ss_config_backend(&m->base)->describe(&m->base, v->place, sizeof v->place);
    for (int i = 0; i < ss_nmap_quantity && i < SS_MAP_QUANTITIES; i++) {
        const ss_map_quantity *q = &ss_map_quantities[i];
        v->quantity[i] = (ss_map_name){q->name, q->unit, q->title, q->overall};
    }
    v->cell = ss_alloc((size_t)v->n * sizeof *v->cell, "the map", err);
    for (int i = 0; v->cell && i < v->n; i++)
        for (int q = 0; q < SS_MAP_QUANTITIES; q++)
            v->cell[i].value[q] = v->cell[i].guess = v->cell[i].seconds = NAN;
    return v->cell ? SS_OK : SS_FAIL;
}

static double operations_of(const ss_map *m, int cell)
{
    ss_ledger one;
    ss_map_ledger(m, cell, &one);
    return (double)m->cell[cell].cycles * one.updates * ss_config_equation(&m->base)->flops;
}

static void show_cell(const ss_map *m, int cell, ss_map_view *v)
{
    ss_map_cell *to = &v->cell[cell];
    ss_tune_cell c = m->cell[cell];
    bool ran = c.status == SS_CELL_OK || c.status == SS_CELL_LIMIT;
    to->status = c.status;
    to->cycles = c.cycles;
    to->seconds = c.seconds;
    to->bytes = c.bytes;
    to->operations = ran ? operations_of(m, cell) : (double)NAN;
    snprintf(to->why, sizeof to->why, "%.*s", (int)sizeof to->why - 1, c.why);
    for (int i = 0; i < ss_nmap_quantity && i < SS_MAP_QUANTITIES; i++) {
        bool there = c.status == SS_CELL_OK || (ran && ss_map_quantities[i].error);
        to->value[i] = there ? ss_map_quantities[i].of(&c) : (double)NAN;
    }
    to->papers = ss_map_papers(m, cell, v->papers, sizeof v->papers) != NULL;
}

void ss_map_show(const ss_map *m, ss_map_view *v)
{
    v->done = 0;
    for (int i = 0; i < m->n; i++) {
        if (m->cell[i].status != v->cell[i].status)
            show_cell(m, i, v);
        v->done += m->cell[i].status != SS_CELL_NONE;
    }
}
