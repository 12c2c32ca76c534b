/* The rows that a picture reads, and a sampler that must fetch them, as from a device: each area in
 * its own memory without margins. */
#include <stdlib.h>

#include "kernels/cpu/state.h"
#include "kernels/sample/parts.h"
#include "kernels/geom/pictures.h"
#include "src/run/reference.h"
#include "tests/pictures.h"

TEST(boxes, rows_are_pairs_inside_the_box)
{
    for (int height = 0; height < 40; height++)
        for (int pairs = 0; pairs < 22; pairs++)
            for (int r = 0; r < 5; r++) {
                int lo = 7 + r * height, hi = lo + height, n = ss_box_rows(lo, hi, pairs);
                CHECK_INT(n, pairs > 0 && 2 * pairs < height ? 2 * pairs : height);
                for (int i = 0, before = lo - 1; i < n; i++) {
                    int y = ss_box_row(lo, hi, pairs, r, 5, i);
                    CHECK(y > before && y < hi);
                    CHECK(i % 2 == 0 || y == before + 1);
                    before = y;
                }
            }
}

TEST(boxes, the_first_and_the_last_row_are_sampled)
{
    CHECK_INT(ss_box_row(0, 10, 2, 0, 3, 0), 0);
    CHECK_INT(ss_box_row(20, 30, 2, 2, 3, 3), 29);
    CHECK_INT(ss_box_place(10, 20, 4, 0, 1), 13);
}

/* --- a sampler without direct access to its fields -------------------------------------------- */

static char *fetched[SS_TILES_MAX * SS_NPART];
static int nfetched;

static void free_fetched(void)
{
    while (nfetched > 0)
        free(fetched[--nfetched]);
}

static const char *field_of(const ss_sampler *s, int part)
{
    const ss_cpu_state *st = s->run->state;
    const void *const field[SS_NPART] = {st->u[st->cur], st->rhs, st->u[1 - st->cur]};
    return (const char *)field[part] + st->box.first * s->size;
}

static ss_part copy_of(const ss_sampler *s, ss_area a, int part)
{
    size_t row = (size_t)(a.x1 - a.x0) * s->size;
    char *to = fetched[nfetched++] = malloc(row * (size_t)(a.y1 - a.y0));
    for (int y = a.y0; y < a.y1; y++)
        memcpy(to + (size_t)(y - a.y0) * row,
               field_of(s, part) + (y * s->box->sy + a.x0) * (ptrdiff_t)s->size, row);
    return (ss_part){.data = to, .stride = a.x1 - a.x0, .x0 = a.x0, .y0 = a.y0};
}

static int fetch_copies(ss_sampler *s, const ss_area *area, int n, ss_parts *out, ss_err *err)
{
    (void)err;
    free_fetched(); /* what was fetched before is gone */
    for (int i = 0; i < n; i++)
        for (int part = 0; part < SS_NPART; part++)
            out[i].of[part] = copy_of(s, area[i], part);
    return SS_OK;
}

static void point_to_fields(ss_sampler *s)
{
    for (int part = 0; part < SS_NPART; part++)
        s->here.of[part] = (ss_part){.data = field_of(s, part), .stride = s->box->sy};
}

static int far_cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    point_to_fields(s);
    return ss_sample_cells(s, p, out, err);
}

static int far_sums(ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *out, ss_err *err)
{
    point_to_fields(s);
    return ss_sample_tile_sums(s, set, out, err);
}

static void same_from_afar(ss_run *run, const ss_view *view)
{
    static const ss_reader far = {.picture_bytes = 2.0 * 1024 * 1024,
                                  .profile_bytes = 1024.0 * 1024,
                                  .stale_small = 5e6,
                                  .stale_share = 0.05,
                                  .fetch = fetch_copies,
                                  .cells = far_cells,
                                  .tile_sums = far_sums};
    ss_err err = {0};
    const ss_cpu_state *st = run->state;
    ss_picture a = new_picture(60, 40), b = new_picture(60, 40);
    size_t profile = sizeof(float) * SS_PROFILE_MAX;
    memset(a.profile, 0, sizeof a.profile);
    memset(b.profile, 0, sizeof b.profile);
    take(run, view, &a);
    CHECK_MSG(ss_sample(run, view, &far, &st->box, &b, &err) == SS_OK, "%s", err.text);
    CHECK_INT(b.h, a.h);
    CHECK(memcmp(a.cell, b.cell, (size_t)a.w * (size_t)a.h * sizeof *a.cell) == 0);
    CHECK(memcmp(a.profile, b.profile, 2 * profile) == 0);
    CHECK(memcmp(&a.probe, &b.probe, sizeof a.probe) == 0);
    CHECK_INT(b.sampled, a.sampled);
    free_picture(&a);
    free_picture(&b);
    free_fetched();
}

TEST(boxes, the_sampler_fetches_what_it_reads)
{
    static const char *const runs[] = {
        "equation poisson2d solver shared n 203 ny 131 k 6 block 32 overlap 4",
        "equation poisson2d solver shared n 203 ny 131 k 5 block 33 block-y 20 precision f32",
        "equation poisson2d solver shared n 900 ny 700 k 5 block 8 overlap 2",
        "equation poisson2d solver jacobi n 50 ny 40",
        "equation poisson1d solver shared n 1003 copies 3 k 6 block 40 overlap 4",
    };
    char notice[320];
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        ss_run *run = random_run(runs[i]);
        step_run(run, 2);
        run->reference = ss_reference_start(run, false, notice, sizeof notice, NULL);
        for (int layer = 0; layer < SS_NLAYER; layer++)
            for (int corner = 0; corner < 3; corner++) {
                ss_view view = view_of((ss_layer)layer);
                view.probe_x = (run->problem.nx - 1) * corner / 2;
                view.probe_y = (run->problem.ny - 1) * corner / 2;
                view.slice = view.probe_y;
                view.tile_x = view.tile_y = corner;
                same_from_afar(run, &view);
            }
        ss_run_close(run);
    }
}
